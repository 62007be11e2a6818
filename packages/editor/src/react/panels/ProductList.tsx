/**
 * The catalogue in lists: page, sheet, and as much as fits. One file of more than 500 lines, because search, folds and
 * layouts decide together which rows are shown.
 */
import type { Product } from '@markwright/contract/schemas';
import { findById, idsOf, type ProductChoice } from '@markwright/contract/words';
import { Button, FoldHeading, IconButton } from '@markwright/controls';
import type { MachineMode, Variant } from '@markwright/scene';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type ProductFinder, sentenceOf } from '../../core/ports.ts';
import { ProductCard } from './ProductCard.tsx';
import { type OwnBlanks, ProductListHead } from './ProductListHead.tsx';
import { useLooks } from './productLooks.ts';
import { isVaried, VariantPicker } from './VariantPicker.tsx';

export interface ProductListProps {
  /** Absent while they load. */
  readonly products: readonly Product[] | undefined;
  /** Finds others, where `products` are not all there are. */
  readonly finder?: ProductFinder | undefined;
  /** Why they could not be loaded; `onRetry` tries again. */
  readonly failure: string | undefined;
  onRetry(): void;
  /** The product of the composition, with its color and size. */
  readonly choice: ProductChoice;
  readonly machine: MachineMode;
  readonly recent?: readonly Product[];
  /** Returns a note on a product besides its size: a price. */
  note?(product: Product): string | undefined;
  /** Shown when there are no products. */
  readonly empty?: ReactNode;
  /** `variant` is the color and size in which its card shows the product. */
  onChoose(product: Product, variant: Variant | undefined): void;
  /** Chooses another color or size of the chosen product. */
  onVariant(product: Product, variant: Variant): void;
  readonly className?: string;
  /**
   * `page`: as long as it is, in a column that scrolls. `short`: the first few rows and categories, with buttons for
   * the rest, where the page around it scrolls. `fitted`: whole rows, as many as there is height for, with a button
   * that opens the rest as a sheet. `sheet`: everything, in columns.
   */
  readonly layout?: 'page' | 'short' | 'fitted' | 'sheet';
  /** The words in the search field at first. */
  readonly firstSearch?: string;
  /** Absent where nobody makes blanks. */
  readonly ownBlanks?: OwnBlanks | undefined;
  /** Absent where nobody keeps any. */
  readonly favorites?: Favorites | undefined;
  /** What limits the list: shown with all of it, and elsewhere while it does. */
  readonly filter?: ReactNode;
  readonly isFiltered?: boolean;
}

/** The products that somebody keeps at hand, by their ids. */
interface Favorites {
  readonly ids: ReadonlySet<string>;
  toggle(product: Product): void;
}

