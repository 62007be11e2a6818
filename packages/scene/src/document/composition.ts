/**
 * The composition: what a person arranged, as intentions and never as absolute shapes. This file holds its schema,
 * migrations and types; `limits.ts` has its limits and `initial.ts` what it is at first.
 *
 * Placements are percentages of the machine area: 0, 0 is its center, the edges are at ±50. Text heights are in inches.
 * Every other size follows from the product's print area. `resolveScene` converts all of it to millimeters.
 *
 * The schema is made with Zod Mini: it is a quarter of Zod's size, and its objects never try to compile code, which the
 * pages' policy forbids. The studio loads it when there is a composition to read.
 */
import * as z from 'zod/mini';
import {
  ARC_SWEEP,
  BEND,
  CIRCLE_EDGES,
  CIRCLE_RADIUS_MM,
  CIRCLE_SIDES,
  CIRCLE_SWEEP,
  CODE_SIZE_MM,
  type COMPOSITION_VERSION,
  CORNER_REACH,
  DESIGN_SIZE,
  ENGRAVING_INTERVAL_MM,
  ENGRAVING_METHODS,
  ENGRAVING_TONE,
  ERROR_LEVELS,
  FIRST_ARTWORK,
  HALFTONE_ANGLE,
  HALFTONE_COURSES,
  HALFTONE_DOTS,
  HALFTONE_GAP_MM,
  HALFTONE_PITCH_MM,
  INK_OVERHANG,
  isConvex,
  LETTER_SPACING,
  LINE_SPACING,
  MACHINE_MODES,
  MAX_ARTWORKS,
  MAX_CLOSED_GAP,
  MAX_CODE_LENGTH,
  MAX_CODES,
  MAX_COLOR_OPERATIONS,
  MAX_LEFT_OUT,
  MAX_NAME_LENGTH,
  MAX_OUTLINES_LENGTH,
  MAX_SHAPES,
  MAX_STRAIGHTENED_ASPECT,
  MAX_TEXT_LENGTH,
  MAX_TEXTS,
  MAX_TONES,
  MAX_TRUE_WIDTH_MM,
  MAX_VARIANT_NAME,
  OFFSET_LIMIT,
  POLYGON_SIDES,
  SHAPE_CORNER_MM,
  SHAPE_FORMS,
  SHAPE_SIZE_MM,
  SHAPE_STROKE_MM,
  STAR_INNER,
  STAR_POINTS,
  SYMBOLOGIES,
  sizeRange,
  TEXT_HEIGHT_INCHES,
} from './limits.ts';
import { isOutline, outlineLength } from './outline.ts';

export const MachineMode = z.enum(MACHINE_MODES);
export type MachineMode = z.output<typeof MachineMode>;

/** A rectangle in fractions (0…1) of the product picture's width and height. */
export const FractionRect = z.object({
  x: z.number().check(z.minimum(0), z.maximum(1)),
  y: z.number().check(z.minimum(0), z.maximum(1)),
  width: z.number().check(z.positive(), z.maximum(1)),
  height: z.number().check(z.positive(), z.maximum(1)),
});
export type FractionRect = z.output<typeof FractionRect>;

const corner = z.object({
  x: z.number().check(z.minimum(-CORNER_REACH), z.maximum(1 + CORNER_REACH)),
  y: z.number().check(z.minimum(-CORNER_REACH), z.maximum(1 + CORNER_REACH)),
});

/**
 * A picture straightened: the quadrilateral that becomes the whole picture, and the width over height that it then has.
 * Corners are in fractions of the picture as it is, clockwise from the top left, and may lie outside of it.
 */
export const Straightening: z.ZodMiniType<Straightening, Straightening> = z
  .object({
    // No tuple of Zod's, which would be a kilobyte of the studio's first load.
    corners: z.array(corner).check(z.minLength(4), z.maxLength(4)) as unknown as CornersSchema,
    aspect: z.number().check(z.minimum(1 / MAX_STRAIGHTENED_ASPECT), z.maximum(MAX_STRAIGHTENED_ASPECT)),
  })
  .check(z.refine(({ corners }) => isConvex(corners), 'The corners are no convex quadrilateral, clockwise.'));
