/** What a material shows of what is burnt, and the curve that makes up for it. */
import { levelOf, lightOf } from './light.ts';
import type { Gray } from './picture.ts';
import { applyLevels } from './tone.ts';

/** Steps of the test card, and of a curve. */
export const WEDGE_STEPS = 20;

/**
 * What is seen of each step of the test card, from bare to all burnt, in any even measure of lightness: levels of a
 * scan, or shares. Step k burns k / 19 of its area. Only the position between the first value and the last one counts,
 * so that a material that marks light may be measured the same way.
 */
export type ToneCurve = readonly number[];

/** The surface of a material and its mark. */
export interface MarkColors {
  /** `#rrggbb`. */
  readonly bare: string;
  readonly mark: string;
}

/** Reads `#rrggbb` as luminance, 0..1. Throws a RangeError for anything else. */
export function luminanceOf(color: string): number {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (!match) throw new RangeError(`A color is written as #rrggbb, not as ${color}.`);
  const [red, green, blue] = match.slice(1).map((part) => lightOf(Number.parseInt(part, 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Returns the curve of a material that nobody has measured. Dots grow by `dotGain` of the area where half is burnt, as
 * heat spreads (the curve of growth is a parabola), and the eye sees the mean of the light of mark and surface (Murray
 * and Davies 1936). `dotGain` is 0..0.25.
 */
export function modelToneCurve({ bare, mark }: MarkColors, dotGain: number): ToneCurve {
  const [from, to] = [luminanceOf(bare), luminanceOf(mark)];
  return Array.from({ length: WEDGE_STEPS }, (_, step) => {
    const share = step / (WEDGE_STEPS - 1);
    const area = share + 4 * dotGain * share * (1 - share);
    return Math.round(1000 * levelOf(from + (to - from) * area)) / 1000;
  });
}

/**
 * Turns a picture of tones as they should be seen, from 255 for bare to 0 for all burnt, into the shares to burn. Bare
 * stays bare, and black is burnt all over. Small errors of measurement, by which a step looks lighter than the one
 * before, are averaged out (isotonic regression). Throws a RangeError for a curve that has not 20 numbers, or whose
 * last step looks like the first.
 */
export function applyToneCurve(gray: Gray, curve: ToneCurve): Gray {
  const visible = shareOfContrast(curve);
  const table = new Uint8Array(256);
  for (let level = 0, k = 0; level < 256; level++) {
    const wish = level / 255;
    while (k < WEDGE_STEPS - 2 && visible[k + 1] < wish) k++;
    const rise = visible[k + 1] - visible[k];
    const t = rise > 0 ? Math.min(1, Math.max(0, (wish - visible[k]) / rise)) : 0;
    table[255 - level] = 255 - Math.round((255 * (k + t)) / (WEDGE_STEPS - 1));
  }
  table[0] = 0;
  table[255] = 255;
  return applyLevels(gray, table);
}

/** Returns how much of the material's contrast each step shows, from 0 to 1, never less than the step before. */
function shareOfContrast(curve: ToneCurve): number[] {
  if (curve.length !== WEDGE_STEPS || !curve.every(Number.isFinite)) {
    throw new RangeError(`A tone curve has ${WEDGE_STEPS} numbers, one for each step of the test card.`);
  }
  const contrast = curve[WEDGE_STEPS - 1] - curve[0];
  if (contrast === 0) throw new RangeError('The last step of the test card must look different from bare material.');
  // Neighbors that fall are pooled to their mean.
  const pools: { sum: number; count: number }[] = [];
  for (const value of curve) {
    let pool = { sum: (value - curve[0]) / contrast, count: 1 };
    for (let last = pools.at(-1); last && last.sum / last.count > pool.sum / pool.count; last = pools.at(-1)) {
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count };
      pools.pop();
    }
    pools.push(pool);
  }
  const steps = pools.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
  const [low, high] = [steps[0], steps[WEDGE_STEPS - 1]];
  return steps.map((value) => (value - low) / (high - low));
}
