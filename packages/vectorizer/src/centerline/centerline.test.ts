import { describe, expect, test } from 'vitest';
import { arc, distanceTo, drawLines, INK, type Line, type Point, strokesOf } from '../../test/pens.ts';
import { CLEAR, draw, flatten, paint, turn, WHITE } from '../../test/raster.ts';
import { vectorize } from '../index.ts';

/**
 * Expects every point of the strokes to lie on the lines and every point of the lines on a stroke, with a larger
 * tolerance at ends and corners.
 */
function expectSame(strokes: Line[], lines: Point[][], width: number): void {
  const strokePoints = strokes.map(({ ring }) => flatten(ring));
  const within = (x: number, y: number): number => {
    const nearest = Math.min(
      ...lines.flatMap((line) => [line[0], line[line.length - 1]]).map(([u, v]) => Math.hypot(x - u, y - v)),
    );
    return nearest < 3 * width ? END : MIDDLE;
  };
  for (const points of strokePoints) {
    for (const [x, y] of points) {
      expect(Math.min(...lines.map((line) => distanceTo(line, x, y)))).toBeLessThan(within(x, y));
    }
  }
  for (const line of lines) {
    for (const [x, y] of line) {
      expect(Math.min(...strokePoints.map((points) => distanceTo(points, x, y)))).toBeLessThan(within(x, y));
    }
  }
}

const MIDDLE = 0.19;
const END = 0.4;

const star: Point[] = Array.from({ length: 6 }, (_, k) => {
  const a = -Math.PI / 2 + (k * 4 * Math.PI) / 5;
  return [45.3 + 34 * Math.cos(a), 46.1 + 34 * Math.sin(a)];
});
const spiral: Point[] = Array.from({ length: 160 }, (_, k) => {
  const a = k / 10;
  return [45.2 + (4 + 2.2 * a) * Math.cos(a), 44.7 + (4 + 2.2 * a) * Math.sin(a)];
});

describe('traces drawn lines as strokes', () => {
  const cases: [string, number, number, Point[][]][] = [
    [
      'a line',
      2.3,
      1,
      [
        [
          [12.4, 20.3],
          [71.7, 52.6],
        ],
      ],
    ],
    ['an arc', 3.1, 1, [arc(42.3, 70.2, 46.4, Math.PI * 1.15, Math.PI * 1.8)]],
    ['a circle', 2.6, 1, [arc(44.6, 43.3, 27.7, 0, 2 * Math.PI, 90)]],
    [
      'a cross',
      3.4,
      2,
      [
        [
          [10.3, 15.2],
          [76.2, 70.6],
        ],
        [
          [14.8, 66.1],
          [72.4, 21.7],
        ],
      ],
    ],
    [
      'a T',
      2.9,
      2,
      [
        [
          [10.2, 24.4],
          [76.6, 31.3],
        ],
        [
          [42.7, 27.75],
          [38.9, 75.2],
        ],
      ],
    ],
    [
      'a zigzag',
      2.7,
      1,
      [
        [
          [9.2, 60.4],
          [27.3, 22.1],
          [40.6, 58.7],
          [61.5, 25.3],
          [78.4, 63.6],
        ],
      ],
    ],
    ['a spiral', 2.4, 1, [spiral]],
    ['a star of five', 2.2, 1, [star]],
  ];
  test.each(cases)('%s', (_, width, count, lines) => {
    const bitmap = drawLines(
      90,
      90,
      lines.map((points) => ({ points, width })),
    );
    const strokes = strokesOf(vectorize(bitmap, { draw: 'centerline' }));
    expect(strokes).toHaveLength(count);
    for (const { path } of strokes) {
      expect(Math.abs((path.strokeWidth as number) / width - 1)).toBeLessThan(0.05);
      expect(path.color).toBe('#141428');
    }
    expectSame(strokes, lines, width);
    const turnedStrokes = strokesOf(vectorize(turn(bitmap), { draw: 'centerline' }));
    expect(turnedStrokes).toHaveLength(count);
    expectSame(
      turnedStrokes,
      lines.map((line) => line.map(([x, y]) => [90 - y, x])),
      width,
    );
  });
});

test('keeps a filled disc filled, and traces an empty picture as an empty drawing', () => {
  const disc = draw(60, 60, WHITE, [{ color: INK, isInside: (x, y) => Math.hypot(x - 30, y - 31) < 18 }]);
  const drawing = vectorize(disc, { draw: 'centerline' });
  expect(strokesOf(drawing)).toHaveLength(0);
  expect(drawing.layers[0].paths[0].rings).toHaveLength(1);
  expect(drawing.lineArt).toBe(false);
  expect(
    vectorize(
      paint(30, 20, () => CLEAR),
      { draw: 'centerline' },
    ).layers,
  ).toHaveLength(0);
});
