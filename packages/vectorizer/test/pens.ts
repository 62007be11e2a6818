/** Draws lines with a round pen, for tests of strokes. */
import type { Bitmap, Drawing, Path, Ring } from '../src/index.ts';
import { type Color, paint } from './raster.ts';

export const INK: Color = [20, 20, 40, 255];
export type Point = [number, number];

/**
 * Returns a picture of polylines, each drawn with a round pen of its width, antialiased by 8 × 8 samples near edges.
 */
export function drawLines(width: number, height: number, lines: { points: Point[]; width: number }[]): Bitmap {
  /** No pixel whose middle is farther from an edge holds a part of it. */
  const reach = 0.75;
  return paint(width, height, (px, py) => {
    const near: typeof lines = [];
    let inside = 0;
    let isWhole = false;
    for (const line of lines) {
      const distance = distanceTo(line.points, px + 0.5, py + 0.5) - line.width / 2;
      if (distance < -reach) isWhole = true;
      else if (distance < reach) near.push(line);
    }
    for (let k = 0; k < 64 && near.length > 0 && !isWhole; k++) {
      const x = px + ((k & 7) + 0.5) / 8;
      const y = py + ((k >> 3) + 0.5) / 8;
      if (near.some((line) => distanceTo(line.points, x, y) < line.width / 2)) inside++;
    }
    const mix = (c: number): number => Math.round(255 + ((INK[c] - 255) * (isWhole ? 64 : inside)) / 64);
    return [mix(0), mix(1), mix(2), 255];
  });
}

export function distanceTo(points: Point[], x: number, y: number): number {
  let nearest = Infinity;
  for (let k = 1; k < points.length; k++) {
    const [ax, ay] = points[k - 1];
    const dx = points[k][0] - ax;
    const dy = points[k][1] - ay;
    const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
    const d = (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2;
    if (d < nearest) nearest = d;
  }
  return Math.sqrt(nearest);
}

export function arc(cx: number, cy: number, r: number, from: number, to: number, count = 40): Point[] {
  return Array.from({ length: count + 1 }, (_, k) => {
    const a = from + ((to - from) * k) / count;
    return [cx + r * Math.cos(a), cy + r * Math.sin(a)];
  });
}

export interface Line {
  path: Path;
  ring: Ring;
}

export function strokesOf(drawing: Drawing): Line[] {
  return drawing.layers.flatMap((layer) =>
    layer.paths
      .filter((path) => path.strokeWidth !== undefined)
      .flatMap((path) => path.rings.map((ring) => ({ path, ring }))),
  );
}
