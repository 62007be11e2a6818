import { expect, test } from 'vitest';
import { seededRandom } from '../svg/seededRandom.ts';
import { type LightFrame, measureLight, narrowFrame } from './surfaceLight.ts';

const random = seededRandom(4);
const sizePx = { width: 60, height: 40 };
const data = Uint8ClampedArray.from({ length: 4 * 60 * 40 }, () => 255 * random());
const picture = { ...sizePx, data };
/** 2 px a mm. */
const frame: LightFrame = {
  sizePx,
  middle: { x: 0.5, y: 0.5 },
  part: { left: 4, top: 6, right: 56, bottom: 34 },
  box: { x: -3, y: -1, width: 26, height: 14 },
};

test('the light around marks is that of the whole, at its place', () => {
  const whole = measureLight(picture, frame, 0.5);
  const narrow = narrowFrame(frame, [
    { x: 5, y: 2 },
    { x: 9, y: 2 },
    { x: 9, y: 4.3 },
    { x: 5, y: 4.3 },
  ]);
  const { part, box } = narrow;
  // 3 px around them.
  expect(part).toEqual({ left: 17, top: 9, right: 31, bottom: 20 });
  expect(box).toEqual({ x: 3.5, y: 0.5, width: 7, height: 5.5 });
  const light = measureLight(picture, narrow, 0.5);
  for (let y = part.top; y < part.bottom; y++) {
    const from = 4 * ((y - frame.part.top) * whole.width + part.left - frame.part.left);
    const row = whole.data.subarray(from, from + 4 * light.width);
    const own = 4 * (y - part.top) * light.width;
    expect([...light.data.subarray(own, own + 4 * light.width)]).toEqual([...row]);
  }
});

test('marks that reach beyond, or lie outside of it, widen no frame', () => {
  expect(
    narrowFrame(frame, [
      { x: -90, y: -90 },
      { x: 90, y: 90 },
    ]).part,
  ).toEqual(frame.part);
  expect(
    narrowFrame(frame, [
      { x: 80, y: 80 },
      { x: 90, y: 90 },
    ]),
  ).toBe(frame);
  expect(narrowFrame(frame, [])).toBe(frame);
});
