import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boxInside, type Ring, ringBounds } from '../geometry/rings.ts';
import { buildJob } from '../production/buildJob.ts';
import type { Scene, SceneGroup, ScenePath } from '../resolve/scene.ts';
import { seededRandom } from '../svg/seededRandom.ts';
import { packGang } from './gang.ts';
import { lengthOf, MOST_NESTED, type NestPiece, nestGang, shapeFill } from './nest.ts';
import { pieceBox } from './pieceBox.ts';
import { placementMatrix, type Sheet } from './sheet.ts';
import { pieceSilhouette, reachOut } from './silhouette.ts';

type Point = readonly [x: number, y: number];

const pointsOf = (ring: Ring): Point[] => ring.flatMap((x, i) => (i % 2 === 0 ? [[x, ring[i + 1]!] as const] : []));
const edgesOf = (points: readonly Point[]) =>
  points.map((point, i) => [point, points[(i + 1) % points.length]!] as const);

function pointToEdge([x, y]: Point, [[ax, ay], [bx, by]]: readonly [Point, Point]): number {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

const side = ([ax, ay]: Point, [bx, by]: Point, [x, y]: Point) =>
  Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));

function isInside([x, y]: Point, points: readonly Point[]): boolean {
  let isIn = false;
  for (const [[ax, ay], [bx, by]] of edgesOf(points)) {
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isIn = !isIn;
  }
  return isIn;
}

/** The distance of two polygons, 0 where they cross: by every pair of edges. */
function polygonDistance(a: readonly Point[], b: readonly Point[]): number {
  if (isInside(a[0]!, b) || isInside(b[0]!, a)) return 0;
  let least = Infinity;
  for (const one of edgesOf(a)) {
    for (const other of edgesOf(b)) {
      const crosses =
        side(...one, other[0]) * side(...one, other[1]) < 0 && side(...other, one[0]) * side(...other, one[1]) < 0;
      if (crosses) return 0;
      least = Math.min(
        least,
        ...[
          pointToEdge(one[0], other),
          pointToEdge(one[1], other),
          pointToEdge(other[0], one),
          pointToEdge(other[1], one),
        ],
      );
    }
  }
  return least;
}

/** The polygons of a sheet's pieces, by the matrices that place their files. */
const polygonsOf = ({ placements }: Sheet, pieces: readonly NestPiece[]): Point[][] =>
  placements.map((placement) => {
    const { silhouette, widthMm, heightMm } = pieces[placement.piece]!;
    const { a, b, c, d, e, f } = placementMatrix(placement, { minX: 0, minY: 0, maxX: widthMm, maxY: heightMm });
    return pointsOf(silhouette).map(([x, y]) => [a * x + c * y + e, b * x + d * y + f]);
  });

/** A shape in a box that may be larger than it. */
function toPiece(points: readonly Point[], air = 0): NestPiece {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [minX, minY] = [Math.min(...xs) - air, Math.min(...ys) - air];
  const silhouette = points.flatMap(([x, y]) => [x - minX, y - minY]);
  return { widthMm: Math.max(...xs) + air - minX, heightMm: Math.max(...ys) + air - minY, silhouette };
}

/** A polygon around its middle, with bays between its spikes, flat or long. */
function randomPolygon(random: () => number): Point[] {
  const corners = 3 + Math.floor(random() * 14);
  const [rx, ry] = random() < 0.2 ? [60 * random() + 10, 1] : [5 + 55 * random(), 5 + 55 * random()];
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    const reach = 0.25 + 0.75 * random();
    return [rx * reach * Math.cos(angle), ry * reach * Math.sin(angle)];
  });
}

/** A polygon with a deep bay: an L, or a U. */
function randomBay(random: () => number): Point[] {
  const [w, h] = [20 + 60 * random(), 20 + 60 * random()];
  const [x, y] = [w * (0.2 + 0.3 * random()), h * (0.2 + 0.5 * random())];
  const isU = random() < 0.5;
  const bay: Point[] = isU
    ? [
        [x, 0],
        [x, y],
        [w - x / 2, y],
        [w - x / 2, 0],
      ]
    : [
        [x, 0],
        [x, y],
        [w, y],
      ];
  return [[0, 0], ...bay, ...(isU ? [[w, 0] as const] : []), [w, h], [0, h]];
}

