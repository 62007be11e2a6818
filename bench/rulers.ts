/**
 * How many rulers in random photographs of blanks give their scale, how many a wrong one, and how many other things
 * with bars are taken for a ruler. Run: npm run bench -- rulers, or npx tsx bench/rulers.ts SEED for other photographs.
 */
import { seededRandom } from '@markwright/scene';
import { readBlank } from '../apps/web/src/studioHost/blank/readBlank.ts';
import { board, type Photo, photograph, ruler, WALNUT } from '../apps/web/src/studioHost/blank/testPhotos.ts';

const COUNT = 60;
/** The scale may be off by so much. */
const MOST_ERROR = 0.015;

const random = seededRandom(Number(process.argv[2] ?? 4711));
const between = (from: number, to: number) => from + random() * (to - from);

function gray(from: number, to: number): [number, number, number] {
  const tone = between(from, to);
  return [tone + between(-15, 15), tone + between(-15, 15), tone + between(-25, 5)].map(Math.round) as never;
}

/** Reads a photograph of a board and a thing. Returns how wide the board is by a ruler, in its own widths. */
function widthBy([shape, marks]: Photo['things'], pxPerMm: number): number | undefined {
  const width = between(50, 90);
  // A board with the proportions of a bank card would be one.
  const height = width / between(1.1, 1.4);
  const { mmPerPixel, box, gauge } = readBlank(
    photograph({
      ...{ widthMm: 190, heightMm: 140, pxPerMm, ground: gray(225, 244) },
      things: [[board(60, 45, width, height, 3, between(-5, 5)), WALNUT], [shape![0], gray(120, 205)], marks!],
    }),
    { isFlat: true, keepsBackground: false, ignoresGauge: false },
  );
  return gauge === 'ruler' ? (mmPerPixel! * box.width) / width : undefined;
}

const place = () => ({
  ...{ x: between(90, 105), y: between(112, 118), turnDeg: between(-6, 6) + (random() < 0.5 ? 180 : 0) },
  ...{ length: between(90, 165), width: between(14, 30) },
});

let [right, wrong, claims] = [0, 0, 0];
for (let k = 0; k < COUNT; k++) {
  const [short, middle, long] = [between(2.5, 4), between(4.5, 6), between(6, 8)];
  const lengthOf = (i: number) => (i % 10 === 0 ? long : i % 5 === 0 ? middle : short);
  const width = widthBy(ruler(place(), { lengthOf }), between(3.2, 6));
  if (width === undefined) continue;
  if (Math.abs(width - 1) < MOST_ERROR) right++;
  else wrong++;
}
for (let k = 0; k < COUNT; k++) {
  const pitch = between(0.8, 4);
  const every = [2, 3, 4, 6, 7, 8][Math.floor(random() * 6)]!;
  const [short, long] = [between(2, 5), between(6, 9)];
  const lengths = Array.from({ length: 400 }, () => between(0, 10));
  const others = [
    { pitch, lengthOf: (i: number) => (i % every === 0 ? long : short) },
    { pitch, lengthOf: (i: number) => lengths[Math.abs(i) % 400]! },
    { pitch, lengthOf: (i: number) => (lengths[Math.abs(i) % 400]! > 5 ? long : 0) },
    { pitch: 25.4 / 32, lengthOf: (i: number) => (i % 32 === 0 ? 9 : i % 8 === 0 ? 6 : i % 4 === 0 ? 5 : short) },
    { pitch: 2.54, lengthOf: (i: number) => (i % 10 === 0 ? 9 : i % 5 === 0 ? 7 : short) },
  ];
  if (widthBy(ruler(place(), others[k % others.length]), between(3, 6)) !== undefined) claims++;
}
console.log(`rulers with millimeters: ${right} of ${COUNT} give the scale, ${wrong} a wrong one, the others none`);
console.log(`bars, inches and ticks of other patterns: ${claims} of ${COUNT} are taken for millimeters`);
process.exitCode = wrong === 0 && claims === 0 ? 0 : 1;
