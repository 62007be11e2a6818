/** A tone curve while it is edited: numbers from a paste box, and its drawing. */
import { TONE_CURVE } from '@markwright/contract/words';

/** Returns the numbers in a text, whatever parts them. A decimal comma counts where spaces do. */
export function readNumbers(text: string): number[] {
  const hasSpaces = /\d\s+-?\d/.test(text.trim());
  const parts = text.trim().split(hasSpaces ? /[\s;]+/ : /[\s;,]+/);
  return parts.map((part) => Number(part.replace(/,$/, '').replace(',', '.') || Number.NaN)).filter(Number.isFinite);
}

/** Returns what is wrong with the numbers of a curve, as a sentence; undefined for a curve that can be stored. */
export function findProblem(curve: readonly number[]): string | undefined {
  const { steps, min, max } = TONE_CURVE;
  if (curve.length !== steps) {
    return `${curve.length === 1 ? '1 number' : `${curve.length} numbers`}, and ${steps} are needed: one for each patch.`;
  }
  if (curve.some((value) => value < min || value > max))
    return `Each number is from ${min} to ${max.toLocaleString('en')}.`;
  if (curve[0] === curve[steps - 1]) return 'Patch 20 must look different from patch 1, which is bare.';
  return undefined;
}

/** Returns how much of the contrast each patch shows, 0 for patch 1 and 1 for patch 20; empty without contrast. */
export function sharesOf(curve: readonly number[]): number[] {
  const [first = 0, last = 0] = [curve[0], curve.at(-1)];
  return first === last ? [] : curve.map((value) => (value - first) / (last - first) + 0);
}

/** Returns the decimals that show every number of a curve, at most 3. */
export const decimalsOf = (curve: readonly number[]): number =>
  curve.every(Number.isInteger) ? 0 : curve.every((value) => Number.isInteger(value * 10)) ? 1 : 3;
