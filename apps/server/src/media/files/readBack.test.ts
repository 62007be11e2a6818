import { inflateSync } from 'node:zlib';
import type { Job, OutlinePlate } from '@markwright/scene';
import { readContours, seededRandom } from '@markwright/scene';
import { PRINT_DPI, SPOT_PRESETS, writePdf } from '@markwright/scene/inkFiles';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createInkProfile } from '../../../test/inkProfile.ts';
import { chooseFile } from './fileOptions.ts';
import { makeFormat } from './makeFile.ts';
import { bleedColors, mirrorEdges, mirrorPlace, type Pixels, writePng } from './png.ts';
import { createColorPainter, rowsOfBand } from './raster.ts';
import { checkColors, checkPdf, checkPixels, checkTiff } from './readBack.ts';
import { readTiff } from './readTiff.ts';
import { writeTiff } from './tiff.ts';

const box = (x: number, side: number) =>
  readContours(`M${x} 5L${x + side} 5L${x + side} ${5 + side}L${x} ${5 + side}Z`);
const shape = (x: number, side: number) => ({
  contours: box(x, side),
  fill: '#c81e1e',
  stroke: '#000000',
  strokeWidthMm: 0.5,
  opacity: 0.5,
});

const jobOf = (...sides: number[]): Job => ({
  machine: 'uv',
  widthMm: 60,
  heightMm: 40,
  isMirrored: false,
  rasters: [],
  findings: [],
  plates: [
    {
      kind: 'white',
      id: 'white',
      color: '#ffffff',
      outlines: sides.map((side) => ({ elementId: 'a', contours: box(9, side) })),
    },
    {
      kind: 'color',
      id: 'color',
      groups: [{ elementId: 'a', opacity: 0.7, pictures: [], shapes: sides.map((side) => shape(5, side)) }],
    },
  ],
});

const write = (job: Job, bleedMm = 0) => writePdf(job, { title: 'x', spots: SPOT_PRESETS.generic, bleedMm });
const check = (bytes: Uint8Array, job: Job) => () => checkPdf(bytes, job, () => 'White');

it('accepts the file of a job, with a bleed too', () => {
  const job = jobOf(10, 12);
  expect(check(write(job), job)).not.toThrow();
  expect(check(write(job, 3), job)).not.toThrow();
});

it('finds what is missing, too much, elsewhere or of another size', () => {
  const job = jobOf(10, 12);
  const withPlates = (plates: Job['plates']): Job => ({ ...job, plates });
  const others: Record<string, Job> = {
    'a shape more': jobOf(10, 12, 4),
    'a shape less': jobOf(10),
    'a shape larger by 20 microns': jobOf(10, 12.02),
    'no white': withPlates(job.plates.slice(1)),
    'no colors': withPlates(job.plates.slice(0, 1)),
    'a wider frame': { ...job, widthMm: 60.02 },
  };
  for (const [what, other] of Object.entries(others)) expect(check(write(other), job), what).toThrow(/./);
});

function drawAll(job: Job, dpi: number): Promise<Pixels> {
  const painter = createColorPainter(job, dpi);
  return painter.draw({ top: 0, bottom: painter.height });
}

it('is drawn by bands as it is in one piece, with its bleed', async () => {
  const job = { ...jobOf(10, 50), heightMm: 260 };
  const choices = (bleedMm: number) => ({ ...chooseFile('sublimation', undefined, {}), bleedMm });
  const whole = await drawAll(job, PRINT_DPI);
  expect(whole.height).toBeGreaterThan(rowsOfBand(whole.width));
  bleedColors(whole, 4);
  const { bytes, ending } = await makeFormat(job, 'png', undefined, choices(0), {});
  expect(ending).toBe('.png');
  expect(Buffer.compare(await sharp(bytes).raw().toBuffer(), whole.rgba)).toBe(0);
  const withEdges = await makeFormat(job, 'png', undefined, choices(3), {});
  expect(withEdges.ending).toBe('_bleed3mm.png');
  const border = Math.round((3 / 25.4) * PRINT_DPI);
  const trim = { left: border, top: border, width: whole.width, height: whole.height };
  expect(Buffer.compare(await sharp(withEdges.bytes).extract(trim).raw().toBuffer(), whole.rgba)).toBe(0);
});

it('compares what a PNG shows with its job, inside its bleed', async () => {
  const job = jobOf(10, 22);
  const pixels = await drawAll(job, 100);
  const rows = Array.from({ length: pixels.height + 24 }, (_, y) => mirrorPlace(y - 12, pixels.height));
  const bleed = mirrorEdges(pixels, 12, rows);
  const withBleed = await writePng(bleed, 100);
  await checkPixels(withBleed, job, 100, { channels: 4, bleedPx: 12 });
  await checkColors(withBleed, job, 12);
  await expect(checkPixels(withBleed, job, 100, { channels: 4 })).rejects.toThrow('pixels');
  const mirrorImage = { ...pixels, rgba: new Uint8Array(pixels.rgba.length) };
  for (let i = 0; i < pixels.rgba.length; i += 4) {
    const column = (i / 4) % pixels.width;
    mirrorImage.rgba.set(pixels.rgba.subarray(i, i + 4), i + 4 * (pixels.width - 1 - 2 * column));
  }
  const negative = { ...pixels, rgba: pixels.rgba.map((value, i) => (i % 4 === 3 ? value : 255 - value)) };
  const empty = { ...pixels, rgba: new Uint8Array(pixels.rgba.length) };
  for (const other of [mirrorImage, negative, empty]) {
    await expect(checkColors(await writePng(other, 100), job)).rejects.toThrow('off by');
  }
});

