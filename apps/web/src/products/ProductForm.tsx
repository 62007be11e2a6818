/** The form that adds or changes a product, with its picture. */
import type { Product } from '@markwright/contract/schemas';
import {
  checkUpload,
  initialPrintArea,
  MATERIALS,
  messages,
  parseDimensions,
  UPLOAD_ACCEPT,
} from '@markwright/contract/words';
import { Button, Field, Icon, NumberField, Select, TextInput } from '@markwright/controls';
import { MM_PER_INCH } from '@markwright/editor';
import type { FractionRect, MachineMode } from '@markwright/scene';
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { toast } from '../ui/notices.ts';
import { useForm } from '../ui/useForm.ts';
import { machineNames, materialNames } from './names.ts';
import { PrintAreaEditor } from './PrintAreaEditor.tsx';
import { resized } from './printArea.ts';

/** The fields of the form. */
export interface ProductEntry {
  readonly name: string;
  readonly category: string;
  readonly subCategory: string;
  /** `WxH` in inches. */
  readonly dimensions: string;
  /** Absent while there is no picture to draw it on: the server then begins with one in the middle. */
  readonly printArea?: FractionRect | undefined;
  readonly material: Material;
  readonly machines: MachineMode[];
}

type Material = (typeof MATERIALS)[number];

interface ProductFormProps {
  /** The product to change; absent for a new one, which needs a picture. */
  readonly product?: Product | undefined;
  /** The names of existing categories and sub-categories, to choose from. */
  readonly categories: readonly string[];
  readonly subCategories: readonly string[];
  readonly submitLabel: string;
  /** Only PNG, JPG and SVG pictures are taken. */
  readonly isStrict?: boolean;
  /** Stands beside the button: Cancel, for example. */
  readonly children?: ReactNode;
  /** Resolves when it is stored. A rejection leaves what was typed. */
  onSubmit(entry: ProductEntry, picture: File | undefined): Promise<void>;
}

