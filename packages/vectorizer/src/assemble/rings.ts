import type { BoundaryMap } from '../boundary/boundary.ts';
import type { Ring } from '../drawing.ts';
import { smoothBends } from '../fit/joints.ts';
import { CORNER, mergeSegments, turnAt } from '../fit/merge.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Curve, Segment } from '../geometry/segment.ts';

/** A node this close to the border of the picture, in px, lies on it up to rounding. */
const ON_BORDER = 1e-4;

/**
 * Clamps a curve that leaves the picture by more than `slack` px, where a fit passed its border. A curve with only its
 * handles outside stays as it is.
 */
export function keepInside(curve: Curve, size: Pick<BoundaryMap, 'width' | 'height'>, slack = 0): Curve {
  const [width, height] = [size.width + slack, size.height + slack];
  const toX = (x: number): number => (x < ON_BORDER - slack ? -slack : x > width - ON_BORDER ? width : x);
  const toY = (y: number): number => (y < ON_BORDER - slack ? -slack : y > height - ON_BORDER ? height : y);
  const isInside = (x: number, y: number): boolean => x >= -slack && y >= -slack && x <= width && y <= height;
  const isSettled = (x: number, y: number): boolean => toX(x) === x && toY(y) === y;
  let fromX = curve.x;
  let fromY = curve.y;
  const stays = curve.segments.every((segment) => {
    const [startX, startY] = [fromX, fromY];
    fromX = segment.x;
    fromY = segment.y;
    return isSettled(fromX, fromY) && (segment.isLine || staysInside(startX, startY, segment, isInside));
  });
  if (stays && isSettled(curve.x, curve.y)) return curve;
  fromX = toX(curve.x);
  fromY = toY(curve.y);
  const segments = curve.segments.map((segment) => {
    const clampedSegment = { ...segment, x: toX(segment.x), y: toY(segment.y) };
    if (!segment.isLine && !staysInside(fromX, fromY, clampedSegment, isInside)) {
      // A curve lies within the convex hull of its ends and handles.
      clampedSegment.x1 = toX(segment.x1);
      clampedSegment.y1 = toY(segment.y1);
      clampedSegment.x2 = toX(segment.x2);
      clampedSegment.y2 = toY(segment.y2);
    }
    fromX = clampedSegment.x;
    fromY = clampedSegment.y;
    return clampedSegment;
  });
  return { ...curve, x: toX(curve.x), y: toY(curve.y), segments };
}

const SAMPLES = 8;

function staysInside(x: number, y: number, s: Segment, isInside: (x: number, y: number) => boolean): boolean {
  if (isInside(s.x1, s.y1) && isInside(s.x2, s.y2)) return true;
  for (let k = 1; k < SAMPLES; k++) {
    const t = k / SAMPLES;
    const r = 1 - t;
    const at = (p0: number, p1: number, p2: number, p3: number): number =>
      r * r * r * p0 + 3 * r * r * t * p1 + 3 * r * t * t * p2 + t * t * t * p3;
    if (!isInside(at(x, s.x1, s.x2, s.x), at(y, s.y1, s.y2, s.y))) return false;
  }
  return true;
}

/** Returns the fitted outline along a loop of half-edges. */
export function toRing(loop: number[], curves: Curve[]): Ring {
  const ring: Ring = { x: 0, y: 0, segments: [] };
  loop.forEach((halfEdge, k) => {
    appendCurve(ring, curves[halfEdge >> 1], (halfEdge & 1) === 1, k === 0);
  });
  const { shape } = curves[loop[0] >> 1];
  if (shape && loop.length === 1) ring.shape = shape;
  return ring;
}

