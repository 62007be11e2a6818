/**
 * Prepares shapes for a machine: nothing outside the frame, nothing burned twice. All lengths are frame millimeters.
 */
import type { ShapePaint } from '../artwork/artwork.ts';
import { type LaserLayer, laserLayerOf, type Operation } from '../document/machine.ts';
import type { Contour } from '../geometry/pathData.ts';
import { clipToBox, MM_GRID, visibleParts } from '../geometry/planar.ts';

/** A shape at its final place. */
export interface FrameShape extends ShapePaint {
  readonly elementId: string;
  readonly operation: Operation;
  readonly contours: readonly Contour[];
}

/**
 * Clips a shape to the frame. Returns the shape itself, exact, when all of it is inside; otherwise its clipped fill and
 * its clipped lines as two shapes; an empty list when it is outside.
 */
export function clipToFrame(shape: FrameShape, widthMm: number, heightMm: number): FrameShape[] {
  const frame = { minX: 0, minY: 0, maxX: widthMm, maxY: heightMm };
  const fillContours = shape.fill ? clipToBox(shape.contours, frame, true, MM_GRID) : [];
  const lines = shape.stroke ? clipToBox(shape.contours, frame, false, MM_GRID) : [];
  if (fillContours === shape.contours || lines === shape.contours) return [shape];
  const parts: FrameShape[] = [];
  if (fillContours.length > 0) parts.push({ ...shape, contours: fillContours, stroke: undefined });
  if (lines.length > 0) parts.push({ ...shape, contours: lines, fill: undefined });
  return parts;
}

/** A shape with its laser layer. */
export interface LayeredShape extends FrameShape {
  readonly layer: LaserLayer;
}

/**
 * Assigns shapes to laser layers and drops white ones. Machines fill by even-odd and burn every shape they get. So
 * where filled shapes overlap, of one element or of several, the upper one wins and equal tones are joined: this leaves
 * no holes, and nothing is burned twice. Cost: a boolean operation or two for each overlapping pair.
 */
export function layerShapes(shapes: readonly FrameShape[]): LayeredShape[] {
  const laserShapes = shapes.map((shape) => {
    const color = shape.fill ?? shape.stroke ?? '#000000';
    const layer = laserLayerOf(shape.operation, color, shape.opacity);
    const tone = shape.operation === 'engrave' ? (layer?.id ?? 'bare') : undefined;
    return { ...shape, layer, tone, isOpaque: true, isKeptWhole: shape.operation === 'cut' };
  });
  return (visibleParts(laserShapes, MM_GRID) ?? laserShapes).flatMap((shape) =>
    shape.layer ? [{ ...shape, layer: shape.layer }] : [],
  );
}
