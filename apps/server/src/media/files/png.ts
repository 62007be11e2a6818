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
  bands: Iterable<Pixels>,
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

function* filterRows(bands: Iterable<Pixels>): Generator<Buffer> {
  let above: Uint8Array | undefined;
  for (const { width, height, rgba } of bands) {
    const length = 4 * width;
    const rows = Buffer.alloc(height * (length + 1));
    for (let y = 0; y < height; y++) {
      const [from, to] = [y * length, y * (length + 1)];
      rows[to] = UP;
      for (let i = 0; i < length; i++) {
        const over = y > 0 ? rgba[from - length + i]! : (above?.[i] ?? 0);
        rows[to + 1 + i] = rgba[from + i]! - over;
      }
    }
    above = rgba.slice((height - 1) * length);
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
  // 1: has a color. A border of a pixel around the picture needs no test of its sides.
  const stride = width + 2;
  const has = new Uint8Array(stride * (height + 2));
  let front: number[] = [];
  const around = [-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1];
  const toPixel = (cell: number) => 4 * ((Math.floor(cell / stride) - 1) * width + (cell % stride) - 1);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) if (rgba[4 * (y * width + x) + 3]! > 0) has[(y + 1) * stride + x + 1] = 1;
  }
  const isInside = (cell: number) => {
    const column = cell % stride;
    return column > 0 && column <= width && cell >= stride && cell < stride * (height + 1);
  };
  const isAtEdge = (cell: number) => has[cell] === 1 && around.some((step) => has[cell + step] === 0);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const cell = (y + 1) * stride + x + 1;
      if (isAtEdge(cell)) front.push(cell);
    }
  }
  for (let step = 0; step < reach && front.length > 0; step++) {
    const next = new Set<number>();
    for (const cell of front) {
      for (const offset of around) {
        const neighbor = cell + offset;
        if (has[neighbor] === 0 && isInside(neighbor)) next.add(neighbor);
      }
    }
    const colors: [number, number, number, number][] = [];
    for (const cell of next) {
      let [r, g, b, n] = [0, 0, 0, 0];
      for (const offset of around) {
        if (has[cell + offset] === 0) continue;
        const p = toPixel(cell + offset);
        r += rgba[p]!;
        g += rgba[p + 1]!;
        b += rgba[p + 2]!;
        n++;
      }
      colors.push([cell, r / n, g / n, b / n]);
    }
    for (const [cell, r, g, b] of colors) rgba.set([Math.round(r), Math.round(g), Math.round(b)], toPixel(cell));
    for (const cell of next) has[cell] = 1;
    front = [...next];
  }
}

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
