import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom, lookAt, straightView, takePicture } from '../test/camera.ts';
import { blankPage, gridPage, paint } from '../test/pages.ts';
import { type Corners, estimateAspect, planWarp, warp } from './index.ts';

const noise = (width: number, height: number) => {
  const random = createRandom(7);
  const data = Uint8Array.from({ length: 4 * width * height }, () => Math.floor(random() * 256));
  for (let i = 3; i < data.length; i += 4) data[i] = 255;
  return { width, height, data };
};
const whole = (width: number, height: number): Corners => [
  { x: 0, y: 0 },
  { x: width, y: 0 },
  { x: width, y: height },
  { x: 0, y: height },
];

test('gives a picture back to the byte when nothing turns', () => {
  const picture = noise(37, 23);
  expect(warp(picture, { angleDeg: 0 })).toEqual(picture);
  expect(warp(picture, { corners: whole(37, 23) }, { size: picture })).toEqual(picture);
});

test('turns by a quarter without loss', () => {
  const picture = noise(12, 9);
  const result = warp(warp(picture, { angleDeg: 90 }), { angleDeg: -90 });
  expect(result).toEqual(picture);
});

test('maps points to the result and back', () => {
  const near = fc.record({
    x: fc.double({ min: -40, max: 40, noNaN: true }),
    y: fc.double({ min: -40, max: 40, noNaN: true }),
  });
  const spot = fc.record({
    x: fc.double({ min: 0, max: 400, noNaN: true }),
    y: fc.double({ min: 0, max: 300, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.tuple(near, near, near, near), spot, (shifts, point) => {
      const corners = whole(400, 300).map(({ x, y }, i) => ({
        x: x + shifts[i].x,
        y: y + shifts[i].y,
      })) as unknown as Corners;
      const plan = planWarp({ width: 400, height: 300 }, { corners });
      const there = plan.toPicture(plan.toResult(point));
      expect(Math.hypot(there.x - point.x, there.y - point.y)).toBeLessThan(1e-6);
      expect(plan.toResult(corners[2]).x).toBeCloseTo(plan.width, 6);
    }),
    { numRuns: 60 },
  );
});

test('a turned picture that is turned back is the picture', () => {
  const picture = takePicture(gridPage(), { ...straightView, width: 240, height: 180, blur: 1.2 });
  const there = warp(picture, { angleDeg: -7 });
  const back = warp(there, { angleDeg: 7 });
  const [left, top] = [Math.round((back.width - 240) / 2), Math.round((back.height - 180) / 2)];
  let sum = 0;
  for (let y = 20; y < 160; y++) {
    for (let x = 20; x < 220; x++) {
      sum += Math.abs(picture.data[4 * (y * 240 + x)] - back.data[4 * ((y + top) * back.width + x + left)]);
    }
  }
  // The result may lie half a pixel off, as its size is whole.
  expect(sum / (140 * 200)).toBeLessThan(6);
});

test('a turned edge has no stair steps', () => {
  const picture = paint(blankPage(300, 300, [255, 255, 255]), (_, y) => y > 150, [0, 0, 0]);
  const { width, height, data } = warp(picture, { angleDeg: 5 });
  // The edge's place in each column, by the sum of its ink, runs along a line.
  const place = (x: number) => {
    let ink = 0;
    for (let y = height / 2 - 60; y < height / 2 + 60; y++) ink += 255 - data[4 * (Math.round(y) * width + x)];
    return ink / 255;
  };
  const places = Array.from({ length: 200 }, (_, i) => place(Math.round(width / 2) - 100 + i));
  const slope = (places[199] - places[0]) / 199;
  expect(slope).toBeCloseTo(Math.tan((5 * Math.PI) / 180), 2);
  places.forEach((own, i) => {
    expect(Math.abs(own - places[0] - slope * i)).toBeLessThan(0.1);
  });
});

test('a much smaller result shows the mean of fine stripes', () => {
  const picture = paint(blankPage(600, 400, [255, 255, 255]), (x) => Math.floor(x) % 2 === 0, [0, 0, 0]);
  const small = warp(picture, { corners: whole(600, 400) }, { size: { width: 83, height: 59 } });
  expect([small.width, small.height]).toEqual([83, 59]);
  for (let y = 4; y < 55; y++) {
    for (let x = 4; x < 79; x++) {
      const value = small.data[4 * (y * 83 + x)];
      expect(value).toBeGreaterThan(105);
      expect(value).toBeLessThan(150);
    }
  }
});

test('fills what lies outside with the border, or leaves it clear', () => {
  const picture = blankPage(100, 60, [200, 40, 90]);
  const full = warp(picture, { angleDeg: 10 });
  const clear = warp(picture, { angleDeg: 10 }, { outside: 'clear' });
  expect([...full.data.subarray(0, 4)]).toEqual([200, 40, 90, 255]);
  expect([...clear.data.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  const middle = 4 * (Math.floor(clear.height / 2) * clear.width + Math.floor(clear.width / 2));
  expect([...clear.data.subarray(middle, middle + 4)]).toEqual([200, 40, 90, 255]);
});

test('noise at the border makes no streaks outside', () => {
  const random = createRandom(3);
  const picture = blankPage(300, 300, [180, 180, 180]);
  for (let i = 0; i < picture.data.length; i += 4) picture.data.fill(170 + 20 * random(), i, i + 3);
  const { width, data } = warp(picture, { angleDeg: 12 });
  // The first rows of the left corner lie outside.
  for (let x = 0; x < 100; x++) expect(Math.abs(data[4 * (3 * width + x)] - 180)).toBeLessThan(4);
});

test('colors of clear pixels do not show', () => {
  const picture = blankPage(40, 40, [0, 255, 0]);
  for (let i = 0; i < picture.data.length; i += 4) {
    const isMark = (i / 4) % 40 > 20;
    picture.data.set(isMark ? [200, 0, 0, 255] : [0, 255, 0, 0], i);
  }
  const { data } = warp(picture, { angleDeg: 13 });
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 0) expect(data[i + 1]).toBe(0);
});

test('a rectangle seen at an angle gets its own proportions', () => {
  const page = { width: 300, height: 200 };
  for (const [pitch, yaw, focal] of [
    [12, 9, 0.8],
    [-10, 12, 1.3],
    [14, -7, 1],
    [12, 0, 1],
    [0, 0, 2],
  ]) {
    const view = { ...straightView, pitch, yaw, focal, roll: 6 };
    const { toPicture } = lookAt(page, view);
    const corners = whole(300, 200).map(toPicture) as unknown as Corners;
    expect(estimateAspect(corners, view) / 1.5).toBeCloseTo(1, 2);
    const plan = planWarp(view, { corners });
    expect(plan.width / plan.height).toBeCloseTo(1.5, 1);
  }
});

test('refuses corners that are no convex quadrilateral', () => {
  const picture = blankPage(20, 20);
  const [a, b, c, d] = whole(20, 20);
  for (const corners of [
    [a, c, b, d],
    [a, b, b, d],
    [b, a, d, c],
    [a, b, { x: 3, y: 3 }, d],
  ] as const) {
    expect(() => warp(picture, { corners })).toThrow(RangeError);
  }
});