it('takes a PNG of many thin lines that cross for what it is', async () => {
  const random = seededRandom(24);
  const place = () => `${(60 * random()).toFixed(2)} ${(40 * random()).toFixed(2)}`;
  const shapes = Array.from({ length: 300 }, () => ({
    contours: readContours(`M${place()}L${place()}`),
    fill: undefined,
    stroke: '#1f4fa3',
    strokeWidthMm: 0.15,
    opacity: 1,
  }));
  const plates: Job['plates'] = [
    { kind: 'color', id: 'color', groups: [{ elementId: 'a', opacity: 1, pictures: [], shapes }] },
  ];
  const job = { ...jobOf(), plates };
  const png = async (lines: Job) => writePng(await drawAll(lines, PRINT_DPI), PRINT_DPI);
  await expect(checkColors(await png(job), job)).resolves.toBeUndefined();
  const half = {
    ...job,
    plates: [
      { ...plates[0]!, groups: [{ elementId: 'a', opacity: 1, pictures: [], shapes: shapes.slice(150) }] },
    ] as Job['plates'],
  };
  await expect(checkColors(await png(half), job)).rejects.toThrow('off by');
});

it('makes the white plate of a job once for the formats that need it', async () => {
  const job = jobOf(10, 12);
  const choices = chooseFile('uv', undefined, {});
  const plateOf = async (format: 'pdf' | 'tiff', chokeMm: number) => {
    const { job: whole } = await makeFormat(job, format, undefined, { ...choices, chokeMm });
    return whole.plates.find(({ kind }) => kind === 'white');
  };
  const plate = await plateOf('pdf', 0.1);
  expect(await plateOf('tiff', 0.1)).toBe(plate);
  expect(await plateOf('pdf', 0.3)).not.toEqual(plate);
});

it('compares the samples of a TIFF with its job, ink by ink', async () => {
  const job = jobOf(10, 22);
  const choices = { ...chooseFile('uv', undefined, {}), white: 'none' as const };
  const { bytes } = await makeFormat(job, 'tiff', undefined, choices);
  const plates = job.plates.filter((plate): plate is OutlinePlate => plate.kind === 'white');
  const plan = { plates, profile: undefined };
  await expect(checkTiff(bytes, job, plan)).resolves.toBeUndefined();

  const { width, height, strips } = readTiff(bytes);
  const samples = Buffer.concat([...strips()].map((strip) => strip.samples));
  /** The file with other samples: `pick` says which one stands at each place. */
  const withSamples = (pick: (x: number, y: number, ink: number) => number) => {
    const other = new Uint8Array(samples.length);
    for (let i = 0; i < other.length; i++) {
      const pixel = Math.floor(i / 5);
      const value = pick(pixel % width, Math.floor(pixel / width), i % 5);
      // The writer turns the spot color over.
      other[i] = i % 5 === 4 ? 255 - value : value;
    }
    const spots = [{ name: 'White', look: [0, 0, 0, 0] }];
    return writeTiff({ width, height, rowsPerStrip: height, bands: [other], spots, dpi: PRINT_DPI });
  };
  const at = (x: number, y: number, ink: number) => samples[5 * (y * width + x) + ink]!;
  await checkTiff(await withSamples(at), job, plan);
  const faults = {
    'a mirror image': withSamples((x, y, ink) => at(width - 1 - x, y, ink)),
    'two inks exchanged': withSamples((x, y, ink) => at(x, y, [1, 0, 2, 3, 4][ink]!)),
    'the white turned over': withSamples((x, y, ink) => (ink === 4 ? 255 - at(x, y, 4) : at(x, y, ink))),
    'no white': withSamples((x, y, ink) => (ink === 4 ? 255 : at(x, y, ink))),
    'a small mark less': withSamples((x, y, ink) => (x < 140 && y < 140 ? [0, 0, 0, 0, 255][ink]! : at(x, y, ink))),
    'all a millimeter lower': withSamples((x, y, ink) => at(x, Math.max(0, y - 12), ink)),
  };
  for (const [what, file] of Object.entries(faults)) {
    await expect(checkTiff(await file, job, plan), what).rejects.toThrow('off at');
  }
  await expect(checkTiff(bytes.subarray(0, 900), job, plan)).rejects.toThrow('cannot be read');
});

it('puts the shop’s color profile into TIFF and PDF', async () => {
  const job = jobOf(10);
  const profile = { name: 'Flatbed', bytes: new Uint8Array(createInkProfile()) };
  const choices = { ...chooseFile('uv', undefined, {}, profile) };
  const tiff = await makeFormat(job, 'tiff', undefined, choices);
  expect(Buffer.compare(readTiff(tiff.bytes).profile, profile.bytes)).toBe(0);
  const metadata = await sharp(tiff.bytes, { limitInputChannels: 6 }).metadata();
  expect(Buffer.compare(metadata.icc!, profile.bytes)).toBe(0);
  const { bytes } = await makeFormat(job, 'pdf', undefined, choices);
  const text = Buffer.from(bytes).toString('latin1');
  const number = /\/OutputIntents \[<< .*\/DestOutputProfile (\d+) 0 R/.exec(text)![1];
  const [, length] = new RegExp(`\\n${number} 0 obj\\n<< /N 4 /Filter /FlateDecode /Length (\\d+) >>`).exec(text)!;
  const start = text.indexOf('stream\n', text.indexOf(`\n${number} 0 obj`)) + 7;
  expect(Buffer.compare(inflateSync(bytes.subarray(start, start + Number(length))), profile.bytes)).toBe(0);
  const plain = await makeFormat(job, 'pdf', undefined, chooseFile('uv', undefined, {}));
  expect(Buffer.from(plain.bytes).toString('latin1')).not.toContain('OutputIntents');
});
