import { expect, test } from 'vitest';
import { addStep, emptyHistory, redoStep, type UndoHistory, undoStep } from './undoHistory.ts';

test('undoes the latest step and redoes it', () => {
  const history = addStep(addStep(emptyHistory, 'a'), 'b');
  const undoneStep = undoStep(history, 'c')!;
  expect(undoneStep).toEqual({ value: 'b', history: { past: ['a'], future: ['c'] } });
  expect(redoStep(undoneStep.history, 'b')).toEqual({ value: 'c', history });
});

test('drops what could be redone when a step is added', () => {
  const { history } = undoStep(addStep(emptyHistory, 'a'), 'b')!;
  expect(addStep(history, 'a')).toEqual({ past: ['a'], future: [] });
});

test('has nothing to undo or redo at its ends', () => {
  expect(undoStep(emptyHistory, 'a')).toBeUndefined();
  expect(redoStep(emptyHistory, 'a')).toBeUndefined();
});

test('keeps 500 steps', () => {
  let history: UndoHistory<number> = emptyHistory;
  for (let i = 0; i < 600; i++) history = addStep(history, i);
  expect(history.past).toHaveLength(500);
  expect(history.past[0]).toBe(100);
});
