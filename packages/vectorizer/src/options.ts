/**
 * The options in the caller's units, and the settings in the units of the stages. `readOptions` checks and converts
 * them.
 */

type Quality = 'draft' | 'coarse' | 'standard' | 'fine';

export interface VectorizeOptions {
  /**
   * The largest number of colors, 2..256. Below it, the tracer finds the number itself. Default 64, for a photograph
   * 128.
   */
  maxColors?: number;
  /**
   * The available inks: each color of the picture takes the nearest one. Colors farther than `tolerance` (OKLab
   * distance × 100, 0..150, default unlimited) from it are left clear. `paint` is written instead of the ink; null
   * leaves the ink out. 1..64 inks; not for `monochrome`.
   */
  palette?: readonly { color: string; tolerance?: number; paint?: string | null }[];
  /**
   * Replaces colors of the drawing. `color` is a color that the drawing has without this option, `paint` is written in
   * its place, and null leaves it clear. Colors with one paint are joined where they touch. A gradient is identified by
   * the mean over its length and becomes one tone. At most 256; not for `monochrome`.
   */
  repaint?: readonly { color: string; paint: string | null }[];
  /** `grayscale` traces tones of gray, `monochrome` one ink on clear. Default `color`. */
  colorMode?: 'color' | 'grayscale' | 'monochrome';
  /** Monochrome only: the color written for the ink, as `#rrggbb`. Default `#000000`. */
  ink?: string;
  /**
   * Monochrome only: what is darker than this percentage of white is ink, 1..99. Each gray of a drawing is ink or paper
   * as a whole; in a gradient, a photograph and a drawing of two grays, the boundary is where the picture crosses that
   * level. When absent, the level keeps the most of the picture's edges.
   */
  threshold?: number;
  /** Removes the background color where it reaches the border, and keeps that color elsewhere. Default false. */
  dropBackground?: boolean;
  /**
   * Takes the light and the material out of a picture that a camera took of a drawing: shading, shadows, weave and
   * grain are not traced, and neither is the paper. With `auto` only where the picture shows that it is one, and others
   * do not change; with true wherever there are paper and inks on it. Default false.
   */
  dropLight?: boolean | 'auto';
  /** 0 keeps everything; 10 removes specks up to about 1/200 of the longer side. Default 2. */
  despeckle?: number;
  /** Pixels of the bitmap to a millimeter of the product, 0.01..10000. Needed by the two below. */
  pixelsPerMm?: number;
  /** Regions smaller than this many square millimeters are merged into a neighbor, 0..10000. */
  minAreaMm2?: number;
  /** Regions nowhere as wide as this many millimeters are merged into a neighbor, 0..100. */
  minLineWidthMm?: number;
  /** `stacked` paints shapes over one another, `cutouts` lets them abut. Default `stacked`. */
  stacking?: 'cutouts' | 'stacked';
  /**
   * `stroke` draws the outline of each shape as a line. `edges` draws each border between two regions once.
   * `centerline` turns drawn lines back into strokes with their width and fills other shapes. `outline` is what a laser
   * should follow: `centerline` when the picture is line art, else `edges`. Default `fill`.
   */
  draw?: 'fill' | 'stroke' | 'edges' | 'centerline' | 'outline';
  /**
   * The width of all lines, as a share of the bitmap's longer side, 0.0001..0.1. When absent, drawn lines of
   * `centerline` keep their own width and others are 1 px.
   */
  lineWidth?: number;
  /** Paints smooth ramps as gradients. When false, they become bands of solid tones. Default true. */
  gradients?: boolean;
  /**
   * Snaps outlines that are nearly circles, ellipses, rectangles or level lines to the exact shape, and writes them as
   * such. Default true.
   */
  shapes?: boolean;
  /**
   * Makes exact what the picture shows to be regular within its noise: mirrored and rotated outlines, outlines that
   * repeat, lines that are parallel, square or level, and bars of equal width. Everything else stays. Default false.
   */
  regular?: boolean;
  /** `color` makes one layer for each color, `shape` one for each shape, `none` a single one. Default `color`. */
  groupBy?: 'color' | 'shape' | 'none';
  /**
   * 0 is as exact as the picture; 1 uses as few nodes as possible. Scales the tolerance found from the noise by 0.4 to
   * 8, in addition to `quality`. Default 0.5, which scales it by 1.
   */
  simplify?: number;
  /**
   * Allowed distance between curve and boundary in pixels, 0.02..2. Overrides `simplify` and `quality`. Found from the
   * noise when absent.
   */
  tolerance?: number;
  /** `draft` allows four times the distance, `coarse` twice, `fine` two thirds of it. Default `standard`. */
  quality?: Quality;
  /**
   * Moves the curves until they render as the picture shows. With `once` they move by one step instead of up to two.
   * When false, an outline is off by about a tenth of a pixel and the trace is up to twice as fast, for previews.
   * Default true.
   */
  refine?: boolean | 'once';
  /** Called at the start of each stage with its name and the share of the work that is done, 0..1. */
  onProgress?(stage: string, fraction: number): void;
  /** Read between stages; when `aborted` is true, `vectorize` throws an error named `AbortError`. */
  signal?: { readonly aborted: boolean };
}

