import { renderView, svgNode } from '@markwright/scene';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { designPlacement, openEditor } from '../testHost.ts';
import { createSnapshot, SNAPSHOT } from './snapshot.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const nudge = { type: 'nudge', elementId: 'design', dx: 1, dy: 0 } as const;

test('takes one picture after many changes in a row', () => {
  const editor = openEditor({ design: designPlacement() });
  const capture = vi.fn(() => svgNode('svg', {}));
  const disconnect = createSnapshot(editor, capture).connect();
  expect(capture).toHaveBeenCalledTimes(1);
  for (let i = 0; i < 5; i++) {
    editor.dispatch(nudge);
    vi.advanceTimersByTime(100);
  }
  expect(capture).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(300);
  expect(capture).toHaveBeenCalledTimes(2);
  disconnect();
});

test('takes a picture when a gesture pauses, and not while it goes on', () => {
  const editor = openEditor({ design: designPlacement() });
  const capture = vi.fn(() => svgNode('svg', {}));
  const disconnect = createSnapshot(editor, capture).connect();
  editor.beginGesture();
  for (let i = 0; i < 20; i++) {
    editor.stepGesture(nudge);
    vi.advanceTimersByTime(100);
  }
  expect(capture).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(500);
  expect(capture).toHaveBeenCalledTimes(2);
  editor.cancelGesture();
  vi.advanceTimersByTime(300);
  expect(capture).toHaveBeenCalledTimes(3);
  disconnect();
});

test('retries a failed capture three times, 200 ms apart, and keeps the old picture meanwhile', () => {
  const editor = openEditor({ design: designPlacement() });
  const first = svgNode('svg', {});
  const capture = vi.fn(() => first);
  const snapshot = createSnapshot(editor, capture);
  snapshot.connect();
  capture.mockImplementation(() => {
    throw new Error('not ready');
  });
  editor.dispatch(nudge);
  vi.advanceTimersByTime(250);
  expect(capture).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(199);
  expect(capture).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(capture).toHaveBeenCalledTimes(5);
  expect(snapshot.getState()).toBe(first);
});

test('shows the drawing of the mockup, whatever is selected, zoomed or marked on the stage', () => {
  const editor = openEditor({ design: designPlacement() });
  editor.select('design');
  editor.setView({ zoom: 7, pan: { x: 40, y: 2 } });
  editor.setViewOptions({ showsNodes: true });
  const snapshot = createSnapshot(editor);
  const disconnect = snapshot.connect();
  const mockup = renderView(editor.getState().scene, { kind: 'mockup' });
  expect(snapshot.getState()!.children).toEqual(mockup.children);
  disconnect();
});

test('captures at 0.8 of the window’s size', () => expect(SNAPSHOT.scale).toBe(0.8));
