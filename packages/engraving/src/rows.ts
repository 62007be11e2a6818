/** Pictures whose rows are computed when they are read: an engraving may be larger than its process. */
import type { Gray } from './picture.ts';

/** A gray picture that is read in strips of whole rows. */
export interface GrayRows {
  readonly width: number;
  readonly height: number;
  /** Returns the rows from `top` up to `bottom` as a picture. Rows cost least where they are read from the top down. */
  read(top: number, bottom: number): Gray;
}

/** Rows that are worked on at a time: few enough for the cache of a processor. */
const STRIP_ROWS = 64;

/** Returns the rows of a picture that is there. Strips share its bytes. */
export function rowsOf(gray: Gray): GrayRows {
  const { width, height, data, alpha } = gray;
  return {
    width,
    height,
    read(top, bottom) {
      if (top === 0 && bottom === height) return gray;
      const [from, to] = [top * width, bottom * width];
      const strip = { width, height: bottom - top, data: data.subarray(from, to) };
      return alpha ? { ...strip, alpha: alpha.subarray(from, to) } : strip;
    },
  };
}

/** Returns rows that are changed strip by strip, by what needs no neighbors. */
export function mapRows({ width, height, read }: GrayRows, change: (strip: Gray) => Gray): GrayRows {
  return { width, height, read: (top, bottom) => change(read(top, bottom)) };
}

/** Reads all rows, strip by strip from the top. */
export function* stripsOf({ height, read }: GrayRows): Generator<Gray> {
  for (let top = 0; top < height; top += STRIP_ROWS) yield read(top, Math.min(height, top + STRIP_ROWS));
}

/** Computes all rows. */
export function readAll(rows: GrayRows): Gray {
  return rows.read(0, rows.height);
}
