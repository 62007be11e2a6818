/**
 * Prints time, memory, edges and segments of traces of 50 megapixels, each in a process of its own, and the time of
 * sketches after a slider has moved, and checks their bars. Edges are compared with the original in windows of the
 * picture: all of it at four times its size has no room in memory.
 * Run: npx tsx packages/vectorizer/bench/large.ts
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bitmap, Tracer, type VectorizeOptions, vectorize, writeSvg } from '../src/index.ts';
import { type Art, loadArt, makeInput, randomFrom } from './art.ts';
import { compareMarks, edgeMarks, formatTable, measurePaths, median, render, SCALE } from './metrics.ts';

const MOST_SECONDS = 15;
const MOST_MEGABYTES = 1200;
const MOST_SKETCH_MS = 60;
/** Width and height of the large pictures, px. */
const LARGE_SIDE = 7072;
/** Side of the windows in which edges are compared, px, and of the windows of a row. */
const WINDOW = 384;
const WINDOWS_ACROSS = 5;
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

const [file, side, svgFile] = process.argv.slice(2);
if (file && svgFile) traceFile(file, Number(side), svgFile);
else await measureAll();

/**
 * Traces raw pixels of a picture of this width, prints processor time and the most memory that the process had, and
 * writes the drawing to a file.
 */
function traceFile(path: string, width: number, svgPath: string): void {
  const bytes = readFileSync(path);
  const data = new Uint8ClampedArray(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = process.cpuUsage();
  const drawing = vectorize({ width, height: data.length / (4 * width), data });
  const { user, system } = process.cpuUsage(start);
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  writeFileSync(svgPath, writeSvg(drawing));
  console.log(JSON.stringify({ ms: (user + system) / 1000, megabytes: Number(kilobytes) / 1024 }));
}

interface LargeTrace {
  ms: number;
  megabytes: number;
  /** Mean distance of edges from the original, px. */
  edge: number;
  segments: number;
}

async function measureAll(): Promise<void> {
  const art = loadArt();
  const folder = mkdtempSync(join(tmpdir(), 'markwright-large-'));
  const traces: LargeTrace[] = [];
  try {
    const rows = [['50 megapixels', 's CPU', 'MB', 'edge px', 'segments']];
    for (const kind of KINDS) {
      const picture = art.find((one) => one.kind === kind) as Art;
      for (const isNoisy of [false, true]) {
        const trace = await traceLarge(picture, isNoisy, folder);
        traces.push(trace);
        const name = `${picture.name}, ${kind}${isNoisy ? ', noise of a camera' : ''}`;
        const { ms, megabytes, edge, segments } = trace;
        rows.push([name, (ms / 1000).toFixed(1), megabytes.toFixed(0), edge.toFixed(3), String(segments)]);
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

async function traceLarge(picture: Art, isNoisy: boolean, folder: string): Promise<LargeTrace> {
  const { width, height, data } = await makeInput(picture, 'clean', LARGE_SIDE);
  if (isNoisy) {
    const random = randomFrom(7);
    for (let k = 0; k < data.length; k++) if (k % 4 < 3) data[k] += 12 * (random() + random() - 1);
  }
  const [path, svgPath] = ['pixels', 'drawing.svg'].map((name) => join(folder, name));
  writeFileSync(path, data);
  const args = ['--import', 'tsx', fileURLToPath(import.meta.url), path, String(width), svgPath];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The trace failed: ${stderr}`);
  const svg = readFileSync(svgPath, 'utf8');
  const edge = compareEdges(svg, picture, width, height);
  return { ...JSON.parse(stdout), edge, segments: measurePaths(svg).segments };
}

/**
 * Returns the mean distance between the edges of a drawing and of its original, in px of the picture, over windows
 * that lie on a lattice.
 */
function compareEdges(svg: string, { svg: original, unitsWide }: Art, width: number, height: number): number {
  let sum = 0;
  let weights = 0;
  const stride = width / WINDOWS_ACROSS;
  for (let y = (stride - WINDOW) / 2; y + WINDOW <= height; y += stride) {
    for (let x = (stride - WINDOW) / 2; x + WINDOW <= width; x += stride) {
      const [own, truth] = [cutOut(svg, 1, x, y), cutOut(original, unitsWide / width, x, y)].map((file) =>
        edgeMarks(render(file, WINDOW * SCALE, true)),
      );
      const weight = [own, truth].reduce(
        (total, { marks }) => total + marks.reduce((count, mark) => count + mark, 0),
        0,
      );
      if (weight === 0) continue;
      sum += weight * compareMarks(own, truth).error;
      weights += weight;
    }
  }
  return sum / weights;
}

/** Returns the window of a file at a place in px of the picture, with so many units to a px. */
function cutOut(svg: string, unitsPerPx: number, x: number, y: number): string {
  const view = [x, y, WINDOW, WINDOW].map((length) => length * unitsPerPx).join(' ');
  return svg.replace(/<svg[^>]*>/, (tag) =>
    tag.replace(/viewBox="[^"]*"/, `viewBox="${view}"`).replace(/(\swidth|\sheight)="[^"]*"/g, `$1="${WINDOW}"`),
  );
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
