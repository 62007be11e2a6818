import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flat, paint } from '../test/pictures.ts';
import {
  applyTone,
  applyToneCurve,
  drawWedge,
  ENGRAVING_MATERIALS,
  engravingMaterial,
  invert,
  layOnBare,
  modelToneCurve,
  NEUTRAL_TONE,
  resolveInvert,
  type Tone,
  WEDGE_STEPS,
} from './index.ts';

const ramp = paint(256, 4, (x) => x);
const isRising = (data: Uint8Array) =>
  [...data.subarray(0, 256)].every((value, i, all) => i === 0 || value >= all[i - 1]);

test('leaves every byte with the neutral tone', () => {
  expect(applyTone(ramp, NEUTRAL_TONE)).toBe(ramp);
});

test('keeps black, white and the order of tones under brightness, contrast and gamma', () => {
  const part = (min: number, max: number) => fc.integer({ min, max });
  fc.assert(
    fc.property(
      part(-100, 100),
      part(-100, 100),
      fc.double({ min: 0.2, max: 5, noNaN: true }),
      (brightness, contrast, gamma) => {
        const { data } = applyTone(ramp, { ...NEUTRAL_TONE, brightness, contrast, gamma });
        expect([data[0], data[255]]).toEqual([0, 255]);
        expect(isRising(data)).toBe(true);
      },
    ),
    { numRuns: 40 },
  );
  const middle = (tone: Partial<Tone>) => applyTone(flat(2, 2, 128), { ...NEUTRAL_TONE, ...tone }).data[0];
  expect(middle({ brightness: 30 })).toBeGreaterThan(150);
  expect(middle({ brightness: -30 })).toBeLessThan(106);
  expect(middle({ gamma: 2 })).toBeGreaterThan(170);
});

test.each(['brightness', 'contrast', 'gamma', 'localContrast', 'sharpen'] as const)(
  'refuses %s beyond its limits',
  (name) => {
    for (const value of [-101, 101, Number.NaN]) {
      expect(() => applyTone(ramp, { ...NEUTRAL_TONE, [name]: value })).toThrow(name);
    }
  },
);

test('raises detail and not edges by local contrast', () => {
  // Weak stripes on both sides of a strong edge.
  const picture = paint(200, 60, (x) => (x < 100 ? 60 : 200) + (x % 4 < 2 ? 5 : -5));
  const { data } = applyTone(picture, { ...NEUTRAL_TONE, localContrast: 100 });
  const row = data.subarray(30 * 200, 31 * 200);
  const contrast = (from: number) =>
    Math.max(...row.subarray(from, from + 20)) - Math.min(...row.subarray(from, from + 20));
  const mean = (from: number) => row.subarray(from, from + 20).reduce((sum, value) => sum + value, 0) / 20;
  expect(contrast(20)).toBeGreaterThan(18);
  // No halo: the tones beside the edge are those far from it.
  expect(Math.abs(mean(78) - mean(20))).toBeLessThan(8);
  expect(Math.abs(mean(102) - mean(160))).toBeLessThan(8);
});

test('sharpens edges and leaves flat areas', () => {
  const picture = paint(20, 20, (x) => (x < 10 ? 100 : 150));
  const { data } = applyTone(picture, { ...NEUTRAL_TONE, sharpen: 100 });
  expect([data[5], data[15]]).toEqual([100, 150]);
  expect(data[9]).toBeLessThan(90);
  expect(data[10]).toBeGreaterThan(160);
});

test('gives the picture back when it is inverted twice', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 12, maxLength: 12 }), (data) => {
      expect([...invert(invert({ width: 4, height: 3, data })).data]).toEqual([...data]);
    }),
  );
});

test('leaves clear parts bare, also in the negative', () => {
  const gray = { width: 3, height: 1, data: Uint8Array.from([255, 255, 0]), alpha: Uint8Array.from([0, 255, 128]) };
  expect([...layOnBare(invert(gray)).data]).toEqual([255, 0, 255]);
  expect([...layOnBare(gray).data]).toEqual([255, 255, 127]);
});

test.each(Object.entries(ENGRAVING_MATERIALS))('shows even steps on %s once its curve is applied', (_, material) => {
  const { curve } = material;
  const visibleAt = (share: number) => {
    const at = share * (WEDGE_STEPS - 1);
    const k = Math.min(WEDGE_STEPS - 2, Math.floor(at));
    return (curve[k] + (curve[k + 1] - curve[k]) * (at - k) - curve[0]) / (curve[WEDGE_STEPS - 1] - curve[0]);
  };
  const { data } = applyToneCurve(ramp, curve);
  expect([data[0], data[255]]).toEqual([0, 255]);
  expect(isRising(data)).toBe(true);
  for (let level = 0; level < 256; level += 15) {
    expect(Math.abs(visibleAt(1 - data[level] / 255) - (1 - level / 255))).toBeLessThan(0.02);
  }
});

test('does not need even or rising measurements', () => {
  const curve = Array.from({ length: WEDGE_STEPS }, (_, k) => 240 - 9 * k + (k % 2 ? 7 : 0));
  expect(isRising(applyToneCurve(ramp, curve).data)).toBe(true);
  // A scan that says the same of every step but the ends.
  const blind = Array.from({ length: WEDGE_STEPS }, (_, k) => (k === 0 ? 10 : k === WEDGE_STEPS - 1 ? 200 : 90));
  expect(isRising(applyToneCurve(ramp, blind).data)).toBe(true);
  expect(() => applyToneCurve(ramp, [1, 2, 3])).toThrow('20 numbers');
  expect(() => applyToneCurve(ramp, new Array(WEDGE_STEPS).fill(5))).toThrow('last step');
});

test('models more dot gain as a curve that burns less', () => {
  const colors = { bare: '#ffffff', mark: '#000000' };
  const [little, much] = [0.05, 0.2].map((gain) => applyToneCurve(ramp, modelToneCurve(colors, gain)).data[128]);
  expect(much).toBeGreaterThan(little);
  expect(() => modelToneCurve({ bare: 'white', mark: '#000000' }, 0)).toThrow('#rrggbb');
});

test('inverts where marks are light', () => {
  for (const material of ['slate', 'powder-coat', 'aluminium']) expect(resolveInvert('auto', material)).toBe(true);
  for (const material of ['walnut', 'stainless', 'leather', 'nothing known']) {
    expect(resolveInvert('auto', material)).toBe(false);
  }
  expect(resolveInvert(false, 'slate')).toBe(false);
  // Ivory powder coat takes a darker mark.
  expect(resolveInvert('auto', 'powder-coat', { bare: '#f3ead8', mark: '#7e7f80' })).toBe(false);
  expect(engravingMaterial('toString').intervalMm).toBe(0.1);
});

test('draws the test card with twenty patches of the tones that they say', () => {
  const { gray, patches, patchMm } = drawWedge(0.1, 6);
  expect(patches).toHaveLength(WEDGE_STEPS);
  patches.forEach(({ share, leftMm, topMm }) => {
    for (const place of [0.1, 0.5, 0.9]) {
      const [x, y] = [leftMm, topMm].map((mm) => Math.floor((mm + place * patchMm) / 0.1));
      expect(gray.data[y * gray.width + x]).toBe(Math.round(255 * (1 - share)));
    }
  });
  // Between the patches it is bare, and there are numbers above them.
  expect(gray.data[gray.width * gray.height - 1]).toBe(255);
  const head = gray.data.subarray(0, Math.floor(patches[0].topMm / 0.1) * gray.width);
  expect(head.filter((value) => value === 0).length).toBeGreaterThan(1000);
});
