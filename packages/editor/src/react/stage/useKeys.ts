/** Runs the keymap. The stage's keys work on the stage; undo, redo and zoom work everywhere but in text fields. */
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import { ZOOM } from '../../core/document/editor.ts';
import { type Action, dispatchAndChoose, globalAction, stageAction } from '../../core/document/keymap.ts';
import { findTrace, toggleViewOption } from '../../core/document/viewOptions.ts';
import { useEditor } from '../EditorProvider.tsx';

/** Installs the keymap. */
export function useKeys() {
  const editor = useEditor();
  /** A held arrow key is one undo step. */
  const isHolding = useRef(false);

  const zoomTo = useCallback(
    (zoom: number) => {
      // From beyond the range of the keys, a step further changes nothing.
      if (zoom !== editor.getState().zoom) editor.setZoom(zoom, ZOOM.keyboard);
    },
    [editor],
  );

  const perform = (action: Action, isRepeat: boolean) => {
    switch (action.kind) {
      case 'command':
        if (!action.isRepeatable) {
          dispatchAndChoose(editor, action.command);
        } else {
          if (!isRepeat || !editor.getState().isGesturing) editor.beginGesture();
          isHolding.current = true;
          editor.stepGesture(action.command);
        }
        break;
      case 'zoom':
        zoomTo(action.zoom);
        break;
      case 'select':
        editor.select(action.selection);
        break;
      case 'selectElements':
        editor.selectElements(action.elementIds);
        break;
      case 'editText':
        editor.editText(action.id);
        break;
      case 'viewOption': {
        const { scene, viewOptions } = editor.getState();
        if (findTrace(scene)) editor.setViewOptions(toggleViewOption(viewOptions, action.at));
        break;
      }
      case 'undo':
        editor.undo();
        break;
      case 'redo':
        editor.redo();
        break;
      case 'escape':
        if (editor.getState().isGesturing) editor.cancelGesture();
        else editor.select(undefined);
        break;
    }
  };
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
      if (action.kind === 'undo') editor.undo();
      else if (action.kind === 'redo') editor.redo();
      else if (action.kind === 'zoom') zoomTo(action.zoom);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [editor, zoomTo]);

  return {
    onKeyDown(event: KeyboardEvent) {
      const action = stageAction(event, editor.getState());
      if (!action) return;
      event.preventDefault();
      perform(action, event.repeat);
    },
    onKeyUp: release,
    onBlur: release,
  };
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !['radio', 'checkbox', 'range', 'color', 'file'].includes(target.type);
}
