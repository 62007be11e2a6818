/** The base catalogue: its categories, its products, and a folder of pictures to fill it from. */
import type { AdminCategory, AdminProduct, BulkFile } from '@markwright/contract/schemas';
import { messages, parseDimensions } from '@markwright/contract/words';
import { Button, Field, Icon, IconButton, TextInput } from '@markwright/controls';
import { ProductThumb } from '@markwright/editor';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { FolderUpload } from '../../products/FolderUpload.tsx';
import type { FolderFile, Outcome } from '../../products/folderUpload.ts';
import { ProductForm } from '../../products/ProductForm.tsx';
import { refreshCatalogue } from '../../products/shown.ts';
import { messageOf, statusOf } from '../../request.ts';
import { loadMe } from '../../session.tsx';
import { Modal } from '../../ui/dialog.tsx';
import { toast } from '../../ui/notices.ts';
import { Skeleton, Unreadable } from '../../ui/sections.tsx';
import { useForm } from '../../ui/useForm.ts';

const CATEGORIES_KEY = ['/api/admin/categories'];
const PRODUCTS_KEY = ['/api/admin/products'];

type Asked =
  | { readonly what: 'deleteCategory'; readonly category: AdminCategory }
  | { readonly what: 'add'; readonly category: string }
  | { readonly what: 'edit'; readonly product: AdminProduct }
  | { readonly what: 'deleteProduct'; readonly product: AdminProduct }
  | { readonly what: 'deleteAll' }
  | { readonly what: 'folder' };

export function Catalogue() {
  const categories = useQuery<AdminCategory[]>({ queryKey: CATEGORIES_KEY, refetchOnMount: 'always' });
  const products = useQuery<AdminProduct[]>({ queryKey: PRODUCTS_KEY, refetchOnMount: 'always' });
  const [asked, setAsked] = useState<Asked>();
  const broken = [categories, products].find(({ isError, data }) => isError && !data);
  if (broken) {
    return (
      <div className="rounded-card border border-line bg-paper">
        <Unreadable
          what="The catalogue could not be read."
          error={broken.error}
          onRetry={() => void Promise.all([categories.refetch(), products.refetch()])}
        />
      </div>
    );
  }
  return (
    <div className="mt-2 grid items-start gap-6 lg:grid-cols-[320px_minmax(0,1fr)]">
      <Card title="Categories" count={categories.data?.length}>
        {categories.data ? <Categories categories={categories.data} onAsk={setAsked} /> : <Skeleton lines={6} />}
      </Card>
      <Card title="Base products" count={products.data?.length}>
        {products.data && categories.data ? (
          <Products products={products.data} categories={categories.data} onAsk={setAsked} />
        ) : (
          <Skeleton lines={8} />
        )}
      </Card>
      <Questions
        asked={asked}
        categories={categories.data ?? []}
        products={products.data ?? []}
        onClose={() => setAsked(undefined)}
      />
    </div>
  );
}

function Card({ title, count, children }: { title: string; count: number | undefined; children: React.ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-card border border-line bg-paper">
      <h2 id={id} className="flex items-center gap-2 border-line border-b px-5 py-3.5 text-lg">
        {title}
        {count !== undefined && <Count value={count} />}
      </h2>
      {children}
    </section>
  );
}

const number = new Intl.NumberFormat('en-US');

const Count = ({ value }: { value: number }) => (
  <span className="measure rounded-full bg-ink/6 px-2 py-0.5 text-graphite">{number.format(value)}</span>
);

function refresh(client: QueryClient): void {
  for (const queryKey of [CATEGORIES_KEY, PRODUCTS_KEY]) void client.invalidateQueries({ queryKey });
  void refreshCatalogue(client);
}

/** Changes the catalogue, shows a notice, and reads it again. Resolves with true when it was done. */
function useChange() {
  const client = useQueryClient();
  return async (failed: string, act: () => Promise<string>): Promise<boolean> => {
    try {
      toast({ title: await act() });
      return true;
    } catch (error) {
      toast({ title: failed, description: messageOf(error), variant: 'destructive' });
      if (statusOf(error) === 401) await loadMe(client);
      return false;
    } finally {
      refresh(client);
    }
  };
}