/** An ink of the caller: its color in the picture (sRGB, 0..255), and the paint written for it. */
export interface Ink {
  red: number;
  green: number;
  blue: number;
  /** Largest OKLab distance × 100 of a color that takes this ink. */
  tolerance: number;
  /** `#rrggbb`, or null to leave it out. */
  paint: string | null;
}

/** A color of the drawing and the paint written for it: hex in lower case, or null to leave it out. */
export interface Repaint {
  color: string;
  paint: string | null;
}

/** An option that is a list. Equal lists have equal keys, so two of them can be compared quickly. */
export interface ListOption<Item> {
  readonly list: readonly Item[];
  readonly key: string;
}

function toListOption<Item>(list: readonly Item[]): ListOption<Item> {
  return { list, key: JSON.stringify(list) };
}

/** Returns true for a list option, and false for every other value. */
export function isListOption(value: unknown): value is ListOption<unknown> {
  return typeof value === 'object' && value !== null && 'list' in value && 'key' in value;
}

/** The options after `readOptions`, with defaults filled in and lengths in px of the bitmap. */
export interface Settings {
  /** Largest number of colors of the palette. */
  maxColors: number;
  /** The same for a photograph. */
  maxTones: number;
  colorMode: 'color' | 'grayscale' | 'monochrome';
  ink: string;
  /** A gray level, 0..255. When undefined, it is found from the two tones. */
  threshold: number | undefined;
  dropBackground: boolean;
  dropLight: boolean | 'auto';
  /** The page is the bare paper of a camera picture: all of it stays open. */
  isOnPaper: boolean;
  /** Regions of fewer pixels than this are merged into a neighbor. */
  minAreaPx: number;
  /** Regions nowhere as wide as this are merged into a neighbor. */
  minWidthPx: number;
  inks: ListOption<Ink> | undefined;
  repaint: ListOption<Repaint> | undefined;
  stacking: 'cutouts' | 'stacked';
  draw: 'fill' | 'stroke' | 'edges' | 'centerline' | 'outline';
  lineWidthPx: number | undefined;
  gradients: boolean;
  /** Noise does not fray the borders of bands of shading. Drawn lines have none. */
  smoothBands: boolean;
  shapes: boolean;
  regular: boolean;
  groupBy: 'color' | 'shape' | 'none';
  /** When undefined, the tolerance is found from the noise. */
  tolerancePx: number | undefined;
  /** Factor of the tolerance found from the noise. */
  toleranceScale: number;
  /** By how much edges are known to waver, in px, for what is snapped to exact shapes. */
  waverPx: number;
  /** The most steps by which curves are refined, of those that pay; 0 leaves them as they were fitted. */
  refineSteps: number;
}

/** The default number of tones of a photograph: more are not told apart once it is segmented. */
const MAX_TONES = 128;

/**
 * Checks the options and converts them to the units of the stages, for a bitmap of this size in px. Throws a RangeError
 * that says in one sentence which value is outside its range.
 */
