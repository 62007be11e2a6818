/** Reads the PNG of a raster back, row by row: as pixels, 400 million dots would be 400 MB. */
import { Readable } from 'node:stream';
import { crc32, createInflate } from 'node:zlib';

/** Thrown for bytes that are no PNG of this kind. */
export class PngBroken extends Error {}

export interface RasterReading {
  readonly width: number;
  readonly height: number;
  /** Of gray: 1 or 8. */
  readonly bits: number;
  readonly pixelsPerMeter: { readonly x: number; readonly y: number };
  /** Reads whole rows from the top, as they are packed in the file. */
  rows(): AsyncGenerator<Uint8Array>;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const METER = 1;

/** Reads the chunks of a PNG in gray, without interlace. Throws `PngBroken`, also while rows are read. */
export function readRasterPng(png: Uint8Array): RasterReading {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) throw new PngBroken('It is no PNG.');
  const chunks = listChunks(bytes);
  const only = (type: string, length: number) => {
    const own = chunks.filter((chunk) => chunk.type === type);
    if (own.length !== 1 || own[0]!.data.length !== length) throw new PngBroken(`Its ${type} is not one.`);
    return own[0]!.data;
  };
  const header = only('IHDR', 13);
  const [width, height, bits] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8]!];
  if ((bits !== 1 && bits !== 8) || header.subarray(9).some((value) => value !== 0)) {
    throw new PngBroken('Its pixels lie otherwise.');
  }
  const pitch = only('pHYs', 9);
  if (pitch[8] !== METER) throw new PngBroken('Its pitch has no unit.');
  const parts = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const rowBytes = Math.ceil((width * bits) / 8);
  return {
    ...{ width, height, bits },
    pixelsPerMeter: { x: pitch.readUInt32BE(0), y: pitch.readUInt32BE(4) },
    rows: () => readRows(parts, rowBytes, height),
  };
}

function listChunks(bytes: Buffer) {
  const chunks: { readonly type: string; readonly data: Buffer }[] = [];
  for (let at = SIGNATURE.length; at < bytes.length; ) {
    const length = at + 12 <= bytes.length ? bytes.readUInt32BE(at) : bytes.length;
    if (at + 12 + length > bytes.length) throw new PngBroken('It ends within a chunk.');
    const body = bytes.subarray(at + 4, at + 8 + length);
    if (crc32(body) !== bytes.readUInt32BE(at + 8 + length)) throw new PngBroken('A check of it is wrong.');
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
    at += 12 + length;
  }
  if (chunks.at(-1)?.type !== 'IEND') throw new PngBroken('It has no end.');
  return chunks;
}

async function* readRows(parts: readonly Buffer[], rowBytes: number, height: number): AsyncGenerator<Uint8Array> {
  const line = Buffer.alloc(rowBytes + 1);
  let above = new Uint8Array(rowBytes);
  let [lineBytes, rows] = [0, 0];
  const source = Readable.from(parts, { objectMode: true });
  const inflate = createInflate({ chunkSize: 2 ** 18 });
  source.on('error', (error) => inflate.destroy(error)).pipe(inflate);
  try {
    for await (const bytes of inflate as AsyncIterable<Buffer>) {
      for (let at = 0; at < bytes.length; ) {
        const count = Math.min(line.length - lineBytes, bytes.length - at);
        bytes.copy(line, lineBytes, at, at + count);
        lineBytes += count;
        at += count;
        if (lineBytes < line.length) continue;
        if (rows++ === height) throw new PngBroken('It has more rows than it says.');
        const row = Uint8Array.from(line.subarray(1));
        unfilter(row, above, line[0]!);
        above = row;
        lineBytes = 0;
        yield row;
      }
    }
  } catch (error) {
    throw error instanceof PngBroken ? error : new PngBroken('Its pixels cannot be inflated.');
  }
  if (rows !== height || lineBytes > 0) throw new PngBroken('Rows of it are missing.');
}

/** Undoes a filter of PNG (9.2), in place, where a pixel is a byte or less. */
function unfilter(row: Uint8Array, above: Uint8Array, filter: number): void {
  if (filter === 0) return;
  if (filter > 4) throw new PngBroken('A row has an unknown filter.');
  for (let i = 0; i < row.length; i++) {
    const [left, up, corner] = [i > 0 ? row[i - 1]! : 0, above[i]!, i > 0 ? above[i - 1]! : 0];
    const guess = filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : paeth(left, up, corner);
    row[i] = row[i]! + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
