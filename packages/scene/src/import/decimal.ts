/** Numbers of files of a million of them, parsed where they stand: a text for each is garbage at once. */

/** The most digits of a number that are exact in a double. */
const EXACT_DIGITS = 15;
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, k) => 10 ** k);

/**
 * Parses digits with a point or without one, as nearly all numbers are: exact, as so few digits and their division are.
 * Returns undefined for any other text, 0 among them; what `Number` returns for it is then right.
 */
export function parseDecimal(text: string, start: number, end: number): number | undefined {
  const isNegative = text.charCodeAt(start) === 45;
  let units = 0;
  let digits = 0;
  let point = -1;
  for (let i = isNegative ? start + 1 : start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 46 && point < 0) point = i;
    else if (code >= 48 && code <= 57) {
      units = 10 * units + code - 48;
      digits++;
    } else return undefined;
  }
  if (digits < 1 || digits > EXACT_DIGITS || units === 0) return undefined;
  const value = point < 0 ? units : units / POWERS[end - point - 1]!;
  return isNegative ? -value : value;
}

/** True for what `trim` takes away; other characters than those of ASCII are asked for by themselves. */
export const isSpace = (code: number): boolean =>
  code <= 127 ? code === 32 || (code >= 9 && code <= 13) : String.fromCharCode(code).trim() === '';
