import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Point, placePolygon, print } from '../../test/polygons.ts';
import { ringsOf } from '../../test/raster.ts';
import { addNoise } from '../../test/scenes.ts';
import type { Bitmap } from '../index.ts';
import { vectorize } from '../index.ts';
import { findClasses } from './classes.ts';
import { Constraints } from './constraints.ts';
import { Directions, RIGHT } from './directions.ts';

const SIZE = 160;
const EXACT = 1e-6;

interface Line {
  from: Point;
  to: Point;
  length: number;
  angle: number;
}

/** Returns the straight segments of at least `least` px, with `regular` on. */
function linesOf(bitmap: Bitmap, least: number): Line[] {
  return ringsOf(vectorize(bitmap, { regular: true, stacking: 'cutouts' })).flatMap(({ ring }) =>
    ring.segments.flatMap(({ isLine, x, y }, k): Line[] => {
      const before = k === 0 ? ring : ring.segments[k - 1];
      const length = Math.hypot(x - before.x, y - before.y);
      // The edge of the picture is no part of the drawing.
      if (!isLine || length < least || length > SIZE - 1) return [];
      return [{ from: [before.x, before.y], to: [x, y], length, angle: Math.atan2(y - before.y, x - before.x) }];
    }),
  );
}

/** Returns by how much directions differ at most, up to multiples of `period`, in radians. */
function spread(lines: readonly Line[], period: number): number {
  return Math.max(
    ...lines.map(({ angle }) => {
      const off = angle - lines[0].angle;
      return Math.abs(off - period * Math.round(off / period));
    }),
  );
}

/** Returns the distance of the middle of a line from another. */
function distance({ from, to }: Line, other: Line): number {
  const [x, y] = [(from[0] + to[0]) / 2 - other.from[0], (from[1] + to[1]) / 2 - other.from[1]];
  return Math.abs(x * Math.sin(other.angle) - y * Math.cos(other.angle));
}

const box = (left: number, top: number, right: number, bottom: number): Point[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];
const place = (polygon: readonly Point[], angle: number): Point[] => placePolygon(polygon, angle, 80.3, 79.6);

const letter = (foot: number): Point[] => [
  [-40, -50],
  [30, -50],
  [30, -34],
  [-24, -34],
  [-24, -9],
  [12, -9],
  [12, 7],
  [-24, 7],
  [-24, 50],
  [-40 - foot, 50],
];

/** Bars of different lengths, whose sides are 9 px apart but for one, and parallel but for one. */
const bars = (wider: number, turn: number): Point[][] => [
  [
    [-61, -50],
    [38, -50],
    [33, -41],
    [-56, -41],
  ],
  placePolygon(
    [
      [-40, -4.5],
      [46, -4.5],
      [53, 4.5],
      [-45, 4.5],
    ],
    turn,
    3,
    -8,
  ),
  [
    [-50, 30],
    [13, 30],
    [20, 39 + wider],
    [-58, 39 + wider],
  ],
];

const angles = fc.double({ min: 0.02, max: 1.5, noNaN: true });

