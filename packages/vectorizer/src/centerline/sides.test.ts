import { describe, expect, test } from 'vitest';
import { arc, distanceTo, drawLines, type Line, type Point, strokesOf } from '../../test/pens.ts';
import { draw, flatten, randomBytes, WHITE } from '../../test/raster.ts';
import { vectorize } from '../index.ts';

const SIDE = 150;

/** A shape around the origin, and the number of strokes and segments that a designer draws it with. */
interface Shape {
  name: string;
  lines: Point[][];
  strokes: number;
  segments: number;
}

const roundedSquare: Point[] = [
  ...arc(25, 25, 18, 0, Math.PI / 2, 12),
  ...arc(-25, 25, 18, Math.PI / 2, Math.PI, 12),
  ...arc(-25, -25, 18, Math.PI, 1.5 * Math.PI, 12),
  ...arc(25, -25, 18, 1.5 * Math.PI, 2 * Math.PI, 12),
  [43, 25],
];
const shapes: Shape[] = [
  {
    name: 'a line',
    lines: [
      [
        [-44, 0],
        [44, 0],
      ],
    ],
    strokes: 1,
    segments: 1,
  },
  {
    name: 'a bent line',
    lines: [
      [
        [-42, 20],
        [0, -25],
        [42, 20],
      ],
    ],
    strokes: 1,
    segments: 2,
  },
  { name: 'an arc', lines: [arc(0, 0, 40, 0.4, 2.7)], strokes: 1, segments: 2 },
  { name: 'a circle', lines: [arc(0, 0, 36, 0, 2 * Math.PI, 90)], strokes: 1, segments: 2 },
  {
    name: 'a cross',
    lines: [
      [
        [-44, 0],
        [44, 0],
      ],
      [
        [0, -44],
        [0, 44],
      ],
    ],
    strokes: 2,
    segments: 2,
  },
  {
    name: 'a T',
    lines: [
      [
        [-44, -20],
        [44, -20],
      ],
      [
        [0, -20],
        [0, 40],
      ],
    ],
    strokes: 2,
    segments: 2,
  },
  { name: 'a rounded square', lines: [roundedSquare], strokes: 1, segments: 8 },
];

/** Counts segments; an arc of several cubics counts once. */
function countSegments(strokes: Line[]): number {
  return strokes.reduce((sum, { ring }) => {
    const { segments } = ring;
    return sum + segments.filter(({ arc: own }, k) => !own || own !== segments[k - 1]?.arc).length;
  }, 0);
}

function farthest(from: Point[][], to: Point[][]): number {
  let most = 0;
  for (const [x, y] of from.flat()) most = Math.max(most, Math.min(...to.map((points) => distanceTo(points, x, y))));
  return most;
}

describe('traces thick lines of a round pen as they were drawn', () => {
  test.each(shapes)('$name', ({ lines, strokes: count, segments }) => {
    const random = randomBytes(41);
    for (let round = 0; round < 3; round++) {
      const width = 7 + (random() / 255) * 13;
      const angle = (random() / 255) * 2 * Math.PI;
      const [ox, oy] = [SIDE / 2 + random() / 128, SIDE / 2 + random() / 128];
      const placedLines = lines.map((line) =>
        line.map(
          ([x, y]): Point => [
            ox + x * Math.cos(angle) - y * Math.sin(angle),
            oy + x * Math.sin(angle) + y * Math.cos(angle),
          ],
        ),
      );
      const bitmap = drawLines(
        SIDE,
        SIDE,
        placedLines.map((points) => ({ points, width })),
      );
      const strokes = strokesOf(vectorize(bitmap, { draw: 'centerline' }));
      const what = `${width.toFixed(2)} px wide, turned by ${angle.toFixed(2)}`;
      expect(strokes, what).toHaveLength(count);
      for (const { path } of strokes) expect(Math.abs((path.strokeWidth as number) - width), what).toBeLessThan(0.1);
      expect(countSegments(strokes), what).toBeLessThanOrEqual(segments);
      const rings = strokes.map(({ ring }) => flatten(ring));
      expect(farthest(rings, placedLines), what).toBeLessThan(0.13);
      expect(farthest(placedLines, rings), what).toBeLessThan(0.13);
    }
  });
});

test('ends a line with square ends where it was drawn', () => {
  const bitmap = draw(SIDE, 60, WHITE, [
    { color: [0, 0, 0, 255], isInside: (x, y) => x > 20.4 && x < 121.7 && Math.abs(y - 30.3) < 8.2 },
  ]);
  const [{ path, ring }] = strokesOf(vectorize(bitmap, { draw: 'centerline' }));
  expect(path.cap).toBe('butt');
  const ends = [ring.x, ring.segments[ring.segments.length - 1].x].sort((p, q) => p - q);
  expect(Math.abs(ends[0] - 20.4)).toBeLessThan(0.1);
  expect(Math.abs(ends[1] - 121.7)).toBeLessThan(0.1);
  expect(ring.segments).toHaveLength(1);
});

test('traces a short mark as a line when a longer line has its width, else as a shape', () => {
  const mark = {
    points: [
      [75.2, 60.3],
      [75.2, 76.8],
    ] as Point[],
    width: 16,
  };
  const line = {
    points: [
      [20.4, 25.3],
      [128.6, 25.3],
    ] as Point[],
    width: 16,
  };
  const marks = (lines: (typeof mark)[]): Line[] =>
    strokesOf(vectorize(drawLines(SIDE, 100, lines), { draw: 'centerline' }));
  const both = marks([line, mark]);
  expect(both).toHaveLength(2);
  expect(countSegments(both)).toBe(2);
  expect(marks([mark])).toHaveLength(0);
  expect(marks([{ ...line, width: 9 }, mark])).toHaveLength(1);
});
