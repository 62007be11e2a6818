import type { Product } from '@markwright/contract/schemas';
import { describe, expect, it } from 'vitest';
import { createProductSearch } from './productSearch.ts';
import { isOnBed, readSize } from './productSize.ts';

const product = (name: string, dimensions: string, part: Partial<Product> = {}): Product =>
  ({
    id: name,
    name,
    category: 'Blanks',
    subCategory: '',
    dimensions,
    material: 'other',
    machines: ['uv'],
    surface: { kind: 'flat' },
    variants: { colors: [], sizes: [] },
    ...part,
  }) as Product;

const all = [
  product('Coaster', '3.937x3.937', { material: 'slate', machines: ['laser'] }),
  product('Tile', '4x4'),
  product('Tumbler 20 oz', '2.2x5.5', { material: 'stainless', surface: { kind: 'cylinder', diameterMm: 78.7 } }),
  product('Sign', '3x8', { material: 'walnut' }),
  product('Bottle', '1.9x3.8', {
    variants: { colors: [{ name: 'Terracotta', color: '#c06040' }], sizes: [] },
    machines: ['sublimation'],
  }),
];
const find = (text: string) => createProductSearch(all)(text).map(({ name }) => name);

describe('the search by size', () => {
  it.each([
    ['100x100', ['Coaster', 'Tile']],
    ['100 × 100 mm', ['Coaster', 'Tile']],
    ['4x4 in', ['Tile', 'Coaster']],
    ['4x4', ['Tile', 'Coaster']],
    ['8 x 3"', ['Sign']],
    ['20 cm', ['Sign']],
    ['79 mm', ['Tumbler 20 oz', 'Sign']],
    ['slate 100x100', ['Coaster']],
    ['500 mm', []],
  ])('finds “%s”', (text, names) => expect(find(text)).toEqual(names));

  it('takes ounces and numbers alone for words', () => {
    expect(readSize('20 oz')).toBeUndefined();
    expect(readSize('tumbler 20')).toBeUndefined();
    expect(find('20 oz')).toEqual(['Tumbler 20 oz']);
  });
});

it('finds a material, a machine and a color by their words', () => {
  expect(find('stainless steel')).toEqual(['Tumbler 20 oz']);
  expect(find('wood')).toEqual(['Sign']);
  expect(find('sublimation')).toEqual(['Bottle']);
  expect(find('terracotta')).toEqual(['Bottle']);
});

it('knows what fits a bed, lying or upright', () => {
  const names = (widthMm: number, heightMm: number) =>
    all.filter((each) => isOnBed(each, { widthMm, heightMm })).map(({ name }) => name);
  expect(names(100, 100)).toEqual(['Coaster', 'Bottle']);
  expect(names(210, 80)).toEqual(['Tumbler 20 oz', 'Sign', 'Bottle']);
});
