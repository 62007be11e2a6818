import { describe, expect, test } from 'vitest';
import { areaOf, type Color, draw, paint, randomBytes, ringsOf, WHITE } from '../../test/raster.ts';
import { writeOklab } from '../color/color.ts';
import { paintAt } from '../color/paint.ts';
import type { Bitmap, Drawing, Gradient, VectorizeOptions } from '../index.ts';
import { vectorize, writeSvg } from '../index.ts';

type Point = (x: number, y: number) => boolean;
type Field = (x: number, y: number) => number[];

const disk: Point = (x, y) => Math.hypot(x - 64, y - 60) < 50;
const square: Point = (x, y) => x > 14 && x < 114 && y > 12 && y < 108;
const mix = (t: number, ...colors: number[][]): number[] => {
  const at = Math.min(1, Math.max(0, t)) * (colors.length - 1);
  const k = Math.min(colors.length - 2, Math.floor(at));
  return colors[k].map((value, c) => value + (at - k) * (colors[k + 1][c] - value));
};
const ORANGE = [250, 170, 60];
const RED = [200, 40, 50];
const NAVY = [20, 30, 110];
const fields: [string, Gradient['kind'], Field][] = [
  ['along a slant', 'linear', (x, y) => mix((x + 0.5 * y - 20) / 150, ORANGE, RED)],
  ['along a line with three stops', 'linear', (_, y) => mix((y - 12) / 96, ORANGE, RED, NAVY)],
  ['out from a middle', 'radial', (x, y) => mix(Math.hypot(x - 50, y - 45) / 75, ORANGE, RED)],
  [
    'out from a middle that lies outside',
    'radial',
    (x, y) => mix((Math.hypot(x + 10, y - 20) - 20) / 130, ORANGE, NAVY),
  ],
];

/** Draws a shape filled with a field on white, antialiased. */
function drawField(isInside: Point, field: Field, width = 128, height = 120): Bitmap {
  const samples = 8;
  return paint(width, height, (px, py): Color => {
    const corners = [isInside(px, py), isInside(px + 1, py), isInside(px, py + 1), isInside(px + 1, py + 1)];
    const sum = [0, 0, 0];
    if (corners.every((corner) => corner === corners[0])) {
      return corners[0] ? ([...field(px + 0.5, py + 0.5).map(Math.round), 255] as unknown as Color) : WHITE;
    }
    for (let v = 0.5; v < samples; v++) {
      for (let u = 0.5; u < samples; u++) {
        const [x, y] = [px + u / samples, py + v / samples];
        const color = isInside(x, y) ? field(x, y) : WHITE;
        for (let c = 0; c < 3; c++) sum[c] += color[c];
      }
    }
    return [...sum.map((value) => Math.round(value / samples / samples)), 255] as unknown as Color;
  });
}

const gradientsOf = (drawing: Drawing): Gradient[] =>
  drawing.layers.flatMap(({ paths }) => paths.flatMap(({ gradient }) => (gradient ? [gradient] : [])));

/**
 * Returns the mean OKLab distance × 100 between a drawing's gradients, composited, and a field, at points well inside a
 * shape.
 */
function distance(gradients: Gradient[], isInside: Point, field: Field): number {
  const ramps = gradients.map(({ stops, x3 = 0, y3 = 0, ...rest }) => {
    const colors = stops.flatMap(({ color, opacity = 1 }) => {
      const value = Number.parseInt(color.slice(1), 16);
      return [value >> 16, (value >> 8) & 255, value & 255, 255 * opacity];
    });
    return {
      ...rest,
      x3,
      y3,
      offsets: Float64Array.from(stops, ({ offset }) => offset),
      colors: Float64Array.from(colors),
    };
  });
  const rgba = new Float64Array(4);
  const lab = new Float64Array(6);
  let sum = 0;
  let count = 0;
  for (let y = 4.5; y < 120; y += 5) {
    for (let x = 4.5; x < 128; x += 5) {
      if (!isInside(x - 3, y) || !isInside(x + 3, y) || !isInside(x, y - 3) || !isInside(x, y + 3)) continue;
      paintAt(ramps, x, y, rgba, 0);
      const [r, g, b] = field(x, y);
      writeOklab(rgba[0], rgba[1], rgba[2], lab, 0);
      writeOklab(r, g, b, lab, 3);
      sum += Math.hypot(lab[0] - lab[3], lab[1] - lab[4], lab[2] - lab[5]) * 100;
      count++;
    }
  }
  return sum / count;
}

