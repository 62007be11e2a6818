/** The fields of a product: names, material, machines, and the size of its print area. */
import type { BlankSurface, Product, Variants } from '@markwright/contract/schemas';
import { MATERIALS, MAX_NAME, parseDimensions } from '@markwright/contract/words';
import { Field, NumberField, Select, TextInput } from '@markwright/controls';
import { MM_PER_INCH } from '@markwright/editor';
import { type AreaShape, type FractionRect, MACHINE_MODES, type MachineMode, type PrintArea } from '@markwright/scene';
import { useId } from 'react';
import { machineNames, materialNames } from './names.ts';

/** The fields that the form of a product sends. */
export interface ProductEntry {
  readonly name: string;
  readonly category: string;
  readonly subCategory: string;
  /** `WxH` in inches. */
  readonly dimensions: string;
  /** Absent while there is no picture to draw it on. The server then begins with one in the middle. */
  readonly printArea?: PrintArea | undefined;
  readonly surface: BlankSurface;
  readonly material: (typeof MATERIALS)[number];
  readonly machines: MachineMode[];
  /** Where the size comes from; empty where nobody says. */
  readonly sizeSource: string;
  readonly variants: Variants;
}

/** The values of the form. The shape is apart from the rectangle, which changes with the picture. */
export interface ProductDraft extends Omit<ProductEntry, 'printArea'> {
  readonly printArea?: FractionRect | undefined;
  readonly shape?: AreaShape | undefined;
}

/** The names of existing categories and sub-categories, to choose from. */
export interface CategoryNames {
  readonly categories: readonly string[];
  readonly subCategories: readonly string[];
}

const allMachines: readonly MachineMode[] = MACHINE_MODES;
/** As the call has it: few blanks are textiles. */
const initialMachines: MachineMode[] = ['laser', 'uv', 'sublimation'];

/** Returns what the form starts with: the product's values, or those of a new one. */
export function toDraft(product: Product | undefined): ProductDraft {
  const {
    name = '',
    category = '',
    subCategory = '',
    dimensions = '1x1',
    surface = FLAT,
    sizeSource = '',
    variants = { colors: [], sizes: [] },
  } = product ?? {};
  const { shape, ...printArea } = product?.printArea ?? {};
  const material = MATERIALS.find((value) => value === product?.material) ?? 'other';
  const machines = product?.machines ?? initialMachines;
  const fields = { name, category, subCategory, dimensions, material, machines, surface, shape, sizeSource, variants };
  return { ...fields, printArea: product && (printArea as FractionRect) };
}

const FLAT: BlankSurface = { kind: 'flat' };

/** Returns the fields that are sent of a draft. */
export const toEntry = ({ shape, printArea, ...rest }: ProductDraft): ProductEntry => ({
  ...rest,
  printArea: printArea && { ...printArea, ...(shape && { shape }) },
});

interface ProductFieldsProps extends CategoryNames {
  readonly entry: ProductDraft;
  readonly errors: { readonly name: string | undefined; readonly category: string | undefined };
  /** False where the size is set on the picture. */
  readonly hasDimensions: boolean;
  onChange(part: Partial<ProductDraft>): void;
}

export function ProductFields(props: ProductFieldsProps) {
  const { entry, errors, categories, subCategories, hasDimensions, onChange } = props;
  return (
    <div className="grid content-start gap-4 sm:grid-cols-2">
      <NameField
        label="Name"
        name="name"
        value={entry.name}
        error={errors.name}
        className="sm:col-span-2"
        onChange={(name) => onChange({ name })}
      />
      <NameField
        label="Category"
        name="category"
        value={entry.category}
        error={errors.category}
        suggestions={categories}
        onChange={(category) => onChange({ category })}
      />
      <NameField
        label="Sub-category (optional)"
        name="subCategory"
        value={entry.subCategory}
        suggestions={subCategories}
        onChange={(subCategory) => onChange({ subCategory })}
      />
      <div className="flex flex-col gap-1">
        <span className="font-medium text-graphite text-xs">Material</span>
        <Select
          label="Material"
          value={entry.material}
          options={MATERIALS.map((value) => ({ value, label: materialNames[value] }))}
          onChange={(material) => onChange({ material })}
          className="h-9"
        />
      </div>
      <Machines value={entry.machines} onChange={(machines) => onChange({ machines })} />
      <NameField
        label="Where the size comes from (optional)"
        name="sizeSource"
        value={entry.sizeSource}
        placeholder="The maker’s data sheet"
        className="sm:col-span-2"
        onChange={(sizeSource) => onChange({ sizeSource })}
      />
      {hasDimensions && <Dimensions value={entry.dimensions} onChange={(dimensions) => onChange({ dimensions })} />}
    </div>
  );
}

interface NameFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly error?: string | undefined;
  /** Existing names, to choose from. */
  readonly suggestions?: readonly string[];
  readonly placeholder?: string;
  readonly className?: string;
  onChange(value: string): void;
}

function NameField(props: NameFieldProps) {
  const { label, name, value, error, suggestions, placeholder, className = '', onChange } = props;
  const listId = useId();
  return (
    <Field label={label} error={error} className={className}>
      {(control) => (
        <>
          <TextInput
            {...control}
            name={name}
            list={suggestions && listId}
            value={value}
            placeholder={placeholder}
            maxLength={MAX_NAME}
            autoComplete="off"
            onChange={(event) => onChange(event.target.value)}
          />
          {suggestions && (
            <datalist id={listId}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

/** Chooses the machines that suit the product, at least one. */
export function Machines({
  value,
  onChange,
}: {
  value: readonly MachineMode[];
  onChange(machines: MachineMode[]): void;
}) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-graphite text-xs">Made with</legend>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1">
        {allMachines.map((machine) => {
          const isOn = value.includes(machine);
          return (
            <label key={machine} className="flex min-h-6 items-center gap-2 text-sm">
              <input
                type="checkbox"
                checked={isOn}
                disabled={isOn && value.length === 1}
                onChange={() => onChange(allMachines.filter((one) => (one === machine ? !isOn : value.includes(one))))}
                className="size-4 accent-(--accent)"
              />
              {machineNames[machine]}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

/** The true size of the print area, while there is no picture to draw it on. */
function Dimensions({ value, onChange }: { value: string; onChange(dimensions: string): void }) {
  const { widthInches, heightInches } = parseDimensions(value);
  const mm = (inches: number) => Number((inches * MM_PER_INCH).toFixed(1));
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-1 font-medium text-graphite text-xs">Print area</legend>
      <div className="flex flex-wrap items-center gap-2">
        <InchesField name="Width" value={widthInches} onCommit={(width) => onChange(`${width}x${heightInches}`)} />
        <span aria-hidden="true" className="text-graphite">
          ×
        </span>
        <InchesField name="Height" value={heightInches} onCommit={(height) => onChange(`${widthInches}x${height}`)} />
        <span className="measure text-graphite">
          {mm(widthInches)} × {mm(heightInches)} mm
        </span>
      </div>
    </fieldset>
  );
}

interface InchesFieldProps {
  readonly name: 'Width' | 'Height';
  readonly value: number;
  onCommit(inches: number): void;
}

const InchesField = ({ name, ...rest }: InchesFieldProps) => (
  <NumberField
    {...rest}
    label={`${name} in inches`}
    min={0.1}
    max={200}
    step={0.1}
    decimals={3}
    unit="in"
    prefix={name.charAt(0)}
    className="w-28"
  />
);
