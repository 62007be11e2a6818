/** Places the shapes of a scene in the frame, where nothing reaches outside. All lengths are frame millimeters. */
import type { ShapePaint } from '../artwork/artwork.ts';
import { transformGradient } from '../artwork/gradient.ts';
import type { Operation } from '../document/machine.ts';
import { lengthScale, type Matrix, multiply } from '../geometry/matrix.ts';
import { type Contour, readContours, transformContours } from '../geometry/pathData.ts';
import { clipToBox, MM_GRID } from '../geometry/planar.ts';
import type { Scene, SceneGroup } from '../resolve/scene.ts';

/** A shape at its final place. Its opacity is its own: that of its element is not in it. */
export interface FrameShape extends ShapePaint {
  readonly elementId: string;
  readonly operation: Operation;
  readonly contours: readonly Contour[];
}

/** Returns the shapes of one element, back to front, clipped to the frame. `turn` is applied after the placement. */
export function placeShapes({ widthMm, heightMm }: Scene, group: SceneGroup, turn: Matrix): FrameShape[] {
  const matrix = multiply(turn, group.matrix);
  return group.children.flatMap((child) => {
    if (child.kind === 'image') return [];
    const shape: FrameShape = {
      elementId: group.elementId,
      operation: child.operation,
      contours: transformContours(readContours(child.d), matrix),
      fill: child.fill,
      gradient: child.gradient && transformGradient(child.gradient, matrix),
      stroke: child.stroke,
      strokeWidth: child.strokeWidth * lengthScale(matrix),
      opacity: child.opacity,
    };
    return clipToFrame(shape, widthMm, heightMm);
  });
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
  if (lines.length > 0) parts.push({ ...shape, contours: lines, fill: undefined });
  return parts;
}
