/** The frame of a crop while it is drawn: whole pixels of the picture, inside it, never smaller than it may be. */
import type { FractionRect } from '@markwright/scene';

/** A frame in whole pixels of the picture. */
export interface CropBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The limits of a frame, in pixels of the picture. */
export interface CropLimits {
  readonly width: number;
  readonly height: number;
  /** The smallest length of a side. */
  readonly least: number;
}

export const cropHandles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const;
export type CropHandle = (typeof cropHandles)[number];

const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(max, value));

export const wholeBox = ({ width, height }: CropLimits): CropBox => ({ x: 0, y: 0, width, height });

/** Returns the frame of a crop, rounded to whole pixels; the whole picture without one. */
export function toBox(crop: FractionRect | undefined, limits: CropLimits): CropBox {
  if (!crop) return wholeBox(limits);
  const x = Math.round(crop.x * limits.width);
  const y = Math.round(crop.y * limits.height);
  const right = Math.round((crop.x + crop.width) * limits.width);
  const bottom = Math.round((crop.y + crop.height) * limits.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** Returns the frame in fractions of the picture; undefined for the whole picture. */
export function toFractions(box: CropBox, { width, height }: CropLimits): FractionRect | undefined {
  if (box.width === width && box.height === height) return undefined;
  return { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height };
}

/** Returns the frame moved by pixels of the picture, as far as it stays inside. */
export function moveBox(box: CropBox, dx: number, dy: number, limits: CropLimits): CropBox {
  return {
    ...box,
    x: clamp(Math.round(box.x + dx), 0, limits.width - box.width),
    y: clamp(Math.round(box.y + dy), 0, limits.height - box.height),
  };
}

/**
 * Returns the frame for a picture of another size, which has the same middle: as far from it as it was, and all of the
 * picture where it was all of it.
 */
export function recenterBox(box: CropBox, from: CropLimits, to: CropLimits): CropBox {
  if (box.width === from.width && box.height === from.height) return wholeBox(to);
  const x = box.x + (to.width - from.width) / 2;
  const y = box.y + (to.height - from.height) / 2;
  return roundBox(x, y, box.width, box.height, to);
}

/**
 * Returns the frame after one handle is moved by pixels of the picture. The side or corner across from it stays. With
 * an `aspect` (width over height), a side that is moved takes the two beside it along evenly.
 */
export function resizeBox(
  box: CropBox,
  handle: CropHandle,
  [dx, dy]: readonly [number, number],
  limits: CropLimits,
  aspect?: number,
): CropBox {
  const [isWest, isEast] = [handle.includes('w'), handle.includes('e')];
  const [isNorth, isSouth] = [handle.includes('n'), handle.includes('s')];
  const { least } = limits;
  let left = box.x;
  let right = box.x + box.width;
  let top = box.y;
  let bottom = box.y + box.height;
  if (isWest) left = clamp(left + dx, 0, right - least);
  if (isEast) right = clamp(right + dx, left + least, limits.width);
  if (isNorth) top = clamp(top + dy, 0, bottom - least);
  if (isSouth) bottom = clamp(bottom + dy, top + least, limits.height);
  if (aspect === undefined) return roundBox(left, top, right - left, bottom - top, limits);

  const isUpright = !isWest && !isEast;
  const isCorner = !isUpright && (isNorth || isSouth);
  const wantedWidth = isUpright ? (bottom - top) * aspect : right - left;
  const middleX = box.x + box.width / 2;
  const middleY = box.y + box.height / 2;
  const roomX = isWest ? right : isEast ? limits.width - left : 2 * Math.min(middleX, limits.width - middleX);
  const roomY = isNorth ? bottom : isSouth ? limits.height - top : 2 * Math.min(middleY, limits.height - middleY);
  const width = clamp(
    isCorner ? Math.max(wantedWidth, (bottom - top) * aspect) : wantedWidth,
    Math.max(least, least * aspect),
    Math.min(roomX, roomY * aspect),
  );
  const height = width / aspect;
  const x = isWest ? right - width : isEast ? left : middleX - width / 2;
  const y = isNorth ? bottom - height : isSouth ? top : middleY - height / 2;
  return roundBox(x, y, width, height, limits);
}

/** Returns the largest frame of this aspect (width over height) inside the box, with the same middle. */
export function fitAspect(box: CropBox, aspect: number, limits: CropLimits): CropBox {
  const width = clamp(
    Math.min(box.width, box.height * aspect),
    Math.max(limits.least, limits.least * aspect),
    Math.min(limits.width, limits.height * aspect),
  );
  const height = width / aspect;
  const x = clamp(box.x + (box.width - width) / 2, 0, limits.width - width);
  const y = clamp(box.y + (box.height - height) / 2, 0, limits.height - height);
  return roundBox(x, y, width, height, limits);
}

function roundBox(x: number, y: number, width: number, height: number, limits: CropLimits): CropBox {
  const across = clamp(Math.round(width), Math.min(limits.least, limits.width), limits.width);
  const down = clamp(Math.round(height), Math.min(limits.least, limits.height), limits.height);
  return {
    x: clamp(Math.round(x), 0, limits.width - across),
    y: clamp(Math.round(y), 0, limits.height - down),
    width: across,
    height: down,
  };
}

/**
 * A pixel that differs from the background by more than this in any channel, 0…255, is content. JPEG compression leaves
 * smaller differences on white paper.
 */
const CONTENT_STEP = 28;
/** A pixel with less alpha than this counts as transparent. */
const CLEAR = 16;

/**
 * Returns the box around everything that is not background; undefined when there is nothing else. Where the corners are
 * transparent, transparent pixels are the background; otherwise the color that most corners have. Takes RGBA bytes with
 * straight alpha. Cost: linear in the pixels.
 */
export function findContent(data: ArrayLike<number>, width: number, height: number): CropBox | undefined {
  const corners = [0, width - 1, (height - 1) * width, height * width - 1].map((p) => p * 4);
  const isClear = corners.filter((i) => data[i + 3]! < CLEAR).length >= 2;
  const isNear = (i: number, j: number) =>
    Math.abs(data[i]! - data[j]!) <= CONTENT_STEP &&
    Math.abs(data[i + 1]! - data[j + 1]!) <= CONTENT_STEP &&
    Math.abs(data[i + 2]! - data[j + 2]!) <= CONTENT_STEP;
  const likes = corners.map((i) => corners.filter((j) => isNear(i, j)).length);
  const paper = corners[likes.indexOf(Math.max(...likes))]!;
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      if (data[i + 3]! < CLEAR || (!isClear && isNear(i, paper))) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Scales a box from a smaller copy to the picture's own pixels. Rounds outward, so that no content is cut off. */
export function scaleBox(box: CropBox, from: { width: number; height: number }, limits: CropLimits): CropBox {
  const [sx, sy] = [limits.width / from.width, limits.height / from.height];
  const x = Math.floor(box.x * sx);
  const y = Math.floor(box.y * sy);
  const width = Math.max(limits.least, Math.min(limits.width, Math.ceil((box.x + box.width) * sx)) - x);
  const height = Math.max(limits.least, Math.min(limits.height, Math.ceil((box.y + box.height) * sy)) - y);
  return roundBox(x, y, width, height, limits);
}
