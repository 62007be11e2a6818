import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listModePictures } from '../../bench/modePictures.ts';
import { BLACK, paint, WHITE } from '../../test/raster.ts';
import { quantize } from '../color/labels.ts';
import { classifyPixels, gatherVotes } from '../color/votes.ts';
import { CAREFUL, COMPARE, FINAL, fitCubic, REACH } from '../fit/cubic.ts';
import { Strand } from '../fit/strand.ts';
import type { Bitmap, VectorizeOptions } from '../index.ts';
import { vectorize, writeSvg } from '../index.ts';
import { averageBlocks, countTexture } from '../photo/photograph.ts';
import { estimateNoise } from '../pixels/noise.ts';
import { findRuns } from '../regions/regions.ts';
import { copyIn, loadKernels } from './kernels.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Returns what `work` returns where there is no WebAssembly. */
function inTypeScript<T>(work: () => T): T {
  vi.stubGlobal('WebAssembly', undefined);
  try {
    return work();
  } finally {
    vi.unstubAllGlobals();
  }
}

describe('a kernel has the bits of its twin in TypeScript', () => {
  const effort = fc.constantFrom(COMPARE, REACH, CAREFUL, FINAL);
  const direction = fc.oneof(fc.constant(Number.NaN), fc.double({ min: -Math.PI, max: Math.PI, noNaN: true }));
  const fit = fc.record({ effort, startAngle: direction, endAngle: direction, from: fc.nat(30), length: fc.nat(90) });

  test('cubics, whatever was fitted before', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.double({ min: 0.2, max: 1.6, noNaN: true }), fc.double({ min: -0.6, max: 0.6, noNaN: true })),
          {
            minLength: 8,
            maxLength: 80,
          },
        ),
        fc.array(fit, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        (steps, fits, mayCross) => {
          const strand = new Strand(steps.length + 1);
          strand.reset(0.1, 0.03);
          strand.mayCross = mayCross;
          let x = 3;
          let y = 7;
          let angle = 0;
          for (const [step, turn] of steps) {
            strand.push(x, y, 0.3 + Math.abs(turn));
            angle += turn;
            x += step * Math.cos(angle);
            y += step * Math.sin(angle);
          }
          strand.measure();
          const run = () =>
            // Twice, and in order: later fits go on where earlier ones of the same points stopped.
            [...fits, ...fits].map(({ effort, startAngle, endAngle, from, length }) => {
              const a = Math.min(from, strand.n - 2);
              const b = Math.min(strand.n - 1, a + length);
              const start = {
                x: strand.x[a] - 0.3,
                y: strand.y[a],
                dx: Math.cos(startAngle),
                dy: Math.sin(startAngle),
              };
              const end = { x: strand.x[b], y: strand.y[b] + 0.2, dx: Math.cos(endAngle), dy: Math.sin(endAngle) };
              return fitCubic(strand, a, b, start, end, effort);
            });
          expect(run()).toEqual(inTypeScript(run));
        },
      ),
    );
  });

  // Runs of few colors with a few levels of noise, so that pixels of every kind meet.
  const runs = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 30 }), fc.nat(90)), {
    minLength: 1,
    maxLength: 40,
  });
  const picture = fc
    .record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }), runs, grain: fc.nat(3) })
    .map(({ width, height, runs, grain }) => {
      const data = new Uint8ClampedArray(width * height * 4);
      for (let p = 0, k = 0; p < width * height; k++) {
        const [color, length, shift] = runs[k % runs.length];
        for (const end = p + length; p < Math.min(end, width * height); p++) {
          const level = 45 * color + ((p * 2654435761 + shift) % (grain + 1));
          data.set([level, 255 - level, color > 2 ? level : shift, color === 4 ? shift : 255], p * 4);
        }
      }
      return { width, height, data, opaque: false };
    });

  test('kinds of pixels, their votes and their noise', () => {
    fc.assert(
      fc.property(picture, fc.constantFrom(0, 0.8, 4), (pixels, noise) => {
        const run = () => [
          gatherVotes(pixels, noise, 'color'),
          classifyPixels(pixels, noise),
          estimateNoise({ ...pixels, data: pixels.data.map((value) => value >> 1) }),
        ];
        const readable = () =>
          run().map((result) => {
            if (!('flat' in result)) return result;
            const { flat, ramp, core, firm, ...rest } = result;
            return { ...rest, lists: [flat, ramp, core, firm].map((votes) => [votes.total, votes.listFullestFirst()]) };
          });
        expect(readable()).toEqual(inTypeScript(readable));
      }),
      { numRuns: 60 },
    );
  });

  test('labels of pixels', () => {
    const color = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.constantFrom(0, 255));
    fc.assert(
      fc.property(picture, fc.array(color, { minLength: 2, maxLength: 6 }), (pixels, colors) => {
        const palette = { palette: Float64Array.from(colors.flat()), count: colors.length, clear: -1 };
        const kinds = classifyPixels(pixels, 0);
        const run = () => quantize(pixels, kinds, palette, 0).labels;
        expect(run()).toEqual(inTypeScript(run));
      }),
      { numRuns: 60 },
    );
  });

  test('runs of labels', () => {
    fc.assert(
      fc.property(picture, ({ width, height, data }) => {
        const run = () =>
          findRuns(
            Uint16Array.from({ length: width * height }, (_, p) => data[4 * p]),
            width,
            height,
          );
        expect(run()).toEqual(inTypeScript(run));
      }),
      { numRuns: 60 },
    );
  });

  test.each([1, 2, 3])('blocks of a photograph, with every %s. pixel', (step) => {
    const side = 5 * step;
    const pixels = paint(20 * side + 3, 20 * side, (x, y) => {
      const level = 90 + ((x * y + (x >> 3) * 31 + (y >> 4) * 17) % 61);
      return x < 60 ? [200, 90, 90, 255] : [level, 90 + ((x * x + 3 * y) % 53), 255 - level, 255];
    });
    const run = () => {
      const { means, noise, spread } = averageBlocks(pixels, side, 20, 20);
      return [means, noise, spread, countTexture(means, 20, 20, 4)] as const;
    };
    expect(run()).toEqual(inTypeScript(run));
    const { even, texturedCount } = run()[3];
    expect(texturedCount).toBeGreaterThan(0);
    expect(texturedCount).toBeLessThan(even);
  });

  const soft: Bitmap = paint(90, 70, (x, y) => {
    const share = Math.min(1, Math.max(0, (27 - Math.hypot(x - 44, 1.4 * (y - 33))) / 3 + 0.5));
    const mix = (c: number): number => Math.round(WHITE[c] + share * (BLACK[c] - WHITE[c]));
    return [mix(0), mix(1), mix(2), 255];
  });
  const names = ['portrait of 64 px, cut out', 'flat art', 'straight ramp', 'halftone, pitch 16', 'noise in gray'];
  const pictures: [string, Bitmap][] = [
    ['a soft edge', soft],
    ...listModePictures(3, 90)
      .filter(({ name }) => names.includes(name))
      .map((picture): [string, Bitmap] => [picture.name, picture.draw()]),
  ];
  const options: VectorizeOptions[] = [{}, { stacking: 'cutouts', quality: 'fine' }, { draw: 'centerline' }];

  test('there are pictures of every name', () => expect(pictures).toHaveLength(names.length + 1));

  test.each(pictures)('traces of %s', (_, bitmap) => {
    for (const settings of options) {
      const trace = () => writeSvg(vectorize(bitmap, settings));
      expect(trace() === inTypeScript(trace)).toBe(true);
    }
  });
});

test('where WebAssembly is refused, there are no kernels', () => {
  expect(loadKernels()).not.toBeNull();
  expect(inTypeScript(loadKernels)).toBeNull();
});

test('arrays lie side by side in the memory, and more than there is room for do not', () => {
  const kernels = loadKernels();
  if (!kernels) throw new Error('There are no kernels.');
  const arrays = [
    Uint8Array.of(1, 2, 3),
    Float64Array.of(0.5, -2),
    Int32Array.of(7),
    new Float64Array(1 << 18).fill(4),
  ];
  const addresses = copyIn(kernels, arrays) ?? [];
  expect(addresses.every((address) => address % 16 === 0 && address >= kernels.memoryStart())).toBe(true);
  arrays.forEach((array, k) => {
    const copy = new Uint8Array(kernels.memory.buffer, addresses[k], array.byteLength);
    expect(Buffer.compare(copy, new Uint8Array(array.buffer))).toBe(0);
  });
  expect(copyIn(kernels, [{ byteLength: 65 << 20 } as Uint8Array])).toBeUndefined();
});
