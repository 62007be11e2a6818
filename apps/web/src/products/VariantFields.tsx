/** The fields for the colors and sizes of a product. */
import type { Variants } from '@markwright/contract/schemas';
import { BLANK_LIMITS, MATERIALS, parseDimensions } from '@markwright/contract/words';
import { Button, Icon, IconButton, NumberField, Select, TextInput } from '@markwright/controls';
import { MM_PER_INCH } from '@markwright/editor';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { materialNames } from './names.ts';

type Color = Variants['colors'][number];
type Size = Variants['sizes'][number];

interface VariantFieldsProps {
  readonly value: Variants;
  /** The product's own values, which a color or size has where it says nothing else. */
  readonly dimensions: string;
  readonly markColor: string;
  /** The error message. */
  readonly error: string | undefined;
  onChange(value: Variants): void;
}

export function VariantFields({ value, dimensions, markColor, error, onChange }: VariantFieldsProps) {
  const { colors, sizes } = value;
  const setColors = (next: readonly Color[]) => onChange({ ...value, colors: [...next] });
  const setSizes = (next: readonly Size[]) => onChange({ ...value, sizes: [...next] });
  return (
    <div className="grid gap-4">
      <Rows
        title="Colors"
        note="Each color is a swatch on the product. A material and a laser mark of its own are optional."
        add="Add a color"
        most={BLANK_LIMITS.colors}
        rows={colors}
        fresh={{ name: '', color: '#c0c0c0' }}
        onChange={setColors}
      >
        {(color, name, change) => (
          <>
            <ColorInput label={`Swatch of ${name}`} value={color.color} onChange={(next) => change({ color: next })} />
            <NameInput label={`Name of ${name}`} value={color.name} onChange={(next) => change({ name: next })} />
            <Select<(Color['material'] & string) | 'same'>
              label={`Material of ${name}`}
              value={color.material ?? 'same'}
              options={[
                { value: 'same', label: 'Same material' },
                ...MATERIALS.map((material) => ({ value: material, label: materialNames[material] })),
              ]}
              onChange={(next) => change({ material: next === 'same' ? undefined : next })}
              className="h-9 w-36"
            />
            <span className="flex items-center gap-1.5 text-graphite text-xs">
              Mark
              <ColorInput
                label={`Laser mark on ${name}`}
                value={color.markColor ?? markColor}
                onChange={(next) => change({ markColor: next })}
              />
            </span>
            {color.picture && (
              <span className="flex items-center gap-1">
                <img src={color.picture} alt="" className="size-9 rounded-[4px] bg-bone object-contain" />
                <IconButton
                  icon="close"
                  size="sm"
                  label={`Show ${name} on the product’s picture`}
                  onClick={() => change({ picture: undefined })}
                />
              </span>
            )}
          </>
        )}
      </Rows>
      <Rows
        title="Sizes"
        note="A size has a print area of its own, or the product’s."
        add="Add a size"
        most={BLANK_LIMITS.sizes}
        rows={sizes}
        fresh={{ name: '' }}
        onChange={setSizes}
      >
        {(size, name, change) => (
          <>
            <NameInput label={`Name of ${name}`} value={size.name} onChange={(next) => change({ name: next })} />
            <SizeInput
              name={name}
              value={size.dimensions ?? dimensions}
              onChange={(next) => change({ dimensions: next })}
            />
          </>
        )}
      </Rows>
      {error && (
        <p role="alert" className="text-danger text-xs">
          {error}
        </p>
      )}
    </div>
  );
}

/** Returns what is wrong with colors and sizes that somebody has entered, as a sentence; undefined where nothing is. */
export function findVariantFault({ colors, sizes }: Variants): string | undefined {
  const lists = [
    [colors, 'color'],
    [sizes, 'size'],
  ] as const;
  for (const [list, word] of lists) {
    const names = list.map(({ name }) => name.trim().toLowerCase());
    if (names.includes('')) return `Please name each ${word}.`;
    const twin = list.find((_, index) => names.indexOf(names[index]!) !== index);
    if (twin) return `There is a ${word} “${twin.name.trim()}” already. Each ${word} needs a name of its own.`;
  }
  return undefined;
}

