import { expect, test } from 'vitest';
import type { Drawing, Gradient, Path } from '../index.ts';
import { writeSvg } from '../index.ts';
import type { Ramp } from './paint.ts';
import { offsetAt, paintAt, toGradient } from './paint.ts';

const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];
const CLEAR_BLUE = [0, 0, 255, 0];

const makeRamp = (kind: Ramp['kind'], points: number[], stops: [number, number[]][]): Ramp => {
  const [x1, y1, x2, y2, x3, y3] = points;
  const offsets = Float64Array.from(stops, ([offset]) => offset);
  return { kind, x1, y1, x2, y2, x3, y3, offsets, colors: Float64Array.from(stops.flatMap(([, color]) => color)) };
};

const at = (ramps: Ramp[], x: number, y: number): number[] => {
  const out = new Float64Array(4);
  paintAt(ramps, x, y, out, 0);
  return [...out].map(Math.round);
};

test('a ramp has its stop colors at the stops and its end colors beyond them', () => {
  const linear = makeRamp(
    'linear',
    [10, 20, 30, 20, 0, 0],
    [
      [0, RED],
      [0.5, BLUE],
      [1, RED],
    ],
  );
  expect(at([linear], 10, 99)).toEqual(RED);
  expect(at([linear], 15, 0)).toEqual([128, 0, 128, 255]);
  expect(at([linear], 20, 0)).toEqual(BLUE);
  expect(at([linear], -50, 0)).toEqual(RED);
  expect(at([linear], 90, 0)).toEqual(RED);
});

test('a radial ramp has offset 1 on its ellipse, at any rotation', () => {
  const radial = makeRamp(
    'radial',
    [50, 40, 58, 46, 47, 44],
    [
      [0, RED],
      [1, BLUE],
    ],
  );
  for (const angle of [0, 1, 2, 4]) {
    const x = 50 + 8 * Math.cos(angle) - 3 * Math.sin(angle);
    const y = 40 + 6 * Math.cos(angle) + 4 * Math.sin(angle);
    expect(offsetAt(radial, x, y)).toBeCloseTo(1, 12);
    expect(offsetAt(radial, (50 + x) / 2, (40 + y) / 2)).toBeCloseTo(0.5, 12);
  }
});

test('a transparent ramp is composited over the ramp below', () => {
  const under = makeRamp(
    'linear',
    [0, 0, 1, 0, 0, 0],
    [
      [0, RED],
      [1, RED],
    ],
  );
  const over = makeRamp(
    'linear',
    [0, 0, 10, 0, 0, 0],
    [
      [0, CLEAR_BLUE],
      [1, BLUE],
    ],
  );
  expect(at([under, over], 0, 0)).toEqual(RED);
  expect(at([under, over], 2, 0)).toEqual([204, 0, 51, 255]);
  expect(at([under, over], 10, 0)).toEqual(BLUE);
});

test('writes equal gradients once and refers to them', () => {
  const linear: Gradient = {
    kind: 'linear',
    x1: 0,
    y1: 0.25,
    x2: 8,
    y2: -4,
    stops: [
      { offset: 0, color: '#ff0000' },
      { offset: 0.5, color: '#0000ff', opacity: 0 },
    ],
  };
  const radial: Gradient = { ...linear, kind: 'radial', x2: 3, y2: 4.25 };
  const ellipse = toGradient(
    makeRamp(
      'radial',
      [50, 40, 58, 46, 47, 44],
      [
        [0, RED],
        [1, BLUE],
      ],
    ),
  );
  const path = (gradient: Gradient): Path => ({ color: '#808080', gradient, rings: [{ x: 0, y: 0, segments: [] }] });
  const drawing: Drawing = {
    width: 9,
    height: 9,
    lineArt: false,
    layers: [{ id: 'a', color: 'mixed', paths: [path(linear), path(radial), path({ ...linear }), path(ellipse)] }],
  };
  const svg = writeSvg(drawing);
  const stops = '<stop offset="0" stop-color="#ff0000"/><stop offset=".5" stop-color="#0000ff" stop-opacity="0"/>';
  expect(svg).toContain(
    `<linearGradient id="g1" gradientUnits="userSpaceOnUse" x1="0" y1=".25" x2="8" y2="-4">${stops}</linearGradient>`,
  );
  expect(svg).toContain(`<radialGradient id="g2" gradientUnits="userSpaceOnUse" cx="0" cy=".25" r="5">${stops}`);
  expect(svg).toContain('cx="0" cy="0" r="1" gradientTransform="matrix(8 6 -3 4 50 40)"');
  expect([...svg.matchAll(/fill="([^"]*)"/g)].map(([, fill]) => fill)).toEqual([
    'url(#g1)',
    'url(#g2)',
    'url(#g1)',
    'url(#g3)',
  ]);
});
