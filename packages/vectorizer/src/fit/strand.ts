import { hypot } from '../geometry/hypot.ts';

/** Edges with a slope below `LEVEL` run along the sampling grid, with one above `DIAGONAL` along its diagonals. */
const LEVEL = 0.22;
const DIAGONAL = 0.8;

/** Weight of a point on an edge that is nearly horizontal or vertical. */
const LEVEL_WEIGHT = 0.6;

/**
 * The cost of one more node in the description length of a fit. A wrong curve costs its squared distances, in units of
 * the scatter, beyond the expected scatter. A long segment may therefore be off by less than a short one.
 */
const NODE_COST = 5.5;
/** The same for the path of a pen, where the machine may stutter at a node. */
const PEN_NODE_COST = 16;
/** Errors of neighboring points are correlated, so this many points count as one. */
const CORRELATED = 3;

/** The number of strands that were measured, over all of them. */
let versions = 0;

/**
 * The points of the polyline being fitted: positions x and y and arc lengths s in px, weights w, and the accuracy of
 * the fit. A closed one is stored once around until `rotate` gives it a seam.
 */
export class Strand {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly w: Float64Array;
  readonly s: Float64Array;
  /** Scratch of the corner search. */
  readonly score: Float64Array;
  readonly turns: Float64Array;
  readonly isCorner: Uint8Array;
  n = 0;
  /** A number that no other strand has, and that changes whenever the points are measured again. */
  version = 0;
  /**
   * Largest distance of a curve from its points, and the standard deviation of the points around the true boundary, in
   * px.
   */
  tolerance = 0.1;
  jitter = 0.02;
  /** Scatter that fits are measured against: the waver, or more when the tolerance allows more. */
  scatter = 0.02;
  /** Correlated scatter, by which a stretch of points is off together, in px; at least the jitter. */
  waver = 0.02;
  /** True when the fit may cross itself, as the path of a pen may and a boundary may not. */
  mayCross = false;

  constructor(capacity: number) {
    this.x = new Float64Array(capacity);
    this.y = new Float64Array(capacity);
    this.w = new Float64Array(capacity);
    this.s = new Float64Array(capacity);
    this.score = new Float64Array(capacity);
    this.turns = new Float64Array(capacity);
    this.isCorner = new Uint8Array(capacity);
  }

  /** Removes all points and sets the accuracy of the next fit, in px. */
  reset(tolerance: number, jitter: number, waver = jitter): void {
    this.n = 0;
    this.tolerance = tolerance;
    this.jitter = jitter;
    this.waver = waver;
    this.scatter = Math.max(waver, tolerance / 3.5);
  }

  /** Appends a point, in px. The capacity is not checked. */
  push(x: number, y: number, weight: number): void {
    this.x[this.n] = x;
    this.y[this.n] = y;
    this.w[this.n++] = weight;
  }

  /**
   * Reduces the weight of points on edges along the sampling grid. Renderers sample a pixel on a coarse grid of about a
   * quarter pixel. An edge that is nearly horizontal, vertical or diagonal crosses the samples in long steps, over
   * which the errors of neighboring points are correlated: the longer the steps, the less they count. Points of an
   * exactly level edge agree with each other anyway.
   */
  discountGridEdges(): void {
    const { w, n } = this;
    for (let k = 0; k < n; k++) {
      this.measureRun(k, 3);
      const near = this.runLesser / (this.runGreater || 1); // a hairpin may end where it began
      if (near >= LEVEL && near < DIAGONAL) continue;
      this.measureRun(k, 8);
      const slope = this.runLesser / (this.runGreater || 1);
      if (near < LEVEL) w[k] *= LEVEL_WEIGHT * Math.max(0.3, Math.min(1, Math.sqrt(slope / 0.083)));
      else w[k] *= Math.max(0.45, Math.min(1, Math.sqrt((1 - slope) / 0.15)));
    }
  }

  /**
   * Reduces the weight of nearly level runs only, for points that are not samples of one edge, such as points midway
   * between two edges.
   */
  discountLevelEdges(): void {
    const { w, n } = this;
    for (let k = 0; k < n; k++) {
      this.measureRun(k, 3);
      if (this.runLesser < LEVEL * this.runGreater) w[k] *= LEVEL_WEIGHT;
    }
  }

  private runLesser = 0;
  private runGreater = 0;

  /** Measures how far the chain runs in x and in y from `reach` points before k to as many after it. */
  private measureRun(k: number, reach: number): void {
    const { x, y, n } = this;
    const from = Math.max(0, k - reach);
    const to = Math.min(n - 1, k + reach);
    const dx = Math.abs(x[to] - x[from]);
    const dy = Math.abs(y[to] - y[from]);
    this.runLesser = Math.min(dx, dy);
    this.runGreater = Math.max(dx, dy);
  }

  /** Computes the arc length at each point. */
  measure(): void {
    this.version = ++versions;
    this.s[0] = 0;
    for (let k = 1; k < this.n; k++)
      this.s[k] = this.s[k - 1] + hypot(this.x[k] - this.x[k - 1], this.y[k] - this.y[k - 1]);
  }

  /** Rotates a loop of n points so that point `first` comes first, and closes it with a copy of that point. */
  rotate(first: number, n: number): void {
    const x = this.x.slice(0, n);
    const y = this.y.slice(0, n);
    const w = this.w.slice(0, n);
    for (let k = 0; k <= n; k++) {
      const from = (first + k) % n;
      this.x[k] = x[from];
      this.y[k] = y[from];
      this.w[k] = w[from];
    }
    this.n = n + 1;
    this.measure();
  }

  /** Returns twice the area of the first n points as a polygon; positive runs clockwise on the screen. */
  signedArea(n: number): number {
    const { x, y } = this;
    let sum = 0;
    for (let k = 0, j = n - 1; k < n; j = k++) sum += x[j] * y[k] - x[k] * y[j];
    return sum;
  }

  /**
   * Returns the scatter, in px, for telling a straight line from a gentle curve: waver bends a line, jitter does not.
   */
  lineScatter(): number {
    return 2 * this.waver - this.jitter;
  }

  /** Returns the cost of the squared distances of m points, one in `stride`, beyond the expected scatter, in nodes. */
  excess(sum: number, m: number, stride: number): number {
    const { variance } = this;
    return ((sum - m * variance) * stride) / (2 * CORRELATED * variance * this.nodeCost);
  }

  get variance(): number {
    return this.scatter * this.scatter;
  }

  get nodeCost(): number {
    return this.mayCross ? PEN_NODE_COST : NODE_COST;
  }
}
