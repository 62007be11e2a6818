import sharp from 'sharp';
import { expect, it } from 'vitest';
import { bleedColors, type Pixels, writePng } from './png.ts';

function pixels(width: number, height: number, marks: readonly (readonly [number, number, number[]])[]): Pixels {
  const rgba = new Uint8Array(4 * width * height);
  for (const [x, y, color] of marks) rgba.set(color, 4 * (y * width + x));
  return { width, height, rgba };
}

it('says its resolution, and keeps its alpha and the colors under it', async () => {
  const picture = pixels(5, 3, [
    [1, 1, [200, 30, 40, 255]],
    [2, 1, [200, 30, 40, 0]],
  ]);
  const png = Buffer.from(await writePng(picture, 300));
  expect(await sharp(png).metadata()).toMatchObject({ width: 5, height: 3, channels: 4, density: 300 });
  expect(new Uint8Array(await sharp(png).raw().toBuffer())).toEqual(picture.rgba);
  // 300 dpi are 11,811 pixels a meter: exactly so, because a printer's program scales by it.
  const at = png.indexOf('pHYs');
  expect([png.readUInt32BE(at + 4), png.readUInt32BE(at + 8), png[at + 12]]).toEqual([11_811, 11_811, 1]);
});

it('continues colors under what is clear, as far as it reaches, and changes no alpha', () => {
  const picture = pixels(12, 12, [
    [5, 5, [200, 30, 40, 255]],
    [0, 0, [10, 20, 30, 1]],
  ]);
  const alpha = picture.rgba.filter((_, i) => i % 4 === 3);
  bleedColors(picture, 3);
  const at = (x: number, y: number) => [...picture.rgba.subarray(4 * (12 * y + x), 4 * (12 * y + x) + 3)];
  expect(at(8, 5)).toEqual([200, 30, 40]);
  expect(at(8, 8)).toEqual([200, 30, 40]);
  expect(at(9, 5)).toEqual([0, 0, 0]);
  expect(at(1, 0)).toEqual([10, 20, 30]);
  expect(at(11, 11)).toEqual([0, 0, 0]);
  expect(picture.rgba.filter((_, i) => i % 4 === 3)).toEqual(alpha);
});

it('leaves no fringe when a program makes the picture smaller', async () => {
  const side = 64;
  const edge = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)] as const);
  const disk = edge.filter(([x, y]) => Math.hypot(x - 32, y - 32) < 20);
  const picture = pixels(
    side,
    side,
    disk.map(([x, y]) => [x, y, [230, 60, 20, 255]] as const),
  );
  bleedColors(picture, 4);
  // Each channel by itself, as programs do that know nothing of alpha.
  const color = picture.rgba.filter((_, i) => i % 4 !== 3);
  const { data } = await sharp(color, { raw: { width: side, height: side, channels: 3 } })
    .resize(32, 32, { kernel: 'linear' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const off = disk.map(([x, y]) => 3 * (32 * Math.floor(y / 2) + Math.floor(x / 2))).filter((p) => data[p]! < 228);
  expect(off).toEqual([]);
});
