import { placeInOrder, toDropIndex } from '@markwright/scene';
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { ElementId } from '../../core/document/editor.ts';
import { groupOfRow, type ListRow, type RowId } from '../../core/document/listRows.ts';
import { useEditor } from '../EditorProvider.tsx';

interface RowDrag {
  readonly ids: readonly ElementId[];
  /** How many elements lie below the place where they would go. */
  readonly index: number;
}

const DRAG_THRESHOLD_PX = 4;
/** Nearer than this to an end, the list scrolls. */
const SCROLL_EDGE_PX = 24;
const SCROLL_STEP_PX = 8;

/**
 * Drags rows with the pointer: with a mouse anywhere, with a finger by the grip, as elsewhere a finger scrolls. The
 * heading of a group takes all of it along, a member goes within its group. Escape cancels.
 */
export function useRowDrag(list: RefObject<HTMLUListElement | null>, rows: readonly ListRow[]) {
  const editor = useEditor();
  const press = useRef<{ pointerId: number; id: RowId; y: number; drag?: RowDrag }>(undefined);
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

  /** Returns the index of the z-order at a height of the window: that of the first row below it. */
  const indexAt = (y: number): number => {
    const places = [...list.current!.querySelectorAll('[data-place]')];
    const next = places.findIndex((place) => {
      const box = place.getBoundingClientRect();
      return (box.top + box.bottom) / 2 >= y;
    });
    return next < 0 ? 0 : (rows[next]?.dropIndex ?? 0);
  };

  /** Returns what a row takes along: all that is selected with it. A group as a whole is dragged by its heading. */
  const idsOf = (id: RowId): readonly ElementId[] => {
    const { selectedIds } = editor.getState();
    const row = rows.find((each) => each.id === id);
    const elementIds = row?.elementIds ?? [];
    if (!elementIds.every((each) => selectedIds.includes(each))) return elementIds;
    const group = rows.find((each) => row?.groupId !== undefined && groupOfRow(each.id) === row.groupId);
    return group && group.elementIds.length === selectedIds.length ? elementIds : selectedIds;
  };

  const handlers = {
    onPointerDown(event: PointerEvent<HTMLUListElement>) {
      const target = event.target as Element;
      const id = target.closest('[data-place]')?.getAttribute('data-place') as RowId | null | undefined;
      const heldRow =
        event.pointerType === 'mouse' ? target.closest('[data-row], [data-grip]') : target.closest('[data-grip]');
      if (id && heldRow && event.button === 0) press.current = { pointerId: event.pointerId, id, y: event.clientY };
    },
    onPointerMove(event: PointerEvent<HTMLUListElement>) {
      const { current } = press;
      if (!current || current.pointerId !== event.pointerId) return;
      const before = current.drag;
      if (!before && Math.abs(event.clientY - current.y) < DRAG_THRESHOLD_PX) return;
      const ids = before?.ids ?? idsOf(current.id);
      if (!before) list.current!.setPointerCapture(event.pointerId);
      scrollAtEnds(list.current!, event.clientY);
      const index = toDropIndex(editor.getState().composition, ids, indexAt(event.clientY));
      if (index === before?.index) return;
      current.drag = { ids, index };
      setDrag(current.drag);
    },
    onPointerUp(event: PointerEvent<HTMLUListElement>) {
      const { current } = press;
      if (current?.pointerId !== event.pointerId) return;
      const { drag: done } = current;
      if (done) editor.dispatch(placeInOrder(editor.getState().composition, done.ids, done.index));
      end();
    },
    onPointerCancel: end,
  };
  const isDragged = ({ elementIds }: ListRow) =>
    drag !== undefined && elementIds.length > 0 && elementIds.every((id) => drag.ids.includes(id));
  return { drop: drag, isDragged, handlers };
}

function scrollAtEnds(list: HTMLUListElement, y: number): void {
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + SCROLL_EDGE_PX) list.scrollTop -= SCROLL_STEP_PX;
  else if (y > bottom - SCROLL_EDGE_PX) list.scrollTop += SCROLL_STEP_PX;
}
