/** Engraves a design's picture as a raster: the PNG that a machine burns dot by dot. */
import { type PictureChanges, toPixelBox, toWarp } from '@markwright/contract';
import {
  createTally,
  type DitherMethod,
  ditherRows,
  drawWedge,
  type Gray,
  type GrayRows,
  packRaster,
  type Raster,
  resampleRows,
  rowsOf,
  toGray,
  toneRowsForMaterial,
} from '@markwright/engraving';
import { warp } from '@markwright/straighten';
import sharp from 'sharp';
import type { LimitStep, MediaJobs, ReportProgress } from '../platform/ports/mediaJobs.ts';
import { withoutLimit } from './drawingLimit.ts';
import { drawUpload } from './drawUpload.ts';
import { writeRasterPng } from './files/rasterPng.ts';

/** The longest side at which an SVG is drawn. Larger engravings enlarge the drawing. */
const MOST_DRAWN_PX = 4096;

/**
 * Engraves all pixels of a picture, and not those that traces are made from: an engraving may be finer. Memory: two
 * bytes for each pixel of the picture, and that of the file; the engraving is made strip by strip. Cost: about 0.1 s
 * for a million pixels of the engraving. Throws unprocessable for an SVG that cannot be drawn, and for gray whose file
 * would be too large.
 */
export async function engrave(
  { picture, changes, widthPx, heightPx, intervalMm, method, ...tones }: MediaJobs['engrave']['input'],
  report: ReportProgress,
  limitStep: LimitStep = withoutLimit,
): Promise<MediaJobs['engrave']['output']> {
  report({ stage: 'read', fraction: 0 });
  const png = 'png' in picture ? picture.png : await drawFor(picture.svg, { changes, widthPx, heightPx }, limitStep);
  const gray = await readGray(png, changes);
  report({ stage: 'tones', fraction: 0 });
  const shares = toneRowsForMaterial(resampleRows(gray, widthPx, heightPx), tones);
  report({ stage: 'dots', fraction: 0 });
  return writeDots(shares, method, intervalMm);
}

/** Draws the card by which a shop measures tone curves: burnt as it is, without a curve. */
export async function drawTestCard({
  intervalMm,
  method,
}: MediaJobs['testCard']['input']): Promise<MediaJobs['testCard']['output']> {
  const { gray, widthMm, heightMm } = drawWedge(intervalMm);
  return { png: (await writeDots(rowsOf(gray), method, intervalMm)).png, widthMm, heightMm };
}

/** Of zlib: half of the time of its usual one. */
const LEVEL = 4;

/** Dithers shares into the PNG that a machine burns, and returns it with the share that is burnt. */
async function writeDots(shares: GrayRows, method: DitherMethod, intervalMm: number) {
  const isGray = method === 'gray';
  const { width, height } = shares;
  const tally = createTally();
  function* strips(): Generator<Raster> {
    for (const strip of ditherRows(shares, method)) {
      tally.add(strip);
      yield packRaster(strip, isGray);
    }
  }
  const png = await writeRasterPng({ width, height, isGray }, { intervalMm, level: LEVEL }, strips());
  return { png, meanTone: tally.mean };
}

/** Draws an SVG as large as its engraving needs. */
function drawFor(
  svg: string,
  { changes, widthPx, heightPx }: Pick<MediaJobs['engrave']['input'], 'changes' | 'widthPx' | 'heightPx'>,
  limitStep: LimitStep,
): Promise<Uint8Array> {
  const { width = 1, height = 1 } = changes?.crop ?? {};
  const sidePx = Math.ceil(Math.max(widthPx / width, heightPx / height));
  return drawUpload(svg, limitStep, Math.min(MOST_DRAWN_PX, sidePx));
}

/** Rows that are worked on at a time. */
const BAND_ROWS = 64;

/** The most pixels that are decoded at a time. A part costs the decoding of all rows above it, too. */
const DECODED_PIXELS = 16_000_000;

/** Reads a part of a PNG in gray. Only a picture that is straightened takes four bytes a pixel. */
async function readGray(png: Uint8Array, changes: PictureChanges | undefined): Promise<Gray> {
  const image = sharp(png).toColourspace('srgb');
  if (changes?.straighten) {
    const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const picture = { width: info.width, height: info.height, data };
    const request = toWarp(changes, picture)!;
    return cropGray(toGray(warp(picture, request, request)), changes.crop);
  }
  const { width, height } = await image.metadata();
  const box = changes?.crop ? toPixelBox(changes.crop, { width, height }) : { x: 0, y: 0, width, height };
  const gray = new Uint8Array(box.width * box.height);
  let alpha: Uint8Array | undefined;
  const rows = Math.max(1, Math.floor(DECODED_PIXELS / box.width));
  for (let top = 0; top < box.height; top += rows) {
    const part = { left: box.x, top: box.y + top, width: box.width, height: Math.min(rows, box.height - top) };
    const raw = await sharp(png).toColourspace('srgb').extract(part).raw().toBuffer({ resolveWithObject: true });
    const { channels } = raw.info;
    if (channels % 2 === 0) alpha ??= new Uint8Array(gray.length).fill(255);
    copyGray({ width: box.width, channels, data: raw.data }, gray, alpha, top);
  }
  return { width: box.width, height: box.height, data: gray, ...(alpha && { alpha }) };
}

/** Copies pixels of one to four channels into a gray picture, band by band, as its row `top` and the following. */
function copyGray({ width, channels, data }: RawPixels, gray: Uint8Array, alpha: Uint8Array | undefined, top: number) {
  const height = data.length / channels / width;
  const band = new Uint8Array(4 * width * Math.min(BAND_ROWS, height)).fill(255);
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2];
  for (let y = 0; y < height; y += BAND_ROWS) {
    const rows = Math.min(BAND_ROWS, height - y);
    for (let i = 0, from = y * width * channels; i < 4 * rows * width; i += 4, from += channels) {
      band[i] = data[from]!;
      band[i + 1] = data[from + green]!;
      band[i + 2] = data[from + blue]!;
      if (alpha) band[i + 3] = data[from + channels - 1]!;
    }
    const part = toGray({ width, height: rows, data: band.subarray(0, 4 * rows * width) });
    gray.set(part.data, (top + y) * width);
    if (part.alpha) alpha?.set(part.alpha, (top + y) * width);
  }
}

interface RawPixels {
  readonly width: number;
  readonly channels: number;
  readonly data: Uint8Array;
}

function cropGray(gray: Gray, crop: PictureChanges['crop']): Gray {
  if (!crop) return gray;
  const { x, y, width, height } = toPixelBox(crop, gray);
  const cut = (from: Uint8Array) => {
    const out = new Uint8Array(width * height);
    for (let row = 0; row < height; row++) {
      const start = (y + row) * gray.width + x;
      out.set(from.subarray(start, start + width), row * width);
    }
    return out;
  };
  return { width, height, data: cut(gray.data), ...(gray.alpha && { alpha: cut(gray.alpha) }) };
}
