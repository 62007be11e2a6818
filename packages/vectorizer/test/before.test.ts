/** Tests of the steps before tracing: crop, adjustment and threshold. */
import { describe, expect, test } from 'vitest';
import { adjustBitmap, type Bitmap, type Drawing, type PixelBox, Tracer, vectorize, writeSvg } from '../src/index.ts';
import { cutAt } from '../src/pixels/cut.ts';
import { areaOf, BLACK, draw, flatten, paint, randomBytes, ringsOf, WHITE } from './raster.ts';

const next = randomBytes(5);
const noise: Bitmap = paint(41, 29, () => [next(), next(), next(), next()]);

const cropBitmap = (bitmap: Bitmap, box: PixelBox) => adjustBitmap(bitmap, { box });

describe('a box of a bitmap', () => {
  test('a box of a box equals the combined box', () => {
    const outer = { x: 5, y: 3, width: 30, height: 21 };
    const inner = { x: 7, y: 2, width: 11, height: 19 };
    const both = { x: 12, y: 5, width: 11, height: 19 };
    expect(cropBitmap(cropBitmap(noise, outer), inner)).toEqual(cropBitmap(noise, both));
  });

  test('copies the pixels of the box', () => {
    const { width, height, data } = cropBitmap(noise, { x: 40, y: 27, width: 1, height: 2 });
    expect([width, height]).toEqual([1, 2]);
    const at = (y: number) => [...noise.data.subarray((y * 41 + 40) * 4, (y * 41 + 41) * 4)];
    expect([...data]).toEqual([...at(27), ...at(28)]);
  });

  test('returns the bitmap itself for the whole box', () => {
    expect(cropBitmap(noise, { x: 0, y: 0, width: 41, height: 29 })).toBe(noise);
  });

  test.each([
    { x: 0, y: 0, width: 0, height: 5 },
    { x: -1, y: 0, width: 5, height: 5 },
    { x: 0.5, y: 0, width: 5, height: 5 },
    { x: 0, y: 20, width: 5, height: 10 },
  ])('rejects %o', (box) => {
    expect(() => cropBitmap(noise, box)).toThrow(RangeError);
  });
});

describe('adjustBitmap', () => {
  test('returns the bitmap itself without changes', () => {
    expect(adjustBitmap(noise, {})).toBe(noise);
    expect(adjustBitmap(noise, { brightness: 0, contrast: 0 })).toBe(noise);
  });

  test('leaves alpha and the given bitmap unchanged', () => {
    const before = noise.data.slice();
    const bright = adjustBitmap(noise, { brightness: 60, contrast: -20 });
    expect(noise.data).toEqual(before);
    for (let i = 3; i < before.length; i += 4) expect(bright.data[i]).toBe(before[i]);
  });

  const levels = paint(256, 1, (x) => [x, x, x, 255]);
  const table = (changes: object) => [...adjustBitmap(levels, changes).data].filter((_, i) => i % 4 === 0);

  test('never darkens with more brightness, and keeps the order of levels', () => {
    let last = table({ brightness: -100 });
    for (let brightness = -75; brightness <= 100; brightness += 25) {
      const now = table({ brightness });
      expect(now.every((level, i) => level >= last[i])).toBe(true);
      expect(now.every((level, i) => i === 0 || level >= now[i - 1])).toBe(true);
      last = now;
    }
    expect(table({ brightness: 100 })[0]).toBe(128);
    expect(table({ brightness: -100 })[255]).toBe(128);
  });

  test('moves levels away from the middle or toward it with contrast', () => {
    expect(table({ contrast: 100 }).filter((level) => level > 0 && level < 255).length).toBeLessThan(30);
    const flat = table({ contrast: -100 });
    expect(flat[255] - flat[0]).toBe(29);
    expect(table({ contrast: 40 })[127]).toBeCloseTo(127, -1);
  });

  test('gives the same result before and after cropping', () => {
    const box = { x: 3, y: 4, width: 20, height: 9 };
    const changes = { brightness: 12, contrast: 30 };
    expect(adjustBitmap(noise, { box, ...changes })).toEqual(adjustBitmap(adjustBitmap(noise, changes), { box }));
  });

  test('rejects values out of range', () => {
    expect(() => adjustBitmap(noise, { brightness: 101 })).toThrow('brightness must be between -100 and 100.');
    expect(() => adjustBitmap(noise, { contrast: Number.NaN })).toThrow(RangeError);
  });
});

