import { describe, expect, test } from 'vitest';
import { areaOf, BLACK, type Color, draw, paint, ringsOf, WHITE } from '../../test/raster.ts';
import { addNoise } from '../../test/scenes.ts';
import {
  type Bitmap,
  type Drawing,
  Tracer,
  takeOutLight,
  type VectorizeOptions,
  vectorize,
  writeSvg,
} from '../index.ts';

const [WIDTH, HEIGHT] = [240, 180];
const KRAFT: Color = [196, 158, 114, 255];
const RED: Color = [170, 40, 35, 255];
const BROWN: Color = [110, 60, 20, 255];
const BLUE: Color = [35, 60, 140, 255];

const disk = (cx: number, cy: number, r: number) => (x: number, y: number) => (x - cx) ** 2 + (y - cy) ** 2 < r * r;
const SHAPES = [
  { color: RED, isInside: disk(80, 90, 40) },
  { color: BLUE, isInside: disk(165, 80, 30) },
];
const drawings = new Map([WHITE, KRAFT].map((paper) => [paper, draw(WIDTH, HEIGHT, paper, SHAPES)]));
const drawOn = (paper: Color): Bitmap => drawings.get(paper) as Bitmap;

type Light = (x: number, y: number) => number;
const slope: Light = (x, y) => 0.6 + (0.3 * x) / WIDTH + (0.1 * y) / HEIGHT;
const vignette: Light = (x, y) => 0.95 - 0.4 * ((x / WIDTH - 0.5) ** 2 + (y / HEIGHT - 0.5) ** 2);
/** Half of the picture lies in a shadow whose edge crosses both disks. */
const shadow: Light = (x, y) => slope(x, y) * (1 - 0.4 / (1 + Math.exp((y - x / 8 - 70) / 1.5)));
/** The same with an edge that no blur softens, and nearly even light beside it. */
const hardShadow: Light = (x, y) => (0.94 + (0.02 * x) / WIDTH) * (y - x / 8 < 70 ? 0.65 : 1);
const weave: Light = (x, y) => slope(x, y) * (1 + 0.05 * Math.sin(x * 1.4) * Math.cos(y * 1.4));

/** Puts light on a drawing, as a factor of linear light, and a sensor's noise. */
function photograph({ width, height, data }: Bitmap, light: Light, seed: number): Bitmap {
  const toLight = (byte: number): number => (byte / 255) ** 2.2;
  const lit = new Uint8ClampedArray(data);
  for (let i = 0; i < lit.length; i++) {
    if (i % 4 === 3) continue;
    const pixel = i >> 2;
    const factor = light(pixel % width, Math.floor(pixel / width));
    lit[i] = 255 * (factor * toLight(data[i])) ** (1 / 2.2);
  }
  return addNoise({ width, height, data: lit }, 2, seed);
}

/** Returns the areas of a drawing's outlines, in square pixels, the largest first. */
function areasOf(drawing: Drawing): number[] {
  return ringsOf(drawing)
    .map(({ ring }) => Math.abs(areaOf(ring)))
    .sort((p, q) => q - p);
}

/** Most of the time of a trace goes into the light. A tracer finds it once for all of its traces. */
const tracers = new Map<string, Tracer>();
const traceIn = (light: Light, paper: Color, options: VectorizeOptions = {}): Drawing => {
  const key = `${lights.findIndex(([, at]) => at === light)} ${paper}`;
  const tracer = tracers.get(key) ?? new Tracer(photograph(drawOn(paper), light, 7));
  tracers.set(key, tracer);
  return tracer.trace({ dropLight: 'auto', ...options });
};

const lights: [string, Light][] = [
  ['a slope', slope],
  ['a vignette', vignette],
  ['a shadow across the inks', shadow],
  ['a shadow with a hard edge', hardShadow],
  ['a weave', weave],
];
const papers: [string, Color][] = [
  ['white', WHITE],
  ['kraft', KRAFT],
];
const allCases = lights.flatMap(([light, at]) => papers.map(([paper, color]) => [light, paper, at, color] as const));
/** Each light on one of the papers in `npm test`. */
const cases = allCases.filter((_, i) => process.env.TEST_TIER !== 'quick' || i % 4 === 0 || i % 4 === 3);

