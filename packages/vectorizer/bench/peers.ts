/**
 * Compares this package with other open tracers in one run: quality by kind of picture, then time. Run: npm run bench
 * -w packages/vectorizer [-- --write], which keeps the tables in the README between its marks.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bitmap } from '../src/index.ts';
import { type Art, type Kind, loadArt, makeInput, makeNoise } from './art.ts';
import { judge, readOriginal, type Scores } from './judge.ts';
import { formatTable, median } from './metrics.ts';
import { loadTracer, OURS, POTRACE_MONO, TRACERS, type Trace } from './tracers.ts';

const SELF = fileURLToPath(import.meta.url);
const SIZES = [512, 1024, 2048];
/** Pictures for the measurement of time: one in flat colors, one in one color. */
const TIMED = ['castle', 'rose'];
const ROUNDS = 3;
/** Inputs of the first trace in a process. */
const LOADS = ['clean 512', 'clean 1024', 'scan 1024', 'noise 1024'];
/** Kinds of picture that a tracer of one color can draw. */
const MONO: readonly Kind[] = ['silhouette', 'line'];

const megapixels = ({ width, height }: { width: number; height: number }): number => (width * height) / 1e6;

interface Cost {
  /** Milliseconds per megapixel. */
  time: number;
  /** Largest growth of the process in bytes per pixel. */
  memory: number;
}

/**
 * Measures the first trace in this process. The picture is read from plain bytes, as rendering it would take memory and
 * warm up the engine.
 */
async function measureCold(name: string, file: string, width: number, height: number): Promise<Cost> {
  const trace = await loadTracer(name);
  const bitmap = { width, height, data: new Uint8ClampedArray(readFileSync(file)) };
  const before = peakBytes();
  const startMs = performance.now();
  await trace?.(bitmap);
  const time = (performance.now() - startMs) / megapixels(bitmap);
  return { time, memory: (peakBytes() - before) / (width * height) };
}

/**
 * Returns the peak memory of this process. Linux resets it for each program, while `resourceUsage` starts from the
 * parent's peak.
 */
function peakBytes(): number {
  if (!existsSync('/proc/self/status')) return process.resourceUsage().maxRSS * 1024;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
}

async function makeLoad(load: string): Promise<Bitmap> {
  const [input, size] = load.split(' ');
  const width = Number(size);
  if (input === 'noise') return makeNoise(width, width);
  const art = loadArt().find(({ name }) => name === TIMED[0]) as Art;
  return makeInput(art, input === 'scan' ? 'scan' : 'clean', width);
}

/** Measures first traces, each in a process of its own, alternating between the tracers. */
async function compareCold(tracers: Map<string, Trace>): Promise<string> {
  const costs = new Map<string, Cost[]>();
  const folder = mkdtempSync(join(tmpdir(), 'cold-'));
  const file = join(folder, 'pixels');
  for (const load of LOADS) {
    const { width, height, data } = await makeLoad(load);
    writeFileSync(file, data);
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of tracers.keys()) {
        const args = [...process.execArgv, SELF, '--cold', name, file, String(width), String(height)];
        const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
        if (status !== 0) continue;
        const key = `${name} ${load}`;
        costs.set(key, [...(costs.get(key) ?? []), JSON.parse(stdout)]);
      }
    }
  }
  rmSync(folder, { recursive: true });
  const value = (name: string, load: string, pick: (cost: Cost) => number): number =>
    median((costs.get(`${name} ${load}`) ?? []).map(pick));
  const rows = [...tracers.keys()].map((name) => [
    name,
    ...LOADS.map((load) => {
      const time = value(name, load, (cost) => cost.time);
      const ratio = time / value(POTRACE_MONO, load, (cost) => cost.time);
      return `${time.toFixed(0)} (${ratio.toFixed(1)} ×), ${value(name, load, (cost) => cost.memory).toFixed(0)}`;
    }),
  ]);
  return formatTable([['first trace: ms per megapixel (to Potrace), bytes a pixel', ...LOADS], ...rows]);
}

