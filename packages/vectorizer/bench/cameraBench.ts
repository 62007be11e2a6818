/**
 * Compares this package with other open tracers on pictures taken by a camera.
 * Run: tsx packages/vectorizer/bench/cameraBench.ts [--apart] [--ours] [--before] [--floor] [--specials] [--fresh]
 * [--only TEXT] [--each] [--each-surface 3] [--pictures FOLDER]. `--before` adds this package without `dropLight`.
 * `--round 1` takes other seeds. `--apart` takes the drawings and seeds that are set apart: they are looked at once,
 * not tuned to.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Bitmap } from '../src/index.ts';
import { vectorize, writeSvg } from '../src/index.ts';
import { MATERIALS, type Photo, type Severity, type Shot, SPECIALS, takePhoto } from './camera.ts';
import { APART_ART, TUNING_ART } from './cameraArt.ts';
import { type CameraScores, readTruth, scoreFloor, scoreTrace } from './cameraScore.ts';
import { formatTable, median } from './metrics.ts';
import { loadTracer, POTRACE_MONO, type Trace } from './tracers.ts';

const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const has = (name: string): boolean => process.argv.includes(name);
const isApart = has('--apart');
const only = argument('--only') ?? '';
const folder = argument('--pictures');

/**
 * Lists the shots: each material, mild at 800 px and hard at 320 px, in its inks and in one ink; some of the special
 * ones at 200 and 120 px.
 */
function listShots(): Shot[] {
  const art = isApart ? APART_ART : TUNING_ART;
  const surfaces = has('--specials') ? SPECIALS : MATERIALS;
  const shots: Shot[] = [];
  const perSurface = Number(argument('--each-surface') ?? 3);
  surfaces.forEach((surface, s) => {
    for (const severity of ['mild', 'hard'] as const) {
      for (let k = 0; k < perSurface; k++) {
        const index = (s * 3 + k + (severity === 'hard' ? 4 : 0)) % art.length;
        const seed =
          (isApart ? 900_000 : 1000) +
          10_000 * Number(argument('--round') ?? 0) +
          s * 100 +
          k * 10 +
          (severity === 'hard' ? 5 : 0);
        const width = severity === 'mild' ? 800 : has('--specials') && k === 2 ? (s % 2 ? 120 : 200) : 320;
        for (const isOneInk of [false, true]) {
          shots.push({ art: art[index], surface, severity, seed: seed + (isOneInk ? 1 : 0), width, isOneInk });
        }
      }
    }
  });
  return shots.filter((shot) => nameOf(shot).includes(only));
}

const nameOf = ({ art, surface, severity, isOneInk, width }: Shot): string =>
  `${surface} ${severity} ${isOneInk ? 'one' : 'color'} ${art.name} ${width}`;

/** Takes a picture, or reads it from the last run with the same generator. */
async function readPhoto(shot: Shot): Promise<Photo> {
  const home = join(tmpdir(), 'camera-bench');
  mkdirSync(home, { recursive: true });
  const key = join(home, `${nameOf(shot).replaceAll(' ', '-')}-${shot.seed}`);
  if (!has('--fresh') && existsSync(`${key}.json`)) {
    const { homography, lens, width, height } = JSON.parse(readFileSync(`${key}.json`, 'utf8'));
    const data = new Uint8ClampedArray(readFileSync(`${key}.rgba`));
    return { shot, homography, lens, bitmap: { width, height, data } };
  }
  const photo = await takePhoto(shot);
  const { width, height, data } = photo.bitmap;
  writeFileSync(`${key}.rgba`, data);
  writeFileSync(`${key}.json`, JSON.stringify({ homography: photo.homography, lens: photo.lens, width, height }));
  return photo;
}

/** Cuts at the level of Otsu (1979), which spreads the two sides most, and hands the result to Potrace. */
async function loadOtsu(): Promise<Trace | undefined> {
  const potrace = await loadTracer(POTRACE_MONO);
  if (!potrace) return undefined;
  return async ({ width, height, data }) => {
    const raw = { raw: { width, height, channels: 4 as const } };
    const gray = await sharp(data, raw).removeAlpha().grayscale().raw().toBuffer();
    const counts = new Float64Array(256);
    for (const level of gray) counts[level]++;
    let total = 0;
    for (let v = 0; v < 256; v++) total += v * counts[v];
    let [below, sum, best, cut] = [0, 0, -1, 128];
    for (let v = 0; v < 256; v++) {
      below += counts[v];
      sum += v * counts[v];
      const above = gray.length - below;
      if (below === 0 || above === 0) continue;
      const spread = below * above * (sum / below - (total - sum) / above) ** 2;
      if (spread <= best) continue;
      best = spread;
      cut = v;
    }
    const cutData = new Uint8ClampedArray(data.length).fill(255);
    for (let p = 0; p < gray.length; p++) cutData.fill(gray[p] <= cut ? 0 : 255, p * 4, p * 4 + 3);
    return potrace({ width, height, data: cutData });
  };
}

