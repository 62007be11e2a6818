/** Draws the plates of a job as pixels of the exact size. */
import { type Job, type OutlinePlate, svgNode, writeSvg } from '@markwright/scene';
import { drawJob } from '@markwright/scene/inkFiles';
import { Resvg } from '@resvg/resvg-js';
import { AppError } from '../../platform/errors.ts';
import type { Pixels } from './png.ts';

export const PRINT_DPI = 300;
/** 12 × 14 inches at 300 dpi. A worker has 512 MiB, and a pixel takes up to 20 bytes on its way into a file. */
const MAX_PIXELS = 15_000_000;
const MM_PER_INCH = 25.4;

type Area = Pick<Job, 'widthMm' | 'heightMm'>;

const toPixels = (mm: number, dpi: number) => Math.max(1, Math.round((mm / MM_PER_INCH) * dpi));

/** True for an area that is small enough for a file of pixels. */
export const fitsPixels = ({ widthMm, heightMm }: Area, dpi = PRINT_DPI): boolean =>
  toPixels(widthMm, dpi) * toPixels(heightMm, dpi) <= MAX_PIXELS;

/** The size of a job in pixels. Throws unprocessable for an area that is too large. */
function pixelSize(area: Area, dpi: number) {
  if (!fitsPixels(area, dpi)) {
    throw new AppError('unprocessable', `This area is too large for a picture of ${dpi} dpi. Choose PDF.`);
  }
  return { width: toPixels(area.widthMm, dpi), height: toPixels(area.heightMm, dpi) };
}

/** Draws the colors of a job on nothing: with true alpha, and not multiplied by it. Other plates are left out. */
export function drawColors(job: Job, dpi: number): Pixels {
  return draw({ ...job, plates: job.plates.filter(({ kind }) => kind === 'color') }, pixelSize(job, dpi));
}

/** Draws all that a laser's job makes, in the colors of its plates; of an ink machine's, the colors. */
export function drawPicture(job: Job, longestSidePx: number): Pixels {
  const scale = longestSidePx / Math.max(job.widthMm, job.heightMm);
  const [width, height] = [job.widthMm, job.heightMm].map((mm) => Math.max(1, Math.round(mm * scale)));
  const isShown = (kind: string) => (job.machine === 'laser' ? true : kind === 'color');
  return draw({ ...job, plates: job.plates.filter(({ kind }) => isShown(kind)) }, { width: width!, height: height! });
}

/** Draws how much of each pixel a plate covers, 0…255, row by row. */
export function drawCover(job: Job, plate: OutlinePlate, dpi: number): Uint8Array {
  const black = { ...plate, color: '#000000' };
  const { rgba } = draw({ ...job, plates: [black] }, pixelSize(job, dpi));
  const cover = new Uint8Array(rgba.length / 4);
  for (let i = 0; i < cover.length; i++) cover[i] = rgba[4 * i + 3]!;
  return cover;
}

function draw(job: Job, { width, height }: { readonly width: number; readonly height: number }): Pixels {
  const { attrs, children } = drawJob(job);
  // Each side has whole pixels: the frame is scaled by less than half a pixel to fill them.
  const root = svgNode('svg', { viewBox: attrs.viewBox, width, height, preserveAspectRatio: 'none' }, children);
  const image = new Resvg(writeSvg(root), { font: { loadSystemFonts: false } }).render();
  const rgba = image.pixels;
  divideByAlpha(rgba);
  return { width: image.width, height: image.height, rgba };
}

/** The renderer's colors are multiplied by their alpha. */
function divideByAlpha(rgba: Uint8Array): void {
  for (let i = 0; i < rgba.length; i += 4) {
    const alpha = rgba[i + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let k = 0; k < 3; k++) rgba[i + k] = Math.min(255, Math.round((rgba[i + k]! * 255) / alpha));
  }
}
