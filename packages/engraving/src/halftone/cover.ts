/** The share of ink that a picture wants at each place of its frame. */
import type { Gray } from '../picture.ts';
import { readAt, reduce } from '../plane.ts';

export interface Cover {
  readonly widthMm: number;
  readonly heightMm: number;
  /** Returns the share, 0..1, at a place in millimeters. */
  readonly read: (x: number, y: number) => number;
}

/**
 * Returns the ink that a picture on bare material wants. It is averaged to cells of at most `cellMm`, as far as its
 * pixels are finer.
 */
export function coverOf(gray: Gray, widthMm: number, cellMm: number): Cover {
  const pixelMm = widthMm / gray.width;
  const step = Math.max(1, Math.floor(cellMm / pixelMm));
  const plane = reduce(gray, step);
  const scale = 1 / (step * pixelMm);
  return {
    widthMm,
    heightMm: gray.height * pixelMm,
    read: (x, y) => 1 - readAt(plane, x * scale - 0.5, y * scale - 0.5),
  };
}
