/** A picture at its place on the machine: turned, mirrored, and engraved along the machine's own axes. */
import { type DitherMethod, ditherRows } from './dither/dither.ts';
import { type ToneRequest, toneRowsForMaterial } from './engrave.ts';
import { BARE, type Gray } from './picture.ts';
import { createTally, packRaster, type Raster, rowBytesOf } from './raster.ts';
import { type EngravingSize, engravingSize } from './resample.ts';
import { type GrayRows, mapRows, readAll } from './rows.ts';

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
export interface PlacedRaster extends Raster {
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
export function shareRows(rows: GrayRows, request: ShareRequest): GrayRows {
  const { opacity = 1 } = request;
  const shares = toneRowsForMaterial(rows, request);
  if (opacity >= 1) return shares;
  const part = Math.max(0, opacity);
  return mapRows(shares, (strip) => ({
    ...strip,
    data: strip.data.map((value) => BARE - Math.round((BARE - value) * part)),
  }));
}

/** Returns the pixels of a picture at its place, along its own edges. Throws as `engravingSize` does. */
export const placedSize = ({ across, down }: Placement, intervalMm: number): EngravingSize =>
  engravingSize(Math.hypot(across.x, across.y), Math.hypot(down.x, down.y), intervalMm);

/** The most pixels of a picture that is turned by other than half a turn: all of it is in memory then. */
const MOST_TURNED_PIXELS = 100_000_000;

/**
 * Engraves shares of `shareRows` at their place. Quarter turns and mirrored pictures keep every share; other turns are
 * interpolated (bilinear). Throws a RangeError, with a sentence for people, for more than 100 million pixels that are
 * turned. Cost: linear in the pixels of the raster. Memory: a bit for each pixel, in gray a byte, and one more where
 * the picture is turned by other than half a turn.
 */
export function engraveShares(shares: GrayRows, { across, down, intervalMm, method }: PlacedRequest): PlacedRaster {
  const turnedShares = turn(shares, across, down);
  const { width, height } = turnedShares;
  const isGray = method === 'gray';
  const rowBytes = rowBytesOf({ width, isGray });
  const rows = new Uint8Array(rowBytes * height);
  const [target, ink] = [createTally(), createTally()];
  const countTarget = (strip: Gray) => {
    target.add(strip);
    return strip;
  };
  let at = 0;
  for (const strip of ditherRows(mapRows(turnedShares, countTarget), method)) {
    ink.add(strip);
    rows.set(packRaster(strip, isGray).rows, at);
    at += rowBytes * strip.height;
  }
  return {
    ...{ width, height, isGray, rows },
    x: (across.x + down.x - width * intervalMm) / 2,
    y: (across.y + down.y - height * intervalMm) / 2,
    meanTone: ink.mean,
    targetTone: target.mean,
  };
}

/** Less than this share of an area is dust of a photograph's white ground. */
const LEAST_SHARE = 0.02;

/**
 * Returns rows of shares, and after all of them were read the box around what is burnt; undefined when nothing is.
 * Cost: one pass.
 */
export function watchInk({ width, height, read }: GrayRows): GrayRows & { readonly ink: InkBox | undefined } {
  const most = BARE * (1 - LEAST_SHARE);
  let [left, top, right, bottom] = [width, height, -1, -1];
  const look = ({ data }: Gray, first: number) => {
    for (let y = first, row = 0; row < data.length; y++, row += width) {
      let from = 0;
      while (from < width && data[row + from] > most) from++;
      if (from === width) continue;
      let to = width - 1;
      while (data[row + to] > most) to--;
      left = Math.min(left, from);
      right = Math.max(right, to);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  };
  return {
    width,
    height,
    read(from, to) {
      const strip = read(from, to);
      look(strip, from);
      return strip;
    },
    get ink() {
      if (bottom < 0) return undefined;
      return {
        x: left / width,
        y: top / height,
        width: (right + 1 - left) / width,
        height: (bottom + 1 - top) / height,
      };
    },
  };
}

/** Directions that differ by less are one: far less than a pixel of the longest raster. */
const EXACT = 1e-7;

/** Returns shares along the machine's axes, in the box around the turned picture. */
function turn(shares: GrayRows, across: Vector, down: Vector): GrayRows {
  const { width, height } = shares;
  const unit = ({ x, y }: Vector) => {
    const length = Math.hypot(x, y);
    const snap = (value: number) => (Math.abs(value - Math.round(value)) < EXACT ? Math.round(value) : value);
    return { x: snap(x / length), y: snap(y / length) };
  };
  const [u, v] = [unit(across), unit(down)];
  if (u.x === 1 && v.y === 1) return shares;
  if (Math.abs(u.x) === 1 && Math.abs(v.y) === 1) return mirror(shares, u.x < 0, v.y < 0);
  if (width * height > MOST_TURNED_PIXELS) {
    throw new RangeError(
      `A photograph that is turned or tilted may have ${MOST_TURNED_PIXELS / 1e6} million dots, and this one has ` +
        `${Math.ceil((width * height) / 1e6)} million. Set it upright, or choose a larger interval or a smaller size.`,
    );
  }
  const isQuarter = Number.isInteger(u.x) && Number.isInteger(v.y);
  const length = (along: number, beside: number) => {
    const exact = Math.abs(along) * width + Math.abs(beside) * height;
    return isQuarter ? exact : Math.ceil(exact);
  };
  const box = { width: length(u.x, v.x), height: length(u.y, v.y) };
  let whole: Gray | undefined;
  return {
    ...box,
    read(top, bottom) {
      whole ??= readAll(shares);
      const { data } = whole;
      const out = new Uint8Array(box.width * (bottom - top)).fill(BARE);
      for (let y = top, at = 0; y < bottom; y++) {
        const dy = y + 0.5 - box.height / 2;
        for (let x = 0; x < box.width; x++, at++) {
          const dx = x + 0.5 - box.width / 2;
          // The edges are at right angles: their inverse is their transpose.
          const column = dx * u.x + dy * u.y + width / 2 - 0.5;
          const row = dx * v.x + dy * v.y + height / 2 - 0.5;
          if (column < -0.5 || row < -0.5 || column > width - 0.5 || row > height - 0.5) continue;
          out[at] = isQuarter
            ? data[Math.round(row) * width + Math.round(column)]
            : Math.round(between(whole, column, row));
        }
      }
      return { width: box.width, height: bottom - top, data: out };
    },
  };
}

/** Returns mirrored rows: left for right, or upside down, or both, which is half a turn. */
function mirror({ width, height, read }: GrayRows, isAcross: boolean, isDown: boolean): GrayRows {
  return {
    width,
    height,
    read(top, bottom) {
      const strip = isDown ? read(height - bottom, height - top) : read(top, bottom);
      const out = new Uint8Array(strip.data.length);
      for (let y = 0; y < strip.height; y++) {
        const from = (isDown ? strip.height - 1 - y : y) * width;
        const row = out.subarray(y * width, (y + 1) * width);
        row.set(strip.data.subarray(from, from + width));
        if (isAcross) row.reverse();
      }
      return { width, height: strip.height, data: out };
    },
  };
}

/**
 * Returns the value between the centers of pixels (bilinear), as `readAt` does for a plane. On its own, because one
 * function for bytes and floats takes a third longer.
 */
function between({ width, height, data }: Gray, u: number, v: number): number {
  const x = u < 0 ? 0 : u > width - 1 ? width - 1 : u;
  const y = v < 0 ? 0 : v > height - 1 ? height - 1 : v;
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = left + 1 < width ? left + 1 : left;
  const below = (top + 1 < height ? top + 1 : top) * width;
  const above = top * width;
  const [s, t] = [x - left, y - top];
  const upper = data[above + left] + (data[above + right] - data[above + left]) * s;
  return upper + (data[below + left] + (data[below + right] - data[below + left]) * s - upper) * t;
}
