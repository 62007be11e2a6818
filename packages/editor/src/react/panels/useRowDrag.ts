import { placeInOrder } from '@markwright/scene';
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { ElementId, Selection } from '../../core/document/editor.ts';
import { useEditor } from '../EditorProvider.tsx';

/** A row of the list of elements: an element or the machine area. */
export type RowId = Exclude<Selection, undefined>;

interface RowDrag {
  readonly ids: readonly ElementId[];
  readonly gap: number;
}

const DRAG_THRESHOLD_PX = 4;
/** Nearer than this to an end, the list scrolls. */
const SCROLL_EDGE_PX = 24;
const SCROLL_STEP_PX = 8;

/**
 * Drags rows with the pointer: with a mouse anywhere, with a finger by the grip, as elsewhere a finger scrolls. `gap`
 * is how many elements lie below the place where they would go. Escape cancels.
 */
export function useRowDrag(list: RefObject<HTMLUListElement | null>) {
  const editor = useEditor();
  const press = useRef<{ pointerId: number; id: ElementId; y: number; drag?: RowDrag }>(undefined);
  /** The drag as rendered. It can be one event behind the press, when the pointer goes up before the move is drawn. */
  const [drag, setDrag] = useState<RowDrag>();
  const end = () => {
    press.current = undefined;
    setDrag(undefined);
  };

  const isRunning = drag !== undefined;
  useEffect(() => {
    if (!isRunning) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      press.current = undefined;
      setDrag(undefined);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isRunning]);

  const gapAt = (y: number): number => {
    const rows = [...list.current!.querySelectorAll('[data-place]')];
    const above = rows.filter((row) => {
      const box = row.getBoundingClientRect();
      return (box.top + box.bottom) / 2 < y;
    });
    return rows.length - above.length;
  };

  const handlers = {
    onPointerDown(event: PointerEvent<HTMLUListElement>) {
      const target = event.target as Element;
      const id = target.closest('[data-place]')?.getAttribute('data-place') as ElementId | null | undefined;
      const heldRow =
        event.pointerType === 'mouse' ? target.closest('[data-row], [data-grip]') : target.closest('[data-grip]');
      if (id && heldRow && event.button === 0) press.current = { pointerId: event.pointerId, id, y: event.clientY };
    },
    onPointerMove(event: PointerEvent<HTMLUListElement>) {
      const { current } = press;
      if (!current || current.pointerId !== event.pointerId) return;
      const before = current.drag;
      if (!before && Math.abs(event.clientY - current.y) < DRAG_THRESHOLD_PX) return;
      const { selectedIds } = editor.getState();
      const ids = before?.ids ?? (selectedIds.includes(current.id) ? selectedIds : [current.id]);
      if (!before) list.current!.setPointerCapture(event.pointerId);
      scrollAtEnds(list.current!, event.clientY);
      const gap = gapAt(event.clientY);
      if (gap === before?.gap) return;
      current.drag = { ids, gap };
      setDrag(current.drag);
    },
    onPointerUp(event: PointerEvent<HTMLUListElement>) {
      const { current } = press;
      if (current?.pointerId !== event.pointerId) return;
      const { drag: done } = current;
      if (done) editor.dispatch(placeInOrder(editor.getState().composition, done.ids, done.gap));
      end();
    },
    onPointerCancel: end,
  };
  return { gap: drag?.gap, isDragged: (id: RowId) => drag?.ids.some((each) => each === id) ?? false, handlers };
}

function scrollAtEnds(list: HTMLUListElement, y: number): void {
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + SCROLL_EDGE_PX) list.scrollTop -= SCROLL_STEP_PX;
  else if (y > bottom - SCROLL_EDGE_PX) list.scrollTop += SCROLL_STEP_PX;
}
