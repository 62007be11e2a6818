/** Pointers and keys on the stage of the background dialog: they paint with an active brush, else pan; two pinch. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { arrowKeys } from '../../core/document/keymap.ts';
import type { Brush } from './useBrush.ts';
import type { CutoutViewport, StagePoint } from './useCutoutViewport.ts';

/** The factor of one press of plus or minus. */
export const ZOOM_STEP = 1.5;
/** How far an arrow key moves the brush and the picture, in px on the stage. Shift: the brush eight times as far. */
const KEY_STEP_PX = { brush: 6, picture: 40 };

interface InputTarget {
  readonly viewport: CutoutViewport;
  readonly brush: Brush;
  readonly isReady: boolean;
}

/** The place of the brush on the picture. */
export interface BrushCursor extends StagePoint {
  readonly isByKeys: boolean;
}

/** Returns the handlers of the stage, and the place of the brush. */
export function useCutoutInput({ viewport, brush, isReady }: InputTarget) {
  const [cursor, setCursor] = useState<BrushCursor>();
  const pointers = usePointerInput({ viewport, brush, isReady }, setCursor);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = arrowKeys[event.key];
    const from = cursor ?? viewport.toPicture(viewport.middle);
    if (event.key === '+' || event.key === '=') viewport.zoom(ZOOM_STEP);
    else if (event.key === '-') viewport.zoom(1 / ZOOM_STEP);
    else if (event.key === '0') viewport.showAll();
    else if (arrow && !brush.isActive) viewport.pan(-KEY_STEP_PX.picture * arrow[0], -KEY_STEP_PX.picture * arrow[1]);
    else if (arrow) {
      const step = KEY_STEP_PX.brush * (event.shiftKey ? 8 : 1);
      const inside = (value: number) => Math.min(1, Math.max(0, value));
      const to = {
        x: inside(from.x + (arrow[0] * step) / viewport.frame.width),
        y: inside(from.y + (arrow[1] * step) / viewport.frame.height),
      };
      setCursor({ ...to, isByKeys: true });
      viewport.reveal(to);
      if (brush.getLine()) brush.extend(to, true);
    } else if (event.key === ' ' && brush.isActive) {
      if (!event.repeat) {
        setCursor({ x: from.x, y: from.y, isByKeys: true });
        brush.extend(from, true);
      }
    } else return;
    event.preventDefault();
  };

  return {
    cursor,
    handlers: {
      ...pointers,
      onPointerLeave: () => setCursor((now) => (now?.isByKeys ? now : undefined)),
      onKeyDown,
      onKeyUp: (event: KeyboardEvent) => {
        if (event.key === ' ' && brush.getLine()?.isByKeys) brush.end();
      },
      onBlur: () => {
        if (brush.getLine()?.isByKeys) brush.end();
      },
    },
  };
}

function usePointerInput({ viewport, brush, isReady }: InputTarget, setCursor: (cursor?: BrushCursor) => void) {
  const pointers = useRef(new Map<number, StagePoint>());
  const grip = useRef<'paint' | 'pan' | 'pinch'>(undefined);

  const pinch = (pointerId: number, before: StagePoint, at: StagePoint) => {
    const other = [...pointers.current].find(([id]) => id !== pointerId)?.[1];
    if (!other) return;
    const apart = (point: StagePoint) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    viewport.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
    viewport.zoom(apart(at) / apart(before), { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
  };

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (!isReady || (event.target as Element).closest('[role=slider], button')) return;
    const isMiddle = event.pointerType === 'mouse' && event.button === 1;
    if (event.button !== 0 && !isMiddle) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = viewport.onStage(event);
    pointers.current.set(event.pointerId, at);
    if (pointers.current.size > 1) {
      // The second finger makes it a pinch: what the first one painted is taken back.
      brush.cancel();
      grip.current = 'pinch';
      setCursor(undefined);
    } else if (brush.isActive && !isMiddle) {
      grip.current = 'paint';
      setCursor({ ...viewport.toPicture(at), isByKeys: false });
      brush.extend(viewport.toPicture(at), false);
    } else {
      grip.current = 'pan';
    }
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const at = viewport.onStage(event);
    if (brush.isActive && (event.pointerType !== 'touch' || grip.current === 'paint')) {
      setCursor({ ...viewport.toPicture(at), isByKeys: false });
    }
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    if (grip.current === 'paint') {
      const between = event.nativeEvent.getCoalescedEvents?.() ?? [];
      for (const each of between.length > 0 ? between : [event.nativeEvent]) {
        brush.extend(viewport.toPicture(viewport.onStage(each)), false);
      }
    } else if (grip.current === 'pan') {
      viewport.pan(at.x - before.x, at.y - before.y);
    } else if (grip.current === 'pinch') {
      pinch(event.pointerId, before, at);
    }
    pointers.current.set(event.pointerId, at);
  };

  const onPointerUp = (event: PointerEvent) => {
    if (!pointers.current.delete(event.pointerId)) return;
    if (grip.current === 'paint') brush.end();
    if (pointers.current.size === 0) grip.current = undefined;
  };

  return {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel(event: PointerEvent) {
      brush.cancel();
      onPointerUp(event);
    },
  };
}
