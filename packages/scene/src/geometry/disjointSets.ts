/** Disjoint sets (union-find) of the numbers 0 … count - 1. Path halving; the root of a set is its smallest number. */
export class DisjointSets {
  private readonly parent: Uint32Array;

  constructor(count: number) {
    this.parent = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.parent[i] = i;
  }

  /** Returns the smallest number in the set of `i`. */
  find(i: number): number {
    let at = i;
    while (this.parent[at] !== at) {
      this.parent[at] = this.parent[this.parent[at]!]!;
      at = this.parent[at]!;
    }
    return at;
  }

  /** Merges the sets of the numbers `i` and `j`. */
  join(i: number, j: number): void {
    const [a, b] = [this.find(i), this.find(j)];
    this.parent[Math.max(a, b)] = Math.min(a, b);
  }
}
