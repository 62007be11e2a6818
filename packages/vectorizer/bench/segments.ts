/**
 * Measures segments, edges, gaps and the smoothness of outlines by kind of drawing and input, and checks the bars.
 * Medians of segments and edges, means of gaps, crossings and time.
 * Run: npx tsx packages/vectorizer/bench/segments.ts [drawings of a kind, 10 by default] [--set work|held] [--each]
 * The set `held` has drawings of its own: they are looked at once, not tuned to.
 */
import { vectorize, writeSvg } from '../src/index.ts';
import { type Art, type Kind, makeInput, VARIANTS, type Variant } from './art.ts';
import { measureBreaks } from './breaks.ts';
import { makeCurvesArt } from './curvesArt.ts';
import { loadHalf } from './halves.ts';
import { judge, readOriginal } from './judge.ts';
import { formatTable, measureGaps, median } from './metrics.ts';

/** Drawings of each kind that were looked at when merging was made; those of `held` come after them. */
const LOOKED_AT = 30;
const SETS: Record<string, (count: number) => Art[]> = {
  work: (count) => [...loadHalf(count, false), ...makeCurvesArt(count, 1)],
  held: (count) => [...loadHalf(count, true, LOOKED_AT), ...makeCurvesArt(count, 9)],
};
const isHeld = process.argv[process.argv.indexOf('--set') + 1] === 'held';
const showsEach = process.argv.includes('--each');
const count = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 10);

interface Result {
  kind: Kind;
  input: Variant;
  segments: number;
  edge: number;
  color: number;
  colors: number;
  seams: number;
  gaps: number;
  crossings: number;
  ms: number;
  /** Degrees by which nodes bend where the original is smooth; none where its outlines cannot be read. */
  breaks: number[];
}
const results: Result[] = [];
for (const art of SETS[isHeld ? 'held' : 'work'](count)) {
  const original = readOriginal(art);
  const isReadable = !/\s(?:transform|stroke)=/.test(art.svg.replace(/<(?:linear|radial)Gradient[^>]*>/g, ''));
  for (const input of VARIANTS) {
    const bitmap = await makeInput(art, input);
    const start = process.cpuUsage();
    const svg = writeSvg(vectorize(bitmap));
    const { user, system } = process.cpuUsage(start);
    const scores = judge(svg, original);
    const gaps = measureGaps(svg, art.svg, art.width);
    const result: Result = {
      kind: art.kind,
      input,
      segments: scores.segmentsRatio,
      edge: scores.edge,
      color: scores.color,
      colors: scores.colorsRatio,
      seams: gaps.seams,
      gaps: gaps.all,
      crossings: scores.crossings,
      ms: (user + system) / 1000,
      breaks: isReadable ? measureBreaks(svg, art.svg, art.width / art.unitsWide) : [],
    };
    results.push(result);
    if (!showsEach) continue;
    const { segments, edge, color, seams, breaks } = result;
    console.log(
      art.name.padEnd(30),
      `${art.kind} ${input}`.padEnd(16),
      `${original.segments} → ${scores.segments}, ${segments.toFixed(2)} ×`,
      `${edge.toFixed(3)} px, color ${color.toFixed(2)}`,
      `seams ${seams.toFixed(0)} gaps ${gaps.all.toFixed(0)}`,
      `bends ${quantile(breaks, 0.95).toFixed(1)}° ${quantile(breaks, 1).toFixed(1)}° of ${breaks.length}`,
    );
  }
}

/** Returns the value that a share of the values does not exceed; 0 for none. */
function quantile(values: readonly number[], share: number): number {
  const ascending = [...values].sort((p, q) => p - q);
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0;
}

const ICONS = [...new Set(results.map(({ kind }) => kind))].filter((kind) => kind !== 'curves');
const GROUPS: [string, (kind: Kind) => boolean][] = [
  ...ICONS.map((name): [string, (kind: Kind) => boolean] => [name, (kind) => kind === name]),
  ['all of these', (kind) => kind !== 'curves'],
  ['curves', (kind) => kind === 'curves'],
];
const choose = (group: string, input: string): Result[] =>
  results.filter((result) => result.input === input && GROUPS.find(([name]) => name === group)?.[1](result.kind));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const HEAD = ['kind', 'input', 'segments ×', 'edge px', 'color error', 'colors ×'];
const rows = [[...HEAD, 'seams ppm', 'gap ppm', 'crossings', 'nodes', 'bend 95 %', 'largest', 'ms']];
for (const input of VARIANTS) {
  for (const [group] of GROUPS) {
    const some = choose(group, input);
    const breaks = some.flatMap((result) => result.breaks);
    rows.push([
      group,
      input,
      median(some.map(({ segments }) => segments)).toFixed(2),
      median(some.map(({ edge }) => edge)).toFixed(3),
      median(some.map(({ color }) => color)).toFixed(2),
      median(some.map(({ colors }) => colors)).toFixed(2),
      mean(some.map(({ seams }) => seams)).toFixed(1),
      mean(some.map(({ gaps }) => gaps)).toFixed(1),
      mean(some.map(({ crossings }) => crossings)).toFixed(1),
      String(breaks.length),
      `${quantile(breaks, 0.95).toFixed(2)}°`,
      `${quantile(breaks, 1).toFixed(2)}°`,
      mean(some.map(({ ms }) => ms)).toFixed(0),
    ]);
  }
}
console.log(formatTable(rows, 2));
console.log('\nsegments ×: times those of the original. seams, gap: pixels per million that nothing paints where the');
console.log('original is opaque; seams are those among them that the original does not paint white, like the paper.');
console.log('bend: by how much outlines bend at the nodes where those of the original are smooth.\n');

const check = (isMet: boolean, bar: string): void => console.log(isMet ? 'yes' : 'NO ', bar);
const MOST_SEGMENTS: [string, Variant, number][] = [
  ['logo', 'clean', 1.15],
  ['clip', 'clean', 1.35],
  ['gradient', 'clean', 1.8],
  ['all of these', 'jpeg', 1.4],
  ['all of these', 'scan', 1.4],
];
for (const [group, input, most] of MOST_SEGMENTS) {
  const times = median(choose(group, input).map(({ segments }) => segments));
  check(times <= most, `${group}, ${input}: segments at most ${most} ×`);
}
for (const input of VARIANTS) {
  const some = results.filter((result) => result.input === input);
  check(mean(some.map(({ seams }) => seams)) < 0.05, `${input}: no seams`);
  const breaks = some.flatMap((result) => result.breaks);
  check(quantile(breaks, 0.95) <= 1, `${input}: 95 of 100 smooth nodes bend by at most 1°`);
  check(quantile(breaks, 1) <= 1, `${input}: all smooth nodes bend by at most 1°`);
}
