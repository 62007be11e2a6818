/** A reader of TIFF files that shares no code with the writer. */
import { inflateSync } from 'node:zlib';
import { expect } from 'vitest';

const SIZES: Record<number, number> = { 3: 2, 4: 4, 5: 8, 7: 1 };

/** Reads the fields of the first directory, each as numbers, and the samples of all strips. For tests. */
export function readTiff(bytes: Buffer) {
  expect(bytes.toString('latin1', 0, 4)).toBe('II*\0');
  const start = bytes.readUInt32LE(4);
  const fields = new Map<number, number[]>();
  for (let i = 0; i < bytes.readUInt16LE(start); i++) {
    const at = start + 2 + 12 * i;
    const [tag, type, count] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2), bytes.readUInt32LE(at + 4)];
    const size = SIZES[type]!;
    const from = size * count <= 4 ? at + 8 : bytes.readUInt32LE(at + 8);
    expect(from % 2, 'values begin at even places').toBe(0);
    fields.set(
      tag,
      [...Array(count).keys()].map((k) => {
        const place = from + k * size;
        if (size === 1) return bytes.readUInt8(place);
        if (size === 2) return bytes.readUInt16LE(place);
        if (size === 4) return bytes.readUInt32LE(place);
        return bytes.readUInt32LE(place) / bytes.readUInt32LE(place + 4);
      }),
    );
  }
  const tags = [...fields.keys()];
  expect(tags, 'tags rise').toEqual(tags.toSorted((a, b) => a - b));
  const lengths = fields.get(0x0117)!;
  const strips = fields.get(0x0111)!.map((from, i) => inflateSync(bytes.subarray(from, from + lengths[i]!)));
  return { fields, samples: Buffer.concat(strips) };
}
