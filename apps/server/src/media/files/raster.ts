/** Draws the plates of a job as pixels of the exact size. */
import { type Job, type OutlinePlate, svgNode, writeSvg } from '@markwright/scene';
import { drawJob } from '@markwright/scene/inkFiles';
import { Resvg } from '@resvg/resvg-js';
import { AppError } from '../../platform/errors.ts';
import type { Pixels } from './png.ts';

export const PRINT_DPI = 300;
/** A sheet of 22 × 24 inches, as film for transfers comes, at 300 dpi. */
const MAX_PIXELS = 50_000_000;
const MM_PER_INCH = 25.4;

/** The size of a job in pixels. Throws unprocessable when no file of pixels that large is made. */
function pixelSize({ widthMm, heightMm }: Pick<Job, 'widthMm' | 'heightMm'>, dpi: number) {
  const [width, height] = [widthMm, heightMm].map((mm) => Math.max(1, Math.round((mm / MM_PER_INCH) * dpi)));
  if (width! * height! > MAX_PIXELS) {
    throw new AppError('unprocessable', `This area is too large for a picture of ${dpi} dpi. Choose PDF.`);
  }
  return { width: width!, height: height! };
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
  return rgba.filter((_, i) => i % 4 === 3);
}

function draw(job: Job, { width, height }: { readonly width: number; readonly height: number }): Pixels {
  const { attrs, children } = drawJob(job);
  // Each side has whole pixels: the frame is scaled by less than half a pixel to fill them.
  const root = svgNode('svg', { viewBox: attrs.viewBox, width, height, preserveAspectRatio: 'none' }, children);
  const image = new Resvg(writeSvg(root), { font: { loadSystemFonts: false } }).render();
  const rgba = new Uint8Array(image.pixels);
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

/** Returns the colors as they look on white paper, three bytes a pixel. */
export function onPaper({ rgba }: Pixels): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let i = 0, p = 0; i < rgba.length; i += 4, p += 3) {
    const alpha = rgba[i + 3]! / 255;
    for (let k = 0; k < 3; k++) rgb[p + k] = Math.round(255 + (rgba[i + k]! - 255) * alpha);
  }
  return rgb;
}
