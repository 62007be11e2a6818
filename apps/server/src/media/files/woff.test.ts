import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findFontPath } from '@markwright/fonts/files';
import { expect, test } from 'vitest';
import { unpackWoff } from './woff.ts';

const folder = dirname(findFontPath('inter-latin-400-normal.woff2')!);
const woff = readFileSync(join(folder, 'inter-latin-400-normal.woff'));

test('an unpacked font has each table at its place, with the checksum that its own bytes give', () => {
  const font = unpackWoff(woff);
  const count = font.readUInt16BE(4);
  expect(count).toBe(woff.readUInt16BE(12));
  // The length that the WOFF itself says.
  expect(font.length).toBe(woff.readUInt32BE(16));
  for (let entry = 12; entry < 12 + 16 * count; entry += 16) {
    const tag = font.toString('latin1', entry, entry + 4);
    const [checksum, offset, length] = [4, 8, 12].map((at) => font.readUInt32BE(entry + at)) as [
      number,
      number,
      number,
    ];
    const table = Buffer.concat([font.subarray(offset, offset + length), Buffer.alloc(-length & 3)]);
    // The table `head` holds the sum of the whole file, which counts as zero in its own sum.
    if (tag === 'head') table.writeUInt32BE(0, 8);
    let sum = 0;
    for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0;
    expect([tag, sum]).toEqual([tag, checksum]);
  }
});

test('bytes that are no WOFF are refused', () => {
  expect(() => unpackWoff(Buffer.from('wOF2 and more'))).toThrow('no WOFF');
});
