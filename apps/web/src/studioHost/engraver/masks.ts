/** The masks of engravings by their addresses: the page's policy lets nothing fetch an address of its own memory. */

const masks = new Map<string, Blob>();

/** Returns a new address of a PNG in memory, for a drawing. It lasts until `releaseMask`. */
export function keepMask(bytes: Uint8Array<ArrayBuffer>): string {
  const blob = new Blob([bytes], { type: 'image/png' });
  const href = URL.createObjectURL(blob);
  masks.set(href, blob);
  return href;
}

export function releaseMask(href: string): void {
  masks.delete(href);
  URL.revokeObjectURL(href);
}

/** Returns the PNG of an address; undefined for any other address. */
export const findMask = (href: string): Blob | undefined => masks.get(href);