describe.each(fields)('colors that change %s', (_, kind, field) => {
  test.each([
    ['a disk', disk],
    ['a square', square],
  ])('fill %s with one gradient', (_name, isInside) => {
    const drawing = vectorize(drawField(isInside, field));
    const gradients = gradientsOf(drawing);
    expect(ringsOf(drawing)).toHaveLength(1);
    expect(gradients.map((gradient) => gradient.kind)).toEqual([kind]);
    expect(distance(gradients, isInside, field)).toBeLessThan(0.3);
  });
});

test('draws a glow over a ramp as a transparent gradient with the same outline', () => {
  const field: Field = (x, y) =>
    mix(0.8 * (1 - Math.hypot(x - 85, y - 40) / 40), mix((y - 12) / 96, RED, NAVY), [255, 240, 160]);
  const drawing = vectorize(drawField(disk, field));
  const gradients = gradientsOf(drawing);
  expect(gradients.length).toBeGreaterThan(1);
  expect(gradients[0].stops.every(({ opacity }) => opacity === undefined)).toBe(true);
  expect(new Set(drawing.layers[0].paths.map(({ rings }) => rings)).size).toBe(1);
  expect(distance(gradients, disk, field)).toBeLessThan(0.8);
});

test('locates an edge beside a gradient where it was drawn', () => {
  const isInside: Point = (x, y) => Math.hypot(x - 64.3, y - 59.8) < 47.6;
  const drawing = vectorize(drawField(isInside, fields[1][2]));
  for (const { ring } of ringsOf(drawing)) {
    for (const { x, y } of ring.segments) expect(Math.abs(Math.hypot(x - 64.3, y - 59.8) - 47.6)).toBeLessThan(0.06);
  }
});

/** Adds noise of standard deviation `sigma`, like that of film and scanners. */
function addNoise({ width, height, data }: Bitmap, sigma: number): Bitmap {
  const random = randomBytes(3);
  return paint(width, height, (x, y): Color => {
    const i = (y * width + x) * 4;
    const noisy = [0, 1, 2].map((c) => {
      let sum = -4 * 127.5;
      for (let k = 0; k < 4; k++) sum += random();
      return Math.min(255, Math.max(0, Math.round(data[i + c] + (sigma * sum) / (2 * 73.9))));
    });
    return [...noisy, 255] as unknown as Color;
  });
}

/**
 * Simulates lossy compression: quantizes the cosine transforms of blocks of 8 × 8 pixels, more coarsely at higher
 * frequencies, with chroma at half the resolution.
 */
function compress({ width, height, data }: Bitmap): Bitmap {
  const planes = [0, 1, 2].map(() => new Float64Array(width * height));
  for (let p = 0; p < width * height; p++) {
    const [r, g, b] = data.subarray(p * 4, p * 4 + 3);
    const luma = 0.299 * r + 0.587 * g + 0.114 * b;
    planes[0][p] = luma;
    planes[1][p] = 0.564 * (b - luma);
    planes[2][p] = 0.713 * (r - luma);
  }
  const [luma, blue, red] = planes.map((plane, k) => quantizeBlocks(plane, width, height, k === 0 ? 1 : 2));
  return paint(width, height, (x, y): Color => {
    const p = y * width + x;
    const r = luma[p] + red[p] / 0.713;
    const b = luma[p] + blue[p] / 0.564;
    const g = (luma[p] - 0.299 * r - 0.114 * b) / 0.587;
    return [...[r, g, b].map((value) => Math.min(255, Math.max(0, Math.round(value)))), 255] as unknown as Color;
  });
}

