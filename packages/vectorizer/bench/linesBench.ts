/**
 * Measures how many straight edges that are parallel, square or equally far apart the option `regular` makes exactly
 * so, whether it leaves those alone that are only nearly so, and how near the outlines are to the truth with and
 * without it. Fails where an outline is farther from the truth by more than a hundredth of a pixel.
 * Run: tsx packages/vectorizer/bench/linesBench.ts [count] [seed] [--list]
 */
import type { Ring } from '../src/index.ts';
import { type Edge, type LinesArt, makeLinesArt } from './linesArt.ts';
import { drawRegularArt, VARIANTS } from './regularArt.ts';
import { edgeError, median, segmentsOf, sum, trace, truthOf } from './regularScore.ts';

const [count = 90, seed = 1] = process.argv
  .slice(2)
  .filter((word) => /^\d+$/.test(word))
  .map(Number);
const isList = process.argv.includes('--list');
const MOST_GROWTH = 0.01;
/** Edges shorter than this, in px, are not counted. */
const SHORT = 8;
/** A line shows an edge that is this near, in px, and turned by no more than this, in radians. */
const NEAR = 1.5;
const TURNED = 0.09;
/**
 * Directions (radians) and widths (px) are exact that differ by less than the first two. Those whose truths differ by
 * more than the last two must not become exact.
 */
const EXACT_ANGLE = 1e-7;
const EXACT_WIDTH = 1e-5;
const FAULT_ANGLE = (0.99 * Math.PI) / 180;
const FAULT_WIDTH = 1.49;
const RIGHT = Math.PI / 2;

const angleOf = ([[ax, ay], [bx, by]]: Edge): number => Math.atan2(by - ay, bx - ax);
const lengthOf = ([[ax, ay], [bx, by]]: Edge): number => Math.hypot(bx - ax, by - ay);
const middleOf = ([[ax, ay], [bx, by]]: Edge): [number, number] => [(ax + bx) / 2, (ay + by) / 2];
const modulo = (value: number, period: number): number => value - period * Math.round(value / period);

function linesOf(rings: readonly Ring[]): Edge[] {
  return rings.flatMap((ring) =>
    ring.segments.flatMap((segment, k): Edge[] => {
      const from = k === 0 ? ring : ring.segments[k - 1];
      return segment.isLine && Math.hypot(segment.x - from.x, segment.y - from.y) > 1
        ? [
            [
              [from.x, from.y],
              [segment.x, segment.y],
            ],
          ]
        : [];
    }),
  );
}

/** Returns the line that shows an edge, the longest where several do. */
function find(lines: readonly Edge[], edge: Edge): Edge | undefined {
  const [mx, my] = middleOf(edge);
  let best: Edge | undefined;
  for (const line of lines) {
    const [[ax, ay], [bx, by]] = line;
    const length = lengthOf(line);
    if (Math.abs(modulo(angleOf(line) - angleOf(edge), Math.PI)) > TURNED || length < 0.25 * lengthOf(edge)) continue;
    const along = ((mx - ax) * (bx - ax) + (my - ay) * (by - ay)) / length;
    const across = Math.abs((mx - ax) * (by - ay) - (my - ay) * (bx - ax)) / length;
    if (across < NEAR && along > 0 && along < length && (!best || length > lengthOf(best))) best = line;
  }
  return best;
}

/** Returns the distance between two lines at the middle of the first. */
function widthOf(a: Edge, b: Edge): number {
  const [x, y] = middleOf(a);
  const [[bx, by]] = b;
  return Math.abs((x - bx) * Math.sin(angleOf(b)) - (y - by) * Math.cos(angleOf(b)));
}

/** Returns lists of the things that have the same value in the truth. */
function classesOf<Item>(items: readonly Item[], truthOfItem: (item: Item) => number, period: number): Item[][] {
  const classes: Item[][] = [];
  for (const item of items) {
    const same = classes.find(([first]) => Math.abs(modulo(truthOfItem(item) - truthOfItem(first), period)) < 1e-6);
    if (same) same.push(item);
    else classes.push([item]);
  }
  return classes;
}

interface Score {
  /** Classes of directions and of widths: all, and those that are exact. */
  directions: [number, number];
  widths: [number, number];
  /** Pairs that differ in the truth and are exactly equal. */
  falseCount: number;
}

