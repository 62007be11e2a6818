/**
 * The colors of a trace as swatches, and their edits. An edit is data: a color of the trace, and the paint in its
 * place.
 */
import type { PaletteEdit } from '@markwright/contract/schemas';
import { flatten, type Point, readContours, type ScenePath } from '@markwright/scene';

export interface Swatch {
  /** The same as long as the swatch stands for the same colors. */
  readonly key: string;
  /** `#rrggbb`, or null for what was removed. */
  readonly paint: string | null;
  /** The colors of the trace that are painted with it: several when they were merged. */
  readonly sources: readonly string[];
  /** Its share of the painted area, 0…1. */
  readonly share: number;
}

export type Palette = readonly PaletteEdit[];

/**
 * Returns the swatches of a trace with the edits applied, largest area first. Colors named in `order` keep their place,
 * so that none moves while it is edited; removed ones stay in the list. While the trace on the stage is still that of
 * `earlier` edits, newest first, those tell which color is which. Cost: some milliseconds for 20,000 nodes, once for
 * each trace.
 */
export function readSwatches(
  paths: readonly ScenePath[],
  edits: Palette = [],
  order: readonly string[] = [],
  earlier: readonly Palette[] = [],
): readonly Swatch[] {
  const paints = new Map(edits.map(({ color, paint }) => [color, paint]));
  const swatchOf = new Map<string, Swatch>();
  const add = (source: string, share: number): void => {
    const paint = paints.has(source) ? paints.get(source)! : source;
    const id = paint ?? `removed ${source}`;
    const swatch = swatchOf.get(id) ?? { key: source, paint, sources: [], share: 0 };
    swatchOf.set(id, {
      ...swatch,
      sources: swatch.sources.includes(source) ? swatch.sources : [...swatch.sources, source],
      share: paint === null ? 0 : swatch.share + share,
    });
  };
  for (const [paint, share] of measureShares(paths)) {
    const lists = [edits, ...earlier].map((list) => list.filter((edit) => edit.paint === paint));
    const sources = lists.find(({ length }) => length > 0)?.map(({ color }) => color) ?? [paint];
    for (const source of sources) add(source, share / sources.length);
  }
  const swatches = [...swatchOf.values()].sort((a, b) => b.share - a.share || a.key.localeCompare(b.key));
  for (const { color, paint } of edits) {
    if (paint === null && !swatchOf.has(`removed ${color}`))
      swatches.push({ key: color, paint, sources: [color], share: 0 });
  }
  const places = new Map(order.map((color, place) => [color, place]));
  const placeOf = ({ sources }: Swatch) => Math.min(...sources.map((source) => places.get(source) ?? Infinity));
  // Sorting is stable: what was not there before comes after, by area.
  return swatches.sort((a, b) => {
    const [p, q] = [placeOf(a), placeOf(b)];
    return p === q ? 0 : p - q;
  });
}

/** Paints the chosen swatches; null removes them. Two swatches of one paint are merged. */
export function paintSwatches(
  edits: Palette,
  all: readonly Swatch[],
  chosenSwatches: readonly Swatch[],
  paint: string | null,
): Palette {
  const paints = new Map(edits.map(({ color, paint: to }) => [color, to]));
  for (const { sources } of chosenSwatches) for (const source of sources) paints.set(source, paint);
  // A color that keeps its paint gets an edit too, so that a merge into it can be recognized.
  for (const swatch of all) {
    if (paint === null || swatch.paint !== paint) continue;
    for (const source of swatch.sources) if (!paints.has(source)) paints.set(source, paint);
  }
  return tidy(paints);
}

/** Returns the selected swatches to the colors of the trace. */
export function restoreSwatches(edits: Palette, chosenSwatches: readonly Swatch[]): Palette {
  const paints = new Map(edits.map(({ color, paint }) => [color, paint]));
  for (const { sources } of chosenSwatches) for (const source of sources) paints.delete(source);
  return tidy(paints);
}

/** Drops edits that change nothing: a color in its own paint that no other color shares. */
function tidy(paints: ReadonlyMap<string, string | null>): Palette {
  const edits = [...paints].map(([color, paint]) => ({ color, paint }));
  return edits.filter(
    ({ color, paint }) => color !== paint || edits.some((other) => other.color !== color && other.paint === paint),
  );
}

/** True when a swatch is edited. */
export const isEdited = ({ paint, sources }: Swatch): boolean => sources.length > 1 || sources[0] !== paint;