describe('threshold', () => {
  const SIDE = 128;
  const MIDDLE = 64.3;
  /** Lightness rises linearly from the middle, so the level set of each threshold is a circle of known radius. */
  const cone = paint(SIDE, SIDE, (x, y) => {
    const gray = Math.min(255, Math.hypot(x + 0.5 - MIDDLE, y + 0.5 - MIDDLE) * 4.5);
    return [gray, gray, gray, 255];
  });
  const radius = (threshold: number) => (2.55 * threshold) / 4.5;
  const ink = (drawing: Drawing) => ringsOf(drawing).reduce((sum, { ring }) => sum + Math.abs(areaOf(ring)), 0);

  test('gives more ink at a higher level, pixel by pixel', () => {
    const gray = { ...noise, data: new Uint8ClampedArray(noise.data), opaque: true };
    for (let i = 0; i < gray.data.length; i += 4) gray.data.fill(gray.data[i], i, i + 3);
    let last = cutAt(gray, 2.55).data;
    for (let threshold = 2; threshold < 100; threshold++) {
      const now = cutAt(gray, 2.55 * threshold).data;
      expect(now.every((level, i) => level <= last[i])).toBe(true);
      last = now;
    }
  });

  test.each([20, 37, 50, 71, 90])('puts the boundary where the picture has %i per cent lightness', (threshold) => {
    const drawing = vectorize(cone, { colorMode: 'monochrome', threshold, shapes: false });
    const off = ringsOf(drawing).flatMap(({ ring }) =>
      flatten(ring, 8).map(([x, y]) => Math.hypot(x - MIDDLE, y - MIDDLE) - radius(threshold)),
    );
    expect(off.length).toBeGreaterThan(8);
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(0.12);
    expect(ink(drawing) / (Math.PI * radius(threshold) ** 2)).toBeCloseTo(1, 2);
  });

  test('moves the trace monotonically and without jumps', () => {
    const tracer = new Tracer(cone);
    const areas = [30, 31, 32, 33, 60].map((threshold) => ink(tracer.trace({ colorMode: 'monochrome', threshold })));
    for (let k = 1; k < areas.length; k++) expect(areas[k]).toBeGreaterThan(areas[k - 1] + 10);
    expect(areas[1] - areas[0]).toBeLessThan(100);
  });

  test('keeps hard edges within a tenth of a pixel at 50', () => {
    const disc = draw(64, 64, WHITE, [{ color: BLACK, isInside: (x, y) => Math.hypot(x - 32.2, y - 31.7) < 20 }]);
    const drawing = vectorize(disc, { colorMode: 'monochrome', threshold: 50 });
    for (const { ring } of ringsOf(drawing)) {
      for (const [x, y] of flatten(ring, 8)) expect(Math.abs(Math.hypot(x - 32.2, y - 31.7) - 20)).toBeLessThan(0.1);
    }
  });

  test('gives the same trace with a cached tracer', () => {
    const tracer = new Tracer(cone);
    for (const threshold of [40, undefined, 60, 40]) {
      const options = { colorMode: 'monochrome', ...(threshold && { threshold }) } as const;
      expect(writeSvg(tracer.trace(options))).toBe(writeSvg(vectorize(cone, options)));
    }
  });

  test('applies to sketches like to traces, whatever was sketched before', () => {
    const large = paint(700, 600, (x, y) => {
      const gray = Math.min(255, Math.hypot(x - 340, y - 300) * 0.9);
      return [gray, gray, gray, 255];
    });
    const tracer = new Tracer(large);
    for (const threshold of [30, undefined, 55, 30]) {
      const options = { colorMode: 'monochrome', ...(threshold && { threshold }) } as const;
      const sketch = tracer.sketch(options);
      expect(writeSvg(sketch)).toBe(writeSvg(new Tracer(large).sketch(options)));
      if (threshold) expect(ink(sketch) / (Math.PI * ((2.55 * threshold) / 0.9) ** 2)).toBeCloseTo(1, 1);
    }
  });

  test('is ignored in color, and rejected out of range', () => {
    expect(writeSvg(vectorize(cone, { threshold: 80 }))).toBe(writeSvg(vectorize(cone)));
    expect(() => vectorize(cone, { threshold: 0 })).toThrow('threshold must be between 1 and 99.');
  });
});

test('applies lineWidth to every line, drawn ones too', () => {
  const pen = draw(200, 160, WHITE, [
    { color: BLACK, isInside: (x, y) => Math.abs(Math.hypot(x - 100.2, y - 80.4) - 50) < 3 },
  ]);
  const widths = (options: object) =>
    vectorize(pen, options).layers.flatMap(({ paths }) => paths.map(({ strokeWidth }) => strokeWidth));
  expect(widths({ draw: 'centerline' })[0]).toBeCloseTo(6, 0);
  for (const draw of ['centerline', 'stroke', 'edges', 'outline']) {
    expect(new Set(widths({ draw, lineWidth: 0.0025 }))).toEqual(new Set([0.5]));
    const sketch = new Tracer(pen).sketch({ draw: draw as 'edges', lineWidth: 0.0025 });
    expect(sketch.layers[0].paths[0].strokeWidth).toBe(0.5);
  }
});
