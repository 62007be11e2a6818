/** Places what floats over the stage beside the selection: never over the selected elements or their grips. Pure. */
import type { Bounds, Point } from '@markwright/scene';
import { placeGrips } from './gripPlaces.ts';
import type { Size } from './stageView.ts';

const GAP_PX = 8;
/** Dimension lines with their labels reach this far below and beside a box. */
const DIMENSIONS_PX = 28;

/** Returns the upright box around the selected boxes, their grips and their dimension lines, in screen px. */
export function selectionBounds(corners: readonly Point[], hitPx: number): Bounds {
  const { rotateAt, hitAt } = placeGrips(corners, hitPx);
  const reach = hitPx / 2;
  const xs = [...hitAt, rotateAt].map(({ x }) => x);
  const ys = [...hitAt, rotateAt].map(({ y }) => y);
  const boxXs = corners.map(({ x }) => x);
  const boxYs = corners.map(({ y }) => y);
  return {
    left: Math.min(Math.min(...xs) - reach, Math.min(...boxXs)),
    top: Math.min(Math.min(...ys) - reach, Math.min(...boxYs)),
    right: Math.max(Math.max(...xs) + reach, Math.max(...boxXs) + DIMENSIONS_PX),
    bottom: Math.max(Math.max(...ys) + reach, Math.max(...boxYs) + DIMENSIONS_PX),
  };
}

/**
 * Returns the top left corner of a bar: above the selection, or below, or beside it, within `free`; undefined where
 * there is no room. It keeps clear of `others`, which lie on the stage already.
 */
export function placeBar(selection: Bounds, bar: Size, free: Bounds, others: readonly Bounds[]): Point | undefined {
  const within = (value: number, from: number, to: number) => Math.max(from, Math.min(value, to));
  const across = within((selection.left + selection.right - bar.width) / 2, free.left, free.right - bar.width);
  const along = within((selection.top + selection.bottom - bar.height) / 2, free.top, free.bottom - bar.height);
  const places: readonly Point[] = [
    { x: across, y: selection.top - GAP_PX - bar.height },
    { x: across, y: selection.bottom + GAP_PX },
    { x: selection.right + GAP_PX, y: along },
    { x: selection.left - GAP_PX - bar.width, y: along },
  ];
  return places.find((place) => {
    const box = { left: place.x, top: place.y, right: place.x + bar.width, bottom: place.y + bar.height };
    const isWithin =
      box.left >= free.left && box.top >= free.top && box.right <= free.right && box.bottom <= free.bottom;
    return isWithin && ![selection, ...others].some((other) => isOverlapping(box, other));
  });
}

export const isOverlapping = (a: Bounds, b: Bounds): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
