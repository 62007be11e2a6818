/**
 * How much of a gang sheet its pieces cover, beside potpack (Mapbox) on that package's own sets of boxes, 300 of each,
 * as many as a sheet takes: four sizes, sizes of 1 to 99, and the squares of 1 to 99 from its test. Potpack chooses the
 * shape of its sheet; ours has the width of that one, and the length that is left free. Then whether pieces with a gap
 * keep it, by the distances that GEOS measures (Debian's python3-shapely).
 *
 * Run: npm run bench -- packing, or npx tsx bench/packing.ts SEED for other boxes.
 */
import { spawnSync } from 'node:child_process';
import { seededRandom } from '@markwright/scene';
import { fillRatio, packGang, type SizeMm } from '@markwright/scene/sheets';
import potpack from 'potpack';

const SETS = 10;
const BOXES = 300;
/** The most that our sheets may be emptier, as a share of potpack's fill. */
const MOST_BELOW = 0.05;
const GAP_MM = 2;
/** Coordinates are tenths of a millimeter. */
const ROUNDING_MM = 1e-6;

const random = seededRandom(Number(process.argv[2] ?? 4711));
const pick = (from: readonly number[]) => from[Math.floor(random() * from.length)]!;
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

const shapely = `
import json, sys
from shapely.geometry import box
least, outside, pieces = 1e9, 0, 0
for sheet in json.load(sys.stdin):
    shapes = [box(*corners) for corners in sheet['boxes']]
    film = box(0, 0, sheet['width'], sheet['height']).buffer(1e-6)
    outside += sum(not film.contains(shape) for shape in shapes)
    pieces += len(shapes)
    least = min([least] + [a.distance(b) for i, a in enumerate(shapes) for b in shapes[:i]])
print(json.dumps({'least': least, 'outside': outside, 'pieces': pieces}))
`;
const film = { widthMm: 558.8, lengthMm: 762, gapMm: GAP_MM, canRotate: true };
const films = families['sizes of 1 to 99']!.flatMap((set) =>
  packGang(film, set).map(({ widthMm, heightMm, placements }) => ({
    ...{ width: widthMm, height: heightMm },
    boxes: placements.map(({ piece, x, y, angleDeg }) => {
      const { widthMm: w, heightMm: h } = set[piece]!;
      return angleDeg === 90 ? [x, y, x + h, y + w] : [x, y, x + w, y + h];
    }),
  })),
);
const { stdout, status } = spawnSync('/usr/bin/python3', ['-c', shapely], {
  input: JSON.stringify(films),
  encoding: 'utf8',
});
if (status !== 0) console.log('python3-shapely is not here: distances were not measured');
else {
  const { least, outside, pieces } = JSON.parse(stdout) as { least: number; outside: number; pieces: number };
  const isApart = least >= GAP_MM - ROUNDING_MM && outside === 0;
  console.log(
    `${isApart ? 'bar met' : 'BAR MISSED'}: ${pieces} pieces on films with a gap of ${GAP_MM} mm, ` +
      `${least.toFixed(3)} mm apart at least, ${outside} outside`,
  );
  isMet &&= isApart;
}
process.exitCode = isMet ? 0 : 1;
