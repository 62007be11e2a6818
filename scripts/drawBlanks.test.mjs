import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seedProducts } from '../apps/server/src/catalogue/seed/products.ts';
import { blanks } from './blanks/catalogue.ts';

const pictures = new URL('../apps/server/src/catalogue/seed/pictures/', import.meta.url);
const seeds = new Map(seedProducts.map((seed) => [seed.productId, seed]));

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