export interface Straightening {
  readonly corners: readonly [Corner, Corner, Corner, Corner];
  readonly aspect: number;
}
type Corner = z.output<typeof corner>;
type CornersSchema = z.ZodMiniType<Straightening['corners'], Straightening['corners']>;

/** A rectangle in fractions of an artwork's frame, which it may overhang. */
export const InkRect = z.object({
  x: z.number().check(z.minimum(-INK_OVERHANG), z.maximum(1 + INK_OVERHANG)),
  y: z.number().check(z.minimum(-INK_OVERHANG), z.maximum(1 + INK_OVERHANG)),
  width: z.number().check(z.positive(), z.maximum(1 + 2 * INK_OVERHANG)),
  height: z.number().check(z.positive(), z.maximum(1 + 2 * INK_OVERHANG)),
});

const offset = z._default(z.number().check(z.minimum(-OFFSET_LIMIT), z.maximum(OFFSET_LIMIT)), 0);
const angleDeg = z._default(z.number().check(z.minimum(0), z.maximum(360)), 0);
const elementId = z.string().check(z.minLength(1), z.maxLength(64));
const hexColor = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/));

/**
 * The machine's operation for a shape. Laser: `engrave` burns the fill, `score` follows the line, `cut` goes through.
 * Printers: `print` puts ink, `white` the white underlayer (UV and DTF), `gloss` clear varnish (UV). `guide` is shown
 * and never made.
 */
const Operation = z.enum(['engrave', 'score', 'cut', 'print', 'white', 'gloss', 'guide']);
export type Operation = z.output<typeof Operation>;

/**
 * The white ink below an element, in a file that has white under its colors. `box`: under the whole box around it.
 * `none`: the blank shows through its colors.
 */
const ElementWhite = z.enum(['box', 'none']);
export type ElementWhite = z.output<typeof ElementWhite>;

const inRange = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.number().check(z.minimum(min), z.maximum(max));
const toneValue = ({ neutral, ...range }: { readonly min: number; readonly max: number; readonly neutral: number }) =>
  z._default(inRange(range), neutral);

/** How a picture's tones are changed before they are engraved. The neutral tone leaves them as they are. */
export const EngravingTone = z.object({
  brightness: toneValue(ENGRAVING_TONE.brightness),
  contrast: toneValue(ENGRAVING_TONE.contrast),
  /** More than 1 lightens the middle tones. */
  gamma: toneValue(ENGRAVING_TONE.gamma),
  localContrast: toneValue(ENGRAVING_TONE.localContrast),
  sharpen: toneValue(ENGRAVING_TONE.sharpen),
});
export type EngravingTone = z.output<typeof EngravingTone>;

export const EngravingMethod = z.enum(ENGRAVING_METHODS);
export type EngravingMethod = z.output<typeof EngravingMethod>;

/** How a laser burns a picture itself, in place of its trace: as a raster, or as a halftone. */
export const Engraving = z.object({
  method: EngravingMethod,
  /** Pitch of a raster's lines and pixels; of a halftone the width of the beam, which nothing is thinner than. */
  intervalMm: inRange(ENGRAVING_INTERVAL_MM),
  tone: z._default(EngravingTone, {
    brightness: ENGRAVING_TONE.brightness.neutral,
    contrast: ENGRAVING_TONE.contrast.neutral,
    gamma: ENGRAVING_TONE.gamma.neutral,
    localContrast: ENGRAVING_TONE.localContrast.neutral,
    sharpen: ENGRAVING_TONE.sharpen.neutral,
  }),
  /** `auto`: the negative is burnt where the material's marks are light. */
  invert: z._default(z.union([z.boolean(), z.literal('auto')]), 'auto'),
  /** Of a halftone, as all that follows: from one line or dot to the next; of stipple the size of a dot. */
  pitchMm: z.optional(inRange(HALFTONE_PITCH_MM)),
  angleDeg: z.optional(inRange(HALFTONE_ANGLE)),
  course: z.optional(z.enum(HALFTONE_COURSES)),
  dots: z.optional(z.enum(HALFTONE_DOTS)),
  /** Absent: outlines may touch. */
  gapMm: z.optional(inRange(HALFTONE_GAP_MM)),
});
export type Engraving = z.output<typeof Engraving>;

