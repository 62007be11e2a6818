/**
 * Compares cut-outs with the truth: how much of each object is found, how much of the old background is left in its
 * edge, and the time. Without the network's model, photographs are left out. Pictures below their bar are written to
 * .build/background, beside their cut on magenta.
 * Other pictures come from bench/backgroundPictures.ts.
 * Run: npx tsx bench/background.ts [folder of the pictures] [folder of the model]
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import {
  joinMasks,
  type KindOfBackground,
  kindOfBackground,
  type Mask,
  type Picture,
  removeBackground,
} from '@markwright/matting';
import sharp from 'sharp';
import { segment } from '../apps/server/src/media/segment.ts';
import type { ModelFile } from '../apps/server/src/platform/ports/mediaJobs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? join(root, '../shared/bench/background/set');
const models = process.argv[3] ?? join(root, process.env.DATA_DIR ?? 'data', 'models');
const resultFolder = join(root, '.build', 'background');
/** Flat art of the given pictures, whose time is measured. */
const TIMED = 's01-ring-white.png';
const SIDE = 1024;
const BAND = [0.01, 0.99] as const;
/** The edge of a cut-out is judged on each of these grounds; the worst one counts. */
const GROUNDS = [
  [255, 0, 255],
  [0, 255, 0],
  [255, 255, 255],
  [0, 0, 0],
] as const;
const BARS: Record<string, { iou: number; least?: number; halo?: number }> = {
  photo: { iou: 0.97, least: 0.9, halo: 15 },
  gradient: { iou: 0.985, halo: 10 },
  plain: { iou: 0.995, least: 0.985, halo: 6 },
  glass: { iou: 0.8 },
};

interface Row {
  readonly group: string;
  readonly name: string;
  readonly method: string;
  readonly iou: number;
  readonly halo: number;
  /** Processor time of the cut alone. */
  readonly cpuMs: number;
}

if (existsSync(join(folder, 'list.json'))) await main();
else console.log('the pictures are not here: nothing was measured');

async function main(): Promise<void> {
  const path = join(models, 'isnet.onnx');
  const model = existsSync(path) ? { path, id: 'bench', threads: 1 } : undefined;
  if (!model) console.log('no model is here: photographs are left out, plain backgrounds are cut without a mask\n');
  rmSync(resultFolder, { recursive: true, force: true });
  const rows: Row[] = [];
  let failures = 0;
  for (const { name, group, file } of JSON.parse(readFileSync(join(folder, 'list.json'), 'utf8'))) {
    const picture = await read(join(folder, file));
    const kind = kindOfBackground(picture);
    const mask = model && kind !== 'flat' ? await predictMask(model, picture, kind) : undefined;
    const before = process.cpuUsage();
    const cut = removeBackground(picture, { mask });
    const { user, system } = process.cpuUsage(before);
    if (!cut) continue;
    const truth = await read(join(folder, `${name}.true.webp`));
    const method = mask ? `${kind}, mask` : kind;
    const row = { group, name, method, ...score(cut, truth), cpuMs: (user + system) / 1000 };
    printRow(row);
    rows.push(row);
    if (!isBelowBar(row)) continue;
    failures++;
    await show(picture, cut, join(resultFolder, `${name}.png`));
  }
  if (failures > 0)
    console.log(
      `\n${failures} pictures below their bar, beside their cuts on magenta: ${relative(root, resultFolder)}`,
    );
  printMeans(rows);
  if (!existsSync(join(folder, TIMED))) return; // other pictures than the given ones
  await timeLarge();
  if (model) await timeWhole(model);
}

/** Returns the network's mask of the object, from one pass over the picture or two. */
async function predictMask(model: ModelFile, picture: Picture, kind: KindOfBackground): Promise<Mask> {
  const { width, height, data } = picture;
  const image = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
  const rgb = await image.resize(SIDE, SIDE, { fit: 'fill', kernel: 'lanczos3' }).raw().toBuffer();
  const segmentation = await segment({ model, square: { side: SIDE, rgb }, kind }, () => undefined);
  if ('problem' in segmentation) throw new Error(segmentation.problem);
  const [near, far] = segmentation.masks.map(readMask);
  return far ? joinMasks(picture, near!, far) : near!;
}

function readMask(bytes: Uint8Array): Mask {
  const data = inflateSync(bytes);
  const side = Math.sqrt(data.length);
  return { width: side, height: side, data };
}

