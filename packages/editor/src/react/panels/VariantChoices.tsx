/** The choices of `VariantPicker`. Loaded with the first product that has colors or sizes. */
import {
  type ChosenVariant,
  chosenVariant,
  type ProductChoice,
  toVariant,
  type VariedProduct,
} from '@markwright/contract/words';
import { Icon } from '@markwright/controls';
import type { Variant } from '@markwright/scene';
import { useId, useState } from 'react';

export interface VariantPickerProps {
  readonly product: VariedProduct;
  /** What the composition has chosen. */
  readonly choice: ProductChoice;
  onChoose(variant: Variant): void;
  readonly className?: string;
}

/** Built on radio buttons: arrow keys choose. */
export default function VariantChoices({ product, choice, onChoose, className = '' }: VariantPickerProps) {
  const { colors = [], sizes = [] } = product.variants ?? {};
  const current = chosenVariant(product, choice);
  const choose = (change: ChosenVariant) => onChoose(toVariant({ ...current, ...change }) ?? {});
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      {colors.length > 0 && (
        <Colors colors={colors} chosenName={current.color?.name} onChoose={(color) => choose({ color })} />
      )}
      {sizes.length > 0 && (
        <Sizes sizes={sizes} chosenName={current.size?.name} onChoose={(size) => choose({ size })} />
      )}
    </div>
  );
}

interface ChoiceProps<T> {
  readonly chosenName: string | undefined;
  onChoose(one: T): void;
}

type Color = NonNullable<ChosenVariant['color']>;
type Size = NonNullable<ChosenVariant['size']>;

/** The name of the color under the pointer stands beside the swatches, or else that of the chosen one. */
function Colors({ colors, chosenName, onChoose }: ChoiceProps<Color> & { readonly colors: readonly Color[] }) {
  const group = useId();
  const [pointedName, setPointedName] = useState<string>();
  const [focusedName, setFocusedName] = useState<string>();
  return (
    <div className="flex items-start gap-2">
      <div role="radiogroup" aria-label="Product color" className="-ml-1 flex min-w-0 flex-wrap">
        {colors.map((one) => (
          <label
            key={one.name}
            onPointerEnter={({ pointerType }) => pointerType !== 'touch' && setPointedName(one.name)}
            onPointerLeave={() => setPointedName(undefined)}
            className="group relative grid size-7 cursor-pointer place-items-center rounded-full has-focus-visible:outline-2 has-focus-visible:-outline-offset-1 has-focus-visible:outline-accent pointer-coarse:size-9"
          >
            <input
              type="radio"
              name={group}
              value={one.name}
              checked={one.name === chosenName}
              onChange={() => onChoose(one)}
              onFocus={() => setFocusedName(one.name)}
              onBlur={() => setFocusedName(undefined)}
              aria-label={one.name}
              className="absolute inset-0 cursor-[inherit] appearance-none rounded-full outline-none"
            />
            <span
              aria-hidden="true"
              style={{ backgroundColor: one.color }}
              className={`pointer-events-none grid size-4.5 place-items-center rounded-full border border-edge pointer-coarse:size-5.5 ${isLight(one.color) ? 'text-black' : 'text-white'}`}
            >
              {/* A ring would look like the one of the focus. */}
              <Icon name="check" className="hidden size-3.5 group-has-checked:block" />
            </span>
          </label>
        ))}
      </div>
      <span
        aria-hidden="true"
        className="min-w-0 flex-1 truncate text-graphite text-xs leading-7 pointer-coarse:leading-9"
      >
        {pointedName ?? focusedName ?? chosenName}
      </span>
    </div>
  );
}

/** True where black is read more easily than white on a color, `#rrggbb`. */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140;
}

function Sizes({ sizes, chosenName, onChoose }: ChoiceProps<Size> & { readonly sizes: readonly Size[] }) {
  const group = useId();
  return (
    <div role="radiogroup" aria-label="Product size" className="flex flex-wrap gap-1">
      {sizes.map((one) => (
        <label
          key={one.name}
          className="relative grid h-7 min-w-7 cursor-pointer select-none place-items-center rounded-control border border-edge px-2 text-xs has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-checked:font-medium has-focus-visible:outline-accent has-focus-visible:outline-offset-1 hover:bg-ink/4 pointer-coarse:h-9 pointer-coarse:min-w-9"
        >
          <input
            type="radio"
            name={group}
            value={one.name}
            checked={one.name === chosenName}
            onChange={() => onChoose(one)}
            aria-label={one.name}
            className="absolute inset-0 cursor-[inherit] appearance-none rounded-control outline-none"
          />
          {one.name}
        </label>
      ))}
    </div>
  );
}
