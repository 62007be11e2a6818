/** A sheet as cells that are free or not, and silhouettes as the cells they need. */
import { crossingsOf, type Ring, ringBounds } from '../geometry/rings.ts';

/** Cells in a row that a mask needs. */
interface Run {
  /** Of the mask, from its top. */
  readonly row: number;
  readonly from: number;
  /** The last one. */
  readonly to: number;
}

/** The cells of an area. */
export interface Mask {
  /** So ordered that a place that is not free is found out early: far from each other first. */
  readonly runs: readonly Run[];
  readonly columns: number;
  readonly rows: number;
}

/**
 * Returns every cell that an area touches: areas whose masks share no cell do not overlap. The first cell begins at
 * `origin` in x and y, which lies left of and above the area. Cost: linear in the cells of the edges.
 */
export function coverRing(ring: Ring, origin: number, cellMm: number): Mask {
  const { maxX, maxY } = ringBounds(ring);
  const rows = Math.floor((maxY - origin) / cellMm) + 1;
  const spans: (readonly [number, number])[][] = Array.from({ length: rows }, () => []);
  // Straight up or down from a place in a row one reaches its top edge or a line of the ring, in the row.
  for (const [row, own] of spans.entries()) {
    const places = crossingsOf(ring, origin + row * cellMm);
    for (let k = 0; k + 1 < places.length; k += 2) own.push([places[k]!, places[k + 1]!]);
  }
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [x0, y0, x1, y1] = [ring[j]!, ring[j + 1]!, ring[i]!, ring[i + 1]!];
    const [top, bottom] = y0 < y1 ? [y0, y1] : [y1, y0];
    const xAt = (y: number) => (y1 === y0 ? x0 : x0 + (x1 - x0) * Math.min(1, Math.max(0, (y - y0) / (y1 - y0))));
    for (let row = Math.floor((top - origin) / cellMm); row < rows; row++) {
      const y = origin + row * cellMm;
      if (y > bottom) break;
      const [a, b] = y1 === y0 ? [x0, x1] : [xAt(Math.max(y, top)), xAt(Math.min(y + cellMm, bottom))];
      spans[row]!.push(a < b ? [a, b] : [b, a]);
    }
  }
  const toCell = (x: number) => Math.floor((x - origin) / cellMm);
  const runs = spans.flatMap((own, row) => joinSpans(own, toCell).map(([from, to]) => ({ row, from, to })));
  return { runs: spread(runs), columns: toCell(maxX) + 1, rows };
}

/** Joins spans that share a cell or lie side by side. */
function joinSpans(spans: readonly (readonly [number, number])[], toCell: (x: number) => number): [number, number][] {
  const joint: [number, number][] = [];
  for (const [a, b] of [...spans].sort((one, other) => one[0] - other[0])) {
    const last = joint.at(-1);
    const [from, to] = [toCell(a), toCell(b)];
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joint.push([from, to]);
  }
  return joint;
}

/** The rows of every 32nd, then of every 16th, … */
function spread(runs: readonly Run[]): Run[] {
  const rank = ({ row }: Run) => (row === 0 ? 32 : Math.min(32, row & -row));
  return [...runs].sort((a, b) => rank(b) - rank(a) || a.row - b.row);
}

const WORD = 32;

/** The cells of a sheet. */
export class Cells {
  /** The words that were read so far: the cost of the searches, the same on every machine. */
  work = 0;
  readonly #words: Int32Array;
  readonly #stride: number;

  constructor(columns: number, rows: number) {
    this.#stride = Math.ceil(columns / WORD);
    this.#words = new Int32Array(this.#stride * rows);
  }

  fill({ runs }: Mask, x: number, y: number): void {
    for (const { row, from, to } of runs) {
      const base = (y + row) * this.#stride;
      const [first, last] = [(x + from) >> 5, (x + to) >> 5];
      for (let word = first; word <= last; word++) {
        this.#words[base + word]! |= maskOf(word, x + from, x + to);
      }
    }
  }

  /** Returns the leftmost place in a row, up to `mostX`, where all cells of a mask are free; -1 without one. */
  findPlace({ runs }: Mask, y: number, mostX: number): number {
    let x = 0;
    for (let hasMoved = true; hasMoved; ) {
      hasMoved = false;
      for (const { row, from, to } of runs) {
        const last = this.#lastIn(y + row, x + from, x + to);
        if (last < 0) continue;
        // Every place up to this one needs the same cell.
        x = last + 1 - from;
        if (x > mostX) return -1;
        hasMoved = true;
      }
    }
    return x;
  }

  /** Returns the last cell of a run that is not free; -1 when all are. */
  #lastIn(row: number, from: number, to: number): number {
    const base = row * this.#stride;
    const first = from >> 5;
    for (let word = to >> 5; word >= first; word--) {
      this.work++;
      const bits = this.#words[base + word]! & maskOf(word, from, to);
      if (bits !== 0) return word * WORD + (WORD - 1 - Math.clz32(bits));
    }
    return -1;
  }
}

/** The bits of a word that lie in a run. */
function maskOf(word: number, from: number, to: number): number {
  const low = Math.max(0, from - word * WORD);
  const high = Math.min(WORD - 1, to - word * WORD);
  return (-1 << low) & (-1 >>> (WORD - 1 - high));
}
