/** Tests of single options on small drawn pictures. */
import { describe, expect, test } from 'vitest';
import type { Drawing } from '../src/index.ts';
import { vectorize, writeSvg } from '../src/index.ts';
import { BLACK, type Color, draw, flatten, paint, ringsOf, WHITE } from './raster.ts';

const BLUE: Color = [30, 70, 200, 255];

const countSegments = (drawing: Drawing): number =>
  ringsOf(drawing).reduce((sum, { ring }) => sum + ring.segments.length, 0);
const pathsOf = (drawing: Drawing) => drawing.layers.flatMap(({ paths }) => paths);

/** Returns the radius of the flower, a shape of many soft lobes, at an angle. */
const radiusAt = (angle: number): number => 40 + 6 * Math.sin(9 * angle) + 2 * Math.sin(23 * angle + 1);
const flower = draw(120, 120, WHITE, [
  {
    color: BLUE,
    isInside: (x, y) => Math.hypot(x - 60.3, y - 59.6) < radiusAt(Math.atan2(y - 59.6, x - 60.3)),
  },
]);
const distanceOf = (drawing: Drawing): number => {
  const distances = ringsOf(drawing).flatMap(({ ring }) =>
    flatten(ring, 6).map(([x, y]) =>
      Math.abs(Math.hypot(x - 60.3, y - 59.6) - radiusAt(Math.atan2(y - 59.6, x - 60.3))),
    ),
  );
  return distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
};

/** A ring drawn with a pen of 4 px, and a bar through it. */
const pen = draw(300, 240, WHITE, [
  { color: BLACK, isInside: (x, y) => Math.abs(Math.hypot(x - 150.2, y - 120.4) - 88.5) < 2 },
  { color: BLACK, isInside: (x, y) => Math.abs(y - 120.4) < 2 && x > 22 && x < 278 },
]);
/** Two adjacent fields without any lines. */
const fields = draw(140, 120, WHITE, [
  { color: BLACK, isInside: (x, y) => x > 20.5 && x < 70.5 && y > 20.5 && y < 100.5 },
  { color: BLUE, isInside: (x, y) => x > 70.5 && x < 120.5 && y > 20.5 && y < 100.5 },
]);

describe('simplify', () => {
  const traces = [0, 0.25, 0.5, 0.75, 1].map((simplify) => vectorize(flower, { simplify, refine: false }));

  test('trades nodes for accuracy in steps', () => {
    const counts = traces.map(countSegments);
    expect([...counts].sort((a, b) => b - a)).toEqual(counts);
    expect(counts[4]).toBeLessThan(0.9 * counts[0]);
    expect(distanceOf(traces[4])).toBeGreaterThan(1.1 * distanceOf(traces[0]));
    expect(distanceOf(traces[0])).toBeLessThan(0.3);
  });

  test('is 0.5 by default, and ignored when a tolerance is given', () => {
    expect(writeSvg(vectorize(flower))).toBe(writeSvg(vectorize(flower, { simplify: 0.5 })));
    const within = (simplify: number) => writeSvg(vectorize(flower, { tolerance: 0.3, simplify }));
    expect(within(0)).toBe(within(1));
  });
});

describe('quality and refinement', () => {
  test('a coarser quality has fewer nodes', () => {
    const [draft, coarse, fine] = (['draft', 'coarse', 'fine'] as const).map((quality) =>
      countSegments(vectorize(flower, { quality })),
    );
    expect(draft).toBeLessThan(coarse!);
    expect(coarse).toBeLessThan(fine!);
  });

  test('one step of refinement comes between none and all', () => {
    const [none, once, all] = ([false, 'once', true] as const).map((refine) => vectorize(flower, { refine }));
    expect(distanceOf(once!)).toBeLessThan(distanceOf(none!));
    expect(writeSvg(once!)).not.toBe(writeSvg(all!));
    expect(writeSvg(vectorize(flower))).toBe(writeSvg(all!));
  });
});

describe('line art', () => {
  test('is true for lines of a pen, and false for filled areas', () => {
    expect(vectorize(pen).lineArt).toBe(true);
    expect(vectorize(fields).lineArt).toBe(false);
    expect(vectorize(flower).lineArt).toBe(false);
  });

  test('is the same for every value of `draw`', () => {
    for (const draw of ['fill', 'stroke', 'edges', 'centerline', 'outline'] as const) {
      expect(vectorize(pen, { draw }).lineArt).toBe(true);
      expect(vectorize(fields, { draw }).lineArt).toBe(false);
    }
  });
});

describe('draw: outline', () => {
  const rings = (drawing: Drawing) => ringsOf(drawing).map(({ ring }) => ring);

  test('follows the center of drawn lines once, a pixel wide', () => {
    const outline = vectorize(pen, { draw: 'outline' });
    const centers = vectorize(pen, { draw: 'centerline' });
    expect(rings(outline)).toEqual(rings(centers));
    expect(pathsOf(outline).map(({ strokeWidth }) => strokeWidth)).toEqual(pathsOf(outline).map(() => 1));
    for (const { strokeWidth } of pathsOf(centers)) expect(Math.abs(strokeWidth! - 4)).toBeLessThan(0.3);
  });

  test('follows each border of other art once', () => {
    const outline = vectorize(fields, { draw: 'outline' });
    expect(writeSvg(outline)).toBe(writeSvg(vectorize(fields, { draw: 'edges' })));
    expect(pathsOf(outline).every(({ strokeWidth }) => strokeWidth === 1)).toBe(true);
  });
});

describe('arcs', () => {
  test('are written with one radius for a circular center line', () => {
    const svg = writeSvg(vectorize(pen, { draw: 'centerline' }));
    const radii = [...svg.matchAll(/[aA]([\d.]+)[ ,]?([\d.]+)/g)].map(([, rx]) => Number(rx));
    const circles = [...svg.matchAll(/ r="([\d.]+)"/g)].map(([, r]) => Number(r));
    const allRadii = [...radii, ...circles];
    expect(allRadii.length).toBeGreaterThan(0);
    for (const radius of allRadii) expect(Math.abs(radius - 88.5)).toBeLessThan(0.2);
  });

  test('are written as a circle for a round shape, unless `shapes` is false', () => {
    const disk = paint(90, 90, (x, y) => (Math.hypot(x - 44.5, y - 44.5) < 30 ? BLACK : WHITE));
    expect(writeSvg(vectorize(disk))).toContain('<circle');
    expect(writeSvg(vectorize(disk, { shapes: false }))).not.toContain('<circle');
  });
});
