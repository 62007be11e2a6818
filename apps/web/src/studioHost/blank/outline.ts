/** Objects on a clear background, and their outlines, in pixels from the picture's top left corner. */
import type { Bitmap } from '@markwright/straighten';

/** A group of pixels that touch one another. */
export interface PictureObject {
  /** Its pixels have this number in the labels. */
  readonly label: number;
  readonly pixels: number;
}

/** Pixels with at least this alpha are an object's. */
const SOLID = 128;
/** Smaller groups are dust, as a share of the picture. */
const LEAST_SHARE = 0.002;

/** Returns the objects of a picture, the largest first, and the label of each pixel. Cost: linear. */
export function findObjects({ width, height, data }: Bitmap): { labels: Int32Array; objects: PictureObject[] } {
  const count = width * height;
  const labels = new Int32Array(count);
  const queue = new Int32Array(count);
  const objects: PictureObject[] = [];
  const isOpen = (i: number) => labels[i] === 0 && data[4 * i + 3]! >= SOLID;
  let label = 0;
  for (let start = 0; start < count; start++) {
    if (!isOpen(start)) continue;
    label++;
    labels[start] = label;
    queue[0] = start;
    let end = 1;
    const visit = (i: number) => {
      if (!isOpen(i)) return;
      labels[i] = label;
      queue[end++] = i;
    };
    for (let at = 0; at < end; at++) {
      const i = queue[at]!;
      const x = i % width;
      if (x > 0) visit(i - 1);
      if (x < width - 1) visit(i + 1);
      if (i >= width) visit(i - width);
      if (i < count - width) visit(i + width);
    }
    if (end >= LEAST_SHARE * count) objects.push({ label, pixels: end });
  }
  return { labels, objects: objects.sort((a, b) => b.pixels - a.pixels) };
}

/** Clears all pixels but those of one object and its soft edge. Changes the picture. */
export function keepObject({ width, height, data }: Bitmap, labels: Int32Array, label: number): void {
  const isNear = (x: number, y: number) => {
    for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++) {
      for (let u = Math.max(0, x - REACH); u <= Math.min(width - 1, x + REACH); u++) {
        if (labels[v * width + u] === label) return true;
      }
    }
    return false;
  };
  for (let i = 0; i < labels.length; i++) {
    const isOther = labels[i] !== label && data[4 * i + 3]! > 0;
    if (isOther && (labels[i] !== 0 || !isNear(i % width, Math.floor(i / width)))) data.fill(0, 4 * i, 4 * i + 4);
  }
}

/** How far a soft edge reaches, px. */
const REACH = 2;

/**
 * Returns the outer outline of an object as pairs of x and y, clockwise on the screen: where alpha passes one half
 * between the centers of pixels (marching squares, Lorensen and Cline 1987 in the plane). Cost: linear.
 */
export function traceOutline({ width, height, data }: Bitmap, labels: Int32Array, label: number): Float64Array {
  const across = width + 1;
  const value = (x: number, y: number): number => {
    if (x < 0 || y < 0 || x >= width || y >= height) return 0;
    const own = labels[y * width + x]!;
    // Beside another object: its pixels are none of this one's.
    return own === label || own === 0 ? data[4 * (y * width + x) + 3]! : 0;
  };
  // A cell lies between the centers of four pixels. An edge of the grid is the upper (even) or the left one of a cell.
  const next = new Int32Array(2 * across * (height + 2)).fill(-1);
  for (let y = 0; y <= height; y++) {
    for (let x = 0; x <= width; x++) {
      const bits =
        (value(x - 1, y - 1) >= SOLID ? 8 : 0) |
        (value(x, y - 1) >= SOLID ? 4 : 0) |
        (value(x, y) >= SOLID ? 2 : 0) |
        (value(x - 1, y) >= SOLID ? 1 : 0);
      if (bits === 0 || bits === 15) continue;
      const cell = y * across + x;
      const edges = [2 * cell, 2 * cell + 3, 2 * (cell + across), 2 * cell + 1];
      for (const [from, to] of STEPS[bits]!) next[edges[from]!] = edges[to]!;
    }
  }
  return largestLoop(next, (edge) => {
    const cell = edge >> 1;
    const [x, y] = [cell % across, Math.floor(cell / across)];
    const [a, b] = edge % 2 === 0 ? [value(x - 1, y - 1), value(x, y - 1)] : [value(x - 1, y - 1), value(x - 1, y)];
    const share = (SOLID - a) / (b - a);
    return edge % 2 === 0 ? [x - 0.5 + share, y - 0.5] : [x - 0.5, y - 0.5 + share];
  });
}

/** From edge to edge, by the corners of a cell that are inside: top left 8, right 4, then bottom right 2, left 1. */
const [TOP, RIGHT, BOTTOM, LEFT] = [0, 1, 2, 3];
const STEPS: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[LEFT, BOTTOM]],
  [[BOTTOM, RIGHT]],
  [[LEFT, RIGHT]],
  [[RIGHT, TOP]],
  [
    [LEFT, BOTTOM],
    [RIGHT, TOP],
  ],
  [[BOTTOM, TOP]],
  [[LEFT, TOP]],
  [[TOP, LEFT]],
  [[TOP, BOTTOM]],
  [
    [TOP, LEFT],
    [BOTTOM, RIGHT],
  ],
  [[TOP, RIGHT]],
  [[RIGHT, LEFT]],
  [[RIGHT, BOTTOM]],
  [[BOTTOM, LEFT]],
  [],
];

/** Follows each loop of edges once, and returns the one that encloses most. */
function largestLoop(next: Int32Array, place: (edge: number) => readonly [number, number]): Float64Array {
  let largest: number[] = [];
  let most = 0;
  for (let start = 0; start < next.length; start++) {
    if (next[start]! < 0) continue;
    const points: number[] = [];
    for (let edge = start; next[edge]! >= 0; ) {
      points.push(...place(edge));
      const to = next[edge]!;
      next[edge] = -1;
      edge = to;
    }
    const area = areaOf(points);
    if (area > most) [largest, most] = [points, area];
  }
  return Float64Array.from(largest);
}

/** Returns the area of an outline, above 0 where it runs clockwise on the screen. */
export function areaOf(points: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
    sum += points[j]! * points[i + 1]! - points[i]! * points[j + 1]!;
  }
  return sum / 2;
}
