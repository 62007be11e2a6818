/**
 * Splits line segments with whole coordinates where they meet, so that none crosses another one. All in typed arrays,
 * because a dense drawing has half a million pieces.
 */

/** Segments, and the number of the given one that each is a piece of, in its direction. */
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

/** The points at which pieces are split: `piece[k]` at `x[k]`, `y[k]`. */
interface Cuts {
  readonly piece: number[];
  readonly x: number[];
  readonly y: number[];
}

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
    if (cuts.piece.length === 0) return pieces;
    if (pieces.count + cuts.piece.length > MAX_GROWTH * inputCount) return undefined;
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

/** Returns where fresh pieces meet others; undefined when there is too much to compare. */
function findCuts(pieces: Pieces, isFresh: Uint8Array, inputCount: number): Cuts | undefined {
  const { offsets, entries } = sortIntoCells(pieces);
  const { x0, y0, x1, y1 } = pieces;
  const cuts: Cuts = { piece: [], x: [], y: [] };
  let comparisons = 0;
  for (let cell = 0; cell + 1 < offsets.length; cell++) {
    const [start, end] = [offsets[cell]!, offsets[cell + 1]!];
    for (let e = start; e < end; e++) {
      const i = entries[e]!;
      const left = Math.min(x0[i]!, x1[i]!) - 1;
      const right = Math.max(x0[i]!, x1[i]!) + 1;
      const top = Math.min(y0[i]!, y1[i]!) - 1;
      const bottom = Math.max(y0[i]!, y1[i]!) + 1;
      comparisons += e - start;
      for (let f = start; f < e; f++) {
        const j = entries[f]!;
        if (isFresh[i] === 0 && isFresh[j] === 0) continue;
        const ax = x0[j]!;
        const bx = x1[j]!;
        const ay = y0[j]!;
        const by = y1[j]!;
        if ((ax < left && bx < left) || (ax > right && bx > right)) continue;
        if ((ay < top && by < top) || (ay > bottom && by > bottom)) continue;
        cutPair(pieces, i, j, cuts);
      }
    }
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
  const cx = x0[j]!;
  const cy = y0[j]!;
  const ux = x1[i]! - ax;
  const uy = y1[i]! - ay;
  const vx = x1[j]! - cx;
  const vy = y1[j]! - cy;
  const [nearI, nearJ] = [NEAR * (ux * ux + uy * uy), NEAR * (vx * vx + vy * vy)];
  const sideC = ux * (cy - ay) - uy * (cx - ax);
  const sideD = ux * (cy + vy - ay) - uy * (cx + vx - ax);
  const [isNearC, isNearD] = [sideC * sideC < nearI, sideD * sideD < nearI];
  if (!isNearC && !isNearD && sideC > 0 === sideD > 0) return;
  const sideA = vx * (ay - cy) - vy * (ax - cx);
  const sideB = vx * (ay + uy - cy) - vy * (ax + ux - cx);
  const [isNearA, isNearB] = [sideA * sideA < nearJ, sideB * sideB < nearJ];
  if (!isNearA && !isNearB && sideA > 0 === sideB > 0) return;
  const cut = (piece: number, x: number, y: number) => {
    if ((x === x0[piece] && y === y0[piece]) || (x === x1[piece] && y === y1[piece])) return false;
    cuts.piece.push(piece);
    cuts.x.push(x);
    cuts.y.push(y);
    return true;
  };
  const isOn = (piece: number, x: number, y: number) => {
    const [dx, dy] = [x1[piece]! - x0[piece]!, y1[piece]! - y0[piece]!];
    const along = dx * (x - x0[piece]!) + dy * (y - y0[piece]!);
    return along > 0 && along < dx * dx + dy * dy;
  };
  let isCut = false;
  if (isNearC && isOn(i, cx, cy)) isCut = cut(i, cx, cy) || isCut;
  if (isNearD && isOn(i, cx + vx, cy + vy)) isCut = cut(i, cx + vx, cy + vy) || isCut;
  if (isNearA && isOn(j, ax, ay)) isCut = cut(j, ax, ay) || isCut;
  if (isNearB && isOn(j, ax + ux, ay + uy)) isCut = cut(j, ax + ux, ay + uy) || isCut;
  const doCross = sideC * sideD < 0 && sideA * sideB < 0;
  if (isCut || !doCross) return;
  const share = sideA / (sideA - sideB);
  const [x, y] = [Math.round(ax + share * ux), Math.round(ay + share * uy)];
  cut(i, x, y);
  cut(j, x, y);
}

function applyCuts(pieces: Pieces, { piece, x, y }: Cuts): { pieces: Pieces; isFresh: Uint8Array } {
  const { count, x0, y0, x1, y1, source } = pieces;
  const order = Int32Array.from(piece.keys());
  // How far along its piece each cut lies, by the piece's longer side.
  const along = Float64Array.from(piece, (i, k) => {
    const [dx, dy] = [x1[i]! - x0[i]!, y1[i]! - y0[i]!];
    return Math.abs(dx) >= Math.abs(dy) ? (x[k]! - x0[i]!) * Math.sign(dx) : (y[k]! - y0[i]!) * Math.sign(dy);
  });
  order.sort((a, b) => piece[a]! - piece[b]! || along[a]! - along[b]!);
  const most = count + order.length;
  const next = {
    x0: grow(x0, most),
    y0: grow(y0, most),
    x1: grow(x1, most),
    y1: grow(y1, most),
    source: grow(source, most),
  };
  const isFresh = new Uint8Array(most);
  let end = count;
  for (let k = 0; k < order.length; ) {
    const i = piece[order[k]!]!;
    let [fromX, fromY] = [x0[i]!, y0[i]!];
    let at = i;
    const add = (toX: number, toY: number) => {
      if (toX === fromX && toY === fromY) return;
      next.x0[at] = fromX;
      next.y0[at] = fromY;
      next.x1[at] = toX;
      next.y1[at] = toY;
      next.source[at] = source[i]!;
      isFresh[at] = 1;
      [fromX, fromY] = [toX, toY];
      at = end++;
    };
    for (; k < order.length && piece[order[k]!] === i; k++) add(x[order[k]!]!, y[order[k]!]!);
    add(x1[i]!, y1[i]!);
    end--; // the place for one more
  }
  return { pieces: { ...next, count: end }, isFresh };
}

function grow(values: Int32Array, count: number): Int32Array {
  const more = new Int32Array(count);
  more.set(values.length > count ? values.subarray(0, count) : values);
  return more;
}

/** Cells for each segment, at most. */
const CELLS_PER_PIECE = 2;

/**
 * Sorts pieces into square cells about as wide as they are long: cell c has `entries[offsets[c]…offsets[c + 1] - 1]`.
 */
function sortIntoCells({ count, x0, y0, x1, y1 }: Pieces): { offsets: Int32Array; entries: Int32Array } {
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
  const columns = Math.floor(width / size) + 1;
  const rows = Math.floor(height / size) + 1;
  const visit = (i: number, place: (cell: number) => void) => {
    const isDown = y0[i]! <= y1[i]!;
    const [fromX, fromY, toX, toY] = isDown ? [x0[i]!, y0[i]!, x1[i]!, y1[i]!] : [x1[i]!, y1[i]!, x0[i]!, y0[i]!];
    // One step beyond: what touches on the border between two cells is in one of them together.
    const first = Math.max(0, Math.floor((fromY - 1 - minY) / size));
    const last = Math.min(rows - 1, Math.floor((toY + 1 - minY) / size));
    const slope = toY > fromY ? (toX - fromX) / (toY - fromY) : 0;
    for (let row = first; row <= last; row++) {
      let [xTop, xBottom] = [fromX, toX];
      if (toY > fromY && last > first) {
        const top = minY + row * size - 1;
        const bottom = top + size + 2;
        if (top > fromY) xTop = fromX + slope * (top - fromY);
        if (bottom < toY) xBottom = fromX + slope * (bottom - fromY);
      }
      const left = Math.max(0, Math.floor((Math.min(xTop, xBottom) - 1 - minX) / size));
      const right = Math.min(columns - 1, Math.floor((Math.max(xTop, xBottom) + 1 - minX) / size));
      for (let column = left; column <= right; column++) place(row * columns + column);
    }
  };
  const offsets = new Int32Array(columns * rows + 1);
  const countCell = (cell: number) => offsets[cell + 1]!++;
  for (let i = 0; i < count; i++) visit(i, countCell);
  for (let cell = 0; cell < columns * rows; cell++) offsets[cell + 1]! += offsets[cell]!;
  const entries = new Int32Array(offsets[columns * rows]!);
  const ends = offsets.slice();
  let piece = 0;
  const enter = (cell: number) => {
    entries[ends[cell]!++] = piece;
  };
  for (; piece < count; piece++) visit(piece, enter);
  return { offsets, entries };
}
