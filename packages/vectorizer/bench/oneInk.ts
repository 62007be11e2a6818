/**
 * Measures traces in one ink of drawings in several colors, beside Potrace after Otsu's threshold: edges, segments and
 * specks, by kind of drawing and input. A drawing's truth is its own shapes, those darker than a level in ink and the
 * others in paper; which level that is, is the tracer's choice.
 * Run: npx tsx packages/vectorizer/bench/oneInk.ts [drawings of a kind, 10 by default] [--set work|held] [--each]
 * The set `held` has drawings of its own: they are looked at once, not tuned to.
 */
import { vectorize, writeSvg } from '../src/index.ts';
import { makeInput, VARIANTS, type Variant } from './art.ts';
import { loadHalf } from './halves.ts';
import { formatTable, measurePaths, median, type Picture, render, SCALE } from './metrics.ts';
import { loadTracer, OTSU_POTRACE, OURS, type Trace } from './tracers.ts';

/** Drawings of each kind that were looked at when the level was chosen; those of `held` come after them. */
const LOOKED_AT = 30;
const KINDS = ['clip', 'logo', 'gradient', 'silhouette'];
const isHeld = process.argv[process.argv.indexOf('--set') + 1] === 'held';
const showsEach = process.argv.includes('--each');
const count = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 10);

/** Mean distance of a trace's edges from those of a drawing, in px of the input, at the level that it drew best. */
function measureEdges(trace: Picture, original: Picture): number {
  const { width, height, rgb } = original;
  const lumas = Uint8Array.from(rgb, (c) => 0.299 * (c >> 16) + 0.587 * ((c >> 8) & 255) + 0.114 * (c & 255));
  // By luma: pixels in ink and in paper, and pairs of neighbors that a level from this one on divides.
  const inks = new Float64Array(256);
  const papers = new Float64Array(256);
  const borders = new Float64Array(257);
  const addPair = (p: number, q: number): void => {
    borders[Math.min(lumas[p], lumas[q]) + 1]++;
    borders[Math.max(lumas[p], lumas[q]) + 1]--;
  };
  for (let p = 0; p < lumas.length; p++) {
    ((trace.rgb[p] & 255) < 128 ? inks : papers)[lumas[p]]++;
    if (p % width > 0) addPair(p, p - 1);
    if (p >= width) addPair(p, p - width);
  }
  let wrong = inks.reduce((sum, value) => sum + value, 0);
  let border = 0;
  let least = Infinity;
  for (let level = 1; level < 256; level++) {
    wrong += papers[level - 1] - inks[level - 1];
    border += borders[level];
    if (border < width + height) continue; // a level that divides next to nothing
    // Pairs along both axes are 4/π as many as the border is long, in the mean of its directions.
    least = Math.min(least, wrong / (border * (Math.PI / 4)) / SCALE);
  }
  return least;
}

interface Result {
  tracer: string;
  kind: string;
  input: Variant;
  edge: number;
  segments: number;
  specks: number;
}
const potrace = await loadTracer(OTSU_POTRACE);
/** A threshold that a maker may set by hand, in percent. */
const BY_HAND = 50;
const tracers: [string, Trace][] = [undefined, BY_HAND].map((threshold) => [
  threshold === undefined ? OURS : `${OURS}, at ${threshold} %`,
  (bitmap) => writeSvg(vectorize(bitmap, { colorMode: 'monochrome', threshold })),
]);
if (potrace) tracers.push([OTSU_POTRACE, potrace]);
const results: Result[] = [];
for (const art of loadHalf(count, isHeld, isHeld ? LOOKED_AT : 0)) {
  const original = render(art.svg, art.width * SCALE, true);
  for (const input of VARIANTS) {
    const bitmap = await makeInput(art, input);
    for (const [tracer, trace] of tracers) {
      const svg = await trace(bitmap);
      const { segments, specks } = measurePaths(
        svg,
        art.width / Number(/viewBox="0 0 ([\d.]+)/.exec(svg)?.[1] ?? art.width),
      );
      if (segments === 0) continue; // nothing of the drawing is as dark as that
      const edge = measureEdges(render(svg, art.width * SCALE, true), original);
      results.push({ tracer, kind: art.kind, input, edge, segments, specks });
      if (showsEach) console.log(art.name.padEnd(34), art.kind, input, tracer, edge.toFixed(3), segments, specks);
    }
  }
}

const rows = [['kind', 'input', 'tracer', 'edge px', 'largest', 'segments', 'specks']];
for (const kind of KINDS) {
  for (const input of VARIANTS) {
    for (const [tracer] of tracers) {
      const some = results.filter((one) => one.kind === kind && one.input === input && one.tracer === tracer);
      const edges = some.map(({ edge }) => edge);
      rows.push([
        kind,
        input,
        tracer,
        median(edges).toFixed(3),
        Math.max(...edges).toFixed(2),
        median(some.map(({ segments }) => segments)).toFixed(0),
        (some.reduce((sum, { specks }) => sum + specks, 0) / some.length).toFixed(1),
      ]);
    }
  }
}
console.log(formatTable(rows, 3));
console.log(
  '\nedge: mean distance from the edges of the drawing in two tones, in medians, and the largest. segments: medians.',
);
console.log('specks: paths of less than 4 px² in a drawing, in the mean.');
