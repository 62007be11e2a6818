/** Where the picture lies on the stage of the background dialog: zoomed by wheel, keys and buttons, and panned. */
import { useEffect, useLayoutEffect, useState } from 'react';
import { type CutoutView, frameOf, panBy, reveal, type Size, wholeView, zoomAt } from '../../core/cutout/cutoutView.ts';

/** A point: on the stage in px, or on the picture in fractions of its sides. */
export interface StagePoint {
  readonly x: number;
  readonly y: number;
}

/** Follows the size of the stage and keeps the view of the picture in it. */
export function useCutoutViewport(stage: HTMLElement | null, size: Size) {
  const stageSize = useSize(stage);
  const [view, setView] = useState<CutoutView>(wholeView);
  const frame = frameOf(view, size, stageSize);
  const middle: StagePoint = { x: stageSize.width / 2, y: stageSize.height / 2 };

  useEffect(() => {
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = stage!.getBoundingClientRect();
      const point = { x: event.clientX - box.left, y: event.clientY - box.top };
      setView((now) => zoomAt(now, Math.exp(-event.deltaY * 0.002), point, size, stageSize));
    };
    // Wheel listeners of React are passive: the page would scroll.
    stage?.addEventListener('wheel', onWheel, { passive: false });
    return () => stage?.removeEventListener('wheel', onWheel);
  }, [stage, size, stageSize]);

  return {
    view,
    stageSize,
    frame,
    middle,
    /** Zooms about a point of the stage. */
    zoom: (factor: number, at = middle) => setView((now) => zoomAt(now, factor, at, size, stageSize)),
    pan: (dx: number, dy: number) => setView((now) => panBy(now, dx, dy, size, stageSize)),
    /** Pans as far as it takes to show a point of the picture. */
    reveal: (point: StagePoint) => setView((now) => reveal(now, point, size, stageSize)),
    showAll: () => setView(wholeView),
    onStage(event: { clientX: number; clientY: number }): StagePoint {
      const box = stage!.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    },
    toPicture: ({ x, y }: StagePoint): StagePoint => ({
      x: (x - frame.left) / frame.width,
      y: (y - frame.top) / frame.height,
    }),
  };
}

export type CutoutViewport = ReturnType<typeof useCutoutViewport>;

function useSize(element: HTMLElement | null): Size {
  const [size, setSize] = useState<Size>({ width: 1, height: 1 });
  useLayoutEffect(() => {
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
