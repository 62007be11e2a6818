import { hypot } from '../geometry/hypot.ts';
import { BLUNT, fitArrival } from './corners.ts';
import type { Ray } from './knot.ts';
import { project, reverse } from './knot.ts';
import type { Strand } from './strand.ts';

/** Points at least this deep between two corners are on a drawn bevel, in px. */
const BEVEL = 0.33;

/**
 * Returns the intersection of the two sides of a corner, both pointing away from it, and the angle between them;
 * undefined when they are nearly parallel.
 */
function meet(before: Ray, after: Ray): { x: number; y: number; angle: number } | undefined {
  const cross = before.dx * after.dy - before.dy * after.dx;
  if (Math.abs(cross) < 0.08) return undefined;
  const t = ((after.x - before.x) * after.dy - (after.y - before.y) * after.dx) / cross;
  const angle = Math.abs(Math.atan2(cross, before.dx * after.dx + before.dy * after.dy));
  return { x: before.x + t * before.dx, y: before.y + t * before.dy, angle };
}

/**
 * Returns how far beyond the points a corner of this angle may lie: the pixel grid loses a wedge where it is narrower
 * than half a pixel.
 */
function tipReach(angle: number): number {
  return Math.min(5, 1 + 0.5 / Math.tan(Math.max(0.1, angle) / 2));
}

/** Returns the distance of a position from the nearest of the points around index i. */
function distanceTo(strand: Strand, i: number, place: { x: number; y: number }): number {
  let nearest = Infinity;
  for (let k = Math.max(0, i - 4); k <= Math.min(strand.n - 1, i + 4); k++) {
    nearest = Math.min(nearest, hypot(strand.x[k] - place.x, strand.y[k] - place.y));
  }
  return nearest;
}

/**
 * Merges the two corners of a sharp tip. A tip gets narrower than a pixel before it ends, so its outline on the grid
 * turns twice in a short bevel. Two corners close enough for the sides beyond them to meet in one tip become one.
 * Returns, for each corner, the length of chain around it that is distorted.
 */
export function sharpenTips(strand: Strand, corners: number[], isClosed: boolean): number[] {
  const { s } = strand;
  const blunt = corners.map(() => BLUNT);
  for (let k = 1; k + 2 < corners.length; k++) {
    const from = corners[k];
    const to = corners[k + 1];
    const length = s[to] - s[from];
    if (length > 6) continue;
    const before = fitArrival(strand, from, -1, corners[k - 1], BLUNT);
    const after = fitArrival(strand, to, 1, corners[k + 2], BLUNT);
    const meeting = before && after && meet(before, after);
    if (!meeting || meeting.angle < 0.1) continue;
    if (bevelDepth(strand, from, to, before, after) > BEVEL || (to - from < 2 && length > 3.2)) continue;
    if (distanceTo(strand, (from + to) >> 1, meeting) > tipReach(meeting.angle)) continue;
    corners.splice(k, 2, (from + to) >> 1);
    blunt.splice(k, 2, BLUNT + length / 2);
    k--;
  }
  if (isClosed) sharpenSeam(strand, corners, blunt);
  const last = corners.length - 1;
  for (let k = isClosed ? 0 : 1; k < last; k++) {
    const before = fitArrival(
      strand,
      k === 0 ? corners[last] : corners[k],
      -1,
      corners[k === 0 ? last - 1 : k - 1],
      blunt[k],
    );
    const after = fitArrival(strand, corners[k], 1, corners[k + 1], blunt[k]);
    const meeting = before && after && meet(before, after);
    if (meeting) blunt[k] = Math.max(blunt[k], Math.min(3, 0.5 + 0.45 / Math.tan(meeting.angle / 2)));
  }
  if (isClosed) blunt[last] = blunt[0];
  return blunt;
}

/** Merges the corners of a tip at the seam of a closed chain: the seam's corner stays and the one beside it goes. */
function sharpenSeam(strand: Strand, corners: number[], blunt: number[]): void {
  const { s } = strand;
  for (const isAfter of [true, false]) {
    const last = corners.length - 1;
    if (last < 3) return;
    const from = isAfter ? corners[0] : corners[last - 1];
    const to = isAfter ? corners[1] : corners[last];
    const length = s[to] - s[from];
    if (length > 6 || (to - from < 2 && length > 3.2)) continue;
    const before = fitArrival(
      strand,
      isAfter ? corners[last] : from,
      -1,
      corners[isAfter ? last - 1 : last - 2],
      BLUNT,
    );
    const after = fitArrival(strand, isAfter ? to : corners[0], 1, corners[isAfter ? 2 : 1], BLUNT);
    const meeting = before && after && meet(before, after);
    if (!meeting || meeting.angle < 0.1 || bevelDepth(strand, from, to, before, after) > BEVEL) continue;
    if (Math.min(distanceTo(strand, from, meeting), distanceTo(strand, to, meeting)) > tipReach(meeting.angle))
      continue;
    corners.splice(isAfter ? 1 : last - 1, 1);
    blunt.splice(isAfter ? 1 : last - 1, 1);
    blunt[0] = Math.max(blunt[0], BLUNT + length);
  }
}

