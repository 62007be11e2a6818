import type { BoundaryMap } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Curve, Segment } from '../geometry/segment.ts';

/** A snapshot of the positions of all nodes and handles. */
export interface State {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly length: Float64Array;
  readonly ux: Float64Array;
  readonly uy: Float64Array;
}

/** Largest move of a node in one step, in px, and largest turn of a handle, in radians. */
const MOST_MOVE = 0.6;
const MOST_TURN = 0.3;

/** Joints that bend by less than this are smooth (sine of the angle). */
const SMOOTH = 0.03;

/** Chords that approximate a curve when it is tested for crossings. */
const PIECES = 12;

/**
 * The control points of all chains and their degrees of freedom. Nodes move. A handle is stored relative to its node as
 * a length and a direction, so that either can be fixed or shared.
 */
export class Model implements State {
  readonly chainCount: number;
  /** Points: nodes first, then handles from `firstHandle` on. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly firstHandle: number;
  nodes = 0;
  handles = 0;
  turns = 0;
  /**
   * Four points per segment, the middle ones -1 on a line; and the first segment of each chain, with the number of
   * segments at the end.
   */
  readonly points: Int32Array;
  readonly from: Int32Array;
  readonly handleNode: Int32Array;
  readonly length: Float64Array;
  readonly ux: Float64Array;
  readonly uy: Float64Array;
  /** The unknown that turns a handle, or -1; and the far end of the line that it continues, or -1. */
  readonly turnOf: Int32Array;
  readonly lineOf: Int32Array;
  /** By turn: its unit of length, the longest handle it turns. */
  readonly radius: Float64Array;
  /** Bit 0: the node may move in x; bit 1: in y. */
  readonly free: Uint8Array;
  private readonly map: BoundaryMap;
  /** Up to four segment ends at each junction: twice the segment, plus one at its end. */
  private readonly incident: Int32Array;

  constructor(map: BoundaryMap, curves: Curve[]) {
    this.map = map;
    const { chains, junctions } = map;
    let segments = 0;
    for (const curve of curves) segments += curve.segments.length;
    const mostNodes = junctions.length + segments + chains.length;
    const mostHandles = segments * 2;
    this.chainCount = chains.length;
    this.firstHandle = mostNodes;
    this.x = new Float64Array(mostNodes + mostHandles);
    this.y = new Float64Array(mostNodes + mostHandles);
    this.points = new Int32Array(segments * 4).fill(-1);
    this.from = new Int32Array(chains.length + 1);
    this.handleNode = new Int32Array(mostHandles);
    this.length = new Float64Array(mostHandles);
    this.ux = new Float64Array(mostHandles);
    this.uy = new Float64Array(mostHandles);
    this.turnOf = new Int32Array(mostHandles).fill(-1);
    this.lineOf = new Int32Array(mostHandles).fill(-1);
    this.radius = new Float64Array(mostHandles);
    this.free = new Uint8Array(mostNodes).fill(3);
    this.incident = new Int32Array(junctions.length * 4).fill(-1);

    this.nodes = junctions.length;
    let segmentCount = 0;
    for (let c = 0; c < chains.length; c++) {
      this.from[c] = segmentCount;
      this.add(c, curves[c], segmentCount);
      segmentCount += curves[c].segments.length;
    }
    this.from[chains.length] = segmentCount;
    for (let j = 0; j < junctions.length; j++) this.tieStraightest(j * 4);
    for (let h = 0; h < this.handles; h++) {
      if (this.turnOf[h] < 0 && this.lineOf[h] < 0) this.turnFreely(h);
    }
  }

