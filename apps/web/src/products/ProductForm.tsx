/** What is said about a product, with its picture: to add one, or to change one there is. */
import { checkUpload, messages, type Product, parseDimensions } from '@markwright/contract';
import { Button, Field, Icon, NumberField, TextInput } from '@markwright/editor';
import { type DragEvent, type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { toast } from '../ui/notices.ts';

/** What the form asks for; the server says how it is kept. */
export interface ProductEntry {
  readonly name: string;
  readonly category: string;
  readonly subCategory: string;
  /** `WxH` in inches. */
  readonly dimensions: string;
}

interface ProductFormProps {
  /** What is changed; absent: a new product, which needs a picture. */
  readonly product?: Product | undefined;
  /** What categories and sub-categories are called already. */
  readonly categories: readonly string[];
  readonly subCategories: readonly string[];
  readonly submitLabel: string;
  /** Stands beside the button: a way back. */
  readonly children?: ReactNode;
  /** Resolves when it is kept; a rejection leaves what was typed. */
  onSubmit(entry: ProductEntry, picture: File | undefined): Promise<void>;
}

const MM_PER_INCH = 25.4;

export function ProductForm({ product, categories, subCategories, submitLabel, children, onSubmit }: ProductFormProps) {
  const [entry, setEntry] = useState(() => toEntry(product));
  const [picture, setPicture] = useState<File>();
  const [isMissing, setMissing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const change = (part: Partial<ProductEntry>) => setEntry((before) => ({ ...before, ...part }));

  const isPictured = picture !== undefined || product !== undefined;
  const missing = {
    name: entry.name.trim() === '',
    category: entry.category.trim() === '',
    picture: !isPictured,
  };
  const errorOf = (field: keyof typeof missing, text: string) => (isMissing && missing[field] ? text : undefined);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (missing.name || missing.category || missing.picture) {
      setMissing(true);
      toast({ ...messages.missingInformation, variant: 'destructive' });
      const first = missing.name ? 'name' : missing.category ? 'category' : 'choose';
      form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return;
    }
    setMissing(false);
    setBusy(true);
    try {
      await onSubmit(entry, picture);
      if (!product) {
        // The next one is often of the same kind and size.
        change({ name: '' });
        setPicture(undefined);
      }
    } catch {
      // Said where it is known what failed; what was typed stays.
    }
    setBusy(false);
  }

  return (
    <form ref={form} noValidate aria-busy={isBusy} onSubmit={submit} className="grid gap-4">
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-[168px_minmax(0,1fr)]">
        <PictureField
          picture={picture}
          keptUrl={product?.mockupImageUrl}
          error={errorOf('picture', messages.imageRequired)}
          onChoose={setPicture}
        />
        <div className="grid content-start gap-4 sm:grid-cols-2">
          <Field label="Name" error={errorOf('name', 'Please enter a name.')} className="sm:col-span-2">
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
          <Field label="Category" error={errorOf('category', 'Please enter a category.')}>
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
          <Dimensions value={entry.dimensions} onChange={(dimensions) => change({ dimensions })} />
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
      <div className="flex flex-wrap justify-end gap-2">
        {children}
        <Button type="submit" variant="primary" size="lg" isBusy={isBusy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

function toEntry(product: Product | undefined): ProductEntry {
  const { name = '', category = '', subCategory = '', dimensions = '1x1' } = product ?? {};
  return { name, category, subCategory, dimensions };
}

/** The true size of the part that is marked, in inches as it is kept and in millimetres beside it. */
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

interface PictureFieldProps {
  readonly picture: File | undefined;
  readonly keptUrl: string | undefined;
  readonly error: string | undefined;
  onChoose(picture: File): void;
}

function PictureField({ picture, keptUrl, error, onChoose }: PictureFieldProps) {
  const shownUrl = useObjectUrl(picture) ?? keptUrl;
  const [isOver, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const noteId = useId();

  function take(files: FileList | null) {
    const file = files?.[0];
    if (!file) return;
    const refusal = checkUpload(file);
    if (refusal) toast({ ...refusal, variant: 'destructive' });
    else onChoose(file);
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button inside
    <div
      className="flex min-w-0 flex-col gap-1"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={onDrop}
    >
      <span className="font-medium text-graphite text-xs">Picture</span>
      <div
        className={`grid aspect-square place-items-center overflow-clip rounded-card border max-sm:aspect-auto max-sm:h-44 ${
          shownUrl ? 'border-line bg-bone' : 'border-dashed'
        } ${isOver ? 'border-accent bg-accent-soft' : error ? 'border-danger' : shownUrl ? '' : 'border-edge'}`}
      >
        {shownUrl ? (
          <img src={shownUrl} alt="" className="size-full min-h-0 object-contain p-2" />
        ) : (
          <span className="grid justify-items-center gap-1.5 px-3 text-center text-graphite text-xs">
            <Icon name="image" className="size-6" />
            Drop a picture here
          </span>
        )}
      </div>
      <Button
        name="choose"
        icon="upload"
        className="mt-1"
        aria-describedby={noteId}
        onClick={() => picker.current?.click()}
      >
        {shownUrl ? 'Another picture' : 'Choose a file'}
      </Button>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        aria-label="Product picture"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
      <p
        id={noteId}
        role={error ? 'alert' : undefined}
        className={`text-xs [overflow-wrap:anywhere] ${error ? 'text-danger' : 'text-graphite'}`}
      >
        {error ?? picture?.name ?? 'Any picture up to 20 MB.'}
      </p>
    </div>
  );
}

function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return setUrl(undefined);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