/** The catalogue, by category, with a search over names and categories. It needs no editor, and little code. */
export function ProductList({
  products,
  finder,
  failure,
  onRetry,
  choice,
  machine,
  recent = none,
  note,
  empty = 'There are no products yet.',
  onChoose,
  onVariant,
  className = '',
  layout = 'page',
  firstSearch = '',
  ownBlanks,
  favorites,
  filter,
  isFiltered = false,
}: ProductListProps) {
  const isFitted = layout === 'fitted';
  const [search, setSearch] = useState(firstSearch);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const headingId = useId();
  const { query, isSearch, pages, matches } = useMatches(search, finder, products);
  const categories = useMemo(() => matches && groupByCategory(matches), [matches]);
  const chosenProduct = products && findById(products, choice.productId);
  const look = useLooks(choice, chosenProduct, isSearch ? query : '');
  // A recently used product is listed twice, and marked where it was chosen.
  const [isChosenAmongRecent, setIsChosenAmongRecent] = useState(true);
  const [idChosenHere, setIdChosenHere] = useState<string>();
  const { leadCategory, isOpen, toggle, forgetLead } = useFolds(layout, isSearch, chosenProduct, categories?.[0]?.[0]);
  const chooseIn = useCallback(
    (product: Product, isRecent: boolean, variant = look(product).variant) => {
      setIsChosenAmongRecent(isRecent);
      setIdChosenHere(product.id);
      forgetLead();
      onChoose(product, variant);
    },
    [onChoose, forgetLead, look],
  );
  const isMarkedInRecent = !isSearch && isChosenAmongRecent && recent.some(({ id }) => id === chosenProduct?.id);
  const card = (product: Product, isRecent: boolean) => {
    const { shownProduct, isChosen } = look(product);
    const isSelected = isChosen && isRecent === isMarkedInRecent;
    return (
      <ProductCard
        product={product}
        shownProduct={shownProduct}
        variants={
          isSelected && isVaried(product) ? (
            <CardVariants
              {...{ product, choice, onVariant }}
              isFresh={layout === 'page' && product.id === idChosenHere}
            />
          ) : undefined
        }
        isSelected={isSelected}
        isUsual={product.machines.includes(machine)}
        machine={machine}
        note={note?.(product)}
        isRecent={isRecent}
        onChoose={chooseIn}
        onEdit={ownBlanks?.isOwn(product) ? ownBlanks.open : undefined}
        isFavorite={idsOf(product).some((id) => favorites?.ids.has(id))}
        onFavorite={isFitted ? undefined : favorites?.toggle}
      />
    );
  };
  const [hasAll, setHasAll] = useState(false);
  const shownCategories =
    categories &&
    pickCategories(categories, {
      leadCategory: isFitted && !isSearch ? leadCategory : undefined,
      isWhole: layout !== 'short' || hasAll || isSearch,
      chosenCategory: chosenProduct?.category,
    });
  const fault = failure ?? (isSearch ? pages.failure : undefined);
  useFit(list, isFitted);

  return (
    <div className={`flex min-h-0 flex-col gap-2 ${className}`}>
      <ProductListHead
        {...{ search, onSearch: setSearch }}
        // What somebody searches stands right below the search, above the thumb.
        ownBlanks={layout === 'page' && search !== '' ? undefined : ownBlanks}
        count={isFitted ? matches?.length : undefined}
        isPart={finder !== undefined}
        onShowAll={() => setIsSheetOpen(true)}
        filter={isFiltered || layout === 'sheet' || (layout === 'page' && search === '') ? filter : undefined}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys are a shortcut between the buttons inside */}
      <div ref={list} onKeyDown={(event) => moveFocus(event, list.current)} className={`-mx-1 px-1 ${frames[layout]}`}>
        {fault !== undefined ? (
          <Failure failure={fault} onRetry={failure ? onRetry : pages.more} />
        ) : !categories ? (
          <Skeletons />
        ) : categories.length === 0 ? (
          <Nothing search={search} empty={empty} onClear={() => setSearch('')} />
        ) : (
          <>
            {!isSearch && <ProductsAtHand {...{ layout, card, recent, favorites, products }} />}
            {shownCategories?.map(([category, members], index) => (
              <CategorySection
                key={category}
                id={`${headingId}-${index}`}
                category={category}
                members={members}
                isPart={finder !== undefined}
                isOpen={isOpen(category, index)}
                onToggle={() => toggle(category)}
                card={(product) => card(product, false)}
                layout={layout}
                chosenProduct={chosenProduct}
              />
            ))}
            {shownCategories && shownCategories.length < categories.length && (
              <Button size="sm" variant="ghost" className="mt-1 w-full" onClick={() => setHasAll(true)}>
                {`Show the other ${categories.length - shownCategories.length} categories`}
              </Button>
            )}
            {finder && !isFitted && <Others {...{ isSearch, pages }} />}
          </>
        )}
      </div>
      {isSheetOpen && (
        <Sheet
          {...{
            products,
            finder,
            failure,
            onRetry,
            choice,
            machine,
            note,
            empty,
            ownBlanks,
            favorites,
            filter,
            onVariant,
          }}
          firstSearch={search}
          onChoose={(product, variant) => chooseIn(product, false, variant)}
          onClose={() => setIsSheetOpen(false)}
        />
      )}
    </div>
  );
}

type Category = readonly [name: string, members: readonly Product[]];

