/**
 * Measures segments, seams and smoothness on drawings of the icon sets that no other bench shows. A hash of each name
 * decides which half a drawing is of: one to develop with, one set apart.
 * Run: tsx packages/vectorizer/bench/segments.ts [--apart] [drawings of a kind, 10 by default] [--each]
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { vectorize, writeSvg } from '../src/index.ts';
import { type Art, type Kind, loadArt, makeInput, randomFrom, toArt, VARIANTS } from './art.ts';
import { judge, readOriginal } from './judge.ts';
import { formatTable, measureGaps, measurePaths, median } from './metrics.ts';

const require = createRequire(import.meta.url);
const isApart = process.argv.includes('--apart');
const showsEach = process.argv.includes('--each');
const count = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 10);

interface Source {
  set: string;
  kind: Kind;
  fits(body: string): boolean;
}

const hasGradient = (body: string): boolean => /Gradient/.test(body);
/** Filters, masks, bitmaps and transforms would make the count of the original's segments doubtful. */
const isPlain = (body: string): boolean =>
  !/<(?:mask|filter|image|pattern|use|clipPath|text)|opacity=|transform="(?!matrix|translate|rotate)/.test(body);
const countFills = (body: string): number => new Set(body.match(/fill="#[0-9a-fA-F]+"/g) ?? []).size;
const SOURCES: Source[] = [
  { set: 'fluent-emoji-flat', kind: 'clip', fits: (body) => isPlain(body) && !hasGradient(body) },
  { set: 'logos', kind: 'logo', fits: (body) => isPlain(body) && !hasGradient(body) && countFills(body) >= 2 },
  { set: 'game-icons', kind: 'silhouette', fits: isPlain },
  { set: 'logos', kind: 'gradient', fits: (body) => isPlain(body) && hasGradient(body) },
];

/** Returns a number 0 ≤ r < 1 that depends on the name alone (FNV-1a, as the seed of a generator). */
function rank(name: string): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < name.length; k++) hash = Math.imul(hash ^ name.charCodeAt(k), 0x01000193);
  const next = randomFrom(hash >>> 0);
  next();
  return next();
}

export function loadHalf(count: number): Art[] {
  const shown = new Set(loadArt().map(({ name }) => name));
  const art: Art[] = [];
  for (const { set, kind, fits } of SOURCES) {
    const {
      icons,
      width: usual = 16,
      height: usualHeight = 16,
    } = JSON.parse(readFileSync(require.resolve(`@iconify-json/${set}/icons.json`), 'utf8'));
    const names = Object.keys(icons)
      .filter((name) => !shown.has(name) && rank(`half ${name}`) < 0.5 !== isApart)
      .filter((name) => fits(icons[name].body))
      .filter((name) => {
        const { width = usual, height = usualHeight, body } = icons[name];
        const { segments } = measurePaths(body);
        return width <= 3 * height && segments >= 8 && segments <= 400;
      })
      .sort((p, q) => rank(p) - rank(q))
      .slice(0, count);
    for (const name of names) {
      const { body, width = usual, height = usualHeight } = icons[name];
      art.push(toArt(name, kind, set, body.replaceAll('currentColor', '#000'), width, height));
    }
  }
  return art;
}

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
if (process.argv[1].endsWith('segments.ts'))
  for (const art of loadHalf(count)) {
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
if (process.argv[1].endsWith('segments.ts')) console.log(formatTable([HEAD, ...rows], 2));