const COSINES = Array.from({ length: 8 }, (_, k) =>
  Array.from({ length: 8 }, (_, x) => Math.cos(((2 * x + 1) * k * Math.PI) / 16) * Math.sqrt(k === 0 ? 1 / 8 : 1 / 4)),
);

/** Returns the plane with the cosine transforms of its blocks quantized; at `scale` 2, of the means of four pixels. */
function quantizeBlocks(plane: Float64Array, width: number, height: number, scale: number): Float64Array {
  const out = new Float64Array(plane.length);
  const pixels = (x: number, y: number): number[] =>
    Array.from({ length: scale * scale }, (_, k) => {
      const px = Math.min(width - 1, x * scale + (k % scale));
      return Math.min(height - 1, y * scale + Math.floor(k / scale)) * width + px;
    });
  const span = [0, 1, 2, 3, 4, 5, 6, 7];
  for (let top = 0; top * scale < height; top += 8) {
    for (let left = 0; left * scale < width; left += 8) {
      const block = span.map((v) =>
        span.map((u) => pixels(left + u, top + v).reduce((sum, p) => sum + plane[p], 0) / scale / scale),
      );
      const rows = block.map((row) => COSINES.map((wave) => row.reduce((sum, value, x) => sum + value * wave[x], 0)));
      const waves = COSINES.map((wave, v) =>
        span.map((u) => {
          const step = (10 + 5 * (u + v)) * (scale === 1 ? 1 : 1.4);
          return step * Math.round(span.reduce((sum, y) => sum + rows[y][u] * wave[y], 0) / step);
        }),
      );
      const back = waves.map((row) => span.map((x) => row.reduce((sum, value, u) => sum + value * COSINES[u][x], 0)));
      for (const v of span) {
        for (const u of span) {
          const value = span.reduce((sum, k) => sum + back[k][u] * COSINES[k][v], 0);
          for (const p of pixels(left + u, top + v)) out[p] = value;
        }
      }
    }
  }
  return out;
}

const rough: [string, (bitmap: Bitmap) => Bitmap][] = [
  ['under noise', (bitmap) => addNoise(bitmap, 6)],
  ['after lossy compression', compress],
];

describe.each(rough)('%s', (_, spoil) => {
  test.each([fields[0], fields[2]])('colors that change %s fill a shape with one gradient', (_name, kind, field) => {
    const drawing = vectorize(spoil(drawField(disk, field)));
    const gradients = gradientsOf(drawing);
    expect(ringsOf(drawing)).toHaveLength(1);
    expect(gradients[0].kind).toBe(kind);
    expect(distance(gradients, disk, field)).toBeLessThan(1.2);
    for (const { ring } of ringsOf(drawing)) {
      for (const { x, y } of ring.segments) expect(Math.abs(Math.hypot(x - 64, y - 60) - 50)).toBeLessThan(0.5);
    }
  });

  test('gives flat colors no gradient', () => {
    const flat = draw(128, 120, WHITE, [
      { color: [200, 60, 50, 255], isInside: disk },
      { color: [60, 90, 180, 255], isInside: (x, y) => Math.hypot(x - 64, y - 60) < 24 },
    ]);
    expect(gradientsOf(vectorize(spoil(flat)))).toHaveLength(0);
  });
});

