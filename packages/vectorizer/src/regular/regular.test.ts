import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverage, type Point, placePolygon, print } from '../../test/polygons.ts';
import { paint, ringsOf } from '../../test/raster.ts';
import { addNoise } from '../../test/scenes.ts';
import type { Bitmap, Ring } from '../index.ts';
import { vectorize, writeSvg } from '../index.ts';

const SIZE = 150;

/** Returns an outline around the origin by its radius at each angle. */
const polar = (radius: (angle: number) => number): Point[] =>
  Array.from({ length: 900 }, (_, k) => {
    const angle = (k * Math.PI) / 450;
    return [radius(angle) * Math.cos(angle), radius(angle) * Math.sin(angle)];
  });

/** Returns a star whose first tip may be shorter by `fault` px, and the second by half of it. */
const star = (order: number, inner: number, outer: number, fault = 0): Point[] =>
  Array.from({ length: 2 * order }, (_, k): Point => {
    const far = k % 2 === 1 ? inner : outer - (k === 0 ? fault : k === 2 ? fault / 2 : 0);
    return [far * Math.cos((Math.PI * k) / order), far * Math.sin((Math.PI * k) / order)];
  });

/** Returns 1 at an angle, falling smoothly to 0. */
const bump = (angle: number, at: number): number => {
  const off = Math.atan2(Math.sin(angle - at), Math.cos(angle - at));
  return Math.abs(off) < 0.6 ? Math.cos((off * Math.PI) / 1.2) ** 2 : 0;
};

const place = (polygon: readonly Point[], angle: number): Point[] => placePolygon(polygon, angle, 75.3, 74.6);

function trace(bitmap: Bitmap): Ring[] {
  return ringsOf(vectorize(bitmap, { regular: true, stacking: 'cutouts' })).map(({ ring }) => ring);
}

/** Returns all nodes and handles of rings. */
const pointsOf = (rings: readonly Ring[]): [number, number][] =>
  rings.flatMap(({ segments }) =>
    segments.flatMap(({ isLine, x1, y1, x2, y2, x, y }): [number, number][] =>
      isLine
        ? [[x, y]]
        : [
            [x1, y1],
            [x2, y2],
            [x, y],
          ],
    ),
  );

/** Returns the largest distance of the image of a point from the nearest point, in px. */
function farthest(points: readonly [number, number][], map: (x: number, y: number) => [number, number]): number {
  let most = 0;
  for (const [px, py] of points) {
    const [qx, qy] = map(px, py);
    most = Math.max(most, Math.min(...points.map(([x, y]) => Math.hypot(x - qx, y - qy))));
  }
  return most;
}

/** Returns how far points are from a rotation about their mean, in px. */
function offRotation(points: readonly [number, number][], order: number): number {
  const [mx, my] = [0, 1].map((i) => points.reduce((sum, point) => sum + point[i], 0) / points.length);
  const [cos, sin] = [Math.cos((2 * Math.PI) / order), Math.sin((2 * Math.PI) / order)];
  return farthest(points, (x, y) => [mx + cos * (x - mx) - sin * (y - my), my + sin * (x - mx) + cos * (y - my)]);
}

/** Returns how far points are from the best mirroring that lays the first of them on another, in px. */
function offMirror(points: readonly [number, number][]): number {
  const [mx, my] = [0, 1].map((i) => points.reduce((sum, point) => sum + point[i], 0) / points.length);
  const [fx, fy] = points.reduce((far, point) =>
    Math.hypot(point[0] - mx, point[1] - my) > Math.hypot(far[0] - mx, far[1] - my) + 1e-9 ? point : far,
  );
  let least = Infinity;
  for (const [x, y] of points) {
    const turn = Math.atan2(fy - my, fx - mx) + Math.atan2(y - my, x - mx);
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    least = Math.min(
      least,
      farthest(points, (px, py) => [mx + cos * (px - mx) + sin * (py - my), my + sin * (px - mx) - cos * (py - my)]),
    );
  }
  return least;
}

const angles = fc.double({ min: 0, max: 6.28, noNaN: true });
const EXACT_PX = 1e-6;

