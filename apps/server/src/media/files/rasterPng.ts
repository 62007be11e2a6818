/** Writes the PNG of a raster strip by strip: a file of 400 million dots in the memory of the file itself. */
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate } from 'node:zlib';
import { engravingPngHead, pngRows, type Raster, rowBytesOf } from '@markwright/engraving';
import { AppError } from '../../platform/errors.ts';

/** The largest file of a raster. Dots always fit; gray of so many pixels may not. */
const MOST_FILE_BYTES = 128 * 2 ** 20;

const CHUNK_BYTES = 12;
/** Blocks that cannot be compressed grow by less than this share, and a stream by less than so many bytes. */
const [GROWTH, HEADER_BYTES] = [1 / 1000, 1024];

type Kind = Pick<Raster, 'width' | 'height' | 'isGray'>;

/**
 * Writes the PNG that a machine burns, of strips from the top. Throws unprocessable for a file of more than 128 MB,
 * which only gray can be. `level` is zlib's, 1..9. Memory: that of the file and of some strips. Cost: linear.
 */
export async function writeRasterPng(
  kind: Kind,
  { intervalMm, level }: { readonly intervalMm: number; readonly level: number },
  strips: Iterable<Raster>,
): Promise<Uint8Array> {
  const head = engravingPngHead(kind, intervalMm);
  const rawBytes = kind.height * (rowBytesOf(kind) + 1);
  const mostBytes = Math.min(MOST_FILE_BYTES, Math.ceil(rawBytes * (1 + GROWTH)) + HEADER_BYTES);
  // The system gives a page of it when the first byte is written there.
  const file = new Uint8Array(head.length + mostBytes + 2 * CHUNK_BYTES);
  file.set(head);
  const start = head.length;
  let end = start + 8;
  await pipeline(
    Readable.from(compressibleRows(strips)),
    createDeflate({ level, chunkSize: 2 ** 18 }),
    new Writable({
      write(bytes: Buffer, _encoding, next) {
        if (end + bytes.length > start + 8 + mostBytes) {
          next(new AppError('unprocessable', TOO_LARGE));
          return;
        }
        file.set(bytes, end);
        end += bytes.length;
        next();
      },
    }),
  );
  end = closeChunk(file, start, end, 'IDAT');
  end = closeChunk(file, end, end + 8, 'IEND');
  return file.subarray(0, end);
}

const TOO_LARGE =
  `The file of this engraving is larger than ${MOST_FILE_BYTES / 2 ** 20} MB. Choose dots instead of gray, a larger ` +
  'interval or a smaller size.';

function* compressibleRows(strips: Iterable<Raster>): Generator<Uint8Array> {
  for (const strip of strips) yield pngRows(strip);
}

/** Writes length, type and check of a chunk whose bytes lie from `start + 8` to `end`. Returns its end. */
function closeChunk(file: Uint8Array, start: number, end: number, type: string): number {
  const view = new DataView(file.buffer);
  view.setUint32(start, end - start - 8);
  for (let i = 0; i < 4; i++) file[start + 4 + i] = type.charCodeAt(i);
  view.setUint32(end, crc32(file.subarray(start + 4, end)));
  return end + 4;
}
