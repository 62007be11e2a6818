/** Plain outlines that shapes and frames are made of, in mm. */
import { type Contour, readContours, tightBounds, transformContours } from '../geometry/pathData.ts';

/** The share of a radius at which the handles of a quarter of a circle lie, for the least error of the radius. */
export const HANDLE = 0.551915;
export const UNIT_CIRCLE =
  `M1 0C1 ${HANDLE} ${HANDLE} 1 0 1C${-HANDLE} 1 -1 ${HANDLE} -1 0` +
  `C-1 ${-HANDLE} ${-HANDLE} -1 0 -1C${HANDLE} -1 1 ${-HANDLE} 1 0Z`;

/** Scales an outline so that it touches all edges of a box. */
export function fitBox(contours: readonly Contour[], width: number, height: number): Contour[] {
  const { minX, minY, maxX, maxY } = tightBounds(contours);
  const [a, d] = [width / (maxX - minX), height / (maxY - minY)];
  return transformContours(contours, { a, b: 0, c: 0, d, e: -minX * a, f: -minY * d });
}

export const toPolygon = (points: readonly number[]): Contour => ({
  commands: Array.from({ length: points.length / 2 - 1 }, () => 'L' as const),
  points: [...points],
  isClosed: true,
});

/** Returns a rectangle from 0, 0, its corners no rounder than it allows. */
export function roundedRectangle({
  widthMm: width,
  heightMm: height,
  cornerMm,
}: {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly cornerMm: number;
}): Contour {
  const r = Math.min(cornerMm, width / 2, height / 2);
  if (r === 0) return toPolygon([0, 0, width, 0, width, height, 0, height]);
  const h = r * (1 - HANDLE);
  const [right, bottom] = [width - r, height - r];
  const d =
    `M${r} 0L${right} 0C${width - h} 0 ${width} ${h} ${width} ${r}` +
    `L${width} ${bottom}C${width} ${height - h} ${width - h} ${height} ${right} ${height}` +
    `L${r} ${height}C${h} ${height} 0 ${height - h} 0 ${bottom}L0 ${r}C0 ${h} ${h} 0 ${r} 0Z`;
  return readContours(d)[0]!;
}

/** Returns a circle of four curves around (x, y). */
export function circle(x: number, y: number, radius: number): Contour {
  const [{ commands, points }] = readContours(UNIT_CIRCLE) as [Contour];
  return { commands, points: points.map((value, i) => value * radius + (i % 2 ? y : x)), isClosed: true };
}
