/** A picture at its place on the machine: turned, mirrored, and engraved along the machine's own axes. */
import { type DitherMethod, dither } from './dither/dither.ts';
import { type ToneRequest, toneForMaterial } from './engrave.ts';
import { BARE, type Gray, meanTone } from './picture.ts';
import { readAt } from './plane.ts';
import { type EngravingSize, engravingSize } from './resample.ts';

interface Vector {
  readonly x: number;
  readonly y: number;
}

/** The edges of a picture on the machine in mm, y down: its upper edge from the left, its left edge from the top. */
export interface Placement {
  readonly across: Vector;
  readonly down: Vector;
}

export interface ShareRequest extends ToneRequest {
  /** 0..1: how much of each tone is burnt. Missing: all of it. */
  readonly opacity?: number;
}

export interface PlacedRequest extends Placement {
  readonly intervalMm: number;
  readonly method: DitherMethod;
}

/** A raster whose pixels are squares of `intervalMm` along the machine's axes. */
export interface PlacedRaster {
  readonly width: number;
  readonly height: number;
  /** Row by row: 0 is burnt, 255 is bare. */
  readonly data: Uint8Array;
  /** The top left corner of the raster in mm, from the picture's own top left corner. */
  readonly x: number;
  readonly y: number;
  /** The share that is burnt, 0..1, and the one that should be. */
  readonly meanTone: number;
  readonly targetTone: number;
}

/** A rectangle in fractions of the picture. */
export interface InkBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the shares of area to burn of a picture that has the pixels of `placedSize`: its tones as the material needs
 * them. Throws a RangeError, with a sentence for people, as `applyTone` does. Cost: that of `toneForMaterial`.
 */
export function sharesOf(gray: Gray, request: ShareRequest): Gray {
  const { opacity = 1 } = request;
  const shares = toneForMaterial(gray, request);
  if (opacity >= 1) return shares;
  return { ...shares, data: shares.data.map((value) => BARE - Math.round((BARE - value) * Math.max(0, opacity))) };
}

/** Returns the pixels of a picture at its place, along its own edges. Throws as `engravingSize` does. */
export const placedSize = ({ across, down }: Placement, intervalMm: number): EngravingSize =>
  engravingSize(Math.hypot(across.x, across.y), Math.hypot(down.x, down.y), intervalMm);

/**
 * Engraves shares of `sharesOf` at their place. Quarter turns and mirrored pictures keep every share; other turns are
 * interpolated (bilinear). Cost: linear in the pixels of the raster.
 */
export function engraveShares(shares: Gray, { across, down, intervalMm, method }: PlacedRequest): PlacedRaster {
  const turnedShares = turn(shares, across, down);
  const raster = dither(turnedShares, method);
  const { width, height } = turnedShares;
  return {
    width,
    height,
    data: raster.data,
    x: (across.x + down.x - width * intervalMm) / 2,
    y: (across.y + down.y - height * intervalMm) / 2,
    meanTone: meanTone(raster),
    targetTone: meanTone(turnedShares),
  };
}

/** Less than this share of an area is dust of a photograph's white ground. */
const LEAST_SHARE = 0.02;

/** Returns the box around what is burnt of shares; undefined when nothing is. Cost: one pass. */
export function inkOfShares({ width, height, data }: Gray): InkBox | undefined {
  const most = BARE * (1 - LEAST_SHARE);
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0, at = y * width; x < width; x++, at++) {
      if (data[at] > most) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  if (bottom < 0) return undefined;
  return {
    x: left / width,
    y: top / height,
    width: (right + 1 - left) / width,
    height: (bottom + 1 - top) / height,
  };
}

/** Directions that differ by less are one: far less than a pixel of the longest raster. */
const EXACT = 1e-7;

/** Returns shares along the machine's axes, in the box around the turned picture. */
function turn(shares: Gray, across: Vector, down: Vector): Gray {
  const { width, height, data } = shares;
  const unit = ({ x, y }: Vector) => {
    const length = Math.hypot(x, y);
    const snap = (value: number) => (Math.abs(value - Math.round(value)) < EXACT ? Math.round(value) : value);
    return { x: snap(x / length), y: snap(y / length) };
  };
  const [u, v] = [unit(across), unit(down)];
  if (u.x === 1 && v.y === 1) return shares;
  const isQuarter = Number.isInteger(u.x) && Number.isInteger(v.y);
  const length = (along: number, beside: number) => {
    const exact = Math.abs(along) * width + Math.abs(beside) * height;
    return isQuarter ? exact : Math.ceil(exact);
  };
  const box = { width: length(u.x, v.x), height: length(u.y, v.y) };
  const out = new Uint8Array(box.width * box.height).fill(BARE);
  const plane = isQuarter ? undefined : { width, height, data: Float32Array.from(data) };
  for (let y = 0; y < box.height; y++) {
    const dy = y + 0.5 - box.height / 2;
    for (let x = 0, at = y * box.width; x < box.width; x++, at++) {
      const dx = x + 0.5 - box.width / 2;
      // The edges are at right angles: their inverse is their transpose.
      const column = dx * u.x + dy * u.y + width / 2 - 0.5;
      const row = dx * v.x + dy * v.y + height / 2 - 0.5;
      if (column < -0.5 || row < -0.5 || column > width - 0.5 || row > height - 0.5) continue;
      out[at] = plane ? Math.round(readAt(plane, column, row)) : data[Math.round(row) * width + Math.round(column)];
    }
  }
  return { width: box.width, height: box.height, data: out };
}
