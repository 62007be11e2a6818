/** Lists of products as the server gives them: a short one whole, a longer one in pages. */
import { PRODUCTS_PAGE } from '@markwright/contract/words';

interface Row {
  readonly id: string;
}

/** Reads a page: the first, or the one after a product. */
export type ReadPage<T> = (after: string | undefined) => Promise<readonly T[]>;

/**
 * Reads a list, up to this many pages after the first answer. `isWhole` tells whether that is all. A list as long as a
 * page may be a whole one: the next page says so, which then has nothing new.
 */
export async function readList<T extends Row>(
  read: ReadPage<T>,
  pages = Number.POSITIVE_INFINITY,
): Promise<{ readonly products: readonly T[]; readonly isWhole: boolean }> {
  let products = await read(undefined);
  let isWhole = products.length !== PRODUCTS_PAGE;
  for (let page = 0; !isWhole && page < pages; page++) {
    const ids = new Set(products.map(({ id }) => id));
    const fresh = (await read(products.at(-1)!.id)).filter(({ id }) => !ids.has(id));
    products = [...products, ...fresh];
    isWhole = fresh.length < PRODUCTS_PAGE;
  }
  return { products, isWhole };
}

/** Returns the cursor of the page after this one; undefined after the last. */
export const nextOf = (page: readonly Row[]): string | undefined =>
  page.length < PRODUCTS_PAGE ? undefined : page.at(-1)!.id;
