/**
 * Splits line segments with whole coordinates where they meet, so that none crosses another one. All in typed arrays,
 * because a dense drawing has half a million pieces.
 *
 * A profile showed that objects are not all that costs: two small functions made anew in each call of `cutPair` took
 * four times as long as its arithmetic, so the loops over pieces and pairs make none.
 */

/** Segments, and the number of the given one that each is a piece of, in its direction and in its order. */
export interface Pieces {
  readonly count: number;
  readonly x0: Int32Array;
  readonly y0: Int32Array;
  readonly x1: Int32Array;
  readonly y1: Int32Array;
  readonly source: Int32Array;
}

/**
 * A point where two pieces cross is rounded, which can push a piece across a third one; so what was split is compared
 * again. Three rounds nearly always do.
 */
const MAX_ROUNDS = 12;
/** The most pieces for each given segment, and comparisons, on the average. */
const MAX_GROWTH = 100;
const MAX_COMPARISONS = 4000;

/**
 * Returns the pieces of segments (x0, y0, x1, y1 each) that are split wherever two of them cross, touch or run along
 * each other; a crossing is rounded to whole coordinates. Returns undefined when rounding does not come to an end, or
 * so many cross that it would take too long. Cost: near to linear in segments and crossings.
 */
export function splitAtCrossings(segments: Int32Array): Pieces | undefined {
  const inputCount = segments.length / 4;
  let pieces = toPieces(segments);
  /** 1 for a piece that has to be compared. */
  let isFresh: Uint8Array = new Uint8Array(inputCount).fill(1);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const cuts = findCuts(pieces, isFresh, inputCount);
    if (!cuts) return undefined;
    if (cuts.length === 0) return pieces;
    if (pieces.count + cuts.length > MAX_GROWTH * inputCount) return undefined;
    const next = applyCuts(pieces, cuts);
    pieces = next.pieces;
    isFresh = next.isFresh;
  }
  return undefined;
}

function toPieces(segments: Int32Array): Pieces {
  const count = segments.length / 4;
  const column = (offset: number) => {
    const values = new Int32Array(count);
    for (let i = 0; i < count; i++) values[i] = segments[4 * i + offset]!;
    return values;
  };
  const source = new Int32Array(count);
  for (let i = 0; i < count; i++) source[i] = i;
  return { count, x0: column(0), y0: column(1), x1: column(2), y1: column(3), source };
}

/** The points at which pieces are split: `piece[k]` at `x[k]`, `y[k]`. */
class Cuts {
  length = 0;
  piece = new Int32Array(1024);
  x = new Int32Array(1024);
  y = new Int32Array(1024);

  add(piece: number, x: number, y: number): void {
    if (this.length === this.piece.length) {
      this.piece = grow(this.piece, 2 * this.length);
      this.x = grow(this.x, 2 * this.length);
      this.y = grow(this.y, 2 * this.length);
    }
    this.piece[this.length] = piece;
    this.x[this.length] = x;
    this.y[this.length++] = y;
  }
}

function grow(values: Int32Array, count: number): Int32Array<ArrayBuffer> {
  const more = new Int32Array(count);
  more.set(values);
  return more;
}

