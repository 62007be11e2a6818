/** Writes PNG files for printers: true alpha, a resolution, and no fringe around what is printed. */
import { crc32 } from 'node:zlib';
import sharp from 'sharp';

/** Pixels, four bytes each: red, green, blue and alpha that they are not multiplied by. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const SIGNATURE_LENGTH = 8;
const HEADER_CHUNK_LENGTH = 25;
const METERS_PER_INCH = 0.0254;

/**
 * Writes a PNG with its resolution (pHYs, whole pixels a meter) and the sRGB mark. Colors under clear pixels are kept.
 */
export async function writePng({ width, height, rgba }: Pixels, dpi: number): Promise<Uint8Array> {
  const png = await sharp(rgba, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
  const physical = Buffer.alloc(9);
  const perMeter = Math.round(dpi / METERS_PER_INCH);
  physical.writeUInt32BE(perMeter, 0);
  physical.writeUInt32BE(perMeter, 4);
  physical.writeUInt8(1, 8); // the unit is the meter
  const at = SIGNATURE_LENGTH + HEADER_CHUNK_LENGTH;
  const perceptual = Buffer.from([0]);
  const chunks = [writeChunk('sRGB', perceptual), writeChunk('pHYs', physical)];
  return Buffer.concat([png.subarray(0, at), ...chunks, png.subarray(at)]);
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
 * Returns the picture with a border of its own mirror image, for a bleed: what is cut a little off then shows no bare
 * edge. Cost: linear in the pixels.
 */
export function mirrorEdges({ width, height, rgba }: Pixels, border: number): Pixels {
  if (border <= 0) return { width, height, rgba };
  const [w, h] = [width + 2 * border, height + 2 * border];
  const from = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  const to = new Uint32Array(w * h);
  const columns = Array.from({ length: w }, (_, x) => mirror(x - border, width));
  for (let y = 0; y < h; y++) {
    const row = mirror(y - border, height) * width;
    for (let x = 0; x < w; x++) to[y * w + x] = from[row + columns[x]!]!;
  }
  return { width: w, height: h, rgba: new Uint8Array(to.buffer) };
}

/** Returns the place in a row that a place beyond its ends mirrors, also when the border is wider than the row. */
function mirror(at: number, length: number): number {
  const place = ((at % (2 * length)) + 2 * length) % (2 * length);
  return place < length ? place : 2 * length - 1 - place;
}
