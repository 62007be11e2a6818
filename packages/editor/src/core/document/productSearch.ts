/** Finds products as somebody types, forgiving a slip of the finger in each word. Sizes are found by their length. */
import type { Product } from '@markwright/contract/schemas';
import { closenessTo, readSize } from './productSize.ts';
import { createWordSearch } from './wordSearch.ts';

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
  const search = createWordSearch(products.map(toWords));
  const findWords = (text: string): readonly Product[] =>
    text.trim() === '' ? products : search(text).map((index) => products[index]!);
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