/**
 * What a customer may change of an element of a template: its words, its color, its picture, its place and size. A part
 * that is absent stays as the template has it. Only true has a meaning, so that one answer is stored in one way.
 */
const CustomerParts = z.object({
  words: z.optional(z.literal(true)),
  color: z.optional(z.literal(true)),
  picture: z.optional(z.literal(true)),
  place: z.optional(z.literal(true)),
});
export type CustomerParts = z.output<typeof CustomerParts>;

/** The longest name of a list's column. */
const MAX_COLUMN_LENGTH = 80;
const columnName = z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_COLUMN_LENGTH)));

/** Fields of every element, whatever it shows. */
const mark = {
  /** What the machine does with all of it. Absent, or unknown to the machine: what its paint says (`operationOf`). */
  operation: z.optional(Operation),
  /** What the machine does with single colors of it, before `operation`. Each color is there once at most. */
  operations: z.optional(
    z.array(z.object({ color: hexColor, operation: Operation })).check(z.maxLength(MAX_COLOR_OPERATIONS)),
  ),
  /** Absent: white lies under what is printed of it. */
  white: z.optional(ElementWhite),
  /** Elements with the same one are a group: they are selected and arranged as one. There are no groups in groups. */
  groupId: z.optional(elementId),
  /** The name a person gave to the group: the same on all of its members. */
  groupName: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_NAME_LENGTH))),
  /** The name a person gave. When empty, the element is called by its text or its file name. */
  name: z._default(z.string().check(z.maxLength(MAX_NAME_LENGTH)), ''),
  /** The element cannot be moved or edited. It is still shown and produced. */
  isLocked: z._default(z.boolean(), false),
  /** The element is neither shown nor produced. */
  isHidden: z._default(z.boolean(), false),
  /** What a customer may change, where the composition is a template. Absent: nothing is said. No file shows it. */
  customer: z.optional(CustomerParts),
};

/**
 * An artwork: a part of a design's picture and its placement, which is that of the box around its ink, as a machine
 * makes it. At `size` 100 the box is contain-fitted into the machine area.
 */
