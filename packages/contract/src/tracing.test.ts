import { expect, test } from 'vitest';
import { VectorizeSettings } from './designs.ts';
import { onScreen, toVectorizerOptions } from './tracing.ts';

const plain = {
  maxColors: 64,
  colorMode: 'monochrome',
  ink: '#000000',
  dropBackground: false,
  despeckle: 1,
  stacking: 'cutouts',
  draw: 'fill',
  gradients: false,
  simplify: 0.5,
  groupBy: 'color',
  quality: 'standard',
};
const { ink: _, ...inkless } = plain;

const table: [string, Record<string, unknown>, object][] = [
  ['nothing said: black, medium', {}, plain],
  ['high', { quality: 'high' }, { ...plain, quality: 'fine' }],
  ['low', { quality: 'low' }, { ...plain, quality: 'draft' }],
  ['color', { colorMode: 'color' }, { ...inkless, colorMode: 'color' }],
  ['grayscale', { colorMode: 'grayscale' }, { ...inkless, colorMode: 'grayscale' }],
  ['the older word monochrome', { colorMode: 'monochrome' }, { ...inkless, colorMode: 'grayscale' }],
  ['stainless is one gray-blue ink', { colorMode: 'stainless' }, { ...plain, ink: '#8496a9' }],
  ['outline', { laserMode: 'outline' }, { ...plain, draw: 'outline' }],
  ['each edge once', { drawStyle: 'stroke_edges' }, { ...plain, draw: 'edges' }],
  ['simplest', { simplify: 100 }, { ...plain, simplify: 1 }],
  ['stroked shapes', { drawStyle: 'stroke_shapes' }, { ...plain, draw: 'stroke' }],
  ['outline over filled shapes', { laserMode: 'outline', drawStyle: 'fill_shapes' }, { ...plain, draw: 'outline' }],
  ['stacked', { shapeStacking: 'stacked' }, { ...plain, stacking: 'stacked' }],
  ['by shape', { groupBy: 'shape' }, { ...plain, groupBy: 'shape' }],
  ['ungrouped', { groupBy: 'none' }, { ...plain, groupBy: 'none' }],
  ['two colours', { paletteSize: 2 }, { ...plain, maxColors: 2 }],
  ['all colours', { paletteSize: 256 }, { ...plain, maxColors: 256 }],
  ['no despeckling', { despeckle: 0 }, { ...plain, despeckle: 0 }],
  ['most despeckling', { despeckle: 10 }, { ...plain, despeckle: 10 }],
  ['cut out', { cutout: true }, { ...plain, dropBackground: true }],
  [
    'the production call of the specification',
    { quality: 'high', colorMode: 'color', mode: 'vectorize', machineType: 'uv', paletteSize: 64, despeckle: 1 },
    { ...inkless, colorMode: 'color', quality: 'fine', gradients: true },
  ],
];

test.each(table)('%s', (_name, settings, expected) => {
  expect(toVectorizerOptions(VectorizeSettings.parse(settings))).toEqual(expected);
});

test('the machine and the call’s mode do not change which shapes are traced', () => {
  for (const machineType of ['laser', 'uv', 'sublimation'] as const) {
    for (const mode of ['preview', 'vectorize'] as const) {
      expect(toVectorizerOptions(VectorizeSettings.parse({ machineType, mode }))).toEqual(plain);
    }
  }
});

test('only machines that print get gradients, in color and grey, where shapes are filled', () => {
  const gradients = (settings: object) => toVectorizerOptions(VectorizeSettings.parse(settings)).gradients;
  for (const colorMode of ['color', 'grayscale']) {
    expect(gradients({ colorMode, machineType: 'uv' })).toBe(true);
    expect(gradients({ colorMode, machineType: 'sublimation' })).toBe(true);
    expect(gradients({ colorMode, machineType: 'laser' })).toBe(false);
    expect(gradients({ colorMode })).toBe(false);
    expect(gradients({ colorMode, machineType: 'uv', gradients: false })).toBe(false);
    expect(gradients({ colorMode, machineType: 'uv', drawStyle: 'stroke_shapes' })).toBe(false);
  }
  expect(gradients({ colorMode: 'black', machineType: 'uv' })).toBe(false);
});

test('the finest curves are kept for the production file', () => {
  const fine = VectorizeSettings.parse({ quality: 'high', mode: 'vectorize', paletteSize: 9 });
  expect(onScreen(fine)).toEqual({ ...fine, quality: 'medium', mode: 'preview' });
  const coarse = VectorizeSettings.parse({ quality: 'low' });
  expect(onScreen(coarse)).toEqual(coarse);
});
