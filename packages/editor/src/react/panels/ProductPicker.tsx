import type { Product } from '@markwright/contract/schemas';
import { findById, idsOf, type ProductChoice } from '@markwright/contract/words';
import type { Variant } from '@markwright/scene';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { chooseProduct } from '../../core/document/chooseProduct.ts';
import { type Bed, isOnBed } from '../../core/document/productSize.ts';
import { type Ports, type ProductFinder, sentenceOf } from '../../core/ports.ts';
import { useEditor, useEditorState, usePorts } from '../EditorProvider.tsx';
import { BedFilter } from './BedFilter.tsx';
import { ProductList } from './ProductList.tsx';
import type { OwnBlanks } from './ProductListHead.tsx';
import { ThumbMarksProvider } from './ThumbMarksProvider.tsx';
import { VariantPicker } from './VariantPicker.tsx';

interface ProductPickerProps {
  className?: string;
  empty?: ReactNode;
  /** Shows as many rows as there is height for, and the rest in a sheet. */
  isFitted?: boolean;
  /** Absent where nobody makes blanks. */
  ownBlanks?: OwnBlanks | undefined;
}

/** Step 2: the host's products, and those used last. */
export function ProductPicker({ className = '', empty, isFitted = false, ownBlanks }: ProductPickerProps) {
  const editor = useEditor();
  const { recentProducts } = usePorts();
  const { products, finder, failure, retry } = useProducts();
  const recent = useRecent(products);
  const { bed, setBed, favorites } = useMarks();
  const fittingFinder = useMemo(() => (finder && bed ? onBed(finder, bed) : finder), [finder, bed]);
  const fitting = useMemo(
    () => (bed ? products?.filter((product) => isOnBed(product, bed)) : products),
    [bed, products],
  );
  const choice = useProductChoice();
  const machine = useEditorState((state) => state.composition.machine);
  const choose = useCallback(
    (product: Product, variant: Variant | undefined) => {
      chooseProduct(editor, product, variant);
      recentProducts?.remember(product.productId);
    },
    [editor, recentProducts],
  );
  const chooseVariant = useCallback(
    ({ productId }: Product, variant: Variant) => editor.dispatch({ type: 'setVariant', productId, variant }),
    [editor],
  );
  return (
    <ThumbMarksProvider>
      <ProductList
        products={fitting}
        finder={fittingFinder}
        failure={failure}
        onRetry={retry}
        choice={choice}
        machine={machine}
        recent={recent}
        favorites={favorites}
        filter={<BedFilter bed={bed} onChange={setBed} />}
        isFiltered={bed !== undefined}
        empty={bed && products?.length ? 'No print area fits this bed.' : empty}
        ownBlanks={ownBlanks}
        onChoose={choose}
        onVariant={chooseVariant}
        className={className}
        layout={isFitted ? 'fitted' : 'page'}
      />
    </ThumbMarksProvider>
  );
}

/** Returns the product of the composition, with its color and size. The same object while these are the same. */
function useProductChoice(): ProductChoice {
  const productId = useEditorState((state) => state.composition.productId);
  const variant = useEditorState((state) => state.composition.variant);
  return useMemo(() => ({ productId, variant }), [productId, variant]);
}

/** The colors and sizes of the composition's product, where it has some. */
export function ProductVariants({ product, className }: { product: Product; className?: string }) {
  const editor = useEditor();
  const choice = useProductChoice();
  return (
    <VariantPicker
      product={product}
      choice={choice}
      onChoose={(variant) => editor.dispatch({ type: 'setVariant', productId: product.productId, variant })}
      {...(className !== undefined && { className })}
    />
  );
}

/** What the person keeps on this device: the bed, and the favorites. Without such a host there are no favorites. */
function useMarks() {
  const { productMarks: marks } = usePorts();
  const [bed, setBed] = useState(() => marks?.readBed());
  const [ids, setIds] = useState(() => marks?.readFavorites() ?? []);
  const toggle = useCallback(
    (product: Product) => {
      const before = marks?.readFavorites() ?? [];
      const ids = idsOf(product);
      const rest = before.filter((id) => !ids.includes(id));
      const next = rest.length < before.length ? rest : [...before, product.productId];
      marks?.writeFavorites(next);
      setIds(next);
    },
    [marks],
  );
  const favorites = useMemo(() => (marks ? { ids: new Set(ids), toggle } : undefined), [marks, ids, toggle]);
  return {
    bed,
    favorites,
    setBed(next: Bed | undefined) {
      marks?.writeBed(next);
      setBed(next);
    },
  };
}

/** Leaves out what does not fit the bed. */
const onBed = (finder: ProductFinder, bed: Bed): ProductFinder => ({
  ...finder,
  async search(text, after) {
    const { products, next } = await finder.search(text, after);
    return { products: products.filter((product) => isOnBed(product, bed)), next };
  },
});

interface Products {
  readonly products?: readonly Product[];
  /** Present where `products` are only a part of the catalogue. */
  readonly finder?: ProductFinder | undefined;
  readonly failure?: string;
}

async function loadProducts(ports: Ports): Promise<Products> {
  const products = await ports.products();
  const finder = ports.productFinder?.();
  if (!finder) return { products };
  const ids = [...(ports.recentProducts?.read() ?? []), ...(ports.productMarks?.readFavorites() ?? [])];
  return { finder, products: ids.length === 0 ? products : await finder.find(ids) };
}

function useProducts() {
  const ports = usePorts();
  const [state, setState] = useState<Products>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    loadProducts(ports).then(
      (products) => isCurrent && setState(products),
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
  // A list that did not load without a connection loads when it is back.
  const hasFailed = state.failure !== undefined;
  useEffect(() => {
    if (!hasFailed) return;
    const onConnection = () => setAttempt((count) => count + 1);
    addEventListener('online', onConnection);
    return () => removeEventListener('online', onConnection);
  }, [hasFailed]);
  return { ...state, retry };
}

/** Returns the recent products of the time the list loaded, so that rows do not move while one is chosen. */
function useRecent(products: readonly Product[] | undefined): readonly Product[] {
  const { recentProducts } = usePorts();
  return useMemo(
    () =>
      // Two products of earlier versions may be one now.
      [...new Set((products && recentProducts?.read().flatMap((id) => findById(products, id) ?? [])) ?? [])],
    [products, recentProducts],
  );
}
