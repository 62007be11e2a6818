/** The boxes and outlines of SVG shapes, as far as the estimate of the cost of a drawing needs them. */
import svgpath from 'svgpath';
import { applyMatrix, type Matrix } from '../geometry/matrix.ts';
import type { SvgNode } from '../svg/svg.ts';

/** An upright box in user units. */
export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export interface OutlineMeasures {
  readonly box: Box;
  /** Length of its control polygon, user units: at least that of the outline. */
  readonly length: number;
  /** The number of its segments, arcs counted as curves. */
  readonly corners: number;
  /** The segments that are curves. */
  readonly curves: number;
}

const NO_OUTLINE: OutlineMeasures = { box: { minX: 0, minY: 0, maxX: 0, maxY: 0 }, length: 0, corners: 0, curves: 0 };

type ReadLength = (text: string | undefined) => number;

/** Returns a shape as path data, round ones by the rectangle around them; undefined for what is no shape. */
export function toOutlineData({ tag, attrs }: SvgNode, x: ReadLength, y: ReadLength): string | undefined {
  const rectangle = (left: number, top: number, width: number, height: number): string =>
    `M${left} ${top}h${width}v${height}h${-width}z`;
  switch (tag) {
    case 'path':
      return attrs.d ?? '';
    case 'polyline':
    case 'polygon':
      return attrs.points ? `M${attrs.points}` : '';
    case 'line':
      return `M${x(attrs.x1)} ${y(attrs.y1)}L${x(attrs.x2)} ${y(attrs.y2)}`;
    case 'rect':
      return rectangle(x(attrs.x), y(attrs.y), x(attrs.width), y(attrs.height));
    case 'circle':
    case 'ellipse': {
      const [rx, ry] = tag === 'circle' ? [x(attrs.r), x(attrs.r)] : [x(attrs.rx ?? attrs.ry), y(attrs.ry ?? attrs.rx)];
      return rectangle(x(attrs.cx) - rx, y(attrs.cy) - ry, 2 * rx, 2 * ry);
    }
    default:
      return undefined;
  }
}

/** Measures path data. Cost: linear in the data, about a microsecond a segment. */
export function measureOutline(d: string): OutlineMeasures {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  let [length, corners, curves] = [0, 0, 0];
  const reach = (x: number, y: number): void => {
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  };
  svgpath(d)
    .abs()
    .unshort()
    .unarc()
    .iterate((segment, _index, fromX, fromY) => {
      const [command, ...values] = segment as [string, ...number[]];
      corners++;
      if (command === 'C' || command === 'Q') curves++;
      if (command !== 'M') reach(fromX, fromY);
      if (command === 'H') values.push(fromY);
      if (command === 'V') values.unshift(fromX);
      let [x0, y0] = [fromX, fromY];
      for (let i = 0; i + 1 < values.length; i += 2) {
        const [x, y] = [values[i]!, values[i + 1]!];
        reach(x, y);
        if (command !== 'M') length += Math.abs(x - x0) + Math.abs(y - y0);
        [x0, y0] = [x, y];
      }
    });
  return corners > 0 && minX <= maxX ? { box: { minX, minY, maxX, maxY }, length, corners, curves } : NO_OUTLINE;
}

/** Returns the box around a transformed box. */
export function mapBox({ minX, minY, maxX, maxY }: Box, m: Matrix): Box {
  let box: Box | undefined;
  for (const corner of [
    { x: minX, y: minY },
    { x: maxX, y: minY },
    { x: minX, y: maxY },
    { x: maxX, y: maxY },
  ]) {
    const { x, y } = applyMatrix(m, corner);
    box = join(box, { minX: x, minY: y, maxX: x, maxY: y });
  }
  return box!;
}

/** Returns a box that is larger by `x` and `y` user units on each side. */
export const grow = ({ minX, minY, maxX, maxY }: Box, x: number, y: number): Box => ({
  minX: minX - x,
  minY: minY - y,
  maxX: maxX + x,
  maxY: maxY + y,
});

export const overlaps = (a: Box, b: Box): boolean =>
  a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;

/** Returns the box around both; undefined when there is neither. */
export function join(a: Box | undefined, b: Box | undefined): Box | undefined {
  if (!a || !b) return a ?? b;
  return {
    minX: Math.min(a.minX, b.minX),
    minY: Math.min(a.minY, b.minY),
    maxX: Math.max(a.maxX, b.maxX),
    maxY: Math.max(a.maxY, b.maxY),
  };
}
