/** PNG files of rasters: the one that a machine burns, and the mask that a page shows. */
import { type Raster, rowBytesOf } from './raster.ts';

type PngKind = Pick<Raster, 'width' | 'height' | 'isGray'>;

/**
 * Returns how the file of an engraving begins, up to its pixels: black is burnt, white is bare, 1 bit or 8 bits of
 * gray, with its true pitch (pHYs, to a pixel of a meter).
 */
export function engravingPngHead(kind: PngKind, intervalMm: number): Uint8Array {
  const pitch = new DataView(new ArrayBuffer(9));
  const perMeter = Math.round(1000 / intervalMm);
  pitch.setUint32(0, perMeter);
  pitch.setUint32(4, perMeter);
  pitch.setUint8(8, 1);
  return joinChunks([headerOf(kind, GRAY), ['pHYs', new Uint8Array(pitch.buffer)]]);
}

/** Returns the rows of a raster, or of a strip of one, as a PNG compresses them: each begins with its filter, none. */
export function pngRows(raster: Raster): Uint8Array {
  const { height, rows } = raster;
  const rowBytes = rowBytesOf(raster);
  const out = new Uint8Array(height * (rowBytes + 1));
  for (let y = 0; y < height; y++) {
    out.set(rows.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  }
  return out;
}

/**
 * Writes a mask: white, and as opaque as the raster is burnt. `compress` returns a zlib stream (RFC 1950) of bytes;
 * without it they are stored as they are, which a page has at once. Cost: linear.
 */
export function writeMaskPng(raster: Raster, compress: (bytes: Uint8Array) => Uint8Array = store): Uint8Array {
  const { isGray } = raster;
  const levels = isGray ? 256 : 2;
  const palette = new Uint8Array(3 * levels).fill(255);
  const alpha = Uint8Array.from({ length: levels }, (_, level) => (isGray ? 255 - level : 255 * (1 - level)));
  return joinChunks([
    headerOf(raster, INDEXED),
    ['PLTE', palette],
    ['tRNS', alpha],
    ['IDAT', compress(pngRows(raster))],
    ['IEND', new Uint8Array(0)],
  ]);
}

/** Color types of PNG. */
const GRAY = 0;
const INDEXED = 3;

type Chunk = readonly [type: string, bytes: Uint8Array];

function headerOf({ width, height, isGray }: PngKind, colorType: number): Chunk {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, isGray ? 8 : 1);
  header.setUint8(9, colorType);
  return ['IHDR', new Uint8Array(header.buffer)];
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

function joinChunks(chunks: readonly Chunk[]): Uint8Array {
  const size = chunks.reduce((sum, [, bytes]) => sum + bytes.length + 12, SIGNATURE.length);
  const file = new Uint8Array(size);
  const view = new DataView(file.buffer);
  file.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const [type, bytes] of chunks) {
    view.setUint32(at, bytes.length);
    for (let i = 0; i < 4; i++) file[at + 4 + i] = type.charCodeAt(i);
    file.set(bytes, at + 8);
    view.setUint32(at + 8 + bytes.length, crc32(file.subarray(at + 4, at + 8 + bytes.length)));
    at += bytes.length + 12;
  }
  return file;
}

/** The most bytes of a stored block (RFC 1951, 3.2.4). */
const BLOCK = 65_535;

/** Returns a zlib stream that holds the bytes as they are. */
function store(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / BLOCK));
  const out = new Uint8Array(2 + 5 * blocks + bytes.length + 4);
  out.set([0x78, 0x01]);
  let at = 2;
  for (let block = 0; block < blocks; block++) {
    const part = bytes.subarray(block * BLOCK, (block + 1) * BLOCK);
    const { length } = part;
    const isLast = block === blocks - 1 ? 1 : 0;
    out.set([isLast, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255], at);
    out.set(part, at + 5);
    at += 5 + length;
  }
  new DataView(out.buffer).setUint32(at, adler32(bytes));
  return out;
}

/** Sums of this many bytes stay below 2^32. */
const ADLER_RUN = 5552;

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (let start = 0; start < bytes.length; start += ADLER_RUN) {
    const end = Math.min(bytes.length, start + ADLER_RUN);
    for (let i = start; i < end; i++) {
      a += bytes[i];
      b += a;
    }
    a %= 65_521;
    b %= 65_521;
  }
  return b * 65_536 + a;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = crcTable[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
