/** Properties of every picture and every option, tested on seeded random ones. A failure names its seed. */
import { describe, expect, test } from 'vitest';
import { OUTSIDE, traceBoundary } from '../src/boundary/boundary.ts';
import type { Bitmap, Drawing, Ring, VectorizeOptions } from '../src/index.ts';
import { Tracer, vectorize, writeSvg } from '../src/index.ts';
import { findRegions } from '../src/regions/regions.ts';
import { areaOf, BLACK, CLEAR, type Color, countCrossings, flatten, paint, ringsOf, turn, WHITE } from './raster.ts';
import {
  addBlocks,
  addNoise,
  drawScene,
  randomBitmap,
  randomFrom,
  randomScene,
  type SceneBitmap,
  toHex,
} from './scenes.ts';

/** Returns the first seeds: a few in `npm test`, all that are known to be good in `npm run test:stress`. */
const seeds = (quick: number, stress = quick): number[] =>
  Array.from({ length: process.env.TEST_TIER === 'stress' ? stress : Math.ceil(quick / 2) }, (_, k) => k + 1);

function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)];
}

/** Returns random options in range. Each keeps its default half of the time. */
function randomOptions(random: () => number): VectorizeOptions {
  const options: VectorizeOptions = {};
  const maybe = (): boolean => random() < 0.5;
  if (maybe()) options.maxColors = pick(random, [2, 3, 5, 16, 256]);
  if (maybe()) options.colorMode = pick(random, ['color', 'grayscale', 'monochrome']);
  if (maybe()) options.ink = '#1a2B3c';
  if (maybe()) options.threshold = pick(random, [1, 35, 50, 80, 99]);
  if (maybe()) options.dropBackground = maybe();
  if (maybe()) options.dropLight = maybe();
  if (maybe()) options.despeckle = pick(random, [0, 0.5, 2, 10]);
  if (maybe()) options.stacking = pick(random, ['cutouts', 'stacked']);
  if (maybe()) options.draw = pick(random, ['fill', 'stroke', 'edges', 'centerline', 'outline']);
  if (maybe()) options.gradients = maybe();
  if (maybe()) options.simplify = pick(random, [0, 0.2, 1]);
  if (maybe()) options.groupBy = pick(random, ['color', 'shape', 'none']);
  if (maybe()) options.tolerance = pick(random, [0.02, 0.3, 2]);
  if (maybe()) options.quality = pick(random, ['draft', 'coarse', 'standard', 'fine']);
  return options;
}

/** The center line of a stroke may lie this far outside the picture, in px. */
const STROKE_SLACK = 1;

/** Expects every number to be finite, every path to be inside the picture, and every filled path to be closed. */
function expectSound(drawing: Drawing, { width, height }: Bitmap): void {
  let least = 0;
  let finite = true;
  let isClosed = true;
  for (const { ring, isStroke } of ringsOf(drawing)) {
    const last = ring.segments[ring.segments.length - 1];
    const slack = isStroke ? STROKE_SLACK : 0;
    if (!last || (!ring.isOpen && (last.x !== ring.x || last.y !== ring.y))) isClosed = false;
    for (const [x, y] of flatten(ring, 8)) {
      if (!Number.isFinite(x) || !Number.isFinite(y)) finite = false;
      least = Math.min(least, slack + x, slack + y, slack + width - x, slack + height - y);
    }
  }
  expect({ finite, closed: isClosed }).toEqual({ finite: true, closed: true });
  expect(least).toBeGreaterThan(-0.01);
  expect(writeSvg(drawing)).not.toMatch(/NaN|Infinity|undefined/);
}

/** Returns the painted area of each color in px². */
function paintedAreas(drawing: Drawing): Map<string, number> {
  const areas = new Map<string, number>();
  for (const { color, ring } of ringsOf(drawing)) areas.set(color, (areas.get(color) ?? 0) - areaOf(ring));
  return areas;
}