describe('a picture that a camera took of a drawing', () => {
  test.each(cases)('with %s on %s paper has its inks and nothing else', (_light, _paper, light, paper) => {
    const drawing = traceIn(light, paper);
    expect(drawing.background).toBeUndefined();
    expect(drawing.layers).toHaveLength(2);
    const areas = areasOf(drawing);
    expect(areas).toHaveLength(2);
    expect(areas[0] / (Math.PI * 40 ** 2)).toBeCloseTo(1, 1);
    expect(areas[1] / (Math.PI * 30 ** 2)).toBeCloseTo(1, 1);
  });

  test.each(cases)('with %s on %s paper is one ink on clear in monochrome', (_light, _paper, light, paper) => {
    const areas = areasOf(traceIn(light, paper, { colorMode: 'monochrome' }));
    expect(areas).toHaveLength(2);
    expect(areas[0] / (Math.PI * 40 ** 2)).toBeCloseTo(1, 1);
  });

  test('takes even paper out only when asked for sure', () => {
    const flat = drawOn(KRAFT);
    expect(vectorize(flat, { dropLight: 'auto' }).background).toBeDefined();
    const { background, layers } = vectorize(flat, { dropLight: true });
    expect(background).toBeUndefined();
    expect(layers).toHaveLength(2);
  });

  test('tells brown strokes from black ones, though blur leaves neither an even middle', () => {
    const line = (y: number, color: Color) => ({
      color,
      isInside: (x: number, v: number) => Math.abs(v - y) < 2.2 && x > 30 && x < 210,
    });
    const lines = [40, 70, 100, 130].map((y, k) => line(y, k % 2 ? BROWN : BLACK));
    const { layers } = vectorize(photograph(blur(draw(WIDTH, HEIGHT, WHITE, lines)), slope, 9), { dropLight: 'auto' });
    expect(layers).toHaveLength(2);
  });

  test('keeps a gap of a pixel and a half open, and has the size of the picture, though it is drawn at twice that', () => {
    const bars = [60, 66].map((y) => ({
      color: BLACK,
      isInside: (x: number, v: number) => Math.abs(v - y) < 2.25 && x > 30 && x < 210,
    }));
    const drawing = vectorize(photograph(blur(draw(WIDTH, HEIGHT, WHITE, bars)), slope, 5), { dropLight: 'auto' });
    expect(drawing).toMatchObject({ width: WIDTH, height: HEIGHT });
    expect(ringsOf(drawing)).toHaveLength(2);
  });

  test('keeps its light unless asked', () => {
    expect(traceIn(shadow, KRAFT, { dropLight: false }).layers.length).toBeGreaterThan(2);
  });

  test.each([
    ['a shadow', shadow],
    ['a vignette', vignette],
  ])('without %s shows each ink evenly on white paper', (_name, light) => {
    const flat = takeOutLight(photograph(drawOn(KRAFT), light, 7), 'auto') as Bitmap;
    const at = (x: number, y: number): number[] => [
      ...flat.data.subarray((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 3),
    ];
    for (const [x, y] of [
      [20, 20],
      [220, 160],
      [120, 20],
    ]) {
      expect(Math.min(...at(x, y))).toBeGreaterThan(245);
    }
    const offs = at(80, 60).map((value, c) => Math.abs(value - at(80, 115)[c]));
    expect(Math.max(...offs)).toBeLessThan(16);
  });

  test('is cut at a level under even light', () => {
    const areas = areasOf(traceIn(shadow, WHITE, { colorMode: 'monochrome', threshold: 60 }));
    expect(areas[0] / (Math.PI * 40 ** 2)).toBeCloseTo(1, 1);
    expect(areas).toHaveLength(2);
  });

  test('keeps a thin stroke in one piece, though blur makes it faint', () => {
    const stroke = { color: BLACK, isInside: (x: number, y: number) => Math.abs(y - 90) < 0.75 && x > 30 && x < 210 };
    const sharp = draw(WIDTH, HEIGHT, WHITE, [{ color: BLACK, isInside: disk(120, 40, 25) }, stroke]);
    const areas = areasOf(vectorize(photograph(blur(sharp), slope, 5), { dropLight: true }));
    expect(areas).toHaveLength(2);
    expect(areas[1]).toBeGreaterThan(0.75 * 180 * 1.5);
  });
});

/** Spreads hue over five pixels, as a file does that keeps it for fewer places than luminance. */
function spreadHue({ width, height, data }: Bitmap): Bitmap {
  const out = new Uint8ClampedArray(data);
  const luminanceAt = (i: number): number => 0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2];
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const i = (y * width + x) * 4;
      for (let c = 0; c < 3; c++) {
        let hue = 0;
        for (let k = 0; k < 25; k++) {
          const j = i + ((Math.floor(k / 5) - 2) * width + (k % 5) - 2) * 4;
          hue += (data[j + c] - luminanceAt(j)) / 25;
        }
        out[i + c] = luminanceAt(i) + hue;
      }
    }
  }
  return { width, height, data: out };
}

test('is drawn without the place where two shadows lie on each other', () => {
  const fall = (distance: number): number => 1 - 0.5 / (1 + Math.exp(distance / 4));
  const twoShadows: Light = (x, y) => slope(x, y) * fall(60 - y + x ** 2 / 500) * fall(80 - y + x ** 2 / 900);
  const { layers } = vectorize(photograph(drawOn(WHITE), twoShadows, 7), { dropLight: true });
  expect(layers).toHaveLength(2);
});