describe('makes exact, at any angle:', () => {
  test('stars', () => {
    const inputs = [fc.integer({ min: 5, max: 9 }), fc.double({ min: 24, max: 40, noNaN: true }), angles] as const;
    fc.assert(
      fc.property(...inputs, (order, inner, angle) => {
        const points = pointsOf(trace(print(SIZE, SIZE, [place(star(order, inner, 64), angle)])));
        expect(offRotation(points, order)).toBeLessThan(EXACT_PX);
        expect(offMirror(points)).toBeLessThan(EXACT_PX);
      }),
      { numRuns: 8 },
    );
  });

  test('outlines of curves with rotations and axes', () => {
    const waves = fc.double({ min: 0.1, max: 0.18, noNaN: true });
    expectExact(fc.tuple(fc.integer({ min: 3, max: 6 }), waves, angles), 8, ([order, wave, angle]) => {
      const petals = polar((at) => 58 * (1 + wave * Math.cos(order * at)));
      return { bitmap: print(SIZE, SIZE, [place(petals, angle)]), order, hasAxis: true };
    });
  });

  test('outlines of curves with rotations alone', () => {
    expectExact(fc.tuple(fc.integer({ min: 3, max: 5 }), angles), 6, ([order, angle]) => {
      const blades = polar((at) => 54 + 9 * Math.sin(order * at) + 4 * Math.sin(2 * order * at + 0.8));
      return { bitmap: print(SIZE, SIZE, [place(blades, angle)]), order, hasAxis: false };
    });
  });

  test('outlines with one axis, and no kink where they cross it', () => {
    expectExact(angles, 6, (angle) => {
      const egg = polar((at) => 50 + 8 * Math.cos(at) + 3 * Math.cos(2 * at) - 2 * Math.cos(3 * at));
      const bitmap = print(SIZE, SIZE, [place(egg, angle)]);
      expect(sharpestBend(trace(bitmap))).toBeLessThan(0.035);
      return { bitmap, order: 1, hasAxis: true };
    });
  });

  test('pieces that repeat, moved and turned', () => {
    const leaf = polar((at) => 19 * (1 + 0.18 * Math.cos(2 * at + 1) + 0.1 * Math.cos(3 * at)));
    for (const angle of [0.4, 1.3, 2.2]) {
      const copies = [
        placePolygon(leaf, 0, 40.2, 42.7),
        placePolygon(leaf, angle, 108.6, 46.1),
        placePolygon(leaf, 2 * angle, 71.9, 109.4),
      ];
      const pieces = trace(print(SIZE, SIZE, copies)).map((ring) => distancesOf(pointsOf([ring])));
      expect(pieces).toHaveLength(3);
      for (const piece of pieces) {
        expect(piece).toHaveLength(pieces[0].length);
        expect(Math.max(...piece.map((distance, k) => Math.abs(distance - pieces[0][k])))).toBeLessThan(EXACT_PX);
      }
    }
  });
});

/** The regularity of a picture. */
interface Truth {
  bitmap: Bitmap;
  order: number;
  hasAxis: boolean;
}

/**
 * Expects most random pictures to become exactly regular, and the others, whose curves have too few nodes for it, to
 * stay the same.
 */
function expectExact<Input>(inputs: fc.Arbitrary<Input>, runs: number, make: (input: Input) => Truth): void {
  let exactCount = 0;
  for (const input of fc.sample(inputs, { numRuns: runs, seed: 20261121 })) {
    const { bitmap, order, hasAxis } = make(input);
    const rings = trace(bitmap);
    const options = { stacking: 'cutouts' } as const;
    if (JSON.stringify(rings) === JSON.stringify(ringsOf(vectorize(bitmap, options)).map(({ ring }) => ring))) continue;
    exactCount++;
    const points = pointsOf(rings);
    if (order > 1) expect(offRotation(points, order)).toBeLessThan(EXACT_PX);
    if (hasAxis) expect(offMirror(points)).toBeLessThan(EXACT_PX);
    else expect(offMirror(points)).toBeGreaterThan(0.5);
  }
  expect(exactCount).toBeGreaterThan(runs / 2);
}

/** Returns the distances between all points in order, which are the same for equal pieces wherever they lie. */
function distancesOf(points: readonly [number, number][]): number[] {
  return points.flatMap(([x, y]) => points.map(([p, q]) => Math.hypot(x - p, y - q))).sort((a, b) => a - b);
}

/** Returns the largest bend between neighboring segments of rings, as the sine of its angle. */
function sharpestBend(rings: readonly Ring[]): number {
  let most = 0;
  for (const { segments } of rings) {
    segments.forEach((s, k) => {
      const next = segments[(k + 1) % segments.length];
      const [ix, iy] = [s.x - s.x2, s.y - s.y2];
      const [ox, oy] = [next.x1 - s.x, next.y1 - s.y];
      most = Math.max(most, Math.abs(ix * oy - iy * ox) / (Math.hypot(ix, iy) * Math.hypot(ox, oy)));
    });
  }
  return most;
}

