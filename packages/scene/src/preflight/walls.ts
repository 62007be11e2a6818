/**
 * Finds where two walls of a drawing run side by side too near each other: the walls of a line (the ink between them)
 * or of a gap (the bare material between them).
 *
 * The rule, in mm, with a width `limit`:
 *
 * - A wall ends at a corner of less than 90°, such as the bottom of a notch.
 * - The width at a point of a wall is the distance from it, at right angles, to the wall on the other side.
 * - A stretch of a wall is even when its widths differ by at most 15 %: straight walls at up to 8.5° to each other.
 * - An even stretch, `width` wide at its widest, is a finding when `width < limit` and it is longer than `width`.
 * - A tip narrows to nothing, and is no finding. So the stretch must also be at least half as long as the part of the
 *   wall around it that is nowhere wider than `width`; or longer than 8 times `width`, as no tip of more than 1.1° is.
 *   And a tip may have a blunt end: a stretch no longer than `limit` must be at least half as long as the part of the
 *   wall around it that is narrower than `limit`.
 *
 * So the notch of a V or a K, the counter of an A at its apex, the tip of a serif and the tip between two touching
 * circles pass; a slot, an inline, a hairline and two bars side by side do not. Nothing in the rule depends on place,
 * rotation, or a common scale of drawing and limit. Widths under `CRUMB_MM` are rounding between neighbors.
 *
 * Cost: n log n for n points of wall, a few to each width; a grid finds the other side in constant time.
 */
import { DisjointSets } from '../geometry/disjointSets.ts';
import type { Point } from '../geometry/matrix.ts';

/** Widths below this are rounding errors. */
export const CRUMB_MM = 0.02;
/** Tolerance for flattened curves: a width equal to the limit passes. */
export const SLACK_MM = 0.002;

/** A closed outline in mm, with the ink to its left as x goes right and y up: the area of a hole is negative. */
export type InkOutline = readonly Point[];

