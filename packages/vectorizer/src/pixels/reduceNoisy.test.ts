import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../test/scenes.ts';
import type { Drawing } from '../index.ts';
import { Tracer, vectorize } from '../index.ts';
import type { Bitmap } from './bitmap.ts';
import { halve, reduceNoisy } from './reduceNoisy.ts';

/** Pixels of a picture that is just large enough to be reduced, of an odd size. */
const [WIDE, HIGH] = [4051, 3999];
type Rgb = readonly [number, number, number];

/** Draws a picture of that size, `colorAt` each place, with uniform noise of up to so many levels. */
function drawLarge(colorAt: (x: number, y: number) => Rgb, noise: number): Bitmap {
  const random = randomFrom(3);
  const data = new Uint8ClampedArray(WIDE * HIGH * 4).fill(255);
  for (let y = 0, i = 0; y < HIGH; y++) {
    for (let x = 0; x < WIDE; x++, i += 4) {
      const color = colorAt(x + 0.5, y + 0.5);
      const grain = noise > 0 ? noise * (2 * random() - 1) : 0;
      for (let c = 0; c < 3; c++) data[i + c] = color[c] + grain;
    }
  }
  return { width: WIDE, height: HIGH, data };
}

describe('a bitmap of half the size', () => {
  const byte = fc.nat(255);
  const bitmap = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })).chain(([width, height]) =>
    fc
      .array(fc.tuple(byte, byte, byte, fc.constantFrom(0, 90, 255)), {
        minLength: width * height,
        maxLength: width * height,
      })
      .map((colors) => ({ width, height, data: Uint8ClampedArray.from(colors.flat()) })),
  );

  test('has the mean colors of 2 × 2 pixels, weighted by their alpha', () => {
    fc.assert(
      fc.property(bitmap, ({ width, height, data }) => {
        const half = halve({ width, height, data });
        expect([half.width, half.height]).toEqual([Math.ceil(width / 2), Math.ceil(height / 2)]);
        for (let at = 0; at < half.data.length; at += 4) {
          const [x, y] = [2 * ((at / 4) % half.width), 2 * Math.floor(at / 4 / half.width)];
          const own = [0, 1, 2, 3]
            .map((k) => [x + (k & 1), y + (k >> 1)])
            .filter(([u, v]) => u < width && v < height)
            .map(([u, v]) => data.subarray(4 * (v * width + u), 4 * (v * width + u) + 4));
          const alpha = own.reduce((sum, color) => sum + color[3], 0);
          expect(Math.abs(half.data[at + 3] - alpha / own.length)).toBeLessThanOrEqual(0.5);
          for (let c = 0; c < 3 && alpha > 0; c++) {
            const mean = own.reduce((sum, color) => sum + color[3] * color[c], 0) / alpha;
            expect(Math.abs(half.data[at + c] - mean)).toBeLessThanOrEqual(0.5);
          }
        }
      }),
    );
  });
});

// Large bitmaps are compared by `===`: a difference between them would be printed.
describe('a large picture', () => {
  const noisy = drawLarge(() => [120, 120, 120], 8);

  test('is reduced when it has the noise of a sensor, by two and once', () => {
    const half = reduceNoisy(noisy);
    expect([half.width, half.height]).toEqual([2026, 2000]);
    expect(reduceNoisy(half) === half).toBe(true);
  });

  test('is not reduced when it has none, or is smaller', () => {
    const clean = drawLarge((x) => (x < 900.5 ? [0, 0, 0] : [255, 255, 255]), 0);
    expect(reduceNoisy(clean) === clean).toBe(true);
    const rows = 3900;
    const small = { width: WIDE, height: rows, data: noisy.data.subarray(0, 4 * WIDE * rows) };
    expect(reduceNoisy(small) === small).toBe(true);
  });
});

