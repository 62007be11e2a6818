/** Names of the files that people download. */

/** The ending of each kind of file. */
const endings = { production: '_production.svg', png: '_preview.png', customSvg: '_engraving-design.svg' } as const;
const MAX_LENGTH = 150;

/**
 * Returns the specified name of an exported file: the name of the product, or of the uploaded picture without its
 * extension, with underscores: `Slate_Coaster_production.svg`. Every run of other characters than letters, digits,
 * points and hyphens is one underscore, so that the name is valid in any file system and address.
 */
export function exportFilename(
  {
    productName,
    designFilename,
  }: { readonly productName?: string | undefined; readonly designFilename?: string | undefined },
  kind: keyof typeof endings,
): string {
  const label = productName ?? designFilename?.replace(/\.[^.]*$/, '') ?? '';
  const name = label
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}.-]+/gu, '_')
    .slice(0, MAX_LENGTH)
    .replace(/^_+|_+$/g, '');
  return `${name || 'design'}${endings[kind]}`;
}
