import type { Product } from '@markwright/contract/schemas';
import { formatDimensions, parseDimensions } from '@markwright/contract/words';
import { Button, FoldHeading, Icon, SearchInput } from '@markwright/controls';
import type { MachineMode } from '@markwright/scene';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { MM_PER_INCH } from '../../core/document/inches.ts';
import { ProductThumb } from './ProductThumb.tsx';

const machineWords: Readonly<Record<MachineMode, string>> = {
  laser: 'laser',
  uv: 'UV',
  sublimation: 'sublimation',
  dtf: 'DTF',
};

export interface ProductListProps {
  /** Absent while they load. */
  readonly products: readonly Product[] | undefined;
  /** Why they could not be loaded; `onRetry` tries again. */
  readonly failure: string | undefined;
  onRetry(): void;
  readonly productId: string | undefined;
  readonly machine: MachineMode;
  readonly recent?: readonly Product[];
  /** Returns a note on a product besides its size: a price. */
  note?(product: Product): string | undefined;
  /** Shown when there are no products. */
  readonly empty?: ReactNode;
  onChoose(product: Product): void;
  readonly className?: string;
  /** Shows the first few rows and categories, with buttons for the rest, where the list has no page of its own. */
  readonly isShort?: boolean;
}

/** The catalogue, by category, with a search over names and categories. It needs no editor, and little code. */
export function ProductList({
  products,
  failure,
  onRetry,
  productId,
  machine,
  recent = none,
  note,
  empty = 'There are no products yet.',
  onChoose,
  className = '',
  isShort = false,
}: ProductListProps) {
  const [search, setSearch] = useState('');
  const [toggledCategories, setToggledCategories] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const headingId = useId();

  // Deferred, so that typing does not wait for a long list.
  const query = useDeferredValue(search);
  const isSearch = query.trim() !== '';
  const find = useProductSearch(products);
  const matches = useMemo(() => (isSearch ? find?.(query) : products), [isSearch, find, query, products]);
  const categories = useMemo(() => matches && groupByCategory(matches), [matches]);
  const chosenProduct = products?.find((product) => isChosen(product, productId));
  // A recently used product is listed twice, and marked where it was chosen.
  const [isChosenAmongRecent, setIsChosenAmongRecent] = useState(true);
  const chooseIn = useCallback(
    (product: Product, isRecent: boolean) => {
      setIsChosenAmongRecent(isRecent);
      onChoose(product);
    },
    [onChoose],
  );
  const isMarkedInRecent = !isSearch && isChosenAmongRecent && recent.some(({ id }) => id === chosenProduct?.id);
  const card = (product: Product, isRecent: boolean) => (
    <ProductCard
      product={product}
      isSelected={product.id === chosenProduct?.id && isRecent === isMarkedInRecent}
      isUsual={product.machines.includes(machine)}
      machine={machine}
      note={note?.(product)}
      isRecent={isRecent}
      onChoose={chooseIn}
    />
  );
  // Open at first: the category of the chosen product, or the first one. A search opens everything it finds.
  const isOpen = (category: string, index: number) => {
    if (isSearch) return true;
    const isFirst = chosenProduct ? chosenProduct.category === category : index === 0;
    return toggledCategories.has(category) ? !isFirst : isFirst;
  };
  const [hasAll, setHasAll] = useState(false);
  const chosenIndex = categories?.findIndex(([category]) => category === chosenProduct?.category) ?? -1;
  const isWhole = !isShort || hasAll || isSearch || (categories?.length ?? 0) <= SHORT.categories + 1;
  const shownCategories = isWhole ? categories : categories?.slice(0, Math.max(SHORT.categories, chosenIndex + 1));
  const toggle = (category: string) => {
    const next = new Set(toggledCategories);
    if (!next.delete(category)) next.add(category);
    setToggledCategories(next);
  };

  return (
    <div className={`flex flex-col gap-2 ${className}`}>
      {/* Stays in sight while the list scrolls below it. */}
      <SearchInput
        label="Search products"
        value={search}
        onChange={setSearch}
        className="sticky top-0 z-10 bg-paper [&_input::-webkit-search-cancel-button]:appearance-none"
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys are a shortcut between the buttons inside */}
      <div ref={list} onKeyDown={(event) => moveFocus(event, list.current)} className="-mx-1 px-1">
        {failure ? (
          <div role="alert" className="flex flex-col items-start gap-2 py-3">
            <p className="text-sm text-danger">{failure}</p>
            <Button size="sm" icon="refresh" onClick={onRetry}>
              Retry
            </Button>
          </div>
        ) : !categories ? (
          <Skeletons />
        ) : categories.length === 0 ? (
          <Nothing search={search} empty={empty} onClear={() => setSearch('')} />
        ) : (
          <>
            {!isSearch && recent.length > 0 && (
              <section aria-labelledby={`${headingId}-recent`} className="border-b border-line pb-2">
                <h3
                  id={`${headingId}-recent`}
                  className="flex h-9 items-center pl-1.5 text-sm font-medium text-graphite"
                >
                  Recently used
                </h3>
                <ul className="flex flex-col gap-1">
                  {recent.map((product) => (
                    <li key={product.id}>{card(product, true)}</li>
                  ))}
                </ul>
              </section>
            )}
            {shownCategories?.map(([category, members], index) => (
              <CategorySection
                key={category}
                id={`${headingId}-${index}`}
                category={category}
                members={members}
                isOpen={isOpen(category, index)}
                onToggle={() => toggle(category)}
                card={(product) => card(product, false)}
                rows={isShort ? SHORT.rows : ROWS}
                chosenProduct={chosenProduct}
              />
            ))}
            {shownCategories && shownCategories.length < categories.length && (
              <Button size="sm" variant="ghost" className="mt-1 w-full" onClick={() => setHasAll(true)}>
                {`Show the other ${categories.length - shownCategories.length} categories`}
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  );
}

const none: readonly Product[] = [];

const isChosen = (product: Product, productId: string | undefined) =>
  productId !== undefined && (product.id === productId || product.productId === productId);

/** The rows of a long category that are shown at first, and with each press of the button for more. */
const ROWS = 50;
/** The rows and the categories of a short list: it fits beside a stage 700 px high. */
const SHORT = { rows: 6, categories: 8 };

interface CategorySectionProps {
  readonly id: string;
  readonly category: string;
  readonly members: readonly Product[];
  readonly isOpen: boolean;
  onToggle(): void;
  card(product: Product): ReactNode;
  /** How many rows are shown at first; all up to the chosen product. */
  readonly rows: number;
  readonly chosenProduct: Product | undefined;
}

function CategorySection({ id, category, members, isOpen, onToggle, ...list }: CategorySectionProps) {
  return (
    <section aria-labelledby={id} className="border-b border-line last:border-b-0">
      <FoldHeading
        id={id}
        isOpen={isOpen}
        onToggle={onToggle}
        className="h-9 gap-1.5 rounded-control text-sm pointer-coarse:h-11"
      >
        <span className="min-w-0 flex-1 truncate">{category}</span>
        <span className="measure text-graphite">{members.length}</span>
      </FoldHeading>
      {isOpen && <Members members={members} {...list} />}
    </section>
  );
}

function Members({
  members,
  card,
  rows,
  chosenProduct,
}: Pick<CategorySectionProps, 'members' | 'card' | 'rows' | 'chosenProduct'>) {
  const [more, setMore] = useState(0);
  const length = more + Math.max(rows, members.findIndex(({ id }) => id === chosenProduct?.id) + 1);
  const left = members.length - length;
  return (
    <>
      <ul className="flex flex-col gap-1 pb-2">
        {members.slice(0, length).map((product) => (
          <li key={product.id}>{card(product)}</li>
        ))}
      </ul>
      {left > 0 && (
        <Button size="sm" variant="ghost" className="mb-2 w-full" onClick={() => setMore(more + ROWS)}>
          {left > ROWS ? `Show ${ROWS} more of ${left}` : `Show the other ${left}`}
        </Button>
      )}
    </>
  );
}

interface ProductCardProps {
  readonly product: Product;
  readonly isSelected: boolean;
  readonly isUsual: boolean;
  readonly machine: MachineMode;
  readonly note: string | undefined;
  /** True in the list of recently used products. */
  readonly isRecent: boolean;
  onChoose(product: Product, isRecent: boolean): void;
}

const ProductCard = memo(function ProductCard({
  product,
  isSelected,
  isUsual,
  machine,
  note,
  isRecent,
  onChoose,
}: ProductCardProps) {
  const { widthInches, heightInches } = parseDimensions(product.dimensions);
  const mm = (inches: number) => String(Number((inches * MM_PER_INCH).toFixed(1)));
  return (
    <button
      type="button"
      data-card=""
      aria-pressed={isSelected}
      onClick={() => onChoose(product, isRecent)}
      className="flex w-full items-center gap-3 rounded-control border border-transparent p-1.5 text-left transition-colors hover:bg-ink/4 focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent aria-pressed:border-accent aria-pressed:bg-accent-soft"
    >
      <span className="relative shrink-0">
        <ProductThumb product={product} />
        {isSelected && (
          <span className="absolute -right-1 -bottom-1 grid size-5 place-items-center rounded-full bg-accent text-on-accent">
            <Icon name="check" className="size-3.5" />
          </span>
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="line-clamp-3 min-w-0 flex-1 text-sm leading-[18px]">{product.name}</span>
          {note && <span className="shrink-0 text-sm tabular-nums leading-[18px]">{note}</span>}
        </span>
        <span className="measure mt-0.5 flex flex-wrap gap-x-2 text-graphite">
          <span>
            {mm(widthInches)} × {mm(heightInches)} mm
          </span>
          <span>{formatDimensions(product.dimensions)}</span>
        </span>
        {!isUsual && <span className="block text-xs text-graphite">{`Not usual for ${machineWords[machine]}`}</span>}
      </span>
    </button>
  );
});

/** Returns the search once its code is loaded, after the first paint. */
function useProductSearch(products: readonly Product[] | undefined) {
  const [create, setCreate] = useState<typeof import('../../core/document/productSearch.ts').createProductSearch>();
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      import('../../core/document/productSearch.ts').then(
        ({ createProductSearch }) => isCurrent && setCreate(() => createProductSearch),
        // Without a connection the list stays as it is.
        () => isCurrent && setCreate(() => (all: readonly Product[]) => () => all),
      );
    }, 200);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, []);
  return useMemo(() => (products ? create?.(products) : undefined), [create, products]);
}

function groupByCategory(products: readonly Product[]): [category: string, members: Product[]][] {
  const groups = new Map<string, Product[]>();
  for (const product of products) {
    const members = groups.get(product.category);
    if (members) members.push(product);
    else groups.set(product.category, [product]);
  }
  return [...groups];
}

function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  if (!list || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
  const buttons = [...list.querySelectorAll<HTMLButtonElement>('button')];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const next = buttons[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function Nothing({ search, empty, onClear }: { search: string; empty: ReactNode; onClear(): void }): ReactNode {
  return (
    <div className="flex flex-col items-start gap-2 py-4">
      <p className="text-sm">{search.trim() ? `No product matches “${search.trim()}”.` : empty}</p>
      {search.trim() && (
        <Button size="sm" onClick={onClear}>
          Clear search
        </Button>
      )}
    </div>
  );
}

function Skeletons() {
  return (
    <div role="status" aria-label="Loading products" className="flex animate-pulse flex-col gap-3 py-2">
      {[60, 75, 50, 68, 55].map((width) => (
        <div key={width} className="flex items-center gap-3">
          <div className="size-[52px] rounded-[4px] bg-ink/8" />
          <div className="flex flex-1 flex-col gap-2">
            <div className="h-3 rounded-full bg-ink/8" style={{ width: `${width}%` }} />
            <div className="h-3 w-1/3 rounded-full bg-ink/8" />
          </div>
        </div>
      ))}
    </div>
  );
}
