/**
 * Traces the fixtures and prints how close the drawings are to the originals, beside other open tracers, then the time each takes.
 * Run: npm run bench, or tsx packages/vectorizer/bench/quality.ts
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import type { Bitmap } from '../src/index.ts';
import { vectorize, writeSvg } from '../src/index.ts';

const FIXTURES = new URL('../test/fixtures/', import.meta.url);
const INPUT_WIDTH = 384;
const SCALE = 4; // the drawing is judged at this many times the input
const ROUNDS = 5;

type Trace = (bitmap: Bitmap) => string | Promise<string>;

async function loadTracers(): Promise<Map<string, Trace>> {
  const tracers = new Map<string, Trace>([['this package', (bitmap) => writeSvg(vectorize(bitmap))]]);
  const optional = async (name: string, load: () => Promise<Trace>): Promise<void> => {
    try {
      tracers.set(name, await load());
    } catch {
      console.log(`${name} is not installed and is left out.`);
    }
  };
  await optional('VTracer', async () => {
    const engine = await import('@neplex/vectorizer');
    const settings = {
      colorMode: 0,
      hierarchical: 0,
      filterSpeckle: 4,
      colorPrecision: 6,
      layerDifference: 16,
      mode: 2,
      cornerThreshold: 60,
      lengthThreshold: 4,
      maxIterations: 10,
      spliceThreshold: 45,
      pathPrecision: 3,
    };
    return ({ width, height, data }) => engine.vectorizeRaw(Buffer.from(data), { width, height }, settings);
  });
  await optional('ImageTracerJS', async () => {
    const engine = createRequire(import.meta.url)('imagetracerjs');
    return (bitmap) => engine.imagedataToSVG(bitmap, { viewbox: true, roundcoords: 2 });
  });
  await optional('Potrace (wasm)', async () => {
    class Picture {
      data: unknown;
      width: number;
      height: number;
      constructor(data: unknown, width: number, height: number) {
        this.data = data;
        this.width = width;
        this.height = height;
      }
    }
    const host = globalThis as Record<string, unknown>;
    host.ImageData ??= Picture; // the engine was written for a page
    host.__dirname ??= '.';
    host.require ??= createRequire(import.meta.url);
    const engine = await import('esm-potrace-wasm');
    await engine.init();
    const settings = { turdsize: 2, turnpolicy: 4, alphamax: 1, opticurve: 1, opttolerance: 0.2, pathonly: false };
    return ({ width, height, data }) =>
      engine.potrace(new Picture(new Uint8ClampedArray(data), width, height) as never, {
        ...settings,
        extractcolors: true,
        posterizelevel: 8,
        posterizationalgorithm: 0,
      }) as Promise<string>; // a list of paths only with `pathonly`
  });
  return tracers;
}

interface Picture {
  width: number;
  height: number;
  /** sRGB on white, one number a pixel. */
  rgb: Uint32Array;
}

function render(svg: string, width: number, crisp: boolean): Picture {
  const image = new Resvg(svg, {
    fitTo: { mode: 'width', value: width },
    background: '#fff',
    shapeRendering: crisp ? 1 : 2,
    font: { loadSystemFonts: false },
  }).render();
  const { pixels } = image;
  const rgb = new Uint32Array(image.width * image.height);
  for (let i = 0; i < rgb.length; i++) rgb[i] = (pixels[i * 4] << 16) | (pixels[i * 4 + 1] << 8) | pixels[i * 4 + 2];
  return { width: image.width, height: image.height, rgb };
}

function toBitmap({ width, height, rgb }: Picture): Bitmap {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < rgb.length; i++) data.set([rgb[i] >> 16, (rgb[i] >> 8) & 255, rgb[i] & 255, 255], i * 4);
  return { width, height, data };
}

const labs = new Map<number, [number, number, number]>();

