import { applyCommand, artworksOf, type Command } from '@markwright/scene';
import { expect, test } from 'vitest';
import { designPlacement, openEditor } from '../testHost.ts';
import {
  machineAreaLimitsMm,
  nudgeMachineArea,
  readMachineAreaMm,
  resetMachineArea,
  setMachineAreaMm,
} from './machineArea.ts';

// The picture is 203.2 × 101.6 mm, the print area its middle 101.6 × 50.8 mm.
const { composition, assets } = openEditor({ design: designPlacement() }).getState();
const product = assets.product!;
const whole = { width: 101.6, height: 50.8, x: 0, y: 0 };

function after(...commands: Command[]) {
  return commands.reduce(applyCommand, composition);
}
function areaAfter(changes: Parameters<typeof setMachineAreaMm>[2]) {
  const resizedArea = after(setMachineAreaMm(composition, product, changes));
  // A frame that is not inside the picture would be no frame.
  const { x, y, width, height } = resizedArea.machineArea ?? product.printArea;
  expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
  expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(1 + 1e-9);
  return readMachineAreaMm(resizedArea, product);
}
function expectArea(area: typeof whole, expected: typeof whole) {
  for (const key of ['width', 'height', 'x', 'y'] as const) expect(area[key]).toBeCloseTo(expected[key], 6);
}

test('uses the print area where no machine area is set', () => {
  expectArea(readMachineAreaMm(composition, product), whole);
});

test.each([
  ['a width', { width: 60 }, { width: 60 }],
  ['a height', { height: 40 }, { height: 40 }],
  ['a place', { x: 20, y: -10 }, { x: 20, y: -10 }],
  ['too small', { width: 1, height: 1 }, { width: 20.32, height: 10.16 }],
  ['too large', { width: 999 }, { width: 203.2 }],
  ['too far right', { x: 999 }, { x: 50.8 }],
  ['too far up', { y: -999 }, { y: -25.4 }],
])('sets %s to the typed value', (_, changes, expected) => {
  expectArea(areaAfter(changes), { ...whole, ...expected });
});

test('reaches every limit and nothing past it', () => {
  const limits = machineAreaLimitsMm(composition, product);
  for (const key of ['width', 'height', 'x', 'y'] as const) {
    for (const end of ['min', 'max'] as const) {
      const past = limits[key][end] + (end === 'min' ? -5 : 5);
      expect(areaAfter({ [key]: limits[key][end] })[key]).toBeCloseTo(limits[key][end], 6);
      expect(areaAfter({ [key]: past })[key]).toBeCloseTo(limits[key][end], 6);
    }
  }
});

test('nudges the area by per cent of its own size', () => {
  const nudgedArea = after(nudgeMachineArea(composition, product, 5, -1));
  expectArea(readMachineAreaMm(nudgedArea, product), { ...whole, x: 5.08, y: -0.508 });
});

test('restores the print area and the design’s place with a reset', () => {
  const back = after(setMachineAreaMm(composition, product, { width: 80, x: 5 }), resetMachineArea(product));
  expect(back.machineArea).toBeUndefined();
  expect(artworksOf(back)[0]!.x).toBeCloseTo(0, 9);
  expect(artworksOf(back)[0]!.size).toBeCloseTo(50, 9);
});
