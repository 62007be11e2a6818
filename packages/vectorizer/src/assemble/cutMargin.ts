import type { Drawing, Gradient, Ring } from '../drawing.ts';
import { mapShape } from '../geometry/isometry.ts';
import { lineTo } from '../geometry/segment.ts';
import { followNodes, signedArea, toCurve } from '../refine/shapeCurve.ts';
import { fitWithin } from '../refine/shapes.ts';
import { keepInside } from './rings.ts';

/**
 * Lines along the border within the first distance, and curves at least so long within the second, lie on it, in px:
 * art that runs off the picture leaves no gap there, and noise does not make its sides waver.
 */
const SNAP = 0.25;
const CURVE_SNAP = 0.5;
const LEAST_SIDE = 24;
/** An outline that passes the border by no more than this, in px, touches it: it is squeezed, not cut. */
const SLACK = 0.5;
/** An outline that touches the border ends this far inside, in px, so that rounding does not cut it. */
const INSIDE = 2e-4;
/** Points at which the extent of a segment is measured. */
const SAMPLES = 24;

/** Takes the margin off again: outlines that touch the border do not pass it, and those that run off end on it. */
export function cutMargin(drawing: Drawing, margin: number): Drawing {
  if (margin === 0) return drawing;
  const width = drawing.width - 2 * margin;
  const height = drawing.height - 2 * margin;
  const layers = drawing.layers.map((layer) => ({
    ...layer,
    paths: layer.paths.map((path) => ({
      ...path,
      ...(path.gradient && { gradient: moveGradient(path.gradient, -margin) }),
      rings: path.rings.map((ring) => settle(moveRing(ring, -margin), width, height)),
    })),
  }));
  return { ...drawing, width, height, layers };
}

function moveGradient(gradient: Gradient, by: number): Gradient {
  const { x1, y1, x2, y2, x3, y3 } = gradient;
  const image = { ...gradient, x1: x1 + by, y1: y1 + by, x2: x2 + by, y2: y2 + by };
  return x3 === undefined || y3 === undefined ? image : { ...image, x3: x3 + by, y3: y3 + by };
}

function moveRing({ x, y, segments, isOpen, shape }: Ring, by: number): Ring {
  return {
    x: x + by,
    y: y + by,
    segments: segments.map((s) => ({
      ...s,
      x1: s.x1 + by,
      y1: s.y1 + by,
      x2: s.x2 + by,
      y2: s.y2 + by,
      x: s.x + by,
      y: s.y + by,
    })),
    ...(isOpen && { isOpen }),
    ...(shape && { shape: mapShape({ a: 1, b: 0, c: 0, d: 1, dx: by, dy: by }, shape) }),
  };
}

/** Puts a ring inside the picture. Changes it. */
function settle(ring: Ring, width: number, height: number): Ring {
  const before: Ring = { ...ring, segments: ring.segments.map((segment) => ({ ...segment })) };
  const isOn = [snapSides(ring, 'x', width), snapSides(ring, 'y', height)];
  if (ring.shape) {
    const shape = fitWithin(followNodes(ring, before).shape ?? ring.shape, width, height);
    return toCurve(shape, signedArea(ring) < 0);
  }
  squeeze(ring, 'x', width, isOn[0]);
  squeeze(ring, 'y', height, isOn[1]);
  return keepInside(ring, { width, height });
}

type Axis = 'x' | 'y';

/** Draws the sides that run along a border as lines on it. Returns whether there are any at its low and high end. */
function snapSides(ring: Ring, axis: Axis, size: number): { low: boolean; high: boolean } {
  const { segments } = ring;
  const across = axis === 'x' ? 'y' : 'x';
  const [first, second] = axis === 'x' ? (['x1', 'x2'] as const) : (['y1', 'y2'] as const);
  const isOn = { low: false, high: false };
  const put = (at: number, border: number): void => {
    const segment = segments[at];
    const next = segments[(at + 1) % segments.length];
    const by = border - segment[axis];
    segment[axis] = border;
    segment[second] = segment.isLine ? border : segment[second] + by;
    if (segment.isLine) segment[first] = border;
    if (!next.isLine) next[first] += by;
    if (at === segments.length - 1) ring[axis] = border;
  };
  segments.forEach((segment, k) => {
    const before = (k + segments.length - 1) % segments.length;
    const from = segments[before];
    const border = Math.abs(segment[axis]) < size / 2 ? 0 : size;
    const isNear = (limit: number, ...values: number[]): boolean =>
      values.every((value) => Math.abs(value - border) < limit);
    const isSide = segment.isLine
      ? isNear(SNAP, from[axis], segment[axis])
      : isNear(CURVE_SNAP, from[axis], segment[first], segment[second], segment[axis]) &&
        Math.abs(segment[across] - from[across]) > LEAST_SIDE;
    if (!isSide) return;
    isOn[border === 0 ? 'low' : 'high'] = true;
    segments[k] = lineTo(segment.x, segment.y);
    put(before, border);
    put(k, border);
  });
  return isOn;
}

/** Squeezes an outline that touches a border so that it does not pass it. One with a line on that border stays. */
function squeeze(ring: Ring, axis: Axis, size: number, isOn: { low: boolean; high: boolean }): void {
  let least = ring[axis];
  let most = ring[axis];
  const [first, second] = axis === 'x' ? (['x1', 'x2'] as const) : (['y1', 'y2'] as const);
  let from = ring[axis];
  for (const segment of ring.segments) {
    const to = segment[axis];
    for (let k = 1; k <= SAMPLES; k++) {
      const t = segment.isLine ? 1 : k / SAMPLES;
      const r = 1 - t;
      const handles = 3 * r * t * (r * segment[first] + t * segment[second]);
      const value = r * r * r * from + handles + t * t * t * to;
      least = Math.min(least, value);
      most = Math.max(most, value);
      if (segment.isLine) break;
    }
    from = to;
  }
  const isLow = least < 0 && least > -SLACK && !isOn.low;
  const isHigh = most > size && most < size + SLACK && !isOn.high;
  if (!isLow && !isHigh) return;
  const low = isLow ? INSIDE : least;
  const high = isHigh ? size - INSIDE : most;
  const move = (value: number): number => low + ((value - least) * (high - low)) / (most - least);
  ring[axis] = move(ring[axis]);
  for (const segment of ring.segments) {
    segment[first] = move(segment[first]);
    segment[second] = move(segment[second]);
    segment[axis] = move(segment[axis]);
  }
}