/** Returns where fresh pieces meet others; undefined when there is too much to compare. */
function findCuts(pieces: Pieces, isFresh: Uint8Array, inputCount: number): Cuts | undefined {
  const { offsets, entries, most } = sortIntoCells(pieces, isFresh);
  const { x0, y0, x1, y1 } = pieces;
  const cuts = new Cuts();
  // The boxes of a cell's pieces side by side: the columns of all pieces are larger than a processor's cache.
  const [left, right] = [new Int32Array(most), new Int32Array(most)];
  const [top, bottom] = [new Int32Array(most), new Int32Array(most)];
  let comparisons = 0;
  for (let cell = 0; cell + 1 < offsets.length; cell++) {
    const start = offsets[cell]!;
    const count = offsets[cell + 1]! - start;
    for (let e = 0; e < count; e++) {
      const i = entries[start + e]!;
      const [ax, bx, ay, by] = [x0[i]!, x1[i]!, y0[i]!, y1[i]!];
      const isNew = isFresh[i] === 1;
      const minX = ax < bx ? ax : bx;
      const maxX = ax < bx ? bx : ax;
      const minY = ay < by ? ay : by;
      const maxY = ay < by ? by : ay;
      for (let f = 0; f < e; f++) {
        if (left[f]! > maxX || right[f]! < minX || top[f]! > maxY || bottom[f]! < minY) continue;
        const j = entries[start + f]!;
        if (isNew || isFresh[j] === 1) cutPair(pieces, i, j, cuts);
      }
      // A step wider: what touches within a grid square meets.
      left[e] = minX - 1;
      right[e] = maxX + 1;
      top[e] = minY - 1;
      bottom[e] = maxY + 1;
    }
    comparisons += (count * (count - 1)) / 2;
    if (comparisons > MAX_COMPARISONS * inputCount) return undefined;
  }
  return cuts;
}

/** Squared distance below which a segment is led through the end of another one: half of a grid square's diagonal. */
const NEAR = 0.5;

/**
 * Adds where two segments, whose boxes touch, split each other. One that passes an end of the other one within its grid
 * square goes through it (iterated snap rounding, Halperin and Packer 2002): without that, two that are nearly parallel
 * cross anew at each round.
 */
function cutPair({ x0, y0, x1, y1 }: Pieces, i: number, j: number, cuts: Cuts): void {
  const ax = x0[i]!;
  const ay = y0[i]!;
  const bx = x1[i]!;
  const by = y1[i]!;
  const cx = x0[j]!;
  const cy = y0[j]!;
  const dx = x1[j]!;
  const dy = y1[j]!;
  const ux = bx - ax;
  const uy = by - ay;
  const sideC = ux * (cy - ay) - uy * (cx - ax);
  const sideD = ux * (dy - ay) - uy * (dx - ax);
  const lengthI = ux * ux + uy * uy;
  const isNearC = sideC * sideC < NEAR * lengthI;
  const isNearD = sideD * sideD < NEAR * lengthI;
  if (!isNearC && !isNearD && sideC > 0 === sideD > 0) return;
  const vx = dx - cx;
  const vy = dy - cy;
  const sideA = vx * (ay - cy) - vy * (ax - cx);
  const sideB = vx * (by - cy) - vy * (bx - cx);
  const lengthJ = vx * vx + vy * vy;
  const isNearA = sideA * sideA < NEAR * lengthJ;
  const isNearB = sideB * sideB < NEAR * lengthJ;
  if (!isNearA && !isNearB && sideA > 0 === sideB > 0) return;
  let isCut = false;
  if (isNearC && isWithin(ux, uy, cx - ax, cy - ay, lengthI)) {
    cuts.add(i, cx, cy);
    isCut = true;
  }
  if (isNearD && isWithin(ux, uy, dx - ax, dy - ay, lengthI)) {
    cuts.add(i, dx, dy);
    isCut = true;
  }
  if (isNearA && isWithin(vx, vy, ax - cx, ay - cy, lengthJ)) {
    cuts.add(j, ax, ay);
    isCut = true;
  }
  if (isNearB && isWithin(vx, vy, bx - cx, by - cy, lengthJ)) {
    cuts.add(j, bx, by);
    isCut = true;
  }
  if (isCut || !(sideC * sideD < 0 && sideA * sideB < 0)) return;
  const share = sideA / (sideA - sideB);
  const x = Math.round(ax + share * ux);
  const y = Math.round(ay + share * uy);
  if ((x !== ax || y !== ay) && (x !== bx || y !== by)) cuts.add(i, x, y);
  if ((x !== cx || y !== cy) && (x !== dx || y !== dy)) cuts.add(j, x, y);
}

/** True for a point, seen from a segment's start, whose foot on the segment u is between its ends. */
function isWithin(ux: number, uy: number, px: number, py: number, square: number): boolean {
  const along = ux * px + uy * py;
  return along > 0 && along < square;
}

