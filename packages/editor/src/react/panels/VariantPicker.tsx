/** Colors and sizes of a product, each to be chosen by one press: swatches, and buttons with the names of sizes. */
import type { VariedProduct } from '@markwright/contract/words';
import { lazyPart } from '@markwright/controls';
import { Suspense } from 'react';
import type { VariantPickerProps } from './VariantChoices.tsx';

/** Returns true for a product that has something to choose. */
export const isVaried = ({ variants }: Pick<VariedProduct, 'variants'>): boolean =>
  variants !== undefined && variants.colors.length + variants.sizes.length > 0;

const VariantChoices = lazyPart(() => import('./VariantChoices.tsx'));

/** Shows nothing for a product without colors and sizes. */
export function VariantPicker(props: VariantPickerProps) {
  if (!isVaried(props.product)) return null;
  const { colors = [], sizes = [] } = props.product.variants ?? {};
  const rows = [colors, sizes].filter(({ length }) => length > 0);
  return (
    <Suspense fallback={<Rows count={rows.length} className={props.className} />}>
      <VariantChoices {...props} />
    </Suspense>
  );
}

/** Keeps the room of choices that have not loaded. */
const Rows = ({ count, className = '' }: { readonly count: number; readonly className?: string | undefined }) => (
  <div className={`flex flex-col gap-1 ${className}`}>
    {Array.from({ length: count }, (_, row) => (
      <div key={row} className="h-7 pointer-coarse:h-9" />
    ))}
  </div>
);

/**
 * A few of a product's colors, to see and not to choose. Beside its name: on a line of their own, a list at 1280 × 720
 * had room for one product. How many colors and sizes there are is read out.
 */
export function VariantDots({ product }: { readonly product: Pick<VariedProduct, 'variants'> }) {
  const { colors = [], sizes = [] } = product.variants ?? {};
  if (colors.length + sizes.length === 0) return null;
  const count = (length: number, word: string) => (length === 0 ? [] : [`${length} ${word}${length > 1 ? 's' : ''}`]);
  return (
    <span className="flex shrink-0 items-center gap-0.5 self-center">
      {colors.slice(0, MOST_DOTS).map(({ name, color }) => (
        <span
          key={name}
          aria-hidden="true"
          style={{ backgroundColor: color }}
          className="size-3 shrink-0 rounded-full border border-edge"
        />
      ))}
      <span className="sr-only">{[...count(colors.length, 'color'), ...count(sizes.length, 'size')].join(', ')}</span>
    </span>
  );
}

const MOST_DOTS = 5;