test('blue strokes have their width, though their hue is spread', () => {
  const strokes = [40, 60, 80, 100].map((y) => ({
    color: BLUE,
    isInside: (x: number, v: number) => Math.abs(v - y) < 2 && x > 30 && x < 210,
  }));
  const sharp = draw(WIDTH, HEIGHT, KRAFT, strokes);
  const areas = areasOf(vectorize(spreadHue(photograph(blur(sharp), slope, 9)), { dropLight: true }));
  expect(areas).toHaveLength(4);
  for (const area of areas) expect(Math.abs(area / (4 * 180) - 1)).toBeLessThan(0.17);
});

/** Shares of ink: full, but for grains of about three pixels, as a dry stamp leaves them. */
const grainAt = (x: number, y: number): number =>
  Math.sin(0.8 * x + 0.5 * y) * Math.cos(0.7 * y - 0.4 * x) > 0.35 ? 0.3 : 1;

describe('ink that does not cover its paper evenly', () => {
  const drawGrain = (coverAt: Light): Bitmap =>
    paint(WIDTH, HEIGHT, (x, y) => {
      const cover = SHAPES.some(({ isInside }) => isInside(x + 0.5, y + 0.5)) ? coverAt(x, y) : 0;
      const byte = 255 * (1 - cover + cover * 0.08) ** (1 / 2.2);
      return [byte, byte, byte, 255];
    });

  test.each(['color', 'monochrome'] as const)('is traced as the shapes that were drawn, in %s', (colorMode) => {
    const areas = areasOf(vectorize(photograph(drawGrain(grainAt), slope, 3), { dropLight: true, colorMode }));
    expect(areas).toHaveLength(2);
    expect(areas[0] / (Math.PI * 40 ** 2)).toBeCloseTo(1, 1);
    expect(areas[1] / (Math.PI * 30 ** 2)).toBeCloseTo(1, 1);
  });

  test('keeps a hole that no ink covers', () => {
    const coverAt: Light = (x, y) => (Math.hypot(x - 80, y - 90) < 8 ? 0 : grainAt(x, y));
    const areas = areasOf(vectorize(photograph(drawGrain(coverAt), slope, 3), { dropLight: true }));
    expect(areas).toHaveLength(3);
    expect(areas[2]).toBeGreaterThan(100);
  });
});

type Distance = (x: number, y: number) => number;
/** Shapes by their distance in pixels, inside positive: within the paper, and across its border. */
const blots: readonly [string, Distance][] = [
  ['a disk', (x, y) => 36 - Math.hypot(x - 96, y - 84)],
  ['more than a third of the picture', (x, y) => 72 - Math.hypot(x - 120, y - 98)],
  ['a band along the border', (x, y) => y - 118 - 0.05 * x],
  ['a corner', (x, y) => 84 - Math.hypot(x - WIDTH, y - HEIGHT)],
];
/** Shares of the light of paper that pale inks leave: red, green and blue. */
const pales: readonly [string, readonly number[]][] = [
  ['blue', [0.32, 0.4, 0.6]],
  ['lilac', [0.8, 0.7, 0.9]],
];

/** Photographs a black bar and a shape of a pale ink through a lens that spreads edges over pixels. */
function photographPale(ink: readonly number[], distanceAt: Distance, sigma: number): Bitmap {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255);
  const coverAt = (distance: number): number => 1 / (1 + Math.exp((-1.7 * distance) / sigma));
  for (let p = 0; p < WIDTH * HEIGHT; p++) {
    const [x, y] = [(p % WIDTH) + 0.5, Math.floor(p / WIDTH) + 0.5];
    const bar = coverAt(4.5 - Math.abs(y - 14)) * coverAt(70 - Math.abs(x - 120));
    const cover = coverAt(distanceAt(x, y));
    for (let c = 0; c < 3; c++) data[p * 4 + c] = 255 * ((1 - cover + cover * ink[c]) * (1 - 0.95 * bar)) ** (1 / 2.2);
  }
  return photograph({ width: WIDTH, height: HEIGHT, data }, slope, 7);
}

function areaInside(distanceAt: Distance): number {
  let area = 0;
  for (let p = 0; p < WIDTH * HEIGHT; p++) {
    if (distanceAt((p % WIDTH) + 0.5, Math.floor(p / WIDTH) + 0.5) > 0) area++;
  }
  return area;
}

