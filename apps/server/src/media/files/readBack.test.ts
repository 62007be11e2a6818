import type { Job } from '@markwright/scene';
import { readContours } from '@markwright/scene';
import { SPOT_PRESETS, writePdf } from '@markwright/scene/inkFiles';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { chooseFile } from './fileOptions.ts';
import { makeFormat } from './makeFile.ts';
import { bleedColors, mirrorEdges, mirrorPlace, type Pixels, writePng } from './png.ts';
import { createColorPainter, PRINT_DPI } from './raster.ts';
import { checkColors, checkPdf, checkPixels } from './readBack.ts';

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

function drawAll(job: Job, dpi: number): Pixels {
  const painter = createColorPainter(job, dpi);
  return painter.draw({ top: 0, bottom: painter.height });
}

it('is drawn by bands as it is in one piece, with its bleed', async () => {
  const job = { ...jobOf(10, 50), heightMm: 70 };
  const choices = (bleedMm: number) => ({ ...chooseFile('sublimation', undefined, {}), bleedMm });
  const whole = drawAll(job, PRINT_DPI);
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
  const pixels = drawAll(job, 100);
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
