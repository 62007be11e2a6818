/**
 * Least quality of the drawings of four pictures. The limits are far enough below the current values that only a real
 * loss fails.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeInput, type Variant } from '../bench/art.ts';
import { judge, type Original, readOriginal } from '../bench/judge.ts';
import { vectorize, writeSvg } from '../src/index.ts';

const WIDTH = 192;

const originals = new Map<string, Original>();

function load(name: string): Original {
  const cachedOriginal = originals.get(name);
  if (cachedOriginal) return cachedOriginal;
  const svg = readFileSync(new URL(`fixtures/${name}.svg`, import.meta.url), 'utf8');
  const original = readOriginal({ name, kind: 'clip', source: 'own', svg, unitsWide: 256, width: WIDTH });
  originals.set(name, original);
  return original;
}

/**
 * Largest edge error in px, least F-score within ¼ px, largest color error, number of segments relative to the
 * original, crossings and specks, and least relative number of colors.
 */
interface Floor {
  edge: number;
  f25: number;
  color: number;
  segments: number;
  colors?: number;
  crossings?: number;
  specks?: number;
}

const FLOORS: [string, Variant, Floor][] = [
  ['badge', 'clean', { edge: 0.05, f25: 0.98, color: 0.12, segments: 2 }],
  ['badge', 'scan', { edge: 0.08, f25: 0.96, color: 0.2, segments: 2, colors: 0.8 }],
  ['leaf', 'clean', { edge: 0.06, f25: 0.97, color: 0.1, segments: 3.5 }],
  ['leaf', 'jpeg', { edge: 0.09, f25: 0.95, color: 0.12, segments: 4 }],
  ['monogram', 'clean', { edge: 0.01, f25: 0.99, color: 0.03, segments: 1.2 }],
  ['monogram', 'scan', { edge: 0.04, f25: 0.98, color: 0.1, segments: 1.5 }],
  ['pennant', 'clean', { edge: 0.03, f25: 0.98, color: 0.1, segments: 2.5 }],
  ['pennant', 'jpeg', { edge: 0.2, f25: 0.85, color: 0.7, segments: 5, specks: 1 }],
];

test.each(FLOORS)(
  '%s, %s',
  async (name, variant, { edge, f25, color, segments, colors = 1, crossings = 0, specks = 0 }) => {
    const original = load(name);
    const scores = judge(writeSvg(vectorize(await makeInput(original.art, variant))), original);
    expect(scores.edge).toBeLessThan(edge);
    expect(scores.f25).toBeGreaterThan(f25);
    expect(scores.color).toBeLessThan(color);
    expect(scores.segmentsRatio).toBeLessThan(segments);
    expect(scores.colorsRatio).toBeGreaterThanOrEqual(colors);
    expect(scores.colorsRatio).toBeLessThanOrEqual(1);
    expect(scores.crossings).toBeLessThanOrEqual(crossings);
    expect(scores.specks).toBeLessThanOrEqual(specks);
  },
);
