/** The shop's own products: adds them one by one or from a folder, and lists those there are. */
import { messages, toPlace } from '@markwright/contract/words';
import { Button } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { FolderUploadDialog } from '../../../products/FolderUploadDialog.tsx';
import type { FolderFile, Sender } from '../../../products/folderUpload.ts';
import { ProductForm } from '../../../products/ProductForm.tsx';
import { ownProducts, refreshCompany } from '../../../products/shownProducts.ts';
import { messageOf, statusOf } from '../../../request.ts';
import { Skeleton, Unreadable } from '../../../ui/sections.tsx';
import { OwnProducts } from './OwnProducts.tsx';
import { useProductChange } from './productChange.ts';
import type { Shop } from './shop.ts';

export function CustomProducts({ company, categories, change }: Shop) {
  const query = useQuery({ ...ownProducts, refetchOnMount: 'always' });
  const changeProducts = useProductChange();
  const own = query.data ?? [];
  const names = {
    categories: toSortedNames([...categories.map(({ name }) => name), ...own.map(({ category }) => category)]),
    subCategories: toSortedNames(own.map(({ subCategory }) => subCategory)),
  };
  return (
    <>
      {company.customProductsEnabled ? (
        <>
          <div className="mt-2 mb-3 flex flex-wrap items-center justify-between gap-2">
            <h3 className="font-medium">Add a product</h3>
            <UploadFolder />
          </div>
          <ProductForm
            {...names}
            submitLabel="Add product"
            onSubmit={(entry, file) =>
              changeProducts(messages.uploadFailed, async () => {
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
            <OwnProducts names={names} company={company} products={own} />
          </div>
        )
      )}
    </>
  );
}

/** Adds every picture of a folder, each as a product. */
function UploadFolder() {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" icon="upload" onClick={() => setOpen(true)}>
        Upload a folder
      </Button>
      <FolderUploadDialog
        isOpen={isOpen}
        description="Each picture becomes a product of yours, named after its file."
        sender={sender}
        onClose={() => setOpen(false)}
        onAdd={() => void refreshCompany(client)}
      >
        One folder deep, it is the category. Two: shop, then category. Three: shop, category, sub-category.
      </FolderUploadDialog>
    </>
  );
}

/** Sends one file in a request, so that a file that fails does not hold up the others. */
const sender: Sender = {
  batch: { files: 1, bytes: Number.POSITIVE_INFINITY },
  concurrency: 3,
  async send([one]: readonly FolderFile[], signal: AbortSignal) {
    const { file, path, fields } = one!;
    const place = toPlace(path);
    if ('refusal' in place) return [{ state: 'skipped', message: place.refusal }];
    const { name, category, subCategory } = place;
    try {
      const product = await api.company.addProduct(
        { body: { name, category, subCategory, ...fields }, file },
        { signal },
      );
      return [{ state: 'uploaded', category: product.category }];
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

const toSortedNames = (names: readonly string[]): string[] => [...new Set(names)].filter(Boolean).sort();

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
        Add a picture of what you sell and the size of its print area. Your studio then offers it, and its files come
        out at their true size.
      </p>
      <Button variant="primary" size="lg" className="mt-4" isBusy={isBusy} onClick={() => void enable()}>
        Enable Custom Products
      </Button>
    </div>
  );
}