describe('the trace of a large picture with noise', () => {
  // A disk, a bar of 10 px, and a ramp from one side to the other of a square.
  const [DISK, RADIUS] = [{ x: 1200.3, y: 1400.7 }, 640.4];
  const BAR = { y: 3200.5, half: 5 };
  const RAMP = { x: 2200, y: 500, side: 1600 };
  const colorAt = (x: number, y: number): Rgb => {
    if (Math.hypot(x - DISK.x, y - DISK.y) < RADIUS) return [30, 60, 170];
    if (x > 300 && x < 3700 && Math.abs(y - BAR.y) < BAR.half) return [20, 20, 20];
    const [u, v] = [(x - RAMP.x) / RAMP.side, (y - RAMP.y) / RAMP.side];
    if (u > 0 && u < 1 && v > 0 && v < 1) return [220 - 160 * u, 60, 40 + 160 * u];
    return [240, 240, 240];
  };
  const tracer = new Tracer(drawLarge(colorAt, 8));
  const pathsOf = (drawing: Drawing) => drawing.layers.flatMap(({ paths }) => paths);
  const circleOf = (drawing: Drawing) => {
    for (const { rings } of pathsOf(drawing)) {
      for (const { shape } of rings) if (shape?.kind === 'circle') return shape;
    }
    throw new Error('It has no circle.');
  };
  const plain = tracer.trace({});

  test('has places, sizes and gradients in pixels of the bitmap', () => {
    expect([plain.width, plain.height]).toEqual([WIDE, HIGH]);
    const circle = circleOf(plain);
    expect(Math.hypot(circle.x - DISK.x, circle.y - DISK.y)).toBeLessThan(0.2);
    expect(Math.abs(circle.radius - RADIUS)).toBeLessThan(0.2);
    const gradient = pathsOf(plain).find((path) => path.gradient)?.gradient;
    if (gradient?.kind !== 'linear') throw new Error('It has no linear gradient.');
    expect(Math.abs(gradient.y2 - gradient.y1)).toBeLessThan(0.05 * RAMP.side);
    const ends = [gradient.x1, gradient.x2].sort((a, b) => a - b);
    expect(Math.abs(ends[0] - RAMP.x)).toBeLessThan(0.1 * RAMP.side);
    expect(Math.abs(ends[1] - RAMP.x - RAMP.side)).toBeLessThan(0.1 * RAMP.side);
  });

  test('has line widths in pixels of the bitmap', () => {
    const widthsOf = (drawing: Drawing) => pathsOf(drawing).flatMap(({ strokeWidth }) => strokeWidth ?? []);
    expect(new Set(widthsOf(tracer.trace({ draw: 'stroke' })))).toEqual(new Set([1]));
    expect(new Set(widthsOf(tracer.trace({ draw: 'edges' })))).toEqual(new Set([1]));
    expect(new Set(widthsOf(tracer.trace({ draw: 'edges', lineWidth: 0.001 })))).toEqual(new Set([0.001 * WIDE]));
    const pen = drawLarge(
      (x, y) => (Math.abs(Math.hypot(x - 2000.2, y - 1500.3) - 900) < 5 ? [20, 20, 20] : [240, 240, 240]),
      8,
    );
    const lines = vectorize(pen, { draw: 'centerline' });
    expect(lines.lineArt).toBe(true);
    expect(widthsOf(lines)).toHaveLength(1);
    expect(Math.abs(widthsOf(lines)[0] - 10)).toBeLessThan(0.8);
  });

  test('drops what is thinner than the options say', () => {
    const hasBar = (minLineWidthMm: number) =>
      pathsOf(tracer.trace({ pixelsPerMm: 1, minLineWidthMm })).some(
        ({ color }) => Number.parseInt(color.slice(1, 3), 16) < 26,
      );
    expect([hasBar(7), hasBar(14)]).toEqual([true, false]);
  });

  test('is sketched in pixels of the bitmap', () => {
    const sketch = tracer.sketch({});
    expect([sketch.width, sketch.height]).toEqual([WIDE, HIGH]);
    const ends = pathsOf(sketch).flatMap(({ rings }) => rings.flatMap(({ segments }) => segments));
    expect(ends.some((end) => Math.abs(Math.hypot(end.x - DISK.x, end.y - DISK.y) - RADIUS) < 4)).toBe(true);
    expect(ends.every((end) => end.x <= WIDE && end.y <= HIGH)).toBe(true);
    expect(tracer.trace({})).toEqual(plain);
  });
});
