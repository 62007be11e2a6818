/** Tests that a tracer with a filled cache gives the same result as a new one. */
import { describe, expect, test } from 'vitest';
import type { Bitmap, VectorizeOptions } from '../src/index.ts';
import { Tracer, vectorize, writeSvg } from '../src/index.ts';
import { arc, drawLines } from './pens.ts';
import { photograph } from './raster.ts';
import { addNoise, drawScene, randomScene } from './scenes.ts';

type TraceOptions = Omit<VectorizeOptions, 'onProgress' | 'signal'>;

/** Two values of every option. The compiler requires each option. */
const OPTIONS: { [Name in keyof Required<TraceOptions>]: [TraceOptions, TraceOptions] } = {
  maxColors: [{ maxColors: 3 }, { maxColors: 7 }],
  palette: [
    { palette: [{ color: '#d2281e', tolerance: 30 }, { color: '#1e46c8' }, { color: '#ffffff' }] },
    {
      palette: [
        { color: '#d2281e', paint: '#00ff00' },
        { color: '#101010', paint: null },
      ],
    },
  ],
  repaint: [
    { repaint: [{ color: '#d2281e', paint: '#1e46c8' }] },
    {
      repaint: [
        { color: '#1e46c8', paint: null },
        { color: '#141428', paint: '#ff0000' },
      ],
    },
  ],
  colorMode: [{ colorMode: 'grayscale' }, { colorMode: 'monochrome' }],
  ink: [
    { colorMode: 'monochrome', ink: '#336699' },
    { colorMode: 'monochrome', ink: '#993366' },
  ],
  threshold: [
    { colorMode: 'monochrome', threshold: 40 },
    { colorMode: 'monochrome', threshold: 62 },
  ],
  dropBackground: [{ dropBackground: true }, { dropBackground: false }],
  dropLight: [{ dropLight: true }, { dropLight: false }],
  despeckle: [{ despeckle: 0 }, { despeckle: 9 }],
  pixelsPerMm: [
    { pixelsPerMm: 2, minAreaMm2: 20 },
    { pixelsPerMm: 5, minAreaMm2: 20 },
  ],
  minAreaMm2: [
    { pixelsPerMm: 4, minAreaMm2: 2 },
    { pixelsPerMm: 4, minAreaMm2: 40 },
  ],
  minLineWidthMm: [
    { pixelsPerMm: 4, minLineWidthMm: 1 },
    { pixelsPerMm: 4, minLineWidthMm: 3 },
  ],
  stacking: [{ stacking: 'cutouts' }, { stacking: 'stacked' }],
  draw: [{ draw: 'centerline' }, { draw: 'edges' }],
  lineWidth: [
    { draw: 'stroke', lineWidth: 0.01 },
    { draw: 'stroke', lineWidth: 0.02 },
  ],
  gradients: [{ gradients: false }, { gradients: true }],
  shapes: [{ shapes: false }, { shapes: true }],
  regular: [{ regular: true }, { regular: false }],
  groupBy: [{ groupBy: 'shape' }, { groupBy: 'none' }],
  simplify: [{ simplify: 0 }, { simplify: 0.9 }],
  tolerance: [{ tolerance: 0.05 }, { tolerance: 1 }],
  quality: [{ quality: 'coarse' }, { quality: 'fine' }],
  refine: [{ refine: 'once' }, { refine: true }],
};

const PICTURES: Record<string, Bitmap> = {
  'a drawing in noise': addNoise(drawScene(randomScene(3)).bitmap, 5, 3),
  'drawn lines': drawLines(90, 70, [
    { points: arc(40, 35, 22, 0, 6.2), width: 4 },
    {
      points: [
        [5, 60],
        [45, 12],
        [85, 60],
      ],
      width: 3,
    },
  ]),
  'a photograph': photograph(64, 64, 5),
};

const CHOICES = Object.values(OPTIONS).flat();

describe.each(Object.entries(PICTURES))('%s', (_, bitmap) => {
  const cold = new Map(CHOICES.map((options) => [options, writeSvg(vectorize(bitmap, options))]));
  const coldSketches = new Map(CHOICES.map((options) => [options, writeSvg(new Tracer(bitmap).sketch(options))]));

  test('gives the same result for every option after its other value and after the defaults', () => {
    const tracer = new Tracer(bitmap);
    for (const [one, other] of Object.values(OPTIONS)) {
      for (const options of [one, other, one]) {
        expect(writeSvg(tracer.sketch(options))).toBe(coldSketches.get(options));
        expect(writeSvg(tracer.trace(options))).toBe(cold.get(options));
      }
      tracer.trace();
    }
  });

  test('gives the same result for every option after another one', () => {
    const tracer = new Tracer(bitmap);
    // Steps of 11 through 42 choices visit each of them, in an order in which similar ones are far apart.
    for (let k = 0; k < CHOICES.length; k++) {
      const options = CHOICES[(k * 11) % CHOICES.length];
      expect(writeSvg(tracer.trace(options))).toBe(cold.get(options));
    }
  });
});
