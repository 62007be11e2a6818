/**
 * The limits of a composition, without its schema: the studio needs them before its first paint, and the schema only to
 * read a composition.
 */

/** Of the stored form of a composition: the number of its migrations. */
export const COMPOSITION_VERSION = 3;

/** The machines a mark can be made with. */
export const MACHINE_MODES = ['laser', 'uv', 'sublimation', 'dtf'] as const;

/** How far a corner may lie outside of its picture, in widths and heights of it: a long picture that is turned. */
export const CORNER_REACH = 50;
/** The most uneven proportions of a straightened picture. */
export const MAX_STRAIGHTENED_ASPECT = 100;
/** The least share of a picture that the corners of a straightened part span. */
const MIN_STRAIGHTENED_AREA = 0.001;
/** How far ink may reach beyond the frame of its artwork, in fractions of the frame: lines are half outside. */
export const INK_OVERHANG = 0.5;

/**
 * The farthest that the middle of an element lies from the middle of the machine area, in percent of its width or
 * height.
 */
export const OFFSET_LIMIT = 50;
/** Percent of the size at which the artwork is contain-fitted into the machine area. */
export const DESIGN_SIZE = { min: 5, max: 500, step: 5, initial: 80 } as const;
/** The same of an artwork whose file says its size: from a pin on a board to a board on a pin. */
const TRUE_SIZE = { min: 0.01, max: 200_000 } as const;
/** The largest width that a file may say: that of the largest SVG, whose px are 96 to the inch. */
export const MAX_TRUE_WIDTH_MM = 300_000;

/** Returns the least and the largest size of an artwork. */
export const sizeRange = ({ trueWidthMm }: { readonly trueWidthMm?: number | undefined }): SizeRange =>
  trueWidthMm === undefined ? DESIGN_SIZE : TRUE_SIZE;
interface SizeRange {
  readonly min: number;
  readonly max: number;
}

export const TEXT_HEIGHT_INCHES = { min: 0.11, max: 1, step: 0.01, initial: 0.22 } as const;
/** Space added between letters, as a percentage of the text's height. */
export const LETTER_SPACING = { min: -20, max: 200, step: 1, initial: 0 } as const;
/** Distance from one line to the next, as a percentage of the font's own line height. */
export const LINE_SPACING = { min: 50, max: 300, step: 5, initial: 100 } as const;
/** Share of a full circle, in percent, that the longest line follows: above 0 like a rainbow, below 0 like a smile. */
export const BEND = { min: -100, max: 100, step: 1, initial: 0 } as const;
/** The circle that a text keeps to: its radius, and the most of it that words may take. */
export const CIRCLE_RADIUS_MM = { min: 1, max: 1000, step: 0.5 } as const;
export const CIRCLE_SWEEP = { min: 10, max: 360, step: 5 } as const;
export const CIRCLE_SIDES = ['top', 'bottom'] as const;
export const CIRCLE_EDGES = ['outside', 'middle', 'inside'] as const;
/** The id of the first artwork, and of the only one of a composition from before version 3. */
export const FIRST_ARTWORK = 'design';
/** The least width and height of a machine area, in fractions of the product picture. */
export const MIN_MACHINE_AREA = 0.1;
/** Characters of one text, line breaks included. */
export const MAX_TEXT_LENGTH = 200;
export const MAX_TEXTS = 20;
export const MAX_ARTWORKS = 10;

/** The kinds of codes: two squares of modules, and two rows of bars. */
export const SYMBOLOGIES = ['qr', 'dataMatrix', 'code128', 'ean13'] as const;
/** How much of a QR code may be lost: about 7, 15, 25 and 30 %. */
export const ERROR_LEVELS = ['L', 'M', 'Q', 'H'] as const;
/** Characters of the data of a code: more than can be read back from a blank. */
export const MAX_CODE_LENGTH = 800;
export const MAX_CODES = 20;
/** The width of a code from its first module to its last, and the height of its bars, mm. */
export const CODE_SIZE_MM = { min: 2, max: 500, step: 0.5 } as const;

