/**
 * Measures the option `regular`: how much regularity it finds in drawings that are regular, whether it leaves those
 * alone that are only nearly so, and how near the outlines are to the truth with and without it. Fails where an outline
 * is farther from the truth by more than a hundredth of a pixel.
 * Run: tsx packages/vectorizer/bench/regularBench.ts [count] [seed] [--list]
 */
import type { Ring } from '../src/index.ts';
import { findGroup, findPlace } from '../src/regular/group.ts';
import { drawRegularArt, makeRegularArt, type RegularArt, VARIANTS } from './regularArt.ts';
import { edgeError, median, segmentsOf, sum, toOutline, trace, truthOf } from './regularScore.ts';

const [count = 110, seed = 1] = process.argv
  .slice(2)
  .filter((word) => /^\d+$/.test(word))
  .map(Number);
const isList = process.argv.includes('--list');
/** Outlines this near to their image are exactly regular, in px: what the sampling of curves explains. */
const EXACT = 0.006;
const MOST_GROWTH = 0.01;

/** Returns true where a drawing has the regularity of the art exactly. */
function isExact(rings: readonly Ring[], { order, hasAxis, pieces }: RegularArt): boolean {
  if (pieces > 1) {
    const outlines = rings.map((ring) => toOutline([ring]));
    return (
      outlines.length >= pieces && outlines.every((outline) => findPlace(outlines[0], outline, EXACT) !== undefined)
    );
  }
  const group = findGroup(toOutline(rings), EXACT);
  return group !== undefined && group.order % order === 0 && (!hasAxis || group.axis !== undefined);
}

type Row = {
  art: RegularArt;
  variant: string;
  before: number;
  after: number;
  segments: [number, number];
  cpuMs: [number, number];
  found: boolean;
  was: boolean;
};
const rows: Row[] = [];
for (const art of makeRegularArt(count, seed)) {
  const truth = truthOf(art);
  for (const variant of VARIANTS) {
    const bitmap = await drawRegularArt(art, variant);
    const [off, on] = [trace(bitmap, false), trace(bitmap, true)];
    const row: Row = {
      art,
      variant,
      before: edgeError(off.rings, truth),
      after: edgeError(on.rings, truth),
      segments: [segmentsOf(off), segmentsOf(on)],
      cpuMs: [off.cpuMs, on.cpuMs],
      found: isExact(on.rings, art),
      was: isExact(off.rings, art),
    };
    rows.push(row);
    if (isList) {
      const { before, after, segments, found, was } = row;
      console.log(
        [
          art.name.padEnd(9),
          art.isRegular ? 'regular' : 'near   ',
          variant.padEnd(6),
          `${art.size} px`.padEnd(7),
          `order ${art.order}`.padEnd(9),
          was ? 'was' : '   ',
          found ? 'found' : '     ',
          `${before.toFixed(4)} → ${after.toFixed(4)}`,
          `${segments.join(' → ')} segments`,
          `${off.cpuMs.toFixed(0)} → ${on.cpuMs.toFixed(0)} ms`,
        ].join('  '),
      );
    }
  }
}

const share = (part: number, all: number): string => `${part} of ${all}`;
console.log(`${count} drawings of seed ${seed}, 200 to 800 px, every second with a fault of 1.5 to 4 px`);
for (const variant of VARIANTS) {
  const own = rows.filter((row) => row.variant === variant);
  const regular = own.filter(({ art }) => art.isRegular);
  const near = own.filter(({ art }) => !art.isRegular);
  console.log(
    `${variant}: exactly regular ${share(regular.filter(({ found }) => found).length, regular.length)} ` +
      `(without the option ${regular.filter(({ was }) => was).length}), ` +
      `of those with a fault ${share(near.filter(({ found }) => found).length, near.length)}; ` +
      `edge error of regular ones ${median(regular.map(({ before }) => before)).toFixed(4)} → ` +
      `${median(regular.map(({ after }) => after)).toFixed(4)} px, ` +
      `largest growth of all ${Math.max(...own.map(({ before, after }) => after - before)).toFixed(4)} px; ` +
      `segments ${sum(own.map(({ segments }) => segments[0]))} → ${sum(own.map(({ segments }) => segments[1]))}; ` +
      `ms ${sum(own.map(({ cpuMs }) => cpuMs[0])).toFixed(0)} → ${sum(own.map(({ cpuMs }) => cpuMs[1])).toFixed(0)}`,
  );
}
const bars = [
  [
    'no outline is farther from the truth by more than 0.01 px',
    rows.every(({ before, after }) => after - before <= MOST_GROWTH),
  ],
  ['no drawing with a fault is made regular', rows.every(({ art, found }) => art.isRegular || !found)],
  ['no drawing has more segments', rows.every(({ segments: [before, after] }) => after <= before)],
] as const;
for (const [claim, holds] of bars) console.log(`${holds ? 'yes' : 'NO '} ${claim}`);
process.exit(bars.every(([, holds]) => holds) ? 0 : 1);
