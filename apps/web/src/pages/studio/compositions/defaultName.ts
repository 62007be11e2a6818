import type { Product } from '@markwright/contract/schemas';
import { findById } from '@markwright/contract/words';

/** Returns what a composition without a name is called: `Untitled Slate Coaster`. */
export function defaultName(productId: string | null | undefined, products: readonly Product[] | undefined): string {
  const product = products && findById(products, productId);
  // A product's color or size follows a comma.
  return `Untitled ${product?.name.split(',')[0] ?? 'design'}`;
}
