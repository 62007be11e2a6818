import { textsOf } from '@markwright/scene';
import { expect, test } from 'vitest';
import { openEditor, textElement } from '../testHost.ts';
import { createGestureRun } from './gestureRun.ts';
import { createStageView } from './stageView.ts';

function start(isCopying: boolean) {
  const editor = openEditor({ texts: [textElement('a', { x: 10 })] });
  editor.selectElements(['text:a']);
  const view = createStageView({ width: 800, height: 600 }, editor.getState().scene, 1, { x: 0, y: 0 });
  const run = createGestureRun(editor);
  const grip = { kind: 'move', elementIds: ['text:a'] } as const;
  run.begin({ type: 'beginGesture', grip, start: { x: 400, y: 300 }, isCopying }, view);
  const drag = (x: number) =>
    run.draw({ type: 'drag', point: { x, y: 300 }, modifiers: { shift: false, alt: true } }, view);
  return { editor, run, drag };
}

test('drags a copy, selects it, and leaves one undo step', () => {
  const { editor, run, drag } = start(true);
  drag(420);
  drag(440);
  run.end({ type: 'commitGesture' });
  const { composition, selectedIds } = editor.getState();
  expect(textsOf(composition)).toHaveLength(2);
  expect(textsOf(composition)[0]).toMatchObject({ id: 'a', x: 10, y: 0 });
  expect(textsOf(composition)[1]!.x).toBeGreaterThan(10);
  expect(textsOf(composition)[1]!.y).toBeCloseTo(0, 9);
  expect(selectedIds).toEqual([`text:${textsOf(composition)[1]!.id}`]);
  editor.undo();
  expect(textsOf(editor.getState().composition)).toHaveLength(1);
  expect(editor.getState().canUndo).toBe(false);
});

test('a canceled copy is gone, and the original is selected again, also when Escape canceled it', () => {
  for (const cancel of ['pointer', 'escape'] as const) {
    const { editor, run, drag } = start(true);
    drag(440);
    if (cancel === 'escape') editor.cancelGesture();
    expect(drag(460) === undefined).toBe(cancel === 'escape');
    run.end({ type: cancel === 'escape' ? 'commitGesture' : 'cancelGesture' });
    expect(textsOf(editor.getState().composition)).toHaveLength(1);
    expect(editor.getState().selectedIds).toEqual(['text:a']);
    expect(editor.getState().canUndo).toBe(false);
  }
});

test('without Alt it moves the element itself', () => {
  const { editor, run, drag } = start(false);
  drag(440);
  run.end({ type: 'commitGesture' });
  expect(textsOf(editor.getState().composition)).toHaveLength(1);
});
