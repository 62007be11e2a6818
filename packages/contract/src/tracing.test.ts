import { expect, test } from 'vitest';
import { VectorizeSettings } from './schemas/designs.ts';
import {
  toAdjustments,
  toFrameSize,
  toHalftoneTrace,
  toPartSize,
  toPictureChanges,
  toPixelBox,
  toScreenSettings,
  toTraceSize,
  toVectorizerOptions,
  toWarp,
} from './tracing.ts';

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
  quality: 'coarse',
  refine: 'once',
};
const { ink: _, ...inkless } = plain;
const { refine: _once, ...finest } = { ...plain, quality: 'fine' };

/** The lines that a laser follows. */
const line = { lineWidth: 1 / 1000 };

const half = { x: 0.5, y: 0, width: 0.5, height: 1 };

const table: [string, Record<string, unknown>, object][] = [
  ['nothing said: black, medium', {}, plain],
  ['high', { quality: 'high' }, finest],
  ['low', { quality: 'low' }, { ...plain, quality: 'draft', refine: false }],
  ['color', { colorMode: 'color' }, { ...inkless, colorMode: 'color' }],
  ['grayscale', { colorMode: 'grayscale' }, { ...inkless, colorMode: 'grayscale' }],
  ['the older word monochrome', { colorMode: 'monochrome' }, { ...inkless, colorMode: 'grayscale' }],
  ['stainless is one gray-blue ink', { colorMode: 'stainless' }, { ...plain, ink: '#8496a9' }],
  ['outline', { laserMode: 'outline' }, { ...plain, ...line, draw: 'outline' }],
  ['each edge once', { drawStyle: 'stroke_edges' }, { ...plain, ...line, draw: 'edges' }],
  ['a threshold', { threshold: 40 }, { ...plain, threshold: 40 }],
  ['a threshold means nothing in color', { colorMode: 'color', threshold: 40 }, { ...inkless, colorMode: 'color' }],
  ['light taken out where a camera took the picture', { light: 'automatic' }, { ...plain, dropLight: 'auto' }],
  ['light taken out', { light: 'out' }, { ...plain, dropLight: true }],
  ['light that is kept says nothing, as before there was a choice', { light: 'kept' }, plain],
  ['symmetry made exact', { regular: true }, { ...plain, regular: true }],
  ['symmetry left as it was traced says nothing, as before there was a choice', { regular: false }, plain],
  ['what changes the pixels changes no option', { brightness: 9, contrast: -9, crop: half }, plain],
  ['center lines a laser follows', { drawStyle: 'centerline' }, { ...plain, ...line, draw: 'centerline' }],
  [
    'center lines that are printed as wide as they were drawn',
    { drawStyle: 'centerline', machineType: 'uv' },
    { ...plain, draw: 'centerline' },
  ],
  ['simplest', { simplify: 100 }, { ...plain, simplify: 1 }],
  ['stroked shapes', { drawStyle: 'stroke_shapes' }, { ...plain, ...line, draw: 'stroke' }],
  [
    'outline over filled shapes',
    { laserMode: 'outline', drawStyle: 'fill_shapes' },
    { ...plain, ...line, draw: 'outline' },
  ],
  ['stacked', { shapeStacking: 'stacked' }, { ...plain, stacking: 'stacked' }],
  ['by shape', { groupBy: 'shape' }, { ...plain, groupBy: 'shape' }],
  ['ungrouped', { groupBy: 'none' }, { ...plain, groupBy: 'none' }],
  ['two colors', { paletteSize: 2 }, { ...plain, maxColors: 2 }],
  ['all colors', { paletteSize: 256 }, { ...plain, maxColors: 256 }],
  [
    'colors painted otherwise, in lower case',
    {
      colorMode: 'grayscale',
      palette: [
        { color: '#AABBCC', paint: '#112233' },
        { color: '#ffffff', paint: null },
      ],
    },
    {
      ...inkless,
      colorMode: 'grayscale',
      repaint: [
        { color: '#aabbcc', paint: '#112233' },
        { color: '#ffffff', paint: null },
      ],
    },
  ],
  ['one ink has no colors to paint', { palette: [{ color: '#aabbcc', paint: null }] }, plain],
  ['no colors painted otherwise', { colorMode: 'color', palette: [] }, { ...inkless, colorMode: 'color' }],
  ['no despeckling', { despeckle: 0 }, { ...plain, despeckle: 0 }],
  ['most despeckling', { despeckle: 10 }, { ...plain, despeckle: 10 }],
  ['cut out', { cutout: true }, { ...plain, dropBackground: true }],
  [
    'the production call of the specification',
    { quality: 'high', colorMode: 'color', mode: 'vectorize', machineType: 'uv', paletteSize: 64, despeckle: 1 },
    { ...inkless, colorMode: 'color', quality: 'fine', refine: undefined, gradients: true },
  ],
];