/** Splits pieces. The parts of each take its place. */
function applyCuts(pieces: Pieces, cuts: Cuts): { pieces: Pieces; isFresh: Uint8Array } {
  const { count, x0, y0, x1, y1, source } = pieces;
  const { offsets, order } = sortCuts(pieces, cuts);
  const most = count + cuts.length;
  const next = {
    x0: new Int32Array(most),
    y0: new Int32Array(most),
    x1: new Int32Array(most),
    y1: new Int32Array(most),
    source: new Int32Array(most),
  };
  const isFresh = new Uint8Array(most);
  let end = 0;
  for (let i = 0; i < count; i++) {
    let fromX = x0[i]!;
    let fromY = y0[i]!;
    const last = offsets[i + 1]!;
    const isWhole = offsets[i] === last;
    for (let k = offsets[i]!; k <= last; k++) {
      const toX = k < last ? cuts.x[order[k]!]! : x1[i]!;
      const toY = k < last ? cuts.y[order[k]!]! : y1[i]!;
      if (toX === fromX && toY === fromY) continue;
      next.x0[end] = fromX;
      next.y0[end] = fromY;
      next.x1[end] = toX;
      next.y1[end] = toY;
      next.source[end] = source[i]!;
      if (!isWhole) isFresh[end] = 1;
      end++;
      fromX = toX;
      fromY = toY;
    }
  }
  return { pieces: { ...next, count: end }, isFresh };
}

/** Returns the numbers of cuts, sorted: those of piece i are `order[offsets[i]…offsets[i + 1] - 1]`, along it. */
function sortCuts({ count, x0, y0, x1, y1 }: Pieces, { length, piece, x, y }: Cuts) {
  const offsets = new Int32Array(count + 1);
  for (let k = 0; k < length; k++) offsets[piece[k]! + 1]!++;
  for (let i = 0; i < count; i++) offsets[i + 1]! += offsets[i]!;
  const order = new Int32Array(length);
  const along = new Int32Array(length);
  const ends = offsets.slice(0, count);
  for (let k = 0; k < length; k++) {
    const i = piece[k]!;
    const dx = x1[i]! - x0[i]!;
    const dy = y1[i]! - y0[i]!;
    // How far along its piece the cut lies, by the piece's longer side.
    const isLevel = Math.abs(dx) >= Math.abs(dy);
    const far = isLevel ? (x[k]! - x0[i]!) * Math.sign(dx) : (y[k]! - y0[i]!) * Math.sign(dy);
    // Sorted as it goes in: nearly all pieces have few cuts.
    let at = ends[i]!++;
    for (; at > offsets[i]! && along[at - 1]! > far; at--) {
      along[at] = along[at - 1]!;
      order[at] = order[at - 1]!;
    }
    along[at] = far;
    order[at] = k;
  }
  return { offsets, order };
}

/** Cells for each segment, at most. */
const CELLS_PER_PIECE = 2;

/** Pieces by square cells: cell c has `entries[offsets[c]…offsets[c + 1] - 1]`, at most `most` of them. */
interface Cells {
  readonly offsets: Int32Array;
  readonly entries: Int32Array;
  readonly most: number;
}

/** Sorts pieces into square cells about as wide as they are long. Cells without a fresh piece stay empty. */
function sortIntoCells(pieces: Pieces, isFresh: Uint8Array): Cells {
  const raster = chooseRaster(pieces);
  const cellCount = raster.columns * raster.rows;
  const visits = new CellVisits(raster);
  const { count } = pieces;
  const hasFresh = new Uint8Array(cellCount);
  const entryCounts = new Int32Array(cellCount + 1);
  for (let i = 0; i < count; i++) {
    if (isFresh[i] === 1) visits.add(pieces, i);
  }
  for (let k = 0; k < visits.length; k++) hasFresh[visits.cell[k]!] = 1;
  for (let i = 0; i < count; i++) {
    if (isFresh[i] === 0) visits.add(pieces, i, hasFresh);
  }
  const { length, cell, piece } = visits;
  const offsets = entryCounts;
  for (let k = 0; k < length; k++) offsets[cell[k]! + 1]!++;
  let most = 0;
  for (let c = 0; c < cellCount; c++) {
    if (offsets[c + 1]! > most) most = offsets[c + 1]!;
    offsets[c + 1]! += offsets[c]!;
  }
  const entries = new Int32Array(length);
  const ends = offsets.slice(0, cellCount);
  for (let k = 0; k < length; k++) entries[ends[cell[k]!]!++] = piece[k]!;
  return { offsets, entries, most };
}

