/** Runs one gesture after another on an editor: from where the pointer is to what the editor shows. */
import { type Command, findElement } from '@markwright/scene';
import type { Editor, ElementId } from '../document/editor.ts';
import { copyInPlace } from '../document/keymap.ts';
import { type Gesture, type Grip, gestureCommand, SNAP_PX, startGesture } from './gestures.ts';
import type { PointerEffect } from './pointerMachine.ts';
import type { Guides } from './snapping.ts';
import { type StageView, screenToPicture } from './stageView.ts';

type Effect<T extends PointerEffect['type']> = Extract<PointerEffect, { type: T }>;

/** The copies that a gesture moves, and what was selected before. */
interface Copying {
  readonly command: Command;
  readonly originalIds: readonly ElementId[];
}

export interface GestureRun {
  begin(effect: Effect<'beginGesture'>, view: StageView): void;
  /** Shows the gesture at the present point. Returns the guides; undefined when no gesture runs. */
  draw(effect: Effect<'drag'>, view: StageView): Guides | undefined;
  /** Ends the gesture as one undo step, or as none. One that was canceled meanwhile leaves no step. */
  end(effect: Effect<'commitGesture' | 'cancelGesture'>): void;
}

export function createGestureRun(editor: Editor): GestureRun {
  let gesture: Gesture | undefined;
  let copying: Copying | undefined;
  return {
    begin({ grip, start, isCopying }, view) {
      editor.beginGesture();
      copying = isCopying ? beginCopying(editor) : undefined;
      const { composition, scene, selectedIds } = editor.getState();
      // The press has selected the element with its group.
      const heldGrip: Grip = grip.kind === 'move' ? { kind: 'move', elementIds: selectedIds } : grip;
      gesture = startGesture(heldGrip, screenToPicture(view, start), composition, scene);
    },
    draw({ point, modifiers }, view) {
      if (!gesture || !editor.getState().isGesturing) return undefined;
      const at = screenToPicture(view, point);
      const drawing = gestureCommand(gesture, at, modifiers, SNAP_PX / view.pxPerMm);
      if (!drawing) return undefined;
      editor.updateGesture(
        copying ? { type: 'several', commands: [copying.command, drawing.command] } : drawing.command,
      );
      return drawing.guides;
    },
    end({ type }) {
      const isCanceled = type === 'cancelGesture' || !editor.getState().isGesturing;
      if (isCanceled) editor.cancelGesture();
      else editor.commitGesture();
      if (isCanceled && copying) editor.selectElements(copying.originalIds);
      copying = undefined;
    },
  };
}

/** Copies the selected elements within the running gesture, and selects the copies. */
function beginCopying(editor: Editor): Copying | undefined {
  const { composition, selectedIds } = editor.getState();
  const copy = copyInPlace(composition, selectedIds);
  if (!copy) return undefined;
  editor.updateGesture(copy.command);
  const copyIds = copy.copyIds.filter((id) => findElement(editor.getState().composition, id));
  if (copyIds.length === 0) return undefined;
  editor.selectElements(copyIds);
  return { command: copy.command, originalIds: selectedIds };
}
