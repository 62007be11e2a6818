import type { Quantized } from './labels.ts';
import type { Regions } from './regions.ts';
import { joinsDown, joinsUp } from './regions.ts';

/**
 * The planar map: the lines between regions, cut into chains at the junctions where three or more regions meet. A chain
 * belongs to both of its regions and is traced once, so neighbours can neither overlap nor part.
 *
 * Chains run on the lattice of pixel corners; `locate` then finds where the boundary truly is.
 */
export interface BoundaryMap {
  width: number;
  height: number;
  chains: Chain[];
  /** Lattice points of all chains, one after another, as y * (width + 1) + x. */
  path: Int32Array;
  /** Lattice point of each junction. */
  junctions: Int32Array;
}

export interface Chain {
  /** Region on the left of the direction of travel, and on the right; OUTSIDE beyond the picture. */
  left: number;
  right: number;
  /** Junctions at the ends; -1 for a closed chain, whose first and last lattice points are equal. */
  start: number;
  end: number;
  /** First and last index in `path`. */
  from: number;
  to: number;
}

export const OUTSIDE = 0xffffffff;

// Directions of travel on the lattice, clockwise on the screen.
const EAST = 0;
const SOUTH = 1;
const WEST = 2;
const NORTH = 3;

/** Traces every chain once. Linear in pixels and chain length. */
export function traceBoundary(regions: Regions): BoundaryMap {
  const tracer = new ChainTracer(regions);
  tracer.findJunctions();
  tracer.walkFromJunctions();
  tracer.walkLoops();
  return tracer.finish();
}

/** Bits of `marks` at a lattice point: the crack going east from it is walked, the one going south is, it is a junction. */
const WALKED_EAST = 1;
const WALKED_SOUTH = 2;
const JUNCTION = 4;

class ChainTracer {
  private readonly regions: Regions;
  private readonly stride: number;
  private readonly marks: Uint8Array;
  private readonly junctions: number[] = [];
  private readonly indexOf = new Map<number, number>(); // of a junction, by its lattice point
  private readonly chains: Chain[] = [];
  private path = new Int32Array(1024);
  private used = 0;

  constructor(regions: Regions) {
    this.regions = regions;
    this.stride = regions.width + 1;
    this.marks = new Uint8Array(this.stride * (regions.height + 1));
  }

  finish(): BoundaryMap {
    const { width, height } = this.regions;
    const { chains, path, used, junctions } = this;
    return { width, height, chains, path: path.slice(0, used), junctions: Int32Array.from(junctions) };
  }

  /** Lattice points where three or four cracks meet, but for corners that two regions pass without touching. */
  findJunctions(): void {
    const { width, height, labels, ids } = this.regions;
    for (let y = 0; y <= height; y++) {
      for (let x = 0; x <= width; x++) {
        if (x > 0 && y > 0 && x < width && y < height) {
          const i = y * width + x;
          const id = ids[i];
          if (id === ids[i - 1] && id === ids[i - width] && id === ids[i - width - 1]) continue;
        }
        const cracks = this.cracksAt(x, y);
        const isThree = cracks === 7 || cracks === 11 || cracks === 13 || cracks === 14;
        if (!isThree) {
          if (cracks !== 15) continue;
          if (joinsDown(labels, width, height, x, y) || joinsUp(labels, width, height, x, y)) continue;
        }
        const at = y * this.stride + x;
        this.marks[at] = JUNCTION;
        this.indexOf.set(at, this.junctions.length);
        this.junctions.push(at);
      }
    }
  }

  walkFromJunctions(): void {
    for (let j = 0; j < this.junctions.length; j++) {
      const x = this.junctions[j] % this.stride;
      const y = (this.junctions[j] - x) / this.stride;
      const cracks = this.cracksAt(x, y);
      for (let direction = 0; direction < 4; direction++) {
        if (cracks & (1 << direction) && !this.isWalked(x, y, direction)) this.walk(x, y, direction, j);
      }
    }
  }

  /** What is left are loops without a junction; each has a level crack. */
  walkLoops(): void {
    const { width, height, ids } = this.regions;
    for (let y = 0; y <= height; y++) {
      for (let x = 0, i = y * width; x < width; x++, i++) {
        if (y > 0 && y < height && ids[i] === ids[i - width]) continue;
        if (!(this.marks[y * this.stride + x] & WALKED_EAST)) this.walk(x, y, EAST, -1);
      }
    }
  }

  private idAt(x: number, y: number): number {
    const { width, height, ids } = this.regions;
    return x < 0 || y < 0 || x >= width || y >= height ? OUTSIDE : ids[y * width + x];
  }

  /** Bits of the cracks that leave a lattice point: 1 east, 2 south, 4 west, 8 north. */
  private cracksAt(x: number, y: number): number {
    const northWest = this.idAt(x - 1, y - 1);
    const northEast = this.idAt(x, y - 1);
    const southEast = this.idAt(x, y);
    const southWest = this.idAt(x - 1, y);
    return (
      (northEast !== southEast ? 1 : 0) |
      (southEast !== southWest ? 2 : 0) |
      (southWest !== northWest ? 4 : 0) |
      (northWest !== northEast ? 8 : 0)
    );
  }