describe('a pale ink', () => {
  const paleCases = blots.flatMap(([shape, at]) => pales.map(([name, ink]) => [name, shape, ink, at] as const));
  test.each(paleCases)('of %s stays in the trace as %s', (_name, _shape, ink, distanceAt) => {
    const photo = photographPale(ink, distanceAt, 2);
    const areas = areasOf(vectorize(photo, { dropLight: 'auto' }));
    const share = areas.map((area) => area / areaInside(distanceAt));
    expect(share.some((value) => value > 0.95 && value < 1.05)).toBe(true);
  });

  test.each(blots)('too near to paper keeps the light in the picture as %s', (_shape, distanceAt) => {
    expect(takeOutLight(photographPale([0.97, 0.87, 0.88], distanceAt, 1), 'auto')).toBeUndefined();
  });
});

/** Blurs by about a pixel, as a lens does: light, not bytes. */
function blur({ width, height, data }: Bitmap): Bitmap {
  const out = new Uint8ClampedArray(data);
  const weights = [1, 2, 3, 2, 1];
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let k = 0; k < 25; k++) {
          const [u, v] = [k % 5, Math.floor(k / 5)];
          sum += weights[u] * weights[v] * (data[((y + v - 2) * width + x + u - 2) * 4 + c] / 255) ** 2.2;
        }
        out[(y * width + x) * 4 + c] = 255 * (sum / 81) ** (1 / 2.2);
      }
    }
  }
  return { width, height, data: out };
}

describe('any other picture', () => {
  const even: [string, Bitmap][] = [
    ['a drawing', drawOn(WHITE)],
    ['a drawing on colored paper', drawOn(KRAFT)],
    ['a scan with noise', addNoise(drawOn(WHITE), 6, 3)],
    ['a drawing that bleeds off', draw(WIDTH, HEIGHT, RED, [{ color: WHITE, isInside: (x) => x > 120 }])],
    ['a drawn sky', drawSky()],
    ['a drawn gray ramp with grain', addNoise(drawRamp(), 2, 5)],
    ['pure black before a drawn ramp with grain', addNoise(drawBlack(), 2, 5)],
    ['a drawn step of gray with grain', addNoise(drawStep(), 2, 5)],
    ['a shaded thing before a lit backdrop', addNoise(drawThing(), 2, 5)],
    ['a disk in the middle of a drawn round ramp with grain', addNoise(drawRound(), 2, 5)],
  ];
  test.each(even)('%s is traced as before', (_name, bitmap) => {
    expect(takeOutLight(bitmap, 'auto')).toBeUndefined();
    expect(writeSvg(vectorize(bitmap, { dropLight: 'auto' }))).toBe(writeSvg(vectorize(bitmap)));
  });
});

/** Draws the disks before a ground that has a color at each height, 0..1. */
function drawBefore(colorAt: (share: number) => readonly number[]): Bitmap {
  const bitmap = { ...drawOn(WHITE), data: new Uint8ClampedArray(drawOn(WHITE).data) };
  for (let p = 0; p < WIDTH * HEIGHT; p++) {
    const isPaper = bitmap.data[p * 4] === 255 && bitmap.data[p * 4 + 2] === 255;
    if (isPaper) bitmap.data.set(colorAt(Math.floor(p / WIDTH) / HEIGHT), p * 4);
  }
  return bitmap;
}

function drawSky(): Bitmap {
  return drawBefore((share) => [100 + 130 * share, 165 + 75 * share, 255]);
}

function drawRamp(): Bitmap {
  return drawBefore((share) => [250 - 90 * share, 250 - 90 * share, 250 - 88 * share]);
}

/** Draws a disk before a ramp around its own middle: the light along its edge is even. */
function drawRound(): Bitmap {
  return paint(WIDTH, HEIGHT, (x, y) => {
    const away = Math.hypot(x + 0.5 - WIDTH / 2, y + 0.5 - HEIGHT / 2);
    return away < 50 ? RED : [255 - 0.6 * away, 255 - 0.6 * away, 254 - 0.6 * away, 255];
  });
}

/** Draws the disks in black, which grain does not lighten. */
function drawBlack(): Bitmap {
  const bitmap = drawRamp();
  const { data } = drawOn(WHITE);
  for (let i = 0; i < data.length; i += 4) if (data[i + 1] < 80) bitmap.data.fill(0, i, i + 3);
  return bitmap;
}

function drawStep(): Bitmap {
  return drawBefore((share) => (share < 0.45 ? [205, 205, 204] : [245, 245, 244]));
}

/** Draws disks whose shading follows their own form. */
function drawThing(): Bitmap {
  const bitmap = drawRamp();
  for (let p = 0; p < WIDTH * HEIGHT; p++) {
    const [x, y] = [p % WIDTH, Math.floor(p / WIDTH)];
    const isThing = Math.hypot(x - 80, y - 90) < 39 || Math.hypot(x - 165, y - 80) < 29;
    if (!isThing) continue;
    for (let c = 0; c < 3; c++) bitmap.data[p * 4 + c] *= 1 + (0.5 * (y - 85)) / 40;
  }
  return bitmap;
}