test.each(table)('%s', (_name, settings, expected) => {
  expect(toVectorizerOptions(VectorizeSettings.parse(settings))).toEqual(expected);
});

test('machine and mode do not change the traced shapes', () => {
  for (const machineType of ['laser', 'uv', 'sublimation', 'dtf'] as const) {
    for (const mode of ['preview', 'vectorize'] as const) {
      expect(toVectorizerOptions(VectorizeSettings.parse({ machineType, mode }))).toEqual(plain);
    }
  }
});

test('gradients are for filled shapes in color or gray on machines that print', () => {
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

test('only a laser follows outlines', () => {
  const drawModeOf = (machineType: 'laser' | 'uv') =>
    toVectorizerOptions(VectorizeSettings.parse({ machineType, laserMode: 'outline' })).draw;
  expect(drawModeOf('laser')).toBe('outline');
  expect(drawModeOf('uv')).toBe('fill');
});

test('the screen shows each quality as it is', () => {
  const options = (['low', 'medium', 'high'] as const).map((quality) => {
    const settings = VectorizeSettings.parse({ quality, mode: 'vectorize', paletteSize: 9 });
    expect(toScreenSettings(settings)).toEqual({ ...settings, mode: 'preview' });
    return JSON.stringify(toVectorizerOptions(toScreenSettings(settings)));
  });
  expect(new Set(options).size).toBe(3);
});

test('settings stored before crops and thresholds existed keep their meaning', () => {
  const storedSettings = {
    quality: 'high',
    colorMode: 'black',
    drawStyle: 'stroke_edges',
    mode: 'preview',
    simplify: 20,
  };
  const read = VectorizeSettings.parse(storedSettings);
  expect(read).toMatchObject({ ...storedSettings, brightness: 0, contrast: 0 });
  expect(toPictureChanges(read)).toBeUndefined();
  expect(JSON.stringify(toVectorizerOptions(read))).not.toContain('threshold');
});

test('a setting that changes nothing is left out of the changes', () => {
  const changes = (settings: object) => toPictureChanges(VectorizeSettings.parse(settings));
  expect(changes({ brightness: 0, contrast: 0, crop: { x: 0, y: 0, width: 1, height: 1 } })).toBeUndefined();
  expect(changes({ threshold: 30, colorMode: 'color' })).toBeUndefined();
  expect(changes({ crop: half, brightness: -5 })).toEqual({ crop: half, brightness: -5 });
  expect(JSON.stringify(changes({ contrast: 7, crop: half }))).toBe(
    JSON.stringify(changes({ crop: half, contrast: 7 })),
  );
});

test('a crop is whole pixels inside the picture, at least one', () => {
  const size = { width: 300, height: 200 };
  expect(toPixelBox(half, size)).toEqual({ x: 150, y: 0, width: 150, height: 200 });
  expect(toPixelBox({ x: 1, y: 1, width: 0.001, height: 0.001 }, size)).toEqual({
    x: 299,
    y: 199,
    width: 1,
    height: 1,
  });
  expect(toPixelBox({ x: 0.9, y: 0, width: 0.9, height: 1 }, size)).toEqual({ x: 270, y: 0, width: 30, height: 200 });
  for (let x = 0; x < 300; x += 7) {
    const crop = { x: x / 300, y: x / 600, width: (300 - x) / 300, height: 0.25 };
    expect(toPixelBox(crop, size)).toMatchObject({ x, width: 300 - x });
  }
});

test('a large picture is traced at two and a half megapixels, a small one at its own size', () => {
  expect(toTraceSize({ width: 640, height: 480 })).toEqual({ width: 640, height: 480 });
  const { width, height } = toTraceSize({ width: 6000, height: 4000 });
  expect(width * height).toBeLessThanOrEqual(2_500_000);
  expect(width * height).toBeGreaterThan(2_490_000);
});

/** The corners of the whole of a picture of 600 × 400, turned clockwise by a quarter. */
const quarter = {
  corners: [
    { x: 5 / 6, y: -0.25 },
    { x: 5 / 6, y: 1.25 },
    { x: 1 / 6, y: 1.25 },
    { x: 1 / 6, y: -0.25 },
  ],
  aspect: 1.5,
};

test('a picture is straightened before it is cropped', () => {
  const { straighten } = VectorizeSettings.parse({ straighten: quarter });
  const size = { width: 600, height: 400 };
  expect(toFrameSize(size, undefined)).toEqual(size);
  expect(toFrameSize(size, straighten)).toEqual(size);
  expect(toPartSize(size, { straighten, crop: half })).toEqual({ width: 300, height: 400 });
  const large = toFrameSize({ width: 6000, height: 4000 }, straighten);
  expect(large.width * large.height).toBeLessThanOrEqual(2_500_000);

  const changes = toPictureChanges(VectorizeSettings.parse({ straighten: quarter, crop: half, brightness: 5 }))!;
  expect(changes).toEqual({ straighten: quarter, crop: half, brightness: 5 });
  const straight = toWarp(changes, size)!;
  expect(straight.size).toEqual(size);
  expect(straight.corners[0]).toEqual({ x: 500, y: -100 });
  expect(toAdjustments(changes, straight.size)).toEqual({
    box: { x: 300, y: 0, width: 300, height: 400 },
    brightness: 5,
  });
  expect(toWarp({ crop: half }, size)).toBeUndefined();
});

test('settings take the corners of a convex quadrilateral only', () => {
  const [a, b, c, d] = quarter.corners;
  const takes = (straighten: unknown) => VectorizeSettings.safeParse({ straighten }).success;
  expect(takes(quarter)).toBe(true);
  for (const corners of [
    [a, b, c],
    [a, c, b, d],
    [d, c, b, a],
    [a, a, c, d],
    [a, b, c, { x: 900, y: 0 }],
  ]) {
    expect(takes({ corners, aspect: 1 })).toBe(false);
  }
  for (const aspect of [0, -1, 1e6, undefined]) expect(takes({ ...quarter, aspect })).toBe(false);
});

test('a palette holds hex colors, and no more than a trace can have', () => {
  const palette = (edits: unknown) => VectorizeSettings.safeParse({ palette: edits }).success;
  const edit = { color: '#112233', paint: null };
  expect(palette(Array(256).fill(edit))).toBe(true);
  expect(palette(Array(257).fill(edit))).toBe(false);
  for (const bad of [
    { color: 'red', paint: null },
    { color: '#123', paint: null },
    { color: '#112233' },
    { ...edit, paint: 'none' },
  ])
    expect(palette([bad])).toBe(false);
});

test('a halftone has only what has an effect on it', () => {
  const halftoneOf = (settings: object) => toHalftoneTrace(VectorizeSettings.parse(settings));
  expect(halftoneOf({ drawStyle: 'fill_shapes', pitchMm: 1 })).toBeUndefined();
  const defaults = { widthMm: 100, beamMm: 0.1, invert: false };
  expect(halftoneOf({ drawStyle: 'hatch' })).toEqual({ style: 'hatch', ...defaults });
  const all = { widthMm: 50, pitchMm: 1, angleDeg: 30, beamMm: 0.2, gapMm: 0.1, course: 'form', dots: 'diamond' };
  const sizes = { widthMm: 50, pitchMm: 1, beamMm: 0.2, gapMm: 0.1, invert: true };
  expect(halftoneOf({ ...all, invert: true, drawStyle: 'stipple' })).toEqual({ style: 'stipple', ...sizes });
  const lines = { style: 'halftone_lines', ...sizes };
  expect(halftoneOf({ ...all, invert: true, drawStyle: 'halftone_lines' })).toEqual({
    ...lines,
    ...{ angleDeg: 30, course: 'form' },
  });
  expect(halftoneOf({ ...all, invert: true, drawStyle: 'halftone_lines', course: 'rings' })).toEqual({
    ...lines,
    course: 'rings',
  });
  for (const wrong of [{ pitchMm: 0.01 }, { beamMm: 1 }, { widthMm: 0 }, { course: 'zigzag' }, { angleDeg: 200 }]) {
    expect(VectorizeSettings.safeParse({ drawStyle: 'hatch', ...wrong }).success).toBe(false);
  }
});
