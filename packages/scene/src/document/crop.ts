/**
 * Crops: the part of its picture that a design shows, in fractions of the whole picture, whatever was cropped before.
 * An absent crop is the whole picture.
 */
import type { FractionRect } from './composition.ts';

export const wholePicture: FractionRect = { x: 0, y: 0, width: 1, height: 1 };

/** Clamps a rectangle to the picture. Returns undefined for the whole picture, for no area, and for NaN. */
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

/** The shift that keeps the same part of the picture at the same place and size when the crop changes. */
export interface CropShift {
  /** Shift of the artwork's middle, in widths and heights of the whole picture. */
  readonly dx: number;
  readonly dy: number;
}

/** Returns the shift for a change of the crop; `CropShift` says its unit. */
export function shiftOf(from: FractionRect | undefined, to: FractionRect | undefined): CropShift {
  const [p, q] = [from ?? wholePicture, to ?? wholePicture];
  return { dx: q.x + q.width / 2 - p.x - p.width / 2, dy: q.y + q.height / 2 - p.y - p.height / 2 };
}

/** Returns the size of a crop of a picture with this aspect (width / height), in heights of the picture. */
export function sizeOf(crop: FractionRect | undefined, aspect: number): { width: number; height: number } {
  const { width, height } = crop ?? wholePicture;
  return { width: width * aspect, height };
}
