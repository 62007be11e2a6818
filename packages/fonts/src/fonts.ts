/**
 * Lists the bundled fonts and chooses the font files that a line of text needs. Data only, so that pages can load it at
 * once: the font parser is elsewhere. A family comes from its npm package under the OFL-1.1 (Satisfy: Apache-2.0), or,
 * where its letters are single lines, from `singleLine` beside this folder, whose licenses lie there.
 */

export type FontCategoryId = 'basic' | 'bold-sans' | 'script' | 'serif-vintage' | 'stencil' | 'single-line';

/** A bundled font family. */
export interface Font {
  readonly name: string;
  /** The name that a text element stores. A font picker may load the files under this CSS family. */
  readonly family: string;
  readonly package: string;
  /** The weights and styles that exist, such as `400-normal`; the first is the regular face. */
  readonly faces: readonly string[];
  /** Words by which somebody looks for it, besides those of its category: `slab`, `wedding`. */
  readonly looks: string;
  /** True when the package has files for Latin Extended, such as ą, ő and ş. */
  readonly hasLatinExt: boolean;
  /** True when its letters are strokes that a tool follows, and no outlines. */
  readonly isSingleLine: boolean;
}

export interface FontCategory {
  readonly id: FontCategoryId;
  readonly name: string;
  readonly fonts: readonly Font[];
}

/**
 * One file in the `files` folder of a font package. Its name is unique across all packages. The file of an account's
 * own font has its family as its name, and no package.
 */
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
const withItalic = ['400-normal', '400-italic'];
const all = ['400-normal', '700-normal', '400-italic', '700-italic'];

interface FontOptions {
  readonly slug?: string;
  readonly latinOnly?: boolean;
  readonly looks: string;
}

function font(family: string, faces: readonly string[], { slug, latinOnly, looks }: FontOptions): Font {
  const folder = slug ?? family.toLowerCase().replaceAll(' ', '-');
  return {
    name: family,
    family,
    package: `@fontsource/${folder}`,
    faces,
    looks,
    hasLatinExt: !latinOnly,
    isSingleLine: false,
  };
}

/** The package of the files in `singleLine`. */
export const OWN_PACKAGE = '@markwright/fonts';

const singleLine = (family: string, faces: readonly string[], looks: string): Font => ({
  ...{ name: family, family, package: OWN_PACKAGE, faces, looks: `engraving scoring stroke ${looks}` },
  ...{ hasLatinExt: false, isSingleLine: true },
});

export const DEFAULT_FONT_FAMILY = 'Open Sans';

export const fontCategories: readonly FontCategory[] = [
  {
    id: 'basic',
    name: 'Basic',
    fonts: [
      font('Open Sans', all, { looks: 'neutral' }),
      font('Roboto', all, { looks: 'neutral' }),
      font('Lato', all, { looks: 'neutral' }),
      font('Montserrat', all, { looks: 'geometric' }),
      font('Inter', all, { looks: 'neutral' }),
      font('Source Sans 3', all, { looks: 'neutral' }),
      font('Poppins', all, { looks: 'geometric round' }),
    ],
  },
  {
    id: 'bold-sans',
    name: 'Bold sans',
    fonts: [
      font('Anton', one, { looks: 'condensed poster' }),
      font('Archivo Black', one, { looks: 'heavy' }),
      font('Bebas Neue', one, { looks: 'condensed poster capitals' }),
      font('Oswald', ['500-normal', '700-normal'], { looks: 'condensed' }),
      font('League Spartan', ['700-normal', '900-normal'], { looks: 'geometric heavy' }),
      font('Montserrat Black', ['900-normal', '900-italic'], { slug: 'montserrat', looks: 'geometric heavy' }),
      font('Poppins Black', ['900-normal', '900-italic'], { slug: 'poppins', looks: 'geometric heavy round' }),
    ],
  },
  {
    id: 'script',
    name: 'Script',
    fonts: [
      font('Allura', one, { looks: 'elegant wedding calligraphy' }),
      font('Dancing Script', bold, { looks: 'handwriting casual' }),
      font('Great Vibes', one, { looks: 'elegant wedding calligraphy' }),
      font('Lobster', one, { looks: 'brush retro heavy' }),
      font('Pacifico', one, { looks: 'brush casual round' }),
      font('Sacramento', one, { looks: 'elegant monoline handwriting' }),
      font('Satisfy', one, { latinOnly: true, looks: 'brush casual' }),
    ],
  },
  {
    id: 'serif-vintage',
    name: 'Serif and vintage',
    fonts: [
      font('Playfair Display', all, { looks: 'elegant high contrast' }),
      font('Libre Baskerville', all, { looks: 'classic book' }),
      font('Old Standard TT', ['400-normal', '700-normal', '400-italic'], { looks: 'classic book' }),
      font('Arvo', all, { latinOnly: true, looks: 'slab' }),
      font('Abril Fatface', one, { looks: 'poster high contrast heavy' }),
      font('Cinzel', bold, { looks: 'roman capitals elegant' }),
      font('Rye', one, { looks: 'western slab saloon' }),
    ],
  },
  {
    id: 'stencil',
    name: 'Stencil',
    fonts: [
      font('Stardos Stencil', bold, { latinOnly: true, looks: 'army serif' }),
      font('Big Shoulders Stencil', bold, { slug: 'big-shoulders-stencil-display', looks: 'condensed poster' }),
      font('Black Ops One', one, { looks: 'army heavy' }),
      font('Emblema One', one, { looks: 'withItalic heavy' }),
      font('Keania One', one, { looks: 'round heavy' }),
      font('Saira Stencil One', one, { looks: 'technical' }),
      font('Sirin Stencil', one, { latinOnly: true, looks: 'elegant' }),
    ],
  },
  {
    id: 'single-line',
    name: 'Single line',
    fonts: [
      singleLine('EMS Readability', withItalic, 'sans neutral'),
      singleLine('Hershey Sans', one, 'sans technical'),
      singleLine('EMS Nixish', withItalic, 'serif slab typewriter'),
      singleLine('Hershey Serif', withItalic, 'serif roman classic'),
      singleLine('EMS Allure', one, 'script wedding elegant'),
      singleLine('Hershey Script', one, 'script school'),
      singleLine('EMS Felix', one, 'script calligraphy'),
      singleLine('EMS Tech', one, 'handwriting casual'),
      singleLine('EMS Osmotron', one, 'technical square'),
      singleLine('Hershey Gothic', one, 'blackletter old english vintage'),
    ],
  },
];

