import sharp from 'sharp';
import { expect, it } from 'vitest';
import { readTiff } from './testTiff.ts';
import { writeTiff } from './tiff.ts';

function readResources(bytes: Buffer): Map<number, Buffer> {
  const resources = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    expect(bytes.toString('latin1', at, at + 4)).toBe('8BIM');
    const length = bytes.readUInt32BE(at + 8);
    resources.set(bytes.readUInt16BE(at + 4), bytes.subarray(at + 12, at + 12 + length));
    at += 12 + length + (length % 2);
  }
  return resources;
}

const WIDTH = 7;
const ROWS_PER_STRIP = 512;
const HEIGHT = ROWS_PER_STRIP + 130;
const look = [0.25, 0.25, 0.25, 0.25];

function picture(spots: string[]) {
  const count = 4 + spots.length;
  const samples = Uint8Array.from({ length: WIDTH * HEIGHT * count }, (_, i) => (i * 37) % 256);
  const strip = ROWS_PER_STRIP * WIDTH * count;
  const bands = [samples.subarray(0, strip), samples.subarray(strip)];
  return {
    ...{ width: WIDTH, height: HEIGHT, rowsPerStrip: ROWS_PER_STRIP, samples, bands, dpi: 300 },
    spots: spots.map((name) => ({ name, look })),
  };
}

it('has four inks and a named spot color, which is turned over', async () => {
  const input = picture(['RDG_WHITE']);
  const before = Uint8Array.from(input.samples);
  const { fields, samples } = readTiff(Buffer.from(await writeTiff(input)));
  const values = [0x100, 0x101, 0x106, 0x115, 0x11a, 0x11b, 0x128, 0x14c, 0x152].map((tag) => fields.get(tag));
  expect(values).toEqual([[WIDTH], [HEIGHT], [5], [5], [300], [300], [2], [1], [0]]);
  expect(fields.get(0x102)).toEqual([8, 8, 8, 8, 8]);
  expect(samples).toHaveLength(before.length);
  const isRight = before.every((value, i) => samples[i] === (i % 5 === 4 ? 255 - value : value));
  expect(isRight).toBe(true);

  const resources = readResources(Buffer.from(fields.get(0x8649)!));
  expect(resources.get(0x03ee)).toEqual(Buffer.from('\x09RDG_WHITE', 'latin1'));
  const display = resources.get(0x03ef)!;
  expect(display).toHaveLength(14);
  expect([display.readUInt16BE(0), display.readUInt16BE(2), display.readUInt16BE(10), display[12]]).toEqual([
    2, 49151, 100, 2,
  ]);
  expect(resources.get(0x0415)!.subarray(4).swap16().toString('utf16le')).toBe('RDG_WHITE\0');
  expect(resources.get(0x0435)).toHaveLength(4 + 13);
});

it('is a file that libvips reads, with any number of spot colors', async () => {
  for (const spots of [[], ['White'], ['White', 'Gloss']]) {
    const metadata = await sharp(await writeTiff(picture(spots)), { limitInputChannels: 6 }).metadata();
    expect(metadata).toMatchObject({ format: 'tiff', width: WIDTH, height: HEIGHT, density: 300, space: 'cmyk' });
    expect(metadata.channels).toBe(4 + spots.length);
  }
});