/**
 * Returns how far inside both sides the points strictly between two corners lie: half a pixel of rounding at a true
 * tip, more on a drawn bevel.
 */
function bevelDepth(strand: Strand, from: number, to: number, before: Ray, after: Ray): number {
  const { x, y } = strand;
  let depth = 0;
  for (let k = from + 1; k < to; k++) {
    const a = Math.abs((x[k] - before.x) * before.dy - (y[k] - before.y) * before.dx);
    const b = Math.abs((x[k] - after.x) * after.dy - (y[k] - after.y) * after.dx);
    depth = Math.max(depth, Math.min(a, b));
  }
  return depth;
}

/**
 * The end of the piece before a corner and the start of the piece after it, in px. They differ where a tip is cut off
 * flat.
 */
export interface CornerPlace {
  inX: number;
  inY: number;
  outX: number;
  outY: number;
}

/**
 * Places each corner at the intersection of its two sides. Sides that do not intersect, as at the flat end of a bar too
 * thin to show its two corners, end where they pass the corner's point. The ends of an open strand are junctions and
 * stay.
 */
export function placeCorners(
  strand: Strand,
  corners: number[],
  blunt: number[],
  lines: (Ray | undefined)[],
  isClosed: boolean,
): CornerPlace[] {
  const { x, y } = strand;
  const count = corners.length;
  const places = corners.map((c) => ({ inX: x[c], inY: y[c], outX: x[c], outY: y[c] }));
  for (let k = isClosed ? 0 : 1; k + 1 < count; k++) {
    const previous = k === 0 ? count - 2 : k - 1;
    const arrival = k === 0 ? corners[count - 1] : corners[k];
    const before = reverse(lines[previous]) ?? fitArrival(strand, arrival, -1, corners[previous], blunt[k]);
    const after = lines[k] ?? fitArrival(strand, corners[k], 1, corners[k + 1], blunt[k]);
    if (!before || !after) continue;
    const meeting = meet(before, after);
    const place = places[k];
    if (
      meeting &&
      Math.min(distanceTo(strand, corners[k], meeting), distanceTo(strand, arrival, meeting)) <= tipReach(meeting.angle)
    ) {
      place.inX = place.outX = meeting.x;
      place.inY = place.outY = meeting.y;
      continue;
    }
    // The flat end of a thin bar, or a rounded corner: each side ends beside the corner's point.
    const end = project(before, x[arrival], y[arrival]);
    const start = project(after, x[corners[k]], y[corners[k]]);
    const apart = hypot(start.x - end.x, start.y - end.y);
    const isBar = apart > 0.6 && apart < 2;
    if (isBar || lines[previous]) {
      place.inX = end.x;
      place.inY = end.y;
    }
    if (isBar || lines[k]) {
      place.outX = start.x;
      place.outY = start.y;
    }
    if (apart <= 0.6) {
      place.inX = place.outX = (place.inX + place.outX) / 2;
      place.inY = place.outY = (place.inY + place.outY) / 2;
    }
  }
  if (isClosed) places[count - 1] = places[0];

  // When two corners have moved past each other, both go back to their points.
  for (let k = 0; k + 1 < count; k++) {
    const dx = x[corners[k + 1]] - x[corners[k]];
    const dy = y[corners[k + 1]] - y[corners[k]];
    if (dx * (places[k + 1].inX - places[k].outX) + dy * (places[k + 1].inY - places[k].outY) >= 0) continue;
    putBack(strand, corners, lines, places, k, isClosed);
    putBack(strand, corners, lines, places, k + 1, isClosed);
  }
  return places;
}

/** Moves corner k back to its point, projected onto the straight sides beside it. The ends of an open strand stay. */
export function putBack(
  { x, y }: Strand,
  corners: number[],
  lines: (Ray | undefined)[],
  places: CornerPlace[],
  k: number,
  isClosed: boolean,
): void {
  const last = corners.length - 1;
  if (!isClosed && (k === 0 || k === last)) return;
  const place = places[k];
  const before = lines[k === 0 ? last - 1 : k - 1];
  const after = lines[k === last ? 0 : k];
  const point = { x: x[corners[k]], y: y[corners[k]] };
  const end = before ? project(before, point.x, point.y) : point;
  const start = after ? project(after, point.x, point.y) : point;
  place.inX = end.x;
  place.inY = end.y;
  place.outX = start.x;
  place.outY = start.y;
}
