/** Opens the context menu: by the right button, by a key that the browser takes for it, or by a finger that rests. */
import type { Point } from '@markwright/scene';
import { type MouseEvent, type PointerEvent, type TouchEvent, useEffect, useRef } from 'react';

const LONG_PRESS_MS = 500;
/** A finger that moves further than this does not press long. */
const LONG_PRESS_PX = 8;

interface MenuPress {
  /** `isOnGrip`: on a grip of the selected elements. */
  open(at: Point, press: { readonly isTouch: boolean; readonly isOnGrip: boolean }): void;
  /** Ends what the resting finger has begun otherwise. */
  cancel(pointerId: number): void;
}

/** Returns what the handlers of the stage call. */
export function useMenuPress({ open, cancel }: MenuPress) {
  const press = useRef<{ readonly at: Point; readonly timer: ReturnType<typeof setTimeout> }>(undefined);
  /** Some browsers send a contextmenu event for a long press, too. */
  const hasOpened = useRef(false);
  const release = () => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  useEffect(() => () => clearTimeout(press.current?.timer), []);
  return {
    down({ pointerId, pointerType, target }: PointerEvent, at: Point) {
      hasOpened.current = false;
      const isSecond = press.current !== undefined;
      release();
      if (isSecond || pointerType !== 'touch') return;
      const timer = setTimeout(() => {
        release();
        hasOpened.current = true;
        cancel(pointerId);
        open(at, { isTouch: true, isOnGrip: isGrip(target) });
      }, LONG_PRESS_MS);
      press.current = { at, timer };
    },
    move({ x, y }: Point) {
      const start = press.current?.at;
      if (start && Math.hypot(x - start.x, y - start.y) > LONG_PRESS_PX) release();
    },
    release,
    /** Keeps the browser from sending a click for a long press: it would close the menu. */
    touchEnd(event: TouchEvent) {
      if (hasOpened.current) event.preventDefault();
    },
    contextMenu(event: MouseEvent, at: Point) {
      event.preventDefault();
      if (!hasOpened.current) open(at, { isTouch: false, isOnGrip: isGrip(event.target) });
    },
  };
}

const isGrip = (target: EventTarget) =>
  (target as Element).closest('[data-grip^="resize"], [data-grip^="rotate"]') !== null;