/** Reads a typed hex color of three or six digits, with or without `#`, as `#rrggbb`. */
export function readHex(text: string): string | undefined {
  const digits = text.trim().replace(/^#/, '').toLowerCase();
  if (/^[0-9a-f]{6}$/.test(digits)) return `#${digits}`;
  return /^[0-9a-f]{3}$/.test(digits) ? `#${[...digits].map((digit) => digit + digit).join('')}` : undefined;
}

/** Returns the color a path shows, be it an area or a line. */
export const paintOf = ({ fill, stroke }: Pick<ScenePath, 'fill' | 'stroke'>): string | undefined =>
  (fill ?? stroke)?.toLowerCase();

/** True for a path with a color of its own: not one that a transparent gradient lays over others. */
const isShown = ({ gradient, opacity }: ScenePath): boolean =>
  opacity > 0 && !gradient?.stops.some(({ opacity: alpha }) => alpha !== undefined && alpha < 1);

/** Steps along the longer side in which areas are counted. */
const GRID = 200;

/**
 * Returns each paint's share of the visible area, counted on a grid, so that hidden shapes do not count. Lines count by
 * their length. What is too small for the grid has a share of nearly 0.
 */
function measureShares(paths: readonly ScenePath[]): Map<string, number> {
  const visiblePaths = paths.filter((path) => isShown(path) && paintOf(path) !== undefined);
  const outlines = visiblePaths.map(({ d }) => readContours(d));
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const contours of outlines) {
    for (const { points } of contours) {
      for (let p = 0; p < points.length; p += 2) {
        minX = Math.min(minX, points[p]!);
        maxX = Math.max(maxX, points[p]!);
        minY = Math.min(minY, points[p + 1]!);
        maxY = Math.max(maxY, points[p + 1]!);
      }
    }
  }
  const step = Math.max(maxX - minX, maxY - minY, 1e-9) / GRID;
  const width = Math.ceil((maxX - minX) / step) || 1;
  const height = Math.ceil((maxY - minY) / step) || 1;
  const cells = new Int32Array(width * height).fill(-1);
  const paints: string[] = [];
  const numberOf = new Map<string, number>();
  const weights: number[] = [];
  visiblePaths.forEach((path, k) => {
    const paint = paintOf(path)!;
    let number = numberOf.get(paint);
    if (number === undefined) {
      number = paints.length;
      numberOf.set(paint, number);
      paints.push(paint);
      weights.push(1e-6);
    }
    const crossings: number[][] = [];
    for (const contour of outlines[k]!) {
      const line = flatten(contour, step / 4);
      if (path.fill === undefined) {
        for (let p = 2; p < line.length; p += 2) {
          weights[number]! += Math.hypot(line[p]! - line[p - 2]!, line[p + 1]! - line[p - 1]!) / step;
        }
        continue;
      }
      line.push(line[0]!, line[1]!);
      addCrossings(crossings, line, { minY, step, height });
    }
    crossings.forEach((xs, row) => {
      xs.sort((a, b) => a - b);
      for (let i = 0; i + 1 < xs.length; i += 2) {
        const from = Math.max(0, Math.ceil((xs[i]! - minX) / step - 0.5));
        const to = Math.min(width, Math.ceil((xs[i + 1]! - minX) / step - 0.5));
        if (to > from) cells.fill(number, row * width + from, row * width + to);
      }
    });
  });
  for (const number of cells) if (number >= 0) weights[number]! += 1;
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return new Map(paints.map((paint, k) => [paint, weights[k]! / whole]));
}

/** Adds the places where the segments of a line cross the middles of rows. */
function addCrossings(rows: number[][], line: ArrayLike<number>, grid: { minY: number; step: number; height: number }) {
  for (let p = 2; p < line.length; p += 2) {
    const [x0, y0, x1, y1] = [line[p - 2]!, line[p - 1]!, line[p]!, line[p + 1]!];
    const [a, b] = [(y0 - grid.minY) / grid.step - 0.5, (y1 - grid.minY) / grid.step - 0.5];
    const from = Math.max(0, Math.ceil(Math.min(a, b)));
    const to = Math.min(grid.height, Math.ceil(Math.max(a, b)));
    for (let row = from; row < to; row++) {
      const x = x0 + ((row - a) / (b - a)) * (x1 - x0);
      const xs = rows[row];
      if (xs) xs.push(x);
      else rows[row] = [x];
    }
  }
}

/**
 * Returns the paint that lies on top at a point of the artwork; a line is hit within `reach`, in artwork units. Cost:
 * linear in the path data.
 */
export function paintAt(paths: readonly ScenePath[], point: Point, reach: number): string | undefined {
  for (let k = paths.length - 1; k >= 0; k--) {
    const path = paths[k]!;
    if (!isShown(path)) continue;
    let crossings = 0;
    let isNear = false;
    for (const contour of readContours(path.d)) {
      const line = flatten(contour, reach / 2);
      if (path.fill !== undefined) line.push(line[0]!, line[1]!);
      for (let p = 2; p < line.length; p += 2) {
        const [x0, y0, x1, y1] = [line[p - 2]!, line[p - 1]!, line[p]!, line[p + 1]!];
        if (path.fill === undefined) isNear ||= distanceTo(point, x0, y0, x1, y1) <= reach + path.strokeWidth / 2;
        else if (y0 > point.y !== y1 > point.y && point.x < x0 + ((point.y - y0) / (y1 - y0)) * (x1 - x0)) crossings++;
      }
    }
    if (isNear || crossings % 2 === 1) return paintOf(path);
  }
  return undefined;
}

function distanceTo({ x, y }: Point, x0: number, y0: number, x1: number, y1: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / square));
  return Math.hypot(x - x0 - t * dx, y - y0 - t * dy);
}

/** Formats a share of 0…1: `42 %`, `<1 %`. */
export function sayShare(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? '<1 %' : `${percent} %`;
}
