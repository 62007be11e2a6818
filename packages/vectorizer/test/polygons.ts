/** Renders polygons with exact coverage, for tests that measure hundredths of a pixel. */
import type { Bitmap } from '../src/index.ts';
import { paint } from './raster.ts';

export type Point = readonly [number, number];

/** Returns the share of each pixel inside an odd number of the polygons, 0..1: exact along 32 lines per row. */
export function coverage(width: number, height: number, polygons: readonly (readonly Point[])[]): Float64Array {
  const lines = 32;
  const cover = new Float64Array(width * height);
  for (let line = 0; line < height * lines; line++) {
    const y = (line + 0.5) / lines;
    const crossings: number[] = [];
    for (const polygon of polygons) {
      polygon.forEach(([ax, ay], k) => {
        const [bx, by] = polygon[(k + 1) % polygon.length];
        if (ay > y !== by > y) crossings.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
      });
    }
    crossings.sort((a, b) => a - b);
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      for (let x = Math.floor(crossings[k]); x < crossings[k + 1]; x++) {
        const part = Math.min(x + 1, crossings[k + 1]) - Math.max(x, crossings[k]);
        cover[Math.floor(y) * width + x] += part / lines;
      }
    }
  }
  return cover;
}

/** Returns a picture of the polygons in black on white. */
export function print(width: number, height: number, polygons: readonly (readonly Point[])[]): Bitmap {
  const cover = coverage(width, height, polygons);
  return paint(width, height, (x, y) => {
    const gray = Math.round(255 * (1 - cover[y * width + x]));
    return [gray, gray, gray, 255];
  });
}

/** Rotates a polygon around the origin by an angle in radians, clockwise on the screen, and moves it by (x, y). */
export function placePolygon(polygon: readonly Point[], angle: number, x: number, y: number): Point[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return polygon.map(([px, py]) => [x + c * px - s * py, y + s * px + c * py]);
}