async function read(file: string | Buffer): Promise<Picture> {
  const image = sharp(file).toColorspace('srgb').ensureAlpha().raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

/** Compares a cut-out with `truth`, which holds the object's own colors and shares. */
function score(cut: Picture, truth: Picture): Pick<Row, 'iou' | 'halo'> {
  let both = 0;
  let either = 0;
  let band = 0;
  const halos = GROUNDS.map(() => 0);
  for (let i = 0; i < truth.data.length; i += 4) {
    const share = cut.data[i + 3]! / 255;
    const trueShare = truth.data[i + 3]! / 255;
    if (share >= 0.5 && trueShare >= 0.5) both++;
    if (share >= 0.5 || trueShare >= 0.5) either++;
    if (trueShare <= BAND[0] || trueShare >= BAND[1]) continue;
    band++;
    GROUNDS.forEach((ground, g) => {
      for (let k = 0; k < 3; k++) {
        const color = share * cut.data[i + k]! + (1 - share) * ground[k]!;
        const trueColor = trueShare * truth.data[i + k]! + (1 - trueShare) * ground[k]!;
        halos[g]! += Math.abs(color - trueColor) / 3;
      }
    });
  }
  return { iou: both / Math.max(1, either), halo: Math.max(...halos) / Math.max(1, band) };
}

/** True when a picture is below the mean that its group must reach, or below the least that each must reach. */
function isBelowBar({ group, iou, halo }: Row): boolean {
  const bar = BARS[group];
  return bar !== undefined && (iou < Math.max(bar.iou, bar.least ?? 0) || halo > (bar.halo ?? Infinity));
}

/** Writes the picture, and beside it its cut-out on magenta. */
async function show(picture: Picture, cut: Picture, path: string): Promise<void> {
  const { width, height } = picture;
  const raw = { width, height, channels: 4 } as const;
  const [r, g, b] = GROUNDS[0];
  const left = await sharp(picture.data, { raw }).png().toBuffer();
  const right = await sharp(cut.data, { raw }).png().toBuffer();
  mkdirSync(resultFolder, { recursive: true });
  await sharp({ create: { width: 2 * width, height, channels: 3, background: { r, g, b } } })
    .composite([
      { input: left, left: 0, top: 0 },
      { input: right, left: width, top: 0 },
    ])
    .png()
    .toFile(path);
}

function printRow({ group, name, method, iou, halo, cpuMs }: Row): void {
  const [shownHalo, ms] = [halo.toFixed(1).padStart(4), cpuMs.toFixed(0).padStart(5)];
  console.log(
    `${group.padEnd(11)}${name.padEnd(23)}${method.padEnd(17)}IoU ${iou.toFixed(4)}   halo ${shownHalo}   ${ms} ms CPU`,
  );
}

function printMeans(rows: readonly Row[]): void {
  console.log('');
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  for (const group of new Set(rows.map((row) => row.group))) {
    const own = rows.filter((row) => row.group === group);
    const iou = mean(own.map((row) => row.iou));
    const least = Math.min(...own.map((row) => row.iou));
    const halo = mean(own.map((row) => row.halo));
    const bar = BARS[group];
    const isMet = bar && iou >= bar.iou && least >= (bar.least ?? 0) && halo <= (bar.halo ?? Infinity);
    console.log(
      `${group.padEnd(11)}${String(own.length).padStart(2)} pictures   IoU ${iou.toFixed(4)}, least ${least.toFixed(4)}   halo ${halo.toFixed(1).padStart(4)}` +
        (bar
          ? `   bar ${isMet ? 'met' : 'missed'}: IoU >= ${bar.iou}${bar.least ? `, least >= ${bar.least}` : ''}${bar.halo ? `, halo <= ${bar.halo}` : ''}`
          : ''),
    );
  }
}

/** Prints the time of flat art, once the engine is warm, and the cost of 12 megapixels. */
async function timeLarge(): Promise<void> {
  const drawing = await read(join(folder, TIMED));
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const before = process.cpuUsage();
    removeBackground(drawing);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  const middle = times.sort((a, b) => a - b)[4]!;
  console.log(`\nflat art, ${drawing.width} x ${drawing.height}: median ${middle.toFixed(0)} ms CPU; bar <= 150 ms`);
  const { data, info } = await sharp(drawing.data, {
    raw: { width: drawing.width, height: drawing.height, channels: 4 },
  })
    .resize(4000, 3000)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const before = process.cpuUsage();
  removeBackground({ width: info.width, height: info.height, data });
  const { user, system } = process.cpuUsage(before);
  console.log(`flat art, 12 megapixels: ${((user + system) / 1e6).toFixed(1)} s CPU`);
}

/**
 * Times a photograph from its file to the file of its cut-out: as it is, and scaled up to 12 megapixels. The network is
 * loaded by now.
 */
async function timeWhole(model: ModelFile): Promise<void> {
  const small = readFileSync(join(folder, 'p06-teddy-bokeh.jpg'));
  const large = await sharp(small).resize(4000, 3000, { fit: 'fill' }).jpeg({ quality: 90 }).toBuffer();
  for (const [name, file] of [
    ['1024 x 768; bar <= 5 s', small],
    ['12 megapixels', large],
  ] as const) {
    const before = process.cpuUsage();
    const picture = await read(file);
    const kind = kindOfBackground(picture);
    const { width, height, data } = removeBackground(picture, { mask: await predictMask(model, picture, kind) })!;
    await sharp(data, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer();
    const { user, system } = process.cpuUsage(before);
    console.log(`photograph, whole run: ${((user + system) / 1e6).toFixed(1)} s CPU, ${name}`);
  }
}
