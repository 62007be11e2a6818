/** Writes PNG files for printers: true alpha, a resolution, and no fringe around what is printed. */
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate } from 'node:zlib';

/** Pixels, four bytes each: red, green, blue and alpha that they are not multiplied by. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const METERS_PER_INCH = 0.0254;
const [BITS, RGBA] = [8, 6];

/** Writes a PNG of one piece. */
export const writePng = (pixels: Pixels, dpi: number): Promise<Uint8Array> => writePngBands(pixels, dpi, [pixels]);

/**
 * Writes a PNG of bands of whole rows, from the top, with its resolution (pHYs, whole pixels a meter) and the sRGB
 * mark. Colors under clear pixels are kept. Memory: that of a band and of the file.
 */
export async function writePngBands(
  { width, height }: Pick<Pixels, 'width' | 'height'>,
  dpi: number,
  bands: AsyncIterable<Pixels> | Iterable<Pixels>,
): Promise<Uint8Array> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, RGBA], 8);
  const physical = Buffer.alloc(9);
  const perMeter = Math.round(dpi / METERS_PER_INCH);
  physical.writeUInt32BE(perMeter, 0);
  physical.writeUInt32BE(perMeter, 4);
  physical.writeUInt8(1, 8); // the unit is the meter
  const perceptual = Buffer.from([0]);
  const data: Buffer[] = [];
  await pipeline(
    Readable.from(filterRows(bands)),
    createDeflate({ level: 6 }),
    new Writable({
      write(chunk: Buffer, _encoding, next) {
        data.push(writeChunk('IDAT', chunk));
        next();
      },
    }),
  );
  return Buffer.concat([
    SIGNATURE,
    writeChunk('IHDR', header),
    writeChunk('sRGB', perceptual),
    writeChunk('pHYs', physical),
    ...data,
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The kind of filter that says how a pixel differs from the one above it: areas of one color become zeros. */
const UP = 2;

async function* filterRows(bands: AsyncIterable<Pixels> | Iterable<Pixels>): AsyncGenerator<Buffer> {
  let above: Uint8Array = new Uint8Array();
  for await (const { width, height, rgba } of bands) {
    const length = 4 * width;
    if (above.length === 0) above = new Uint8Array(length);
    const rows = Buffer.alloc(height * (length + 1));
    for (let y = 0; y < height; y++) {
      const row = rgba.subarray(y * length, (y + 1) * length);
      const to = y * (length + 1);
      rows[to] = UP;
      for (let i = 0; i < length; i++) rows[to + 1 + i] = row[i]! - above[i]!;
      above = row;
    }
    // The picture may be drawn into the same memory again.
    above = above.slice();
    yield rows;
  }
}

function writeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/**
 * Bleeds the colors of marks into the clear pixels around them, in place. A program that resamples the picture then
 * mixes an edge with the mark's own color, not with black or white. `reach` is the width of the bleed in pixels. Cost:
 * linear in the pixels.
 */
export function bleedColors({ width, height, rgba }: Pixels, reach: number): void {
  const stride = width + 2;
  const around = [-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1];
  // A border of a pixel around the picture needs no test of its sides.
  const states = new Uint8Array(stride * (height + 2)).fill(OUTSIDE);
  for (let y = 0; y < height; y++) {
    const row = (y + 1) * stride + 1;
    for (let x = 0; x < width; x++) states[row + x] = rgba[4 * (y * width + x) + 3]! > 0 ? COLORED : BARE;
  }
  const toPixel = (cell: number) => 4 * ((Math.floor(cell / stride) - 1) * width + (cell % stride) - 1);
  /** Adds the bare cells around a cell to the next front. */
  const addBare = (cell: number, next: number[]) => {
    for (let k = 0; k < 8; k++) {
      const neighbor = cell + around[k]!;
      if (states[neighbor] !== BARE) continue;
      states[neighbor] = NEXT;
      next.push(neighbor);
    }
  };
  let front: number[] = [];
  for (let cell = stride; cell < states.length - stride; cell++) if (states[cell] === COLORED) addBare(cell, front);
  for (let step = 0; step < reach && front.length > 0; step++) {
    for (const cell of front) {
      let [r, g, b, n] = [0, 0, 0, 0];
      for (let k = 0; k < 8; k++) {
        const neighbor = cell + around[k]!;
        if (states[neighbor] !== COLORED) continue;
        const p = toPixel(neighbor);
        r += rgba[p]!;
        g += rgba[p + 1]!;
        b += rgba[p + 2]!;
        n++;
      }
      const p = toPixel(cell);
      rgba[p] = Math.round(r / n);
      rgba[p + 1] = Math.round(g / n);
      rgba[p + 2] = Math.round(b / n);
    }
    for (const cell of front) states[cell] = COLORED;
    const next: number[] = [];
    for (const cell of front) addBare(cell, next);
    front = next;
  }
}

/** What is known of a pixel while colors bleed. One of the next front gets its color in this step. */
const [BARE, COLORED, NEXT, OUTSIDE] = [0, 1, 2, 3];

/**
 * Widens a picture by a border at both sides, and takes its rows in an order, for a bleed of its own mirror image: what
 * is cut a little off then shows no bare edge. Cost: linear in the pixels.
 */
export function mirrorEdges({ width, rgba }: Pixels, border: number, rows: readonly number[]): Pixels {
  const w = width + 2 * border;
  const from = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  const to = new Uint32Array(w * rows.length);
  const columns = Array.from({ length: w }, (_, x) => mirrorPlace(x - border, width));
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < w; x++) to[y * w + x] = from[row * width + columns[x]!]!;
  }
  return { width: w, height: rows.length, rgba: new Uint8Array(to.buffer) };
}

/** Returns the place in a row that a place beyond its ends mirrors, also when the border is wider than the row. */
export function mirrorPlace(at: number, length: number): number {
  const place = ((at % (2 * length)) + 2 * length) % (2 * length);
  return place < length ? place : 2 * length - 1 - place;
}
