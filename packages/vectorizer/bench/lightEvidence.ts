/**
 * Prints the pictures that pass for a camera's picture of a drawing and are none: the bench's drawings, clean and
 * degraded, and drawings before drawn ramps. Run: tsx packages/vectorizer/bench/lightEvidence.ts [FOLDER ...], which
 * adds the pictures of folders that no camera took of a drawing, but for those named `.alpha.` or `.true.`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Bitmap } from '../src/index.ts';
import { takeOutLight } from '../src/index.ts';
import { type Art, loadArt, makeInput, randomFrom, VARIANTS } from './art.ts';

/** A share of the drawing's size around it. */
const MARGIN = 0.2;
const WIDTH = 640;
const SEED = 20261124;

const stops = (from: string, to: string): string => `<stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/>`;
const RAMPS: Readonly<Record<string, string>> = {
  gray: `<linearGradient id="ramp" x2="0" y2="1">${stops('#fff', '#bbb')}</linearGradient>`,
  'steep gray': `<linearGradient id="ramp" y2="1">${stops('#f4f4f4', '#888')}</linearGradient>`,
  vignette: `<radialGradient id="ramp">${stops('#fff', '#999')}</radialGradient>`,
  cream: `<radialGradient id="ramp">${stops('#fff6e0', '#c9b58a')}</radialGradient>`,
  kraft: `<linearGradient id="ramp" y2=".4">${stops('#cfa878', '#9a7446')}</linearGradient>`,
  sky: `<linearGradient id="ramp" x2="0" y2="1">${stops('#6fb3ff', '#e8f4ff')}</linearGradient>`,
};
const NAMES = ['owl', 'figma', 'dribbble-icon', 'rose', 'rye'];

async function read(file: string | Buffer): Promise<Bitmap> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
}

/** Draws a drawing before a ramp. */
function drawBefore({ svg }: Art, ramp: string): Promise<Bitmap> {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)?.map(Number) ?? [0, 1, 1];
  const body = svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>'));
  const box = [-MARGIN * width, -MARGIN * height, (1 + 2 * MARGIN) * width, (1 + 2 * MARGIN) * height];
  const size = `width="${WIDTH}" height="${Math.round((WIDTH * height) / width)}" viewBox="${box.join(' ')}"`;
  const ground = `<rect x="${box[0]}" y="${box[1]}" width="${box[2]}" height="${box[3]}" fill="url(#ramp)"/>`;
  const page = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><defs>${ramp}</defs>${ground}${body}</svg>`;
  return read(Buffer.from(page));
}

/** Adds grain of some levels, as some drawings have it. */
function addGrain({ width, height, data }: Bitmap, levels: number): Bitmap {
  const random = randomFrom(SEED);
  const grainy = new Uint8ClampedArray(data);
  for (let i = 0; i < grainy.length; i += 4) {
    const grain = (random() + random() + random() + random() - 2) * Math.sqrt(3) * levels;
    for (let c = 0; c < 3; c++) grainy[i + c] += grain;
  }
  return { width, height, data: grainy };
}

async function saveLossy({ width, height, data }: Bitmap, quality: number): Promise<Bitmap> {
  const raw = { raw: { width, height, channels: 4 as const } };
  return read(await sharp(data, raw).removeAlpha().jpeg({ quality }).toBuffer());
}

async function* listPictures(): AsyncGenerator<readonly [string, Bitmap]> {
  const art = loadArt();
  for (const drawing of art) {
    for (const variant of VARIANTS) yield [`${drawing.name}, ${variant}`, await makeInput(drawing, variant)];
  }
  for (const drawing of art.filter(({ name }) => NAMES.includes(name))) {
    for (const [name, ramp] of Object.entries(RAMPS)) {
      const clean = await drawBefore(drawing, ramp);
      const title = `${drawing.name} before ${name}`;
      yield [title, clean];
      yield [`${title}, JPEG`, await saveLossy(clean, 60)];
      yield [`${title}, grain`, addGrain(clean, 3)];
      yield [`${title}, grain, JPEG`, await saveLossy(addGrain(clean, 4), 75)];
    }
  }
  for (const folder of process.argv.slice(2)) {
    for (const name of readdirSync(folder)) {
      if (/\.(png|jpe?g|webp)$/.test(name) && !/\.(alpha|true)\./.test(name))
        yield [name, await read(join(folder, name))];
    }
  }
}

let count = 0;
let wrong = 0;
for await (const [name, bitmap] of listPictures()) {
  count++;
  if (!takeOutLight(bitmap, 'auto')) continue;
  wrong++;
  console.log(name);
}
console.log(`${wrong} of ${count} pictures pass`);
