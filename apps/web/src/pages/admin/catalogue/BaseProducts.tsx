/** The base products by category, with a search. */
import type { AdminProduct } from '@markwright/contract/schemas';
import { formatDimensions } from '@markwright/contract/words';
import { Button, FoldHeading, IconButton, SearchInput } from '@markwright/controls';
import { ProductThumb } from '@markwright/editor';
import { useState } from 'react';
import { hasWords, toSearchWords } from '../../../ui/search.ts';
import type { CatalogueDialog } from './CatalogueDialogs.tsx';
import { Count } from './Count.tsx';

interface BaseProductsProps {
  readonly products: readonly AdminProduct[];
  onOpenDialog(dialog: CatalogueDialog): void;
}

export function BaseProducts({ products, onOpenDialog }: BaseProductsProps) {
  const [search, setSearch] = useState('');
  const [openCategories, setOpenCategories] = useState<ReadonlySet<string>>(new Set());
  const words = toSearchWords(search);
  const groups = groupByCategory(
    products.filter(({ name, category, subCategory, business }) =>
      hasWords(words, [name, category, subCategory, business]),
    ),
  );
  const toggle = (category: string) => {
    const next = new Set(openCategories);
    if (!next.delete(category)) next.add(category);
    setOpenCategories(next);
  };
  return (
    <>
      <ProductsHead {...{ search, onOpenDialog }} onSearch={setSearch} />
      {products.length === 0 ? (
        <p className="px-5 py-12 text-center text-graphite">
          No products yet. Add one, or upload a folder of pictures: each picture becomes a product.
        </p>
      ) : groups.length === 0 ? (
        <p className="px-5 py-12 text-center text-graphite [overflow-wrap:anywhere]">
          No product matches “{search.trim()}”.
        </p>
      ) : (
        groups.map(([category, members]) => (
          <CategoryGroup
            key={category}
            category={category}
            products={members}
            isOpen={words.length > 0 || openCategories.has(category)}
            onToggle={() => toggle(category)}
            onOpenDialog={onOpenDialog}
          />
        ))
      )}
      {products.length > 0 && <DeleteAll className={groups.length === 0 ? 'border-t' : ''} {...{ onOpenDialog }} />}
    </>
  );
}

interface ProductsHeadProps extends Pick<BaseProductsProps, 'onOpenDialog'> {
  readonly search: string;
  onSearch(search: string): void;
}

export function ProductsHead({ search, onSearch, onOpenDialog }: ProductsHeadProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b p-3">
      <SearchInput
        label="Search the base products"
        placeholder="Search"
        value={search}
        onChange={onSearch}
        className="min-w-0 flex-[1_1_220px]"
      />
      <Button icon="upload" onClick={() => onOpenDialog({ kind: 'uploadFolder' })}>
        Upload a folder
      </Button>
      <Button variant="primary" icon="plus" onClick={() => onOpenDialog({ kind: 'addProduct' })}>
        Add product
      </Button>
    </div>
  );
}

export function DeleteAll({
  className,
  onOpenDialog,
}: Pick<BaseProductsProps, 'onOpenDialog'> & { className: string }) {
  return (
    <div className={`flex justify-end border-line p-3 ${className}`}>
      <Button
        variant="ghost"
        size="sm"
        icon="trash"
        className="text-danger!"
        onClick={() => onOpenDialog({ kind: 'deleteAllProducts' })}
      >
        Delete all products
      </Button>
    </div>
  );
}

interface CategoryGroupProps {
  readonly category: string;
  readonly products: readonly AdminProduct[];
  readonly isOpen: boolean;
  onToggle(): void;
  onOpenDialog(dialog: CatalogueDialog): void;
}

function CategoryGroup({ category, products, isOpen, onToggle, onOpenDialog }: CategoryGroupProps) {
  return (
    <div className="border-line border-b">
      <FoldHeading isOpen={isOpen} onToggle={onToggle} className="min-h-11 gap-2 px-4 py-2 hover:bg-ink/4">
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{category}</span>
        <Count value={products.length} />
      </FoldHeading>
      {isOpen && (
        <ul aria-label={category} className="px-4 pb-2">
          {products.map((product) => (
            <li key={product.id}>
              <ProductLine product={product} onOpenDialog={onOpenDialog} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function groupByCategory(products: readonly AdminProduct[]): [category: string, members: AdminProduct[]][] {
  const groups = new Map<string, AdminProduct[]>();
  for (const product of products) {
    const members = groups.get(product.category);
    if (members) members.push(product);
    else groups.set(product.category, [product]);
  }
  return [...groups];
}

export function ProductLine({
  product,
  onOpenDialog,
}: {
  product: AdminProduct;
  onOpenDialog(dialog: CatalogueDialog): void;
}) {
  const { name, business, subCategory, dimensions } = product;
  const folders = [business, subCategory].filter(Boolean).join(' / ');
  return (
    // There can be thousands of rows. The browser lays out only those in view.
    <div className="flex items-center gap-3 py-2 [contain-intrinsic-size:auto_72px] [content-visibility:auto]">
      <ProductThumb product={product} />
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere]">{name}</p>
        <p className="text-graphite text-sm [overflow-wrap:anywhere]">
          <span className="measure">{formatDimensions(dimensions)}</span>
          {folders && ` · ${folders}`}
        </p>
      </div>
      <IconButton icon="pencil" label={`Edit ${name}`} onClick={() => onOpenDialog({ kind: 'editProduct', product })} />
      <IconButton
        icon="trash"
        label={`Delete ${name}`}
        onClick={() => onOpenDialog({ kind: 'deleteProduct', product })}
      />
    </div>
  );
}
