/**
 * Measures segments, edges and seams by kind of drawing and input, with medians of all but gaps, crossings and time,
 * which are means.
 * Run: npx tsx packages/vectorizer/bench/segments.ts [drawings of a kind, 10 by default] [--apart] [--each]
 */
import { vectorize, writeSvg } from '../src/index.ts';
import { type Kind, makeInput, VARIANTS } from './art.ts';
import { loadHalf } from './halves.ts';
import { judge, readOriginal } from './judge.ts';
import { formatTable, measureGaps, median } from './metrics.ts';

const isApart = process.argv.includes('--apart');
const showsEach = process.argv.includes('--each');
const count = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 10);

const HEAD = [
  'kind',
  'input',
  'segments ×',
  'edge px',
  'color error',
  'colors ×',
  'seams ppm',
  'gap ppm',
  'crossings',
  'ms',
];
const rows: string[][] = [];
interface Result {
  kind: Kind;
  variant: string;
  values: number[];
}
const results: Result[] = [];
for (const art of loadHalf(count, isApart)) {
  const original = readOriginal(art);
  for (const variant of VARIANTS) {
    const input = await makeInput(art, variant);
    const start = process.cpuUsage();
    const svg = writeSvg(vectorize(input));
    const { user, system } = process.cpuUsage(start);
    const scores = judge(svg, original);
    const gaps = measureGaps(svg, art.svg, art.width);
    const values = [
      scores.segmentsRatio,
      scores.edge,
      scores.color,
      scores.colorsRatio,
      gaps.seams,
      gaps.all,
      scores.crossings,
      (user + system) / 1000,
    ];
    results.push({ kind: art.kind, variant, values });
    if (showsEach)
      console.log(
        art.name.padEnd(30),
        art.kind.padEnd(10),
        variant.padEnd(6),
        original.segments,
        scores.segments,
        ...values.map((v) => v.toFixed(3)),
      );
  }
}
const kinds = [...new Set(results.map(({ kind }) => kind))];
const add = (kind: string, variant: string, some: Result[]): void => {
  const at = (k: number): number => median(some.map(({ values }) => values[k]));
  const mean = (k: number): number => some.reduce((sum, { values }) => sum + values[k], 0) / some.length;
  rows.push([
    kind,
    variant,
    at(0).toFixed(2),
    at(1).toFixed(3),
    at(2).toFixed(2),
    at(3).toFixed(2),
    mean(4).toFixed(1),
    mean(5).toFixed(0),
    mean(6).toFixed(1),
    mean(7).toFixed(0),
  ]);
};
for (const variant of VARIANTS) {
  for (const kind of kinds)
    add(
      kind,
      variant,
      results.filter((r) => r.kind === kind && r.variant === variant),
    );
  add(
    'all',
    variant,
    results.filter((r) => r.variant === variant),
  );
}
console.log(formatTable([HEAD, ...rows], 2));
