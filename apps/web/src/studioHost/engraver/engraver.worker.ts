/**
 * The engraving worker. It keeps a design's picture, its gray and the last sizes that this was resampled to, so that a
 * slider costs its tones and dots alone. It uses the code of the server's files: the stage shows the very dots.
 */
import { engravePicture, toEngravedArtwork } from '@markwright/contract/engraving';
import { type PictureChanges, toAdjustments, toWarp } from '@markwright/contract/tracing';
import {
  engravingMaterial,
  type Gray,
  type GrayRows,
  type Picture,
  packRaster,
  resample,
  rowsOf,
  spreadDots,
  suggestWay,
  toGray,
  unpackRaster,
  writeMaskPng,
} from '@markwright/engraving';
import { ENGRAVING_INTERVAL_MM, type EngravedArtwork, type Engraving, isHalftone } from '@markwright/scene';
import { readPng } from '../tracer/readPng.ts';
import type { FromWorker, PictureQuestion, ToWorker } from './messages.ts';

declare const self: {
  onmessage: (event: MessageEvent<ToWorker>) => void;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
};

let picture: { readonly url: string; readonly bitmap: Promise<Picture> } | undefined;
/** The latest part of a picture, straightened and cropped, and what was made of it. */
let part: Part | undefined;

interface Part {
  readonly key: string;
  readonly bitmap: Picture;
  gray: Gray | undefined;
  readonly sizes: Map<string, GrayRows>;
}

/** Grays that are kept: of the stage, of a sketch and of the tiles. */
const MAX_SIZES = 3;

/** Messages are answered one after the other: a picture may have to be read first. */
let queue: Promise<void> = Promise.resolve();

self.onmessage = ({ data }) => {
  queue = queue.then(() => answer(data));
};

async function answer(question: ToWorker): Promise<void> {
  const { id } = question;
  try {
    const own = await partOf(question);
    if (question.kind === 'suggestWay') {
      const { way, kind, reason } = suggestWay(own.bitmap, question.material);
      const { intervalMm } = engravingMaterial(question.material);
      self.postMessage({ kind: 'suggested', id, suggestion: { way, kind, reason, intervalMm } });
      return;
    }
    own.gray ??= toGray(own.bitmap);
    const result = engravePicture(own.gray, sketchOf(question), question.place, question.surface, resamplerOf(own));
    const { meanTone } = result;
    const exact = toEngravedArtwork(result, undefined);
    if (result.kind !== 'raster') {
      self.postMessage({ kind: 'engraved', id, artwork: withoutContours(exact), mask: undefined, meanTone });
      return;
    }
    // A sketch is shown for a moment: its gain is drawn here, because the page's filter takes longer than all the rest.
    const isSketch = question.maxPixels !== undefined;
    const artwork = isSketch ? withoutGain(exact) : exact;
    const maskRaster = isSketch ? packRaster(spreadDots(unpackRaster(result), result.dotGain), true) : result;
    const mask = writeMaskPng(maskRaster) as Uint8Array<ArrayBuffer>;
    self.postMessage({ kind: 'engraved', id, artwork, mask, meanTone }, [mask.buffer]);
  } catch (error) {
    if (error instanceof RangeError) {
      self.postMessage({ kind: 'refused', id, sentence: error.message });
      return;
    }
    // The next request may find the picture: the server makes it with the first stored trace.
    picture = undefined;
    part = undefined;
    self.postMessage({ kind: 'unable', id, reason: String(error) });
  }
}

/** Leaves the path data alone: one text is sent in less time than the lists of 20,000 dots. */
const withoutContours = (artwork: EngravedArtwork): EngravedArtwork => ({
  ...artwork,
  children: artwork.children.map((child) => (child.kind === 'path' ? { ...child, contours: undefined } : child)),
});

const withoutGain = (artwork: EngravedArtwork): EngravedArtwork => ({
  ...artwork,
  children: artwork.children.map((child) => (child.kind === 'raster' ? { ...child, dotGain: undefined } : child)),
});

/** A halftone's interval is the beam that nothing is thinner than: wider than this share of a pitch, tones are lost. */
const MOST_OF_PITCH = 0.25;

/** Returns the engraving with an interval so wide that there are not more pixels than asked for, where it can be. */
function sketchOf({ engraving, place, maxPixels }: ToWorker & { kind: 'engrave' }): Engraving {
  if (maxPixels === undefined) return engraving;
  const { a, b, c, d } = place.matrix;
  const areaMm2 = Math.hypot(a, b) * place.width * Math.hypot(c, d) * place.height;
  const most = isHalftone(engraving.method)
    ? Math.max(engraving.intervalMm, MOST_OF_PITCH * (engraving.pitchMm ?? ENGRAVING_INTERVAL_MM.max))
    : ENGRAVING_INTERVAL_MM.max;
  const intervalMm = Math.min(most, ENGRAVING_INTERVAL_MM.max, Math.sqrt(areaMm2 / maxPixels));
  return intervalMm > engraving.intervalMm ? { ...engraving, intervalMm } : engraving;
}

const resamplerOf =
  ({ sizes }: Part) =>
  (gray: Gray, width: number, height: number): GrayRows => {
    const key = `${width} ${height}`;
    const size = sizes.get(key) ?? rowsOf(resample(gray, width, height));
    sizes.delete(key);
    sizes.set(key, size);
    if (sizes.size > MAX_SIZES) sizes.delete([...sizes.keys()][0]!);
    return size;
  };

async function partOf({ pictureUrl, changes }: PictureQuestion): Promise<Part> {
  if (picture?.url !== pictureUrl) picture = { url: pictureUrl, bitmap: openPicture(pictureUrl) };
  const whole = await picture.bitmap;
  const key = JSON.stringify([pictureUrl, changes]);
  if (part?.key !== key) {
    const bitmap = cropTo(await straighten(whole, changes), changes);
    part = { key, bitmap, gray: undefined, sizes: new Map() };
  }
  return part;
}

/** Straightens a picture. The code comes with the first one that needs it. */
async function straighten(bitmap: Picture, changes: PictureChanges | undefined): Promise<Picture> {
  const straight = toWarp(changes, bitmap);
  if (!straight) return bitmap;
  const { warp } = await import('@markwright/straighten');
  return warp(bitmap, straight, straight);
}

function cropTo(bitmap: Picture, changes: PictureChanges | undefined): Picture {
  const { box } = toAdjustments(changes, bitmap);
  if (!box) return bitmap;
  const data = new Uint8Array(4 * box.width * box.height);
  for (let y = 0; y < box.height; y++) {
    const from = 4 * ((box.y + y) * bitmap.width + box.x);
    data.set(bitmap.data.subarray(from, from + 4 * box.width), 4 * y * box.width);
  }
  return { width: box.width, height: box.height, data };
}

async function openPicture(url: string): Promise<Picture> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The picture answered ${response.status}`);
  const bitmap = await readPng(new Uint8Array(await response.arrayBuffer()));
  if (!bitmap) throw new Error('The picture is no plain PNG');
  return bitmap;
}
