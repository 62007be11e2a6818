import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listModePictures } from '../../bench/modePictures.ts';
import { BLACK, paint, WHITE } from '../../test/raster.ts';
import { CAREFUL, COMPARE, FINAL, fitCubic, REACH } from '../fit/cubic.ts';
import { Strand } from '../fit/strand.ts';
import type { Bitmap, VectorizeOptions } from '../index.ts';
import { vectorize, writeSvg } from '../index.ts';
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