function Categories({ categories, onAsk }: { categories: readonly AdminCategory[]; onAsk(asked: Asked): void }) {
  const change = useChange();
  const [name, setName] = useState('');
  const { formProps, isBusy } = useForm({
    names: [],
    async submit() {
      const isDone = await change(messages.categoryCreateFailed, async () => {
        const added = await api.catalogue.addCategory({ body: { name } });
        return `${added.name} added`;
      });
      if (isDone) setName('');
      return undefined;
    },
  });
  return (
    <>
      <form {...formProps} className="flex items-center gap-2 border-line border-b p-3">
        <TextInput
          aria-label="Name of a new category"
          placeholder="New category"
          value={name}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" icon="plus" isBusy={isBusy} disabled={name.trim() === ''}>
          Add
        </Button>
      </form>
      {categories.length === 0 ? (
        <p className="px-5 py-10 text-center text-graphite">No categories yet.</p>
      ) : (
        <ul aria-label="Categories" className="p-2">
          {categories.map((category) => (
            <li key={category.id}>
              <CategoryLine category={category} onDelete={() => onAsk({ what: 'deleteCategory', category })} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Its name, or while it is renamed the field with its confirm and cancel. */
function CategoryLine({ category, onDelete }: { category: AdminCategory; onDelete(): void }) {
  const change = useChange();
  const [draft, setDraft] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const isEditing = draft !== undefined;
  const wasEditing = useRef(false);
  useEffect(() => {
    if (isEditing) input.current?.select();
    else if (wasEditing.current) pencil.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const { formProps, isBusy } = useForm({
    names: [],
    async submit() {
      const name = draft?.trim() ?? '';
      if (name === '') return undefined;
      const isDone =
        name === category.name ||
        (await change(messages.categoryUpdateFailed, async () => {
          const renamed = await api.catalogue.renameCategory({ params: { id: category.id }, body: { name } });
          return `${category.name} is now ${renamed.name}`;
        }));
      if (isDone) setDraft(undefined);
      return undefined;
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setDraft(undefined);
  };
  if (isEditing) {
    return (
      <form {...formProps} className="flex items-center gap-1 py-0.5 pl-1">
        <TextInput
          ref={input}
          aria-label={`New name of ${category.name}`}
          value={draft}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <IconButton
          type="submit"
          icon="check"
          label={`Rename ${category.name}`}
          disabled={isBusy || draft.trim() === ''}
        />
        <IconButton icon="close" label="Cancel" onClick={() => setDraft(undefined)} />
      </form>
    );
  }
  return (
    <div className="flex min-h-10 items-center gap-1 rounded-control py-1 pl-3 hover:bg-ink/4">
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{category.name}</span>
      <Count value={category.productCount} />
      <IconButton
        ref={pencil}
        icon="pencil"
        label={`Rename ${category.name}`}
        onClick={() => setDraft(category.name)}
      />
      <IconButton icon="trash" label={`Delete ${category.name}`} onClick={onDelete} />
    </div>
  );
}

function Products({
  products,
  categories,
  onAsk,
}: {
  products: readonly AdminProduct[];
  categories: readonly AdminCategory[];
  onAsk(asked: Asked): void;
}) {
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = products.filter(({ name, category, subCategory, business }) => {
    const text = `${name} ${category} ${subCategory} ${business}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = groupByCategory(found);
  const toggle = (category: string) => {
    const next = new Set(open);
    if (!next.delete(category)) next.add(category);
    setOpen(next);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-line border-b p-3">
        <span className="relative min-w-0 flex-[1_1_220px]">
          <Icon
            name="search"
            className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2.5 size-4 text-graphite"
          />
          <TextInput
            type="search"
            aria-label="Search the base products"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="pl-8"
          />
        </span>
        <Button icon="upload" onClick={() => onAsk({ what: 'folder' })}>
          Upload a folder
        </Button>
        <Button
          variant="primary"
          icon="plus"
          onClick={() => onAsk({ what: 'add', category: categories[0]?.name ?? '' })}
        >
          Add product
        </Button>
      </div>
      {products.length === 0 ? (
        <p className="px-5 py-12 text-center text-graphite">
          No products yet. Add one, or upload a folder of pictures: each picture becomes a product.
        </p>
      ) : groups.length === 0 ? (
        <p className="px-5 py-12 text-center text-graphite [overflow-wrap:anywhere]">
          No product matches “{search.trim()}”.
        </p>
      ) : (
        groups.map(([category, members]) => {
          const isOpen = words.length > 0 || open.has(category);
          return (
            <div key={category} className="border-line border-b">
              <h3>
                <button
                  type="button"
                  aria-expanded={isOpen}
                  onClick={() => toggle(category)}
                  className="flex min-h-11 w-full items-center gap-2 px-4 py-2 text-left font-medium hover:bg-ink/4 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
                >
                  <Icon
                    name="chevronRight"
                    className={`size-4 text-graphite transition-transform ${isOpen ? 'rotate-90' : ''}`}
                  />
                  <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{category}</span>
                  <Count value={members.length} />
                </button>
              </h3>
              {isOpen && (
                <ul aria-label={category} className="px-4 pb-2">
                  {members.map((product) => (
                    <li key={product.id}>
                      <ProductLine product={product} onAsk={onAsk} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
          );
        })
      )}
      {products.length > 0 && (
        <div className={`flex justify-end border-line p-3 ${groups.length === 0 ? 'border-t' : ''}`}>
          <Button
            variant="ghost"
            size="sm"
            icon="trash"
            className="text-danger!"
            onClick={() => onAsk({ what: 'deleteAll' })}
          >
            Delete all products
          </Button>
        </div>
      )}
    </>
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

function ProductLine({ product, onAsk }: { product: AdminProduct; onAsk(asked: Asked): void }) {
  const { name, business, subCategory, dimensions } = product;
  const { widthInches, heightInches } = parseDimensions(dimensions);
  const filed = [business, subCategory].filter(Boolean).join(' / ');
  return (
    // Thousands of rows: those out of view are not laid out.
    <div className="flex items-center gap-3 py-2 [contain-intrinsic-size:auto_72px] [content-visibility:auto]">
      <ProductThumb product={product} />
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere]">{name}</p>
        <p className="text-graphite text-sm [overflow-wrap:anywhere]">
          <span className="measure">
            {widthInches} × {heightInches} in
          </span>
          {filed && ` · ${filed}`}
        </p>
      </div>
      <IconButton icon="pencil" label={`Edit ${name}`} onClick={() => onAsk({ what: 'edit', product })} />
      <IconButton icon="trash" label={`Delete ${name}`} onClick={() => onAsk({ what: 'deleteProduct', product })} />
    </div>
  );
}

interface QuestionsProps {
  readonly asked: Asked | undefined;
  readonly categories: readonly AdminCategory[];
  readonly products: readonly AdminProduct[];
  onClose(): void;
}

/** The windows over the page. What was asked last stays in a window while it closes. */
function Questions({ asked, categories, products, onClose }: QuestionsProps) {
  const change = useChange();
  const client = useQueryClient();
  const names = {
    categories: categories.map(({ name }) => name),
    subCategories: [...new Set(products.map(({ subCategory }) => subCategory))].filter(Boolean).sort(),
  };
  const cancel = (
    <Button size="lg" variant="ghost" onClick={onClose}>
      Cancel
    </Button>
  );
  return (
    <>
      <Modal
        isOpen={asked?.what === 'add'}
        size="form"
        title="Add a product"
        description="A picture of the blank, and how large its print area is."
        onClose={onClose}
      >
        {asked?.what === 'add' && (
          <div className="mt-5">
            <ProductForm
              {...names}
              isStrict
              submitLabel="Add product"
              onSubmit={async (body, file) => {
                const isDone = await change(messages.productCreateFailed, async () => {
                  const { name } = await api.catalogue.addProduct({ body, file: file! });
                  return `${name} added`;
                });
                if (!isDone) throw new Error('not added');
                onClose();
              }}
            >
              {cancel}
            </ProductForm>
          </div>
        )}
      </Modal>
      <Modal
        isOpen={asked?.what === 'edit'}
        size="form"
        title={asked?.what === 'edit' ? `Edit ${asked.product.name}` : 'Edit'}
        description="A new picture takes the old one’s place everywhere."
        onClose={onClose}
      >
        {asked?.what === 'edit' && (
          <div className="mt-5">
            <ProductForm
              {...names}
              isStrict
              product={asked.product}
              submitLabel="Save"
              onSubmit={async (body, file) => {
                const isDone = await change(messages.productUpdateFailed, async () => {
                  const { name } = await api.catalogue.editProduct({ params: { id: asked.product.id }, body, file });
                  return `${name} saved`;
                });
                if (!isDone) throw new Error('not saved');
                onClose();
              }}
            >
              {cancel}
            </ProductForm>
          </div>
        )}
      </Modal>
      <Confirm
        isOpen={asked?.what === 'deleteProduct'}
        title={asked?.what === 'deleteProduct' ? `Delete ${asked.product.name}?` : 'Delete?'}
        description="It goes from every studio with its picture. Files that were exported stay; arrangements that use it need another product."
        action="Delete"
        onClose={onClose}
        onConfirm={() =>
          asked?.what === 'deleteProduct'
            ? change(messages.productDeleteFailed, async () => {
                await api.catalogue.deleteProduct({ params: { id: asked.product.id } });
                return `${asked.product.name} deleted`;
              })
            : Promise.resolve(true)
        }
      />
      <Confirm
        isOpen={asked?.what === 'deleteAll'}
        title={`Delete all ${number.format(products.length)} products?`}
        description="Every base product goes from every studio, with its picture. Companies keep their own products. This cannot be undone."
        action="Delete all"
        typed="delete all"
        onClose={onClose}
        onConfirm={() =>
          change(messages.productsDeleteFailed, async () => {
            const { deletedCount } = await api.catalogue.deleteAllProducts();
            return `${number.format(deletedCount)} products deleted`;
          })
        }
      />
      <Confirm
        isOpen={asked?.what === 'deleteCategory'}
        title={asked?.what === 'deleteCategory' ? `Delete ${asked.category.name}?` : 'Delete?'}
        description={
          asked?.what === 'deleteCategory' && asked.category.productCount > 0
            ? `Its ${number.format(asked.category.productCount)} products are deleted with it.`
            : 'There are no products in it.'
        }
        action={
          asked?.what === 'deleteCategory' && asked.category.productCount > 0 ? 'Delete with its products' : 'Delete'
        }
        onClose={onClose}
        onConfirm={() =>
          asked?.what === 'deleteCategory'
            ? change(messages.categoryDeleteFailed, async () => {
                await api.catalogue.deleteCategory({
                  params: { id: asked.category.id },
                  query: { withProducts: asked.category.productCount > 0 ? 'true' : 'false' },
                });
                return `${asked.category.name} deleted`;
              })
            : Promise.resolve(true)
        }
      />
      <Modal
        isOpen={asked?.what === 'folder'}
        size="form"
        title="Upload a folder"
        description="Every PNG, JPG or SVG in it becomes a product, called like its file."
        onClose={onClose}
      >
        {asked?.what === 'folder' && (
          <div className="mt-5">
            <FolderUpload sender={sender} onAdded={() => refresh(client)}>
              One folder is the category; of two the first is the business; the third is the sub-category. What is there
              already is skipped, so a folder can be sent again.
            </FolderUpload>
          </div>
        )}
      </Modal>
    </>
  );
}

const sender = {
  batch: { files: 8, bytes: 24 * 2 ** 20 },
  lanes: 2,
  async send(files: readonly FolderFile[], signal: AbortSignal): Promise<readonly (Outcome | undefined)[]> {
    const { files: made } = await api.catalogue.bulkUpload(
      { files: files.map(({ file }) => file), body: { paths: files.map(({ path }) => path) } },
      { signal },
    );
    const outcomes: (Outcome | undefined)[] = files.map(() => undefined);
    for (const one of made) outcomes[one.index] = toOutcome(one);
    return outcomes;
  },
  explain(error: unknown) {
    const status = statusOf(error);
    return { message: messageOf(error, messages.bulkUploadFailed), isOver: status === 401 || status === 403 };
  },
};

const toOutcome = ({ status, message, category }: BulkFile): Outcome => ({ state: status, message, category });

interface ConfirmProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly description: string;
  readonly action: string;
  /** Words to type before it can be done. */
  readonly typed?: string;
  onClose(): void;
  onConfirm(): Promise<boolean>;
}

function Confirm({ isOpen, title, description, action, typed, onClose, onConfirm }: ConfirmProps) {
  const [words, setWords] = useState('');
  useEffect(() => {
    if (!isOpen) setWords('');
  }, [isOpen]);
  const { formProps, isBusy } = useForm({
    names: [],
    async submit() {
      if (await onConfirm()) onClose();
      return undefined;
    },
  });
  return (
    <Modal isOpen={isOpen} title={title} description={description} onClose={onClose}>
      <form {...formProps} className="mt-6">
        {typed !== undefined && (
          <Field label={`Type “${typed}” to go on`} className="mb-5">
            {(control) => (
              <TextInput
                {...control}
                value={words}
                autoComplete="off"
                onChange={(event) => setWords(event.target.value)}
              />
            )}
          </Field>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="lg" variant="ghost" disabled={isBusy} onClick={onClose}>
            Keep
          </Button>
          <Button
            type="submit"
            size="lg"
            variant="danger"
            isBusy={isBusy}
            disabled={typed !== undefined && words.trim().toLowerCase() !== typed}
          >
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