  private add(c: number, { x, y, segments }: Curve, first: number): void {
    const chain = this.map.chains[c];
    const isBorder = chain.left === OUTSIDE || chain.right === OUTSIDE;
    const start = chain.start >= 0 ? chain.start : this.nodes++;
    this.x[start] = x;
    this.y[start] = y;
    let node = start;
    for (let k = 0; k < segments.length; k++) {
      const segment = segments[k];
      const at = (first + k) * 4;
      const isLast = k === segments.length - 1;
      const next = isLast ? (chain.start >= 0 ? chain.end : start) : this.nodes++;
      this.x[next] = segment.x;
      this.y[next] = segment.y;
      this.points[at] = node;
      this.points[at + 3] = next;
      if (!segment.isLine) {
        this.points[at + 1] = this.addHandle(node, segment.x1, segment.y1);
        this.points[at + 2] = this.addHandle(next, segment.x2, segment.y2);
      }
      if (isBorder) {
        // A line along the border: its ends stay on it, and the picture's corners are fixed.
        const along = Math.abs(this.x[next] - this.x[node]) > Math.abs(this.y[next] - this.y[node]) ? 1 : 2;
        this.free[node] &= along;
        this.free[next] &= along;
      } else if (k > 0) this.tieSmooth((first + k - 1) * 2 + 1, (first + k) * 2);
      node = next;
    }
    if (isBorder || segments.length === 0) return;
    const last = first + segments.length - 1;
    if (chain.start < 0) this.tieSmooth(last * 2 + 1, first * 2);
    else {
      this.addToJunction(chain.start, first * 2);
      this.addToJunction(chain.end, last * 2 + 1);
    }
  }

  private addHandle(node: number, x: number, y: number): number {
    const h = this.handles++;
    const dx = x - this.x[node];
    const dy = y - this.y[node];
    const length = hypot(dx, dy);
    this.handleNode[h] = node;
    this.length[h] = length;
    this.ux[h] = length > 0 ? dx / length : 1;
    this.uy[h] = length > 0 ? dy / length : 0;
    this.x[this.firstHandle + h] = x;
    this.y[this.firstHandle + h] = y;
    return this.firstHandle + h;
  }

  private addToJunction(junction: number, end: number): void {
    for (let slot = junction * 4; slot < junction * 4 + 4; slot++) {
      if (this.incident[slot] >= 0) continue;
      this.incident[slot] = end;
      return;
    }
  }

  /** Ties the two ends at a junction that continue each other best into a smooth joint, if there are any. */
  private tieStraightest(slot: number): void {
    let best = SMOOTH;
    let a = -1;
    let b = -1;
    for (let i = slot; i < slot + 4 && this.incident[i] >= 0; i++) {
      for (let k = i + 1; k < slot + 4 && this.incident[k] >= 0; k++) {
        const bend = this.bendBetween(this.incident[i], this.incident[k]);
        if (bend >= best) continue;
        best = bend;
        a = this.incident[i];
        b = this.incident[k];
      }
    }
    if (a >= 0) this.tieSmooth(a, b);
  }

  private handleAt(end: number): number {
    const point = this.points[(end >> 1) * 4 + (end & 1 ? 2 : 1)];
    return point < 0 ? -1 : point - this.firstHandle;
  }

  private nodeAt(end: number): number {
    return this.points[(end >> 1) * 4 + (end & 1 ? 3 : 0)];
  }

  private farFrom(end: number): number {
    return this.points[(end >> 1) * 4 + (end & 1 ? 0 : 3)];
  }

  /** Returns the sine of the angle between one end and the continuation of another; 2 for a sharp angle. */
  private bendBetween(a: number, b: number): number {
    const [ax, ay] = this.directionOf(a);
    const [bx, by] = this.directionOf(b);
    return ax * bx + ay * by < 0 ? Math.abs(ax * by - ay * bx) : 2;
  }

  private directionOf(end: number): [number, number] {
    const h = this.handleAt(end);
    if (h >= 0 && this.length[h] > 1e-6) return [this.ux[h], this.uy[h]];
    const node = this.nodeAt(end);
    const far = this.farFrom(end);
    const dx = this.x[far] - this.x[node];
    const dy = this.y[far] - this.y[node];
    const length = hypot(dx, dy) || 1;
    return [dx / length, dy / length];
  }

  private tieSmooth(a: number, b: number): void {
    if (this.bendBetween(a, b) > SMOOTH) return;
    const h = this.handleAt(a);
    const i = this.handleAt(b);
    if (h >= 0 && i >= 0) {
      this.turnFreely(h);
      this.turnOf[i] = this.turnOf[h];
      this.radius[this.turnOf[h]] = Math.max(this.length[h], this.length[i]);
    } else if (h >= 0) this.lineOf[h] = this.farFrom(b);
    else if (i >= 0) this.lineOf[i] = this.farFrom(a);
  }

