/**
 * A round blank in pieces that are as good as flat: what a picture of flat artwork is drawn through during a drag.
 * Method: a box is halved until the tangent in its middle is right at its sides, by a share of a pixel.
 */
import { applyMatrix, type Bounds, invert, type Matrix, type Point } from '@markwright/scene';
import type { SurfaceMap } from './surfaceMap.ts';

export interface MeshPiece {
  /** Whole px of the picture. */
  readonly box: Bounds;
  /** Maps mm along the surface, from the picture's corner, to px: exact in the middle of the box. */
  readonly matrix: Matrix;
}

/** The most that a place is off, in px. */
const TOLERANCE_PX = 0.3;
/** At the outline of a blank nothing is flat: no piece is smaller, px. */
const LEAST_PX = 2;
/** The least side that is halved because the corners of a piece are off, though its sides are not: on a cone. */
const LEAST_SKEW_PX = 24;

/**
 * Cuts a picture of a round blank into pieces, from the top left. `toPicture` maps its px to mm of the product's
 * picture. Pieces beside the blank are left out. Cost: some ten thousand places of the surface for a cone.
 */
export function createMesh(
  surface: SurfaceMap,
  toPicture: Matrix,
  { width, height }: { readonly width: number; readonly height: number },
): readonly MeshPiece[] {
  const fromPicture = invert(toPicture);
  const placeAt = (x: number, y: number) => surface.unproject(applyMatrix(toPicture, { x, y }));
  const isBeside = (x: number, y: number) => {
    const at = applyMatrix(toPicture, { x, y });
    const back = applyMatrix(fromPicture, surface.project(surface.unproject(at)));
    return Math.hypot(back.x - x, back.y - y) > LEAST_PX;
  };
  const pieces: MeshPiece[] = [];
  const cut = (left: number, top: number, right: number, bottom: number): void => {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const corners = [left, right].flatMap((cx) => [top, bottom].map((cy) => ({ x: cx, y: cy })));
    if (isBeside(x, y) && corners.every((corner) => isBeside(corner.x, corner.y))) return;
    const matrix = tangentAt(placeAt, x, y);
    const isWrong = (px: number, py: number) =>
      distance(applyMatrix(matrix, placeAt(px, py)), { x: px, y: py }) > TOLERANCE_PX;
    const [across, down] = [right - left, bottom - top];
    const isSkewed = () =>
      Math.max(across, down) > LEAST_SKEW_PX && corners.some((corner) => isWrong(corner.x, corner.y));
    let way: 'across' | 'down' | undefined;
    if (across > LEAST_PX && (isWrong(left, y) || isWrong(right, y))) way = 'across';
    else if (down > LEAST_PX && (isWrong(x, top) || isWrong(x, bottom))) way = 'down';
    else if (isSkewed()) way = across > down ? 'across' : 'down';
    if (way === 'across') {
      const middle = Math.round(x);
      cut(left, top, middle, bottom);
      cut(middle, top, right, bottom);
    } else if (way === 'down') {
      const middle = Math.round(y);
      cut(left, top, right, middle);
      cut(left, middle, right, bottom);
    } else {
      pieces.push({ box: { left, top, right, bottom }, matrix });
    }
  };
  if (width > 0 && height > 0) cut(0, 0, width, height);
  return pieces;
}

/** Returns the matrix from the surface to px that is exact in a place, from the places beside it. */
function tangentAt(placeAt: (x: number, y: number) => Point, x: number, y: number): Matrix {
  const step = 0.25;
  const at = placeAt(x, y);
  const [left, right] = [placeAt(x - step, y), placeAt(x + step, y)];
  const [above, below] = [placeAt(x, y - step), placeAt(x, y + step)];
  const growth = (from: number, to: number) => (to - from) / (2 * step);
  const [a, b] = [growth(left.x, right.x), growth(left.y, right.y)];
  const [c, d] = [growth(above.x, below.x), growth(above.y, below.y)];
  return invert({ a, b, c, d, e: at.x - a * x - c * y, f: at.y - b * x - d * y });
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
