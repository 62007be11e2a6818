import { applyCommand, textsOf } from '@markwright/scene';
import { expect, it } from 'vitest';
import { openEditor, textElement } from '../testHost.ts';
import { enterCircle, leaveCircle } from './newCircle.ts';

it.each([
  ['straight', 0, 0, 'top', 'outside', 180],
  ['a rainbow', 25, 0, 'top', 'outside', 180],
  ['a smile', -75, 0, 'bottom', 'inside', 270],
  ['turned', 0, 90, 'top', 'outside', 180],
] as const)(
  'puts a text that is %s on a circle and back, with its words in place',
  (_, bend, angleDeg, side, edge, sweepDeg) => {
    const before = textElement('a', { text: 'Oak', x: 10, y: -20, heightInches: 0.2, bend, angleDeg });
    const state = openEditor({ texts: [before] }).getState();
    const { composition, scene } = state;
    const onCircle = textsOf(applyCommand(composition, enterCircle(state, before)!))[0]!;
    const circle = onCircle.circle!;
    expect(circle).toMatchObject({ side, edge, sweepDeg });
    expect(onCircle.bend).toBe(0);
    expect(circle.radiusMm % 0.5).toBe(0);
    const mm = (text: typeof before) => [(text.x * scene.widthMm) / 100, (text.y * scene.heightMm) / 100] as const;
    const [[x, y], [toX, toY]] = [mm(before), mm(onCircle)];
    const angle = (angleDeg * Math.PI) / 180;
    const down = side === 'top' ? circle.radiusMm : -circle.radiusMm;
    expect(toX - x).toBeCloseTo(-Math.sin(angle) * down, 6);
    expect(toY - y).toBeCloseTo(Math.cos(angle) * down, 6);
    const after = applyCommand({ ...composition, elements: [onCircle] }, leaveCircle(state, onCircle, circle));
    expect(textsOf(after)[0]).toEqual({ ...before, bend: 0, x: expect.closeTo(10, 6), y: expect.closeTo(-20, 6) });
  },
);
