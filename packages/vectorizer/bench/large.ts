/**
 * Prints time and memory of traces of 50 megapixels, each in a process of its own, and the time of sketches after a
 * slider has moved, and checks their bars.
 * Run: npx tsx packages/vectorizer/bench/large.ts
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bitmap, Tracer, type VectorizeOptions, vectorize } from '../src/index.ts';
import { type Art, loadArt, makeInput, randomFrom } from './art.ts';
import { formatTable, median } from './metrics.ts';

const MOST_SECONDS = 15;
const MOST_MEGABYTES = 1200;
const MOST_SKETCH_MS = 60;
/** Width and height of the large pictures, px. */
const LARGE_SIDE = 7072;
const KINDS = ['clip', 'logo', 'line', 'gradient'] as const;
/** Width of the pictures that are sketched: that of a usual upload. */
const SKETCH_WIDTH = 1024;
const SKETCHES_OF_A_KIND = 6;

/** Moves of the studio's sliders: their names, and the options before and after. */
const CHANGES: [string, VectorizeOptions, VectorizeOptions][] = [
  ['specks', { despeckle: 2 }, { despeckle: 5 }],
  ['colors', { maxColors: 16 }, { maxColors: 6 }],
  ['smoothness', { simplify: 0 }, { simplify: 0.4 }],
  ['threshold', { colorMode: 'monochrome', threshold: 50 }, { colorMode: 'monochrome', threshold: 60 }],
];

const [file, side] = process.argv.slice(2);
if (file) traceFile(file, Number(side));
else await measureAll();

/** Traces raw pixels of a square picture, and prints processor time and the most memory that the process had. */
function traceFile(path: string, size: number): void {
  const bytes = readFileSync(path);
  const data = new Uint8ClampedArray(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = process.cpuUsage();
  const { layers } = vectorize({ width: size, height: data.length / (4 * size), data });
  const { user, system } = process.cpuUsage(start);
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  console.log(
    JSON.stringify({ ms: (user + system) / 1000, megabytes: Number(kilobytes) / 1024, layers: layers.length }),
  );
}

interface LargeTrace {
  ms: number;
  megabytes: number;
}

async function measureAll(): Promise<void> {
  const art = loadArt();
  const folder = mkdtempSync(join(tmpdir(), 'markwright-large-'));
  const traces: LargeTrace[] = [];
  try {
    const rows = [['50 megapixels', 's CPU', 'MB']];
    for (const kind of KINDS) {
      const picture = art.find((one) => one.kind === kind) as Art;
      for (const isNoisy of [false, true]) {
        const trace = await traceLarge(picture, isNoisy, join(folder, 'pixels'));
        traces.push(trace);
        const name = `${picture.name}, ${kind}${isNoisy ? ', noise of a camera' : ''}`;
        rows.push([name, (trace.ms / 1000).toFixed(1), trace.megabytes.toFixed(0)]);
      }
    }
    console.log(formatTable(rows, 1));
  } finally {
    rmSync(folder, { recursive: true });
  }
  const sketches = await measureSketches(art);
  console.log();
  const check = (isMet: boolean, bar: string): void => console.log(isMet ? 'yes' : 'NO ', bar);
  check(
    traces.every(({ ms }) => ms <= 1000 * MOST_SECONDS),
    `50 megapixels in at most ${MOST_SECONDS} s`,
  );
  check(
    traces.every(({ megabytes }) => megabytes <= MOST_MEGABYTES),
    `in at most ${MOST_MEGABYTES} MB`,
  );
  check(
    sketches.every((ms) => ms <= MOST_SKETCH_MS),
    `sketches in at most ${MOST_SKETCH_MS} ms in the median`,
  );
}

async function traceLarge(picture: Art, isNoisy: boolean, path: string): Promise<LargeTrace> {
  const { width, data } = await makeInput(picture, 'clean', LARGE_SIDE);
  if (isNoisy) {
    const random = randomFrom(7);
    for (let k = 0; k < data.length; k++) if (k % 4 < 3) data[k] += 12 * (random() + random() - 1);
  }
  writeFileSync(path, data);
  const args = ['--import', 'tsx', fileURLToPath(import.meta.url), path, String(width)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The trace failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** Prints the medians of sketches after a change, and returns them. */
async function measureSketches(art: Art[]): Promise<number[]> {
  const inputs: Bitmap[] = [];
  for (const kind of KINDS) {
    for (const picture of art.filter((one) => one.kind === kind).slice(0, SKETCHES_OF_A_KIND)) {
      for (const variant of ['clean', 'scan'] as const) inputs.push(await makeInput(picture, variant, SKETCH_WIDTH));
    }
  }
  const rows = [['sketch after a change, ms CPU', 'median', '95 of 100', 'most']];
  const medians = CHANGES.map(([name, from, to]) => {
    const times = inputs.map((input) => {
      const tracer = new Tracer(input);
      tracer.sketch(from);
      const start = process.cpuUsage();
      tracer.sketch(to);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    });
    const ascending = [...times].sort((p, q) => p - q);
    const at = (share: number): string => ascending[Math.ceil(share * ascending.length) - 1].toFixed(0);
    rows.push([name, median(times).toFixed(0), at(0.95), at(1)]);
    return median(times);
  });
  console.log(`\n${formatTable(rows, 1)}`);
  return medians;
}