  private isWalked(x: number, y: number, direction: number): boolean {
    const { marks, stride } = this;
    const at = y * stride + x;
    if (direction === EAST) return (marks[at] & WALKED_EAST) !== 0;
    if (direction === SOUTH) return (marks[at] & WALKED_SOUTH) !== 0;
    if (direction === WEST) return (marks[at - 1] & WALKED_EAST) !== 0;
    return (marks[at - stride] & WALKED_SOUTH) !== 0;
  }

  private push(at: number): void {
    if (this.used === this.path.length) {
      const longer = new Int32Array(this.path.length * 2);
      longer.set(this.path);
      this.path = longer;
    }
    this.path[this.used++] = at;
  }

  /** Follows the boundary until a junction, or back to where it began. */
  private walk(x: number, y: number, direction: number, start: number): void {
    const { stride, marks } = this;
    const { labels, width, height } = this.regions;
    const from = this.used;
    const left = this.idAt(x - (direction & 2 ? 1 : 0), y - (direction === EAST || direction === NORTH ? 1 : 0));
    const right = this.idAt(x - (direction === SOUTH || direction === WEST ? 1 : 0), y - (direction & 2 ? 1 : 0));
    const origin = y * stride + x;
    const originDirection = direction;
    let end = -1;
    for (;;) {
      const at = y * stride + x;
      this.push(at);
      if (direction === EAST) {
        marks[at] |= WALKED_EAST;
        x++;
      } else if (direction === SOUTH) {
        marks[at] |= WALKED_SOUTH;
        y++;
      } else if (direction === WEST) {
        marks[at - 1] |= WALKED_EAST;
        x--;
      } else {
        marks[at - stride] |= WALKED_SOUTH;
        y--;
      }
      const here = y * stride + x;
      if (marks[here] & JUNCTION) {
        end = this.indexOf.get(here) as number;
        break;
      }
      const cracks = this.cracksAt(x, y);
      if (cracks === 15) {
        // Two regions pass each other at a corner: go round the pixel that is not joined across.
        const down = joinsDown(labels, width, height, x, y);
        const isolatedRight = down === (direction === EAST || direction === WEST);
        direction = (direction + (isolatedRight ? 1 : 3)) & 3;
      } else {
        const onward = cracks & ~(1 << ((direction + 2) & 3));
        direction = onward === 1 ? EAST : onward === 2 ? SOUTH : onward === 4 ? WEST : NORTH;
      }
      if (here === origin && start < 0 && direction === originDirection) break;
    }
    this.push(y * stride + x);
    this.chains.push({ left, right, start, end, from, to: this.used - 1 });
  }
}

/** Scratch of `locate`: points of one chain, in pixels, with how far each can be trusted, 0..1. */
export interface Points {
  x: Float64Array;
  y: Float64Array;
  weight: Float64Array;
  count: number;
}

export function createPoints(capacity: number): Points {
  return {
    x: new Float64Array(capacity),
    y: new Float64Array(capacity),
    weight: new Float64Array(capacity),
    count: 0,
  };
}

/** How far from the lattice a boundary is looked for, in pixels. */
const REACH = 4;

/**
 * Finds the boundary behind a chain to a small part of a pixel.
 *
 * A pixel on the edge between colours a and b shows the share α = (p - b)·(a - b) / |a - b|² of a. Along a row (or a column where
 * the chain is flatter) these shares add up to the length of a in that row, so their sum gives the mean position
 * of the boundary over the row: exact for a straight edge of any slope, where an interpolated level line is up to 0.09 px off.
 * A side so thin that no pixel of it is pure shares its fullest pixel between its two edges.
 *
 * Writes one point per row or column crossed. Linear in the length of the chain.
 */
export function locate(
  map: BoundaryMap,
  chain: Chain,
  labels: Uint8Array,
  quantized: Quantized,
  noise: number,
  out: Points,
): void {
  const { path, width, height } = map;
  const { from, to } = chain;
  const stride = width + 1;
  const length = to - from;
  const closed = chain.start < 0;
  out.count = 0;
  const scan = new EdgeScan(labels, quantized, noise);

  for (let k = 0; k < length; k++) {
    const a = path[from + k];
    const b = path[from + k + 1];
    const back = closed ? path[from + ((k - 2 + length) % length)] : path[from + Math.max(0, k - 2)];
    const ahead = closed ? path[from + ((k + 3) % length)] : path[from + Math.min(length, k + 3)];
    const runX = (ahead % stride) - (back % stride);
    const runY = Math.floor(ahead / stride) - Math.floor(back / stride);
    const isVertical = Math.abs(b - a) !== 1;
    if (isVertical ? Math.abs(runY) < Math.abs(runX) : Math.abs(runX) < Math.abs(runY)) continue;

    const x = Math.min(a % stride, b % stride);
    const y = Math.min(Math.floor(a / stride), Math.floor(b / stride));
    if (isVertical) {
      scan.run(y * width + x, 1, width - x, x);
      out.x[out.count] = x + scan.shift;
      out.y[out.count] = y + 0.5;
    } else {
      scan.run(y * width + x, width, height - y, y);
      out.x[out.count] = x + 0.5;
      out.y[out.count] = y + scan.shift;
    }
    out.weight[out.count++] = scan.weight;

    // On a diagonal, rows and columns give nearly the same points in any order: two that do not move on become one.
    const last = out.count - 1;
    if (last < 1) continue;
    const onward =
      ((out.x[last] - out.x[last - 1]) * runX + (out.y[last] - out.y[last - 1]) * runY) / (Math.hypot(runX, runY) || 1);
    if (onward < 0.4) {
      out.x[last - 1] = (out.x[last - 1] + out.x[last]) / 2;
      out.y[last - 1] = (out.y[last - 1] + out.y[last]) / 2;
      out.weight[last - 1] = Math.max(out.weight[last - 1], out.weight[last]);
      out.count--;
    }
  }
}

