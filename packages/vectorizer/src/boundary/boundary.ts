import { withRoom } from '../geometry/growable.ts';
import { giveBack, makeUint8 } from '../geometry/memory.ts';
import type { Regions } from '../regions/regions.ts';
import { joinsDown, joinsUp } from '../regions/regions.ts';

/**
 * The planar map: the boundaries between regions, split into chains at the junctions where three or more regions meet.
 * A chain belongs to both of its regions and is traced once, so neighbors can neither overlap nor leave a gap.
 *
 * Chains run on the lattice of pixel corners; `locate.ts` then finds the boundary to a fraction of a pixel.
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

/** A piece of boundary from one junction to the next, or a closed loop without junctions. */
export interface Chain {
  /** Regions on the left and right of the direction of travel; OUTSIDE beyond the picture. */
  left: number;
  right: number;
  /** Junctions at the ends; -1 for a closed chain, whose first and last lattice points are equal. */
  start: number;
  end: number;
  /** First and last index in `path`. */
  from: number;
  to: number;
}

/** The region beyond the picture. */
export const OUTSIDE = 0xffffffff;

// Directions of travel on the lattice, clockwise on the screen.
const EAST = 0;
const SOUTH = 1;
const WEST = 2;
const NORTH = 3;

/** Traces every chain once. Linear in runs and chain length. */
export function traceBoundary(regions: Regions): BoundaryMap {
  const tracer = new ChainTracer(regions);
  tracer.findJunctions();
  tracer.walkFromJunctions();
  tracer.walkLoops();
  return tracer.finish();
}

/**
 * Bits of `marks` at a lattice point: the crack east of it is traced, the crack south of it is traced, the point is a
 * junction.
 */
const WALKED_EAST = 1;
const WALKED_SOUTH = 2;
const JUNCTION = 4;

class ChainTracer {
  private readonly regions: Regions;
  private readonly stride: number;
  private readonly marks: Uint8Array;
  private readonly junctions: number[] = [];
  private readonly indexOf = new Map<number, number>(); // lattice point → junction
  private readonly chains: Chain[] = [];
  private path = new Int32Array(1024);
  private pathLength = 0;

  constructor(regions: Regions) {
    this.regions = regions;
    this.stride = regions.width + 1;
    this.marks = makeUint8(this.stride * (regions.height + 1));
  }

  finish(): BoundaryMap {
    const { width, height } = this.regions;
    const { chains, path, pathLength, junctions } = this;
    giveBack(this.marks);
    return { width, height, chains, path: path.slice(0, pathLength), junctions: Int32Array.from(junctions) };
  }

  /**
   * Finds the lattice points where three or four cracks meet, except corners that two regions pass without touching.
   * One of the cracks is vertical, so a run begins above or below the point, or the row ends there.
   */
  findJunctions(): void {
    const { width, height, starts } = this.regions;
    let above = 0; // the next run of the row above the lattice points, and of the row below them
    let below = 0;
    for (let y = 0; y <= height; y++) {
      const row = y * width;
      const end = below;
      for (;;) {
        const aboveX = above < end ? starts[above] - row + width : width;
        const belowX = y < height && starts[below] < row + width ? starts[below] - row : width;
        const x = aboveX < belowX ? aboveX : belowX;
        if (this.isJunction(x, y)) this.addJunction(y * this.stride + x);
        if (x === width) break;
        if (aboveX === x) above++;
        if (belowX === x) below++;
      }
      above = end;
    }
  }

  private isJunction(x: number, y: number): boolean {
    const { width, height, labels } = this.regions;
    const cracks = this.cracksAt(x, y);
    if (cracks === 7 || cracks === 11 || cracks === 13 || cracks === 14) return true;
    if (cracks !== 15) return false;
    return !joinsDown(labels, width, height, x, y) && !joinsUp(labels, width, height, x, y);
  }

  private addJunction(at: number): void {
    this.marks[at] = JUNCTION;
    this.indexOf.set(at, this.junctions.length);
    this.junctions.push(at);
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

  /**
   * Follows the remaining loops, which have no junction. At the upper left corner of each, a run begins with a
   * horizontal crack above it.
   */
  walkLoops(): void {
    const { width, ids, starts } = this.regions;
    for (let k = 0; k + 1 < starts.length; k++) {
      const i = starts[k];
      if (i >= width && ids[i] === ids[i - width]) continue;
      const x = i % width;
      const y = (i - x) / width;
      if (!(this.marks[y * this.stride + x] & WALKED_EAST)) this.walk(x, y, EAST, -1);
    }
  }

  private idAt(x: number, y: number): number {
    const { width, height, ids } = this.regions;
    return x < 0 || y < 0 || x >= width || y >= height ? OUTSIDE : ids[y * width + x];
  }

  /** Returns the cracks that leave a lattice point, as bits: 1 east, 2 south, 4 west, 8 north. */
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
    this.path = withRoom(this.path, this.pathLength + 1);
    this.path[this.pathLength++] = at;
  }

  /** Follows the boundary to the next junction, or around the loop. */
  private walk(x: number, y: number, direction: number, start: number): void {
    const { stride, marks } = this;
    const { labels, width, height } = this.regions;
    const from = this.pathLength;
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
        // Two regions pass each other at a corner: turn around the pixel that is not connected diagonally.
        const isDown = joinsDown(labels, width, height, x, y);
        const isIsolatedRight = isDown === (direction === EAST || direction === WEST);
        direction = (direction + (isIsolatedRight ? 1 : 3)) & 3;
      } else {
        const onward = cracks & ~(1 << ((direction + 2) & 3));
        direction = onward === 1 ? EAST : onward === 2 ? SOUTH : onward === 4 ? WEST : NORTH;
      }
      if (here === origin && start < 0 && direction === originDirection) break;
    }
    this.push(y * stride + x);
    this.chains.push({ left, right, start, end, from, to: this.pathLength - 1 });
  }
}