function randomPieces(seed: number, count: number): NestPiece[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () =>
    toPiece(random() < 0.4 ? randomBay(random) : randomPolygon(random), random() < 0.3 ? 4 * random() : 0),
  );
}

describe('true shapes on a gang sheet', () => {
  const film = { widthMm: 300, lengthMm: 260, gapMm: 3, canRotate: true, packBy: 'shapes' as const };

  test('lie as far from each other as asked and inside, each once, in no more film than their boxes', () => {
    let shorter = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: 24 }),
        fc.double({ min: 0.1, max: 12, noNaN: true }),
        fc.boolean(),
        (seed, count, gapMm, canRotate) => {
          const gang = { ...film, gapMm, canRotate };
          const pieces = randomPieces(seed, count);
          const sheets = nestGang(gang, pieces);
          const boxes = packGang(gang, pieces);
          const places = sheets.map(({ placements }) => placements.map(({ piece }) => piece).sort((a, b) => a - b));
          expect(places.flat()).toEqual(pieces.map((_, i) => i));
          expect(sheets.length).toBeLessThanOrEqual(boxes.length);
          if (sheets.length === boxes.length) expect(lengthOf(sheets)).toBeLessThanOrEqual(lengthOf(boxes));
          if (lengthOf(sheets) < lengthOf(boxes)) shorter++;
          for (const sheet of sheets) {
            expect(sheet.heightMm).toBeLessThanOrEqual(film.lengthMm);
            expect(sheet.placements.map(({ slot }) => slot)).toEqual(sheet.placements.map((_, i) => i + 1));
            if (!canRotate) expect(sheet.placements.every(({ angleDeg }) => angleDeg === 0)).toBe(true);
            const polygons = polygonsOf(sheet, pieces);
            for (const [i, polygon] of polygons.entries()) {
              for (const [x, y] of polygon) {
                expect(Math.min(x, y, sheet.widthMm - x, sheet.heightMm - y)).toBeGreaterThanOrEqual(-1e-3);
              }
              for (const other of polygons.slice(i + 1)) {
                expect(polygonDistance(polygon, other)).toBeGreaterThanOrEqual(gapMm - 0.01);
              }
            }
          }
        },
      ),
      { numRuns: 25 },
    );
    expect(shorter).toBeGreaterThan(5);
  });

  test('lie the same each time, and turned where that helps', () => {
    const pieces = randomPieces(7, 20);
    const sheets = nestGang(film, pieces);
    expect(nestGang(film, pieces)).toEqual(sheets);
    expect(sheets.some(({ placements }) => placements.some(({ angleDeg }) => angleDeg > 90))).toBe(true);
  });

  test('fill bays: two Ls need little more than one box', () => {
    const corner = toPiece([
      [0, 0],
      [20, 0],
      [20, 80],
      [100, 80],
      [100, 100],
      [0, 100],
    ]);
    const gang = { ...film, widthMm: 130, gapMm: 2 };
    const [sheet] = nestGang(gang, [corner, corner]);
    expect(sheet!.heightMm).toBeLessThan(130);
    expect(lengthOf(packGang(gang, [corner, corner]))).toBeGreaterThan(200);
    expect(shapeFill([sheet!], [corner.silhouette, corner.silhouette])).toBeGreaterThan(0.4);
  });

  test('stay in their boxes where these tile the sheet, and where there are too many', () => {
    const tile = toPiece([
      [0, 0],
      [98, 0],
      [98, 48],
      [0, 48],
    ]);
    const tiles = Array.from({ length: 12 }, () => tile);
    expect(nestGang(film, tiles)).toEqual(packGang(film, tiles));
    const many = Array.from({ length: MOST_NESTED + 1 }, () =>
      toPiece([
        [0, 0],
        [9, 0],
        [0, 9],
      ]),
    );
    expect(nestGang(film, many)).toEqual(packGang(film, many));
  });

  test('name a piece that no sheet can hold', () => {
    expect(() =>
      nestGang(film, [
        toPiece([
          [0, 0],
          [400, 0],
          [0, 400],
        ]),
      ]),
    ).toThrow(RangeError);
  });
});