class EdgeScan {
  shift = 0;
  weight = 1;
  private readonly data: Uint8ClampedArray;
  private readonly labels: Uint8Array;
  private readonly palette: Float64Array;
  private readonly noise: number;

  constructor(labels: Uint8Array, quantized: Quantized, noise: number) {
    this.data = quantized.measured.data;
    this.labels = labels;
    this.palette = quantized.measuredPalette;
    this.noise = noise;
  }

  /**
   * `plus` is the first pixel on the far side of the crack, `step` the way to the next one, `room` and `roomBack` how many
   * pixels there are from `plus` on and before it.
   */
  run(plus: number, step: number, room: number, roomBack: number): void {
    const { labels, palette } = this;
    const far = labels[plus] * 4;
    const near = labels[plus - step] * 4;
    let span = 0;
    for (let c = 0; c < 4; c++) span += (palette[near + c] - palette[far + c]) ** 2;
    const pure = Math.min(0.25, 0.02 + (1.5 * this.noise) / Math.sqrt(span + 1));

    const forward = this.side(plus, step, Math.min(room, REACH), far, near, span, pure);
    const forwardThin = this.thin;
    const forwardBefore = this.before;
    const forwardAfter = this.after;
    const backward = this.side(plus - step, -step, Math.min(roomBack, REACH), near, far, span, pure);
    this.shift = forward - backward;
    this.weight = 1;
    // The part of a thin side's fullest pixel that is not its own lies beyond this edge in proportion to what lies past it.
    if (forwardThin > 0) {
      const before = forwardBefore + backward;
      this.shift += forwardThin * (before + forwardAfter > 1e-6 ? forwardAfter / (before + forwardAfter) : 0.5);
      this.weight = 0.5;
    }
    if (this.thin > 0) {
      const before = this.before + forward;
      this.shift -= this.thin * (before + this.after > 1e-6 ? this.after / (before + this.after) : 0.5);
      this.weight = 0.5;
    }
    if (this.shift > 1.5) this.shift = 1.5;
    else if (this.shift < -1.5) this.shift = -1.5;
  }

  // What `side` found: the other colour's share of a thin side's fullest pixel, and how much of its own colour lies on either side of it.
  private thin = 0;
  private before = 0;
  private after = 0;

  /** Sum of the other colour's shares over the pixels of one side, walking away from the crack until it is pure. */
  private side(
    first: number,
    step: number,
    room: number,
    own: number,
    other: number,
    span: number,
    pure: number,
  ): number {
    const { labels } = this;
    this.thin = 0;
    let sum = 0;
    let last = 1;
    let pixel = first;
    const label = own >> 2;
    for (let k = 0; k < room; k++, pixel += step) {
      const share = labels[pixel] === label ? this.share(pixel, other, own, span) : 1;
      if (labels[pixel] !== label || share > last + pure) {
        // The other edge of this side is here already: the pixel before is the fullest.
        sum -= last;
        this.thin = last;
        this.before = k - 1 - sum;
        this.after = this.remainder(pixel, step, room - k, own, other);
        return sum;
      }
      sum += share;
      if (share < pure) return sum;
      last = share;
    }
    return sum;
  }

  /** How much of `own` is left in the pixels past the fullest one. */
  private remainder(pixel: number, step: number, room: number, own: number, other: number): number {
    let sum = 0;
    let last = 1;
    for (let k = 0; k < room; k++, pixel += step) {
      const label = this.labels[pixel] * 4;
      const beyond = label === own ? other : label;
      let span = 0;
      for (let c = 0; c < 4; c++) span += (this.palette[own + c] - this.palette[beyond + c]) ** 2;
      const share = this.share(pixel, own, beyond, span);
      if (share > last || share < 0.02) break;
      sum += share;
      last = share;
    }
    return sum;
  }

  /** Share of palette colour `of` in a pixel whose rest is `rest`, 0..1. */
  private share(pixel: number, of: number, rest: number, span: number): number {
    const { data, palette } = this;
    const i = pixel * 4;
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += (data[i + c] - palette[rest + c]) * (palette[of + c] - palette[rest + c]);
    const t = dot / span;
    return Math.max(0, Math.min(1, t));
  }
}
