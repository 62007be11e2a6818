/** Engraves the pictures of a composition for their places: what its stage showed, ready for files and mockups. */
import { deflateSync } from 'node:zlib';
import { engravePicture, toEngravedArtwork } from '@markwright/contract/engraving';
import {
  MAX_ENGRAVING_PIXELS,
  type Raster,
  rasterStrip,
  toGray,
  unpackRaster,
  writeMaskPng,
} from '@markwright/engraving';
import { type Artwork, artworkElementId, type EngravedArtwork, findArtwork, type Scene } from '@markwright/scene';
import { AppError } from '../platform/errors.ts';
import type { DrawInput, DrawnArtwork, LimitStep } from '../platform/ports/mediaJobs.ts';
import { drawUpload } from './drawUpload.ts';
import { changeBitmap, readBitmap } from './trace.ts';

/** The most pixels of a mask. Dots of a finer one are smaller than the pixels of any mockup. */
const MOST_MASK_PIXELS = 6_000_000;

/** A picture to engrave, with its changes done. */
export interface EngravableArtwork {
  /** Its frame. It has no shapes. */
  readonly artwork: Artwork;
  readonly gray: ReturnType<typeof toGray>;
}

/** Opens the picture of an artwork that is engraved: the pixels that a trace would be made from. */
export async function openEngravable(
  { picture, engraved }: DrawnArtwork,
  limitStep: LimitStep,
): Promise<EngravableArtwork> {
  const png = 'svg' in picture ? await drawUpload(picture.svg, limitStep) : picture.png;
  const bitmap = changeBitmap(await readBitmap(png), engraved?.changes);
  const { width, height } = bitmap;
  return { artwork: { width, height, shapes: [] }, gray: toGray(bitmap) };
}

/**
 * Engraves the pictures of a scene that was resolved without engravings: for a file, or for a picture of it. Throws
 * unprocessable for a raster that is too large. Memory: a bit for each pixel of a raster, in gray a byte. Cost: about
 * 0.1 s for a million of them.
 */
export function engraveArtworks(
  { composition, product, artworks, target }: Pick<DrawInput, 'composition' | 'product' | 'artworks' | 'target'>,
  scene: Scene,
  pictures: ReadonlyMap<string, EngravableArtwork>,
): Map<string, EngravedArtwork> {
  const { material, markColor } = product?.finish ?? {};
  const engravings = new Map<string, EngravedArtwork>();
  for (const { id, engraved } of artworks) {
    const open = pictures.get(id);
    const engraving = findArtwork(composition, id)?.engraving;
    const group = scene.groups.find(({ elementId }) => elementId === artworkElementId(id));
    if (!open || !engraving || !group) continue;
    const { width, height } = open.artwork;
    const { a, b, c, d } = group.matrix;
    const pixels = (Math.hypot(a, b) * width * Math.hypot(c, d) * height) / engraving.intervalMm ** 2;
    const isGray = engraving.method === 'gray';
    const most = isGray ? MOST_GRAY_PIXELS : MAX_ENGRAVING_PIXELS;
    if (pixels > most) {
      throw new AppError(
        'unprocessable',
        `At an interval of ${engraving.intervalMm} mm this photograph has ${Math.ceil(pixels / 1e6)} million dots, and ` +
          `${most / 1e6} million${isGray ? ' in gray' : ''} are the most. Choose a larger interval or a smaller size` +
          `${isGray ? ', or dots instead of gray' : ''}.`,
      );
    }
    const place = { width, height, matrix: group.matrix, opacity: group.opacity };
    const curve = engraved?.curve;
    const picture = orRefuse(() => engravePicture(open.gray, engraving, place, { material, markColor, curve }));
    const isRaster = picture.kind === 'raster';
    // A file needs no picture of its dots.
    const href = isRaster && target.kind === 'mockup' ? drawMask(picture) : undefined;
    const file = isRaster && target.kind !== 'mockup' ? { rows: picture.rows, isGray: picture.isGray } : undefined;
    engravings.set(id, toEngravedArtwork(picture, href, file));
  }
  return engravings;
}

/** The most pixels in gray, of a byte each. */
const MOST_GRAY_PIXELS = 60_000_000;

/** Returns the address of a raster's mask, which has the means of squares of dots where there are very many. */
function drawMask(raster: Raster): string {
  const step = Math.ceil(Math.sqrt((raster.width * raster.height) / MOST_MASK_PIXELS));
  const mask = writeMaskPng(step > 1 ? reduceDots(raster, step) : raster, (bytes) => deflateSync(bytes, { level: 1 }));
  return `data:image/png;base64,${Buffer.from(mask).toString('base64')}`;
}

/** Returns the means of squares of `step` dots. Those of the last column and row may have fewer dots. */
function reduceDots(raster: Raster, step: number): Raster {
  const [width, height] = [Math.ceil(raster.width / step), Math.ceil(raster.height / step)];
  const rows = new Uint8Array(width * height);
  const sums = new Float64Array(width);
  for (let y = 0; y < height; y++) {
    const strip = unpackRaster(rasterStrip(raster, y * step, Math.min(raster.height, (y + 1) * step)));
    sums.fill(0);
    for (let i = 0; i < strip.data.length; i++) sums[Math.floor((i % raster.width) / step)]! += strip.data[i]!;
    for (let x = 0; x < width; x++) {
      const columns = Math.min(raster.width, (x + 1) * step) - x * step;
      rows[y * width + x] = Math.round(sums[x]! / (columns * strip.height));
    }
  }
  return { width, height, isGray: true, rows };
}

/** The package's sentences are for people. */
function orRefuse<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw error instanceof RangeError ? new AppError('unprocessable', error.message) : error;
  }
}