/** Draws smooth noise in three octaves with a little sensor noise: bands of color that end in thin, faint tips. */
function drawHaze(seed: number, size: number): Bitmap {
  const random = randomFrom(seed);
  const waves = Array.from({ length: 9 }, (_, i) => ({
    fx: (random() - 0.5) * 2 ** (i / 3) * 4,
    fy: (random() - 0.5) * 2 ** (i / 3) * 4,
    phase: random() * 6.3,
    height: 60 / 2 ** (i / 3),
  }));
  return paint(size, size, (x, y) => {
    const channel = (c: number): number => {
      const haze = waves.map(
        ({ fx, fy, phase, height }) => height * Math.sin((fx * x + fy * y) / size + phase + c * 0.4),
      );
      return Math.max(0, Math.min(255, 120 + 20 * c + sum(haze) + (random() - 0.5) * 8));
    };
    return [channel(0), channel(1), channel(2), 255];
  });
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
const segmentsOf = (drawing: Drawing): number => sum(ringsOf(drawing).map(({ ring }) => ring.segments.length));

describe('the planar map of random labels', () => {
  test.each(seeds(12))('assigns every crack between two regions to one chain with both regions (seed %i)', (seed) => {
    const random = randomFrom(seed);
    const width = 1 + Math.floor(random() * 40);
    const height = 1 + Math.floor(random() * 40);
    const colors = 1 + Math.floor(random() * 5);
    const coarse = 1 + Math.floor(random() * 3);
    const cell = Array.from({ length: 41 * 41 }, () => Math.floor(random() * colors));
    const labels = Uint16Array.from({ length: width * height }, (_, i) => {
      const x = i % width;
      return cell[Math.floor((i - x) / width / coarse) * 41 + Math.floor(x / coarse)];
    });
    const regions = findRegions(labels, width, height);
    const map = traceBoundary(regions);
    const stride = width + 1;
    const idAt = (x: number, y: number): number =>
      x < 0 || y < 0 || x >= width || y >= height ? OUTSIDE : regions.ids[y * width + x];

    const walkedCracks = new Set<string>();
    const doubleAreas = new Float64Array(regions.count); // by region: twice the area enclosed by its chains
    const junctions = new Set(map.junctions);
    for (const { left, right, start, end, from, to } of map.chains) {
      expect(left).not.toBe(right);
      if (start < 0) expect(map.path[from]).toBe(map.path[to]);
      else expect([map.path[from], map.path[to]]).toEqual([map.junctions[start], map.junctions[end]]);
      for (let k = from; k < to; k++) {
        const [a, b] = [map.path[k], map.path[k + 1]];
        const [x, y, u, v] = [a % stride, Math.floor(a / stride), b % stride, Math.floor(b / stride)];
        expect(Math.abs(u - x) + Math.abs(v - y)).toBe(1);
        if (k > from) expect(junctions.has(a)).toBe(false);
        const key = a < b ? `${a}-${b}` : `${b}-${a}`;
        expect(walkedCracks.has(key)).toBe(false);
        walkedCracks.add(key);
        // The pixels on the left and right of the crack in the direction of travel.
        const [west, north] = [Math.min(x, u), Math.min(y, v)];
        const sides = v === y ? [idAt(west, y - 1), idAt(west, y)] : [idAt(x, north), idAt(x - 1, north)];
        if (u < x || v < y) sides.reverse();
        expect(sides).toEqual([left, right]);
        const cross = x * v - u * y;
        if (left !== OUTSIDE) doubleAreas[left] -= cross;
        if (right !== OUTSIDE) doubleAreas[right] += cross;
      }
    }
    let cracks = 0;
    for (let y = 0; y <= height; y++) {
      for (let x = 0; x <= width; x++) {
        if (x < width && idAt(x, y) !== idAt(x, y - 1)) cracks++;
        if (y < height && idAt(x, y) !== idAt(x - 1, y)) cracks++;
      }
    }
    expect(walkedCracks.size).toBe(cracks);
    expect([...doubleAreas]).toEqual([...regions.areaOf].map((area) => 2 * area));
  });
});

const sceneCache = new Map<string, SceneBitmap>();

/** Scenes are slow to draw and are used by several tests. */
function sceneOf(seed: number, options: { split?: boolean; count?: number } = {}): SceneBitmap {
  const key = `${seed} ${JSON.stringify(options)}`;
  if (!sceneCache.has(key)) sceneCache.set(key, drawScene(randomScene(seed, options)));
  return sceneCache.get(key)!;
}

/** Kinds of damage to a picture, and the allowed error of an area, in px along the shapes' outlines. */
const damages: [string, (bitmap: Bitmap) => Bitmap, number][] = [
  ['clean', (bitmap) => bitmap, 0.08],
  ['noisy', (bitmap) => addNoise(bitmap, 6, 5), 0.15],
  ['in blocks', (bitmap) => addBlocks(bitmap, 6), 0.2],
];

describe.each(damages)('random scenes, %s', (_, damage, slack) => {
  test.each(seeds(2, 6))('covers the picture once with cut-outs, each color with its true area (seed %i)', (seed) => {
    const { bitmap: whole, areas: truth } = sceneOf(seed);
    const bitmap = damage(whole);
    const drawing = vectorize(bitmap, { stacking: 'cutouts', despeckle: 0 });
    expectSound(drawing, bitmap);
    expect(drawing.background).toBeUndefined();
    const paintAreas = paintedAreas(drawing);
    expect(Math.abs(sum(paintAreas.values()) - bitmap.width * bitmap.height)).toBeLessThan(1e-6);

    // Returns the color of the scene nearest to a painted one.
    const nearest = (color: string): string => {
      const near = [...truth.keys()].map((other): [number, string] => [apart(color, other), other]);
      return near.sort((a, b) => a[0] - b[0])[0][1];
    };
    const areaByTruth = new Map<string, number>();
    for (const [color, area] of paintAreas)
      areaByTruth.set(nearest(color), (areaByTruth.get(nearest(color)) ?? 0) + area);
    const length = new Map<string, number>();
    for (const { color, ring } of ringsOf(drawing)) {
      length.set(nearest(color), (length.get(nearest(color)) ?? 0) + lengthOf(ring));
    }
    for (const [color, area] of truth) {
      if (area < 12) continue; // a sliver may go to its neighbor
      expect(Math.abs((areaByTruth.get(color) ?? 0) - area)).toBeLessThan(12 + slack * (length.get(color) ?? 0));
    }
  });

  test.each(seeds(2, 6))(
    'shares boundaries between neighbors to the last digit, once in each direction (seed %i)',
    (seed) => {
      const bitmap = damage(sceneOf(seed).bitmap);
      const drawing = vectorize(bitmap, { stacking: 'cutouts', groupBy: 'shape' });
      const { width, height } = bitmap;
      const segmentCounts = new Map<string, number>();
      const opposite = new Map<string, string>();
      for (const { ring } of ringsOf(drawing)) {
        let { x, y } = ring;
        for (const s of ring.segments) {
          const onFrame = (at: number, to: number, size: number) => at === to && (at === 0 || at === size);
          const isFrame = s.isLine && (onFrame(x, s.x, width) || onFrame(y, s.y, height));
          const there = s.isLine ? [x, y, s.x, s.y] : [x, y, s.x1, s.y1, s.x2, s.y2, s.x, s.y];
          const back = s.isLine ? [s.x, s.y, x, y] : [s.x, s.y, s.x2, s.y2, s.x1, s.y1, x, y];
          if (!isFrame) {
            segmentCounts.set(there.join(), (segmentCounts.get(there.join()) ?? 0) + 1);
            opposite.set(there.join(), back.join());
          }
          ({ x, y } = s);
        }
      }
      expect(segmentCounts.size).toBeGreaterThan(20);
      expect(
        [...segmentCounts].filter(([key, count]) => count !== 1 || segmentCounts.get(opposite.get(key)!) !== 1),
      ).toEqual([]);
    },
  );

  test.each(seeds(2, 4))(
    'draws valid stacked shapes that paint at least the area of the cut-outs (seed %i)',
    (seed) => {
      const bitmap = damage(sceneOf(seed, { split: false }).bitmap);
      const stackDrawing = vectorize(bitmap, { stacking: 'stacked' });
      expectSound(stackDrawing, bitmap);
      const cut = paintedAreas(vectorize(bitmap, { stacking: 'cutouts' }));
      const layers = paintedAreas(stackDrawing);
      expect([...layers.keys()].sort()).toEqual([...cut.keys()].sort());
      for (const [color, area] of cut) expect(layers.get(color)).toBeGreaterThan(area - 1);
    },
  );

  // Scene 5 contains a cut-out whose sides pass each other at two near junctions: a known fault of the fit.
  test.each(seeds(3, 6).filter((seed) => seed !== 5))('draws no ring that crosses itself (seed %i)', (seed) => {
    for (const stacking of ['cutouts', 'stacked'] as const) {
      const drawing = vectorize(damage(sceneOf(seed).bitmap), { stacking });
      expect(sum(ringsOf(drawing).map(({ ring }) => countCrossings(ring)))).toBe(0);
    }
  });
});

/** Returns the distance of two colors in byte levels. */
function apart(a: string, b: string): number {
  const channel = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return Math.hypot(...[1, 3, 5].map((at) => channel(a, at) - channel(b, at)));
}

function lengthOf(ring: Ring): number {
  const points = flatten(ring, 8);
  let length = 0;
  for (let k = 1; k < points.length; k++) {
    length += Math.hypot(points[k][0] - points[k - 1][0], points[k][1] - points[k - 1][1]);
  }
  return length;
}

/**
 * Scans run along rows first, ties break by index, and junctions are visited in order, so a rotated picture does not
 * give exactly rotated numbers. It must give the same shapes.
 */
describe('a picture rotated by a quarter turn', () => {
  const outline = (drawing: Drawing): [number, number][][] => ringsOf(drawing).map(({ ring }) => flatten(ring, 12));

  /** Returns the distances of points, half a pixel apart along `from`, to the lines of `to`. */
  const distances = (from: [number, number][][], to: [number, number][][]): number[] => {
    const result: number[] = [];
    for (const line of from) {
      for (let k = 1; k < line.length; k++) {
        const [ax, ay] = line[k - 1];
        const [bx, by] = line[k];
        const steps = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) * 2));
        for (let s = 0; s < steps; s++) {
          const x = ax + ((bx - ax) * s) / steps;
          const y = ay + ((by - ay) * s) / steps;
          let best = Infinity;
          for (const other of to) {
            for (let j = 1; j < other.length; j++) {
              const [px, py] = other[j - 1];
              const dx = other[j][0] - px;
              const dy = other[j][1] - py;
              const t = Math.max(0, Math.min(1, ((x - px) * dx + (y - py) * dy) / (dx * dx + dy * dy || 1)));
              best = Math.min(best, Math.hypot(x - px - t * dx, y - py - t * dy));
            }
          }
          result.push(best);
        }
      }
    }
    return result;
  };

  test.each(seeds(2, 5))('gives the same shapes rotated (seed %i)', (seed) => {
    const { bitmap } = sceneOf(seed, { count: 3 });
    const straight = vectorize(bitmap, { stacking: 'cutouts' });
    const quarterTurn = vectorize(turn(bitmap), { stacking: 'cutouts' });
    expect([...paintedAreas(quarterTurn).keys()].sort()).toEqual([...paintedAreas(straight).keys()].sort());
    const back = outline(quarterTurn).map((line) => line.map(([x, y]): [number, number] => [y, bitmap.height - x]));
    for (const offsets of [distances(outline(straight), back), distances(back, outline(straight))]) {
      offsets.sort((a, b) => a - b);
      expect(sum(offsets) / offsets.length).toBeLessThan(0.03);
      expect(offsets[Math.floor(offsets.length * 0.98)]).toBeLessThan(0.25);
    }
  });
});

