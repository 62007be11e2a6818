/** Rasters as files hold them: a bit for each dot, or a byte for each tone. */
import type { Gray } from './picture.ts';

/**
 * A raster, row by row in whole bytes. In black and white a pixel is a bit, the first one the highest of its byte, and
 * a set bit is bare; bits beyond the last pixel of a row are 0. In gray a pixel is a byte, and 255 is bare.
 */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly isGray: boolean;
  readonly rows: Uint8Array;
}

/** The bytes of a row. */
export const rowBytesOf = ({ width, isGray }: Pick<Raster, 'width' | 'isGray'>): number =>
  isGray ? width : Math.ceil(width / 8);

/** Packs a picture of which 0 is burnt and 255 is bare, or a strip of one. Gray shares its bytes. Cost: one pass. */
export function packRaster({ width, height, data }: Gray, isGray: boolean): Raster {
  if (isGray) return { width, height, isGray, rows: data };
  const rowBytes = rowBytesOf({ width, isGray });
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0, from = 0; y < height; y++) {
    for (let at = y * rowBytes, left = width; left > 0; at++, left -= 8) {
      let bits = 0;
      const count = left < 8 ? left : 8;
      for (let k = 0; k < count; k++, from++) if (data[from] > 127) bits |= 128 >> k;
      rows[at] = bits;
    }
  }
  return { width, height, isGray, rows };
}

/** Returns the pixels of a raster, 0 burnt to 255 bare. Gray shares its bytes. Cost: one pass. */
export function unpackRaster({ width, height, isGray, rows }: Raster): Gray {
  if (isGray) return { width, height, data: rows };
  const rowBytes = rowBytesOf({ width, isGray });
  const data = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    const row = y * rowBytes;
    for (let x = 0; x < width; x++, at++) data[at] = rows[row + (x >> 3)] & (128 >> (x & 7)) ? 255 : 0;
  }
  return { width, height, data };
}

/** Returns some rows of a raster, which shares its bytes. */
export function rasterStrip(raster: Raster, top: number, bottom: number): Raster {
  const rowBytes = rowBytesOf(raster);
  return { ...raster, height: bottom - top, rows: raster.rows.subarray(top * rowBytes, bottom * rowBytes) };
}

/** Sums up the share of pictures, or of their strips. */
export interface Tally {
  add(strip: Pick<Gray, 'data'>): void;
  /** The mean share that is burnt, 0..1; 0 before the first pixel. */
  readonly mean: number;
}

export function createTally(): Tally {
  let [sum, count] = [0, 0];
  return {
    add({ data }) {
      for (let i = 0; i < data.length; i++) sum += data[i];
      count += data.length;
    },
    get mean() {
      return count === 0 ? 0 : 1 - sum / (255 * count);
    },
  };
}
