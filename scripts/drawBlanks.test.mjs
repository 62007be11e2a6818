import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seedProducts } from '../apps/server/src/catalogue/seed/products.ts';
import { drawingOf } from '../apps/server/src/catalogue/variants.ts';
import { blanks } from './blanks/catalogue.ts';
import { coatedPictures } from './blanks/coats.ts';

const pictures = new URL('../apps/server/src/catalogue/seed/pictures/', import.meta.url);
/** By the names of the pictures: of products, and of their colors. */
const seeds = new Map(
  seedProducts.flatMap((seed) => [
    [seed.productId, seed],
    ...(seed.variants?.colors ?? []).flatMap(({ picture }) => (picture ? [[drawingOf(picture), seed]] : [])),
  ]),
);

test.each(blanks.map((blank) => [blank.productId, blank]))(
  '%s is drawn as its committed picture, at the scale and with the surface of its product',
  (productId, { draw }) => {
    const drawing = draw();
    expect(drawing.productId).toBe(productId);
    expect(drawing.toSvg() === readFileSync(new URL(`${productId}.svg`, pictures), 'utf8')).toBe(true);
    const { printArea, surface } = seeds.get(productId);
    expect(surface).toEqual(drawing.surface);
    for (const [side, value] of Object.entries(drawing.printArea)) expect(printArea[side]).toBeCloseTo(value, 4);
  },
);

test.each([...coatedPictures])('%s is drawn as its committed picture, with another coat alone', (name, draw) => {
  expect(draw() === readFileSync(new URL(`${name}.svg`, pictures), 'utf8')).toBe(true);
  expect(seeds.has(name)).toBe(true);
});
