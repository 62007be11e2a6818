/** Traces, and distances of their outlines from the truth, for both benchmarks of the option `regular`. */
import type { Bitmap, Ring } from '../src/index.ts';
import { vectorize } from '../src/index.ts';
import { Outline, sampleCurve } from '../src/regular/outline.ts';
import { ringsOf } from '../test/raster.ts';
import type { RegularArt } from './regularArt.ts';

interface Result {
  rings: Ring[];
  cpuMs: number;
}

export function trace(bitmap: Bitmap, regular: boolean): Result {
  const start = process.cpuUsage();
  const drawing = vectorize(bitmap, { quality: 'fine', despeckle: 1, stacking: 'cutouts', regular });
  const { user, system } = process.cpuUsage(start);
  return { rings: ringsOf(drawing).map(({ ring }) => ring), cpuMs: (user + system) / 1000 };
}

export const toOutline = (rings: readonly Ring[]): Outline =>
  new Outline(
    rings.map((_, k) => k),
    (k) => sampleCurve(toExact(rings[k])),
  );

/** Returns a circle as a polygon of many sides: its cubics are round to a hundredth of a pixel only. */
function toExact({ shape, ...ring }: Ring): Ring {
  if (shape?.kind !== 'circle') return ring;
  const points = Array.from({ length: 1441 }, (_, k): [number, number] => {
    const angle = (k * Math.PI) / 720;
    return [shape.x + shape.radius * Math.cos(angle), shape.y + shape.radius * Math.sin(angle)];
  });
  const segments = points.slice(1).map(([x, y]) => ({ isLine: true, x1: x, y1: y, x2: x, y2: y, x, y }));
  return { x: points[0][0], y: points[0][1], segments };
}

/** Returns the mean distance between outlines and the truth, both ways, in px. */
export function edgeError(rings: readonly Ring[], truth: Outline): number {
  const outline = toOutline(rings);
  return (meanDistance(outline, truth) + meanDistance(truth, outline)) / 2;
}

function meanDistance(from: Outline, to: Outline): number {
  let sum = 0;
  for (let k = 0; k < from.count; k++) {
    const near = to.nearest(from.x[k], from.y[k]);
    sum += near < 0 ? 2.5 : to.distance(near, from.x[k], from.y[k]);
  }
  return sum / from.count;
}

/** Returns the visible edges of the art, as far as nothing lies over them. */
export function truthOf({ layers }: Pick<RegularArt, 'layers'>): Outline {
  const lines = layers.flatMap(({ polygons }, layer) =>
    polygons.map((polygon) => ({ polygon, above: layers.slice(layer + 1) })),
  );
  const curves = lines.map(({ polygon }) => ({
    x: polygon[0][0],
    y: polygon[0][1],
    segments: [...polygon.slice(1), polygon[0]].map(([x, y]) => ({ isLine: true, x1: x, y1: y, x2: x, y2: y, x, y })),
  }));
  return new Outline(
    lines.map((_, k) => k),
    (k) => sampleCurve(curves[k]),
  );
}

/** Returns the number of segments of a result. */
export const segmentsOf = ({ rings }: Result): number => rings.reduce((sum, { segments }) => sum + segments.length, 0);
export const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0;
export const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0);
