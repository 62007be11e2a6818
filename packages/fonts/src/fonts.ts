/**
 * Lists the bundled fonts and chooses the font files that a line of text needs. Data only, so that pages can load it at
 * once: the font parser is elsewhere. Each family comes from its npm package under the OFL-1.1 (Satisfy: Apache-2.0).
 */

export type FontCategoryId = 'basic' | 'bold-sans' | 'script' | 'serif-vintage' | 'stencil';

/** A bundled font family. */
export interface Font {
  readonly name: string;
  /** The name that a text element stores. A font picker may load the files under this CSS family. */
  readonly family: string;
  readonly package: string;
  /** The weights and styles that exist, such as `400-normal`; the first is the regular face. */
  readonly faces: readonly string[];
  /** True when the package has files for Latin Extended, such as ą, ő and ş. */
  readonly hasLatinExt: boolean;
}

export interface FontCategory {
  readonly id: FontCategoryId;
  readonly name: string;
  readonly fonts: readonly Font[];
}

/** One file in the `files` folder of a font package. Its name is unique across all packages. */
export interface FontFile {
  readonly name: string;
  readonly package: string;
}

/** A line of text, as far as the choice of its font files depends on it. */
export interface FontRequest {
  readonly text: string;
  readonly fontFamily: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

const one = ['400-normal'];
const bold = ['400-normal', '700-normal'];
const all = ['400-normal', '700-normal', '400-italic', '700-italic'];

function font(family: string, faces: readonly string[], options: { slug?: string; latinOnly?: boolean } = {}): Font {
  const slug = options.slug ?? family.toLowerCase().replaceAll(' ', '-');
  return { name: family, family, package: `@fontsource/${slug}`, faces, hasLatinExt: !options.latinOnly };
}

export const DEFAULT_FONT_FAMILY = 'Open Sans';

export const fontCategories: readonly FontCategory[] = [
  {
    id: 'basic',
    name: 'Basic',
    fonts: [
      font('Open Sans', all),
      font('Roboto', all),
      font('Lato', all),
      font('Montserrat', all),
      font('Inter', all),
      font('Source Sans 3', all),
      font('Poppins', all),
    ],
  },
  {
    id: 'bold-sans',
    name: 'Bold sans',
    fonts: [
      font('Anton', one),
      font('Archivo Black', one),
      font('Bebas Neue', one),
      font('Oswald', ['500-normal', '700-normal']),
      font('League Spartan', ['700-normal', '900-normal']),
      font('Montserrat Black', ['900-normal', '900-italic'], { slug: 'montserrat' }),
      font('Poppins Black', ['900-normal', '900-italic'], { slug: 'poppins' }),
    ],
  },
  {
    id: 'script',
    name: 'Script',
    fonts: [
      font('Allura', one),
      font('Dancing Script', bold),
      font('Great Vibes', one),
      font('Lobster', one),
      font('Pacifico', one),
      font('Sacramento', one),
      font('Satisfy', one, { latinOnly: true }),
    ],
  },
  {
    id: 'serif-vintage',
    name: 'Serif and vintage',
    fonts: [
      font('Playfair Display', all),
      font('Libre Baskerville', all),
      font('Old Standard TT', ['400-normal', '700-normal', '400-italic']),
      font('Arvo', all, { latinOnly: true }),
      font('Abril Fatface', one),
      font('Cinzel', bold),
      font('Rye', one),
    ],
  },
  {
    id: 'stencil',
    name: 'Stencil',
    fonts: [
      font('Stardos Stencil', bold, { latinOnly: true }),
      font('Big Shoulders Stencil', bold, { slug: 'big-shoulders-stencil-display' }),
      font('Black Ops One', one),
      font('Emblema One', one),
      font('Keania One', one),
      font('Saira Stencil One', one),
      font('Sirin Stencil', one, { latinOnly: true }),
    ],
  },
];

const fontOf = new Map(fontCategories.flatMap((category) => category.fonts).map((entry) => [entry.family, entry]));
const defaultFont = fontOf.get(DEFAULT_FONT_FAMILY)!;

/** True for the family of a bundled font. */
export const isBundled = (family: string): boolean => fontOf.has(family);

/** Returns the font of a family, or the default font when the family is unknown. */
export const findFont = (family: string): Font => fontOf.get(family) ?? defaultFont;

/**
 * Returns the files to load before a line can be outlined, in order of preference. Plain western text needs one file.
 * Other characters add the family's extended file, and then the files of the default family as a fallback.
 */
export function fontFiles(line: FontRequest): readonly FontFile[] {
  const ownFont = findFont(line.fontFamily);
  const isPlain = isPlainLatin(line.text);
  const files = subsetFiles(ownFont, line, isPlain);
  if (isPlain || ownFont === defaultFont) return files;
  return [...files, ...subsetFiles(defaultFont, line, false)];
}

function subsetFiles(source: Font, line: FontRequest, isPlain: boolean): FontFile[] {
  const face = chooseFace(source, line);
  const subsets = isPlain || !source.hasLatinExt ? ['latin'] : ['latin', 'latin-ext'];
  return subsets.map((subset) => fontFile(source, subset, face));
}

function fontFile(source: Font, subset: string, face: string): FontFile {
  return { name: `${source.package.split('/')[1]}-${subset}-${face}.woff2`, package: source.package };
}

/** Returns the existing face nearest to the requested one. No face is slanted or thickened artificially. */
export function chooseFace(source: Font, line: Pick<FontRequest, 'isBold' | 'isItalic'>): string {
  const regular = source.faces[0]!;
  const regularWeight = Number(regular.split('-')[0]);
  const findFace = (weight: (weight: number) => boolean, style: string) =>
    source.faces.find((face) => face.endsWith(style) && weight(Number(face.split('-')[0])));
  const isHeavier = (weight: number) => weight > regularWeight;
  const isRegular = (weight: number) => weight === regularWeight;
  if (line.isBold && line.isItalic) {
    const both = findFace(isHeavier, 'italic') ?? findFace(isHeavier, 'normal');
    if (both) return both;
  }
  return (
    (line.isBold ? findFace(isHeavier, 'normal') : undefined) ??
    (line.isItalic ? findFace(isRegular, 'italic') : undefined) ??
    regular
  );
}

/** True for Latin-1 without `±` and `µ`: the characters that every bundled `latin` file has (a test checks this). */
function isPlainLatin(text: string): boolean {
  for (const char of text) if (char > '\u00ff' || char === '\u00b1' || char === '\u00b5') return false;
  return true;
}

/** Every bundled file: the files that a server must be able to serve. */
export const allFontFiles: readonly FontFile[] = [
  ...new Map(
    fontCategories
      .flatMap((category) => category.fonts)
      .flatMap((entry) =>
        (entry.hasLatinExt ? ['latin', 'latin-ext'] : ['latin']).flatMap((subset) =>
          entry.faces.map((face) => fontFile(entry, subset, face)),
        ),
      )
      .map((file) => [file.name, file]),
  ).values(),
];
