/** The shop's own products: added, changed, put on its profile, removed, and how much room they take. */
import type { Company, CompanyProduct } from '@markwright/contract/schemas';
import { messages, parseDimensions, toPlace } from '@markwright/contract/words';
import { Button, Icon, IconButton, TextInput } from '@markwright/controls';
import { ProductThumb } from '@markwright/editor';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { api } from '../../../api.ts';
import { FolderUpload } from '../../../products/FolderUpload.tsx';
import type { FolderFile, Outcome } from '../../../products/folderUpload.ts';
import { ProductForm } from '../../../products/ProductForm.tsx';
import { OWN_PRODUCTS, refreshCompany } from '../../../products/shown.ts';
import { messageOf, statusOf } from '../../../request.ts';
import { loadMe } from '../../../session.tsx';
import { formatBytes } from '../../../ui/bytes.ts';
import { Modal } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/notices.ts';
import { Badge, Skeleton, Unreadable } from '../../../ui/sections.tsx';
import type { Shop } from './shop.ts';

const PAGE_LENGTH = 50;
const count = new Intl.NumberFormat('en-US');

export function CustomProducts({ company, categories, change }: Shop) {
  const query = useQuery<CompanyProduct[]>({ queryKey: OWN_PRODUCTS, refetchOnMount: 'always' });
  const attempt = useAttempt();
  const own = query.data ?? [];
  const names = {
    categories: sorted([...categories.map(({ name }) => name), ...own.map(({ category }) => category)]),
    subCategories: sorted(own.map(({ subCategory }) => subCategory)),
  };
  return (
    <>
      {company.customProductsEnabled ? (
        <>
          <div className="mt-2 mb-3 flex flex-wrap items-center justify-between gap-2">
            <h3 className="font-medium">Add a product</h3>
            <WholeFolder />
          </div>
          <ProductForm
            {...names}
            submitLabel="Add product"
            onSubmit={(entry, file) =>
              attempt(messages.uploadFailed, async () => {
                const { name, category } = await api.company.addProduct({ body: entry, file });
                return { title: `${name} added`, description: `Your studio shows it under ${category}.` };
              })
            }
          />
        </>
      ) : (
        <EnablePrompt change={change} />
      )}
      {query.isPending ? (
        <Skeleton lines={3} />
      ) : !query.data ? (
        <Unreadable what="Your products could not be read." error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        (company.customProductsEnabled || own.length > 0) && (
          <div className="-mx-5 mt-5 border-line border-t px-5 pt-5">
            <OwnProducts {...names} company={company} own={own} />
          </div>
        )
      )}
    </>
  );
}

/** Every picture of a folder at once: a product each. */
function WholeFolder() {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" icon="upload" onClick={() => setOpen(true)}>
        Upload a folder
      </Button>
      <Modal
        isOpen={isOpen}
        size="form"
        title="Upload a folder"
        description="Every picture in it becomes a product of yours, called like its file."
        onClose={() => setOpen(false)}
      >
        {isOpen && (
          <div className="mt-5">
            <FolderUpload sender={sender} onAdded={() => void refreshCompany(client)}>
              One folder is the category; of two the second is, of three the third is the sub-category. What is there
              already is skipped, so a folder can be sent again.
            </FolderUpload>
          </div>
        )}
      </Modal>
    </>
  );
}

/** One file a call: each is added or not, whatever becomes of the others. */
const sender = {
  batch: { files: 1, bytes: Number.POSITIVE_INFINITY },
  lanes: 3,
  async send([one]: readonly FolderFile[], signal: AbortSignal): Promise<readonly Outcome[]> {
    const { file, path } = one!;
    const place = toPlace(path);
    if ('refusal' in place) return [{ state: 'skipped', message: place.refusal }];
    const { name, category, subCategory } = place;
    try {
      const added = await api.company.addProduct({ body: { name, category, subCategory }, file }, { signal });
      return [{ state: 'uploaded', category: added.category }];
    } catch (error) {
      const status = statusOf(error);
      if (status === 409) return [{ state: 'duplicate' }];
      if (status === 415) return [{ state: 'skipped', message: messageOf(error) }];
      throw error;
    }
  },
  explain(error: unknown) {
    const status = statusOf(error);
    if (status === undefined) return { message: messages.networkError, isOver: false };
    if (status === 401) return { message: messages.authenticationRequired, isOver: true };
    return { message: messageOf(error, messages.uploadFailed), isOver: false };
  },
};