/** OKLab (Ottosson 2020) of a packed colour. */
function toLab(rgb: number): [number, number, number] {
  const known = labs.get(rgb);
  if (known) return known;
  const [r, g, b] = [rgb >> 16, (rgb >> 8) & 255, rgb & 255].map((v) => {
    const c = v / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lab: [number, number, number] = [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
  labs.set(rgb, lab);
  return lab;
}

function distance(p: number, q: number): number {
  if (p === q) return 0;
  const a = toLab(p);
  const b = toLab(q);
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Mean OKLab distance × 100. */
function colorError(a: Picture, b: Picture): number {
  let sum = 0;
  for (let i = 0; i < a.rgb.length; i++) sum += distance(a.rgb[i], b.rgb[i]);
  return (100 * sum) / a.rgb.length;
}

/** Pixels whose right or lower neighbour has another colour. */
function findEdges({ width, height, rgb }: Picture): Uint8Array {
  const edges = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const right = x + 1 < width && distance(rgb[i], rgb[i + 1]) > 0.03;
      const below = y + 1 < height && distance(rgb[i], rgb[i + width]) > 0.03;
      if (right || below) edges[i] = 1;
    }
  }
  return edges;
}

/** Distance of every pixel from the nearest marked one: lower envelopes of parabolas, columns then rows (Felzenszwalb, Huttenlocher 2012). */
function distanceField(marks: Uint8Array, width: number, height: number): Float64Array {
  const far = 1e9;
  const field = Float64Array.from(marks, (mark) => (mark ? 0 : far));
  const longest = Math.max(width, height);
  const value = new Float64Array(longest);
  const apex = new Int32Array(longest);
  const border = new Float64Array(longest + 1);
  const sweep = (start: number, step: number, count: number): void => {
    for (let k = 0; k < count; k++) value[k] = field[start + k * step];
    let top = 0;
    apex[0] = 0;
    border[0] = -Infinity;
    border[1] = Infinity;
    for (let q = 1; q < count; q++) {
      let cross: number;
      for (;;) {
        const p = apex[top];
        cross = (value[q] + q * q - value[p] - p * p) / (2 * (q - p));
        if (cross > border[top]) break;
        top--;
      }
      apex[++top] = q;
      border[top] = cross;
      border[top + 1] = Infinity;
    }
    for (let q = 0, k = 0; q < count; q++) {
      while (border[k + 1] < q) k++;
      field[start + q * step] = (q - apex[k]) ** 2 + value[apex[k]];
    }
  };
  for (let x = 0; x < width; x++) sweep(x, width, height);
  for (let y = 0; y < height; y++) sweep(y * width, 1, width);
  return field.map(Math.sqrt);
}

/** Mean distance between the edges of two crisp pictures, both ways, in pixels of the input, at most 4 for each edge pixel. */
function edgeError(a: Picture, b: Picture): number {
  const edgesA = findEdges(a);
  const edgesB = findEdges(b);
  const oneWay = (from: Uint8Array, to: Float64Array): number => {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < from.length; i++) {
      if (!from[i]) continue;
      sum += Math.min(4 * SCALE, to[i]);
      count++;
    }
    return count ? sum / count : 4 * SCALE;
  };
  const { width, height } = a;
  return (
    (oneWay(edgesA, distanceField(edgesB, width, height)) + oneWay(edgesB, distanceField(edgesA, width, height))) /
    2 /
    SCALE
  );
}

const ARITY: Record<string, number> = { L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7 };

/** Lines, curves and arcs of all paths. */
function countSegments(svg: string): number {
  let count = 0;
  for (const [, d] of svg.matchAll(/\sd="([^"]*)"/g)) {
    for (const [, command, rest] of d.matchAll(/([a-df-z])([^a-df-z]*)/gi)) {
      const numbers = rest.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi)?.length ?? 0;
      const kind = command.toUpperCase();
      if (kind === 'M') count += Math.max(0, numbers / 2 - 1);
      else if (kind in ARITY) count += numbers / ARITY[kind];
    }
  }
  return count;
}

function median(values: number[]): number {
  const sorted = [...values].sort((p, q) => p - q);
  return sorted[sorted.length >> 1];
}

function printTable(rows: string[][]): void {
  const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => row[k].length)));
  const line = (row: string[]): string =>
    `| ${row.map((cell, k) => (k ? cell.padStart(widths[k]) : cell.padEnd(widths[k]))).join(' | ')} |`;
  console.log(line(rows[0]));
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const row of rows.slice(1)) console.log(line(row));
}

const tracers = await loadTracers();
const names = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.svg'))
  .sort();
const rows = [['fixture', 'tracer', 'edge error px', 'colour error', 'segments', 'kB']];
const inputs: Bitmap[] = [];
for (const name of names) {
  const original = readFileSync(new URL(name, FIXTURES), 'utf8');
  const input = toBitmap(render(original, INPUT_WIDTH, false));
  inputs.push(input);
  const smooth = render(original, INPUT_WIDTH * SCALE, false);
  const crisp = render(original, INPUT_WIDTH * SCALE, true);
  for (const [tracer, trace] of tracers) {
    const svg = await trace(input);
    rows.push([
      name.replace('.svg', ''),
      tracer,
      edgeError(render(svg, INPUT_WIDTH * SCALE, true), crisp).toFixed(3),
      colorError(render(svg, INPUT_WIDTH * SCALE, false), smooth).toFixed(3),
      String(countSegments(svg)),
      (svg.length / 1024).toFixed(1),
    ]);
  }
}
printTable(rows);

// Taken in turns, so that whatever else the machine does hits all alike.
const times = new Map<string, number[]>();
for (let round = 0; round < ROUNDS; round++) {
  for (const input of inputs) {
    for (const [tracer, trace] of tracers) {
      const started = performance.now();
      await trace(input);
      const perMegapixel = ((performance.now() - started) * 1e6) / (input.width * input.height);
      times.set(tracer, [...(times.get(tracer) ?? []), perMegapixel]);
    }
  }
}
console.log();
printTable([
  ['tracer', 'ms per megapixel'],
  ...[...times].map(([tracer, values]) => [tracer, median(values).toFixed(0)]),
]);
