/** A bank card beside a blank: its size is known, so it gives the scale of the picture. */
import type { Corners, Point } from '@markwright/straighten';

/** ISO/IEC 7810 ID-1. */
const CARD_MM = { width: 85.6, height: 53.98 } as const;
/** The standard's radius of its corners is 2.88 to 3.48 mm; so much more or less is the measurement's. */
const RADIUS_MM = { min: 2.6, max: 3.8 } as const;
/** So many corners must be a card's: a shadow or a finger may cover one. */
const LEAST_CORNERS = 3;

/** How far proportions and angles may be off: a card seen well, and no other rectangle. */
const MOST_PROPORTION = 0.02;
const MOST_LEAN = 0.02;

/**
 * Returns the millimeters of a pixel where the corners are those of a bank card seen from above, lying or upright;
 * undefined for any other quadrilateral.
 */
export function scaleOfCard(corners: Corners): number | undefined {
  const [a, b, c, d] = corners;
  const [top, right, bottom, left] = [lengthOf(a, b), lengthOf(b, c), lengthOf(d, c), lengthOf(a, d)];
  const isEven = Math.abs(top / bottom - 1) < MOST_LEAN && Math.abs(left / right - 1) < MOST_LEAN;
  const [across, down] = [(top + bottom) / 2, (left + right) / 2];
  const cosine = ((b.x - a.x) * (d.x - a.x) + (b.y - a.y) * (d.y - a.y)) / (top * left);
  const proportion = Math.max(across, down) / Math.min(across, down) / (CARD_MM.width / CARD_MM.height);
  if (!isEven || Math.abs(cosine) > MOST_LEAN || Math.abs(proportion - 1) > MOST_PROPORTION) return undefined;
  return Math.sqrt((CARD_MM.width * CARD_MM.height) / (across * down));
}

/**
 * True where the corners of an outline are as round as those of a bank card would be: a board with the proportions of a
 * card has others. `corners` are those of its quadrilateral, and may be seen at an angle. Cost: linear in the points.
 */
export function hasCardCorners(outline: Float64Array, corners: Corners): boolean {
  const [a, b, c, d] = corners;
  const isLying = lengthOf(a, b) + lengthOf(d, c) > lengthOf(a, d) + lengthOf(b, c);
  const [across, down] = isLying ? [CARD_MM.width, CARD_MM.height] : [CARD_MM.height, CARD_MM.width];
  const radii = [
    radiusAt(outline, a, [b, across], [d, down]),
    radiusAt(outline, b, [a, across], [c, down]),
    radiusAt(outline, c, [d, across], [b, down]),
    radiusAt(outline, d, [c, across], [a, down]),
  ];
  return radii.filter((radius) => radius >= RADIUS_MM.min && radius <= RADIUS_MM.max).length >= LEAST_CORNERS;
}

/** Returns the radius of a round corner, mm: how far the outline keeps from its point, by the lengths of both sides. */
function radiusAt(
  outline: Float64Array,
  corner: Point,
  [first, firstMm]: readonly [Point, number],
  [second, secondMm]: readonly [Point, number],
): number {
  const [ux, uy, vx, vy] = [first.x - corner.x, first.y - corner.y, second.x - corner.x, second.y - corner.y];
  const det = ux * vy - uy * vx;
  let least = Infinity;
  for (let i = 0; i < outline.length; i += 2) {
    const [dx, dy] = [outline[i]! - corner.x, outline[i + 1]! - corner.y];
    least = Math.min(least, Math.hypot((firstMm * (dx * vy - dy * vx)) / det, (secondMm * (ux * dy - uy * dx)) / det));
  }
  return least / (Math.SQRT2 - 1);
}

const lengthOf = (p: Point, q: Point) => Math.hypot(q.x - p.x, q.y - p.y);
