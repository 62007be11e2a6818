/** Runs the keymap. The stage's keys work on the stage; undo, redo and zoom work everywhere but in text fields. */
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { globalAction, stageAction } from '../../core/document/keymap.ts';
import { useEditor } from '../EditorProvider.tsx';
import { isTextField } from './isTextField.ts';
import type { Perform } from './useActions.ts';

/** Installs the keymap. */
export function useKeys(perform: Perform) {
  const editor = useEditor();
  /** A held arrow key is one undo step. */
  const isHolding = useRef(false);

  const release = () => {
    if (!isHolding.current) return;
    isHolding.current = false;
    editor.commitGesture();
  };

  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || isTextField(event.target)) return;
      const action = globalAction(event, editor.getState().zoom);
      if (!action) return;
      event.preventDefault();
      perform(action);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [editor, perform]);

  return {
    onKeyDown(event: KeyboardEvent) {
      const action = stageAction(event, editor.getState());
      if (!action) return;
      event.preventDefault();
      if (action.kind !== 'command' || !action.isRepeatable) {
        perform(action);
        return;
      }
      if (!event.repeat || !editor.getState().isGesturing) editor.beginGesture();
      isHolding.current = true;
      editor.stepGesture(action.command);
    },
    onKeyUp: release,
    onBlur: release,
  };
}
