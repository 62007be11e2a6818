import type { Product } from '@markwright/contract';

/** What a work without a name is called: `Untitled Slate Coaster`. */
export function untitled(productId: string | null | undefined, products: readonly Product[] | undefined): string {
  const product = products?.find((candidate) => candidate.productId === productId || candidate.id === productId);
  // What follows a comma is its colour or size.
  return `Untitled ${product?.name.split(',')[0] ?? 'design'}`;
}
