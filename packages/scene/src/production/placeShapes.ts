/** Places the shapes of a scene in the frame, where nothing reaches outside. All lengths are frame millimeters. */
import type { ShapePaint } from '../artwork/artwork.ts';
import { transformGradient } from '../artwork/gradient.ts';
import type { Operation } from '../document/composition.ts';
import { lengthScale, type Matrix, multiply } from '../geometry/matrix.ts';
import { type Contour, readContours, transformContours } from '../geometry/pathData.ts';
import { clipToBox, MM_GRID, outlineStroke } from '../geometry/planar.ts';
import type { Scene, SceneGroup } from '../resolve/scene.ts';

/** A shape at its final place. Its opacity is its own: that of its element is not in it. */
export interface FrameShape extends ShapePaint {
  readonly elementId: string;
  readonly operation: Operation;
  /** The place among its artwork's tones, from 0, where their order is set. */
  readonly toneIndex?: number | undefined;
  readonly contours: readonly Contour[];
  /** Closed lines that the edge of the frame opens. Absent where there are none. */
  readonly openedLines?: readonly Contour[];
}

/**
 * Returns the shapes of one element, back to front, clipped to the frame. `turn` is applied after the placement. A line
 * whose operation fills becomes the outline of its stroke; all filled contours are closed.
 */
export function placeShapes({ widthMm, heightMm }: Scene, group: SceneGroup, turn: Matrix): FrameShape[] {
  const matrix = multiply(turn, group.matrix);
  return group.children.flatMap((child) => {
    if (child.kind !== 'path') return [];
    const contours = transformContours(readContours(child.d), matrix);
    const shape: FrameShape = {
      elementId: group.elementId,
      operation: child.operation,
      ...(child.tone && { toneIndex: child.tone.index }),
      contours: child.fill ? closeAll(contours) : contours,
      fill: child.fill,
      gradient: child.gradient && transformGradient(child.gradient, matrix),
      stroke: child.stroke,
      strokeWidth: child.strokeWidth * lengthScale(matrix),
      opacity: child.opacity,
    };
    return clipToFrame(shape.operation === 'print' ? shape : withOneUse(shape), widthMm, heightMm);
  });
}

const closeAll = (contours: readonly Contour[]) => contours.map((contour) => ({ ...contour, isClosed: true }));

/** Operations that fill outlines. Ink prints fill and stroke as they are. */
const fillingOperations: ReadonlySet<Operation> = new Set(['engrave', 'white', 'gloss']);
/** The least width of a line that is filled, mm. */
const LEAST_STROKE_MM = 0.1;

/** Leaves a shape its fill alone, or its lines alone, as its operation needs. */
function withOneUse(shape: FrameShape): FrameShape {
  const { fill, stroke, contours, strokeWidth, operation } = shape;
  if (!fillingOperations.has(operation)) return { ...shape, fill: undefined, stroke: stroke ?? fill };
  if (fill || !stroke) return { ...shape, stroke: undefined };
  const width = Math.max(strokeWidth, LEAST_STROKE_MM);
  const outline = outlineStroke(contours, { width, cap: 'butt', join: 'miter', miterLimit: 4 }, MM_GRID);
  return { ...shape, contours: outline, fill: stroke, stroke: undefined };
}

/**
 * Clips a shape to the frame. Returns the shape itself, exact, when all of it is inside; otherwise its clipped fill and
 * its clipped lines as two shapes; an empty list when it is outside.
 */
function clipToFrame(shape: FrameShape, widthMm: number, heightMm: number): FrameShape[] {
  const frame = { minX: 0, minY: 0, maxX: widthMm, maxY: heightMm };
  const fillContours = shape.fill ? clipToBox(shape.contours, frame, true, MM_GRID) : [];
  const lines = shape.stroke ? clipToBox(shape.contours, frame, false, MM_GRID) : [];
  if (fillContours === shape.contours || lines === shape.contours) return [shape];
  const parts: FrameShape[] = [];
  if (fillContours.length > 0) parts.push({ ...shape, contours: fillContours, stroke: undefined });
  if (lines.length === 0) return parts;
  const openedLines = shape.contours.filter((contour) => {
    const inside = contour.isClosed ? clipToBox([contour], frame, false, MM_GRID) : [];
    return inside.length > 0 && inside[0] !== contour;
  });
  return [...parts, { ...shape, contours: lines, fill: undefined, openedLines }];
}
