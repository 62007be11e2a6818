import { expect, test } from 'vitest';
import { readWheel, type WheelTurn } from './wheel.ts';

const turn = (changes: Partial<WheelTurn>): WheelTurn => ({
  deltaX: 0,
  deltaY: 0,
  deltaMode: 0,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...changes,
});
const read = (changes: Partial<WheelTurn>) => readWheel(turn(changes), 600);

test('pans by pixels, lines and pages', () => {
  expect(read({ deltaX: 3, deltaY: -8 })).toEqual({ kind: 'pan', by: { x: -3, y: 8 } });
  expect(read({ deltaY: 3, deltaMode: 1 })).toEqual({ kind: 'pan', by: { x: -0, y: -48 } });
  expect(read({ deltaY: 1, deltaMode: 2 })).toEqual({ kind: 'pan', by: { x: -0, y: -600 } });
});

test('pans sideways with Shift, also where the system has turned the axis', () => {
  expect(read({ deltaY: 100, shiftKey: true })).toEqual({ kind: 'pan', by: { x: -100, y: 0 } });
  expect(read({ deltaX: 100, shiftKey: true })).toEqual({ kind: 'pan', by: { x: -100, y: -0 } });
});

test.each(['ctrlKey', 'metaKey'] as const)('zooms with %s in steps of less than a fifth', (modifier) => {
  const factor = (deltaY: number, deltaMode = 0) => {
    const change = read({ deltaY, deltaMode, [modifier]: true });
    return change.kind === 'zoom' ? change.factor : undefined;
  };
  expect(factor(-120)).toBeCloseTo(1.162, 3);
  expect(factor(-3, 1)).toBe(factor(-120));
  expect(factor(120)! * factor(-120)!).toBeCloseTo(1);
  // A pinch to twice the size comes in many small steps.
  expect(factor(-1)! ** 69.3).toBeCloseTo(2, 2);
});