export function ProductForm({
  product,
  categories,
  subCategories,
  submitLabel,
  isStrict = false,
  children,
  onSubmit,
}: ProductFormProps) {
  const [entry, setEntry] = useState(() => toEntry(product));
  const [picture, setPicture] = useState<File>();
  const [isOver, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  const change = (part: Partial<ProductEntry>) => setEntry((before) => ({ ...before, ...part }));

  const chosen = useShown(picture, (aspect) =>
    setEntry((before) => ({ ...before, printArea: areaOn(aspect, before) })),
  );
  const shown = picture ? chosen : product && { url: product.mockupImageUrl, aspect: product.pictureAspect };
  const { formProps, errors, isBusy } = useForm({
    // `choose` is the button that opens the file picker.
    names: ['name', 'category', 'choose'],
    async submit() {
      if (missing.name || missing.category || missing.choose) {
        toast({ ...messages.missingInformation, variant: 'destructive' });
        return missing;
      }
      try {
        await onSubmit(entry, picture);
        if (!product) {
          // The next one is often of the same kind and size.
          change({ name: '', printArea: undefined });
          setPicture(undefined);
        }
      } catch {
        // The host says what failed; what was typed stays.
      }
      return undefined;
    },
  });
  const missing = {
    name: entry.name.trim() === '' ? 'Please enter a name.' : undefined,
    category: entry.category.trim() === '' ? 'Please enter a category.' : undefined,
    choose: picture || product ? undefined : messages.imageRequired,
  };

  // The button that was pressed is gone once there is something to show.
  const another = useRef<HTMLButtonElement>(null);
  const hasChosen = chosen !== undefined;
  useEffect(() => {
    if (hasChosen && document.activeElement === document.body) another.current?.focus();
  }, [hasChosen]);

  function take(files: FileList | null) {
    const file = files?.[0];
    if (!file) return;
    const refusal = checkUpload(file);
    if (refusal) toast({ ...refusal, variant: 'destructive' });
    else setPicture(file);
  }

  return (
    <form
      {...formProps}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
      className="grid gap-5"
    >
      <input
        ref={picker}
        type="file"
        accept={isStrict ? UPLOAD_ACCEPT : 'image/*'}
        aria-label="Product picture"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
      <div className={shown ? '' : 'grid gap-x-5 gap-y-4 sm:grid-cols-[168px_minmax(0,1fr)]'}>
        {!shown && (
          <DropPlace
            name={picture?.name}
            isOver={isOver}
            error={errors.choose && missing.choose}
            note={`${isStrict ? 'PNG, JPG or SVG' : 'Any picture'} up to 20 MB.`}
            onChoose={() => picker.current?.click()}
          />
        )}
        <div className="grid content-start gap-4 sm:grid-cols-2">
          <Field label="Name" error={errors.name && missing.name} className="sm:col-span-2">
            {(control) => (
              <TextInput
                {...control}
                name="name"
                value={entry.name}
                maxLength={120}
                autoComplete="off"
                onChange={(event) => change({ name: event.target.value })}
              />
            )}
          </Field>
          <Field label="Category" error={errors.category && missing.category}>
            {(control) => (
              <TextInput
                {...control}
                name="category"
                list={`${id}-categories`}
                value={entry.category}
                maxLength={120}
                autoComplete="off"
                onChange={(event) => change({ category: event.target.value })}
              />
            )}
          </Field>
          <Field label="Sub-category (optional)">
            {(control) => (
              <TextInput
                {...control}
                name="subCategory"
                list={`${id}-sub-categories`}
                value={entry.subCategory}
                maxLength={120}
                autoComplete="off"
                onChange={(event) => change({ subCategory: event.target.value })}
              />
            )}
          </Field>
          <div className="flex flex-col gap-1">
            <span className="font-medium text-graphite text-xs">Material</span>
            <Select
              label="Material"
              value={entry.material}
              options={MATERIALS.map((value) => ({ value, label: materialNames[value] }))}
              onChange={(material) => change({ material })}
              className="h-9"
            />
          </div>
          <Machines value={entry.machines} onChange={(machines) => change({ machines })} />
          {!shown && <Dimensions value={entry.dimensions} onChange={(dimensions) => change({ dimensions })} />}
          <datalist id={`${id}-categories`}>
            {categories.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <datalist id={`${id}-sub-categories`}>
            {subCategories.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
      </div>
      {shown && entry.printArea && (
        <div className={isOver ? 'rounded-control outline-2 outline-accent outline-offset-4' : ''}>
          <PrintAreaEditor
            pictureUrl={shown.url}
            pictureAspect={shown.aspect}
            value={{ dimensions: entry.dimensions, printArea: entry.printArea }}
            onChange={change}
          />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {shown && (
          <div className="mr-auto flex min-w-0 items-center gap-3">
            <Button ref={another} icon="upload" onClick={() => picker.current?.click()}>
              Another picture
            </Button>
            <span className="min-w-0 text-graphite text-xs [overflow-wrap:anywhere]">{picture?.name}</span>
          </div>
        )}
        {children}
        <Button type="submit" variant="primary" size="lg" isBusy={isBusy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** The area on a picture that takes the place of another one, or of none. */
const areaOn = (aspect: number, { dimensions, printArea }: ProductEntry): FractionRect =>
  printArea ? resized({ dimensions, printArea }, dimensions, aspect).printArea : initialPrintArea(dimensions, aspect);

function toEntry(product: Product | undefined): ProductEntry {
  const { name = '', category = '', subCategory = '', dimensions = '1x1', printArea } = product ?? {};
  const material = MATERIALS.find((known) => known === product?.material) ?? 'other';
  const machines = product?.machines ?? allMachines;
  return { name, category, subCategory, dimensions, printArea, material, machines };
}

const allMachines: MachineMode[] = ['laser', 'uv', 'sublimation'];

/** Chooses the machines that suit it, at least one. */
function Machines({ value, onChange }: { value: readonly MachineMode[]; onChange(machines: MachineMode[]): void }) {
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

/** The true size of the part that is marked, while there is no picture to draw it on. */
function Dimensions({ value, onChange }: { value: string; onChange(dimensions: string): void }) {
  const { widthInches, heightInches } = parseDimensions(value);
  const mm = (inches: number) => Number((inches * MM_PER_INCH).toFixed(1));
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-1 font-medium text-graphite text-xs">Print area</legend>
      <div className="flex flex-wrap items-center gap-2">
        <NumberField
          label="Width in inches"
          value={widthInches}
          min={0.1}
          max={200}
          step={0.1}
          decimals={3}
          unit="in"
          prefix="W"
          className="w-28"
          onCommit={(width) => onChange(`${width}x${heightInches}`)}
        />
        <span aria-hidden="true" className="text-graphite">
          ×
        </span>
        <NumberField
          label="Height in inches"
          value={heightInches}
          min={0.1}
          max={200}
          step={0.1}
          decimals={3}
          unit="in"
          prefix="H"
          className="w-28"
          onCommit={(height) => onChange(`${widthInches}x${height}`)}
        />
        <span className="measure text-graphite">
          {mm(widthInches)} × {mm(heightInches)} mm
        </span>
      </div>
    </fieldset>
  );
}

interface DropPlaceProps {
  /** The name of a file that this browser cannot show; the server may be able to. */
  readonly name: string | undefined;
  readonly isOver: boolean;
  readonly error: string | undefined;
  readonly note: string;
  onChoose(): void;
}

function DropPlace({ name, isOver, error, note, onChoose }: DropPlaceProps) {
  const noteId = useId();
  const edge = isOver ? 'border-accent bg-accent-soft' : error ? 'border-danger' : 'border-edge';
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="font-medium text-graphite text-xs">Picture</span>
      <div
        className={`grid aspect-square place-items-center rounded-card border border-dashed max-sm:aspect-auto max-sm:h-36 ${edge}`}
      >
        <span className="grid justify-items-center gap-1.5 px-3 text-center text-graphite text-xs [overflow-wrap:anywhere]">
          <Icon name="image" className="size-6" />
          {isOver ? 'Let go to choose it' : (name ?? 'Drop a picture here')}
        </span>
      </div>
      <Button name="choose" icon="upload" className="mt-1" aria-describedby={noteId} onClick={onChoose}>
        {name ? 'Another picture' : 'Choose a file'}
      </Button>
      <p
        id={noteId}
        role={error ? 'alert' : undefined}
        className={`text-xs ${error ? 'text-danger' : 'text-graphite'}`}
      >
        {error ?? note}
      </p>
    </div>
  );
}

/** A chosen file as this browser shows it; undefined while it is opened, and for one it cannot show. */
function useShown(file: File | undefined, onShown: (aspect: number) => void) {
  const [shown, setShown] = useState<{ url: string; aspect: number }>();
  const latest = useRef(onShown);
  latest.current = onShown;
  useEffect(() => {
    if (!file) return setShown(undefined);
    let isCurrent = true;
    const url = URL.createObjectURL(file);
    const image = new Image();
    const show = (aspect: number) => {
      if (!isCurrent) return;
      if (!Number.isFinite(aspect) || aspect === 0) return setShown(undefined);
      latest.current(aspect);
      setShown({ url, aspect });
    };
    image.onload = () => show(image.naturalWidth / image.naturalHeight);
    image.onerror = () => show(0);
    image.src = url;
    return () => {
      isCurrent = false;
      URL.revokeObjectURL(url); // what it shows stays until the next one is opened
    };
  }, [file]);
  return shown;
}