const sorted = (names: readonly string[]): string[] => [...new Set(names)].filter(Boolean).sort();

/** Does something with the products, says how it went, and reads them again. Rejects when it failed. */
function useAttempt() {
  const client = useQueryClient();
  return async (failed: string, act: () => Promise<{ title: string; description?: string }>): Promise<void> => {
    try {
      toast(await act());
    } catch (error) {
      toast({ title: failed, description: messageOf(error), variant: 'destructive' });
      if (statusOf(error) === 401) await loadMe(client);
      throw error;
    } finally {
      void refreshCompany(client);
    }
  };
}

function EnablePrompt({ change }: Pick<Shop, 'change'>) {
  const [isBusy, setBusy] = useState(false);
  async function enable() {
    setBusy(true);
    await change({ customProductsEnabled: true });
    setBusy(false);
  }
  return (
    <div className="mt-2 grid justify-items-center gap-1 rounded-card border border-edge border-dashed px-5 py-10 text-center">
      <h3 className="text-lg">Your own blanks, at their own size</h3>
      <p className="max-w-[46ch] text-graphite">
        Add a picture of what you sell and how large its print area is. It is then yours to place designs on, and comes
        out of the machine at its true size.
      </p>
      <Button variant="primary" size="lg" className="mt-4" isBusy={isBusy} onClick={() => void enable()}>
        Enable Custom Products
      </Button>
    </div>
  );
}

interface OwnProductsProps {
  readonly company: Company;
  readonly own: readonly CompanyProduct[];
  readonly categories: readonly string[];
  readonly subCategories: readonly string[];
}

function OwnProducts({ company, own, categories, subCategories }: OwnProductsProps) {
  const [search, setSearch] = useState('');
  const [length, setLength] = useState(PAGE_LENGTH);
  const [asked, setAsked] = useState<{ what: 'edit' | 'delete'; product: CompanyProduct }>();
  const close = () => setAsked(undefined);
  const found = findProducts(own, search);
  return (
    <>
      <Storage company={company} />
      {own.length > 8 && (
        <span className="relative mt-4 block">
          <Icon
            name="search"
            className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2.5 size-4 text-graphite"
          />
          <TextInput
            type="search"
            aria-label="Find one of your products"
            placeholder="Find one of your products"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="pl-8"
          />
        </span>
      )}
      {own.length === 0 ? (
        <p className="mt-5 text-graphite">None yet. The first one you add is in your studio right away.</p>
      ) : (
        <ul aria-label="Your products" className="mt-4">
          {found.slice(0, length).map((product) => (
            <li key={product.id} className="border-line border-t">
              <Line product={product} onAsk={(what) => setAsked({ what, product })} />
            </li>
          ))}
        </ul>
      )}
      {own.length > 0 && found.length === 0 && (
        <p className="py-4 text-graphite">No product of yours matches “{search.trim()}”.</p>
      )}
      {found.length > length && (
        <Button className="mt-3" onClick={() => setLength(length + PAGE_LENGTH)}>
          Show {Math.min(PAGE_LENGTH, found.length - length)} more
        </Button>
      )}
      <Modal
        isOpen={asked?.what === 'edit'}
        size="form"
        title={`Edit ${asked?.product.name ?? ''}`}
        description="A new picture takes the old one’s place everywhere."
        onClose={close}
      >
        {asked?.what === 'edit' && (
          <Edit {...asked} categories={categories} subCategories={subCategories} onClose={close} />
        )}
      </Modal>
      <Modal
        isOpen={asked?.what === 'delete'}
        title={`Delete ${asked?.product.name ?? 'the product'}?`}
        description="It goes from your studio with its picture. Files you exported stay yours; arrangements that use it need another product."
        onClose={close}
      >
        {asked?.what === 'delete' && <Delete {...asked} onClose={close} />}
      </Modal>
    </>
  );
}

