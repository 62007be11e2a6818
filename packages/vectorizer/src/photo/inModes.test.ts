/** Tests that the kind of a picture does not depend on the color mode. */
import { expect, test } from 'vitest';
import { paint, photograph, ringsOf } from '../../test/raster.ts';
import type { Bitmap, VectorizeOptions } from '../index.ts';
import { Tracer, vectorize } from '../index.ts';

/** Returns the stages of a trace. */
function listStages(bitmap: Bitmap, options: VectorizeOptions): string[] {
  const stages: string[] = [];
  vectorize(bitmap, { ...options, onProgress: (stage) => stages.push(stage) });
  return stages;
}

/** A photograph with texture in its hues and little in its tones. */
function drawHues(width: number, height: number): Bitmap {
  const { data } = photograph(width, height, 3);
  return paint(width, height, (x, y) => {
    const off = data[(y * width + x) * 4] - 128;
    return [128 + off, 128 - 0.45 * off, 128 - 0.2 * off, 255];
  });
}

test('a photograph that shows its texture in color is one in grays', () => {
  const hues = drawHues(240, 200);
  const stages = listStages(hues, { colorMode: 'color' });
  expect(stages).not.toContain('refine');
  expect(listStages(hues, { colorMode: 'grayscale' })).toEqual(stages);
});

test('a photograph in one ink is reduced as in color, and not refined', () => {
  const large = photograph(900, 800, 7, 120);
  const options = { colorMode: 'monochrome' } as const;
  expect(listStages(large, options)).not.toContain('refine');
  const drawing = vectorize(large, options);
  expect([drawing.width, drawing.height]).toEqual([900, 800]);
  const points = ringsOf(drawing).flatMap(({ ring }) => ring.segments);
  expect(Math.max(...points.map(({ x }) => x))).toBeGreaterThan(890);
  expect(points.every(({ x, y }) => x >= 0 && y >= 0 && x <= 900 && y <= 800)).toBe(true);
  const lines = vectorize(large, { ...options, draw: 'stroke' });
  expect(new Set(lines.layers.flatMap(({ paths }) => paths.map(({ strokeWidth }) => strokeWidth)))).toEqual(
    new Set([1]),
  );
});

test('a tracer gives the same photograph in one ink as a single trace, whatever it traced before', () => {
  const picture = photograph(900, 800, 7, 120);
  const tracer = new Tracer(picture);
  tracer.trace({ colorMode: 'color' });
  tracer.trace({ colorMode: 'monochrome', threshold: 40 });
  tracer.sketch({ colorMode: 'monochrome', threshold: 55 });
  const options = { colorMode: 'monochrome', threshold: 60 } as const;
  expect(tracer.trace(options)).toEqual(vectorize(picture, options));
});
