/** The form that adds or changes a product, with its picture. */
import type { Product } from '@markwright/contract/schemas';
import { checkUpload, findMisfit, initialPrintArea, messages, UPLOAD_ACCEPT } from '@markwright/contract/words';
import { Button, HiddenFileInput } from '@markwright/controls';
import type { FractionRect } from '@markwright/scene';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { toast } from '../ui/notices.ts';
import { useFileDrop } from '../ui/useFileDrop.ts';
import { useForm } from '../ui/useForm.ts';
import { PictureDrop, usePreview } from './PictureDrop.tsx';
import { PrintAreaEditor } from './PrintAreaEditor.tsx';
import {
  type CategoryNames,
  type ProductDraft,
  type ProductEntry,
  ProductFields,
  toDraft,
  toEntry,
} from './ProductFields.tsx';
import { resize } from './printArea.ts';
import { findVariantFault, VariantFields } from './VariantFields.tsx';

interface ProductFormProps extends CategoryNames {
  /** The product to change; absent for a new one, which needs a picture. */
  readonly product?: Product | undefined;
  readonly submitLabel: string;
  /** Only PNG, JPG and SVG pictures are taken. */
  readonly isStrict?: boolean;
  /** Stands beside the button: Cancel, for example. */
  readonly children?: ReactNode;
  /**
   * Stores the product. Resolves with false when that failed: the host has said so, and the form keeps what was typed.
   */
  onSubmit(entry: ProductEntry, picture: File | undefined): Promise<boolean>;
}

export function ProductForm({
  product,
  submitLabel,
  isStrict = false,
  children,
  onSubmit,
  ...names
}: ProductFormProps) {
  const [entry, setEntry] = useState(() => toDraft(product));
  const [picture, setPicture] = useState<File>();
  const [variantFault, setVariantFault] = useState<string>();
  const picker = useRef<HTMLInputElement>(null);
  const change = (part: Partial<ProductDraft>) => setEntry((before) => ({ ...before, ...part }));

  const preview = usePreview(picture, (aspect) =>
    setEntry((before) => ({ ...before, printArea: printAreaOn(aspect, before) })),
  );
  const shownPicture = picture ? preview : product && { url: product.mockupImageUrl, aspect: product.pictureAspect };
  const missing = {
    name: entry.name.trim() === '' ? 'Please enter a name.' : undefined,
    category: entry.category.trim() === '' ? 'Please enter a category.' : undefined,
    // The name of the button that opens the file picker.
    choose: picture || product ? undefined : messages.imageRequired,
  };
  const { formProps, errors, isBusy } = useForm({
    names: ['name', 'category', 'choose'],
    async submit() {
      if (missing.name || missing.category || missing.choose) {
        toast({ ...messages.missingInformation, variant: 'destructive' });
        return missing;
      }
      const misfit = findMisfit(entry.surface, entry.dimensions);
      if (misfit) {
        toast({ title: 'The print area does not fit', description: misfit, variant: 'destructive' });
        return undefined;
      }
      const fault = findVariantFault(entry.variants);
      setVariantFault(fault);
      if (fault) {
        toast({ ...messages.missingInformation, description: fault, variant: 'destructive' });
        return undefined;
      }
      const isStored = await onSubmit(toEntry(entry), picture);
      if (isStored && !product) {
        // The next product is often of the same kind and size.
        change({ name: '', printArea: undefined });
        setPicture(undefined);
      }
      return undefined;
    },
  });

  // A picture takes the place of the button that was pressed to choose it: the focus goes on to the next such button.
  const replaceButton = useRef<HTMLButtonElement>(null);
  const hasPreview = preview !== undefined;
  useEffect(() => {
    if (hasPreview && document.activeElement === document.body) replaceButton.current?.focus();
  }, [hasPreview]);

  function choosePicture([file]: readonly File[]) {
    if (!file) return;
    const refusal = checkUpload(file);
    if (refusal) toast({ ...refusal, variant: 'destructive' });
    else setPicture(file);
  }
  const { isOver, dropProps } = useFileDrop((data) => choosePicture([...data.files]));
  const openPicker = () => picker.current?.click();

  return (
    <form {...formProps} {...dropProps} className="grid gap-5">
      <HiddenFileInput
        ref={picker}
        label="Product picture"
        accept={isStrict ? UPLOAD_ACCEPT : 'image/*'}
        onChoose={choosePicture}
      />
      <div className={shownPicture ? '' : 'grid gap-x-5 gap-y-4 sm:grid-cols-[168px_minmax(0,1fr)]'}>
        {!shownPicture && (
          <PictureDrop
            fileName={picture?.name}
            isOver={isOver}
            error={errors.choose && missing.choose}
            note={`${isStrict ? 'PNG, JPG or SVG' : 'Any picture'} up to 20 MB.`}
            onChoose={openPicker}
          />
        )}
        <ProductFields
          {...names}
          entry={entry}
          errors={{ name: errors.name && missing.name, category: errors.category && missing.category }}
          hasDimensions={!shownPicture}
          onChange={change}
        />
      </div>
      {shownPicture && entry.printArea && (
        <div className={isOver ? 'rounded-control outline-2 outline-accent outline-offset-4' : ''}>
          <PrintAreaEditor
            pictureUrl={shownPicture.url}
            pictureAspect={shownPicture.aspect}
            value={{ ...entry, printArea: entry.printArea }}
            onChange={change}
          />
        </div>
      )}
      <VariantFields
        value={entry.variants}
        dimensions={entry.dimensions}
        markColor={product?.markColor ?? NEW_MARK}
        error={variantFault && findVariantFault(entry.variants)}
        onChange={(variants) => change({ variants })}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {shownPicture && (
          <div className="mr-auto flex min-w-0 items-center gap-3">
            <Button ref={replaceButton} icon="upload" onClick={openPicker}>
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

/** The laser mark of a new product, as the call has it. */
const NEW_MARK = '#2b2b2b';

/** Returns the print area on a picture that takes the place of another one, or of none. */
const printAreaOn = (aspect: number, { dimensions, printArea }: ProductDraft): FractionRect =>
  printArea ? resize({ dimensions, printArea }, dimensions, aspect).printArea : initialPrintArea(dimensions, aspect);
