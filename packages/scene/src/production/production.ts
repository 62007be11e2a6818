/** Making shapes fit for a machine: nothing outside the frame, nothing burned twice. All in frame millimeters. */
import type { Gradient } from '../artwork/artwork.ts';
import { type LaserLayer, laserLayerOf, type Operation } from '../document/machine.ts';
import type { Contour } from '../geometry/pathData.ts';
import { clipToBox, MM_GRID, visibleParts } from '../geometry/planar.ts';

/** A shape at its final place. */
export interface FrameShape {
  readonly elementId: string;
  readonly operation: Operation;
  readonly contours: readonly Contour[];
  readonly fill: string | undefined;
  readonly gradient?: Gradient | undefined;
  readonly stroke: string | undefined;
  readonly strokeWidth: number;
  readonly opacity: number;
}

/**
 * What of a shape lies inside the frame: the shape itself, exact, when all of it does; otherwise its cut fill and its cut
 * lines as shapes of their own; nothing when it is outside.
 */
export function clipToFrame(shape: FrameShape, widthMm: number, heightMm: number): FrameShape[] {
  const frame = { minX: 0, minY: 0, maxX: widthMm, maxY: heightMm };
  const filled = shape.fill ? clipToBox(shape.contours, frame, true, MM_GRID) : [];
  const lines = shape.stroke ? clipToBox(shape.contours, frame, false, MM_GRID) : [];
  if (filled === shape.contours || lines === shape.contours) return [shape];
  const parts: FrameShape[] = [];
  if (filled.length > 0) parts.push({ ...shape, contours: filled, stroke: undefined });
  if (lines.length > 0) parts.push({ ...shape, contours: lines, fill: undefined });
  return parts;
}

/** A shape with the laser layer it is made on. */
export interface LayeredShape extends FrameShape {
  readonly layer: LaserLayer;
}

/**
 * Sorts shapes into laser layers and drops white. Machines fill by even-odd and burn every shape they get, so where filled shapes lie
 * over one another, of one element or of several, the upper one wins and equal tones are joined: no holes, nothing burned twice.
 */
export function layerShapes(shapes: readonly FrameShape[]): LayeredShape[] {
  const layered = shapes.map((shape) => {
    const color = shape.fill ?? shape.stroke ?? '#000000';
    const layer = laserLayerOf(shape.operation, color, shape.opacity);
    const tone = shape.operation === 'engrave' ? (layer?.id ?? 'bare') : undefined;
    return { ...shape, layer, tone, isOpaque: true, isKeptWhole: shape.operation === 'cut' };
  });
  return (visibleParts(layered, MM_GRID) ?? layered).flatMap((shape) =>
    shape.layer ? [{ ...shape, layer: shape.layer }] : [],
  );
}