/** Frames and borders: bands with ornaments along a rectangle or an ellipse. */
export const FRAME_FORMS = [
  'doubleFrame',
  'ticketFrame',
  'cornerFrame',
  'stitchFrame',
  'dotFrame',
  'ropeFrame',
  'scallopFrame',
  'doubleRing',
  'stitchRing',
  'dotRing',
  'ropeRing',
  'wreath',
] as const;
export const SHAPE_FORMS = [
  'rectangle',
  'ellipse',
  'polygon',
  'star',
  'line',
  'arrow',
  'arc',
  'seal',
  'shield',
  'plaque',
  'banner',
  ...FRAME_FORMS,
  'outline',
] as const;
export const MAX_SHAPES = 50;
/** Characters of the outline of one shape, and of those of all shapes together: a call carries 2 MB. */
export const MAX_OUTLINE_LENGTH = 100_000;
export const MAX_OUTLINES_LENGTH = 500_000;
/** The farthest that a point of an outline lies from 0, 0, in its own units. */
export const OUTLINE_REACH = 100_000;
/** The width and the height of a shape, mm. */
export const SHAPE_SIZE_MM = { min: 0.5, max: 1000, step: 0.5 } as const;
/** The width of the line of a shape, mm. */
export const SHAPE_STROKE_MM = { min: 0.1, max: 100, step: 0.1, initial: 1 } as const;
/** The radius of the corners of a rectangle or a frame, mm. */
export const SHAPE_CORNER_MM = { min: 0, max: 500, step: 0.5, initial: 0 } as const;
/** The sides of a polygon, and the points of a star or a seal. */
export const POLYGON_SIDES = { min: 3, max: 12, step: 1, initial: 6 } as const;
export const STAR_POINTS = { min: 3, max: 24, step: 1, initial: 5 } as const;
/** The inner radius of a star in percent of the outer one. */
export const STAR_INNER = { min: 10, max: 95, step: 1, initial: 45 } as const;
export const ARC_SWEEP = { min: 10, max: 350, step: 5, initial: 180 } as const;
export const MAX_NAME_LENGTH = 80;
/** Of a product's color or size. */
export const MAX_VARIANT_NAME = 60;
/** The most colors of an element that have an operation of their own. */
export const MAX_COLOR_OPERATIONS = 64;

/** The widest gap in a cut that is closed, in fractions of the longer side of its artwork's frame. */
export const MAX_CLOSED_GAP = 0.2;

/** The most areas of a picture whose shapes are left out: the letters of some long lines. */
export const MAX_LEFT_OUT = 600;

/** The most colors of an artwork that are engraved as layers of their own: a layer for each is set on the machine. */
export const MAX_TONES = 8;

/**
 * How a picture is engraved. Up to `gray` as a raster, dot by dot: `gray` is for machines that control their power. The
 * others are halftones: outlines that every laser fills.
 */
export const ENGRAVING_METHODS = [
  'floyd-steinberg',
  'jarvis',
  'stucki',
  'atkinson',
  'blue-noise',
  'ordered',
  'gray',
  'halftone_lines',
  'halftone_dots',
  'hatch',
  'stipple',
] as const;
export const HALFTONE_METHODS = ['halftone_lines', 'halftone_dots', 'hatch', 'stipple'] as const;
export type HalftoneMethod = (typeof HALFTONE_METHODS)[number];
export const HALFTONE_COURSES = ['straight', 'rings', 'form'] as const;
export const HALFTONE_DOTS = ['round', 'diamond'] as const;

/** True for a method of engraving, or a style of a trace, that gives outlines of varying width. */
export const isHalftone = (method: string): method is HalftoneMethod =>
  (HALFTONE_METHODS as readonly string[]).includes(method);

/** The pitch of a raster's lines, and the width of a halftone's beam, mm. */
export const ENGRAVING_INTERVAL_MM = { min: 0.05, max: 0.25 } as const;
/** From one line or dot of a halftone to the next, mm. */
export const HALFTONE_PITCH_MM = { min: 0.1, max: 10 } as const;
/** The distance that outlines of a halftone keep from each other, mm. */
export const HALFTONE_GAP_MM = { min: 0, max: 2 } as const;
export const HALFTONE_ANGLE = { min: 0, max: 180 } as const;

/** The parts of an engraving's tone, in the order of their controls. */
export const ENGRAVING_TONE = {
  brightness: { min: -100, max: 100, neutral: 0 },
  contrast: { min: -100, max: 100, neutral: 0 },
  gamma: { min: 0.2, max: 5, neutral: 1 },
  localContrast: { min: 0, max: 100, neutral: 0 },
  sharpen: { min: 0, max: 100, neutral: 0 },
} as const;

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** True for corners that go around clockwise, each a real corner. */
export function isConvex(corners: readonly Corner[]): boolean {
  return corners.every((p, i) => {
    const [q, r] = [corners[(i + 1) % corners.length]!, corners[(i + 2) % corners.length]!];
    return (q.x - p.x) * (r.y - q.y) - (q.y - p.y) * (r.x - q.x) > MIN_STRAIGHTENED_AREA;
  });
}
