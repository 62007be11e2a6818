import { expect, test } from 'vitest';
import { BLACK, type Color, draw, flatten, randomBytes } from '../../test/raster.ts';
import { vectorize } from '../index.ts';

const colors: Color[] = [[210, 40, 30, 255], [30, 70, 200, 255], [20, 150, 70, 255], BLACK];

test('draws each border between regions once, in few lines', () => {
  const random = randomBytes(9);
  const blobs = Array.from({ length: 9 }, (_, k) => {
    const [cx, cy, r] = [10 + random() / 3, 10 + random() / 3, 9 + random() / 14];
    return { color: colors[k & 3], isInside: (x: number, y: number) => Math.hypot(x - cx, y - cy) < r };
  });
  const bitmap = draw(104, 100, [240, 220, 130, 255], blobs);
  const edges = vectorize(bitmap, { draw: 'edges' });
  const shapes = vectorize(bitmap, { stacking: 'cutouts', groupBy: 'shape', draw: 'fill' });
  const isOnBorder = (x: number, y: number) => x < 0.01 || y < 0.01 || x > 103.99 || y > 99.99;

  /** Counts the pieces of curves, each identified by its two ends in either order. */
  const count = (rings: ReturnType<typeof lines>) => {
    const pieceCounts = new Map<string, number>();
    for (const ring of rings) {
      const points = flatten(ring, 4).map(([x, y]) => `${x.toFixed(3)},${y.toFixed(3)}`);
      for (let k = 1; k < points.length; k++) {
        if (points[k] === points[k - 1]) continue;
        const key = [points[k - 1], points[k]].sort().join('|');
        pieceCounts.set(key, (pieceCounts.get(key) ?? 0) + 1);
      }
    }
    return pieceCounts;
  };
  const lines = (drawing: typeof edges) => drawing.layers.flatMap(({ paths }) => paths.flatMap(({ rings }) => rings));
  const once = count(lines(edges));
  expect(once.size).toBeGreaterThan(60);
  for (const times of once.values()) expect(times).toBe(1);

  // Every piece of every shape is present except along the edge of the picture; joined lines may have lost a node.
  const inner = [...count(lines(shapes)).keys()].filter((key) => {
    const [x, y, u, v] = key.split(/[|,]/).map(Number);
    return !(isOnBorder(x, y) && isOnBorder(u, v));
  });
  const missing = inner.filter((key) => !once.has(key));
  expect(missing.length).toBeLessThan(0.1 * inner.length);
  for (const key of once.keys()) {
    const [x, y, u, v] = key.split(/[|,]/).map(Number);
    expect(isOnBorder(x, y) && isOnBorder(u, v)).toBe(false);
  }
  expect(lines(edges).length).toBeLessThan(14);
});
