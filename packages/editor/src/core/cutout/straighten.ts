/**
 * Straightened pictures on the screen, and the angle and corners while they are set. Loaded with what shows the first.
 */
import { type Framing, isStraightening, type Straightening, straightenedSize } from '@markwright/scene';
import { type Bitmap, cornersOfTurn, estimateAspect, planWarp, warp } from '@markwright/straighten';

interface Size {
  readonly width: number;
  readonly height: number;
}
export type Corners = Straightening['corners'];
type Corner = Corners[number];

/** The range of the angle field, in degrees. */
export const ANGLE_LIMIT = 45;
/** A smaller difference of a turned picture's corners, in widths and heights, is one of rounding. */
const SAME_CORNER = 1e-4;
const degrees = Math.PI / 180;

export const wholeCorners: Corners = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
];

const mapCorners = ([a, b, c, d]: readonly [Corner, Corner, Corner, Corner], map: (corner: Corner) => Corner) =>
  [map(a), map(b), map(c), map(d)] as const;

const toPixels = (corners: Corners, { width, height }: Size) =>
  mapCorners(corners, ({ x, y }) => ({ x: x * width, y: y * height }));

/** Returns the size of a picture in its own pixels, straightened if it is. */
export function toWholeSize(picture: Size, { straighten }: Framing): Size {
  if (!straighten) return { width: picture.width, height: picture.height };
  const { width, height } = straightenedSize(straighten, picture);
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}

/** Returns a map of a picture to the straightened one, and back. */
function planStraightening(straighten: Straightening, picture: Size) {
  const size = straightenedSize(straighten, picture);
  return planWarp(picture, { corners: toPixels(straighten.corners, picture) }, size);
}

/** Returns the pixels of a straightened picture, at most `maxPixels`. `picture` may be a smaller copy. */
export function straightenPixels(straighten: Straightening, picture: Bitmap, maxPixels: number): Bitmap {
  const { width, height } = straightenedSize(straighten, picture);
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  const size = { width: width * scale, height: height * scale };
  return warp(picture, { corners: toPixels(straighten.corners, picture) }, { size });
}

/**
 * Returns the CSS transform that shows a picture straightened. It takes the picture, laid out in its own pixels from
 * the top left, to the pixels of the straightened one.
 */
export function cssStraighten(straighten: Straightening, picture: Size): string {
  const [a, b, c, d, e, f, g, h, i] = planStraightening(straighten, picture).matrix.map(
    (value, _at, matrix) => value / matrix[8]!,
  );
  return `matrix3d(${[a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, i].join(', ')})`;
}

/**
 * Returns the straightening by four corners, with proportions that follow from them. Undefined for the corners of the
 * picture itself, which change nothing, and for corners that are no convex quadrilateral.
 */
export function straightenCorners(corners: Corners, picture: Size): Straightening | undefined {
  if (isNear(corners, wholeCorners)) return undefined;
  const straighten = { corners, aspect: estimateAspect(toPixels(corners, picture), picture) };
  return isStraightening(straighten) ? straighten : undefined;
}

const isNear = (a: Corners, b: Corners): boolean =>
  a.every(({ x, y }, i) => Math.max(Math.abs(x - b[i]!.x), Math.abs(y - b[i]!.y)) < SAME_CORNER);

/** Returns the angle by which the content is turned clockwise, in degrees: the mean of both middle lines. */
export function angleOf(straighten: Straightening | undefined, picture: Size): number {
  if (!straighten) return 0;
  const [a, b, c, d] = toPixels(straighten.corners, picture);
  const along = Math.atan2(b.y + c.y - a.y - d.y, b.x + c.x - a.x - d.x);
  const down = Math.atan2(a.x + b.x - c.x - d.x, c.y + d.y - a.y - b.y);
  return (along + down) / 2 / degrees;
}

function turnWhole(angleDeg: number, picture: Size): Straightening | undefined {
  const corners = mapCorners(cornersOfTurn(picture, angleDeg), ({ x, y }) => ({
    x: x / picture.width,
    y: y / picture.height,
  }));
  return straightenCorners([...corners], picture);
}

/** True when the whole picture is turned, or nothing is done, and no corners were set. */
export function isTurnOnly(straighten: Straightening | undefined, picture: Size): boolean {
  if (!straighten) return true;
  const turn = turnWhole(angleOf(straighten, picture), picture);
  return turn !== undefined && isNear(turn.corners, straighten.corners);
}

/**
 * Returns the straightening with another angle. Corners that were set are turned with the plane that they show; without
 * any the whole picture is turned, and is larger then.
 */
export function turnTo(
  straighten: Straightening | undefined,
  angleDeg: number,
  picture: Size,
): Straightening | undefined {
  if (!straighten || isTurnOnly(straighten, picture)) return turnWhole(angleDeg, picture);
  const { toPicture, width, height } = planStraightening(straighten, picture);
  let turn = 0;
  let next = straighten;
  // The angle is one of the picture, and the plane is turned: a few steps make both agree.
  for (let step = 0; step < 4; step++) {
    turn += angleDeg - angleOf(next, picture);
    const [c, s] = [Math.cos(turn * degrees), Math.sin(turn * degrees)];
    const corners = mapCorners(wholeCorners, ({ x, y }) => {
      const [dx, dy] = [(x - 0.5) * width, (y - 0.5) * height];
      const point = toPicture({ x: width / 2 + c * dx - s * dy, y: height / 2 + s * dx + c * dy });
      return { x: point.x / picture.width, y: point.y / picture.height };
    });
    const candidate = { corners, aspect: straighten.aspect };
    if (!isStraightening(candidate)) return straighten;
    next = candidate;
  }
  return next;
}
