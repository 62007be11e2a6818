/**
 * A disjoint set (union–find) over the numbers 0..size - 1. Path halving keeps the trees flat, so `find` and `join`
 * take nearly constant time. 4 bytes per number.
 */
export class DisjointSet {
  /** Parent of each number. A root, which stands for its set, is its own parent. */
  protected readonly parent: Int32Array;

  constructor(size: number) {
    this.parent = new Int32Array(size);
    for (let i = 0; i < size; i++) this.parent[i] = i;
  }

  /** Returns the root of the set of i. Two numbers belong together when their roots are equal. */
  find(i: number): number {
    const { parent } = this;
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  }

  /** Makes each of the first `count` numbers a set of its own again. */
  separate(count: number): void {
    for (let i = 0; i < count; i++) this.parent[i] = i;
  }

  /** True when i stands for its set. */
  isRoot(i: number): boolean {
    return this.parent[i] === i;
  }

  /** Joins the sets of a and b. The smaller root becomes the root, so a root is the first number of its set. */
  join(a: number, b: number): void {
    const p = this.find(a);
    const q = this.find(b);
    if (p < q) this.parent[q] = p;
    else this.parent[p] = q;
  }

  /** Puts the root `child` under another root, which becomes the root of both sets. */
  link(root: number, child: number): void {
    this.parent[child] = root;
  }

  /**
   * Numbers the sets in the order of their first members. Requires that only `join` made the sets. Returns the set's
   * own memory, so no other method may be called afterwards.
   */
  toIds(): { ids: Int32Array; count: number } {
    const ids = this.parent;
    let count = 0;
    for (let i = 0; i < ids.length; i++) ids[i] = ids[i] === i ? count++ : ids[ids[i]];
    return { ids, count };
  }
}