describe('a silhouette', () => {
  const path = (d: string, changes: Partial<ScenePath> = {}): ScenePath => ({
    ...{ kind: 'path', d, operation: 'print', fill: '#c81e1e', stroke: undefined, strokeWidth: 0, opacity: 1 },
    ...changes,
  });
  const group = (
    children: SceneGroup['children'],
    [x, y, w, h]: readonly number[],
    changes: Partial<SceneGroup> = {},
  ) =>
    ({
      ...{ kind: 'group', elementId: 'design', label: '', opacity: 1, children },
      matrix: { a: 1, b: 0, c: 0, d: 1, e: x!, f: y! },
      corners: [
        { x: x!, y: y! },
        { x: x! + w!, y: y! },
        { x: x! + w!, y: y! + h! },
        { x: x!, y: y! + h! },
      ],
      sizeMm: { width: w!, height: h! },
      ...changes,
    }) as SceneGroup;
  const sceneOf = (...groups: SceneGroup[]): Scene => ({
    ...{ machine: 'dtf', widthMm: 200, heightMm: 100, groups, backdrop: undefined },
  });

  const ring = 'M0 0L40 0L40 40L0 40ZM10 10L10 30L30 30L30 10Z';
  const star = 'M20 0L26 14L40 16L29 25L33 40L20 31L7 40L11 25L0 16L14 14Z';

  test('holds all that the file makes, with lines in their width', () => {
    const scene = sceneOf(
      group(
        [path(star), path('M2 38C10 20 20 20 38 38', { fill: undefined, stroke: '#000000', strokeWidth: 3 })],
        [20, 20, 40, 40],
      ),
      group([path(ring)], [120, 30, 40, 40]),
    );
    const box = pieceBox(scene);
    expect(reachOut(buildJob(scene), box, pieceSilhouette(scene))).toBeLessThanOrEqual(0);
    // A job of other marks reaches out.
    const other = sceneOf(group([path(star)], [26, 20, 40, 40]));
    expect(reachOut(buildJob(other), box, pieceSilhouette(scene))).toBeGreaterThan(1);
    const silhouette = pointsOf(pieceSilhouette(scene)).map(([x, y]): Point => [x + box.minX, y + box.minY]);
    for (const plate of buildJob(scene).plates) {
      if (plate.kind !== 'color') throw new Error('no color');
      for (const { contours } of plate.groups.flatMap(({ shapes }) => shapes)) {
        for (const point of contours.flatMap(({ points }) => pointsOf(points))) {
          expect([point, isInside(point, silhouette)]).toEqual([point, true]);
        }
      }
    }
  });

  test('has one part and no hole, and follows its bays', () => {
    const areaOf = (scene: Scene) => shapeFill([{ widthMm: 1, heightMm: 1, placements: [] }], [pieceSilhouette(scene)]);
    const bounds = ringBounds(pieceSilhouette(sceneOf(group([path(ring)], [20, 20, 40, 40]))));
    expect(bounds.maxX).toBeCloseTo(40.4, 1);
    expect(areaOf(sceneOf(group([path(ring)], [20, 20, 40, 40])))).toBeGreaterThan(1_600);
    expect(areaOf(sceneOf(group([path(star)], [20, 20, 40, 40])))).toBeLessThan(800);
    // Joined over the distance between them.
    const two = sceneOf(
      group([path('M0 0L10 0L10 10L0 10Z')], [20, 20, 10, 10]),
      group([path('M0 0L10 0L10 10L0 10Z')], [60, 20, 10, 10]),
    );
    expect(areaOf(two)).toBeGreaterThan(2 * 10.4 ** 2 + 1);
  });

  test('holds the white box of an element, and is the box of a piece without marks', () => {
    const white = sceneOf(group([path(star)], [20, 20, 40, 40], { white: 'box' }));
    expect(ringBounds(pieceSilhouette(white)).maxX).toBeGreaterThan(40);
    expect(shapeFill([{ widthMm: 1, heightMm: 1, placements: [] }], [pieceSilhouette(white)])).toBeGreaterThan(1_590);
    expect(ringBounds(pieceSilhouette(sceneOf()))).toEqual({ minX: 0, minY: 0, maxX: 200, maxY: 100 });
  });

  test('has room for a label', () => {
    const { minX, minY, maxX, maxY } = boxInside([0, 0, 20, 0, 20, 80, 100, 80, 100, 100, 0, 100]);
    expect([minX >= 0, maxX <= 100, maxY <= 100]).toEqual([true, true, true]);
    expect((maxX - minX) * (maxY - minY)).toBeGreaterThan(1_500);
  });
});
