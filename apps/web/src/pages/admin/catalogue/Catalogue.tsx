/** The base catalogue: its categories, its products, and a folder of pictures to fill it from. */
import { calls } from '@markwright/contract/paths';
import type { AdminProduct, BaseCategory } from '@markwright/contract/schemas';
import type { AdminRole } from '@markwright/contract/words';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useSession } from '../../../session.tsx';
import { TabLoading } from '../../../ui/pageStates.tsx';
import { Unreadable } from '../../../ui/sections.tsx';
import { LoadedVectorizerCard } from '../Vectorizer.tsx';
import { BaseProducts } from './BaseProducts.tsx';
import { type CatalogueDialog, CatalogueDialogs } from './CatalogueDialogs.tsx';
import { Categories } from './Categories.tsx';
import { Count } from './Count.tsx';
import { CATEGORIES_KEY, PRODUCTS_KEY } from './changes.ts';
import { LargeCatalogue } from './LargeCatalogue.tsx';

/** The roles that may read the vectorizer's status. */
const vectorizerRoles: readonly AdminRole[] = calls.admin.vectorizerStatus.roles;

export function Catalogue() {
  const categories = useQuery<BaseCategory[]>({ queryKey: CATEGORIES_KEY, refetchOnMount: 'always' });
  const products = useQuery<AdminProduct[]>({ queryKey: PRODUCTS_KEY, refetchOnMount: 'always' });
  const [dialog, setDialog] = useState<CatalogueDialog>();
  const role = useSession().user?.adminRole;
  const canReadVectorizer = role != null && vectorizerRoles.includes(role);
  const failure = [categories, products].find(({ isError, data }) => isError && !data);
  if (failure) {
    return (
      <div className="rounded-card border border-line bg-paper">
        <Unreadable
          what="The catalogue could not be read."
          error={failure.error}
          onRetry={() => void Promise.all([categories.refetch(), products.refetch()])}
        />
      </div>
    );
  }
  const total = categories.data?.reduce((sum, { productCount }) => sum + productCount, 0) ?? 0;
  // Shown together: stacked on a narrow page, the categories would push the products down.
  if (!categories.data || !products.data) return <TabLoading />;
  return (
    <>
      <div className="mt-2 grid items-start gap-6 lg:grid-cols-[320px_minmax(0,1fr)]">
        <Card title="Categories" count={categories.data.length}>
          <Categories
            categories={categories.data}
            onDelete={(category) => setDialog({ kind: 'deleteCategory', category })}
          />
        </Card>
        <Card title="Base products" count={total}>
          {products.data.length > 0 && products.data.length < total ? (
            <LargeCatalogue onOpenDialog={setDialog} />
          ) : (
            <BaseProducts products={products.data} onOpenDialog={setDialog} />
          )}
        </Card>
        <CatalogueDialogs
          dialog={dialog}
          categories={categories.data}
          products={products.data}
          total={total}
          onClose={() => setDialog(undefined)}
        />
      </div>
      {canReadVectorizer && (
        <div className="mt-6">
          <LoadedVectorizerCard />
        </div>
      )}
    </>
  );
}

function Card({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-card border border-line bg-paper">
      <h2 id={id} className="flex items-center gap-2 border-line border-b px-5 py-3.5 text-lg">
        {title}
        <Count value={count} />
      </h2>
      {children}
    </section>
  );
}
