/** Floors under the quality of the drawings, on four of our own pictures: far enough below what is reached that only a real loss fails. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Art, makeInput, type Variant } from '../bench/art.ts';
import { judge, readOriginal } from '../bench/judge.ts';
import { vectorize, writeSvg } from '../src/index.ts';

const WIDTH = 192;

function load(name: string): Art {
  const svg = readFileSync(new URL(`fixtures/${name}.svg`, import.meta.url), 'utf8');
  return { name, kind: 'clip', source: 'own', svg, unitsWide: 256, width: WIDTH };
}

/** Picture, input, most edge error in px, least F-score within ¼ px, most colour error, most segments and colours × the original's. */
const FLOORS: [string, Variant, number, number, number, number, number][] = [
  ['badge', 'clean', 0.06, 0.97, 0.1, 1.6, 1],
  ['badge', 'scan', 0.12, 0.9, 0.3, 1.8, 1],
  ['leaf', 'clean', 0.1, 0.95, 0.15, 1.8, 1],
  ['leaf', 'jpeg', 0.12, 0.93, 0.3, 2, 1],
  ['monogram', 'clean', 0.02, 0.99, 0.05, 1.2, 1],
  ['monogram', 'scan', 0.09, 0.95, 0.3, 1.5, 1],
  ['pennant', 'clean', 0.02, 0.99, 0.05, 1.6, 1],
  ['pennant', 'jpeg', 0.09, 0.95, 0.4, 2.5, 1],
];

test.each(FLOORS)('%s, %s', async (name, variant, edge, f25, color, segments, colors) => {
  const original = readOriginal(load(name));
  const found = judge(writeSvg(vectorize(await makeInput(original.art, variant))), original);
  if (process.env.SHOW_QUALITY) console.log(name, variant, found);
  expect(found.edge).toBeLessThan(edge);
  expect(found.f25).toBeGreaterThan(f25);
  expect(found.color).toBeLessThan(color);
  expect(found.segmentsRatio).toBeLessThan(segments);
  expect(found.colorsRatio).toBe(colors);
  expect([found.crossings, found.specks]).toEqual([0, 0]);
});
