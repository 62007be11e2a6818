import { MAX_VARIANT_NAME } from '@markwright/scene';
import { expect, test } from 'vitest';
import { BLANK_LIMITS } from './blanks.ts';
import { chosenVariant, findById, usualVariant, withVariant } from './variants.ts';

const tee = {
  id: 'row-1',
  productId: 'tee-white',
  name: 'T-Shirt',
  dimensions: '10x12',
  printArea: { x: 0.25, y: 0.2, width: 0.5, height: 0.6, shape: { kind: 'ellipse' } },
  pictureAspect: 1,
  material: 'cotton',
  markColor: '#3b3b3b',
  variants: {
    colors: [
      { name: 'Black', color: '#000000', markColor: '#bbbbbb', material: 'other', formerId: 'tee-black' },
      { name: 'White', color: '#ffffff', formerId: 'tee-white' },
    ],
    sizes: [{ name: 'S', dimensions: '8x9.6' }, { name: 'L' }, { name: 'Long', dimensions: '10x15' }],
  },
};
const plain = { ...tee, id: 'row-2', productId: 'mug', variants: { colors: [], sizes: [] } };
const choose = (choice: Parameters<typeof chosenVariant>[1]) => withVariant(tee, chosenVariant(tee, choice));

test('a product is found by its own ids first, and by the id of a product that became one of its colors', () => {
  const stillThere = { ...plain, productId: 'tee-black' };
  expect(findById([tee, plain], 'tee-black')).toBe(tee);
  expect(findById([tee, stillThere], 'tee-black')).toBe(stillThere);
  expect(findById([tee, plain], 'row-1')).toBe(tee);
  expect([findById([tee], 'gone'), findById([tee], null), findById([tee], undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a color and a size change the name, material, mark and dimensions, and nothing else', () => {
  expect(choose({ productId: 'tee-white', variant: { color: 'Black', size: 'S' } })).toEqual({
    ...tee,
    name: 'T-Shirt, Black, S',
    dimensions: '8x9.6',
    material: 'other',
    markColor: '#bbbbbb',
  });
  expect(choose({ productId: 'tee-white', variant: { color: 'white', size: 'L' } })).toEqual({
    ...tee,
    name: 'T-Shirt, White, L',
  });
});

test('an id of an earlier product is its color, unless the composition says another one', () => {
  expect(choose({ productId: 'tee-black' }).name).toBe('T-Shirt, Black');
  expect(choose({ productId: 'tee-white' }).name).toBe('T-Shirt, White');
  expect(choose({ productId: 'tee-black', variant: { color: 'White' } }).name).toBe('T-Shirt, White');
  expect(choose({ productId: 'tee-black', variant: { size: 'S' } }).name).toBe('T-Shirt, Black, S');
});

test('a product without a choice is the very same', () => {
  expect(choose({ productId: 'row-1' })).toBe(tee);
  expect(withVariant(plain, chosenVariant(plain, { productId: 'mug' }))).toBe(plain);
  const { variants: _none, ...stored } = tee;
  expect(withVariant(stored, chosenVariant(stored, { productId: 'tee-white' }))).toBe(stored);
});

test('a size of another shape has the largest such area in the product’s, around the same middle', () => {
  const { printArea } = choose({ variant: { size: 'Long' } });
  expect(printArea).toEqual({
    x: expect.closeTo(0.3),
    y: expect.closeTo(0.2),
    width: expect.closeTo(0.4),
    height: expect.closeTo(0.6),
    shape: { kind: 'ellipse' },
  });
});

test('what the product does not have is missing, in a sentence', () => {
  expect(chosenVariant(tee, { variant: { color: 'Mauve' } }).missing).toBe(
    'There is no color “Mauve” of “T-Shirt”. Please choose another one.',
  );
  expect(chosenVariant(tee, { variant: { color: 'White', size: 'XXL' } }).missing).toBe(
    'There is no size “XXL” of “T-Shirt”. Please choose another one.',
  );
  expect(chosenVariant(plain, { variant: { size: 'S' } }).missing).toMatch('no size “S”');
});

test('the usual variant is the product as it is', () => {
  expect(usualVariant(tee)).toEqual({ color: 'White', size: 'L' });
  const [black] = tee.variants.colors;
  expect(usualVariant({ ...tee, productId: 'tee-black' })).toEqual({ color: 'Black', size: 'L' });
  expect(usualVariant({ ...tee, variants: { colors: [black!], sizes: [] } })).toEqual({ color: 'Black' });
  expect(usualVariant(plain)).toBeUndefined();
});

test('a name of a variant may be as long in a composition as in a product', () => {
  expect(MAX_VARIANT_NAME).toBe(BLANK_LIMITS.labelLength);
});
