import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Bitmap, Drawing } from '../src/index.ts';
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

function distanceOf(color: string, [red, green, blue]: Color): number {
  const [r, g, b] = [1, 3, 5].map((k) => Number.parseInt(color.slice(k, k + 2), 16));
  return Math.hypot(r - red, g - green, b - blue);
}

/** Returns the degrees by which outlines turn at their nodes. */
function bendsOf(drawing: Drawing): number[] {
  return ringsOf(drawing).flatMap(({ ring }) => {
    const ends = ring.segments.map((segment, k) => {
      const from = k > 0 ? ring.segments[k - 1] : ring;
      const [x1, y1, x2, y2] = segment.isLine
        ? [segment.x, segment.y, from.x, from.y]
        : [segment.x1, segment.y1, segment.x2, segment.y2];
      return { start: Math.atan2(y1 - from.y, x1 - from.x), end: Math.atan2(segment.y - y2, segment.x - x2) };
    });
    return ends.map(({ start }, k) => {
      const turn = start - ends.at(k - 1)!.end;
      return (Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) * 180) / Math.PI;
    });
  });
}

const SKIN: Color = [238, 190, 170, 255];
const BROWN: Color = [126, 69, 51, 255];
const BLACK: Color = [0, 0, 0, 255];

test('the brown of an iris stays brown, though compression between skin and black gives it too', async () => {
  const round = (cx: number, cy: number, r: number) => (x: number, y: number) => Math.hypot(x - cx, y - cy) < r;
  const eyes = [90, 166].flatMap((cx) => [
    { color: WHITE, isInside: round(cx, 120, 16) },
    { color: BROWN, isInside: round(cx, 120, 10.5) },
    { color: BLACK, isInside: round(cx, 120, 6) },
  ]);
  const hair = { color: BLACK, isInside: (x: number, y: number) => y < 60 && Math.hypot(x - 128, y - 128) < 110 };
  const face = draw(256, 256, WHITE, [{ color: SKIN, isInside: round(128, 128, 100) }, hair, ...eyes]);
  const drawing = vectorize(await saveLossy(face));
  const irises = ringsOf(drawing).filter(({ color }) => distanceOf(color, BROWN) < 24);
  expect(irises).toHaveLength(2);
});

test('outlines of little contrast stay smooth through compression', async () => {
  const dark: Color = [70, 48, 52, 255];
  const light: Color = [92, 62, 66, 255];
  const panel = (x: number, y: number) => Math.hypot(Math.max(0, Math.abs(x - 200) - 110), y - 100) < 80;
  const clean = draw(400, 200, WHITE, [
    { color: dark, isInside: panel },
    { color: light, isInside: (x, y) => Math.hypot((x - 90) / 1.6, y - 100) < 34 },
    { color: light, isInside: (x, y) => Math.hypot(x - 200, (y - 100) / 1.4) < 31 },
    { color: light, isInside: (x, y) => Math.hypot(x - 300, y - 100) < 40 && x + y < 450 },
  ]);
  const bends = bendsOf(vectorize(await saveLossy(clean)));
  // The last shape has two corners of 28°.
  expect(bends.filter((bend) => bend > 1).length).toBe(2);
});