const artworkFields = z.object({
  kind: z._default(z.literal('artwork'), 'artwork'),
  id: z._default(elementId, FIRST_ARTWORK),
  designId: elementId,
  filename: z._default(z.string().check(z.maxLength(255)), ''),
  /** Width divided by height of the artwork's frame: a cached fact of the design. The server uses its own. */
  aspect: z._default(z.number().check(z.positive()), 1),
  /**
   * The width of the artwork's frame in mm, when its file says its size, or when it came out of a library larger or
   * smaller than others may be: a cached fact, too. Such an artwork begins at its true size, however small or large
   * that is in the machine area.
   */
  trueWidthMm: z.optional(z.number().check(z.positive(), z.maximum(MAX_TRUE_WIDTH_MM))),
  /** Absent: the picture is taken as it is. */
  straighten: z.optional(Straightening),
  /**
   * The part of the picture that the artwork is made of, in fractions of the picture, which is straightened before.
   * Absent: the whole picture.
   */
  crop: z.optional(FractionRect),
  /** The box around the ink, in fractions of the artwork's frame. Absent until the first trace: the whole frame. */
  ink: z.optional(InkRect),
  x: offset,
  y: offset,
  /** Within `sizeRange`. */
  size: z._default(z.number(), DESIGN_SIZE.initial),
  angleDeg,
  isFlipped: z._default(z.boolean(), false),
  opacity: z._default(z.number().check(z.minimum(0), z.maximum(100)), 100),
  /**
   * Gaps in its cuts up to this are closed in a file: in fractions of the longer side of the artwork's frame, so that
   * they stay closed at every size. Absent: only those that every file closes.
   */
  closesGaps: z.optional(z.number().check(z.positive(), z.maximum(MAX_CLOSED_GAP))),
  /**
   * Shapes within these areas of the picture, which is straightened before, are not made: letters that are live text
   * now. They are named by where they lie, because each trace has other shapes. Absent: all shapes are made.
   */
  leavesOut: z.optional(z.array(InkRect).check(z.minLength(1), z.maxLength(MAX_LEFT_OUT))),
  /**
   * Colors that a laser engraves as tones, the most burnt first, each a layer of its own. Other colors take the tone
   * that is nearest in lightness. Absent: three tones by lightness.
   */
  tones: z.optional(z.array(hexColor).check(z.minLength(2), z.maxLength(MAX_TONES))),
  /** Absent: the artwork is its trace. Only a laser engraves; another machine makes the trace. */
  engraving: z.optional(Engraving),
  /** The column of a list whose cells name the picture in the artwork's box, where a file is made for each row. */
  pictureColumn: columnName,
  ...mark,
});
export const ArtworkElement = artworkFields.check(z.refine((artwork) => isSize(artwork), 'This size is out of range.'));
export type ArtworkElement = z.output<typeof ArtworkElement>;

function isSize({ size, trueWidthMm }: z.output<typeof artworkFields>): boolean {
  const { min, max } = sizeRange({ trueWidthMm });
  return size >= min && size <= max;
}

/** The column of a list whose cells are the element's colors, where a file is made for each row. */
const colorColumn = columnName;

/** A circle that a text keeps to, whatever its words are. The place of the text is the middle of the circle. */
export const TextCircle = z.object({
  radiusMm: inRange(CIRCLE_RADIUS_MM),
  /** Letters stand upright over the top of the circle, or along its bottom, where they read from left to right too. */
  side: z.enum(CIRCLE_SIDES),
  /** Where capitals are: they touch the circle from outside or from inside, or it goes through their middle. */
  edge: z.enum(CIRCLE_EDGES),
  /** The most of the circle that a line may take. Longer words are a finding, and are made as they are. */
  sweepDeg: inRange(CIRCLE_SWEEP),
});
export type TextCircle = z.output<typeof TextCircle>;

/** The color and the place of what is drawn in one color. */
const colorAndPlace = {
  color: z._default(hexColor, '#000000'),
  colorColumn,
  x: offset,
  y: offset,
  angleDeg,
  isFlipped: z._default(z.boolean(), false),
};

export const TextElement = z.object({
  kind: z._default(z.literal('text'), 'text'),
  id: elementId,
  text: z.string().check(z.maxLength(MAX_TEXT_LENGTH)),
  fontFamily: z._default(z.string().check(z.maxLength(80)), 'Open Sans'),
  /** Height of a line of text (its em) in inches. The specification calls it the font size. */
  heightInches: z._default(
    z.number().check(z.minimum(TEXT_HEIGHT_INCHES.min), z.maximum(TEXT_HEIGHT_INCHES.max)),
    TEXT_HEIGHT_INCHES.initial,
  ),
  ...colorAndPlace,
  textAlign: z._default(z.enum(['left', 'center', 'right']), 'center'),
  fontWeight: z._default(z.enum(['normal', 'bold']), 'normal'),
  fontStyle: z._default(z.enum(['normal', 'italic']), 'normal'),
  textDecoration: z._default(z.enum(['none', 'underline']), 'none'),
  letterSpacing: z._default(
    z.number().check(z.minimum(LETTER_SPACING.min), z.maximum(LETTER_SPACING.max)),
    LETTER_SPACING.initial,
  ),
  lineSpacing: z._default(
    z.number().check(z.minimum(LINE_SPACING.min), z.maximum(LINE_SPACING.max)),
    LINE_SPACING.initial,
  ),
  bend: z._default(z.number().check(z.minimum(BEND.min), z.maximum(BEND.max)), BEND.initial),
  /** Absent: the text stands by itself. With it, `bend` has no effect. */
  circle: z.optional(TextCircle),
  ...mark,
});
export type TextElement = z.output<typeof TextElement>;