/** Appends a curve to a ring, reversed if `backward`. The first curve sets the start of the ring. */
export function appendCurve(ring: Ring, curve: Curve, isBackward: boolean, isFirst: boolean): void {
  const { segments } = curve;
  if (!isBackward) {
    if (isFirst) {
      ring.x = curve.x;
      ring.y = curve.y;
    }
    for (const segment of segments) ring.segments.push(segment);
    return;
  }
  if (isFirst && segments.length > 0) {
    ring.x = segments[segments.length - 1].x;
    ring.y = segments[segments.length - 1].y;
  }
  for (let k = segments.length - 1; k >= 0; k--) {
    const { isLine, x1, y1, x2, y2 } = segments[k];
    const x = k > 0 ? segments[k - 1].x : curve.x;
    const y = k > 0 ? segments[k - 1].y : curve.y;
    ring.segments.push(
      isLine ? { isLine, x1: x, y1: y, x2: x, y2: y, x, y } : { isLine, x1: x2, y1: y2, x2: x1, y2: y1, x, y },
    );
  }
}

/** Removes nodes between two collinear lines, where a junction used to be. */
export function joinLines(ring: Ring): void {
  const { segments } = ring;
  for (let k = segments.length - 2; k >= 0 && segments.length > 2; k--) {
    const a = segments[k];
    const b = segments[k + 1];
    if (!a.isLine || !b.isLine) continue;
    const from = k > 0 ? segments[k - 1] : ring;
    const length = hypot(b.x - from.x, b.y - from.y);
    const off = Math.abs((a.x - from.x) * (b.y - from.y) - (a.y - from.y) * (b.x - from.x));
    const isOnward = (a.x - from.x) * (b.x - a.x) + (a.y - from.y) * (b.y - a.y) > 0;
    if (isOnward && off < 0.06 * length) segments.splice(k, 1);
  }
}

/** Chains leave stubs of at most this length, in px, where they pass a junction by a hair. */
const STUB = 0.25;

/** Removes stubs: the next segment starts where the one before ends. Changes the ring. */
export function dropStubs(ring: Ring): void {
  const { segments } = ring;
  for (let k = segments.length - 1; k >= 0 && segments.length > 3; k--) {
    const { isLine, x1, y1, x2, y2, x, y } = segments[k];
    const from = k > 0 ? segments[k - 1] : ring;
    const length = isLine
      ? hypot(x - from.x, y - from.y)
      : hypot(x1 - from.x, y1 - from.y) + hypot(x2 - x1, y2 - y1) + hypot(x - x2, y - y2);
    if (length > STUB) continue;
    const next = segments[(k + 1) % segments.length];
    if (!next.isLine) {
      next.x1 += from.x - x;
      next.y1 += from.y - y;
    }
    if (k === segments.length - 1) {
      ring.x = from.x;
      ring.y = from.y;
    }
    segments.splice(k, 1);
  }
}

/**
 * Returns a ring without the nodes that junctions have left: those between collinear lines, and between cubics that one
 * draws as well to within `tolerance` px. `joints` are the segments that end where two chains meet. Neighbors must
 * overlap, as the two sides of a boundary may become different.
 */
export function simplifyRing(ring: Ring, joints: ReadonlySet<Segment>, tolerance: number): Ring {
  joinLines(ring);
  if (joints.size === 0) return ring;
  dropStubs(ring);
  const { segments } = ring;
  if (segments.length < 2) return ring;
  // The joint at the start of a list stays, so the ring starts at a corner when there is one.
  let from = segments.length - 1;
  while (from > 0 && (!joints.has(segments[from]) || turnAt(segments, from) < CORNER)) from--;
  const start = segments[from];
  const list = [...segments.slice(from + 1), ...segments.slice(0, from + 1)];
  const fewer = mergeSegments(start.x, start.y, list, tolerance, {
    isClosed: true,
    mayJoin: (k) => joints.has(list[k]),
  });
  const outline = fewer.length < list.length ? { ...ring, x: start.x, y: start.y, segments: fewer } : ring;
  // Joints within chains are smooth already, or corners.
  const isOld = new Set(list);
  return smoothBends(outline, true, tolerance, (segment) => joints.has(segment) || !isOld.has(segment));
}

/** Returns the region on the left of a half-edge. */
export function leftOf({ chains }: BoundaryMap, halfEdge: number): number {
  const chain = chains[halfEdge >> 1];
  return halfEdge & 1 ? chain.right : chain.left;
}
