/** Reads the TIFF files that leave, strip by strip: a sheet of 60 megapixels is 300 MB of samples. */
import { inflateSync } from 'node:zlib';

/** Thrown for bytes that are no TIFF file of this kind. */
export class TiffBroken extends Error {}

export interface TiffReading {
  readonly width: number;
  readonly height: number;
  /** Samples of a pixel, a byte each, as they are stored. */
  readonly samplesPerPixel: number;
  /** The color profile (ICC), empty without one. */
  readonly profile: Uint8Array;
  /** Reads the strips from the top, each with its first row. */
  strips(): Generator<{ readonly top: number; readonly rows: number; readonly samples: Uint8Array }>;
}

const SIZE_OF_TYPE: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1 };
const TAGS = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  offsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  byteCounts: 279,
  planes: 284,
  profile: 34_675,
} as const;

/** Reads the directory of a TIFF with 8 bits a sample and Deflate. Throws `TiffBroken`, also while strips are read. */
export function readTiff(bytes: Uint8Array): TiffReading {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = readDirectory(view);
  const list = (tag: keyof typeof TAGS) => {
    const values = fields.get(TAGS[tag]);
    if (!values || values.length === 0) throw new TiffBroken(`It has no ${tag}.`);
    return values;
  };
  const [width, height, samplesPerPixel] = [list('width')[0]!, list('height')[0]!, list('samplesPerPixel')[0]!];
  if (list('bits').some((bits) => bits !== 8)) throw new TiffBroken('A sample has not 8 bits.');
  if (list('compression')[0] !== 8 || list('planes')[0] !== 1) throw new TiffBroken('Its samples lie otherwise.');
  const [offsets, counts, rowsPerStrip] = [list('offsets'), list('byteCounts'), list('rowsPerStrip')[0]!];
  return {
    width,
    height,
    samplesPerPixel,
    profile: Uint8Array.from(fields.get(TAGS.profile) ?? []),
    *strips() {
      if (offsets.length !== Math.ceil(height / rowsPerStrip)) throw new TiffBroken('Strips are missing.');
      for (const [i, offset] of offsets.entries()) {
        const top = i * rowsPerStrip;
        const rows = Math.min(rowsPerStrip, height - top);
        const expectedLength = rows * width * samplesPerPixel;
        let samples: Uint8Array;
        try {
          const maxOutputLength = Math.max(1, expectedLength);
          samples = inflateSync(bytes.subarray(offset, offset + (counts[i] ?? 0)), { maxOutputLength });
        } catch {
          throw new TiffBroken(`Strip ${i + 1} cannot be read.`);
        }
        if (samples.length !== expectedLength) throw new TiffBroken(`Strip ${i + 1} has another length.`);
        yield { top, rows, samples };
      }
    },
  };
}

function readDirectory(view: DataView): Map<number, number[]> {
  const fields = new Map<number, number[]>();
  try {
    if (view.getUint32(0, false) !== 0x49492a00) throw new TiffBroken('It is no TIFF.');
    const start = view.getUint32(4, true);
    for (let i = 0; i < view.getUint16(start, true); i++) {
      const at = start + 2 + 12 * i;
      const type = view.getUint16(at + 2, true);
      const count = view.getUint32(at + 4, true);
      const size = SIZE_OF_TYPE[type];
      if (!size || count * size > view.byteLength) throw new TiffBroken(`Field ${i + 1} is of an unknown type.`);
      const from = count * size > 4 ? view.getUint32(at + 8, true) : at + 8;
      const read = (place: number) =>
        size === 1 ? view.getUint8(place) : size === 2 ? view.getUint16(place, true) : view.getUint32(place, true);
      fields.set(
        view.getUint16(at, true),
        Array.from({ length: count }, (_, k) => read(from + k * size)),
      );
    }
  } catch (error) {
    if (error instanceof RangeError) throw new TiffBroken('It breaks off.');
    throw error;
  }
  return fields;
}