/** Every word of the search somewhere in name, category or sub-category. */
function findProducts(own: readonly CompanyProduct[], search: string): readonly CompanyProduct[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return own;
  return own.filter(({ name, category, subCategory }) => {
    const text = `${name} ${category} ${subCategory}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function Storage({ company }: { company: Company }) {
  const { productCount, productLimit, productStorageBytes, productStorageLimitBytes } = company;
  const id = useId();
  const filled = Math.min(1, productStorageBytes / productStorageLimitBytes);
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={id} className="font-medium">
          Your products
        </h3>
        <p className="measure">
          {formatBytes(productStorageBytes)}{' '}
          <span className="text-graphite">
            of {formatBytes(productStorageLimitBytes)}, {count.format(productCount)} of {count.format(productLimit)}{' '}
            products
          </span>
        </p>
      </div>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={productStorageLimitBytes}
        aria-valuenow={Math.min(productStorageBytes, productStorageLimitBytes)}
        aria-valuetext={`${formatBytes(productStorageBytes)} of ${formatBytes(productStorageLimitBytes)}`}
        className="mt-2 h-2 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full rounded-full bg-accent" style={{ width: `${filled * 100}%` }} />
      </div>
    </div>
  );
}

function Line({ product, onAsk }: { product: CompanyProduct; onAsk(what: 'edit' | 'delete'): void }) {
  const { name, category, subCategory, dimensions, fileSize } = product;
  const { widthInches, heightInches } = parseDimensions(dimensions);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <ProductThumb product={product} />
      <div className="min-w-0 flex-[1_1_200px]">
        <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
        <p className="text-graphite text-sm [overflow-wrap:anywhere]">
          {subCategory ? `${category} / ${subCategory}` : category}
        </p>
        <p className="measure text-graphite">
          {widthInches} × {heightInches} in, {formatBytes(fileSize)}
        </p>
      </div>
      <div className="ml-auto flex items-center gap-1">
        <Profile product={product} />
        <IconButton icon="pencil" label={`Edit ${name}`} onClick={() => onAsk('edit')} />
        <IconButton icon="trash" label={`Delete ${name}`} onClick={() => onAsk('delete')} />
      </div>
    </div>
  );
}

/** Shows whether a product is on the public profile, and puts it there or takes it away. */
function Profile({ product: { id, name, isOnProfile } }: { product: CompanyProduct }) {
  const attempt = useAttempt();
  const [isBusy, setBusy] = useState(false);
  async function submit() {
    setBusy(true);
    await attempt(messages.updateFailed, async () => {
      const { duplicate } = await api.company.submitToProfile({ params: { id }, body: {} });
      return duplicate
        ? { title: 'On your profile already', description: `There is a product called ${name} on it.` }
        : { title: 'On your profile', description: `Customers find ${name} on your page as a local maker.` };
    }).catch(() => undefined);
    setBusy(false);
  }
  async function takeOff() {
    setBusy(true);
    await attempt(messages.updateFailed, async () => {
      await api.company.takeOffProfile({ params: { id } });
      return { title: 'Off your profile', description: `${name} stays among your products.` };
    }).catch(() => undefined);
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

interface AskedProps {
  readonly product: CompanyProduct;
  onClose(): void;
}

function Edit({
  product,
  onClose,
  ...names
}: AskedProps & { categories: readonly string[]; subCategories: readonly string[] }): ReactNode {
  const attempt = useAttempt();
  return (
    <div className="mt-5">
      <ProductForm
        {...names}
        product={product}
        submitLabel="Save"
        onSubmit={async (body, file) => {
          await attempt(messages.updateFailed, async () => {
            const { name } = await api.company.editProduct({ params: { id: product.id }, body, file });
            return { title: `${name} saved` };
          });
          onClose();
        }}
      >
        <Button size="lg" variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </ProductForm>
    </div>
  );
}

function Delete({ product: { id, name }, onClose }: AskedProps): ReactNode {
  const attempt = useAttempt();
  const [isBusy, setBusy] = useState(false);
  async function remove() {
    setBusy(true);
    await attempt(messages.deleteFailed, async () => {
      await api.company.deleteProduct({ params: { id } });
      return { title: `${name} deleted` };
    }).catch(() => undefined);
    onClose();
  }
  return (
    <div className="mt-6 flex flex-wrap justify-end gap-2">
      <Button size="lg" variant="ghost" disabled={isBusy} onClick={onClose}>
        Keep it
      </Button>
      <Button size="lg" variant="danger" isBusy={isBusy} onClick={() => void remove()}>
        Delete
      </Button>
    </div>
  );
}