export function readOptions(options: VectorizeOptions, width: number, height: number): Settings {
  const quality = oneOf('quality', options.quality ?? 'standard', ['draft', 'coarse', 'standard', 'fine']);
  const despeckle = inRange('despeckle', options.despeckle ?? 2, 0, 10);
  const simplify = inRange('simplify', options.simplify ?? 0.5, 0, 1);
  const ink = options.ink ?? '#000000';
  if (!/^#[0-9a-f]{6}$/i.test(ink)) throw new RangeError('ink must be a color like #1a2b3c.');
  const tolerancePx = options.tolerance;
  if (tolerancePx !== undefined) inRange('tolerance', tolerancePx, 0.02, 2);
  const maxColors = inRange('maxColors', options.maxColors ?? 64, 2, 256);
  if (!Number.isInteger(maxColors)) throw new RangeError('maxColors must be a whole number.');

  const { threshold, lineWidth } = options;
  if (threshold !== undefined) inRange('threshold', threshold, 1, 99);
  if (lineWidth !== undefined) inRange('lineWidth', lineWidth, 0.0001, 0.1);

  const { pixelsPerMm, minAreaMm2, minLineWidthMm } = options;
  if (pixelsPerMm !== undefined) inRange('pixelsPerMm', pixelsPerMm, 0.01, 10_000);
  else if (minAreaMm2 !== undefined || minLineWidthMm !== undefined) {
    throw new RangeError('pixelsPerMm must be given with minAreaMm2 and minLineWidthMm.');
  }
  const perMm = pixelsPerMm ?? 0;
  const machineAreaPx = inRange('minAreaMm2', minAreaMm2 ?? 0, 0, 10_000) * perMm * perMm;
  const inks = options.palette && readInks(options.palette, options.colorMode);
  const repaint = options.repaint?.length ? readRepaint(options.repaint, options.colorMode) : undefined;

  // Side of the smallest square that is not a speck. Beyond 1024 px it grows with the picture, so one scale fits all
  // sizes.
  const sidePx = despeckle * Math.max(1, Math.max(width, height) / 1024);
  return {
    maxColors,
    maxTones: options.maxColors ?? MAX_TONES,
    colorMode: oneOf('colorMode', options.colorMode ?? 'color', ['color', 'grayscale', 'monochrome']),
    ink: ink.toLowerCase(),
    threshold: threshold !== undefined && options.colorMode === 'monochrome' ? 2.55 * threshold : undefined,
    dropBackground: options.dropBackground ?? false,
    dropLight: oneOf('dropLight', options.dropLight ?? false, [true, false, 'auto']),
    isOnPaper: false,
    minAreaPx: Math.max(machineAreaPx, despeckle === 0 ? 0 : Math.max(1, sidePx * sidePx)),
    minWidthPx: inRange('minLineWidthMm', minLineWidthMm ?? 0, 0, 100) * perMm,
    inks: inks && toListOption(inks),
    repaint: repaint && toListOption(repaint),
    stacking: oneOf('stacking', options.stacking ?? 'stacked', ['cutouts', 'stacked']),
    draw: oneOf('draw', options.draw ?? 'fill', ['fill', 'stroke', 'edges', 'centerline', 'outline']),
    lineWidthPx: lineWidth === undefined ? undefined : lineWidth * Math.max(width, height),
    gradients: (options.gradients ?? true) && options.colorMode !== 'monochrome' && !inks,
    smoothBands: options.colorMode !== 'monochrome' && options.draw !== 'centerline' && options.draw !== 'outline',
    shapes: options.shapes ?? true,
    regular: options.regular ?? false,
    groupBy: oneOf('groupBy', options.groupBy ?? 'color', ['color', 'shape', 'none']),
    tolerancePx,
    waverPx: 0,
    toleranceScale: TOLERANCE_SCALE[quality] * scaleOf(simplify),
    refineSteps: toRefineSteps(options.refine),
  };
}

const TOLERANCE_SCALE: Readonly<Record<Quality, number>> = { draft: 4, coarse: 2, standard: 1, fine: 2 / 3 };
/** The factors of the tolerance where `simplify` is 0 and 1. */
const LEAST_SCALE = 0.4;
const MOST_SCALE = 8;

function toRefineSteps(refine: VectorizeOptions['refine'] = true): number {
  if (refine === 'once') return 1;
  return refine ? Number.POSITIVE_INFINITY : 0;
}

/** Returns the factor of the tolerance for `simplify`: 1 in the middle, geometric on either side. */
function scaleOf(simplify: number): number {
  return simplify < 0.5 ? LEAST_SCALE ** (1 - 2 * simplify) : MOST_SCALE ** (2 * simplify - 1);
}

function readInks(palette: NonNullable<VectorizeOptions['palette']>, colorMode: string | undefined): Ink[] {
  if (colorMode === 'monochrome') throw new RangeError('palette cannot be used with monochrome, which has one ink.');
  if (palette.length < 1 || palette.length > 64) throw new RangeError('palette must have 1 to 64 inks.');
  return palette.map(({ color, tolerance, paint }) => {
    for (const hex of [color, paint ?? color]) {
      if (!/^#[0-9a-f]{6}$/i.test(hex))
        throw new RangeError('Each color and paint of palette must be a color like #1a2b3c.');
    }
    if (tolerance !== undefined) inRange('tolerance of palette', tolerance, 0, 150);
    const value = Number.parseInt(color.slice(1), 16);
    return {
      red: value >> 16,
      green: (value >> 8) & 255,
      blue: value & 255,
      tolerance: tolerance ?? Number.MAX_VALUE,
      paint: (paint === undefined ? color : paint)?.toLowerCase() ?? null,
    };
  });
}

function readRepaint(changes: NonNullable<VectorizeOptions['repaint']>, colorMode: string | undefined): Repaint[] {
  if (colorMode === 'monochrome') throw new RangeError('repaint cannot be used with monochrome, which has one ink.');
  if (changes.length > 256) throw new RangeError('repaint must have at most 256 colors.');
  return changes.map(({ color, paint }) => {
    for (const hex of [color, paint ?? color]) {
      if (!/^#[0-9a-f]{6}$/i.test(hex))
        throw new RangeError('Each color and paint of repaint must be a color like #1a2b3c.');
    }
    return { color: color.toLowerCase(), paint: paint?.toLowerCase() ?? null };
  });
}

function inRange(name: string, value: number, low: number, high: number): number {
  if (!(value >= low && value <= high)) throw new RangeError(`${name} must be between ${low} and ${high}.`);
  return value;
}

function oneOf<T extends string | boolean>(name: string, value: T, choices: readonly T[]): T {
  if (!choices.includes(value)) throw new RangeError(`${name} must be one of ${choices.join(', ')}.`);
  return value;
}
