import { expect, test } from 'vitest';
import { findNamedColor } from './productLooks.ts';

const variants = {
  colors: ['Black', 'Matte Black', 'Heather Gray'].map((name) => ({ name, color: '#000000' })),
  sizes: [],
};

test.each([
  ['matte black tumbler', 'Matte Black'],
  ['Tumbler, BLACK', 'Black'],
  ['heather', undefined],
  ['tumbler', undefined],
  ['gray heather', 'Heather Gray'],
])('the search “%s” names the color %s', (query, name) => {
  expect(findNamedColor({ variants }, query)?.name).toBe(name);
});
