/** A piece of the medial axis from one node of the skeleton to the next, moved to the center of the ink. */
export interface Branch {
  /** The region that the branch is the middle of. */
  region: number;
  /** Nodes of the skeleton at the ends; -1 for both when the branch is a loop without nodes. */
  start: number;
  end: number;
  /** Indices of the first and last point in `Branches`; `to` is less than `from` when there are none. */
  from: number;
  to: number;
  /** Length along the pixels and median width, in px; the width is NaN when no point is good. */
  length: number;
  width: number;
  /**
   * True when its points come from the line's outline, so that they are accurate up to its ends, corners and crossings.
   */
  isEven: boolean;
}

/** Points of all branches, one branch after another. */
export interface Branches {
  list: Branch[];
  x: Float64Array;
  y: Float64Array;
  /** Width of the line at each point, perpendicular to its direction, in px. */
  width: Float64Array;
  /** 1 for each point whose width could be measured and where no other line touches, else 0. */
  isGood: Uint8Array;
  /** Scatter of the points around a smooth line, in px. */
  jitter: number;
}
