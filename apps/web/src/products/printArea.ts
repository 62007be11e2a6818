/**
 * The print area of a product: a rectangle on its picture, in fractions, and its true size in inches. Both together
 * give the true size of the whole picture, so rectangle and size always have the same shape.
 */
import { parseDimensions } from '@markwright/contract/words';
import type { FractionRect } from '@markwright/scene';

export interface PrintArea {
  /** `WxH` in inches. */
  readonly dimensions: string;
  readonly printArea: FractionRect;
}

/** The corners of the rectangle, clockwise from the top left. */
export type PrintAreaCorner = 0 | 1 | 2 | 3;

/** The shortest side of the rectangle, as a fraction of the picture's side. */
const MIN_SHARE = 0.02;

/** The range of a size, in inches. */
export const SIDE_INCHES = { min: 0.1, max: 1000 } as const;

export const writeDimensions = (widthInches: number, heightInches: number): string =>
  [widthInches, heightInches]
    .map((side) => String(Number(Math.min(SIDE_INCHES.max, Math.max(SIDE_INCHES.min, side)).toFixed(3))))
    .join('x');

/**
 * Returns height over width of the rectangle, in fractions of the picture, for a size and the aspect of the picture
 * (width over height).
 */
function shapeOf(dimensions: string, pictureAspect: number): number {
  const { widthInches, heightInches } = parseDimensions(dimensions);
  return (pictureAspect * heightInches) / widthInches;
}

/** Sets the true size. The rectangle keeps its center and its width, as far as the picture has room. */
export function resize({ printArea }: PrintArea, dimensions: string, pictureAspect: number): PrintArea {
  const shape = shapeOf(dimensions, pictureAspect);
  const width = Math.min(printArea.width, 1, 1 / shape);
  const size = { width, height: width * shape };
  const { x, y } = printArea;
  return {
    dimensions,
    printArea: keepInside({
      ...size,
      x: x + (printArea.width - size.width) / 2,
      y: y + (printArea.height - size.height) / 2,
    }),
  };
}

/** Moves the rectangle by fractions of the picture. It stays inside the picture. */
export function moveBy(area: PrintArea, dx: number, dy: number): PrintArea {
  const { printArea } = area;
  return { ...area, printArea: keepInside({ ...printArea, x: printArea.x + dx, y: printArea.y + dy }) };
}

/** Pulls one corner to a point of the picture. The opposite corner and the shape stay. */
export function pullCorner(
  { dimensions, printArea }: PrintArea,
  corner: PrintAreaCorner,
  to: Point,
  pictureAspect: number,
): PrintArea {
  const shape = shapeOf(dimensions, pictureAspect);
  const isLeft = corner === 0 || corner === 3;
  const isTop = corner === 0 || corner === 1;
  const opposite = {
    x: isLeft ? printArea.x + printArea.width : printArea.x,
    y: isTop ? printArea.y + printArea.height : printArea.y,
  };
  const roomX = isLeft ? opposite.x : 1 - opposite.x;
  const roomY = isTop ? opposite.y : 1 - opposite.y;
  const pointerWidth = Math.max(
    isLeft ? opposite.x - to.x : to.x - opposite.x,
    (isTop ? opposite.y - to.y : to.y - opposite.y) / shape,
  );
  const width = Math.min(roomX, roomY / shape, Math.max(MIN_SHARE, MIN_SHARE / shape, pointerWidth));
  const height = width * shape;
  return {
    dimensions,
    printArea: keepInside({
      x: isLeft ? opposite.x - width : opposite.x,
      y: isTop ? opposite.y - height : opposite.y,
      width,
      height,
    }),
  };
}

/** Widens the rectangle about its center by a fraction of the picture's width; a negative one makes it narrower. */
export function growBy(area: PrintArea, by: number, pictureAspect: number): PrintArea {
  const { printArea, dimensions } = area;
  const shape = shapeOf(dimensions, pictureAspect);
  const width = Math.min(1, 1 / shape, Math.max(MIN_SHARE, MIN_SHARE / shape, printArea.width + by));
  return resize(
    { dimensions, printArea: { ...printArea, width, x: printArea.x + (printArea.width - width) / 2 } },
    dimensions,
    pictureAspect,
  );
}

/** Returns the true size of the whole picture, in inches. */
export function pictureInches(
  { dimensions, printArea }: PrintArea,
  pictureAspect: number,
): { width: number; height: number } {
  const width = parseDimensions(dimensions).widthInches / printArea.width;
  return { width, height: width / pictureAspect };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function keepInside({ x, y, width, height }: FractionRect): FractionRect {
  const clamp = (at: number, length: number) => Math.min(Math.max(0, at), Math.max(0, 1 - length));
  return { x: clamp(x, width), y: clamp(y, height), width: Math.min(1, width), height: Math.min(1, height) };
}
