/**
 * How much of a gang sheet its pieces cover, beside potpack (Mapbox) on that package's own sets of boxes, 300 of each,
 * as many as a sheet takes: four sizes, sizes of 1 to 99, and the squares of 1 to 99 from its test. Potpack chooses the
 * shape of its sheet; ours has the width of that one, and the length that is left free. Then how much film shapes need
 * of that of their boxes, in how much processor time; and whether pieces with a gap keep it, by their boxes and by
 * their shapes, by the distances that GEOS measures (Debian's python3-shapely).
 *
 * Run: npm run bench -- packing, or npx tsx bench/packing.ts SEED for other boxes.
 */
import { spawnSync } from 'node:child_process';
import { seededRandom } from '@markwright/scene';
import {
  fillRatio,
  lengthOf,
  type NestPiece,
  nestGang,
  packGang,
  placeSilhouette,
  type Ring,
  ringBounds,
  type Sheet,
  type SizeMm,
  shapeFill,
} from '@markwright/scene/sheets';
import potpack from 'potpack';

const SETS = 10;
const BOXES = 300;
/** The most that our sheets may be emptier, as a share of potpack's fill. */
const MOST_BELOW = 0.05;
const GAP_MM = 2;
/** The most processor time for a list. */
const MOST_SECONDS = 5;
/** Coordinates are tenths of a millimeter. */
const ROUNDING_MM = 1e-6;

const random = seededRandom(Number(process.argv[2] ?? 4711));
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const upTo99 = () => 1 + Math.floor(random() * 99);

const sizes = (draw: () => SizeMm): SizeMm[] => Array.from({ length: BOXES }, draw);
const families: Readonly<Record<string, readonly SizeMm[][]>> = {
  'four sizes': Array.from({ length: SETS }, () =>
    sizes(() => ({ widthMm: pick([12, 16, 20, 24]), heightMm: pick([12, 16, 20, 24]) })),
  ),
  'sizes of 1 to 99': Array.from({ length: SETS }, () => sizes(() => ({ widthMm: upTo99(), heightMm: upTo99() }))),
  'squares of 1 to 99': [Array.from({ length: 99 }, (_, i) => ({ widthMm: i + 1, heightMm: i + 1 }))],
};

let isMet = true;
console.log('fill in %, mean of the sets      potpack    ours    turned by 90 degrees where more fit');
for (const [name, sets] of Object.entries(families)) {
  const fills = sets.map((set) => {
    const boxes = set.map(({ widthMm, heightMm }) => ({ w: widthMm, h: heightMm }));
    const { w, fill } = potpack(boxes);
    const pack = (canRotate: boolean) => {
      const sheets = packGang({ widthMm: w, lengthMm: 10_000, gapMm: 0, canRotate }, set);
      if (sheets.length !== 1) throw new Error(`${sheets.length} sheets instead of one`);
      return fillRatio(sheets, set);
    };
    return { potpack: fill, ours: pack(false), turned: pack(true) };
  });
  const mean = (of: (fill: (typeof fills)[number]) => number) =>
    fills.reduce((sum, fill) => sum + of(fill), 0) / fills.length;
  const percent = (share: number) => (100 * share).toFixed(1);
  const worst = Math.max(...fills.map(({ potpack, ours }) => 1 - ours / potpack));
  isMet &&= worst <= MOST_BELOW;
  console.log(
    `${name.padEnd(33)}${percent(mean(({ potpack }) => potpack)).padEnd(11)}` +
      `${percent(mean(({ ours }) => ours)).padEnd(8)}${percent(mean(({ turned }) => turned)).padEnd(7)}` +
      `at worst ${percent(Math.max(0, worst))} % below potpack`,
  );
}
console.log(isMet ? 'bar met: no set more than 5 % below' : 'BAR MISSED: no set more than 5 % below');

/** Pieces of one kind, drawn anew for each set. */
const kinds: Readonly<Record<string, () => Ring>> = {
  'letters L, T, U': () => pick(letters)(20 + 60 * random(), 20 + 60 * random()),
  'slanted names': () => slantedName(40 + 60 * random(), 8 + 8 * random(), (Math.PI * (20 + 40 * random())) / 180),
  badges: () => round(15 + 25 * random(), 48, () => 1),
  stars: () => round(15 + 25 * random(), 20, (i) => (i % 2 === 0 ? 1 : 0.45)),
  'rings with a ribbon': () => ribbon(15 + 20 * random()),
  photos: () => rectangle(30 + 60 * random(), 30 + 60 * random()),
};
const letters: readonly ((w: number, h: number) => Ring)[] = [
  (w, h) => [0, 0, w * 0.3, 0, w * 0.3, h * 0.75, w, h * 0.75, w, h, 0, h],
  (w, h) => [0, 0, w, 0, w, h * 0.25, w * 0.65, h * 0.25, w * 0.65, h, w * 0.35, h, w * 0.35, h * 0.25, 0, h * 0.25],
  (w, h) => [0, 0, w * 0.25, 0, w * 0.25, h * 0.75, w * 0.75, h * 0.75, w * 0.75, 0, w, 0, w, h, 0, h],
];

function rectangle(w: number, h: number): Ring {
  return [0, 0, w, 0, w, h, 0, h];
}

function round(radius: number, corners: number, reach: (i: number) => number): Ring {
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    return [radius * (1 + reach(i) * Math.cos(angle)), radius * (1 + reach(i) * Math.sin(angle))];
  }).flat();
}

