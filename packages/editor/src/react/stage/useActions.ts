/** Performs the actions of keys, of the context menu and of the buttons on the stage. */
import { useCallback, useRef } from 'react';
import { loneMember, ZOOM } from '../../core/document/editor.ts';
import { type Action, dispatchAndChoose } from '../../core/document/keymap.ts';
import { findTrace, toggleViewOption } from '../../core/document/viewOptions.ts';
import { clampPan, fittedPosition, type StageView, trueSizeZoom } from '../../core/pointer/stageView.ts';
import { useEditor } from '../EditorProvider.tsx';
import { useSaveToLibrary } from '../useSaveToLibrary.ts';
import { useClipboard } from './useClipboard.ts';

export type Perform = (action: Action) => void;

/** Returns a function that performs an action; it stays the same. `editText` and `openMenu` are the stage's own. */
export function useActions(
  view: StageView | undefined,
  stage: { editText(id: string): void; openMenu(): void },
): Perform {
  const editor = useEditor();
  const clipboard = useClipboard();
  const saveToLibrary = useSaveToLibrary();
  const showTrueSize = () => {
    if (!view) return;
    const { zoom: before, pan } = editor.getState();
    const zoom = Math.min(ZOOM.pointer.max, Math.max(ZOOM.pointer.min, trueSizeZoom(view)));
    const factor = zoom / before;
    editor.setView({ zoom, pan: clampPan(view, { x: pan.x * factor, y: pan.y * factor }, zoom) });
  };
  const perform = (action: Action) => {
    switch (action.kind) {
      case 'command':
        return dispatchAndChoose(editor, action.command);
      case 'zoom':
        // From beyond the range of the keys, a step further changes nothing.
        if (action.zoom !== editor.getState().zoom) editor.setZoom(action.zoom, ZOOM.keyboard);
        return;
      case 'view':
        return action.to === 'fit' ? editor.setView(fittedPosition) : showTrueSize();
      case 'select':
        return editor.select(action.selection);
      case 'selectElements':
        return editor.selectElements(action.elementIds);
      case 'editText':
        return stage.editText(action.id);
      case 'clipboard':
        return clipboard(action.act);
      case 'saveToLibrary':
        return saveToLibrary?.();
      case 'openMenu':
        return stage.openMenu();
      case 'viewOption': {
        const state = editor.getState();
        if (findTrace(state)) editor.setViewOptions(toggleViewOption(state.viewOptions, action.at));
        return;
      }
      case 'undo':
        return editor.undo();
      case 'redo':
        return editor.redo();
      case 'escape':
        return editor.getState().isGesturing ? editor.cancelGesture() : editor.select(loneMember(editor.getState()));
    }
  };
  const latest = useRef(perform);
  latest.current = perform;
  return useCallback((action) => latest.current(action), []);
}