function score(rings: readonly Ring[], { layers, bars }: LinesArt): Score {
  const lines = linesOf(rings);
  const edges = layers.flatMap(({ polygons }) =>
    polygons.flatMap((polygon) => polygon.map((from, k): Edge => [from, polygon[(k + 1) % polygon.length]])),
  );
  const sides = edges
    .filter((edge) => lengthOf(edge) >= SHORT)
    .map((edge) => ({ truth: angleOf(edge), line: find(lines, edge) }));
  const directions = classesOf(sides, ({ truth }) => truth, RIGHT);
  const widthOfBar = bars.map(([a, b]) => {
    const [p, q] = [find(lines, a), find(lines, b)];
    return { truth: widthOf(a, b), width: p && q ? widthOf(p, q) : Number.NaN };
  });
  const widths = classesOf(widthOfBar, ({ truth }) => truth, 1e9);
  const several = <Item>(list: Item[][]): Item[][] => list.filter(({ length }) => length > 1);
  const isOneDirection = (list: typeof sides): boolean => {
    const [first] = list;
    return list.every(
      ({ line }) => line && first.line && Math.abs(modulo(angleOf(line) - angleOf(first.line), RIGHT)) < EXACT_ANGLE,
    );
  };
  const isOneWidth = (list: typeof widthOfBar): boolean =>
    list.every(({ width }) => Math.abs(width - list[0].width) < EXACT_WIDTH);
  let falseCount = 0;
  directions.forEach((list, k) => {
    for (const others of directions.slice(k + 1)) {
      if (Math.abs(modulo(others[0].truth - list[0].truth, RIGHT)) < FAULT_ANGLE) continue;
      const isSame = others.some(
        ({ line }) =>
          line &&
          list.some(
            (other) => other.line && Math.abs(modulo(angleOf(line) - angleOf(other.line), RIGHT)) < EXACT_ANGLE,
          ),
      );
      if (isSame) falseCount++;
    }
  });
  widths.forEach((list, k) => {
    for (const others of widths.slice(k + 1)) {
      if (Math.abs(others[0].truth - list[0].truth) < FAULT_WIDTH) continue;
      if (others.some(({ width }) => list.some((bar) => Math.abs(bar.width - width) < EXACT_WIDTH))) falseCount++;
    }
  });
  return {
    directions: [several(directions).length, several(directions).filter(isOneDirection).length],
    widths: [several(widths).length, several(widths).filter(isOneWidth).length],
    falseCount,
  };
}

const isAll = ({ directions, widths }: Score): boolean => directions[0] === directions[1] && widths[0] === widths[1];

const rows: {
  art: LinesArt;
  variant: string;
  errors: [number, number];
  segments: [number, number];
  cpuMs: [number, number];
  scores: [Score, Score];
}[] = [];
for (const art of makeLinesArt(count, seed)) {
  const truth = truthOf(art);
  for (const variant of VARIANTS) {
    const bitmap = await drawRegularArt(art, variant);
    const [off, on] = [trace(bitmap, false), trace(bitmap, true)];
    const scores: [Score, Score] = [score(off.rings, art), score(on.rings, art)];
    const errors: [number, number] = [edgeError(off.rings, truth), edgeError(on.rings, truth)];
    const segments: [number, number] = [segmentsOf(off), segmentsOf(on)];
    rows.push({ art, variant, errors, segments, cpuMs: [off.cpuMs, on.cpuMs], scores });
    if (isList) {
      console.log(
        [
          art.name.padEnd(8),
          art.isRegular ? 'regular' : 'fault  ',
          variant.padEnd(6),
          `${art.size} px`,
          `directions ${scores[0].directions[1]} → ${scores[1].directions[1]} of ${scores[1].directions[0]}`,
          `widths ${scores[0].widths[1]} → ${scores[1].widths[1]} of ${scores[1].widths[0]}`,
          `false ${scores[0].falseCount} → ${scores[1].falseCount}`,
          `${errors.map((error) => error.toFixed(4)).join(' → ')} px`,
          `${segments.join(' → ')} segments`,
          `${off.cpuMs.toFixed(0)} → ${on.cpuMs.toFixed(0)} ms`,
        ].join('  '),
      );
    }
  }
}

console.log(`${count} drawings of seed ${seed}, 200 to 800 px, every second with a fault of 1 to 3° or 1.5 to 4 px`);
for (const variant of VARIANTS) {
  const own = rows.filter((row) => row.variant === variant);
  const regular = own.filter(({ art }) => art.isRegular);
  const total = (of: 'directions' | 'widths', side: 0 | 1): string =>
    `${sum(own.map(({ scores }) => scores[side][of][1]))} of ${sum(own.map(({ scores }) => scores[side][of][0]))}`;
  console.log(
    `${variant}: drawings without a fault exact ${regular.filter(({ scores }) => isAll(scores[0])).length} → ` +
      `${regular.filter(({ scores }) => isAll(scores[1])).length} of ${regular.length}, directions ` +
      `${total('directions', 0)} → ${total('directions', 1)}, widths ${total('widths', 0)} → ${total('widths', 1)}; ` +
      `false ${sum(own.map(({ scores }) => scores[1].falseCount))} ` +
      `(${sum(own.map(({ scores }) => scores[0].falseCount))} without); ` +
      `edge error ${median(own.map(({ errors }) => errors[0])).toFixed(4)} → ` +
      `${median(own.map(({ errors }) => errors[1])).toFixed(4)} px, largest growth ` +
      `${Math.max(...own.map(({ errors: [before, after] }) => after - before)).toFixed(4)} px; segments ` +
      `${sum(own.map(({ segments }) => segments[0]))} → ${sum(own.map(({ segments }) => segments[1]))}; ` +
      `time × ${(sum(own.map(({ cpuMs }) => cpuMs[1])) / sum(own.map(({ cpuMs }) => cpuMs[0]))).toFixed(2)}`,
  );
}
const bars = [
  [
    'no outline is farther from the truth by more than 0.01 px',
    rows.every(({ errors: [before, after] }) => after - before <= MOST_GROWTH),
  ],
  ['nothing that differs becomes equal', rows.every(({ scores: [off, on] }) => on.falseCount <= off.falseCount)],
  ['no drawing has more segments', rows.every(({ segments: [before, after] }) => after <= before)],
] as const;
for (const [claim, holds] of bars) console.log(`${holds ? 'yes' : 'NO '} ${claim}`);
process.exit(bars.every(([, holds]) => holds) ? 0 : 1);
