import { resolveScene, type SceneGroup } from '@markwright/scene';
import { expect, test } from 'vitest';
import { designPlacement, openEditor, textElement } from '../testHost.ts';
import { describeElement, offsetMm, reachesOutside } from './measure.ts';

const scene = resolveScene(openEditor({ design: designPlacement() }).getState().composition, {
  product: undefined,
  artworks: new Map(),
  fonts: { outline: () => undefined },
});

/** A text whose ink is 4 mm high in the middle of a line of 10 mm, with the top of the ink at `top`. */
function lineAt(top: number): SceneGroup {
  const box = (y: number, height: number) => ({
    corners: [
      { x: 10, y },
      { x: 30, y },
      { x: 30, y: y + height },
      { x: 10, y: y + height },
    ] as const,
    sizeMm: { width: 20, height },
  });
  const d = `M10 ${top}L30 ${top}L30 ${top + 4}L10 ${top + 4}Z`;
  const paint = { fill: '#000000', stroke: undefined, strokeWidth: 0, opacity: 1 };
  return {
    kind: 'group',
    elementId: 'text:a',
    label: 'Ann',
    opacity: 1,
    matrix: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 },
    children: [{ kind: 'path', d, operation: 'engrave', ...paint }],
    ...box(top, 4),
    lineBox: box(top - 3, 10),
  };
}

test('a text is outside the machine area when its ink is, and not when its line is', () => {
  expect(reachesOutside(scene, lineAt(1))).toBe(false);
  expect(reachesOutside(scene, lineAt(-1))).toBe(true);
});

test('the words about a text give the size and place of its ink', () => {
  const group = lineAt(8);
  expect(offsetMm(scene, group)).toEqual({ x: 20 - scene.widthMm / 2, y: 10 - scene.heightMm / 2 });
  expect(describeElement(scene, group, 'mm')).toContain('Text Ann, 20.0 × 4.0 mm at ');
});

test('every text on the stage has ink of its own size', () => {
  const { scene: stage } = openEditor({ texts: [textElement('a')] }).getState();
  const [group] = stage.groups;
  expect(group!.sizeMm.height).toBeLessThanOrEqual(group!.lineBox!.sizeMm.height);
});
