/** The share of ink that a picture wants at each place of its frame. */
import { readAt, reduceRows } from '../plane.ts';
import type { GrayRows } from '../rows.ts';

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
export function coverOf(rows: GrayRows, widthMm: number, cellMm: number): Cover {
  const pixelMm = widthMm / rows.width;
  const step = Math.max(1, Math.floor(cellMm / pixelMm));
  const plane = reduceRows(rows, step);
  const scale = 1 / (step * pixelMm);
  return {
    widthMm,
    heightMm: rows.height * pixelMm,
    read: (x, y) => 1 - readAt(plane, x * scale - 0.5, y * scale - 0.5),
  };
}
