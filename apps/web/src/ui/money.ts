/** Formats money of whole cents as text, and reads it back. */

/** Formats cents of a currency: `$12.50`, `€1,240.00`. */
export const formatMoney = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);

/**
 * Reads a typed price as cents: with a comma or a point, with or without a currency sign before it. Returns null for
 * blank text and undefined for text that is no price.
 */
export function readMoney(text: string): number | null | undefined {
  const plain = text.replace(/[\s$€£]/g, '').replace(',', '.');
  if (plain === '') return null;
  return /^\d{1,6}(?:\.\d{0,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : undefined;
}
