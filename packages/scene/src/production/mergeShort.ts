/** Merges segments that are shorter than a machine can follow. */
import type { Contour } from '../geometry/pathData.ts';

/** Least length of a segment, mm. A little more than 0.02, because files round to a micron. */
const LEAST_SEGMENT_MM = 0.022;
/** How far a merged outline may run from the original one, mm. */
const DEVIATION_MM = 0.01;
/** Vertices in one place whose distance from a new segment is checked. */
const MAX_SKIPPED = 32;
/** A vertex that moves can make its neighbor segment short, rarely and less each time. */
const MAX_PASSES = 4;

/** A segment that ends at x, y. `handles` are the two control points of a curve. */
interface Segment {
  x: number;
  y: number;
  handles: [number, number, number, number] | undefined;
}

/**
 * Returns a contour without segments shorter than 0.02 mm, at most 0.01 mm from the original one; the same contour when
 * it has none. The line back to the start of a closed contour is left to the closing. Cost: linear.
 */
export function mergeShort(contour: Contour): Contour {
  let result = withoutClosingLine(contour);
  for (let pass = 0; pass < MAX_PASSES && hasShort(result); pass++) result = mergeOnce(result);
  return result;
}

function withoutClosingLine(contour: Contour): Contour {
  const { commands, points, isClosed } = contour;
  const returns = points.at(-2) === points[0] && points.at(-1) === points[1];
  if (!isClosed || commands.length < 2 || commands.at(-1) !== 'L' || !returns) return contour;
  return { commands: commands.slice(0, -1), points: points.slice(0, -2), isClosed };
}

function hasShort({ commands, points, isClosed }: Contour): boolean {
  let p = 0;
  for (const command of commands) {
    const size = command === 'C' ? 6 : 2;
    if (lengthOf(points, p, command) < LEAST_SEGMENT_MM) return true;
    p += size;
  }
  const [dx, dy] = [points[p]! - points[0]!, points[p + 1]! - points[1]!];
  const closing = Math.hypot(dx, dy);
  return isClosed && closing > 0 && closing < LEAST_SEGMENT_MM;
}

/** Returns the length of a segment; that of a curve is the mean of its chord and its control polygon. */
function lengthOf(points: readonly number[], p: number, command: 'L' | 'C'): number {
  const distance = (a: number, b: number) => Math.hypot(points[b]! - points[a]!, points[b + 1]! - points[a + 1]!);
  if (command === 'L') return distance(p, p + 2);
  return (distance(p, p + 6) + distance(p, p + 2) + distance(p + 2, p + 4) + distance(p + 4, p + 6)) / 2;
}

function mergeOnce({ commands, points, isClosed }: Contour): Contour {
  const start = { x: points[0]!, y: points[1]! };
  const segments: Segment[] = [];
  /** Vertices that are gone since the last one that stays. */
  let nearby: number[] = [];
  /** How far the end of the last segment has moved from where the next one starts. */
  let [shiftX, shiftY] = [0, 0];
  let p = 0;
  for (const [k, command] of commands.entries()) {
    const size = command === 'C' ? 6 : 2;
    const last = segments.at(-1) ?? start;
    const [x, y] = [points[p + size]!, points[p + size + 1]!];
    const isShort =
      lengthOf(points, p, command) < LEAST_SEGMENT_MM && Math.hypot(x - last.x, y - last.y) < LEAST_SEGMENT_MM;
    if (!isShort) {
      const handles: Segment['handles'] =
        command === 'C'
          ? [points[p + 2]! + shiftX, points[p + 3]! + shiftY, points[p + 4]!, points[p + 5]!]
          : undefined;
      segments.push({ x, y, handles });
      nearby = [];
      [shiftX, shiftY] = [0, 0];
      p += size;
      continue;
    }
    p += size;
    const next = commands[k + 1];
    nearby.push(x, y);
    const isStraight =
      next === 'L' &&
      nearby.length <= 2 * MAX_SKIPPED &&
      isNearLine(nearby, last, { x: points[p + 2]!, y: points[p + 3]! });
    if (!isStraight) moveEnd(segments.at(-1), start, (x - last.x) / 2, (y - last.y) / 2);
    [shiftX, shiftY] = [(segments.at(-1) ?? start).x - x, (segments.at(-1) ?? start).y - y];
  }
  if (isClosed && segments.length > 0) closeEnds(segments, start);
  return toContour(start, segments, isClosed);
}

/** Moves the end of a segment, or the start of the contour where there is none yet. */
function moveEnd(segment: Segment | undefined, start: { x: number; y: number }, dx: number, dy: number): void {
  const end = segment ?? start;
  end.x += dx;
  end.y += dy;
  if (!segment?.handles) return;
  segment.handles[2] += dx;
  segment.handles[3] += dy;
}

/** Lets a closed contour end where it starts, when it ends next to it. */
function closeEnds(segments: Segment[], start: { x: number; y: number }): void {
  const last = segments.at(-1)!;
  const [dx, dy] = [start.x - last.x, start.y - last.y];
  const distance = Math.hypot(dx, dy);
  if (distance === 0 || distance >= LEAST_SEGMENT_MM) return;
  moveEnd(last, start, dx / 2, dy / 2);
  start.x = last.x;
  start.y = last.y;
  const first = segments[0]!;
  if (first.handles) {
    first.handles[0] -= dx / 2;
    first.handles[1] -= dy / 2;
  }
  // The closing draws a last line by itself.
  if (!last.handles && segments.length > 1) segments.pop();
}

function isNearLine(
  places: readonly number[],
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
): boolean {
  const [ux, uy] = [to.x - from.x, to.y - from.y];
  const square = ux * ux + uy * uy || 1;
  for (let i = 0; i < places.length; i += 2) {
    const [x, y] = [places[i]! - from.x, places[i + 1]! - from.y];
    const t = Math.min(1, Math.max(0, (x * ux + y * uy) / square));
    if (Math.hypot(x - t * ux, y - t * uy) > DEVIATION_MM) return false;
  }
  return true;
}

function toContour(start: { x: number; y: number }, segments: readonly Segment[], isClosed: boolean): Contour {
  const contour: Contour = { commands: [], points: [start.x, start.y], isClosed };
  for (const { x, y, handles } of segments) {
    contour.commands.push(handles ? 'C' : 'L');
    if (handles) contour.points.push(...handles);
    contour.points.push(x, y);
  }
  return contour;
}