  private turnFreely(h: number): void {
    this.radius[this.turns] = this.length[h];
    this.turnOf[h] = this.turns++;
  }

  /** Returns the number of unknowns: nodes in x and y, then lengths of handles, then turns. */
  get unknowns(): number {
    return this.nodes * 2 + this.handles + this.turns;
  }

  /** Applies the Jacobian: writes the first-order move of each point when the unknowns change by `u`. */
  applyJacobian(u: Float64Array, dx: Float64Array, dy: Float64Array): void {
    const { nodes, handles, x, y, handleNode, length, ux, uy, turnOf, lineOf, radius, firstHandle } = this;
    for (let n = 0; n < nodes; n++) {
      dx[n] = u[2 * n];
      dy[n] = u[2 * n + 1];
    }
    const lengths = 2 * nodes;
    const turns = lengths + handles;
    for (let h = 0; h < handles; h++) {
      const n = handleNode[h];
      let turn = 0;
      if (turnOf[h] >= 0) turn = radius[turnOf[h]] > 0 ? u[turns + turnOf[h]] / radius[turnOf[h]] : 0;
      else {
        const q = lineOf[h];
        const lx = x[n] - x[q];
        const ly = y[n] - y[q];
        const square = lx * lx + ly * ly;
        if (square > 0) turn = ((dy[n] - dy[q]) * lx - (dx[n] - dx[q]) * ly) / square;
      }
      turn *= length[h];
      dx[firstHandle + h] = dx[n] + ux[h] * u[lengths + h] - uy[h] * turn;
      dy[firstHandle + h] = dy[n] + uy[h] * u[lengths + h] + ux[h] * turn;
    }
  }

  /** Applies the transposed Jacobian: turns a gradient in the points, which it overwrites, into one in the unknowns. */
  applyTranspose(gx: Float64Array, gy: Float64Array, g: Float64Array): void {
    const { nodes, handles, x, y, handleNode, length, ux, uy, turnOf, lineOf, radius, firstHandle } = this;
    const lengths = 2 * nodes;
    const turns = lengths + handles;
    g.fill(0, turns, turns + this.turns);
    for (let h = 0; h < handles; h++) {
      const n = handleNode[h];
      const px = gx[firstHandle + h];
      const py = gy[firstHandle + h];
      gx[n] += px;
      gy[n] += py;
      g[lengths + h] = ux[h] * px + uy[h] * py;
      const turn = (ux[h] * py - uy[h] * px) * length[h];
      if (turnOf[h] >= 0) {
        if (radius[turnOf[h]] > 0) g[turns + turnOf[h]] += turn / radius[turnOf[h]];
      } else {
        const q = lineOf[h];
        const lx = x[n] - x[q];
        const ly = y[n] - y[q];
        const square = lx * lx + ly * ly;
        if (square === 0) continue;
        gx[n] -= (turn * ly) / square;
        gy[n] += (turn * lx) / square;
        gx[q] += (turn * ly) / square;
        gy[q] -= (turn * lx) / square;
      }
    }
    for (let n = 0; n < nodes; n++) {
      g[2 * n] = gx[n];
      g[2 * n + 1] = gy[n];
    }
  }

  /** Copies everything that `move` changes. `move` starts from such a copy. */
  save(): State {
    const { x, y, length, ux, uy } = this;
    return { x: x.slice(), y: y.slice(), length: length.slice(), ux: ux.slice(), uy: uy.slice() };
  }

