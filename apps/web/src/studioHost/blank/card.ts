/** A bank card beside a blank: its size is known, so it gives the scale of the picture. */
import type { Corners, Point } from '@markwright/straighten';

/** ISO/IEC 7810 ID-1. */
const CARD_MM = { width: 85.6, height: 53.98 } as const;

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

const lengthOf = (p: Point, q: Point) => Math.hypot(q.x - p.x, q.y - p.y);
