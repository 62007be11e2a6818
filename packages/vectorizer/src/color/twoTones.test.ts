import { describe, expect, test } from 'vitest';
import { areaOf, CLEAR, type Color, draw, paint, ringsOf } from '../../test/raster.ts';
import { addNoise } from '../../test/scenes.ts';
import { Tracer, vectorize } from '../index.ts';

const SIZE = 160;
const gray = (level: number): Color => [level, level, level, 255];

/** Draws a disk of an ink before paper, with noise of so many levels, and returns the areas of its trace in black. */
function traceDisk(ink: number, paper: number, radius: number, noise: number): number[] {
  const isInside = (x: number, y: number): boolean => Math.hypot(x - 80, y - 80) < radius;
  const art = draw(SIZE, SIZE, gray(paper), [{ color: gray(ink), isInside }]);
  const drawing = vectorize(noise > 0 ? addNoise(art, noise, 11) : art, { colorMode: 'monochrome' });
  return ringsOf(drawing).map(({ ring }) => Math.abs(areaOf(ring)));
}

describe('art of low contrast in black finds its threshold by itself', () => {
  test.each([
    ['pale gray before white', 236, 252, 40, 0],
    ['pale gray before white, with noise', 228, 252, 40, 2],
    ['gray before gray', 140, 152, 40, 0],
    ['gray before gray, with noise', 128, 152, 40, 2],
    ['near black before black', 20, 34, 40, 0],
    ['a hundredth of the picture', 215, 240, 9, 1],
  ])('%s', (_name, ink, paper, radius, noise) => {
    const areas = traceDisk(ink, paper, radius, noise);
    expect(areas).toHaveLength(1);
    expect(areas[0]! / (Math.PI * radius ** 2)).toBeCloseTo(1, 1);
  });
});

interface Disk {
  x: number;
  y: number;
  radius: number;
  gray: number;
}

const drawDisks = (paper: Color, disks: readonly Disk[], size = SIZE) =>
  draw(
    size,
    size,
    paper,
    disks.map(({ x, y, radius, gray: level }) => ({
      color: gray(level),
      isInside: (u: number, v: number) => Math.hypot(u - x, v - y) < radius,
    })),
  );
const areasOf = (drawing: Parameters<typeof ringsOf>[0]): number[] =>
  ringsOf(drawing)
    .map(({ ring }) => Math.abs(areaOf(ring)))
    .sort((p, q) => q - p);
const circle = (radius: number): number => Math.PI * radius ** 2;

