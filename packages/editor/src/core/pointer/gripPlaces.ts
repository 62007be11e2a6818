/** Places the grips of a box, on the screen: on a small element they move outward, so that it stays visible. Pure. */
import type { Bounds, Point } from '@markwright/scene';

export const GRIP_PX = 8;
const SMALL_GRIP_PX = 6;
/** Below this short side, in px, the grips are small and move outward. */
const SMALL_BOX_PX = 40;
/** How far the small grips move outward along both sides. */
const OUTWARD_PX = 5;
const ROTATE_PX = 26;
/** Nearer to the box, the rotate grip would be one with its side. */
const LEAST_ROTATE_PX = 14;
/** Below a box, the rotate grip keeps clear of its dimensions. */
const BELOW_PX = 44;

interface GripPlaces {
  /** The middle of the side where the line to the rotate grip begins. */
  readonly rotateFrom: Point;
  readonly rotateAt: Point;
  /** The grips that are drawn, and the middles of the squares that take hold of them, by corner. */
  readonly gripAt: readonly Point[];
  readonly hitAt: readonly Point[];
  readonly gripPx: number;
}

/**
 * `corners` are clockwise from the top left; `hitPx` is the side of the squares that take hold. Where the rotate grip
 * would not be whole in `free`, the part of the stage that nothing covers, it comes nearer to the box, or stands below
 * it.
 */
export function placeGrips(corners: readonly Point[], hitPx: number, free?: Bounds): GripPlaces {
  const width = lengthOf(corners[0]!, corners[1]!);
  const shortPx = Math.min(width, lengthOf(corners[1]!, corners[2]!));
  // On a small element the squares move outward: its middle stays free to be dragged.
  const shiftPx = Math.max(0, hitPx / 2 - shortPx / 4);
  const isSmall = shortPx < SMALL_BOX_PX;
  const outward = (byPx: number) =>
    corners.map((corner, index) => {
      const along = direction(corners[(index + 3) % 4]!, corner);
      const across = direction(corners[(index + 1) % 4]!, corner);
      return { x: corner.x + (along.x + across.x) * byPx, y: corner.y + (along.y + across.y) * byPx };
    });
  // Where the upper squares leave no room between them, the rotate grip stands above them.
  const hasRoom = width / 2 + shiftPx >= hitPx;
  const rotatePx = hasRoom ? ROTATE_PX : Math.max(ROTATE_PX, shiftPx + hitPx);
  const up = direction(corners[3]!, corners[0]!);
  const top = middle(corners[0]!, corners[1]!);
  const bottom = middle(corners[2]!, corners[3]!);
  const above = (byPx: number) => ({ x: top.x + up.x * byPx, y: top.y + up.y * byPx });
  const belowPx = Math.max(rotatePx, BELOW_PX);
  const below = { x: bottom.x - up.x * belowPx, y: bottom.y - up.y * belowPx };
  let stalkPx = rotatePx;
  const leastPx = hasRoom ? LEAST_ROTATE_PX : rotatePx;
  while (free && stalkPx > leastPx && !isWithin(above(stalkPx), free)) stalkPx--;
  const isBelow = free !== undefined && !isWithin(above(stalkPx), free) && isWithin(below, free);
  return {
    rotateFrom: isBelow ? bottom : top,
    rotateAt: isBelow ? below : above(stalkPx),
    gripAt: outward(isSmall ? OUTWARD_PX : 0),
    hitAt: outward(shiftPx),
    gripPx: isSmall ? SMALL_GRIP_PX : GRIP_PX,
  };
}

/**
 * Returns the middles of the squares that take hold of the machine area's corners, which are given clockwise from its
 * top left. They lie on its crop marks, clear of an element that fills the area.
 */
export function areaGripAt(corners: readonly Point[], hitPx: number): readonly Point[] {
  return corners.map((corner, index) => {
    const along = direction(corners[(index + 3) % 4]!, corner);
    const across = direction(corners[(index + 1) % 4]!, corner);
    const shift = hitPx / 2;
    return { x: corner.x + (along.x + across.x) * shift, y: corner.y + (along.y + across.y) * shift };
  });
}

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** True for a rotate grip that is whole in sight. */
const isWithin = ({ x, y }: Point, { left, top, right, bottom }: Bounds) =>
  Math.min(x - left, right - x, y - top, bottom - y) >= GRIP_PX;

const lengthOf = (a: Point, b: Point) => Math.hypot(b.x - a.x, b.y - a.y);

function direction(from: Point, to: Point): Point {
  const length = lengthOf(from, to) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}
