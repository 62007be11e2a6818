/** Finds products as somebody types, forgiving a slip of the finger in each word. */
import uFuzzy from '@leeoniya/ufuzzy';
import type { Product } from '@markwright/contract/schemas';

const fuzzy = new uFuzzy({
  // Names in every script, as the library's notes on Unicode have it.
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
  // Tolerates one letter that is wrong, missing, doubled or swapped in a word.
  intraMode: 1,
});

/** Words may stand in any order; this many are tried in every one. */
const MOST_WORDS = 4;

/**
 * Builds a search over name, category, sub-category and material. The function it returns finds the products for a
 * text, the best match first, and returns all of them in their own order for a blank one. A search over 2,000 products
 * takes a few milliseconds.
 */
export function createProductSearch(products: readonly Product[]): (text: string) => readonly Product[] {
  const haystack = uFuzzy.latinize(
    products.map(({ name, category, subCategory, material }) => `${name} ${category} ${subCategory} ${material}`),
  );
  return (text) => {
    const needle = uFuzzy.latinize(text.trim());
    if (needle === '') return products;
    const [indexes, info, order] = fuzzy.search(haystack, needle, MOST_WORDS, Number.POSITIVE_INFINITY);
    const sortedIndexes = info && order ? order.map((at) => info.idx[at]!) : (indexes ?? []);
    return sortedIndexes.map((index) => products[index]!);
  };
}
