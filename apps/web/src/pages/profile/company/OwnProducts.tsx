/** The list of a shop's own products: how much room they take, a search, edit, delete, put on the profile. */
import type { Company, CompanyProduct } from '@markwright/contract/schemas';
import { formatDimensions, messages } from '@markwright/contract/words';
import { Button, IconButton, SearchInput } from '@markwright/controls';
import { ProductThumb } from '@markwright/editor';
import { useId, useState } from 'react';
import { api } from '../../../api.ts';
import { ProductDialog } from '../../../products/ProductDialog.tsx';
import type { CategoryNames } from '../../../products/ProductFields.tsx';
import { formatBytes } from '../../../ui/bytes.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { formatCount } from '../../../ui/counts.ts';
import { Meter } from '../../../ui/Meter.tsx';
import { hasWords, toSearchWords } from '../../../ui/search.ts';
import { Badge } from '../../../ui/sections.tsx';
import { useProductChange } from './productChange.ts';

const PAGE_LENGTH = 50;
/** A shorter list needs no search. */
const MIN_SEARCH_LENGTH = 9;

interface OwnProductsProps {
  readonly company: Company;
  readonly products: readonly CompanyProduct[];
  readonly names: CategoryNames;
}

export function OwnProducts({ company, products, names }: OwnProductsProps) {
  const [search, setSearch] = useState('');
  const [length, setLength] = useState(PAGE_LENGTH);
  const [dialog, setDialog] = useState<{ kind: 'edit' | 'delete'; product: CompanyProduct }>();
  const close = () => setDialog(undefined);
  const productOf = (kind: 'edit' | 'delete') => (dialog?.kind === kind ? dialog.product : undefined);
  const words = toSearchWords(search);
  const matches = products.filter(({ name, category, subCategory }) => hasWords(words, [name, category, subCategory]));
  return (
    <>
      <Storage company={company} />
      {products.length >= MIN_SEARCH_LENGTH && (
        <SearchInput label="Find one of your products" value={search} onChange={setSearch} className="mt-4 block" />
      )}
      {products.length === 0 ? (
        <p className="mt-5 text-graphite">None yet. The first one you add is in your studio right away.</p>
      ) : (
        <ul aria-label="Your products" className="mt-4">
          {matches.slice(0, length).map((product) => (
            <li key={product.id} className="border-line border-t">
              <Line product={product} onOpenDialog={(kind) => setDialog({ kind, product })} />
            </li>
          ))}
        </ul>
      )}
      {products.length > 0 && matches.length === 0 && (
        <p className="py-4 text-graphite">No product of yours matches “{search.trim()}”.</p>
      )}
      {matches.length > length && (
        <Button className="mt-3" onClick={() => setLength(length + PAGE_LENGTH)}>
          Show {Math.min(PAGE_LENGTH, matches.length - length)} more
        </Button>
      )}
      <EditProduct product={productOf('edit')} names={names} onClose={close} />
      <DeleteProduct product={productOf('delete')} onClose={close} />
    </>
  );
}

function Storage({ company }: { company: Company }) {
  const { productCount, productLimit, productStorageBytes, productStorageLimitBytes } = company;
  const id = useId();
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={id} className="font-medium">
          Your products
        </h3>
        <p className="measure">
          {formatBytes(productStorageBytes)}{' '}
          <span className="text-graphite">
            of {formatBytes(productStorageLimitBytes)}, {formatCount(productCount)} of {formatCount(productLimit)}{' '}
            products
          </span>
        </p>
      </div>
      <Meter
        labelledBy={id}
        value={productStorageBytes}
        max={productStorageLimitBytes}
        text={`${formatBytes(productStorageBytes)} of ${formatBytes(productStorageLimitBytes)}`}
        className="mt-2"
      />
    </div>
  );
}

function Line({ product, onOpenDialog }: { product: CompanyProduct; onOpenDialog(kind: 'edit' | 'delete'): void }) {
  const { name, category, subCategory, dimensions, fileSize } = product;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <ProductThumb product={product} />
      <div className="min-w-0 flex-[1_1_200px]">
        <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
        <p className="text-graphite text-sm [overflow-wrap:anywhere]">
          {subCategory ? `${category} / ${subCategory}` : category}
        </p>
        <p className="measure text-graphite">
          {formatDimensions(dimensions)}, {formatBytes(fileSize)}
        </p>
      </div>
      <div className="ml-auto flex items-center gap-1">
        <Profile product={product} />
        <IconButton icon="pencil" label={`Edit ${name}`} onClick={() => onOpenDialog('edit')} />
        <IconButton icon="trash" label={`Delete ${name}`} onClick={() => onOpenDialog('delete')} />
      </div>
    </div>
  );
}

/** Says when a product is on the public profile, and puts it there or takes it away. */
function Profile({ product: { id, name, isOnProfile } }: { product: CompanyProduct }) {
  const changeProducts = useProductChange();
  const [isBusy, setBusy] = useState(false);
  async function submit() {
    setBusy(true);
    await changeProducts(messages.updateFailed, async () => {
      const { duplicate } = await api.company.submitToProfile({ params: { id }, body: {} });
      return duplicate
        ? { title: 'On your profile already', description: `There is a product called ${name} on it.` }
        : { title: 'On your profile', description: `Customers find ${name} on your page as a local maker.` };
    });
    setBusy(false);
  }
  async function takeOff() {
    setBusy(true);
    await changeProducts(messages.updateFailed, async () => {
      await api.company.takeOffProfile({ params: { id } });
      return { title: 'Off your profile', description: `${name} stays among your products.` };
    });
    setBusy(false);
  }
  if (isOnProfile) {
    return (
      <>
        <Badge tone="good">On your profile</Badge>
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Take ${name} off your profile`}
          isBusy={isBusy}
          onClick={() => void takeOff()}
        >
          Take off
        </Button>
      </>
    );
  }
  return (
    <Button size="sm" aria-label={`Put ${name} on your profile`} isBusy={isBusy} onClick={() => void submit()}>
      Put on profile
    </Button>
  );
}

interface DialogProps {
  /** The product that the dialog is about; undefined while it is closed. */
  readonly product: CompanyProduct | undefined;
  onClose(): void;
}

function EditProduct({ product, names, onClose }: DialogProps & { names: CategoryNames }) {
  const changeProducts = useProductChange();
  return (
    <ProductDialog
      isOpen={product !== undefined}
      product={product}
      names={names}
      onClose={onClose}
      onSubmit={(body, file) =>
        changeProducts(messages.updateFailed, async () => {
          const { name } = await api.company.editProduct({ params: { id: product!.id }, body, file });
          return { title: `${name} saved`, description: 'Your studio shows it like this from now on.' };
        })
      }
    />
  );
}

function DeleteProduct({ product, onClose }: DialogProps) {
  const changeProducts = useProductChange();
  return (
    <ConfirmDialog
      isOpen={product !== undefined}
      title={`Delete ${product?.name ?? 'the product'}?`}
      description="It goes from your studio with its picture. Files you exported stay yours; designs that use it need another product."
      action="Delete"
      onClose={onClose}
      onConfirm={async () => {
        await changeProducts(messages.deleteFailed, async () => {
          await api.company.deleteProduct({ params: { id: product!.id } });
          return { title: `${product!.name} deleted`, description: 'Your studio does not show it any more.' };
        });
        return true;
      }}
    />
  );
}
