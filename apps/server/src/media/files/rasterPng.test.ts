import { crc32 } from 'node:zlib';
import { packRaster, type Raster, rasterStrip } from '@markwright/engraving';
import { seededRandom } from '@markwright/scene';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { writeRasterPng } from './rasterPng.ts';
import { PngBroken, readRasterPng } from './readRasterPng.ts';

/** Noise, which no compression makes smaller. */
function drawNoise(width: number, height: number, isGray: boolean): Raster {
  const random = seededRandom(3);
  const data = Uint8Array.from({ length: width * height }, () =>
    isGray ? 256 * random() : 255 * Math.round(random()),
  );
  return packRaster({ width, height, data }, isGray);
}

function* stripsOf(raster: Raster, rows: number): Generator<Raster> {
  for (let top = 0; top < raster.height; top += rows) {
    yield rasterStrip(raster, top, Math.min(raster.height, top + rows));
  }
}

async function rowsIn(png: Uint8Array): Promise<Buffer> {
  const rows: Uint8Array[] = [];
  for await (const row of readRasterPng(png).rows()) rows.push(row);
  return Buffer.concat(rows);
}

test.each([true, false])('a raster in strips is the PNG that another program reads (gray: %s)', async (isGray) => {
  const raster = drawNoise(1237, 700, isGray);
  const options = { intervalMm: 0.08, level: 6 };
  const png = await writeRasterPng(raster, options, stripsOf(raster, 37));
  expect(await writeRasterPng(raster, options, [raster])).toEqual(png);
  const { width, height, density } = await sharp(png).metadata();
  expect([width, height, density]).toEqual([1237, 700, 318]);
  const { data } = await sharp(png).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  expect(Buffer.compare(packRaster({ width, height, data: new Uint8Array(data) }, isGray).rows, raster.rows)).toBe(0);
  expect(readRasterPng(png)).toMatchObject({ bits: isGray ? 8 : 1, pixelsPerMeter: { x: 12_500, y: 12_500 } });
  expect(Buffer.compare(await rowsIn(png), raster.rows)).toBe(0);
});

test('the reader takes the filters of other programs', async () => {
  const gray = drawNoise(61, 40, true);
  const raw = { width: 61, height: 40, channels: 1 } as const;
  const image = sharp(gray.rows, { raw }).toColourspace('b-w');
  const png = await image.png({ adaptiveFiltering: true }).toBuffer();
  expect(Buffer.compare(await rowsIn(png), gray.rows)).toBe(0);
});

test('gray whose file would be larger than 128 MB is refused in a sentence', { tags: ['detail'] }, async () => {
  const strip = drawNoise(12_000, 100, true);
  function* strips() {
    for (let k = 0; k < 115; k++) yield strip;
  }
  const kind = { width: 12_000, height: 11_500, isGray: true };
  // Without compression: on noise it takes seconds, and saves nothing.
  await expect(writeRasterPng(kind, { intervalMm: 0.1, level: 0 }, strips())).rejects.toMatchObject({
    code: 'unprocessable',
    message: expect.stringMatching(/larger than 128 MB\. Choose dots instead of gray/),
  });
});

test('a PNG that is damaged, short or of another kind is refused', async () => {
  const raster = drawNoise(50, 30, false);
  const png = Buffer.from(await writeRasterPng(raster, { intervalMm: 0.1, level: 6 }, [raster]));
  const damage = (change: (bytes: Buffer) => unknown) => {
    const bytes = Buffer.from(png);
    change(bytes);
    return bytes;
  };
  /** Writes the check of the header again, so that only what it says is wrong. */
  const header = (at: number, value: number) =>
    damage((bytes) => {
      bytes[at] = value;
      bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
    });
  const other = await sharp({ create: { width: 5, height: 5, channels: 3, background: '#123' } })
    .png()
    .toBuffer();
  const bad: [string, Buffer][] = [
    ['no PNG', Buffer.from('a text')],
    ['another kind', other],
    ['a bit of its pixels', damage((bytes) => bytes.writeUInt8(bytes[80]! ^ 1, 80))],
    ['no end', png.subarray(0, -12)],
    ['half of it', png.subarray(0, png.length / 2)],
    ['two bits a pixel', header(24, 2)],
    ['interlaced', header(28, 1)],
    ['more rows', header(23, 31)],
    ['fewer rows', header(23, 29)],
    ['wider rows', header(19, 90)],
  ];
  for (const [name, bytes] of bad) {
    await expect(
      (async () => rowsIn(bytes))().then(() => name),
      name,
    ).rejects.toThrow(PngBroken);
  }
});