describe('lines of a noisy picture become exact, at any angle:', () => {
  test('right angles of one outline, parallel or not', () => {
    fc.assert(
      fc.property(angles, fc.integer({ min: 1, max: 99 }), (angle, seed) => {
        const lines = linesOf(addNoise(print(SIZE, SIZE, [place(letter(0), angle)]), 4, seed), 10);
        expect(lines).toHaveLength(10);
        expect(spread(lines, RIGHT)).toBeLessThan(EXACT);
      }),
      { numRuns: 8 },
    );
  });

  test('stroke widths of one outline', () => {
    for (const angle of [0.1, 0.7, 1.4]) {
      const lines = linesOf(addNoise(print(SIZE, SIZE, [place(letter(0), angle)]), 4, 5), 10);
      const long = Math.max(...lines.map(({ length }) => length));
      const stem = lines.find(({ length }) => length === long) as Line;
      const side = lines.filter((line) => line !== stem && Math.abs(distance(line, stem) - 16) < 0.3);
      const arms = lines.filter((line) => spread([line, stem], Math.PI) > 1);
      const widths = side.map((line) => distance(line, stem));
      for (const a of arms) {
        for (const b of arms) if (Math.abs(distance(a, b) - 16) < 0.3) widths.push(distance(a, b));
      }
      expect(widths.length).toBeGreaterThan(4);
      expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(EXACT);
    }
  });

  test('parallel sides and widths of several outlines', () => {
    fc.assert(
      fc.property(angles, fc.integer({ min: 1, max: 99 }), (angle, seed) => {
        const polygons = bars(0, 0).map((bar) => place(bar, angle));
        const lines = linesOf(addNoise(print(SIZE, SIZE, polygons), 4, seed), 40);
        expect(lines).toHaveLength(6);
        expect(spread(lines, Math.PI)).toBeLessThan(EXACT);
        const widths = widthsOf(lines);
        expect(widths).toHaveLength(3);
        expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(EXACT);
      }),
      { numRuns: 8 },
    );
  });

  test('sides of symmetric outlines, beside a bar', () => {
    const cross: Point[] = [
      [-8, -44],
      [8, -44],
      [8, -8],
      [36, -8],
      [36, 8],
      [8, 8],
      [8, 44],
      [-8, 44],
      [-8, 8],
      [-36, 8],
      [-36, -8],
      [-8, -8],
    ];
    for (const angle of [0.3, 0.9]) {
      const polygons = [cross, placePolygon(box(-6, -40, 6, 35), 0, 54, 4)].map((polygon) => place(polygon, angle));
      const lines = linesOf(addNoise(print(SIZE, SIZE, polygons), 4, 9), 10);
      expect(lines).toHaveLength(16);
      expect(spread(lines, RIGHT)).toBeLessThan(EXACT);
    }
  });

  test('lines that nearly are level, and half way between', () => {
    for (const [angle, goal] of [
      [0.0004, 0],
      [Math.PI / 4 - 0.0004, Math.PI / 4],
    ]) {
      const lines = linesOf(addNoise(print(SIZE, SIZE, [place(letter(0), angle)]), 4, 2), 10);
      const off = lines.map((line) => line.angle - goal - RIGHT * Math.round((line.angle - goal) / RIGHT));
      expect(Math.max(...off.map(Math.abs))).toBeLessThan(EXACT);
    }
  });
});

/** Returns the distances of lines from the nearest lines that run the other way. */
function widthsOf(lines: readonly Line[]): number[] {
  return lines.flatMap((line) => {
    const others = lines.filter(({ angle }) => Math.cos(angle - line.angle) < 0 && Math.cos(line.angle) > 0);
    return others.length > 0 ? [Math.min(...others.map((other) => distance(other, line)))] : [];
  });
}

describe('what differs stays different:', () => {
  test.each([1, 1.7, 3])('a bar that is turned by %s degrees', (degrees) => {
    const turn = (degrees * Math.PI) / 180;
    for (const angle of [0.3, 1.1]) {
      const polygons = bars(0, turn).map((bar) => place(bar, angle));
      const lines = linesOf(print(SIZE, SIZE, polygons), 40);
      const own = lines.filter((line) => Math.abs(Math.sin(line.angle - angle - turn)) < 0.002);
      expect(lines).toHaveLength(6);
      expect(own).toHaveLength(2);
      expect(spread(own, Math.PI)).toBeLessThan(EXACT);
    }
  });

  test.each([1.5, 2.2, 4])('a bar that is wider by %s px', (wider) => {
    for (const angle of [0.3, 1.1]) {
      const lines = linesOf(
        print(
          SIZE,
          SIZE,
          bars(wider, 0).map((bar) => place(bar, angle)),
        ),
        40,
      );
      const widths = widthsOf(lines).sort((a, b) => a - b);
      expect(widths[2] - 9).toBeGreaterThan(wider - 0.05);
      expect(widths[1] - widths[0]).toBeLessThan(EXACT);
      expect(widths[1]).toBeCloseTo(9, 1);
    }
  });

  test('a slanted side', () => {
    const bitmap = print(SIZE, SIZE, [place(letter(3), 0.4)]);
    const lines = linesOf(bitmap, 10);
    const oblique = lines.filter((line) => Math.abs(Math.sin(2 * (line.angle - 0.4))) > 0.03);
    expect(oblique).toHaveLength(1);
  });
});

