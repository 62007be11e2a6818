/** Pictures in color and in gray, and what is done to each pixel alone. */
import { levelOfLight, lightOfLevel } from './light.ts';

/** Straight-alpha RGBA in sRGB, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

/**
 * A picture in gray, row by row. Before the material's curve, a value is a level of sRGB. After it, 255 - value is the
 * share of the area that is burnt: 0 is all burnt, 255 is bare.
 */
export interface Gray {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  /** 255 is opaque; missing where all of the picture is. What is clear stays bare on every material. */
  readonly alpha?: Uint8Array;
}

/** Bare material. */
export const BARE = 255;
/** Burnt material. */
export const BURNT = 0;

/**
 * Returns the lightness of a picture: its luminance in linear light, as a level of sRGB. The luma that television
 * computes from levels makes saturated colors darker than they are seen. Cost: one pass.
 */
export function toGray({ width, height, data }: Picture): Gray {
  const count = width * height;
  if (data.length !== 4 * count) throw new RangeError('A picture has four bytes for each pixel.');
  const gray = new Uint8Array(count);
  const alpha = new Uint8Array(count);
  let isOpaque = true;
  for (let i = 0, j = 0; i < count; i++, j += 4) {
    const red = data[j];
    const green = data[j + 1];
    const blue = data[j + 2];
    gray[i] =
      red === green && green === blue
        ? red
        : levelOfLight(0.2126 * lightOfLevel[red] + 0.7152 * lightOfLevel[green] + 0.0722 * lightOfLevel[blue]);
    alpha[i] = data[j + 3];
    if (alpha[i] !== 255) isOpaque = false;
  }
  return isOpaque ? { width, height, data: gray } : { width, height, data: gray, alpha };
}

/** Returns the negative. Inverting twice gives the same bytes. What is clear stays clear. */
export function invert(gray: Gray): Gray {
  const data = new Uint8Array(gray.data.length);
  for (let i = 0; i < data.length; i++) data[i] = 255 - gray.data[i];
  return { ...gray, data };
}

/**
 * Lays a picture on bare material: what is clear is not burnt. Call it last before a dither or a halftone, after
 * `invert` and the material's curve, as then a value is a share of area, of which alpha takes its part. An opaque
 * picture is returned as it is.
 */
export function layOnBare({ width, height, data, alpha }: Gray): Gray {
  if (!alpha) return { width, height, data };
  const out = new Uint8Array(data.length);
  for (let i = 0; i < out.length; i++) out[i] = BARE - Math.round(((BARE - data[i]) * alpha[i]) / 255);
  return { width, height, data: out };
}

/** Returns the mean share that is burnt, 0..1, of a picture that lies on bare material, or of a raster. */
export function meanTone({ data }: Pick<Gray, 'data'>): number {
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i];
  return data.length === 0 ? 0 : 1 - sum / (255 * data.length);
}
