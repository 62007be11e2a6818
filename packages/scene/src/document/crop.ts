/** Which part of its picture a design shows. A crop is in fractions of the whole picture, whatever was cropped before; absent, it is all of it. */
import type { FractionRect } from './composition.ts';

export const wholePicture: FractionRect = { x: 0, y: 0, width: 1, height: 1 };

/** Inside the picture, and undefined when it is all of it or nothing. */
export function toCrop(rect: FractionRect | undefined): FractionRect | undefined {
  if (!rect || ![rect.x, rect.y, rect.width, rect.height].every(Number.isFinite)) return undefined;
  const left = Math.max(0, rect.x);
  const top = Math.max(0, rect.y);
  const width = Math.min(rect.width + Math.min(0, rect.x), 1 - left);
  const height = Math.min(rect.height + Math.min(0, rect.y), 1 - top);
  if (width <= 0 || height <= 0) return undefined;
  const crop = { x: left, y: top, width, height };
  return isSameCrop(crop, wholePicture) ? undefined : crop;
}

export function isSameCrop(a: FractionRect | undefined, b: FractionRect | undefined): boolean {
  const [p, q] = [a ?? wholePicture, b ?? wholePicture];
  return p === q || (p.x === q.x && p.y === q.y && p.width === q.width && p.height === q.height);
}

/** Where the artwork of one crop has to go to show the same part of the picture at the same size, when it is fitted into another crop. */
export interface CropShift {
  /** Of the artwork's middle, in widths and heights of the whole picture. */
  readonly dx: number;
  readonly dy: number;
}

export function shiftOf(from: FractionRect | undefined, to: FractionRect | undefined): CropShift {
  const [p, q] = [from ?? wholePicture, to ?? wholePicture];
  return { dx: q.x + q.width / 2 - p.x - p.width / 2, dy: q.y + q.height / 2 - p.y - p.height / 2 };
}

/** The size of a crop of a picture of this aspect, in heights of the picture. */
export function sizeOf(crop: FractionRect | undefined, aspect: number): { width: number; height: number } {
  const { width, height } = crop ?? wholePicture;
  return { width: width * aspect, height };
}