describe('a drawing in several grays', () => {
  const three = [
    { x: 50, y: 50, radius: 36, gray: 0 },
    { x: 118, y: 60, radius: 24, gray: 110 },
    { x: 70, y: 120, radius: 30, gray: 190 },
  ];

  test.each([
    ['clean', 0, 0.003],
    ['with noise', 5, 0.01],
  ])('keeps each edge in its place, %s', (_name, noise, share) => {
    const art = drawDisks(gray(255), three);
    const areas = areasOf(vectorize(noise > 0 ? addNoise(art, noise, 3) : art, { colorMode: 'monochrome' }));
    expect(areas).toHaveLength(3);
    [36, 30, 24].forEach((radius, k) => {
      expect(Math.abs(areas[k]! / circle(radius) - 1), `${radius}`).toBeLessThan(share);
    });
  });

  test('is not torn where noise crosses the threshold', () => {
    const face = [
      { x: 80, y: 80, radius: 64, gray: 70 },
      { x: 80, y: 84, radius: 36, gray: 155 },
      { x: 64, y: 76, radius: 8, gray: 30 },
      { x: 96, y: 76, radius: 8, gray: 30 },
    ];
    // An outline alone, or with the face and both eyes: whichever side the face is on, it is in one piece.
    expect([1, 4]).toContain(
      areasOf(vectorize(addNoise(drawDisks(gray(250), face), 7, 5), { colorMode: 'monochrome' })).length,
    );
  });

  test('keeps a pale part beside a black one, which Otsu alone gives to white paper', () => {
    const logo = [
      { x: 45, y: 80, radius: 30, gray: 50 },
      { x: 115, y: 80, radius: 36, gray: 195 },
    ];
    expect(areasOf(vectorize(drawDisks(gray(255), logo), { colorMode: 'monochrome' }))).toHaveLength(2);
  });

  test('is not cut within a gradient', () => {
    const shade = (x: number): Color => gray(Math.round(60 + x));
    const bands = Array.from({ length: SIZE }, (_, k) => ({
      color: shade(k),
      isInside: (x: number, y: number) => x >= k && x < k + 1 && Math.hypot(x - 80, y - 80) < 60,
    }));
    const areas = areasOf(vectorize(draw(SIZE, SIZE, gray(255), bands), { colorMode: 'monochrome' }));
    expect(areas).toHaveLength(1);
    expect(areas[0]! / circle(60)).toBeCloseTo(1, 2);
  });

  test('has the same shapes in a sketch', () => {
    const large = drawDisks(
      gray(255),
      three.map(({ x, y, radius, ...rest }) => ({ x: 4 * x, y: 4 * y, radius: 4 * radius, ...rest })),
      4 * SIZE,
    );
    const tracer = new Tracer(large);
    const sketch = areasOf(tracer.sketch({ colorMode: 'monochrome' }));
    const trace = areasOf(tracer.trace({ colorMode: 'monochrome' }));
    expect(sketch).toHaveLength(3);
    sketch.forEach((area, k) => {
      expect(area / trace[k]!).toBeCloseTo(1, 1);
    });
  });

  test('keeps the lights of a shaded cut-out as paper', () => {
    const bands = Array.from({ length: SIZE }, (_, k) => ({
      color: gray(Math.round(20 + 1.4 * k)),
      isInside: (x: number, y: number) => x >= k && x < k + 1 && Math.hypot(x - 80, y - 80) < 60,
    }));
    const [area, ...others] = areasOf(vectorize(draw(SIZE, SIZE, CLEAR, bands), { colorMode: 'monochrome' }));
    expect(others).toEqual([]);
    expect(area! / circle(60)).toBeGreaterThan(0.3);
    expect(area! / circle(60)).toBeLessThan(0.7);
  });

  test.each([
    [20, [36]],
    [42, [36]],
    [44, [36, 24]],
    [60, [36, 24]],
    [70, [36, 24]],
    [80, [36, 30, 24]],
    [90, [36, 30, 24]],
  ])('keeps each edge in its place under a threshold of %i %%', (threshold, radii) => {
    const options = { colorMode: 'monochrome' as const, threshold };
    for (const noise of [0, 5]) {
      const art = drawDisks(gray(255), three);
      const bitmap = noise > 0 ? addNoise(art, noise, 3) : art;
      const areas = areasOf(vectorize(bitmap, options));
      expect(areas).toHaveLength(radii.length);
      radii.forEach((radius, k) => {
        expect(Math.abs(areas[k]! / circle(radius) - 1), `${radius}`).toBeLessThan(noise > 0 ? 0.01 : 0.003);
      });
      expect(areasOf(new Tracer(bitmap).sketch(options))).toHaveLength(radii.length);
    }
  });

  test('is cut within a gradient where the threshold lies there', () => {
    const bands = Array.from({ length: SIZE }, (_, k) => ({
      color: gray(Math.round(40 + 1.2 * k)),
      isInside: (x: number) => x >= k && x < k + 1,
    }));
    const frame = {
      color: gray(0),
      isInside: (x: number, y: number) => Math.abs(x - 80) > 70 || Math.abs(y - 80) > 70,
    };
    const art = draw(SIZE, SIZE, gray(255), [...bands, frame]);
    const [low, high] = [40, 60].map((threshold) => {
      const areas = areasOf(vectorize(art, { colorMode: 'monochrome', threshold }));
      return areas.reduce((sum, area) => sum + area, 0);
    });
    // From one threshold to the next, the level moves by 51 bytes, or 42.5 columns of 140 px.
    const shift = Math.abs(high! - low!);
    expect(shift / (42.5 * 140)).toBeCloseTo(1, 1);
  });

  test('grows with the threshold where its edges are soft', () => {
    const art = paint(SIZE, SIZE, (x, y) =>
      gray(Math.max(20, Math.min(250, 20 + 5 * (Math.hypot(x - 80, y - 80) - 20)))),
    );
    for (const threshold of [20, 50, 80]) {
      const [area, ...others] = areasOf(vectorize(art, { colorMode: 'monochrome', threshold }));
      expect(others).toEqual([]);
      // The edge is where the ramp of 5 levels a pixel comes to the threshold.
      expect(Math.sqrt(area! / Math.PI) - 20 - (2.55 * threshold - 20) / 5).toBeCloseTo(0, 0);
    }
  });

  test('is all paper or all ink beyond its grays', () => {
    const art = drawDisks(
      gray(240),
      three.map((disk) => ({ ...disk, gray: disk.gray + 30 })),
    );
    expect(areasOf(vectorize(art, { colorMode: 'monochrome', threshold: 5 }))).toEqual([]);
    const [all, ...others] = areasOf(vectorize(art, { colorMode: 'monochrome', threshold: 99 }));
    expect(others).toEqual([]);
    expect(all! / SIZE ** 2).toBeCloseTo(1, 1);
  });
});
