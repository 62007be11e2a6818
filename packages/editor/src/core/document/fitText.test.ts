import { applyCommand, boxAround, resolveScene, textsOf } from '@markwright/scene';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { designPlacement, openEditor, textElement } from '../testHost.ts';
import { fitTextCommand } from './fitText.ts';

test('a fitted text lies within the machine area and could not be a step larger, whatever its place and angle', () => {
  const percent = fc.integer({ min: -50, max: 50 });
  fc.assert(
    fc.property(
      fc.constantFrom('A', 'Hazel & Finn', 'one\ntwo\nthree', 'x'.repeat(120)),
      fc.constantFrom(0, 90, 33),
      percent,
      percent,
      (text, angleDeg, x, y) => {
        const { composition, scene, assets } = openEditor({
          texts: [textElement('a', { text, angleDeg, x, y, heightInches: 0.5 })],
        }).getState();
        const after = applyCommand(composition, fitTextCommand({ composition, scene, assets }, 'text:a')!);
        const { heightInches } = textsOf(after)[0]!;
        const box = boxAround([resolveScene(after, assets).groups[0]!])!;
        const share = Math.max((box.right - box.left) / scene.widthMm, (box.bottom - box.top) / scene.heightMm);
        if (heightInches > 0.11) {
          expect(share).toBeLessThanOrEqual(0.9 + 1e-9);
          expect((box.left + box.right) / 2).toBeCloseTo(scene.widthMm / 2, 6);
          // Some sums of the rounded place and size are a hair outside.
          expect(Math.min(box.left, box.top)).toBeGreaterThan(-1e-9);
          expect(box.right).toBeLessThan(scene.widthMm + 1e-9);
          expect(box.bottom).toBeLessThan(scene.heightMm + 1e-9);
        }
        if (heightInches < 1) expect((share / heightInches) * (heightInches + 0.01)).toBeGreaterThan(0.9 - 1e-9);
      },
    ),
  );
});

test('fits no locked text and no design', () => {
  const state = openEditor({
    design: designPlacement(),
    texts: [textElement('a', { isLocked: true })],
  }).getState();
  expect(fitTextCommand(state, 'text:a')).toBeUndefined();
  expect(fitTextCommand(state, 'design')).toBeUndefined();
});
