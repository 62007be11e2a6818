/** The row of a product in a list: picture, name and size, and beside it what can be done with it. */
import type { Product } from '@markwright/contract/schemas';
import { formatDimensions, parseDimensions } from '@markwright/contract/words';
import { Icon, IconButton } from '@markwright/controls';
import type { MachineMode } from '@markwright/scene';
import { memo, type ReactNode, useId } from 'react';
import { MM_PER_INCH } from '../../core/document/inches.ts';
import { ProductThumb } from './ProductThumb.tsx';
import { VariantDots } from './VariantPicker.tsx';

const machineWords: Readonly<Record<MachineMode, string>> = {
  laser: 'laser',
  uv: 'UV',
  sublimation: 'sublimation',
  dtf: 'DTF',
};

const STAR = 'M10 3l2.1 4.6 5 .5-3.8 3.3 1.1 4.9-4.4-2.6-4.4 2.6 1.1-4.9L2.9 8.1l5-.5z';

interface ProductCardProps {
  readonly product: Product;
  /** The product in the color and size that it is shown in. */
  readonly shownProduct: Product;
  /** The colors and sizes to choose, of the chosen product. */
  readonly variants: ReactNode;
  readonly isSelected: boolean;
  readonly isUsual: boolean;
  readonly machine: MachineMode;
  readonly note: string | undefined;
  /** True in the list of recently used products. */
  readonly isRecent: boolean;
  onChoose(product: Product, isRecent: boolean): void;
  /** Absent for a product that is not this person's own. */
  onEdit: ((product: Product) => void) | undefined;
  readonly isFavorite: boolean;
  /** Absent where there is no room for it, or nobody keeps favorites. */
  onFavorite: ((product: Product) => void) | undefined;
}

export const ProductCard = memo(function ProductCard({
  product,
  shownProduct,
  variants,
  isSelected,
  isUsual,
  machine,
  note,
  isRecent,
  onChoose,
  onEdit,
  isFavorite,
  onFavorite,
}: ProductCardProps) {
  const nameId = useId();
  const { widthInches, heightInches } = parseDimensions(shownProduct.dimensions);
  const mm = (inches: number) => String(Number((inches * MM_PER_INCH).toFixed(1)));
  const card = (
    <button
      type="button"
      data-card={onEdit || onFavorite || variants ? undefined : ''}
      aria-pressed={isSelected}
      onClick={() => onChoose(product, isRecent)}
      className="flex w-full items-center gap-3 rounded-control border border-transparent p-1.5 text-left transition-colors hover:bg-ink/4 focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent aria-pressed:border-accent aria-pressed:bg-accent-soft"
    >
      <span className="relative shrink-0">
        <ProductThumb product={shownProduct} />
        {isSelected && (
          <span className="absolute -right-1 -bottom-1 grid size-5 place-items-center rounded-full bg-accent text-on-accent">
            <Icon name="check" className="size-3.5" />
          </span>
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span id={nameId} className="line-clamp-3 min-w-0 flex-1 text-sm leading-[18px]">
            {shownProduct.name}
          </span>
          {!variants && <VariantDots product={product} />}
          {note && <span className="shrink-0 text-sm tabular-nums leading-[18px]">{note}</span>}
        </span>
        <span className="measure mt-0.5 flex flex-wrap gap-x-2 text-graphite">
          <span>
            {mm(widthInches)} × {mm(heightInches)} mm
          </span>
          <span>{formatDimensions(shownProduct.dimensions)}</span>
        </span>
        {isSelected && product.sizeSource && (
          <span className="line-clamp-2 text-graphite text-xs">{`Blank size: ${product.sizeSource}`}</span>
        )}
        {!isUsual && <span className="block text-xs text-graphite">{`Not usual for ${machineWords[machine]}`}</span>}
      </span>
    </button>
  );
  if (!onEdit && !onFavorite && !variants) return card;
  const row = (
    <div data-card={variants ? undefined : ''} className="flex items-center p-0! *:first:min-w-0">
      {card}
      {onEdit && <IconButton icon="pencil" label={`Edit ${product.name}`} onClick={() => onEdit(product)} />}
      {onFavorite && (
        <IconButton
          icon={STAR}
          label="Favorite"
          aria-describedby={nameId}
          aria-pressed={isFavorite}
          className={isFavorite ? 'text-accent [&_path]:fill-current' : 'text-graphite'}
          onClick={() => onFavorite(product)}
        />
      )}
    </div>
  );
  if (!variants) return row;
  return (
    <div data-card="" className="p-0!">
      {row}
      {variants}
    </div>
  );
});