describe('classes', () => {
  test('do not depend on the order of values', () => {
    const items = fc.array(
      fc.record({ value: fc.double({ min: 0, max: 10, noNaN: true }), weight: fc.integer({ min: 1, max: 1000 }) }),
      { minLength: 2, maxLength: 40 },
    );
    fc.assert(
      fc.property(items, fc.constantFrom(2, Infinity), (list, period) => {
        const classesOf = (own: typeof list): string[] =>
          findClasses(
            own.map(({ value }) => value),
            own.map(({ weight }) => 0.5 / weight),
            own.map(({ weight }) => weight),
            period,
          )
            .map((ids) => JSON.stringify(ids.map((k) => [own[k].value, own[k].weight]).sort()))
            .sort();
        expect(classesOf([...list].reverse())).toEqual(classesOf(list));
      }),
    );
  });

  test('go round a period', () => {
    expect(findClasses([0.01, 1.99, 1], [0.05, 0.05, 0.05], [3, 2, 1], 2)).toEqual([[0, 1], [2]]);
  });

  test('have the nearest seed', () => {
    expect(findClasses([0, 1, 0.6], [0.1, 0.1, 0.9], [3, 2, 1])).toEqual([[0], [1, 2]]);
  });
});

describe('constraints', () => {
  test('are met by the least moves, where some say the same', () => {
    const constraints = new Constraints([0, 4, 10], [1, 1, 1]);
    constraints.add(0, [
      [0, 1],
      [1, -1],
    ]);
    constraints.add(0, [
      [0, 2],
      [1, -2],
    ]);
    const { moves, errors } = constraints.solve();
    expect([...moves]).toEqual([2, -2, 0].map((move) => expect.closeTo(move, 8)));
    expect([...errors]).toEqual([0, 0].map((error) => expect.closeTo(error, 8)));
  });

  test('do not move what is fixed, and tell what contradicts', () => {
    const constraints = new Constraints([0, 4], [0, 1]);
    constraints.add(0, [
      [0, 1],
      [1, -1],
    ]);
    constraints.add(1, [[0, 1]]);
    const { moves, errors } = constraints.solve();
    expect([...moves]).toEqual([0, -4].map((move) => expect.closeTo(move, 8)));
    expect(errors[1]).toBeCloseTo(1);
  });
});

describe('directions', () => {
  test('of a line and its mirror image are those of the axis when they are parallel', () => {
    const directions = new Directions([0.32, 0.28, 1.2]);
    expect(directions.relate(1, 0, -1, 0.6)).toBe(true);
    expect(directions.relate(0, 1, 1, 0)).toBe(true);
    const { root, sign, shift } = directions.find(0);
    expect(sign * directions.knownOf(root) + shift).toBeCloseTo(0.3);
    expect(directions.fix(1, 0.31)).toBe(false);
  });

  test('that are equal up to right angles agree', () => {
    const directions = new Directions([0.1, 0.1 + RIGHT]);
    expect(directions.relate(0, 1, 1, 0)).toBe(true);
    expect(directions.relate(1, 0, 1, RIGHT)).toBe(true);
    expect(directions.relate(1, 0, 1, 0.1)).toBe(false);
  });
});