interface Raster {
  readonly minX: number;
  readonly minY: number;
  /** The side of a cell. */
  readonly size: number;
  readonly columns: number;
  readonly rows: number;
}

function chooseRaster({ count, x0, y0, x1, y1 }: Pieces): Raster {
  let [minX, minY, maxX, maxY, length] = [Infinity, Infinity, -Infinity, -Infinity, 0];
  for (let i = 0; i < count; i++) {
    minX = Math.min(minX, x0[i]!, x1[i]!);
    maxX = Math.max(maxX, x0[i]!, x1[i]!);
    minY = Math.min(minY, y0[i]!, y1[i]!);
    maxY = Math.max(maxY, y0[i]!, y1[i]!);
    length += Math.abs(x1[i]! - x0[i]!) + Math.abs(y1[i]! - y0[i]!);
  }
  const [width, height] = [maxX - minX + 2, maxY - minY + 2];
  const most = CELLS_PER_PIECE * count;
  const size = Math.max(length / count / 2, Math.sqrt((width * height) / most), (width + height) / most, 4);
  return { minX, minY, size, columns: Math.floor(width / size) + 1, rows: Math.floor(height / size) + 1 };
}

/** Which piece passes through which cell: `piece[k]` through `cell[k]`. */
class CellVisits {
  length = 0;
  piece = new Int32Array(4096);
  cell = new Int32Array(4096);
  private readonly raster: Raster;

  constructor(raster: Raster) {
    this.raster = raster;
  }

  /** Adds the cells of a piece, or those that `isWanted` has at 1. */
  add({ x0, y0, x1, y1 }: Pieces, i: number, isWanted?: Uint8Array): void {
    const { minX, minY, size, columns, rows } = this.raster;
    const isDown = y0[i]! <= y1[i]!;
    const fromX = isDown ? x0[i]! : x1[i]!;
    const fromY = isDown ? y0[i]! : y1[i]!;
    const toX = isDown ? x1[i]! : x0[i]!;
    const toY = isDown ? y1[i]! : y0[i]!;
    // One step beyond: what touches on the border between two cells is in one of them together.
    const first = Math.max(0, Math.floor((fromY - 1 - minY) / size));
    const last = Math.min(rows - 1, Math.floor((toY + 1 - minY) / size));
    const slope = toY > fromY ? (toX - fromX) / (toY - fromY) : 0;
    for (let row = first; row <= last; row++) {
      let xTop = fromX;
      let xBottom = toX;
      if (toY > fromY && last > first) {
        const top = minY + row * size - 1;
        const bottom = top + size + 2;
        if (top > fromY) xTop = fromX + slope * (top - fromY);
        if (bottom < toY) xBottom = fromX + slope * (bottom - fromY);
      }
      const left = Math.max(0, Math.floor(((xTop < xBottom ? xTop : xBottom) - 1 - minX) / size));
      const right = Math.min(columns - 1, Math.floor(((xTop < xBottom ? xBottom : xTop) + 1 - minX) / size));
      for (let column = left; column <= right; column++) {
        const cell = row * columns + column;
        if (isWanted && isWanted[cell] === 0) continue;
        if (this.length === this.cell.length) {
          this.piece = grow(this.piece, 2 * this.length);
          this.cell = grow(this.cell, 2 * this.length);
        }
        this.piece[this.length] = i;
        this.cell[this.length++] = cell;
      }
    }
  }
}
