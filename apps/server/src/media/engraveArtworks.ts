/** Engraves the pictures of a composition for their places: what its stage showed, ready for files and mockups. */
import { deflateSync } from 'node:zlib';
import { engravePicture, toEngravedArtwork } from '@markwright/contract/engraving';
import { toGray, writeMaskPng } from '@markwright/engraving';
import { type Artwork, artworkElementId, type EngravedArtwork, findArtwork, type Scene } from '@markwright/scene';
import { AppError } from '../platform/errors.ts';
import type { DrawInput, DrawnArtwork, LimitStep } from '../platform/ports/mediaJobs.ts';
import { drawUpload } from './drawUpload.ts';
import { changeBitmap, readBitmap } from './trace.ts';

/** The most pixels of a raster: an A0 sheet at 0.13 mm. */
const MOST_PIXELS = 60_000_000;

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
 * Engraves the pictures of a scene that was resolved without engravings. Throws unprocessable for a raster that is too
 * large. Memory: some bytes for each pixel of a raster. Cost: about 0.1 s for a million of them.
 */
export function engraveArtworks(
  { composition, product, artworks }: Pick<DrawInput, 'composition' | 'product' | 'artworks'>,
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
    if (pixels > MOST_PIXELS) {
      throw new AppError(
        'unprocessable',
        `At an interval of ${engraving.intervalMm} mm this photograph has ${Math.ceil(pixels / 1e6)} million dots, and ` +
          `${MOST_PIXELS / 1e6} million are the most. Choose a larger interval or a smaller size.`,
      );
    }
    const place = { width, height, matrix: group.matrix, opacity: group.opacity };
    const curve = engraved?.curve;
    const picture = orRefuse(() => engravePicture(open.gray, engraving, place, { material, markColor, curve }));
    if (picture.kind === 'outlines') {
      engravings.set(id, toEngravedArtwork(picture, undefined));
      continue;
    }
    const { pixels: data, isGray } = picture;
    const compress = (bytes: Uint8Array) => deflateSync(bytes, { level: 1 });
    const mask = writeMaskPng({ width: picture.width, height: picture.height, data }, { isGray, compress });
    const href = `data:image/png;base64,${Buffer.from(mask).toString('base64')}`;
    engravings.set(id, toEngravedArtwork(picture, href, { pixels: data, isGray }));
  }
  return engravings;
}

/** The package's sentences are for people. */
function orRefuse<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw error instanceof RangeError ? new AppError('unprocessable', error.message) : error;
  }
}
