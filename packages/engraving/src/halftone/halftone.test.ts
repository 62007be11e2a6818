import { expect, test } from 'vitest';
import { ball, countCrossings, flat, leastDisk, leastGap, leastWidth } from '../../test/pictures.ts';
import { areaOf, type Contour, type HalftoneStyle, halftone, meanTone, toPathData } from '../index.ts';

const BEAM_MM = 0.08;
const GAP_MM = 0.1;
const WIDTH_MM = 16;
const picture = ball(96, 72);
const FRAME_AREA = WIDTH_MM * WIDTH_MM * 0.75;

const styles: Record<string, HalftoneStyle> = {
  'level lines': { kind: 'lines', course: 'straight', pitchMm: 0.7, angleDeg: 0 },
  'angled lines': { kind: 'lines', course: 'straight', pitchMm: 0.7, angleDeg: 22.5 },
  rings: { kind: 'lines', course: 'rings', pitchMm: 0.7, angleDeg: 0 },
  'lines along the form': { kind: 'lines', course: 'form', pitchMm: 0.7, angleDeg: 30 },
  'round dots': { kind: 'dots', shape: 'round', pitchMm: 0.7, angleDeg: 22.5 },
  'diamond dots': { kind: 'dots', shape: 'diamond', pitchMm: 0.7, angleDeg: 45 },
  'cross-hatch': { kind: 'hatch', pitchMm: 0.7, angleDeg: 45 },
  stipple: { kind: 'stipple', dotMm: 0.4 },
};
const draw = (style: HalftoneStyle, gapMm: number, gray = picture) =>
  halftone(gray, { widthMm: WIDTH_MM, style, beamMm: BEAM_MM, gapMm });
const inkOf = (contours: readonly Contour[]) =>
  Math.abs(contours.reduce((sum, contour) => sum + areaOf(contour), 0)) / FRAME_AREA;

test.each(Object.entries(styles))('%s keep apart, cross nothing and are nowhere thinner than the beam', (_, style) => {
  const contours = draw(style, GAP_MM);
  expect(contours.length).toBeGreaterThan(15);
  expect(countCrossings(contours)).toBe(0);
  expect(leastGap(contours)).toBeGreaterThan(GAP_MM - 0.012);
  const isDotted = style.kind === 'dots' || style.kind === 'stipple';
  expect(isDotted ? leastDisk(contours) : leastWidth(contours)).toBeGreaterThan(BEAM_MM - 0.004);
});

test.each(Object.entries(styles))('%s lie in the frame, and may touch but never cross', (_, style) => {
  const contours = draw(style, 0);
  const [right, bottom] = [WIDTH_MM + 1e-4, 0.75 * WIDTH_MM + 1e-4];
  for (const contour of contours) {
    expect(contour.length).toBeGreaterThanOrEqual(6);
    for (let i = 0; i < contour.length; i += 2) {
      expect(contour[i] > -1e-4 && contour[i] < right && contour[i + 1] > -1e-4 && contour[i + 1] < bottom).toBe(true);
    }
  }
  expect(countCrossings(contours)).toBe(0);
});

test.each(Object.entries(styles))('%s have the mean tone of the picture', (name, style) => {
  // Stipple has no solid black, and crossings have clear corners.
  const slacks: Record<string, number> = { stipple: 0.06, 'cross-hatch': 0.02 };
  const slack = slacks[name] ?? 0.01;
  expect(Math.abs(inkOf(draw(style, 0)) - meanTone(picture))).toBeLessThan(slack);
});

test.each(Object.entries(styles))('%s have every tone up to the middle within a hundredth', (name, style) => {
  for (const level of [230, 190, 150, 128]) {
    const slack = name === 'cross-hatch' ? 0.015 : 0.01;
    expect(Math.abs(inkOf(draw(style, 0, flat(96, 72, level))) - (1 - level / 255)), `${level}`).toBeLessThan(slack);
  }
});

test.each(Object.entries(styles))(
  '%s keep a tone that is too light for the beam, in dashes or fewer dots',
  (_, style) => {
    expect(inkOf(draw(style, 0, flat(96, 72, 247)))).toBeGreaterThan(0.022);
    expect(inkOf(draw(style, 0, flat(96, 72, 247)))).toBeLessThan(0.042);
  },
);

test.each(Object.entries(styles))('%s leave bare material and one-pixel pictures alone', (_, style) => {
  expect(draw(style, 0, flat(8, 6, 255))).toEqual([]);
  expect(draw(style, 0, flat(1, 1, 255))).toEqual([]);
  expect(inkOf(draw(style, 0, flat(4, 3, 0)))).toBeGreaterThan(style.kind === 'stipple' ? 0.6 : 0.93);
});

test('orders contours for a short way', () => {
  for (const style of Object.values(styles)) {
    const contours = draw(style, GAP_MM);
    let way = 0;
    let direct = 0;
    contours.forEach((contour, i) => {
      if (i === 0) return;
      const before = contours[i - 1];
      way += Math.hypot(contour[0] - before[0], contour[1] - before[1]);
      direct += Math.sqrt(FRAME_AREA / contours.length);
    });
    // The way of a pen that lifts once per contour is about one distance between neighbors, and lines are longer.
    expect(way).toBeLessThan(style.kind === 'lines' ? 12 * direct : 4 * direct);
  }
});

test('writes closed paths in millimeters', () => {
  expect(toPathData([Float32Array.from([0, 0, 1.23456, 0, 1, 2])])).toBe('M0 0L1.235 0L1 2Z');
});

test('refuses what no beam can make', () => {
  const level = styles['level lines'];
  expect(() => halftone(picture, { widthMm: 16, style: level, beamMm: 0.5, gapMm: 0 })).toThrow('coarser');
  expect(() => halftone(picture, { widthMm: 16, style: level, beamMm: 0.2, gapMm: 0.6 })).toThrow('coarser');
  expect(() => halftone(picture, { widthMm: 9000, style: level, beamMm: 0.2, gapMm: 0 })).toThrow('4000');
  expect(() => halftone(picture, { widthMm: 16, style: level, beamMm: 0, gapMm: 0 })).toThrow(RangeError);
});
