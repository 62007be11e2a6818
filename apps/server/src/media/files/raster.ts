/** Draws the plates of a job as pixels of the exact size. */
import { type Job, type OutlinePlate, svgNode, writeSvg } from '@markwright/scene';
import { cropJob, drawJob, fitsPixels, toPixels } from '@markwright/scene/inkFiles';
import { renderAsync } from '@resvg/resvg-js';
import { AppError } from '../../platform/errors.ts';
import type { Pixels } from './png.ts';

type Area = Pick<Job, 'widthMm' | 'heightMm'>;

/** The size of a job in pixels. Throws unprocessable for an area that is too large. */
function pixelSize(area: Area, dpi: number) {
  if (!fitsPixels(area, dpi)) {
    throw new AppError('unprocessable', `This area is too large for a picture of ${dpi} dpi. Choose PDF.`);
  }
  return { width: toPixels(area.widthMm, dpi), height: toPixels(area.heightMm, dpi) };
}

/** A band has at most so many pixels: each is drawn from the whole of the outlines, and is in memory at once. */
const BAND_PIXELS = 2_000_000;

/** Returns the rows of a band of a picture. */
export const rowsOfBand = (width: number): number => Math.max(1, Math.floor(BAND_PIXELS / width));

/** Rows of pixels from `top` to `bottom`, which is beyond the last one. */
interface Band {
  readonly top: number;
  readonly bottom: number;
}

/** Draws bands of a job: what a picture takes in memory does not grow with its height. */
export interface BandPainter {
  readonly width: number;
  readonly height: number;
  draw(band: Band): Promise<Pixels>;
}

/** Draws the colors of a job on nothing: with true alpha, and not multiplied by it. Other plates are left out. */
export const createColorPainter = (job: Job, dpi: number): BandPainter =>
  createPainter({ ...job, plates: job.plates.filter(({ kind }) => kind === 'color') }, dpi);

/** Draws a plate in black: its alpha is how much of each pixel it covers. */
export const createPlatePainter = (job: Job, plate: OutlinePlate, dpi: number): BandPainter =>
  createPainter({ ...job, plates: [{ ...plate, color: '#000000' }] }, dpi);

/** Throws unprocessable for an area that is too large. */
function createPainter(job: Job, dpi: number): BandPainter {
  const size = pixelSize(job, dpi);
  return { ...size, draw: (band) => draw(job, size, band) };
}

/** Draws all that a laser's job makes, in the colors of its plates; of an ink machine's, the colors. */
export async function drawPicture(job: Job, longestSidePx: number): Promise<Pixels> {
  const scale = longestSidePx / Math.max(job.widthMm, job.heightMm);
  const [width, height] = [job.widthMm, job.heightMm].map((mm) => Math.max(1, Math.round(mm * scale)));
  const isShown = (kind: string) => (job.machine === 'laser' ? true : kind === 'color');
  const plates = job.plates.filter(({ kind }) => isShown(kind));
  return draw({ ...job, plates }, { width: width!, height: height! }, { top: 0, bottom: height! });
}

/**
 * Draws on a thread of Node's pool. The white plate of a thousand crossing lines took as long in JavaScript as all the
 * pictures of its package in the renderer, one after the other.
 */
async function draw(job: Job, { width, height }: Size, { top, bottom }: Band): Promise<Pixels> {
  const mmPerRow = job.heightMm / height;
  const [minY, maxY] = [top * mmPerRow, bottom * mmPerRow];
  // What the band shows nothing of is left out: the renderer ends its process over clear parts that lie far outside.
  const { children } = drawJob(cropJob(job, { minX: 0, minY, maxX: job.widthMm, maxY }));
  const viewBox = [0, minY, job.widthMm, maxY - minY].join(' ');
  // Each side has whole pixels: the frame is scaled by less than half a pixel to fill them.
  const root = svgNode('svg', { viewBox, width, height: bottom - top, preserveAspectRatio: 'none' }, children);
  const image = await renderAsync(writeSvg(root), { font: { loadSystemFonts: false } });
  const rgba = image.pixels;
  divideByAlpha(rgba);
  return { width: image.width, height: image.height, rgba };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The renderer's colors are multiplied by their alpha. */
function divideByAlpha(rgba: Uint8Array): void {
  for (let i = 0; i < rgba.length; i += 4) {
    const alpha = rgba[i + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let k = 0; k < 3; k++) rgba[i + k] = Math.min(255, Math.round((rgba[i + k]! * 255) / alpha));
  }
}