interface RowsProps<T> {
  readonly title: string;
  /** Stands there while the list is empty. */
  readonly note: string;
  readonly add: string;
  readonly most: number;
  readonly rows: readonly T[];
  readonly fresh: T;
  onChange(rows: readonly T[]): void;
  /** Renders the fields of a row, which is called `name` in their labels: `color 2`. */
  children(row: T, name: string, change: (part: { [K in keyof T]?: T[K] | undefined }) => void): ReactNode;
}

function Rows<T extends { readonly name: string }>(props: RowsProps<T>) {
  const { title, note, add, most, rows, fresh, onChange, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const [hasAdded, setHasAdded] = useState(false);
  useEffect(() => {
    if (!hasAdded) return;
    setHasAdded(false);
    list.current?.lastElementChild?.querySelector<HTMLInputElement>('input:not([type=color])')?.focus();
  }, [hasAdded]);
  const word = title.toLowerCase().slice(0, -1);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium text-graphite text-xs">{title} (optional)</legend>
      {rows.length > 0 && (
        <ul ref={list} className="mb-2 grid gap-1.5">
          {rows.map((row, index) => {
            const name = `${word} ${index + 1}`;
            return (
              <li key={index} className="flex flex-wrap items-center gap-2 rounded-control border border-line p-1.5">
                {children(row, name, (part) =>
                  onChange(rows.map((other, i) => (i === index ? withPart(other, part) : other))),
                )}
                <button
                  type="button"
                  aria-label={`Remove ${row.name.trim() || name}`}
                  onClick={() => onChange(rows.filter((_, i) => i !== index))}
                  className="ml-auto grid size-7 shrink-0 place-items-center rounded-control text-graphite hover:bg-bone hover:text-ink focus-visible:outline-2 focus-visible:outline-accent pointer-coarse:size-10"
                >
                  <Icon name="trash" className="size-4" />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <Button
        size="sm"
        icon="plus"
        disabled={rows.length >= most}
        onClick={() => {
          onChange([...rows, fresh]);
          setHasAdded(true);
        }}
      >
        {add}
      </Button>
      <p className="mt-1 text-graphite text-xs">
        {rows.length >= most ? `A product may have up to ${most} ${title.toLowerCase()}.` : rows.length === 0 && note}
      </p>
    </fieldset>
  );
}

/** Leaves out what is undefined then. */
const withPart = <T,>(row: T, part: { [K in keyof T]?: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries({ ...row, ...part }).filter(([, value]) => value !== undefined)) as T;

interface InputProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}

const NameInput = ({ label, value, onChange }: InputProps) => (
  <span className="min-w-32 flex-1">
    <TextInput
      aria-label={label}
      value={value}
      placeholder="Name"
      maxLength={BLANK_LIMITS.labelLength}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  </span>
);

const ColorInput = ({ label, value, onChange }: InputProps) => (
  <input
    type="color"
    aria-label={label}
    title={label}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className="size-9 shrink-0 cursor-pointer rounded-control border border-edge bg-paper p-0.5 focus-visible:outline-2 focus-visible:outline-accent"
  />
);

/** The print area of a size in inches, with the same in millimeters. */
function SizeInput({ name, value, onChange }: { name: string; value: string; onChange(dimensions: string): void }) {
  const { widthInches, heightInches } = parseDimensions(value);
  const mm = (inches: number) => Number((inches * MM_PER_INCH).toFixed(1));
  const side = (word: 'Width' | 'Height', inches: number, toDimensions: (inches: number) => string) => (
    <NumberField
      label={`${word} of the print area of ${name} in inches`}
      value={inches}
      min={0.1}
      max={200}
      step={0.1}
      decimals={3}
      unit="in"
      prefix={word.charAt(0)}
      onCommit={(next) => onChange(toDimensions(next))}
      className="w-24"
    />
  );
  return (
    <span className="flex flex-wrap items-center gap-2">
      {side('Width', widthInches, (next) => `${next}x${heightInches}`)}
      {side('Height', heightInches, (next) => `${widthInches}x${next}`)}
      <span className="measure text-graphite">
        {mm(widthInches)} × {mm(heightInches)} mm
      </span>
    </span>
  );
}