export const Symbology = z.enum(SYMBOLOGIES);
export type Symbology = z.output<typeof Symbology>;

const shapeSide = inRange(SHAPE_SIZE_MM);
const codeSide = inRange(CODE_SIZE_MM);
/** The fields that codes and shapes share. */
const figureFields = {
  ...colorAndPlace,
  ...mark,
};

/** A code that a scanner reads. Its size is that of the symbol itself, without the free space around it. */
export const CodeElement = z.object({
  kind: z._default(z.literal('code'), 'code'),
  id: elementId,
  symbology: z._default(Symbology, 'qr'),
  /** Any string: what the symbology cannot hold is said where it is typed, and not made. */
  data: z._default(z.string().check(z.maxLength(MAX_CODE_LENGTH)), ''),
  /** Of a QR code. */
  errorLevel: z._default(z.enum(ERROR_LEVELS), 'M'),
  /** The data in letters below bars. */
  hasText: z._default(z.boolean(), true),
  /** The free parts are made, with the quiet zone, and the modules stay bare: for light marks on a dark blank. */
  isInverted: z._default(z.boolean(), false),
  widthMm: z._default(codeSide, 20),
  /** Of bars. A square has its width alone. */
  heightMm: z._default(codeSide, 20),
  ...figureFields,
});
export type CodeElement = z.output<typeof CodeElement>;

export const ShapeForm = z.enum(SHAPE_FORMS);
export type ShapeForm = z.output<typeof ShapeForm>;

/** A shape by its measures. Each form uses those it has. */
const shapeFields = z.object({
  kind: z._default(z.literal('shape'), 'shape'),
  id: elementId,
  form: z._default(ShapeForm, 'rectangle'),
  /**
   * Of the form `outline`, in units of its own: its box becomes the shape's. It is here and not named, so that it stays
   * what it is when a set of icons changes.
   */
  outline: z.optional(z.string().check(z.refine(isOutline, 'This is no closed outline in M, L, C and Z.'))),
  /** The size from edge to edge, its line included. Of a line: its length, and nothing. */
  widthMm: z._default(shapeSide, 30),
  heightMm: z._default(shapeSide, 30),
  /** The width of its line. Absent: it is filled. Lines, arrows, arcs and frames always have one. */
  strokeMm: z.optional(inRange(SHAPE_STROKE_MM)),
  cornerMm: z._default(inRange(SHAPE_CORNER_MM), SHAPE_CORNER_MM.initial),
  sides: z._default(z.int().check(z.minimum(POLYGON_SIDES.min), z.maximum(POLYGON_SIDES.max)), POLYGON_SIDES.initial),
  points: z._default(z.int().check(z.minimum(STAR_POINTS.min), z.maximum(STAR_POINTS.max)), STAR_POINTS.initial),
  innerPercent: z._default(inRange(STAR_INNER), STAR_INNER.initial),
  sweepDeg: z._default(inRange(ARC_SWEEP), ARC_SWEEP.initial),
  ...figureFields,
});
export const ShapeElement = shapeFields.check(
  z.refine(({ form, outline }) => (form === 'outline') === (outline !== undefined), 'Only an outline has one.'),
);
export type ShapeElement = z.output<typeof ShapeElement>;

/** What is drawn by its own measures, in mm. */
export type FigureElement = CodeElement | ShapeElement;
export type CompositionElement = ArtworkElement | TextElement | FigureElement;