interface Row {
  shot: Shot;
  tracer: string;
  floor: number;
  ms: number;
  scores: CameraScores;
}

async function measure(): Promise<Row[]> {
  const ours: Trace = (bitmap) => writeSvg(vectorize(bitmap, { dropLight: true }));
  const oursInOne: Trace = (bitmap) => writeSvg(vectorize(bitmap, { dropLight: true, colorMode: 'monochrome' }));
  const color = new Map<string, Trace | undefined>([['this package', ours]]);
  const mono = new Map<string, Trace | undefined>([['this package', oursInOne]]);
  if (has('--before')) {
    color.set('light traced', (bitmap) => writeSvg(vectorize(bitmap)));
    mono.set('light traced', (bitmap) => writeSvg(vectorize(bitmap, { colorMode: 'monochrome' })));
  }
  if (!has('--ours')) {
    color.set('VTracer', await loadTracer('VTracer'));
    mono.set('Otsu + Potrace', await loadOtsu());
  }
  const rows: Row[] = [];
  for (const shot of listShots()) {
    const photo = await readPhoto(shot);
    const truth = readTruth(photo);
    const floor = has('--floor') ? scoreFloor(truth) : Number.NaN;
    for (const [tracer, trace] of shot.isOneInk ? mono : color) {
      if (!trace) continue;
      const start = process.cpuUsage();
      const svg = await trace(photo.bitmap);
      const { user, system } = process.cpuUsage(start);
      const scores = scoreTrace(svg, truth);
      rows.push({ shot, tracer, floor, ms: (user + system) / 1000, scores });
      if (has('--each')) console.log(formatRow(rows[rows.length - 1]));
      if (folder) await savePicture(photo.bitmap, svg, `${nameOf(shot)} ${tracer}`.replaceAll(' ', '-'));
    }
  }
  return rows;
}

function formatRow({ shot, tracer, floor, ms, scores }: Row): string {
  const { edge, inks, isRight, segmentsRatio, gapsPpm, specks } = scores;
  const numbers = [edge.toFixed(3), floor.toFixed(3), `${inks}${isRight ? '' : '!'}`, segmentsRatio.toFixed(2)];
  return [nameOf(shot).padEnd(38), tracer.padEnd(15), ...numbers, gapsPpm.toFixed(0), specks, ms.toFixed(0)].join('  ');
}

async function savePicture({ width, height, data }: Bitmap, svg: string, name: string): Promise<void> {
  mkdirSync(folder as string, { recursive: true });
  const input = await sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  const output = await sharp(Buffer.from(svg)).resize(width, height).flatten({ background: '#fff' }).png().toBuffer();
  await sharp({ create: { width: 2 * width, height, channels: 3, background: '#888' } })
    .composite([
      { input, left: 0, top: 0 },
      { input: output, left: width, top: 0 },
    ])
    .png()
    .toFile(join(folder as string, `${name}.png`));
}

function summarize(rows: Row[], title: string, pick: (row: Row) => string): string {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(pick(row), [...(groups.get(pick(row)) ?? []), row]);
  const middle = (list: Row[], value: (row: Row) => number): number => median(list.map(value));
  return formatTable([
    [title, 'pictures', 'edge px', 'floor', 'inks right', 'segments ×', 'gaps ppm', 'worst', 'specks', 'worst', 'ms'],
    ...[...groups].map(([key, list]) => [
      key,
      String(list.length),
      middle(list, ({ scores }) => scores.edge).toFixed(3),
      middle(list, ({ floor }) => floor).toFixed(3),
      `${list.filter(({ scores }) => scores.isRight).length} of ${list.length}`,
      middle(list, ({ scores }) => scores.segmentsRatio).toFixed(2),
      middle(list, ({ scores }) => scores.gapsPpm).toFixed(0),
      Math.max(...list.map(({ scores }) => scores.gapsPpm)).toFixed(0),
      middle(list, ({ scores }) => scores.specks).toFixed(0),
      Math.max(...list.map(({ scores }) => scores.specks)).toFixed(0),
      middle(list, ({ ms }) => ms).toFixed(0),
    ]),
  ]);
}

const rows = await measure();
const modeOf = ({ shot }: Row): string => (shot.isOneInk ? 'one ink' : 'color');
const severityOf = ({ shot }: Row): Severity => shot.severity;
console.log(summarize(rows, 'all', (row) => `${modeOf(row)} ${severityOf(row)}, ${row.tracer}`));
console.log(
  `\n${summarize(rows, 'by surface', (row) => `${modeOf(row)} ${row.shot.surface} ${severityOf(row)}, ${row.tracer}`)}`,
);