test.each<[string, VectorizeOptions]>([
  ['that no ramp explains', {}],
  ['without gradients', { gradients: false }],
])('the borders of bands %s are smooth under noise, and the outline stays', (_, options) => {
  const isInside: Point = (x, y) => Math.hypot(x - 170, y - 160) < 150;
  // Around a point, by its angle: neither along a line nor out from a middle.
  const field: Field = (x, y) => mix(Math.abs(Math.atan2(y - 190, x - 90)) / Math.PI, ORANGE, RED, NAVY);
  const drawing = vectorize(addNoise(drawField(isInside, field, 340, 320), 5), { ...options, stacking: 'cutouts' });
  const rings = ringsOf(drawing);
  const colors = new Set(rings.map(({ color }) => color)).size;
  const nodes = rings.reduce((sum, { ring }) => sum + ring.segments.length, 0);
  expect(colors).toBeGreaterThan(4);
  // The sectors of one half have the colors of the other half's. Without the step there are 1,310 nodes.
  expect(rings).toHaveLength(2 * colors - 2);
  expect(nodes).toBeLessThan(300);
  const area = rings.reduce((sum, { ring }) => sum + Math.abs(areaOf(ring)), 0);
  expect(Math.abs(area / (Math.PI * 150 ** 2) - 1)).toBeLessThan(0.003);
});

test('keeps the border between two adjacent smooth shapes', () => {
  const field: Field = (x, y) => (x < 60 ? mix((y - 12) / 96, ORANGE, RED) : mix((y - 12) / 96, RED, NAVY));
  const drawing = vectorize(drawField(square, field), { stacking: 'cutouts' });
  expect(gradientsOf(drawing)).toHaveLength(2);
  const border = ringsOf(drawing).flatMap(({ ring }) => ring.segments.filter(({ x }) => Math.abs(x - 60) < 0.1));
  expect(border.length).toBeGreaterThanOrEqual(4);
});

test('gives flat colors no gradient, however similar', () => {
  const flat = draw(100, 90, WHITE, [
    { color: [210, 40, 30, 255], isInside: (x, y) => Math.hypot(x - 40, y - 44) < 30 },
    { color: [203, 46, 36, 255], isInside: (x, y) => x > 40 && Math.hypot(x - 52, y - 46) < 30 },
  ]);

  const drawing = vectorize(flat);
  expect(gradientsOf(drawing)).toHaveLength(0);
  expect(writeSvg(drawing)).toBe(writeSvg(vectorize(flat, { gradients: false })));
});

test('draws shading as bands of solid tones without gradients', () => {
  const bitmap = drawField(disk, fields[0][2]);
  const drawing = vectorize(bitmap, { gradients: false });
  expect(gradientsOf(drawing)).toHaveLength(0);
  expect(new Set(ringsOf(drawing).map(({ color }) => color)).size).toBeGreaterThan(2);
  const lines = vectorize(bitmap, { draw: 'stroke' });
  expect(gradientsOf(lines)).toHaveLength(0);
  expect(ringsOf(lines)).toHaveLength(1);
  expect(gradientsOf(vectorize(bitmap, { colorMode: 'monochrome' }))).toHaveLength(0);
});

test.each<[string, VectorizeOptions]>([
  ['as it is', {}],
  ['by shape, side by side', { groupBy: 'shape', stacking: 'cutouts' }],
  ['in one layer', { groupBy: 'none' }],
])('the same picture gives the same bytes, %s', (_, options) => {
  const bitmap = drawField(disk, fields[2][2]);
  const svg = writeSvg(vectorize(bitmap, options));
  expect(svg).toMatch(/<radialGradient id="g1"[\s\S]*fill="url\(#g1\)"/);
  expect(writeSvg(vectorize(bitmap, options))).toBe(svg);
});

test('draws noisy shading like that of a photograph', () => {
  const random = randomBytes(11);
  const bitmap = paint(160, 120, (x, y) => {
    const shade = 90 + 60 * Math.sin(x / 17) * Math.cos(y / 23) + 0.4 * x;
    const noise = (random() - 128) / 12;
    return [shade + noise, 0.8 * shade + 30 + noise, 200 - 0.6 * shade + noise, 255].map(
      Math.round,
    ) as unknown as Color;
  });
  const drawing = vectorize(bitmap);
  expect(drawing.layers.length).toBeGreaterThan(0);
});