  /** Changes the unknowns by `u` from the saved state, each by no more than the linearization is valid for. */
  move(u: Float64Array, base: State): void {
    const { nodes, handles, length, turnOf, radius } = this;
    const { width, height } = this.map;
    for (let n = 0; n < nodes; n++) {
      const far = hypot(u[2 * n], u[2 * n + 1]);
      const scale = far > MOST_MOVE ? MOST_MOVE / far : 1;
      if (this.free[n] & 1) this.x[n] = Math.min(width, Math.max(0, this.x[n] + u[2 * n] * scale));
      if (this.free[n] & 2) this.y[n] = Math.min(height, Math.max(0, this.y[n] + u[2 * n + 1] * scale));
    }
    const lengths = 2 * nodes;
    const turns = lengths + handles;
    for (let h = 0; h < handles; h++) {
      if (turnOf[h] >= 0) {
        const turn = radius[turnOf[h]] > 0 ? u[turns + turnOf[h]] / radius[turnOf[h]] : 0;
        this.turn(h, base, Math.max(-MOST_TURN, Math.min(MOST_TURN, turn)));
      } else this.turn(h, base, this.turnOfLine(h, base));
      const change = u[lengths + h];
      length[h] = Math.max(length[h] * 0.6, Math.min(length[h] * 1.5, length[h] + change));
    }
    this.place();
  }

  /** Returns the angle by which the line that a handle continues has turned since the saved state. */
  private turnOfLine(h: number, base: State): number {
    const n = this.handleNode[h];
    const q = this.lineOf[h];
    const ax = base.x[n] - base.x[q];
    const ay = base.y[n] - base.y[q];
    const bx = this.x[n] - this.x[q];
    const by = this.y[n] - this.y[q];
    return Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
  }

  private turn(h: number, base: State, angle: number): void {
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    this.ux[h] = base.ux[h] * cos - base.uy[h] * sin;
    this.uy[h] = base.uy[h] * cos + base.ux[h] * sin;
  }

  private place(): void {
    const { handles, handleNode, length, ux, uy, firstHandle } = this;
    for (let h = 0; h < handles; h++) {
      const n = handleNode[h];
      this.x[firstHandle + h] = this.x[n] + ux[h] * length[h];
      this.y[firstHandle + h] = this.y[n] + uy[h] * length[h];
    }
  }

  /** Restores the saved state of these chains. */
  restore(chains: Uint8Array, base: State): void {
    const isBack = new Uint8Array(this.points.length >> 2);
    for (let c = 0; c < this.chainCount; c++) if (chains[c]) isBack.fill(1, this.from[c], this.from[c + 1]);
    this.restoreSegments(isBack, base);
  }

  /**
   * Restores the saved state of these segments. The handles at their nodes are restored too, so that joints stay
   * smooth.
   */
  restoreSegments(isBack: Uint8Array, base: State): void {
    const { points, handleNode, lineOf, firstHandle } = this;
    const isNodeBack = new Uint8Array(this.nodes);
    for (let segment = 0; segment < isBack.length; segment++) {
      if (!isBack[segment]) continue;
      isNodeBack[points[segment * 4]] = 1;
      isNodeBack[points[segment * 4 + 3]] = 1;
    }
    for (let n = 0; n < this.nodes; n++) {
      if (!isNodeBack[n]) continue;
      this.x[n] = base.x[n];
      this.y[n] = base.y[n];
    }
    for (let h = 0; h < this.handles; h++) {
      if (isNodeBack[handleNode[h]]) {
        this.length[h] = base.length[h];
        this.ux[h] = base.ux[h];
        this.uy[h] = base.uy[h];
      }
      if (lineOf[h] >= 0) this.turn(h, base, this.turnOfLine(h, base));
      this.x[firstHandle + h] = this.x[handleNode[h]] + this.ux[h] * this.length[h];
      this.y[firstHandle + h] = this.y[handleNode[h]] + this.uy[h] * this.length[h];
    }
  }

