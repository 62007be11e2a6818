import { Composition } from '@markwright/scene';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { DrawInput } from '../platform/ports/mediaJobs.ts';
import { draw } from './draw.ts';

const GRAY = 176;
const SIDE = 2000;
const ground = await sharp({
  create: { width: SIDE, height: SIDE, channels: 3, background: { r: GRAY, g: GRAY, b: GRAY } },
})
  .webp({ lossless: true })
  .toBuffer();
const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${content}</svg>`;
/** A red block in the middle of its picture. */
const block = svg('<rect x="30" y="20" width="40" height="60" fill="#e00000"/>');

async function drawIn(stance: 'standing' | 'lying', picture: string) {
  const input: DrawInput = {
    composition: Composition.parse({ machine: 'uv', productId: 'p', elements: [] }),
    product: {
      picture: { bytes: Buffer.from(picture), mediaType: 'image/svg+xml' },
      pictureAspect: 1,
      printArea: { x: 0.4, y: 0.4, width: 0.2, height: 0.2 },
      printWidthInches: 1,
      printHeightInches: 1,
      finish: { material: 'ceramic', markColor: '#2B2A29' },
    },
    artworks: [],
    target: { kind: 'mockup' },
    surroundings: { picture: ground, stance },
  };
  const drawing = await draw(input);
  if (!('png' in drawing)) throw new Error('A mockup is a PNG.');
  const { data, info } = await sharp(drawing.png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([SIDE, SIDE]);
  return (x: number, y: number) => [...data.subarray(3 * (y * SIDE + x), 3 * (y * SIDE + x) + 3)];
}

const isRed = ([r = 0, g = 0]: number[]) => r > 200 && g < 40;

test('a thing stands on the line of the base, with its shadow at the right on the ground', {
  tags: ['detail'],
}, async () => {
  const at = await drawIn('standing', block);
  expect([isRed(at(975, 1680)), isRed(at(975, 1700))]).toEqual([true, false]);
  // 40 x 60 of its picture, as tall as there is room for.
  expect([isRed(at(975, 440)), isRed(at(975, 420))]).toEqual([true, false]);
  expect([isRed(at(565, 1000)), isRed(at(545, 1000))]).toEqual([true, false]);
  const [left, right] = [at(480, 1650)[1]!, at(1470, 1650)[1]!];
  expect(right).toBeLessThan(GRAY - 25);
  expect(left).toBeGreaterThan(right + 20);
  // None above the ground, and none far away.
  for (const [x, y] of [
    [1500, 900],
    [20, 20],
    [1980, 1980],
  ] as const) {
    expect(at(x, y)).toEqual([GRAY, GRAY, GRAY]);
  }
});

test('a thing lies in the middle, with its shadow at the lower right', async () => {
  const at = await drawIn('lying', block);
  expect([isRed(at(1000, 985)), isRed(at(1000, 350)), isRed(at(1000, 320))]).toEqual([true, true, false]);
  const [lowerRight, upperLeft] = [at(1455, 1655)[1]!, at(545, 315)[1]!];
  expect(lowerRight).toBeLessThan(GRAY - 12);
  expect(upperLeft).toBeGreaterThan(lowerRight + 10);
});

test('a picture with a background is refused in a sentence', { tags: ['detail'] }, async () => {
  const picture = svg('<rect width="100" height="100" fill="#fff"/><rect x="30" y="20" width="40" height="60"/>');
  await expect(drawIn('standing', picture)).rejects.toThrow(/has a background, so the product cannot stand/);
});
