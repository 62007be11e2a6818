/** One card of “My library”: the picture places or uses it; its name and what else can be done with it stand below. */
import type { SavedElements } from '@markwright/contract/schemas';
import { Icon, IconButton, Spinner } from '@markwright/controls';
import { formatSize, LIBRARY_ICON, useEditorState } from '@markwright/editor';
import { NameField } from '../cardList/NameField.tsx';
import { useCardKeys } from '../cardList/useCardKeys.ts';

interface LibraryCardProps {
  readonly entry: SavedElements;
  readonly isBusy: boolean;
  readonly canChange: boolean;
  onPlace(): void;
  onRename(name: string): void;
  onDelete(): void;
}

export function LibraryCard({ entry, isBusy, canChange, ...on }: LibraryCardProps) {
  const { name, pictureUrl, widthMm, heightMm, openParts } = entry;
  const isTemplate = entry.kind === 'template';
  const unit = useEditorState((state) => state.unit);
  const { item, isRenaming, startRename, endRename } = useCardKeys({
    name,
    canChange,
    onRename: (newName) => newName && on.onRename(newName),
    onDelete: on.onDelete,
  });
  const size = formatSize({ width: widthMm, height: heightMm }, unit);
  const facts = isTemplate ? describeParts(openParts) : size;
  return (
    <li
      {...item}
      className="group relative flex min-w-0 flex-col rounded-card border border-line bg-paper hover:border-edge"
    >
      <button
        type="button"
        data-open=""
        disabled={!canChange}
        onClick={on.onPlace}
        aria-label={`${isTemplate ? 'Use' : 'Place'} ${name}, ${facts}`}
        // Black and white marks are both to be seen, in both color schemes.
        className="bg-[#d5cfc3] relative grid aspect-4/3 place-items-center overflow-hidden rounded-t-card p-3 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
      >
        {pictureUrl ? (
          <img
            src={pictureUrl}
            alt=""
            className="absolute inset-3 size-[calc(100%-24px)] object-contain"
            loading="lazy"
          />
        ) : (
          <Icon name={LIBRARY_ICON} className="size-8 text-edge" />
        )}
        {isBusy && (
          <span className="absolute inset-0 grid place-items-center bg-paper/70">
            <Spinner className="size-6" />
          </span>
        )}
      </button>
      <div className="min-w-0 px-3 pt-2.5">
        {isRenaming ? (
          <NameField name={name} placeholder={name} onEnd={endRename} />
        ) : (
          <p className="truncate font-medium text-sm" title={name}>
            {name}
          </p>
        )}
        <p className="measure mt-0.5 truncate text-graphite text-xs">{facts}</p>
      </div>
      <div className="mt-auto flex h-10 items-center gap-0.5 px-1.5 pointer-coarse:h-11">
        {canChange && (
          <>
            <IconButton icon="pencil" size="sm" label={`Rename ${name}`} onClick={startRename} />
            <IconButton icon="trash" size="sm" label={`Delete ${name}`} className="ml-auto" onClick={on.onDelete} />
          </>
        )}
      </div>
    </li>
  );
}

const describeParts = (count: number): string =>
  count === 0 ? 'nothing to change' : count === 1 ? '1 part to change' : `${count} parts to change`;
