/** Sizes of products: found by their length, and whether a print area fits a machine's bed. */
import type { Product } from '@markwright/contract/schemas';
import { parseDimensions } from '@markwright/contract/words';
import { MM_PER_INCH } from './inches.ts';

/** A size as somebody types it, and the words around it. */
export interface TypedSize {
  /** One length or two, each in all units that it may have, mm. */
  readonly lengths: readonly (readonly number[])[];
  readonly rest: string;
}

/** Of a machine, mm. */
export interface Bed {
  readonly widthMm: number;
  readonly heightMm: number;
}

const PAIR =
  /(\d+(?:[.,]\d+)?)\s*(mm|cm|inches|inch|in|"|″)?\s*(?:x|×|\*|by)\s*(\d+(?:[.,]\d+)?)\s*(mm|cm|inches|inch|in|"|″)?(?![a-z0-9])/i;
const ONE = /(\d+(?:[.,]\d+)?)\s*(mm|cm|inches|inch|in|"|″)(?![a-z0-9])/i;

/** Reads `100x100`, `4 × 4 in` or `90 mm`. Undefined for a text without one; a number alone is none. */
export function readSize(text: string): TypedSize | undefined {
  const pair = PAIR.exec(text);
  if (pair) {
    const [whole, a, firstUnit, b, lastUnit] = pair;
    const unit = lastUnit ?? firstUnit;
    return { lengths: [toMm(a!, firstUnit ?? unit), toMm(b!, unit)], rest: without(text, whole) };
  }
  const one = ONE.exec(text);
  return one ? { lengths: [toMm(one[1]!, one[2])], rest: without(text, one[0]) } : undefined;
}

const without = (text: string, part: string) => text.replace(part, ' ').trim();

/** Without a unit a length may be in mm and in inches. */
function toMm(text: string, unit: string | undefined): readonly number[] {
  const value = Number(text.replace(',', '.'));
  switch (unit?.toLowerCase()) {
    case undefined:
      return [value, value * MM_PER_INCH];
    case 'mm':
      return [value];
    case 'cm':
      return [10 * value];
    default:
      return [value * MM_PER_INCH];
  }
}

/** A length is about another one within this share, and at least within this many mm. */
const ABOUT = 0.04;
const ABOUT_MM = 1.5;

/**
 * Returns how far a product is from a size, as a share; undefined where it is another one. A pair is compared with the
 * print area, lying or upright; a single length with its sides and with the diameters of a round blank.
 */
export function closenessTo({ lengths }: TypedSize, product: Product): number | undefined {
  const { width, height } = areaOf(product);
  const [first, second] = lengths;
  if (!second) {
    const sides = [width, height, ...diametersOf(product)];
    return least(sides.map((side) => away(first!, side)));
  }
  const both = (a: number, b: number) => {
    const [x, y] = [away(first!, a), away(second, b)];
    return x === undefined || y === undefined ? undefined : x + y;
  };
  return least([both(width, height), both(height, width)]);
}

function away(lengths: readonly number[], side: number): number | undefined {
  return least(
    lengths.map((length) => {
      const miss = Math.abs(length - side);
      return miss <= Math.max(ABOUT_MM, ABOUT * length) ? miss / length : undefined;
    }),
  );
}

const least = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce((min, value) => (value !== undefined && (min === undefined || value < min) ? value : min), undefined);

function areaOf({ dimensions }: Product): { width: number; height: number } {
  const { widthInches, heightInches } = parseDimensions(dimensions);
  return { width: widthInches * MM_PER_INCH, height: heightInches * MM_PER_INCH };
}

function diametersOf({ surface }: Product): readonly number[] {
  if (surface?.kind === 'cylinder') return [surface.diameterMm];
  return surface?.kind === 'cone' ? [surface.topDiameterMm, surface.bottomDiameterMm] : [];
}

/** True when the print area of a product fits a bed, lying or upright. */
export function isOnBed(product: Product, { widthMm, heightMm }: Bed): boolean {
  const { width, height } = areaOf(product);
  const fits = (w: number, h: number) => w <= widthMm + 0.05 && h <= heightMm + 0.05;
  return fits(width, height) || fits(height, width);
}