describe('leaves alone what is only nearly regular:', () => {
  const cases: [string, (fault: number) => Point[]][] = [
    ['a star with a shorter tip', (fault) => star(5, 28, 64, 2 * fault)],
    ['a flower with a larger petal', (fault) => polar((at) => 54 + 8 * Math.cos(5 * at) + fault * bump(at, 0.3))],
    [
      'an egg with a dent',
      (fault) => polar((at) => 50 + 8 * Math.cos(at) + 3 * Math.cos(2 * at) - fault * bump(at, 1)),
    ],
    ['an ear larger than the other', (fault) => polar((at) => 44 + 18 * bump(at, -1) + (18 + fault) * bump(at, 1))],
  ];
  test.each(cases)('%s', (_, make) => {
    for (const [fault, angle] of [
      [1.5, 0],
      [2, 0.7],
      [3.5, 2.4],
    ]) {
      const bitmap = print(SIZE, SIZE, [place(make(fault), angle)]);
      expect(writeSvg(vectorize(bitmap, { regular: true }))).toBe(writeSvg(vectorize(bitmap)));
    }
  });

  test('a letter', () => {
    const letter: Point[] = [
      [-30, -50],
      [30, -50],
      [30, -32],
      [-8, -32],
      [-8, -10],
      [22, -10],
      [22, 8],
      [-8, 8],
      [-8, 50],
      [-30, 50],
    ];
    const bitmap = print(SIZE, SIZE, [place(letter, 0.2)]);
    expect(writeSvg(vectorize(bitmap, { regular: true }))).toBe(writeSvg(vectorize(bitmap)));
  });
});

test('is off by default', () => {
  const bitmap = print(SIZE, SIZE, [place(star(6, 30, 62), 0.3)]);
  expect(writeSvg(vectorize(bitmap))).toBe(writeSvg(vectorize(bitmap, { regular: false })));
  expect(vectorize(bitmap)).not.toEqual(vectorize(bitmap, { regular: true }));
});

test('keeps inks together at the junctions', () => {
  const plate = place(
    polar((at) => 56 + 6 * Math.cos(4 * at)),
    0.35,
  );
  const belt = place(
    polar((at) => 56 + 6 * Math.cos(4 * at)).map(([x, y]): Point => [x, Math.max(-20, Math.min(20, y))]),
    0.35,
  );
  const [under, over] = [coverage(SIZE, SIZE, [plate]), coverage(SIZE, SIZE, [belt])];
  const bitmap = paint(SIZE, SIZE, (x, y) => {
    const at = y * SIZE + x;
    const mix = (paper: number, first: number, second: number): number =>
      Math.round((paper + (first - paper) * under[at]) * (1 - over[at]) + second * over[at]);
    return [mix(240, 20, 200), mix(226, 90, 40), mix(200, 60, 50), 255];
  });
  const rings = trace(bitmap);
  const art = rings.filter((ring) => pointsOf([ring]).every(([x, y]) => x > 0 && y > 0));
  expect(art).toHaveLength(4);
  expect(offRotation(pointsOf(art), 2)).toBeLessThan(EXACT_PX);
  // Each segment is drawn by both of its neighbors, but for the edge of the picture.
  const ends = new Map<string, number>();
  for (const { x, y, segments } of rings) {
    let from = [x, y];
    for (const segment of segments) {
      const to = [segment.x, segment.y];
      const isEdge = [0, 1].some((i) => from[i] === to[i] && (from[i] === 0 || from[i] === SIZE));
      const key = [from, to].map(String).sort().join(' ');
      if (!isEdge) ends.set(key, (ends.get(key) ?? 0) + 1);
      from = to;
    }
  }
  expect(ends.size).toBeGreaterThan(8);
  expect([...ends].filter(([, count]) => count !== 2)).toEqual([]);
});

test('keeps level lines level', () => {
  const house: Point[] = [
    [0, -55],
    [48, -18],
    [48, 50],
    [14, 50],
    [14, 12],
    [-14, 12],
    [-14, 50],
    [-48, 50],
    [-48, -18],
  ];
  const bitmap = addNoise(print(SIZE, SIZE, [place(house, 0)]), 5, 3);
  const [ring] = trace(bitmap);
  expect(offMirror(pointsOf([ring]))).toBeLessThan(EXACT_PX);
  const turns = ring.segments.map(({ x, y }, k) => {
    const before = ring.segments[(k + ring.segments.length - 1) % ring.segments.length];
    return Math.min(Math.abs(x - before.x), Math.abs(y - before.y));
  });
  expect(turns).toHaveLength(9);
  expect(turns.filter((off) => off < EXACT_PX)).toHaveLength(7);
});
