import type { OrderedThing } from '@markwright/contract/schemas';
import { expect, test } from 'vitest';
import { partsOf } from './words.ts';

const size = (widthMm: number, heightMm: number) => ({ widthMm, heightMm });
const mug: OrderedThing = {
  productName: 'Mug',
  machine: 'uv',
  area: size(76.2, 50.8),
  design: size(24.12, 25),
  texts: [{ ...size(30, 6), text: 'Oak\n& Ash', font: 'Lora' }],
};

test('names each part of an order with its size in millimeters and inches', () => {
  expect(partsOf(mug)).toEqual([
    ['Picture', '24.1 × 25 mm (0.95 × 0.98 in)'],
    ['“Oak / & Ash” in Lora', '30 × 6 mm (1.18 × 0.24 in)'],
    ['Print area', '76.2 × 50.8 mm (3 × 2 in)'],
  ]);
  expect(partsOf({ ...mug, design: null, texts: [] })).toHaveLength(1);
});

test('numbers several pictures', () => {
  const names = partsOf({ ...mug, otherDesigns: [size(10, 10), size(12, 8)] }).map(([name]) => name);
  expect(names.slice(0, 3)).toEqual(['Picture 1', 'Picture 2', 'Picture 3']);
});
