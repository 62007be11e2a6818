/** Places what floats over the stage beside the selection: never over the selected elements or their grips. Pure. */
import type { Bounds, Point } from '@markwright/scene';
import { isOverlapping, isWithin } from './bounds.ts';
import { placeGrips } from './gripPlaces.ts';
import type { Size } from './stageView.ts';

const GAP_PX = 8;
/** Dimension lines with their labels reach this far below and beside a box. */
const DIMENSIONS_PX = 28;

/** Returns the upright box around the selected boxes, their grips and their dimension lines, in screen px. */
export function selectionBounds(corners: readonly Point[], hitPx: number, free?: Bounds): Bounds {
  const { rotateAt, hitAt } = placeGrips(corners, hitPx, free);
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
 * Returns the top left corner of a bar within `free`: above the selection, or below, or beside it, as near to its
 * middle as it can be; undefined where there is no room. It keeps clear of `others`, which lie on the stage already.
 */
export function placeBar(selection: Bounds, bar: Size, free: Bounds, others: readonly Bounds[]): Point | undefined {
  const obstacles = [selection, ...others];
  const isFree = (place: Point) => {
    const box = boxAt(place, bar);
    return isWithin(box, free) && !obstacles.some((other) => isOverlapping(box, other));
  };
  const above = selection.top - GAP_PX - bar.height;
  const below = selection.bottom + GAP_PX;
  const right = selection.right + GAP_PX;
  const left = selection.left - GAP_PX - bar.width;
  const xs = slide([selection.left, selection.right], bar.width, [free.left, free.right], obstacles.map(acrossOf));
  const ys = slide([selection.top, selection.bottom], bar.height, [free.top, free.bottom], obstacles.map(downOf));
  const rows = [above, below].flatMap((y) => xs.map((x) => ({ x, y })));
  const columns = [right, left].flatMap((x) => ys.map((y) => ({ x, y })));
  return [...rows, ...columns].find(isFree);
}

type Span = readonly [from: number, to: number];
const acrossOf = ({ left, right }: Bounds): Span => [left, right];
const downOf = ({ top, bottom }: Bounds): Span => [top, bottom];

/**
 * Returns where a bar may begin along a side of the selection: in the middle of it, or else beside one of the
 * obstacles, the nearest first. It still stands beside a part of the selection.
 */
function slide([from, to]: Span, length: number, [first, last]: Span, obstacles: readonly Span[]): number[] {
  const middle = Math.max(first, Math.min((from + to - length) / 2, last - length));
  const starts = obstacles.flatMap(([start, end]) => [start - GAP_PX - length, end + GAP_PX]);
  return [middle, ...starts.filter((start) => start + length > from && start < to)].sort(
    (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
  );
}

/** The corners of the stage, where things float that belong to no element. */
export type Corner = 'top left' | 'top right' | 'bottom left' | 'bottom right';

/**
 * Returns the box of something of a size in the first of the corners in which it covers nothing of `others`: above or
 * below of those that lie in the corner already. Undefined where there is no room.
 */
export function placeInCorner(
  size: Size,
  free: Bounds,
  corners: readonly Corner[],
  others: readonly Bounds[],
): Bounds | undefined {
  for (const corner of corners) {
    const [vertical, side] = corner.split(' ') as ['top' | 'bottom', 'left' | 'right'];
    const x = side === 'left' ? free.left + GAP_PX : free.right - GAP_PX - size.width;
    const edge = vertical === 'top' ? free.top + GAP_PX : free.bottom - GAP_PX - size.height;
    const stacks = others.map(({ top, bottom }) => (vertical === 'top' ? bottom + GAP_PX : top - GAP_PX - size.height));
    const isWithinReach = (y: number) => Math.abs(y - edge) <= MAX_STACK_PX;
    for (const y of [edge, ...stacks.filter(isWithinReach)]) {
      const box = boxAt({ x, y }, size);
      if (isWithin(box, free) && !others.some((other) => isOverlapping(box, other))) return box;
    }
  }
  return undefined;
}

/** What is stacked on something in a corner is no further from it than this. */
const MAX_STACK_PX = 64;

const boxAt = ({ x, y }: Point, { width, height }: Size): Bounds => ({
  left: x,
  top: y,
  right: x + width,
  bottom: y + height,
});
