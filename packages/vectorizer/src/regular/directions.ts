import { offBy } from './classes.ts';

/** Directions are compared up to right angles, in radians. */
export const RIGHT = Math.PI / 2;
/** Directions that differ by no more than rounding are equal. */
const EQUAL = 1e-9;

/**
 * Directions of lines that depend on one another, up to right angles: those of parallel and square lines are equal, and
 * those of images are turned or mirrored. Each set of them has one free direction, or none where a line has to be
 * parallel or square to its own image. A disjoint set whose numbers are sign × root + shift.
 */
export class Directions {
  private readonly parent: number[];
  private readonly sign: number[];
  private readonly shift: number[];
  private readonly size: number[];
  /** By root: its direction where it is known, else NaN. */
  private readonly known: number[];
  private readonly angles: ArrayLike<number>;

  /** `angles` are those that were measured, in radians. */
  constructor(angles: ArrayLike<number>) {
    this.angles = angles;
    this.parent = Array.from(angles, (_, k) => k);
    this.sign = Array.from(angles, () => 1);
    this.shift = Array.from(angles, () => 0);
    this.size = Array.from(angles, () => 1);
    this.known = Array.from(angles, () => Number.NaN);
  }

  /** Returns the root of a line, and the sign and shift that give its direction from that of the root. */
  find(k: number): { root: number; sign: number; shift: number } {
    let sign = 1;
    let shift = 0;
    let at = k;
    while (this.parent[at] !== at) {
      shift += sign * this.shift[at];
      sign *= this.sign[at];
      at = this.parent[at];
    }
    return { root: at, sign, shift };
  }

  /** Makes the direction of line i sign × that of line j + shift. Returns false where that contradicts the known. */
  relate(i: number, j: number, sign: number, shift: number): boolean {
    const a = this.find(i);
    const b = this.find(j);
    const factor = a.sign * sign * b.sign;
    const rest = a.sign * (sign * b.shift + shift - a.shift);
    if (a.root === b.root) {
      if (factor > 0) return Math.abs(offBy(rest, 0, RIGHT)) < EQUAL;
      // Twice the direction is known up to right angles: of the two that this leaves, the measured one is nearer.
      const own = this.angles[a.root];
      return this.fixRoot(a.root, own - offBy(own, rest / 2, RIGHT / 2));
    }
    const [from, to] = [this.known[a.root], this.known[b.root]];
    if (!Number.isNaN(from) && !Number.isNaN(to) && Math.abs(offBy(from, factor * to + rest, RIGHT)) > EQUAL)
      return false;
    if (this.size[a.root] <= this.size[b.root]) this.hang(a.root, b.root, factor, rest);
    else this.hang(b.root, a.root, factor, -factor * rest);
    return true;
  }

  /** Fixes the direction of a line. Returns false where that contradicts what is known. */
  fix(k: number, angle: number): boolean {
    const { root, sign, shift } = this.find(k);
    return this.fixRoot(root, sign * (angle - shift));
  }

  /** Returns the known direction of a root, NaN where it is free. */
  knownOf(root: number): number {
    return this.known[root];
  }

  private fixRoot(root: number, angle: number): boolean {
    const { known } = this;
    if (!Number.isNaN(known[root])) return Math.abs(offBy(angle, known[root], RIGHT)) < EQUAL;
    known[root] = angle;
    return true;
  }

  private hang(child: number, root: number, sign: number, shift: number): void {
    const { parent, size, known } = this;
    parent[child] = root;
    this.sign[child] = sign;
    this.shift[child] = shift;
    size[root] += size[child];
    if (!Number.isNaN(known[child])) known[root] = sign * (known[child] - shift);
  }
}