function slantedName(w: number, h: number, angle: number): Ring {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return rectangle(w, h).flatMap((x, i, ring) =>
    i % 2 === 0 ? [x * c - ring[i + 1]! * s, x * s + ring[i + 1]! * c] : [],
  );
}

/** A disc on a wide foot: a silhouette has no hole. */
function ribbon(radius: number): Ring {
  const arc = Array.from({ length: 40 }, (_, i) => Math.PI * (0.75 + (1.5 * i) / 39));
  return [
    ...arc.flatMap((angle) => [radius * Math.cos(angle), radius * Math.sin(angle)]),
    radius * 1.6,
    radius * 1.3,
    -radius * 1.6,
    radius * 1.3,
  ];
}

function toPiece(ring: Ring): NestPiece {
  const { minX, minY, maxX, maxY } = ringBounds(ring);
  return {
    ...{ widthMm: maxX - minX, heightMm: maxY - minY },
    silhouette: ring.map((value, i) => value - (i % 2 === 0 ? minX : minY)),
  };
}

/** Sheets and the polygons on them, for another program's geometry. */
const toPolygons = (sheets: readonly Sheet[], ringOf: (placement: Sheet['placements'][number]) => Ring) =>
  sheets.map(({ widthMm, heightMm, placements }) => ({
    width: widthMm,
    height: heightMm,
    rings: placements.map(ringOf),
  }));

const film = { widthMm: 558.8, lengthMm: 762, gapMm: GAP_MM, canRotate: true };
const boxFilms = families['sizes of 1 to 99']!.flatMap((set) =>
  toPolygons(packGang(film, set), (placement) => {
    const size = set[placement.piece]!;
    return placeSilhouette(rectangle(size.widthMm, size.heightMm), size, placement);
  }),
);

const roll = { ...film, lengthMm: 3_000 };
const shapeFilms: ReturnType<typeof toPolygons> = [];
let isNeverLonger = true;
let slowest = 0;
console.log("\nby shapes, a gap of 2 mm       pieces   fill in %: boxes   shapes   film of the boxes'   processor");
for (const [name, draw] of Object.entries(kinds)) {
  for (const count of [100, 500]) {
    const pieces = Array.from({ length: count }, () => toPiece(draw()));
    const boxes = packGang(roll, pieces);
    const start = process.cpuUsage();
    const sheets = nestGang(roll, pieces);
    const { user, system } = process.cpuUsage(start);
    const seconds = (user + system) / 1e6;
    slowest = Math.max(slowest, seconds);
    isNeverLonger &&= lengthOf(sheets) <= lengthOf(boxes);
    shapeFilms.push(
      ...toPolygons(sheets, (placement) => {
        const piece = pieces[placement.piece]!;
        return placeSilhouette(piece.silhouette, piece, placement);
      }),
    );
    const percent = (share: number) => (100 * share).toFixed(1);
    const rings = pieces.map(({ silhouette }) => silhouette);
    console.log(
      `${name.padEnd(31)}${String(count).padEnd(20)}${percent(shapeFill(boxes, rings)).padEnd(8)}` +
        `${percent(shapeFill(sheets, rings)).padEnd(9)}${percent(lengthOf(sheets) / lengthOf(boxes))} %`.padEnd(30) +
        `${seconds.toFixed(1)} s`,
    );
  }
}
const isFast = slowest <= MOST_SECONDS;
console.log(`${isNeverLonger ? 'bar met' : 'BAR MISSED'}: no set longer than by its boxes`);
console.log(
  `${isFast ? 'bar met' : 'BAR MISSED'}: ${slowest.toFixed(1)} s of ${MOST_SECONDS} s for 500 pieces at most`,
);
isMet &&= isNeverLonger && isFast;

const shapely = `
import json, sys
from shapely.geometry import Polygon, box
from shapely.strtree import STRtree
least, outside, pieces = 1e9, 0, 0
for sheet in json.load(sys.stdin):
    shapes = [Polygon(list(zip(ring[0::2], ring[1::2]))) for ring in sheet['rings']]
    film = box(0, 0, sheet['width'], sheet['height']).buffer(1e-3)
    outside += sum(not film.contains(shape) for shape in shapes)
    pieces += len(shapes)
    tree = STRtree(shapes)
    for shape in shapes:
        near = tree.query(shape.buffer(10))
        least = min([least] + [shape.distance(other) for other in near if other is not shape])
print(json.dumps({'least': least, 'outside': outside, 'pieces': pieces}))
`;
for (const [way, films] of Object.entries({ boxes: boxFilms, shapes: shapeFilms })) {
  const { stdout, status, stderr } = spawnSync('/usr/bin/python3', ['-c', shapely], {
    input: JSON.stringify(films),
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.log(
      `python3-shapely is not here: distances of ${way} were not measured. ${stderr.split('\n').at(-2) ?? ''}`,
    );
    continue;
  }
  const { least, outside, pieces } = JSON.parse(stdout) as { least: number; outside: number; pieces: number };
  const isApart = least >= GAP_MM - ROUNDING_MM && outside === 0;
  console.log(
    `${isApart ? 'bar met' : 'BAR MISSED'}: ${pieces} ${way} on films with a gap of ${GAP_MM} mm, ` +
      `${least.toFixed(3)} mm apart at least, ${outside} outside`,
  );
  isMet &&= isApart;
}
process.exitCode = isMet ? 0 : 1;
