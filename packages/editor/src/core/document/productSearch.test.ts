import type { Product } from '@markwright/contract/schemas';
import { expect, test } from 'vitest';
import { createProductSearch } from './productSearch.ts';

const product = (name: string, category: string, material = 'other'): Product => ({
  id: name,
  productId: name,
  name,
  category,
  subCategory: '',
  mockupImageUrl: '',
  thumbnails: [],
  dimensions: '1x1',
  printArea: { x: 0, y: 0, width: 1, height: 1 },
  pictureAspect: 1,
  material,
  markColor: '#000000',
  machines: ['laser'],
  surface: { kind: 'flat' },
  variants: { colors: [], sizes: [] },
});

const products = [
  product('20 oz Skinny Tumbler', 'Tumblers', 'stainless'),
  product('30 oz Tumbler', 'Tumblers', 'powder-coat'),
  product('Slate Coaster', 'Coasters', 'slate'),
  product('Brass Key Tag', 'Keychains - Brass', 'brass'),
  product('Crème Brûlée Dish', 'Kitchen', 'ceramic'),
  product('Кружка', 'Mugs', 'ceramic'),
];
const search = createProductSearch(products);
const names = (text: string) => search(text).map(({ name }) => name);

test.each([
  ['tumbler', ['20 oz Skinny Tumbler', '30 oz Tumbler']],
  ['tumblr', ['20 oz Skinny Tumbler', '30 oz Tumbler']],
  ['tubmler', ['20 oz Skinny Tumbler', '30 oz Tumbler']],
  ['coastre', ['Slate Coaster']],
  ['tumbler skinny', ['20 oz Skinny Tumbler']],
  ['skinny tumbler 20', ['20 oz Skinny Tumbler']],
  ['brass', ['Brass Key Tag']],
  ['creme brulee', ['Crème Brûlée Dish']],
  ['круж', ['Кружка']],
  ['stainless', ['20 oz Skinny Tumbler']],
  ['bicycle', []],
  ['(.*', []],
])('“%s” finds %j', (text, expectedNames) => {
  expect(names(text).sort()).toEqual([...expectedNames].sort());
});

test('returns all products in their order for a blank search', () => {
  expect(search('  ')).toBe(products);
});

test('puts the better match first', () => {
  const both = [product('Mugs holder', 'Signs'), product('Mug', 'Mugs')];
  expect(createProductSearch(both)('mug')[0]!.name).toBe('Mug');
});
