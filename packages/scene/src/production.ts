/** Making shapes fit for a machine: nothing outside the frame, nothing burned twice. All in frame millimetres. */
import { type Bounds, type Contour, looseBounds } from './pathData.ts';
import { clipLines, FillRule, intersect, MM_GRID, type Region, toContours, toRegion, union } from './planar.ts';

/** A shape at its final place. */
export interface FrameShape {
  readonly contours: readonly Contour[];
  readonly fill: string | undefined;
  readonly stroke: string | undefined;
  readonly strokeWidth: number;
  readonly opacity: number;
}

/**
 * What of a shape lies inside the frame: the shape itself, exact, when all of it does; otherwise its cut fill and its cut
 * lines as shapes of their own; nothing when it is outside.
 */
export function clipToFrame<S extends FrameShape>(shape: S, widthMm: number, heightMm: number): S[] {
  const bounds = looseBounds(shape.contours);
  if (isWithin(bounds, widthMm, heightMm)) return [shape];
  if (bounds.maxX <= 0 || bounds.maxY <= 0 || bounds.minX >= widthMm || bounds.minY >= heightMm) return [];

  const frame = frameRegion(widthMm, heightMm);
  const flat = toRegion(shape.contours, MM_GRID);
  const parts: S[] = [];
  if (shape.fill) {
    const contours = toContours(intersect(union(flat, FillRule.EvenOdd), frame), MM_GRID);
    if (contours.length > 0) parts.push({ ...shape, contours, stroke: undefined });
  }
  if (shape.stroke) {
    const lines = flat.map((line, i) => (shape.contours[i]!.isClosed ? [...line, line[0]!] : line));
    const contours = toContours(clipLines(lines, frame), MM_GRID, false);
    if (contours.length > 0) parts.push({ ...shape, contours, fill: undefined });
  }
  return parts;
}

/** A micron of grace: a design that fills the frame exactly is not outside it. */
const GRACE_MM = 0.001;

const isWithin = (bounds: Bounds, widthMm: number, heightMm: number) =>
  bounds.minX >= -GRACE_MM &&
  bounds.minY >= -GRACE_MM &&
  bounds.maxX <= widthMm + GRACE_MM &&
  bounds.maxY <= heightMm + GRACE_MM;

function frameRegion(widthMm: number, heightMm: number): Region {
  const right = Math.round(widthMm / MM_GRID.unit);
  const bottom = Math.round(heightMm / MM_GRID.unit);
  return [
    [
      { x: 0, y: 0 },
      { x: right, y: 0 },
      { x: right, y: bottom },
      { x: 0, y: bottom },
    ],
  ];
}
