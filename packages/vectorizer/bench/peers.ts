/**
 * This package beside other open tracers, in one run: quality by kind of picture, then time.
 * Run: npm run bench -w packages/vectorizer [-- --write], which keeps the tables in the README between its marks.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Art, type Kind, loadArt, makeInput } from './art.ts';
import { judge, readOriginal, type Verdict } from './judge.ts';
import { formatTable, median } from './metrics.ts';
import { loadTracer, OURS, POTRACE_MONO, TRACERS, type Trace } from './tracers.ts';

const SELF = fileURLToPath(import.meta.url);
const SIZES = [512, 1024, 2048];
/** Pictures that times are taken with: flat colours, and one colour. */
const TIMED = ['castle', 'rose'];
const ROUNDS = 3;
/** What a tracer of one colour can draw. */
const MONO: readonly Kind[] = ['silhouette', 'line'];

const megapixels = ({ width, height }: { width: number; height: number }): number => (width * height) / 1e6;

/** Milliseconds per megapixel of the first trace in this process. */
async function timeCold(name: string): Promise<number> {
  const trace = await loadTracer(name);
  const bitmap = await makeInput(loadArt().find((art) => art.name === TIMED[0]) as Art, 'clean');
  const started = performance.now();
  await trace?.(bitmap);
  return (performance.now() - started) / megapixels(bitmap);
}

async function compareQuality(tracers: Map<string, Trace>): Promise<string> {
  const found = new Map<string, Verdict[]>();
  const kinds: Kind[] = [];
  for (const art of loadArt()) {
    const original = readOriginal(art);
    const input = await makeInput(art, 'clean');
    if (!kinds.includes(art.kind)) kinds.push(art.kind);
    for (const [name, trace] of tracers) {
      if (name === POTRACE_MONO && !MONO.includes(art.kind)) continue;
      const key = `${name} ${art.kind}`;
      found.set(key, [...(found.get(key) ?? []), judge(await trace(input), original)]);
    }
  }
  const of = (name: string, kind: Kind, pick: (verdict: Verdict) => number, digits: number): string => {
    const verdicts = found.get(`${name} ${kind}`);
    return verdicts ? median(verdicts.map(pick)).toFixed(digits) : '';
  };
  const table = (title: string, pick: (verdict: Verdict) => number, digits: number): string[][] => [
    [title, ...kinds],
    ...[...tracers.keys()].map((name) => [name, ...kinds.map((kind) => of(name, kind, pick, digits))]),
  ];
  return [
    table('edge error, px', ({ edge }) => edge, 3),
    table('edges within ¼ px (F)', ({ f25 }) => f25, 2),
    table('colour error', ({ color }) => color, 2),
    table('segments × original', ({ segmentsRatio }) => segmentsRatio, 1),
    table('kB, gzipped', ({ kilobytes }) => kilobytes, 1),
  ]
    .map((rows) => formatTable(rows))
    .join('\n\n');
}

/** Traces are taken in turns, so that whatever else the machine does hits all alike. */
async function compareTime(tracers: Map<string, Trace>): Promise<string> {
  const times = new Map<string, number[]>();
  const add = (key: string, value: number): void => void times.set(key, [...(times.get(key) ?? []), value]);
  const arts = loadArt().filter(({ name }) => TIMED.includes(name));
  for (const size of SIZES) {
    for (const art of arts) {
      const bitmap = await makeInput(art, 'clean', size);
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [name, trace] of tracers) {
          const started = performance.now();
          await trace(bitmap);
          const took = (performance.now() - started) / megapixels(bitmap);
          if (round > 0) add(`${name} ${size}`, took); // the first one warms up
        }
      }
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of tracers.keys()) {
      const { stdout } = spawnSync(process.execPath, [...process.execArgv, SELF, '--cold', name], { encoding: 'utf8' });
      add(`${name} cold`, Number(stdout));
    }
  }
  const columns = ['cold', ...SIZES.map(String)];
  const value = (name: string, column: string): number => median(times.get(`${name} ${column}`) ?? []);
  return formatTable([
    ['ms per megapixel', '512 px, first trace', ...SIZES.map((size) => `${size} px`)],
    ...[...tracers.keys()].map((name) => [
      name,
      ...columns.map((column) => {
        const own = value(name, column);
        return `${own.toFixed(0)} (${(own / value(OURS, column)).toFixed(1)} ×)`;
      }),
    ]),
  ]);
}

const cold = process.argv.indexOf('--cold');
if (cold > 0) {
  console.log(await timeCold(process.argv[cold + 1]));
} else {
  const tracers = new Map<string, Trace>();
  for (const name of TRACERS) {
    const trace = await loadTracer(name);
    if (trace) tracers.set(name, trace);
  }
  const text = `${await compareQuality(tracers)}\n\n${await compareTime(tracers)}`;
  console.log(text);
  if (process.argv.includes('--write')) {
    const readme = new URL('../README.md', import.meta.url);
    const marked = /(<!-- peers -->\n)[\s\S]*?(<!-- \/peers -->)/;
    writeFileSync(readme, readFileSync(readme, 'utf8').replace(marked, `$1\n${text}\n\n$2`));
  }
}