async function compareQuality(tracers: Map<string, Trace>): Promise<string> {
  const scoresByKey = new Map<string, Scores[]>();
  const kinds: Kind[] = [];
  for (const art of loadArt()) {
    const original = readOriginal(art);
    const input = await makeInput(art, 'clean');
    if (!kinds.includes(art.kind)) kinds.push(art.kind);
    for (const [name, trace] of tracers) {
      if (name === POTRACE_MONO && !MONO.includes(art.kind)) continue;
      const key = `${name} ${art.kind}`;
      scoresByKey.set(key, [...(scoresByKey.get(key) ?? []), judge(await trace(input), original)]);
    }
  }
  const of = (name: string, kind: Kind, pick: (scores: Scores) => number, digits: number): string => {
    const runs = scoresByKey.get(`${name} ${kind}`);
    return runs ? median(runs.map(pick)).toFixed(digits) : '';
  };
  const table = (title: string, pick: (scores: Scores) => number, digits: number): string[][] => [
    [title, ...kinds],
    ...[...tracers.keys()].map((name) => [name, ...kinds.map((kind) => of(name, kind, pick, digits))]),
  ];
  return [
    table('edge error, px', ({ edge }) => edge, 3),
    table('edges within ¼ px (F)', ({ f25 }) => f25, 2),
    table('color error', ({ color }) => color, 2),
    table('segments × original', ({ segmentsRatio }) => segmentsRatio, 1),
    table('kB, gzipped', ({ kilobytes }) => kilobytes, 1),
  ]
    .map((rows) => formatTable(rows))
    .join('\n\n');
}

/** Measures warm traces. The tracers alternate, so that other load on the machine affects all alike. */
async function compareTime(tracers: Map<string, Trace>): Promise<string> {
  const times = new Map<string, number[]>();
  const add = (key: string, value: number): void => void times.set(key, [...(times.get(key) ?? []), value]);
  const arts = loadArt().filter(({ name }) => TIMED.includes(name));
  for (const size of SIZES) {
    for (const art of arts) {
      const bitmap = await makeInput(art, 'clean', size);
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [name, trace] of tracers) {
          const startMs = performance.now();
          await trace(bitmap);
          const took = (performance.now() - startMs) / megapixels(bitmap);
          if (round > 0) add(`${name} ${size}`, took); // the first round warms up
        }
      }
    }
  }
  const value = (name: string, column: string): number => median(times.get(`${name} ${column}`) ?? []);
  return formatTable([
    ['ms per megapixel', ...SIZES.map((size) => `${size} px`)],
    ...[...tracers.keys()].map((name) => [
      name,
      ...SIZES.map(String).map((column) => {
        const own = value(name, column);
        return `${own.toFixed(0)} (${(own / value(OURS, column)).toFixed(1)} ×)`;
      }),
    ]),
  ]);
}

const cold = process.argv.indexOf('--cold');
if (cold > 0) {
  const [name, file, width, height] = process.argv.slice(cold + 1);
  console.log(JSON.stringify(await measureCold(name, file, Number(width), Number(height))));
} else {
  const tracers = new Map<string, Trace>();
  for (const name of TRACERS) {
    const trace = await loadTracer(name);
    if (trace) tracers.set(name, trace);
  }
  const text = `${await compareQuality(tracers)}\n\n${await compareTime(tracers)}\n\n${await compareCold(tracers)}`;
  console.log(text);
  if (process.argv.includes('--write')) {
    const readme = new URL('../README.md', import.meta.url);
    const betweenMarks = /(<!-- peers -->\n)[\s\S]*?(<!-- \/peers -->)/;
    writeFileSync(readme, readFileSync(readme, 'utf8').replace(betweenMarks, `$1\n${text}\n\n$2`));
  }
}