/** Returns the categories to show: all of them, the leading one first, or the first few up to that of the product. */
function pickCategories(
  categories: readonly Category[],
  {
    leadCategory,
    isWhole,
    chosenCategory,
  }: Record<'leadCategory' | 'chosenCategory', string | undefined> & { isWhole: boolean },
): readonly Category[] {
  if (leadCategory !== undefined) {
    return categories.toSorted(([a], [b]) => Number(b === leadCategory) - Number(a === leadCategory));
  }
  if (isWhole || categories.length <= SHORT.categories + 1) return categories;
  const chosenIndex = categories.findIndex(([category]) => category === chosenCategory);
  return categories.slice(0, Math.max(SHORT.categories, chosenIndex + 1));
}

/** The colors and sizes on a card. They scroll into sight where the product was chosen just now. */
function CardVariants({
  product,
  choice,
  onVariant,
  isFresh,
}: Pick<ProductListProps, 'choice' | 'onVariant'> & { readonly product: Product; readonly isFresh: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFresh) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isFresh]);
  return (
    <div ref={place} className="px-1.5 pt-1 pb-2">
      <VariantPicker product={product} choice={choice} onChoose={(variant) => onVariant(product, variant)} />
    </div>
  );
}

function Failure({ failure, onRetry }: { failure: string; onRetry(): void }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-2 py-3">
      <p className="text-sm text-danger">{failure}</p>
      <Button size="sm" icon="refresh" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

/** Leads to what a large catalogue has besides the list. */
function Others({ isSearch, pages }: { isSearch: boolean; pages: Pages }) {
  if (!isSearch) return <p className="py-3 text-graphite text-sm">There are more products. Search for yours.</p>;
  return pages.hasMore ? (
    <Button size="sm" variant="ghost" className="mt-1 w-full" isBusy={pages.isLoading} onClick={pages.more}>
      Show more
    </Button>
  ) : null;
}

/** Returns what a search finds: among the products, or by the finder where these are not all there are. */
function useMatches(search: string, finder: ProductFinder | undefined, products: readonly Product[] | undefined) {
  // Deferred, so that typing does not wait for a long list.
  const query = useDeferredValue(search);
  const isSearch = query.trim() !== '';
  const find = useProductSearch(finder ? undefined : products);
  const localMatches = useMemo(() => (isSearch ? find?.(query) : products), [isSearch, find, query, products]);
  const pages = useFinder(finder, query.trim());
  return { query, isSearch, pages, matches: finder && isSearch ? pages.products : localMatches };
}

interface Pages {
  /** What the text finds, as far as it was asked for. Absent while the first page loads. */
  readonly products: readonly Product[] | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly failure: string | undefined;
  /** Reads the next page, or the one that failed. */
  more(): void;
}

interface Hits {
  readonly text: string;
  readonly products?: readonly Product[];
  readonly next?: string | undefined;
  readonly failure?: string;
}

/** Somebody who types pauses this long before the server is asked. */
const PAUSE_MS = 200;

/** Searches a large catalogue as somebody types, a page at a time. Answers for an earlier text are dropped. */
function useFinder(finder: ProductFinder | undefined, text: string): Pages {
  const [hits, setHits] = useState<Hits>({ text: '' });
  const [isLoading, setLoading] = useState(false);
  const latest = useRef<object>(undefined);
  const read = useCallback(
    async (before: Hits) => {
      if (!finder) return;
      const turn = {};
      latest.current = turn;
      setLoading(true);
      const result = await finder.search(before.text, before.next).then(
        ({ products, next }): Hits => ({
          text: before.text,
          products: [...(before.products ?? []), ...products],
          next,
        }),
        (error: unknown): Hits => ({
          ...before,
          failure: sentenceOf(error, 'The search did not work. Please try again.'),
        }),
      );
      if (latest.current !== turn) return;
      setHits(result);
      setLoading(false);
    },
    [finder],
  );
  useEffect(() => {
    if (!finder || text === '') return;
    const timer = setTimeout(() => void read({ text }), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      latest.current = undefined;
    };
  }, [finder, read, text]);
  const isCurrent = hits.text === text;
  return {
    products: isCurrent ? hits.products : undefined,
    hasMore: isCurrent && hits.next !== undefined,
    isLoading,
    failure: isCurrent ? hits.failure : undefined,
    more: () => void read({ text: hits.text, products: hits.products ?? [], next: hits.next }),
  };
}

/** Keeps which categories are open. */
function useFolds(
  layout: keyof typeof rows,
  isSearch: boolean,
  chosenProduct: Product | undefined,
  firstCategory: string | undefined,
) {
  const [toggledCategories, setToggledCategories] = useState<ReadonlySet<string>>(new Set());
  // Where there is little height, one category is open, and stands first: its rows would not fit below the others.
  const [lead, setLead] = useState<{ readonly category: string; readonly isOpen: boolean }>();
  const leadCategory = lead?.category ?? chosenProduct?.category ?? firstCategory;
  return {
    leadCategory,
    forgetLead: useCallback(() => setLead(undefined), []),
    // Open at first: the category of the chosen product, or the first one. A search opens everything it finds.
    isOpen(category: string, index: number) {
      if (isSearch) return true;
      if (layout === 'fitted') return category === leadCategory && (lead?.isOpen ?? true);
      const isFirst = layout === 'sheet' || (chosenProduct ? chosenProduct.category === category : index === 0);
      return toggledCategories.has(category) ? !isFirst : isFirst;
    },
    toggle(category: string) {
      setLead({ category, isOpen: category !== leadCategory || !(lead?.isOpen ?? true) });
      const next = new Set(toggledCategories);
      if (!next.delete(category)) next.add(category);
      setToggledCategories(next);
    },
  };
}

/** What was used last, and the favorites. */
function ProductsAtHand({
  layout,
  card,
  recent,
  favorites,
  products = none,
}: Pick<RecentProductsProps, 'layout' | 'card'> & {
  readonly recent: readonly Product[];
  readonly favorites: Favorites | undefined;
  readonly products: readonly Product[] | undefined;
}) {
  const id = useId();
  const favoriteProducts = products.filter((product) => idsOf(product).some((each) => favorites?.ids.has(each)));
  return (
    <>
      <RecentProducts title="Recently used" {...{ layout, card }} id={`${id}-recent`} products={recent} />
      <RecentProducts title="Favorites" {...{ layout, card }} id={`${id}-favorites`} products={favoriteProducts} />
    </>
  );
}

interface RecentProductsProps {
  readonly title: string;
  readonly id: string;
  readonly layout: keyof typeof rows;
  readonly products: readonly Product[];
  card(product: Product, isRecent: boolean): ReactNode;
}

function RecentProducts({ title, id, layout, products, card }: RecentProductsProps) {
  const isFitted = layout === 'fitted';
  if (products.length === 0) return null;
  return (
    <section aria-labelledby={id} className={isFitted ? 'contents' : 'border-b border-line pb-2'}>
      <h3 id={id} className="flex h-9 items-center pl-1.5 text-sm font-medium text-graphite">
        {title}
      </h3>
      <ul className={rows[layout]}>
        {products.map((product) => (
          <li key={product.id} className={isFitted ? 'contents' : ''}>
            {card(product, title === 'Recently used')}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Everything there is, over the page. It closes when a product is chosen. */
function Sheet({ onChoose, onClose, ownBlanks, ...list }: ProductListProps & { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
      // The studio's shortcuts must not act behind the dialog.
      onKeyDown={(event) => event.stopPropagation()}
      className="m-auto h-[min(820px,calc(100dvh-32px))] w-[min(1040px,calc(100vw-32px))] overflow-hidden rounded-card border border-line bg-paper p-0 text-ink shadow-float backdrop:bg-black/45 open:animate-float-in"
    >
      <div className="flex h-full flex-col">
        <div className="flex shrink-0 items-center justify-between gap-2 pt-3 pr-3 pl-5">
          <h2 id={id} className="text-lg">
            Select Product
          </h2>
          <IconButton icon="close" label="Close" onClick={() => dialog.current?.close()} />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-2 pb-5">
          <ProductList
            {...list}
            layout="sheet"
            ownBlanks={
              ownBlanks && {
                isOwn: ownBlanks.isOwn,
                open(product) {
                  dialog.current?.close();
                  ownBlanks.open(product);
                },
              }
            }
            onChoose={(product, variant) => {
              // Before the step below it folds: a dialog that is not shown keeps the page inert.
              dialog.current?.close();
              onChoose(product, variant);
            }}
          />
        </div>
      </div>
    </dialog>
  );
}

/** Hides what has no room in a column that wraps: its rows lie beside it then, where nothing is seen. */
function useFit(list: RefObject<HTMLElement | null>, isOn: boolean): void {
  useLayoutEffect(() => {
    const column = list.current;
    if (!isOn || !column) return;
    const hide = () => {
      const items = [...column.querySelectorAll<HTMLElement>('h3, [data-card]')];
      const first = items[0]?.offsetLeft ?? 0;
      const isBeside = items.map(({ offsetLeft }) => offsetLeft > first + 1);
      for (const [index, item] of items.entries()) {
        // A heading whose rows have no room says nothing.
        const isAlone =
          isBeside[index + 1] === true && item.querySelector('[aria-expanded=true]') !== null && !isBeside[index];
        item.inert = isBeside[index] === true || isAlone;
      }
    };
    hide();
    const observer = new ResizeObserver(hide);
    observer.observe(column);
    return () => observer.disconnect();
  });
}

const frames = {
  page: '',
  short: '',
  fitted:
    'flex min-h-36 flex-col flex-wrap content-start gap-0.5 overflow-hidden *:shrink-0 [&_[data-card]]:shrink-0 [&_[data-card]]:p-1 [&_[inert]]:invisible [&_h3]:w-full [&_h3]:shrink-0 [&_img]:size-9',
  sheet: '',
};

const rows = {
  page: 'flex flex-col gap-1',
  short: 'flex flex-col gap-1',
  fitted: 'contents',
  sheet: 'grid gap-1 sm:grid-cols-2 lg:grid-cols-3',
};

const none: readonly Product[] = [];

/** The rows of a long category that are shown at first, and with each press of the button for more. */
const ROWS = 50;
/** The rows and the categories of a short list: it fits beside a stage 700 px high. */
const SHORT = { rows: 6, categories: 8 };
/** The rows of a category that may fit where a list shows what fits. */
const FITTED_ROWS = 16;

interface CategorySectionProps {
  readonly id: string;
  readonly category: string;
  readonly members: readonly Product[];
  /** True where the category may have others: their number is not known. */
  readonly isPart: boolean;
  readonly isOpen: boolean;
  onToggle(): void;
  card(product: Product): ReactNode;
  readonly layout: keyof typeof rows;
  readonly chosenProduct: Product | undefined;
}

function CategorySection({ id, category, members, isPart, isOpen, onToggle, ...list }: CategorySectionProps) {
  return (
    <section
      aria-labelledby={id}
      className={list.layout === 'fitted' ? 'contents' : 'border-b border-line last:border-b-0'}
    >
      <FoldHeading
        id={id}
        isOpen={isOpen}
        onToggle={onToggle}
        className="h-9 gap-1.5 rounded-control text-sm pointer-coarse:h-11"
      >
        <span className="min-w-0 flex-1 truncate">{category}</span>
        {!isPart && <span className="measure text-graphite">{members.length}</span>}
      </FoldHeading>
      {isOpen && <Members members={members} {...list} />}
    </section>
  );
}

function Members({
  members,
  card,
  layout,
  chosenProduct,
}: Pick<CategorySectionProps, 'members' | 'card' | 'layout' | 'chosenProduct'>) {
  const [more, setMore] = useState(0);
  const isFitted = layout === 'fitted';
  const atFirst = isFitted ? FITTED_ROWS : layout === 'short' ? SHORT.rows : ROWS;
  // All up to the chosen product.
  const length = more + Math.max(atFirst, members.findIndex(({ id }) => id === chosenProduct?.id) + 1);
  const left = isFitted ? 0 : members.length - length;
  return (
    <>
      <ul className={`${rows[layout]} pb-2`}>
        {members.slice(0, length).map((product) => (
          <li key={product.id} className={isFitted ? 'contents' : ''}>
            {card(product)}
          </li>
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
  // Among colors and sizes the arrows choose.
  if (!list || event.target instanceof HTMLInputElement) return;
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const buttons = [...list.querySelectorAll<HTMLButtonElement>('button')].filter((each) => !each.closest('[inert]'));
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
