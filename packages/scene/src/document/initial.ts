/**
 * What a composition and its elements are at first, and the checks of the schema that editing needs, without the schema
 * (see `limits.ts`). Tests compare both.
 */
import type {
  ArtworkElement,
  CodeElement,
  Composition,
  CompositionElement,
  FigureElement,
  FractionRect,
  SavedComposition,
  ShapeElement,
  Straightening,
  TextElement,
} from './composition.ts';
import {
  ARC_SWEEP,
  BEND,
  COMPOSITION_VERSION,
  CORNER_REACH,
  DESIGN_SIZE,
  FIRST_ARTWORK,
  INK_OVERHANG,
  isConvex,
  LETTER_SPACING,
  LINE_SPACING,
  MAX_STRAIGHTENED_ASPECT,
  POLYGON_SIDES,
  SHAPE_CORNER_MM,
  STAR_INNER,
  STAR_POINTS,
  TEXT_HEIGHT_INCHES,
} from './limits.ts';

export const isArtwork = (element: CompositionElement): element is ArtworkElement => element.kind === 'artwork';
export const isText = (element: CompositionElement): element is TextElement => element.kind === 'text';
export const isCode = (element: CompositionElement): element is CodeElement => element.kind === 'code';
export const isShape = (element: CompositionElement): element is ShapeElement => element.kind === 'shape';
export const isFigure = (element: CompositionElement): element is FigureElement => isCode(element) || isShape(element);

export const emptyComposition: Composition = { machine: 'laser', productAngleDeg: 0, elements: [] };

/** The fields that every element has in the end. */
const initialMark = { name: '', isLocked: false, isHidden: false } as const;

/** Returns a new artwork in the middle, with the values that the schema takes for those that are left out. */
export const newArtwork = (designId: string): ArtworkElement => ({
  kind: 'artwork',
  id: FIRST_ARTWORK,
  designId,
  filename: '',
  aspect: 1,
  x: 0,
  y: 0,
  size: DESIGN_SIZE.initial,
  angleDeg: 0,
  isFlipped: false,
  opacity: 100,
  ...initialMark,
});

/** Returns a new text without words, in the middle, with the values that the schema takes for those left out. */
export const newText = (id: string): TextElement => ({
  kind: 'text',
  id,
  text: '',
  fontFamily: 'Open Sans',
  heightInches: TEXT_HEIGHT_INCHES.initial,
  color: '#000000',
  x: 0,
  y: 0,
  angleDeg: 0,
  isFlipped: false,
  textAlign: 'center',
  fontWeight: 'normal',
  fontStyle: 'normal',
  textDecoration: 'none',
  letterSpacing: LETTER_SPACING.initial,
  lineSpacing: LINE_SPACING.initial,
  bend: BEND.initial,
  ...initialMark,
});

/** Returns a new code without data, in the middle, with the values that the schema takes for those left out. */
export const newCode = (id: string): CodeElement => ({
  kind: 'code',
  id,
  symbology: 'qr',
  data: '',
  errorLevel: 'M',
  hasText: true,
  isInverted: false,
  widthMm: 20,
  heightMm: 20,
  color: '#000000',
  x: 0,
  y: 0,
  angleDeg: 0,
  isFlipped: false,
  ...initialMark,
});

/** Returns a new rectangle in the middle, with the values that the schema takes for those that are left out. */
export const newShape = (id: string): ShapeElement => ({
  kind: 'shape',
  id,
  form: 'rectangle',
  widthMm: 30,
  heightMm: 30,
  cornerMm: SHAPE_CORNER_MM.initial,
  sides: POLYGON_SIDES.initial,
  points: STAR_POINTS.initial,
  innerPercent: STAR_INNER.initial,
  sweepDeg: ARC_SWEEP.initial,
  color: '#000000',
  x: 0,
  y: 0,
  angleDeg: 0,
  isFlipped: false,
  ...initialMark,
});

const isWithin = (value: number, min: number, max: number): boolean => value >= min && value <= max;

/** True for the ink's box of an artwork, as the schema `InkRect` takes it. */
export const isInkRect = ({ x, y, width, height }: FractionRect): boolean =>
  [x, y].every((value) => isWithin(value, -INK_OVERHANG, 1 + INK_OVERHANG)) &&
  [width, height].every((value) => value > 0 && value <= 1 + 2 * INK_OVERHANG);

/** True for what the schema `Straightening` takes. */
export const isStraightening = ({ corners, aspect }: Straightening): boolean =>
  corners.length === 4 &&
  isWithin(aspect, 1 / MAX_STRAIGHTENED_ASPECT, MAX_STRAIGHTENED_ASPECT) &&
  corners.every(({ x, y }) => [x, y].every((value) => isWithin(value, -CORNER_REACH, 1 + CORNER_REACH))) &&
  isConvex(corners);

/** Returns the composition in the stored form, which says its version. `parseComposition` reads it. */
export function saveComposition(composition: Composition): SavedComposition {
  return { version: COMPOSITION_VERSION, data: composition };
}