describe('fuzz', () => {
  test.each(seeds(4, 8))('draws random bytes with random options as valid drawings (seed %i)', (seed) => {
    for (let round = 0; round < 12; round++) {
      const random = randomFrom(1000 * seed + round);
      const size = (): number => 1 + Math.floor(random() * 64);
      const bitmap = randomBitmap(random, size(), size());
      const options = randomOptions(random);
      try {
        expectSound(vectorize(bitmap, options), bitmap);
      } catch (error) {
        throw new Error(`seed ${seed}, round ${round}, ${JSON.stringify(options)}`, { cause: error });
      }
    }
  });

  test.each([
    [1, 'grayscale'],
    [30, 'grayscale'],
    [34, 'grayscale'],
    [22, 'color'],
    [23, 'color'],
    [33, 'color'],
  ] as const)('draws the center lines of a hazy photograph as valid strokes (seed %i, %s)', (seed, colorMode) => {
    const bitmap = drawHaze(seed, 50);
    expectSound(vectorize(bitmap, { draw: 'centerline', colorMode, gradients: false }), bitmap);
  });

  test('rejects values out of range with a RangeError and no other error', () => {
    const strange = [-1, 0, 1, 1.5, 11, 300, Number.NaN, Infinity, '', 'red', '#12345', null, [], {}, true];
    const names = ['maxColors', 'colorMode', 'ink', 'despeckle', 'stacking', 'draw', 'groupBy', 'tolerance', 'quality'];
    const bitmap = paint(8, 8, (x) => (x < 4 ? BLACK : WHITE));
    let refusals = 0;
    for (const name of names) {
      for (const value of strange) {
        try {
          expectSound(vectorize(bitmap, { [name]: value } as VectorizeOptions), bitmap);
        } catch (error) {
          if (!(error instanceof RangeError)) throw new Error(`${name}: ${value}`, { cause: error });
          refusals++;
        }
      }
    }
    expect(refusals).toBeGreaterThan(names.length * 9);
  });

  test.each([
    [0, 4, 0],
    [4, 0, 0],
    [1.5, 4, 24],
    [-2, -2, 16],
    [4, 4, 63],
    [Number.NaN, 4, 16],
    [1e6, 1e6, 4],
  ])('rejects a bitmap of %f × %f with %i bytes', (width, height, length) => {
    expect(() => vectorize({ width, height, data: new Uint8Array(length) })).toThrow(RangeError);
  });
});

