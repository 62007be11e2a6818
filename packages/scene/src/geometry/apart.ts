/** Contours that keep apart from all others. */
import { signedArea } from './measure.ts';
import { type Contour, looseBounds, type PathBounds } from './pathData.ts';

/** Boxes that are compared with each contour, on average, before none is said to keep apart. */
const MOST_COMPARED = 200;

/**
 * Returns 1 for each contour that goes round once, and that a straight way as wide as `gap` keeps apart from every
 * other one; so none lies in another. A gap below 0 lets them overlap by so much. Returns 0 for all where too many lie
 * side by side. Cost: n log n in the contours, linear in their points.
 */
export function findApart(contours: readonly Contour[], gap: number): Uint8Array {
  const last = lastAnswers.get(contours);
  if (last && (last.gap === gap || (last.gap > gap && !last.apart.includes(0)))) return last.apart;
  const apart = searchApart(contours, gap);
  lastAnswers.set(contours, { gap, apart });
  return apart;
}

/** The dots of a layer are joined where they touch, and measured later: it is one question. */
const lastAnswers = new WeakMap<readonly Contour[], { readonly gap: number; readonly apart: Uint8Array }>();

function searchApart(contours: readonly Contour[], gap: number): Uint8Array {
  const boxes = contours.map((contour) => looseBounds([contour]));
  const meets = findMeetings(contours, boxes, gap);
  return meets.map((value, i) => (value === 0 && (isConvex(contours[i]!) || isStar(contours[i]!, boxes[i]!)) ? 1 : 0));
}

/** Returns true for a contour whose sides, if it is convex, are further apart than `widthMm`. */
export function isWiderThan(contour: Contour, widthMm: number): boolean {
  const { minX, minY, maxX, maxY } = looseBounds([contour]);
  return Math.abs(signedArea(contour)) > widthMm * Math.hypot(maxX - minX, maxY - minY);
}

/**
 * Returns for each contour whether it may meet another one; 1 for all where too many lie side by side. A sweep over x,
 * with the open boxes in rows as high as the mean box: without rows, each dot of a screen was compared with a column.
 */
function findMeetings(contours: readonly Contour[], boxes: readonly PathBounds[], gap: number): Uint8Array {
  const meets = new Uint8Array(contours.length);
  const reach = Math.max(0, gap);
  const order = [...contours.keys()].sort((i, j) => boxes[i]!.minX - boxes[j]!.minX);
  let [top, bottom, heights] = [Infinity, -Infinity, 0];
  for (const { minY, maxY } of boxes) {
    top = Math.min(top, minY);
    bottom = Math.max(bottom, maxY);
    heights += maxY - minY;
  }
  // So all boxes together reach into two rows each, in the mean.
  const rowHeight = Math.max(heights, bottom - top) / contours.length || 1;
  const rowOf = (y: number) => Math.floor((y - top) / rowHeight);
  const open: number[][] = [];
  let left = MOST_COMPARED * contours.length;
  for (const i of order) {
    const { minX, minY, maxY } = boxes[i]!;
    for (let row = Math.max(0, rowOf(minY - reach)); row <= rowOf(maxY + reach); row++) {
      const others = (open[row] ?? []).filter((j) => boxes[j]!.maxX >= minX - reach);
      left -= others.length;
      if (left < 0) return meets.fill(1);
      for (const j of others) {
        if ((meets[i] && meets[j]) || boxes[j]!.minY > maxY + reach || boxes[j]!.maxY < minY - reach) continue;
        if (!isApart(contours[i]!, boxes[i]!, contours[j]!, boxes[j]!, gap)) meets[i] = meets[j] = 1;
      }
      others.push(i);
      open[row] = others;
    }
  }
  return meets;
}

/** True when a straight way, across that from one box's middle to the other's, has a contour on each side. */
function isApart(a: Contour, boxA: PathBounds, b: Contour, boxB: PathBounds, gap: number): boolean {
  const dx = boxB.minX + boxB.maxX - boxA.minX - boxA.maxX;
  const dy = boxB.minY + boxB.maxY - boxA.minY - boxA.maxY;
  if (dx === 0 && dy === 0) return false;
  let last = -Infinity;
  for (let p = 0; p < a.points.length; p += 2) last = Math.max(last, dx * a.points[p]! + dy * a.points[p + 1]!);
  last += gap * Math.hypot(dx, dy);
  for (let p = 0; p < b.points.length; p += 2) if (dx * b.points[p]! + dy * b.points[p + 1]! < last) return false;
  return true;
}

/**
 * True when the lines of a polygon go round the middle of its box once, all the same way: so do dots whose sides have
 * points that rounding moved, and which are no longer convex.
 */
function isStar({ commands, points }: Contour, { minX, minY, maxX, maxY }: PathBounds): boolean {
  if (commands.includes('C')) return false;
  const [middleX, middleY] = [(minX + maxX) / 2, (minY + maxY) / 2];
  let [x, y] = [points.at(-2)! - middleX, points.at(-1)! - middleY];
  let way = 0;
  let rounds = 0;
  for (let p = 0; p < points.length; p += 2) {
    const [nextX, nextY] = [points[p]! - middleX, points[p + 1]! - middleY];
    const turn = x * nextY - y * nextX;
    if (turn * way < 0 || (turn === 0 && (x !== nextX || y !== nextY))) return false;
    way ||= turn;
    if (y < 0 && nextY >= 0) rounds++;
    [x, y] = [nextX, nextY];
  }
  return rounds === 1;
}

/** True when the points and handles of a contour go round once, with all turns the same way. */
function isConvex({ points }: Contour): boolean {
  const count = points.length / 2;
  let way = 0;
  let firstAcross = 0;
  let lastAcross = 0;
  let changes = 0;
  let [x, y] = [points[0]! - points[2 * count - 2]!, points[1]! - points[2 * count - 1]!];
  for (let i = 0; i < count; i++) {
    const next = 2 * ((i + 1) % count);
    const [nextX, nextY] = [points[next]! - points[2 * i]!, points[next + 1]! - points[2 * i + 1]!];
    const turn = x * nextY - y * nextX;
    if (turn * way < 0) return false;
    if (turn !== 0) way = turn;
    // A line back over itself turns by half a circle, and its cross product is 0.
    else if (x * nextX + y * nextY < 0) return false;
    if (nextX !== 0) {
      if (nextX * lastAcross < 0) changes++;
      firstAcross ||= nextX;
      lastAcross = nextX;
    }
    if (nextX !== 0 || nextY !== 0) [x, y] = [nextX, nextY];
  }
  if (firstAcross * lastAcross < 0) changes++;
  return changes <= 2;
}
