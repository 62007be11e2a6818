import { type Product, parseDimensions } from '@markwright/contract';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { MM_PER_INCH } from '../core/measure.ts';
import { sentenceOf } from '../core/ports.ts';
import { Button } from './controls/Button.tsx';
import { TextInput } from './controls/Field.tsx';
import { useEditor, useEditorState, usePorts } from './EditorProvider.tsx';
import { Icon } from './icons.tsx';

/** Step 2: the catalogue, by category, with a search over names and categories. */
export function ProductPicker({ className = '' }: { className?: string }) {
  const { products, failure, retry } = useProducts();
  const [search, setSearch] = useState('');
  const productId = useEditorState((state) => state.composition.productId);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const headingId = useId();

  const found = products && findProducts(products, search);
  const categories = found && groupByCategory(found);
  const chosen = products?.find((product) => isChosen(product, productId));
  // Open at first: the category of the chosen product, or the first one. A search opens everything it finds.
  const isOpen = (category: string, index: number) => {
    if (search.trim() !== '') return true;
    const isFirst = chosen ? chosen.category === category : index === 0;
    return toggled.has(category) ? !isFirst : isFirst;
  };
  const toggle = (category: string) => {
    const next = new Set(toggled);
    if (!next.delete(category)) next.add(category);
    setToggled(next);
  };

  return (
    <div className={`flex flex-col gap-2 ${className}`}>
      <div className="relative">
        <Icon
          name="search"
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-graphite"
        />
        <TextInput
          type="search"
          aria-label="Search products"
          placeholder="Search products"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="pl-8 [&::-webkit-search-cancel-button]:appearance-none"
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys are a shortcut between the buttons inside */}
      <div
        ref={list}
        onKeyDown={(event) => moveFocus(event, list.current)}
        className="-mx-1 max-h-96 overflow-y-auto overscroll-contain px-1 [scrollbar-width:thin]"
      >
        {failure ? (
          <div role="alert" className="flex flex-col items-start gap-2 py-3">
            <p className="text-sm text-danger">{failure}</p>
            <Button size="sm" icon="refresh" onClick={retry}>
              Retry
            </Button>
          </div>
        ) : !categories ? (
          <Skeletons />
        ) : categories.length === 0 ? (
          <Nothing search={search} onClear={() => setSearch('')} />
        ) : (
          categories.map(([category, members], index) => {
            const open = isOpen(category, index);
            const id = `${headingId}-${index}`;
            return (
              <section key={category} aria-labelledby={id} className="border-b border-line last:border-b-0">
                <h3>
                  <button
                    id={id}
                    type="button"
                    aria-expanded={open}
                    onClick={() => toggle(category)}
                    className="flex h-9 w-full items-center gap-1.5 rounded-control text-left text-sm font-medium focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent pointer-coarse:h-11"
                  >
                    <Icon
                      name="chevronRight"
                      className={`size-4 text-graphite transition-transform ${open ? 'rotate-90' : ''}`}
                    />
                    <span className="min-w-0 flex-1 truncate">{category}</span>
                    <span className="measure text-graphite">{members.length}</span>
                  </button>
                </h3>
                {open && (
                  <ul className="flex flex-col gap-1 pb-2">
                    {members.map((product) => (
                      <li key={product.id}>
                        <ProductCard product={product} isSelected={isChosen(product, productId)} />
                      </li>
                    ))}
                  </ul>
                )}
              </section>
            );
          })
        )}
      </div>
    </div>
  );
}

const isChosen = (product: Product, productId: string | undefined) =>
  productId !== undefined && (product.id === productId || product.productId === productId);

function ProductCard({ product, isSelected }: { product: Product; isSelected: boolean }) {
  const editor = useEditor();
  const machine = useEditorState((state) => state.composition.machine);
  const { widthInches, heightInches } = parseDimensions(product.dimensions);
  const mm = (inches: number) => String(Number((inches * MM_PER_INCH).toFixed(1)));
  return (
    <button
      type="button"
      data-card=""
      aria-pressed={isSelected}
      onClick={() => editor.dispatch({ type: 'setProduct', productId: product.productId })}
      className="flex w-full items-center gap-3 rounded-control border border-transparent p-1.5 text-left transition-colors hover:bg-ink/4 focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent aria-pressed:border-accent aria-pressed:bg-accent-soft"
    >
      <span className="relative shrink-0">
        <img
          src={product.mockupImageUrl}
          alt=""
          loading="lazy"
          decoding="async"
          width={52}
          height={52}
          className="size-[52px] rounded-[4px] bg-bone object-contain p-0.5"
        />
        {isSelected && (
          <span className="absolute -right-1 -bottom-1 grid size-5 place-items-center rounded-full bg-accent text-on-accent">
            <Icon name="check" className="size-3.5" />
          </span>
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-sm leading-[18px]">{product.name}</span>
        <span className="measure mt-0.5 flex flex-wrap gap-x-2 text-graphite">
          <span>
            {mm(widthInches)} × {mm(heightInches)} mm
          </span>
          <span>
            {widthInches} × {heightInches} in
          </span>
        </span>
        {!product.machines.includes(machine) && (
          <span className="block text-xs text-graphite">{`Not usual for ${machine === 'uv' ? 'UV' : machine}`}</span>
        )}
      </span>
    </button>
  );
}

function useProducts() {
  const ports = usePorts();
  const [state, setState] = useState<{ products?: readonly Product[]; failure?: string }>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    ports.products().then(
      (products) => isCurrent && setState({ products }),
      (error) => isCurrent && setState({ failure: sentenceOf(error, 'The products could not be loaded.') }),
    );
    return () => {
      isCurrent = false;
    };
  }, [ports, attempt]);
  useEffect(() => ports.onProductsChange?.(() => setAttempt((count) => count + 1)), [ports]);
  const retry = () => {
    setState({});
    setAttempt(attempt + 1);
  };
  return { ...state, retry };
}

/** Every word of the search somewhere in name, category or material. */
export function findProducts(products: readonly Product[], search: string): readonly Product[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return products;
  return products.filter(({ name, category, material }) => {
    const text = `${name} ${category} ${material}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
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

function Nothing({ search, onClear }: { search: string; onClear(): void }): ReactNode {
  return (
    <div className="flex flex-col items-start gap-2 py-4">
      <p className="text-sm">
        {search.trim() ? `No product matches “${search.trim()}”.` : 'There are no products yet.'}
      </p>
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
