/** Money in the words of the pages: whole cents in, text out, and back. */

/** `$12.50`, `€1,240.00` */
export const formatMoney = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);

/**
 * The cents somebody typed: comma or point, with or without a sign before it. Null for nothing; undefined for what is
 * no price.
 */
export function readMoney(text: string): number | null | undefined {
  const plain = text.replace(/[\s$€£]/g, '').replace(',', '.');
  if (plain === '') return null;
  return /^\d{1,6}(?:\.\d{0,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : undefined;
}