describe('a tracer', () => {
  const bitmap = addNoise(sceneOf(1, { split: false }).bitmap, 4, 1);

  test.each(seeds(2, 3))('with cached stages gives the bytes of a new one, whatever came before (seed %i)', (seed) => {
    const random = randomFrom(300 + seed);
    const tracer = new Tracer(bitmap);
    for (let k = 0; k < 8; k++) {
      const options = randomOptions(random);
      expect(writeSvg(tracer.trace(options))).toBe(writeSvg(vectorize(bitmap, options)));
    }
  });

  test.each(seeds(2, 4))('reports each stage once, from 0 to 1, the same ones every time (seed %i)', (seed) => {
    const options = randomOptions(randomFrom(400 + seed));
    const tracer = new Tracer(bitmap);
    const follow = (): [string, number][] => {
      const calls: [string, number][] = [];
      tracer.trace({ ...options, onProgress: (stage, fraction) => calls.push([stage, fraction]) });
      return calls;
    };
    const calls = follow();
    const fractions = calls.map(([, fraction]) => fraction);
    expect([...fractions].sort((a, b) => a - b)).toEqual(fractions);
    expect([fractions[0], fractions[fractions.length - 1]]).toEqual([0, 1]);
    const stages = calls.map(([stage]) => stage);
    expect(new Set(stages).size).toBe(stages.length);
    for (const stage of stages) expect(stage).toMatch(/^[a-z]+$/);
    expect(stages.length).toBeGreaterThan(5);
    expect(follow()).toEqual(calls);
  });

  test('can be aborted at every stage and used again', () => {
    const stages: string[] = [];
    const whole = writeSvg(vectorize(bitmap, { onProgress: (stage) => stages.push(stage) }));
    const tracer = new Tracer(bitmap);
    for (const at of stages.slice(0, -1)) {
      const signal = { aborted: false };
      const onProgress = (stage: string) => {
        if (stage === at) signal.aborted = true;
      };
      expect(() => tracer.trace({ signal, onProgress }), at).toThrow(expect.objectContaining({ name: 'AbortError' }));
      expect(writeSvg(tracer.trace()), at).toBe(whole);
    }
    expect(() => tracer.trace({ signal: { aborted: true } })).toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  test('does not change the bitmap', () => {
    const before = Uint8ClampedArray.from(bitmap.data);
    vectorize(bitmap);
    expect(bitmap.data.every((value, k) => value === before[k])).toBe(true);
  });
});

/**
 * Pictures that provoke the worst case. A drawing may not have more segments than a small multiple of the pixels, and
 * drawings of simple pictures must be small.
 */
describe('hostile pictures', () => {
  const random = randomFrom(99);
  const byte = (): number => Math.floor(random() * 256);
  const ramp = (x: number, y: number): Color => [x, y, (x + y) >> 1, 255];
  /**
   * The largest number of segments by default, and as cut-outs without despeckling, where a single pixel is a square of
   * four segments.
   */
  const cases: [string, number, number, () => Bitmap][] = [
    ['one pixel', 4, 4, () => paint(1, 1, () => [9, 99, 200, 255])],
    ['one clear pixel', 0, 0, () => paint(1, 1, () => CLEAR)],
    ['a row of 20,000 px', 4 * 20_000, 4 * 20_000, () => paint(20_000, 1, (x) => (x & 1 ? BLACK : WHITE))],
    ['a column of 20,000 px', 1000, 4 * 20_000, () => paint(1, 20_000, (_, y) => [y & 255, 0, 0, 255])],
    ['nothing but clear', 0, 0, () => paint(512, 512, () => CLEAR)],
    ['one color', 4, 4, () => paint(512, 512, () => [200, 30, 60, 255])],
    ['color noise', 128 * 128, 4 * 128 * 128, () => paint(128, 128, () => [byte(), byte(), byte(), 255])],
    ['noise with alpha', 64 * 64, 4 * 64 * 64, () => paint(64, 64, () => [byte(), byte(), byte(), byte()])],
    ['two-tone noise', 4 * 96 * 96, 4 * 96 * 96, () => paint(96, 96, () => (byte() & 128 ? BLACK : WHITE))],
    ['a checkerboard of 1 px', 4 * 128 * 128, 4 * 128 * 128, () => checker(128, 0)],
    ['a checkerboard of 2 px', 96 * 96, 96 * 96, () => checker(96, 1)],
    ['alternating lines', 4 * 256, 8 * 256, () => paint(256, 256, (_, y) => (y & 1 ? BLACK : WHITE))],
    ['a gradient', 128 * 32, 128 * 64, () => paint(128, 128, ramp)],
    ['fading to clear', 256 * 8, 256 * 16, () => paint(256, 256, (x) => [200, 30, 60, x])],
  ];
  function checker(size: number, shift: number): Bitmap {
    return paint(size, size, (x, y) => (((x >> shift) + (y >> shift)) & 1 ? BLACK : WHITE));
  }

  test.each(cases)('%s gives at most %i segments, at most %i exactly', (_, most, exact, make) => {
    const bitmap = make();
    const usual = vectorize(bitmap);
    expectSound(usual, bitmap);
    expect(segmentsOf(usual)).toBeLessThanOrEqual(most);
    const cut = vectorize(bitmap, { stacking: 'cutouts', despeckle: 0 });
    expectSound(cut, bitmap);
    expect(segmentsOf(cut)).toBeLessThanOrEqual(exact);
  });

  test.each<[string, () => Bitmap]>([
    ['noise', () => paint(512, 512, () => [byte(), byte(), byte(), 255])],
    ['a checkerboard', () => checker(512, 0)],
  ])('draws 512 × 512 px of %s with at most four segments per pixel', (_, make) => {
    expect(segmentsOf(vectorize(make()))).toBeLessThanOrEqual(4 * 512 * 512);
  });

  test('keeps the exact value of a single color', () => {
    const color: Color = [200, 30, 61, 255];
    const { background, layers } = vectorize(paint(50, 40, () => color));
    expect([background ?? layers[0].color, layers.length <= 1]).toEqual([toHex(color), true]);
  });
});
