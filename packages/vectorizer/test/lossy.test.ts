import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Bitmap } from '../src/index.ts';
import { vectorize } from '../src/index.ts';
import { type Color, draw, ringsOf, WHITE } from './raster.ts';

/** Returns a picture after saving it as a JPEG of quality 60 with halved chroma. */
async function saveLossy({ width, height, data }: Bitmap): Promise<Bitmap> {
  const raw = { raw: { width, height, channels: 4 as const } };
  const file = await sharp(data, raw).removeAlpha().jpeg({ quality: 60, chromaSubsampling: '4:2:0' }).toBuffer();
  const bytes = await sharp(file).ensureAlpha().raw().toBuffer();
  return { width, height, data: new Uint8ClampedArray(bytes) };
}

const RED: Color = [217, 0, 40, 255];
const BLUE: Color = [0, 83, 182, 255];
const PALE: Color = [239, 239, 239, 255];
const ORANGE: Color = [255, 131, 42, 255];
const PINK: Color = [249, 9, 142, 255];

test('compression adds no shape to a round badge of similar colors', async () => {
  const clean = draw(256, 256, WHITE, [
    { color: PALE, isInside: (x, y) => Math.hypot(x - 128, y - 128) < 110 },
    { color: RED, isInside: (x, y) => Math.hypot(x - 128, y - 128) < 110 && Math.abs(x - 0.4 * y - 76) < 24 },
    { color: BLUE, isInside: (x, y) => Math.hypot(x - 50, y - 140) < 22 },
  ]);
  const rings = (bitmap: Bitmap): number => ringsOf(vectorize(bitmap, { stacking: 'cutouts' })).length;
  expect(rings(await saveLossy(clean))).toBe(rings(clean));
});

test.each([
  [ORANGE, WHITE],
  [PINK, ORANGE],
])('straight sides between %j and %j stay straight through compression', async (color, paper) => {
  const bar = {
    color,
    isInside: (x: number, y: number) => Math.abs(x + 0.22 * y - 150) < 90 && Math.abs(y - 0.22 * x - 100) < 60,
  };
  const bitmap = await saveLossy(draw(300, 260, paper, [bar]));
  for (const { ring } of ringsOf(vectorize(bitmap, { stacking: 'cutouts' }))) {
    expect(ring.segments.length).toBeLessThanOrEqual(8);
  }
});
