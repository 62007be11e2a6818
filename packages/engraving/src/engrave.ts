/** From a picture in color to the raster of its engraving. */
import { type DitherMethod, dither } from './dither/dither.ts';
import { type Gray, invert, layOnBare, meanTone, type Picture, toGray } from './picture.ts';
import { type EngravingSize, engravingSize, resample } from './resample.ts';
import { type GrayRows, mapRows, readAll, rowsOf } from './rows.ts';
import { type Tone, toneRows } from './tone.ts';
import { applyToneCurve, type ToneCurve } from './toneCurve.ts';

/** The tone settings of an engraving, whether its material marks light, and the material's tone curve. */
export interface ToneRequest {
  readonly tone: Tone;
  /** True for a material whose marks are light: `resolveInvert` says it. */
  readonly invert: boolean;
  /** Missing: tones are taken for shares of area. */
  readonly curve?: ToneCurve;
}

export interface EngraveRequest extends ToneRequest {
  /** The height follows from the picture's proportions. */
  readonly widthMm: number;
  readonly intervalMm: number;
  readonly method: DitherMethod;
}

export interface Engraving extends EngravingSize {
  /** Row by row, a byte for each pixel: 0 is burnt, 255 is bare. */
  readonly data: Uint8Array;
  /** The share that is burnt, 0..1. */
  readonly meanTone: number;
  /** The share that should be burnt by tone and curve. A dither comes to within 0.01 of it. */
  readonly targetTone: number;
}

/**
 * Gives a picture of the engraving's size the tones that its material needs: the tone that a person set, the negative
 * where marks are light, the material's curve, and clear parts bare. The result is ready for a dither or a halftone.
 */
export function toneForMaterial(gray: Gray, request: ToneRequest): Gray {
  return readAll(toneRowsForMaterial(rowsOf(gray), request));
}

/** Gives rows the tones that their material needs, as `toneForMaterial` does, as they are read. */
export function toneRowsForMaterial(rows: GrayRows, { tone, invert: isNegative, curve }: ToneRequest): GrayRows {
  return mapRows(toneRows(rows, tone), (strip) => {
    const negative = isNegative ? invert(strip) : strip;
    return layOnBare(curve ? applyToneCurve(negative, curve) : negative);
  });
}

/**
 * Makes the raster of an engraving. Throws a RangeError, with a sentence for people, as `engravingSize` and `applyTone`
 * do. Memory: three bytes for each pixel of the engraving and two for each of the picture. Cost: about 0.1 s of
 * processor time for a megapixel of the engraving, and 0.02 s for one of the picture.
 */
export function engrave(picture: Picture, request: EngraveRequest): Engraving {
  const { widthMm, intervalMm, method } = request;
  const size = engravingSize(widthMm, (widthMm * picture.height) / picture.width, intervalMm);
  const gray = toneForMaterial(resample(toGray(picture), size.widthPx, size.heightPx), request);
  const raster = dither(gray, method);
  return { ...size, data: raster.data, meanTone: meanTone(raster), targetTone: meanTone(gray) };
}
