/**
 * Compares this package with other open tracers on pictures taken by a camera, and checks the bars.
 * Run: tsx packages/vectorizer/bench/cameraBench.ts [--set tuning|apart|held] [--surfaces materials|others] [--ours]
 * [--before] [--floor] [--fresh] [--only TEXT] [--each] [--each-surface 3] [--round 1] [--pictures FOLDER].
 * `--before` adds this package without `dropLight`, `--round` takes other seeds, `--fresh` takes each picture anew.
 * The sets `apart` and `held` have drawings and seeds of their own: they are looked at once, not tuned to.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Bitmap } from '../src/index.ts';
import { vectorize, writeSvg } from '../src/index.ts';
import { FAULTS, MATERIALS, type Photo, type Severity, type Shot, SPECIALS, takePhoto } from './camera.ts';
import { APART_ART, type CameraArt, TUNING_ART } from './cameraArt.ts';
import { HELD_ART } from './cameraHeldArt.ts';
import { type CameraScores, readTruth, scoreFloor, scoreTrace } from './cameraScore.ts';
import { formatTable, median } from './metrics.ts';
import { loadTracer, OTSU_POTRACE, OURS, type Trace } from './tracers.ts';

const BEFORE = 'light traced';

const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const has = (name: string): boolean => process.argv.includes(name);
const SETS: Record<string, { art: readonly CameraArt[]; seed: number }> = {
  tuning: { art: TUNING_ART, seed: 1000 },
  apart: { art: APART_ART, seed: 900_000 },
  held: { art: HELD_ART, seed: 7_340_000 },
};
const set = SETS[argument('--set') ?? 'tuning'];
const isOfMaterials = argument('--surfaces') !== 'others';
const only = argument('--only') ?? '';
const folder = argument('--pictures');

/**
 * Lists the shots: each surface, mild at 800 px and hard at 320 px, in its inks and in one ink; some of those that are
 * no materials at 200 and 120 px.
 */
function listShots(): Shot[] {
  const surfaces = isOfMaterials ? MATERIALS : [...SPECIALS, ...FAULTS];
  const shots: Shot[] = [];
  const perSurface = Number(argument('--each-surface') ?? 3);
  const firstSeed = set.seed + 10_000 * Number(argument('--round') ?? 0);
  surfaces.forEach((surface, s) => {
    for (const severity of ['mild', 'hard'] as const) {
      const isHard = severity === 'hard';
      for (let k = 0; k < perSurface; k++) {
        const art = set.art[(s * 3 + k + (isHard ? 4 : 0)) % set.art.length];
        const seed = firstSeed + s * 100 + k * 10 + (isHard ? 5 : 0);
        const width = !isHard ? 800 : !isOfMaterials && k === 2 ? (s % 2 ? 120 : 200) : 320;
        for (const isOneInk of [false, true]) {
          shots.push({ art, surface, severity, seed: seed + (isOneInk ? 1 : 0), width, isOneInk });
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
  const color = new Map<string, Trace | undefined>([[OURS, ours]]);
  const mono = new Map<string, Trace | undefined>([[OURS, oursInOne]]);
  if (has('--before')) {
    color.set(BEFORE, (bitmap) => writeSvg(vectorize(bitmap)));
    mono.set(BEFORE, (bitmap) => writeSvg(vectorize(bitmap, { colorMode: 'monochrome' })));
  }
  if (!has('--ours')) {
    color.set('VTracer', await loadTracer('VTracer'));
    mono.set(OTSU_POTRACE, await loadTracer(OTSU_POTRACE));
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

/** The bars of a mode and a severity: px, segments ×, share of the pictures with the right number of inks. */
const BARS = [
  { mode: 'color', severity: 'mild', edge: 0.24, inks: 0.9 },
  { mode: 'color', severity: 'hard', edge: 0.32, inks: 0.75 },
  { mode: 'one ink', severity: 'mild', edge: 0.22, inks: 0.9 },
  { mode: 'one ink', severity: 'hard', edge: 0.28, inks: 0.75 },
];
const MOST_SEGMENTS = 1.6;
const MOST_MS = 2000;

const middle = (list: readonly Row[], value: (row: Row) => number): number => median(list.map(value));
const modeOf = ({ shot }: Row): string => (shot.isOneInk ? 'one ink' : 'color');
const severityOf = ({ shot }: Row): Severity => shot.severity;
const rowOf = (row: Row): string => `${modeOf(row)} ${row.shot.surface} ${severityOf(row)}`;

/** Lists the claims of the issue about medians, and whether they hold. */
function checkBars(rows: readonly Row[]): [string, boolean][] {
  const ours = rows.filter(({ tracer }) => tracer === OURS);
  return BARS.flatMap(({ mode, severity, edge, inks }): [string, boolean][] => {
    const own = ours.filter((row) => modeOf(row) === mode && severityOf(row) === severity);
    const name = `${mode} ${severity}`;
    return [
      [`${name}: edges within ${edge} px`, middle(own, ({ scores }) => scores.edge) <= edge],
      [
        `${name}: segments at most ${MOST_SEGMENTS} ×`,
        middle(own, ({ scores }) => scores.segmentsRatio) <= MOST_SEGMENTS,
      ],
      [
        `${name}: inks right in ${100 * inks} of 100`,
        own.filter(({ scores }) => scores.isRight).length >= inks * own.length,
      ],
      [
        `${name}: no gaps, no specks`,
        middle(own, ({ scores }) => scores.gapsPpm) === 0 && middle(own, ({ scores }) => scores.specks) === 0,
      ],
      [`${name}: processor time at most ${MOST_MS} ms`, middle(own, ({ ms }) => ms) <= MOST_MS],
    ];
  });
}

/** Names the rows of a surface in which another tracer's edges are nearer to the truth. */
function listWorseRows(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(rowOf))].filter((name) => {
    const own = rows.filter((row) => rowOf(row) === name);
    const edgeOf = (tracers: Row[]): number => middle(tracers, ({ scores }) => scores.edge);
    const others = own.filter(({ tracer }) => tracer !== OURS && tracer !== BEFORE);
    return others.length > 0 && edgeOf(others) <= edgeOf(own.filter(({ tracer }) => tracer === OURS));
  });
}

const rows = await measure();
console.log(summarize(rows, 'all', (row) => `${modeOf(row)} ${severityOf(row)}, ${row.tracer}`));
console.log(`\n${summarize(rows, 'by surface', (row) => `${rowOf(row)}, ${row.tracer}`)}\n`);
const worseRows = listWorseRows(rows);
const claims: [string, boolean][] = isOfMaterials ? checkBars(rows) : [];
if (!has('--ours')) {
  claims.push([
    `nearer to the truth than the others on every surface${worseRows.map((name) => `; not ${name}`).join('')}`,
    !worseRows.length,
  ]);
}
for (const [claim, holds] of claims) console.log(`${holds ? 'yes' : 'NO '} ${claim}`);
process.exit(claims.every(([, holds]) => holds) ? 0 : 1);
