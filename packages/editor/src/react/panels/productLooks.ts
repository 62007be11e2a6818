/** How the cards of products look: plain, in the color that a search names, or in what was chosen. */
import type { Product } from '@markwright/contract/schemas';
import { chosenVariant, type ProductChoice, toVariant, usualVariant } from '@markwright/contract/words';
import type { Variant } from '@markwright/scene';
import { useMemo } from 'react';
import { inVariant } from '../../core/ports.ts';

interface Look {
  /** The product in the color and size that its card shows. */
  readonly shownProduct: Product;
  /** What choosing the card chooses. */
  readonly variant: Variant | undefined;
  readonly isChosen: boolean;
}

/** Returns the look of a product, the same one until choice or search change. */
export function useLooks(
  { productId, variant }: ProductChoice,
  chosenProduct: Product | undefined,
  query: string,
): (product: Product) => Look {
  return useMemo(() => {
    const looks = new Map<Product, Look>();
    const choice = { productId, variant };
    return (product) => {
      const isChosen = product.id === chosenProduct?.id;
      const look = looks.get(product) ?? (isChosen ? lookOfChosen(product, choice) : lookOf(product, query));
      looks.set(product, look);
      return look;
    };
  }, [chosenProduct, productId, variant, query]);
}

const lookOfChosen = (product: Product, choice: ProductChoice): Look => ({
  shownProduct: inVariant(product, choice),
  variant: toVariant(chosenVariant(product, choice)),
  isChosen: true,
});

/** A size stays unsaid until the product is chosen. */
function lookOf(product: Product, query: string): Look {
  const usual = usualVariant(product);
  const color = query && findNamedColor(product, query)?.name;
  if (!color) return { shownProduct: product, variant: usual, isChosen: false };
  const shownProduct = inVariant(product, { productId: product.productId, variant: { color } });
  return { shownProduct, variant: { ...usual, color }, isChosen: false };
}

/** Returns the color that a search names in all its words; of several, the one with the longest name. */
export function findNamedColor({ variants }: Pick<Product, 'variants'>, query: string) {
  const words = new Set(query.toLowerCase().split(/[\s,]+/));
  const isNamed = (name: string) =>
    name
      .toLowerCase()
      .split(/\s+/)
      .every((word) => words.has(word));
  return variants.colors.filter(({ name }) => isNamed(name)).toSorted((a, b) => b.name.length - a.name.length)[0];
}