const fontOf = new Map(fontCategories.flatMap((category) => category.fonts).map((entry) => [entry.family, entry]));
const defaultFont = fontOf.get(DEFAULT_FONT_FAMILY)!;

/** True for the family of a bundled font. */
export const isBundled = (family: string): boolean => fontOf.has(family);

const OWN_PREFIX = 'own:';

/** Returns the family by which a text names an account's own font: `own:` and the font's id. */
export const ownFamily = (id: string): string => OWN_PREFIX + id;

/** Returns the id of an account's own font; undefined for any other family. */
export const ownFontId = (family: string): string | undefined =>
  /^own:[\w-]{1,40}$/.test(family) ? family.slice(OWN_PREFIX.length) : undefined;

/**
 * Returns the font of a family, or the default font when the family is unknown. An account's own font has one face, and
 * no file here: who knows the account knows its name.
 */
export const findFont = (family: string): Font =>
  fontOf.get(family) ??
  (ownFontId(family) === undefined
    ? defaultFont
    : { name: 'Your font', family, package: '', faces: one, looks: '', hasLatinExt: false, isSingleLine: false });

/**
 * Returns the files to load before a line can be outlined, in order of preference. Plain western text needs one file.
 * Other characters add the family's extended file, and then the files of the default family as a fallback. An own font
 * may lack any letter, so it always has the fallback. Single lines have none: an outline among them would be scored
 * around.
 */
export function fontFiles(line: FontRequest): readonly FontFile[] {
  const ownFont = findFont(line.fontFamily);
  const isPlain = isPlainLatin(line.text);
  if (ownFont.package === '') {
    return [{ name: ownFont.family, package: '' }, ...subsetFiles(defaultFont, line, isPlain)];
  }
  const files = subsetFiles(ownFont, line, isPlain);
  if (ownFont.isSingleLine || isPlain || ownFont === defaultFont) return files;
  return [...files, ...subsetFiles(defaultFont, line, false)];
}

function subsetFiles(source: Font, line: FontRequest, isPlain: boolean): FontFile[] {
  const face = chooseFace(source, line);
  const subsets = isPlain || !source.hasLatinExt ? ['latin'] : ['latin', 'latin-ext'];
  return subsets.map((subset) => fontFile(source, subset, face));
}

function fontFile(source: Font, subset: string, face: string): FontFile {
  if (source.isSingleLine) {
    return { name: `${source.family.toLowerCase().replaceAll(' ', '-')}-${face}.otf`, package: source.package };
  }
  return { name: `${source.package.split('/')[1]}-${subset}-${face}.woff2`, package: source.package };
}

/** Returns the existing face nearest to the requested one. No face is withItalic or thickened artificially. */
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

/** True for Latin-1 without `±` and `µ`: the characters that every `latin` file has (a test checks this). */
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
