import { useEffect, useRef, useState } from 'react';

const GAP_PX = 4;
const MAX_HEIGHT_PX = 360;

/**
 * Opens a list below its trigger, or above it, as the browser's own popover. Closes it when the trigger moves or the
 * window is resized, as the list has a fixed position.
 */
export function useAnchoredPopover(maxHeightPx = MAX_HEIGHT_PX) {
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);

  useEffect(() => {
    if (!isOpen) return;
    // The event of a scroll that ended before the list opened may still arrive: compare the positions.
    const topAtStart = trigger.current?.getBoundingClientRect().top ?? 0;
    const onScroll = () => {
      const top = trigger.current?.getBoundingClientRect().top ?? 0;
      if (Math.abs(top - topAtStart) > 1) list.current?.hidePopover();
    };
    const onResize = () => list.current?.hidePopover();
    window.addEventListener('scroll', onScroll, true);
    window.addEventListener('resize', onResize);
    return () => {
      window.removeEventListener('scroll', onScroll, true);
      window.removeEventListener('resize', onResize);
    };
  }, [isOpen]);

  return {
    trigger,
    list,
    isOpen,
    show() {
      if (!trigger.current || !list.current) return;
      place(trigger.current, list.current, maxHeightPx);
      list.current.showPopover();
      // Set here as well: the toggle event comes later than the next key.
      setIsOpen(true);
    },
    hide() {
      list.current?.hidePopover();
      setIsOpen(false);
    },
    onToggle: (event: { readonly newState: string }) => setIsOpen(event.newState === 'open'),
  };
}

/** Places the list below the trigger, or above it where there is more room. */
function place(trigger: HTMLElement, list: HTMLElement, maxHeightPx: number): void {
  const box = trigger.getBoundingClientRect();
  const below = window.innerHeight - box.bottom - 2 * GAP_PX;
  const above = box.top - 2 * GAP_PX;
  const isBelow = below >= Math.max(200, maxHeightPx - 160) || below >= above;
  list.style.left = `${Math.max(GAP_PX, Math.min(box.left, window.innerWidth - box.width - GAP_PX))}px`;
  list.style.minWidth = `${box.width}px`;
  list.style.maxHeight = `${Math.min(maxHeightPx, isBelow ? below : above)}px`;
  list.style.top = isBelow ? `${box.bottom + GAP_PX}px` : '';
  list.style.bottom = isBelow ? '' : `${window.innerHeight - box.top + GAP_PX}px`;
}
