/** Finds products as somebody types, forgiving a slip of the finger in each word. Sizes are found by their length. */
import uFuzzy from '@leeoniya/ufuzzy';
import type { Product } from '@markwright/contract/schemas';
import { closenessTo, readSize } from './productSize.ts';

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

/** What people type for a material, besides its own word. */
const materialWords: Readonly<Record<string, string>> = {
  stainless: 'stainless steel metal',
  'powder-coat': 'powder coated metal',
  brass: 'brass metal',
  aluminium: 'aluminium aluminum metal',
  walnut: 'walnut wood',
  maple: 'maple wood',
  slate: 'slate stone',
  acrylic: 'acrylic glass',
  cotton: 'cotton textile',
};

/**
 * Builds a search over name, category, sub-category, material, colors, machines and size. The function it returns finds
 * the products for a text, the best match first, and returns all of them in their own order for a blank one. A search
 * over 2,000 products takes a few milliseconds.
 */
export function createProductSearch(products: readonly Product[]): (text: string) => readonly Product[] {
  const haystack = uFuzzy.latinize(products.map(toWords));
  const findWords = (text: string): readonly Product[] => {
    const needle = uFuzzy.latinize(text.trim());
    if (needle === '') return products;
    const [indexes, info, order] = fuzzy.search(haystack, needle, MOST_WORDS, Number.POSITIVE_INFINITY);
    const sortedIndexes = info && order ? order.map((at) => info.idx[at]!) : (indexes ?? []);
    return sortedIndexes.map((index) => products[index]!);
  };
  return (text) => {
    const size = readSize(text);
    if (!size) return findWords(text);
    const bySize = findWords(size.rest)
      .map((product) => ({ product, away: closenessTo(size, product) }))
      .filter(({ away }) => away !== undefined)
      .sort((a, b) => a.away! - b.away!)
      .map(({ product }) => product);
    // A size may also stand in a name.
    return [...new Set([...bySize, ...findWords(text)])];
  };
}

const toWords = ({ name, category, subCategory, material, machines, variants }: Product): string =>
  [
    name,
    category,
    subCategory,
    materialWords[material] ?? material,
    ...(variants?.colors ?? []).map((color) => color.name),
    ...(machines ?? []),
  ].join(' ');
