/**
 * The print area of a product: a rectangle on its picture (fractions of it) and its true size in inches. Both together
 * say how large the picture is in truth, so the rectangle always has the shape of the size.
 */
import { parseDimensions } from '@markwright/contract/words';
import type { FractionRect } from '@markwright/scene';

export interface PrintArea {
  /** `WxH` in inches. */
  readonly dimensions: string;
  readonly printArea: FractionRect;
}

/** Clockwise from the top left. */
export type Corner = 0 | 1 | 2 | 3;

/** A share of the picture's width or height, whichever is smaller. */
const LEAST = 0.02;

/** The range of a size, in inches. */
export const SIDE_INCHES = { min: 0.1, max: 1000 } as const;

export const writeDimensions = (widthInches: number, heightInches: number): string =>
  [widthInches, heightInches]
    .map((side) => String(Number(Math.min(SIDE_INCHES.max, Math.max(SIDE_INCHES.min, side)).toFixed(3))))
    .join('x');

/**
 * The rectangle's height over its width, in fractions, that this size has on a picture of this aspect (width over
 * height).
 */
function shapeOf(dimensions: string, pictureAspect: number): number {
  const { widthInches, heightInches } = parseDimensions(dimensions);
  return (pictureAspect * heightInches) / widthInches;
}

/** Another true size: the rectangle keeps its middle and its width as far as the picture has room. */
export function resize({ printArea }: PrintArea, dimensions: string, pictureAspect: number): PrintArea {
  const shape = shapeOf(dimensions, pictureAspect);
  const width = Math.min(printArea.width, 1, 1 / shape);
  const size = { width, height: width * shape };
  const { x, y } = printArea;
  return {
    dimensions,
    printArea: inside({
      ...size,
      x: x + (printArea.width - size.width) / 2,
      y: y + (printArea.height - size.height) / 2,
    }),
  };
}

/** Moved by fractions of the picture, kept on it. */
export function moveBy(area: PrintArea, dx: number, dy: number): PrintArea {
  const { printArea } = area;
  return { ...area, printArea: inside({ ...printArea, x: printArea.x + dx, y: printArea.y + dy }) };
}

/** One corner pulled to a point of the picture; the opposite one stays, and so does the shape. */
export function pullCorner(
  { dimensions, printArea }: PrintArea,
  corner: Corner,
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
  const width = Math.min(roomX, roomY / shape, Math.max(LEAST, LEAST / shape, pointerWidth));
  const height = width * shape;
  return {
    dimensions,
    printArea: inside({
      x: isLeft ? opposite.x - width : opposite.x,
      y: isTop ? opposite.y - height : opposite.y,
      width,
      height,
    }),
  };
}

/** Wider or narrower about its middle, by a fraction of the picture's width. */
export function growBy(area: PrintArea, by: number, pictureAspect: number): PrintArea {
  const { printArea, dimensions } = area;
  const shape = shapeOf(dimensions, pictureAspect);
  const width = Math.min(1, 1 / shape, Math.max(LEAST, LEAST / shape, printArea.width + by));
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

function inside({ x, y, width, height }: FractionRect): FractionRect {
  const keep = (at: number, length: number) => Math.min(Math.max(0, at), Math.max(0, 1 - length));
  return { x: keep(x, width), y: keep(y, height), width: Math.min(1, width), height: Math.min(1, height) };
}