const most = (kind: CompositionElement['kind'], count: number, name: string) =>
  z.refine<CompositionElement[]>(
    (list) => list.filter((element) => element.kind === kind).length <= count,
    `There are more than ${count} ${name}.`,
  );

const elements = z.array(z.discriminatedUnion('kind', [ArtworkElement, TextElement, CodeElement, ShapeElement])).check(
  most('artwork', MAX_ARTWORKS, 'artworks'),
  most('text', MAX_TEXTS, 'texts'),
  most('code', MAX_CODES, 'codes'),
  most('shape', MAX_SHAPES, 'shapes'),
  z.refine(
    (list) => outlineLength(list as { readonly outline?: string }[]) <= MAX_OUTLINES_LENGTH,
    'The outlines are too detailed together.',
  ),
  z.refine((list) => {
    const ids = list.filter(({ kind }) => kind === 'artwork').map(({ id }) => id);
    return new Set(ids).size === ids.length;
  }, 'Two artworks have one id.'),
);

/** The color and the size in which a product was chosen, by their names. */
export const Variant = z.object({
  color: z.optional(z.string().check(z.maxLength(MAX_VARIANT_NAME))),
  size: z.optional(z.string().check(z.maxLength(MAX_VARIANT_NAME))),
});
export type Variant = z.output<typeof Variant>;

export const Composition = z.object({
  machine: z._default(MachineMode, 'laser'),
  productId: z.optional(z.string().check(z.maxLength(64))),
  /** Absent: the product as it is. */
  variant: z.optional(Variant),
  /** Rotates the product picture and everything on it on screen. It never changes an exported file. */
  productAngleDeg: angleDeg,
  /** Absent: the whole print area of the product. */
  machineArea: z.optional(FractionRect),
  /** In z-order, the lowest first, of each kind at most as many as `limits.ts` says. */
  elements: z._default(elements, []),
});
export type Composition = z.output<typeof Composition>;

/** The elements of a composition from before version 3, as far as their list is concerned. */
const OldElements = z.object({
  design: z.optional(z.looseObject({})),
  texts: z._default(z.array(z.looseObject({})), []),
  textsUnderDesign: z._default(z.int().check(z.minimum(0), z.maximum(20)), 0),
});

function toOneList(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  const { design, texts, textsUnderDesign, ...rest } = document as Record<string, unknown>;
  const old = OldElements.parse({ design, texts, textsUnderDesign });
  const elements: object[] = old.texts.map((text) => ({ ...text, kind: 'text' }));
  if (old.design) elements.splice(old.textsUnderDesign, 0, { ...old.design, kind: 'artwork', id: 'design' });
  return { ...rest, elements };
}

// biome-ignore lint/suspicious/noExplicitAny: old documents have no type
type Migration = (old: any) => unknown;

/** Oldest first. A step is never edited once it is released. */
const migrations: readonly [Migration, Migration, Migration] & { length: typeof COMPOSITION_VERSION } = [
  // 0 → 1: elements got a z-order. Before, every text lay over the design.
  (old) => ({ textsUnderDesign: 0, ...old }),
  // 1 → 2: a placement is that of the ink. Before, it was that of the artwork's frame.
  (old) => (old.design ? { ...old, design: { ink: { x: 0, y: 0, width: 1, height: 1 }, ...old.design } } : old),
  // 2 → 3: elements became one list. Before, there was at most one design, above so many of the texts.
  toOneList,
];

export const SavedComposition = z.object({ version: z.int().check(z.minimum(0)), data: z.unknown() });
export type SavedComposition = z.output<typeof SavedComposition>;

/** Reads a composition saved by this or any earlier version. Throws a $ZodError for anything else. */
export function parseComposition(document: unknown): Composition {
  const { version, data } = SavedComposition.parse(document);
  return Composition.parse(migrations.slice(version).reduce((value, step) => step(value), data));
}