/** Two walls that run side by side. */
export interface SideBySide {
  /** The narrowest even stretch, at its widest: a limit of this width would pass. */
  readonly widthMm: number;
  readonly lengthMm: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The edges of outlines, sorted into a grid. */
export interface Walls {
  readonly ax: Float64Array;
  readonly ay: Float64Array;
  readonly bx: Float64Array;
  readonly by: Float64Array;
  /** The first edge of each outline, and the number of edges at the end. */
  readonly starts: readonly number[];
  readonly cellMm: number;
  readonly cells: ReadonlyMap<number, readonly number[]>;
}

/** Sorts outlines into a grid in which walls up to `reachMm` apart are found. */
export function createWalls(outlines: readonly InkOutline[], reachMm: number): Walls {
  const count = outlines.reduce((sum, { length }) => sum + length, 0);
  const [ax, ay, bx, by] = Array.from({ length: 4 }, () => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const starts: number[] = [];
  const cells = new Map<number, number[]>();
  let edge = 0;
  for (const outline of outlines) {
    starts.push(edge);
    for (const [i, from] of outline.entries()) {
      const to = outline[(i + 1) % outline.length]!;
      ax[edge] = from.x;
      ay[edge] = from.y;
      bx[edge] = to.x;
      by[edge] = to.y;
      putIntoCells(cells, edge, from, to, reachMm);
      edge++;
    }
  }
  starts.push(edge);
  return { ax, ay, bx, by, starts, cellMm: reachMm, cells };
}

/** Cells are numbered around 0, 0: drawings are some meters at most. */
const ROW = 2 ** 24;
const cellKey = (column: number, row: number) => row * ROW + column;

/** Puts an edge into the cells of a grid that it passes through, and some beside them. */
function putIntoCells(cells: Map<number, number[]>, edge: number, from: Point, to: Point, size: number): void {
  const [left, right] = from.x <= to.x ? [from, to] : [to, from];
  const slope = right.x > left.x ? (right.y - left.y) / (right.x - left.x) : 0;
  const first = Math.floor(left.x / size);
  const last = Math.floor(right.x / size);
  for (let column = first; column <= last; column++) {
    const enter = column === first ? left.y : left.y + (column * size - left.x) * slope;
    const leave = column === last ? right.y : left.y + ((column + 1) * size - left.x) * slope;
    const low = Math.floor(Math.min(enter, leave) / size - 1e-9);
    const high = Math.floor(Math.max(enter, leave) / size + 1e-9);
    for (let row = low; row <= high; row++) {
      const key = cellKey(column, row);
      const cell = cells.get(key);
      if (cell) cell.push(edge);
      else cells.set(key, [edge]);
    }
  }
}

/** True when an edge other than `own` may lie in an upright box. */
function hasOthers({ cells, cellMm }: Walls, own: number, x0: number, y0: number, x1: number, y1: number): boolean {
  const lastColumn = Math.floor(Math.max(x0, x1) / cellMm);
  const lastRow = Math.floor(Math.max(y0, y1) / cellMm);
  for (let row = Math.floor(Math.min(y0, y1) / cellMm); row <= lastRow; row++) {
    for (let column = Math.floor(Math.min(x0, x1) / cellMm); column <= lastColumn; column++) {
      const cell = cells.get(cellKey(column, row));
      if (cell && (cell.length > 1 || cell[0] !== own)) return true;
    }
  }
  return false;
}

/** The points at which a wall is measured: the middle of each short piece. */
interface Samples {
  /** The edge that a piece is a part of, and where on it the piece starts and how long it is. */
  readonly edge: number[];
  readonly start: number[];
  readonly length: number[];
  /** Infinity where no wall is nearer than the limit. */
  readonly width: number[];
  /** The edge on the other side and the place on it, in mm from its start. */
  readonly hitEdge: number[];
  readonly hitAt: number[];
  /** True for the first piece after a corner of less than 90°, such as the bottom of a notch: another wall. */
  readonly isNewWall: boolean[];
}

/** Pieces of a wall are at most this part of the limit, and of the width there. */
const PIECES = 8;
const FINE_PIECES = 4;
const MAX_FINE_PIECES = 16;

/** Widths of an even stretch differ by at most this. */
const EVEN = 0.85;
/** An even stretch of this many times its width is no part of a tip. */
const LONG = 8;
/** Differences of widths up to this are rounding errors. */
const ROUNDING_MM = 1e-4;
/** The least share of the equally narrow part of a wall that an even stretch takes up. */
const LEAST_SHARE = 0.5;

/**
 * Finds all walls that run side by side, nearer than the limit. `inward` is 1 for the ink between walls and -1 for the
 * gaps. The walls of outlines for which `isSkipped` holds are not looked at from their side.
 */
export function findSideBySide(
  walls: Walls,
  limitMm: number,
  inward: 1 | -1,
  isSkipped: (outline: number) => boolean,
): SideBySide[] {
  const samples: Samples = { edge: [], start: [], length: [], width: [], hitEdge: [], hitAt: [], isNewWall: [] };
  const firstOfEdge = new Int32Array(walls.ax.length + 1);
  const isFound: boolean[] = [];
  const runOf: number[] = [];
  const runs: number[] = [];
  for (let outline = 0; outline + 1 < walls.starts.length; outline++) {
    const from = samples.edge.length;
    const end = walls.starts[outline + 1]!;
    for (let edge = walls.starts[outline]!; edge < end; edge++) {
      firstOfEdge[edge] = samples.edge.length;
      if (isSkipped(outline)) continue;
      const first = samples.edge.length;
      sampleEdge(walls, edge, limitMm - SLACK_MM, inward, samples);
      const before = edge === walls.starts[outline] ? end - 1 : edge - 1;
      if (samples.edge.length > first) samples.isNewWall[first] = isSharpTurn(walls, before, edge);
    }
    const widths = findEven(samples, from, limitMm);
    for (const width of widths) isFound.push(width < Infinity);
    joinRuns(samples, isFound, from, widths, runOf, runs);
  }
  firstOfEdge[walls.ax.length] = samples.edge.length;
  return joinSides(walls, samples, firstOfEdge, runOf, runs);
}

/** True when one edge leads back beside the edge before it. */
function isSharpTurn({ ax, ay, bx, by }: Walls, before: number, edge: number): boolean {
  const [dx, dy] = [bx[before]! - ax[before]!, by[before]! - ay[before]!];
  return dx * (bx[edge]! - ax[edge]!) + dy * (by[edge]! - ay[edge]!) < 0;
}

function sampleEdge(walls: Walls, edge: number, limitMm: number, inward: 1 | -1, samples: Samples): void {
  const ax = walls.ax[edge]!;
  const ay = walls.ay[edge]!;
  const dx = walls.bx[edge]! - ax;
  const dy = walls.by[edge]! - ay;
  const length = Math.hypot(dx, dy);
  if (length === 0) return;
  const [ux, uy] = [dx / length, dy / length];
  const ray: Ray = { edge, x: 0, y: 0, nx: -uy * inward, ny: ux * inward };
  const measure = (start: number, piece: number): Hit | undefined => {
    ray.x = ax + ux * (start + piece / 2);
    ray.y = ay + uy * (start + piece / 2);
    return castRay(walls, ray, limitMm);
  };
  const push = (start: number, piece: number, hit: Hit | undefined) => {
    samples.edge.push(edge);
    samples.start.push(start);
    samples.length.push(piece);
    samples.width.push(hit?.distance ?? Infinity);
    samples.hitEdge.push(hit?.edge ?? -1);
    samples.hitAt.push(hit?.at ?? 0);
    samples.isNewWall.push(false);
  };
  /** Measures a part of the edge in equal pieces, each at its middle. */
  const split = (start: number, part: number, pieces: number, take: typeof push) => {
    const piece = part / pieces;
    for (let i = 0; i < pieces; i++) take(start + i * piece, piece, measure(start + i * piece, piece));
  };
  const parts = Math.ceil(length / limitMm);
  const part = length / parts;
  for (let k = 0; k < parts; k++) {
    const start = k * part;
    const [x0, y0] = [ax + ux * start, ay + uy * start];
    const [x1, y1] = [x0 + ux * part, y0 + uy * part];
    const [rx, ry] = [ray.nx * limitMm, ray.ny * limitMm];
    const isFree = !hasOthers(
      walls,
      edge,
      Math.min(x0, x1, x0 + rx, x1 + rx),
      Math.min(y0, y1, y0 + ry, y1 + ry),
      Math.max(x0, x1, x0 + rx, x1 + rx),
      Math.max(y0, y1, y0 + ry, y1 + ry),
    );
    if (isFree) {
      push(start, part, undefined);
      continue;
    }
    split(start, part, Math.ceil((part / limitMm) * PIECES), (at, piece, hit) => {
      const fine = hit ? Math.min(MAX_FINE_PIECES, Math.ceil((piece * FINE_PIECES) / hit.distance)) : 1;
      if (fine === 1) push(at, piece, hit);
      else split(at, piece, fine, push);
    });
  }
}

/** From a point of an edge, at right angles to it. */
interface Ray {
  readonly edge: number;
  x: number;
  y: number;
  readonly nx: number;
  readonly ny: number;
}

interface Hit {
  readonly distance: number;
  readonly edge: number;
  readonly at: number;
}

/** Returns the first edge that a ray meets within a distance, no longer than a cell of the grid. */
function castRay(walls: Walls, { edge: own, x, y, nx, ny }: Ray, distance: number): Hit | undefined {
  const { ax, ay, bx, by, cellMm, cells } = walls;
  let nearest = distance;
  let hitEdge = -1;
  let hitShare = 0;
  const [x1, y1] = [x + nx * distance, y + ny * distance];
  const lastColumn = Math.floor(Math.max(x, x1) / cellMm);
  const lastRow = Math.floor(Math.max(y, y1) / cellMm);
  for (let row = Math.floor(Math.min(y, y1) / cellMm); row <= lastRow; row++) {
    for (let column = Math.floor(Math.min(x, x1) / cellMm); column <= lastColumn; column++) {
      const cell = cells.get(cellKey(column, row));
      if (!cell) continue;
      for (const edge of cell) {
        if (edge === own) continue;
        const ex = bx[edge]! - ax[edge]!;
        const ey = by[edge]! - ay[edge]!;
        const cross = nx * ey - ny * ex;
        if (cross === 0) continue;
        const [px, py] = [ax[edge]! - x, ay[edge]! - y];
        const t = (px * ey - py * ex) / cross;
        if (t <= 0 || t >= nearest) continue;
        const u = (px * ny - py * nx) / cross;
        if (u < -1e-9 || u > 1 + 1e-9) continue;
        nearest = t;
        hitEdge = edge;
        hitShare = u;
      }
    }
  }
  if (hitEdge < 0) return undefined;
  const length = Math.hypot(bx[hitEdge]! - ax[hitEdge]!, by[hitEdge]! - ay[hitEdge]!);
  return { distance: nearest, edge: hitEdge, at: hitShare * length };
}

/** Returns for each sample of one outline the length of the part around it that is narrower than the limit. */
function lengthsBelowLimit({ width, length, isNewWall }: Samples, from: number): Float64Array {
  const count = width.length - from;
  const lengths = new Float64Array(count);
  const at = (i: number) => from + (i % count);
  // Starts where a part ends, so that none runs over the end of the list.
  let first = 0;
  while (first < count && width[at(first)]! < Infinity && !isNewWall[at(first)]) first++;
  for (let i = first; i < first + count; ) {
    let end = i;
    let sum = 0;
    while (end < first + count && width[at(end)]! < Infinity && (end === i || !isNewWall[at(end)])) {
      sum += length[at(end)]!;
      end++;
    }
    for (let k = i; k < end; k++) lengths[at(k) - from] = sum;
    i = Math.max(end, i + 1);
  }
  return lengths;
}

/** Returns for each sample of one outline the width of the narrowest finding it is a part of; Infinity for none. */
function findEven(samples: Samples, from: number, limitMm: number): number[] {
  const { width, length, isNewWall } = samples;
  const count = width.length - from;
  const partLength = lengthsBelowLimit(samples, from);
  const narrowest = new Array<number>(count).fill(Infinity);
  const next = (i: number) => (i + 1 === count ? 0 : i + 1);
  const previous = (i: number) => (i === 0 ? count - 1 : i - 1);
  for (let middle = 0; middle < count; middle++) {
    const widest = width[from + middle]!;
    if (widest === Infinity || widest < CRUMB_MM || narrowest[middle]! <= widest + ROUNDING_MM) continue;
    const isNarrow = (i: number) => width[from + i]! <= widest;
    const isEven = (i: number) => isNarrow(i) && width[from + i]! >= EVEN * widest;
    const enough = 2 * LONG * widest;
    // Walks both ways as long as a condition holds: once around, and twice as far as can matter, at most.
    const walk = (holds: (i: number) => boolean, visit: (i: number) => void) => {
      let sum = length[from + middle]!;
      visit(middle);
      let after = next(middle);
      for (; after !== middle && sum <= enough && !isNewWall[from + after] && holds(after); after = next(after)) {
        sum += length[from + after]!;
        visit(after);
      }
      for (let i = middle; sum <= enough && !isNewWall[from + i]; ) {
        i = previous(i);
        if (i === middle || i === after || !holds(i)) break;
        sum += length[from + i]!;
        visit(i);
      }
      return sum;
    };
    const evenLength = walk(isEven, () => {});
    if (evenLength <= widest) continue;
    if (evenLength <= limitMm && evenLength < LEAST_SHARE * partLength[middle]!) continue;
    if (evenLength <= LONG * widest) {
      const narrowLength = walk(isNarrow, () => {});
      if (evenLength < LEAST_SHARE * narrowLength) continue;
    }
    walk(isEven, (i) => {
      if (widest < narrowest[i]!) narrowest[i] = widest;
    });
  }
  return narrowest;
}

/** Numbers the runs of found samples on one outline: appends to `runOf` (-1 for none), and each width to `runs`. */
function joinRuns(
  { length }: Samples,
  isFound: readonly boolean[],
  from: number,
  widths: readonly number[],
  runOf: number[],
  runs: number[],
): void {
  let run = -1;
  let pause = 0;
  for (const [i, width] of widths.entries()) {
    if (!isFound[from + i]) {
      pause += length[from + i]!;
      runOf.push(-1);
      continue;
    }
    // A short interruption, such as a bump of a wall, does not end a run.
    if (run < 0 || pause > width) {
      run = runs.length;
      runs.push(width);
    }
    runs[run] = Math.min(runs[run]!, width);
    pause = 0;
    runOf.push(run);
  }
}

/** Joins the runs that face each other. */
function joinSides(
  walls: Walls,
  samples: Samples,
  firstOfEdge: Int32Array,
  runOf: readonly number[],
  runs: readonly number[],
): SideBySide[] {
  const sets = new DisjointSets(runs.length);
  const findSample = (edge: number, at: number) => {
    let low = firstOfEdge[edge]!;
    let high = firstOfEdge[edge + 1]! - 1;
    if (high < low) return -1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (samples.start[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  for (const [i, run] of runOf.entries()) {
    if (run < 0) continue;
    const other = runOf[findSample(samples.hitEdge[i]!, samples.hitAt[i]!)] ?? -1;
    if (other >= 0) sets.join(run, other);
  }
  const pairs = new Map<number, { -readonly [key in keyof SideBySide]: number }>();
  const pointOn = (edge: number, at: number): Point => {
    const [ax, ay, bx, by] = [walls.ax[edge]!, walls.ay[edge]!, walls.bx[edge]!, walls.by[edge]!];
    const share = at / (Math.hypot(bx - ax, by - ay) || 1);
    return { x: ax + (bx - ax) * share, y: ay + (by - ay) * share };
  };
  for (const [i, run] of runOf.entries()) {
    if (run < 0) continue;
    const root = sets.find(run);
    let pair = pairs.get(root);
    if (!pair) {
      pair = { widthMm: Infinity, lengthMm: 0, left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
      pairs.set(root, pair);
    }
    const start = samples.start[i]!;
    const piece = samples.length[i]!;
    pair.widthMm = Math.min(pair.widthMm, runs[run]!);
    // Both walls are walked along.
    pair.lengthMm += piece / 2;
    const edge = samples.edge[i]!;
    for (const { x, y } of [
      pointOn(edge, start),
      pointOn(edge, start + piece),
      pointOn(samples.hitEdge[i]!, samples.hitAt[i]!),
    ]) {
      pair.left = Math.min(pair.left, x);
      pair.top = Math.min(pair.top, y);
      pair.right = Math.max(pair.right, x);
      pair.bottom = Math.max(pair.bottom, y);
    }
  }
  return [...pairs.values()];
}
