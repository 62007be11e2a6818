/** Places the grips of a box, on the screen: on a small element they move outward, so that it stays visible. Pure. */
import type { Point } from '@markwright/scene';

export const GRIP_PX = 8;
const SMALL_GRIP_PX = 6;
/** Below this short side, in px, the grips are small and move outward. */
const SMALL_BOX_PX = 40;
/** How far the small grips move outward along both sides. */
const OUTWARD_PX = 5;
const ROTATE_PX = 26;

interface GripPlaces {
  /** The middle of the upper side, where the line to the rotate grip begins. */
  readonly top: Point;
  readonly rotateAt: Point;
  /** The grips that are drawn, and the middles of the squares that take hold of them, by corner. */
  readonly gripAt: readonly Point[];
  readonly hitAt: readonly Point[];
  readonly gripPx: number;
}

/** `corners` are clockwise from the top left; `hitPx` is the side of the squares that take hold. */
export function placeGrips(corners: readonly Point[], hitPx: number): GripPlaces {
  const top = { x: (corners[0]!.x + corners[1]!.x) / 2, y: (corners[0]!.y + corners[1]!.y) / 2 };
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
  return {
    top,
    rotateAt: { x: top.x + up.x * rotatePx, y: top.y + up.y * rotatePx },
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

const lengthOf = (a: Point, b: Point) => Math.hypot(b.x - a.x, b.y - a.y);

function direction(from: Point, to: Point): Point {
  const length = lengthOf(from, to) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}
