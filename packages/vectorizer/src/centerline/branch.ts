/** A piece of a middle line from one node of the skeleton to the next, moved to where the ink is. */
export interface Branch {
  region: number;
  /** Nodes of the skeleton at the ends; -1 for both when the line is a loop without any. */
  start: number;
  end: number;
  /** First and last point, of those in `Branches`; past the end when there are none. */
  from: number;
  to: number;
  /** Length along the pixels and median width, in px; the width is NaN where no point could be trusted. */
  length: number;
  width: number;
  /** True when its points come from its sides, so that they are true up to where it ends, turns or meets others. */
  isEven: boolean;
}

/** Points of all branches, one branch after another. */
export interface Branches {
  list: Branch[];
  x: Float64Array;
  y: Float64Array;
  /** Width of the line at each point, square to its direction, in px. */
  width: Float64Array;
  /** 0 where the line touches another or the width could not be measured. */
  isGood: Uint8Array;
  /** How far points scatter about a smooth line, in px. */
  jitter: number;
}
