import { createEditor } from '@markwright/editor';
import { emptyComposition } from '@markwright/scene';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeStorage } from '../../../test/fakeStorage.ts';
import { keepWork, readSavedWork } from './savedWork.ts';

const KEY = 'markwright-composition';
let window: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  window = new EventTarget();
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('gives back on the next visit what was arranged', () => {
  const editor = createEditor();
  keepWork(editor);
  editor.dispatch({ type: 'setMachine', machine: 'uv' });
  editor.dispatch({ type: 'addText', element: { id: 'a', text: 'Ann' } });
  vi.runAllTimers();
  expect(readSavedWork()).toEqual(editor.getState().composition);
});

it('writes once for many changes, and at once when the page is left', () => {
  const editor = createEditor();
  keepWork(editor);
  const write = vi.spyOn(localStorage, 'setItem');
  for (let angleDeg = 1; angleDeg < 50; angleDeg++) editor.dispatch({ type: 'rotateProduct', angleDeg });
  expect(write).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('pagehide'));
  expect(write).toHaveBeenCalledTimes(1);
  expect(readSavedWork().productAngleDeg).toBe(49);
  vi.runAllTimers();
  expect(write).toHaveBeenCalledTimes(1);
});

it('writes nothing when only the view changed', () => {
  const editor = createEditor();
  keepWork(editor);
  editor.setZoom(2);
  vi.runAllTimers();
  expect(localStorage.getItem(KEY)).toBeNull();
});

it.each(['', 'no json', '{"version":0}', '{"version":0,"data":{"texts":7}}', 'null'])(
  'begins anew when what was saved is %j',
  (saved) => {
    vi.spyOn(console, 'warn').mockReturnValue(undefined);
    localStorage.setItem(KEY, saved);
    expect(readSavedWork()).toEqual(emptyComposition);
  },
);
