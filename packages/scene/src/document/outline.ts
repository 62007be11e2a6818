/** Outlines that a composition holds itself: those of icons, of cut lines, and of what was joined. */
import { MAX_OUTLINE_LENGTH, OUTLINE_REACH } from './limits.ts';

/** Digits, point and sign of a number: more are no measure. */
const MOST_DIGITS = 12;

/**
 * True for an outline that a composition may hold: closed contours in absolute `M L C Z`, each of them with plain
 * decimal numbers within `OUTLINE_REACH` and with an end, and together wider and higher than nothing. Whoever sends a
 * composition may send any text, so this is judged before anything reads it. Cost: linear, without a regular
 * expression.
 */
export function isOutline(d: string): boolean {
  if (d.length === 0 || d.length > MAX_OUTLINE_LENGTH) return false;
  let i = 0;
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const skip = () => {
    while (d[i] === ' ') i++;
  };
  /** Reads a number. Returns false where there is none. */
  const number = (axis: number): boolean => {
    skip();
    const from = i;
    if (d[i] === '-') i++;
    let digits = 0;
    for (; isDigit(d.charCodeAt(i)); i++) digits++;
    if (d[i] === '.') for (i++; isDigit(d.charCodeAt(i)); i++) digits++;
    if (digits === 0 || i - from > MOST_DIGITS) return false;
    const value = Number(d.slice(from, i));
    if (!(Math.abs(value) <= OUTLINE_REACH)) return false;
    low[axis] = Math.min(low[axis]!, value);
    high[axis] = Math.max(high[axis]!, value);
    return true;
  };
  const pairs = (count: number): boolean => {
    for (let n = 0; n < count; n++) if (!number(0) || !number(1)) return false;
    return true;
  };
  while (i < d.length) {
    if (d[i++] !== 'M' || !pairs(1)) return false;
    let segments = 0;
    for (skip(); d[i] !== 'Z'; skip()) {
      const command = d[i++];
      if ((command !== 'L' && command !== 'C') || !pairs(command === 'C' ? 3 : 1)) return false;
      segments++;
    }
    if (segments === 0) return false;
    i++;
    skip();
  }
  return high[0]! > low[0]! && high[1]! > low[1]!;
}

const isDigit = (code: number) => code >= 48 && code <= 57;

/** Returns the characters of all outlines that elements hold. */
export const outlineLength = (elements: readonly { readonly outline?: string | undefined }[]): number =>
  elements.reduce((sum, { outline }) => sum + (outline?.length ?? 0), 0);
