/** One card of the list "My designs": its picture, its name, and what can be done with it. */
import type { Product } from '@markwright/contract/schemas';
import { Icon, IconButton, Spinner } from '@markwright/controls';
import { Ago } from '../../../ui/Ago.tsx';
import { NameField } from '../cardList/NameField.tsx';
import { useCardKeys } from '../cardList/useCardKeys.ts';
import type { Card } from './compositionCards.ts';

interface CompositionCardProps {
  readonly card: Card;
  readonly title: string;
  readonly product: Product | undefined;
  readonly isCurrent: boolean;
  readonly isBusy: boolean;
  readonly canChange: boolean;
  onOpen(): void;
  onRename(name: string): void;
  onDuplicate(): void;
  onDelete(): void;
}

export function CompositionCard({ card, title, product, isCurrent, isBusy, canChange, ...on }: CompositionCardProps) {
  const { item, isRenaming, startRename, endRename } = useCardKeys({ name: card.name, canChange, ...on });
  const picture = card.pictureUrl ?? product?.mockupImageUrl;
  return (
    <li
      {...item}
      className={`group relative flex min-w-0 flex-col rounded-card border bg-paper ${isCurrent ? 'border-accent' : 'border-line hover:border-edge'}`}
    >
      <button
        type="button"
        data-open=""
        onClick={on.onOpen}
        aria-label={isCurrent ? `${title}, open now` : `Open ${title}`}
        className="relative grid aspect-4/3 place-items-center overflow-hidden rounded-t-card bg-bone p-3 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
      >
        {picture ? (
          <img src={picture} alt="" className="absolute inset-3 size-[calc(100%-24px)] object-contain" loading="lazy" />
        ) : (
          <Icon name="text" className="size-8 text-edge" />
        )}
        {isBusy && (
          <span className="absolute inset-0 grid place-items-center bg-paper/70">
            <Spinner className="size-6" />
          </span>
        )}
        {isCurrent && (
          <span className="absolute top-2 left-2 rounded-control bg-accent px-1.5 py-0.5 font-medium text-on-accent text-xs">
            Open now
          </span>
        )}
      </button>
      <div className="min-w-0 px-3 pt-2.5">
        {isRenaming ? (
          <NameField name={card.name} placeholder={title} onEnd={endRename} />
        ) : (
          <p className="truncate font-medium text-sm" title={title}>
            {title}
          </p>
        )}
        <p className="mt-0.5 truncate text-graphite text-xs">
          <Ago time={card.updatedAt} />
          {product && card.name && <> · {product.name.split(',')[0]}</>}
        </p>
      </div>
      <div className="mt-auto flex h-10 items-center gap-0.5 px-1.5 pointer-coarse:h-11">
        {canChange && (
          <>
            <IconButton icon="pencil" size="sm" label={`Rename ${title}`} onClick={startRename} />
            <IconButton icon="duplicate" size="sm" label={`Duplicate ${title}`} onClick={on.onDuplicate} />
            <IconButton icon="trash" size="sm" label={`Delete ${title}`} className="ml-auto" onClick={on.onDelete} />
          </>
        )}
      </div>
    </li>
  );
}
