/** When two names are alike: of columns, and of pictures. */

/**
 * Names of columns are alike without case, spaces, underlines, hyphens and braces: “First name” is “first_name”. Braces
 * could not stand in a placeholder.
 */
export const toColumnKey = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_{}-]+/gu, '');

/** The endings of files that people call a picture by, also in a list that was written for other files of it. */
const ENDING = /\.(?:png|jpe?g|svg|webp|gif|bmp|tiff?|ai|eps|pdf|dxf|lbrn2?)$/iu;

/**
 * Names of pictures are alike without folders and ending, and as names of columns are: “Logos/Acme Inc.png” is
 * “acme-inc”. Empty for a name that has nothing else.
 */
export const toPictureKey = (name: string): string =>
  toColumnKey(
    name
      .trim()
      .replace(/^.*[\\/]/su, '')
      .replace(ENDING, ''),
  );