  /**
   * Returns true when segments a and b cross properly, as polylines. They are compared only where their bounds overlap.
   */
  cross(a: number, b: number, state: State): boolean {
    if (!this.mayCross(a, b, state)) return false;
    const n = this.flatten(a, state, this.lineA);
    const m = this.flatten(b, state, this.lineB);
    const p = this.lineA;
    const q = this.lineB;
    let left = Infinity;
    let right = -Infinity;
    let top = Infinity;
    let bottom = -Infinity;
    for (let k = 0; k <= m; k++) {
      left = Math.min(left, q[2 * k]);
      right = Math.max(right, q[2 * k]);
      top = Math.min(top, q[2 * k + 1]);
      bottom = Math.max(bottom, q[2 * k + 1]);
    }
    for (let i = 0; i < n; i++) {
      const ax = p[2 * i];
      const ay = p[2 * i + 1];
      const bx = p[2 * i + 2];
      const by = p[2 * i + 3];
      if ((ax < left && bx < left) || (ax > right && bx > right)) continue;
      if ((ay < top && by < top) || (ay > bottom && by > bottom)) continue;
      for (let k = 0; k < m; k++) {
        const cx = q[2 * k];
        const cy = q[2 * k + 1];
        const dx = q[2 * k + 2];
        const dy = q[2 * k + 3];
        const d1 = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
        const d2 = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax);
        if (d1 * d2 >= 0) continue;
        const d3 = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx);
        const d4 = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx);
        if (d3 * d4 < 0 && Math.min(Math.abs(d1), Math.abs(d2), Math.abs(d3), Math.abs(d4)) > 1e-9) return true;
      }
    }
    return false;
  }

  /**
   * Returns true when the bounding boxes of the control points of two segments overlap. Those of most neighbors only
   * touch at their common node.
   */
  private mayCross(a: number, b: number, { x, y }: State): boolean {
    return this.overlap(a * 4, b * 4, x) && this.overlap(a * 4, b * 4, y);
  }

  /**
   * Returns true when the extents of two segments along one axis overlap in more than an end. The segments are given by
   * the indices of their first points.
   */
  private overlap(a: number, b: number, x: Float64Array): boolean {
    const { points } = this;
    let lowA = Infinity;
    let highA = -Infinity;
    let lowB = Infinity;
    let highB = -Infinity;
    for (let k = 0; k < 4; k++) {
      if (points[a + k] >= 0) {
        const v = x[points[a + k]];
        if (v < lowA) lowA = v;
        if (v > highA) highA = v;
      }
      if (points[b + k] >= 0) {
        const v = x[points[b + k]];
        if (v < lowB) lowB = v;
        if (v > highB) highB = v;
      }
    }
    return lowA < highB && lowB < highA;
  }

  private readonly lineA = new Float64Array(2 * PIECES + 2);
  private readonly lineB = new Float64Array(2 * PIECES + 2);

  /** Writes the points of a segment as a polyline. Returns the number of its pieces. */
  private flatten(segment: number, { x, y }: State, out: Float64Array): number {
    const { points } = this;
    const at = segment * 4;
    const a = points[at];
    const d = points[at + 3];
    const isLine = points[at + 1] < 0;
    const b = isLine ? a : points[at + 1];
    const c = isLine ? d : points[at + 2];
    const count = isLine ? 1 : PIECES;
    for (let k = 0; k <= count; k++) {
      const t = k / count;
      const u = 1 - t;
      const p = k === count ? 0 : u * u * u;
      const q = 3 * u * u * t;
      const r = 3 * u * t * t;
      const s = k === count ? 1 : t * t * t;
      out[2 * k] = p * x[a] + q * x[b] + r * x[c] + s * x[d];
      out[2 * k + 1] = p * y[a] + q * y[b] + r * y[c] + s * y[d];
    }
    return count;
  }

  /** Returns the curves with the positions of the model. Shapes stay; arcs are left out. */
  toCurves(curves: Curve[]): Curve[] {
    const { x, y, points, from } = this;
    return curves.map((curve, c) => {
      const segments: Segment[] = [];
      for (let at = from[c] * 4; at < from[c + 1] * 4; at += 4) {
        const end = points[at + 3];
        const isLine = points[at + 1] < 0;
        const first = isLine ? end : points[at + 1];
        const second = isLine ? end : points[at + 2];
        segments.push({ isLine, x1: x[first], y1: y[first], x2: x[second], y2: y[second], x: x[end], y: y[end] });
      }
      return segments.length > 0 ? { ...curve, x: x[points[from[c] * 4]], y: y[points[from[c] * 4]], segments } : curve;
    });
  }
}
