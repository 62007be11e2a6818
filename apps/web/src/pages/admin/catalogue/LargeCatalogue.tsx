/** The base products of a large catalogue: searched on the server, a page at a time. */
import type { AdminProduct } from '@markwright/contract/schemas';
import { Button } from '@markwright/controls';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { api } from '../../../api.ts';
import { nextOf } from '../../../products/productLists.ts';
import { Unreadable } from '../../../ui/sections.tsx';
import { DeleteAll, ProductLine, ProductsHead } from './BaseProducts.tsx';
import type { CatalogueDialog } from './CatalogueDialogs.tsx';
import { PRODUCTS_KEY } from './changes.ts';

const MAX_SEARCH = 100;

export function LargeCatalogue({ onOpenDialog }: { onOpenDialog(dialog: CatalogueDialog): void }) {
  const [search, setSearch] = useState('');
  const text = useDeferredValue(search.trim().slice(0, MAX_SEARCH));
  const query = useInfiniteQuery({
    queryKey: [...PRODUCTS_KEY, { text }],
    queryFn: ({ pageParam, signal }): Promise<AdminProduct[]> =>
      api.catalogue.adminProducts({ query: { search: text, after: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: nextOf,
    placeholderData: keepPreviousData,
  });
  const products = query.data?.pages.flat() ?? [];
  return (
    <>
      <ProductsHead {...{ search, onOpenDialog }} onSearch={setSearch} />
      {query.isError ? (
        <Unreadable what="The products could not be read." error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data && products.length === 0 ? (
        <p className="px-5 py-12 text-center text-graphite [overflow-wrap:anywhere]">No product matches “{text}”.</p>
      ) : (
        <ul aria-label="Base products" className="px-4 py-2">
          {products.map((product) => (
            <li key={product.id}>
              <ProductLine product={product} onOpenDialog={onOpenDialog} />
            </li>
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <div className="px-4 pb-2">
          <Button
            variant="ghost"
            className="w-full"
            isBusy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show more
          </Button>
        </div>
      )}
      <DeleteAll className="border-t" {...{ onOpenDialog }} />
    </>
  );
}
