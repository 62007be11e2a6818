import type { BoundaryMap } from './boundary.ts';
import { OUTSIDE } from './boundary.ts';
import type { Quantized } from './labels.ts';
import type { Regions } from './regions.ts';
import type { Curve, Segment } from './segment.ts';

/**
 * Analysis by synthesis: the curves are drawn back into the picture, and moved until what they draw is what the picture shows.
 *
 * A pixel of the drawn picture is linear in the areas that the curves cut from it: it holds the colour of one region and, of every
 * chain through it, the area on the chain's left times the difference between the colours of its sides. That area changes with
 * the curve by the integral of the displacement across it. So the distance from the picture is a least-squares problem in the
 * control points, solved by a few Gauss-Newton steps, each by conjugate gradients over the whole picture at once: chains that
 * share a junction or a pixel settle it between themselves, and thin strokes, tips and small counters, where sums along rows
 * cannot tell one edge from the other, come out where their pixels add up.
 *
 * The unknowns keep the drawing's form. Smooth joints stay smooth, because both handles turn by one angle, or with the line they
 * continue; lines stay lines; junctions belong to all their chains, and on the border move only along it. Every unknown is held
 * weakly to where the fit put it, and a chain keeps a step only when its pixels agree better after it.
 */

/** Steps of Gauss-Newton, and of conjugate gradients within each. */
const STEPS = 2;
const INNER_STEPS = 10;

/** How far rendered coverage is off where renderers sample coarsely, as a share of a pixel. */
const COVERAGE_NOISE = 0.035;
/** How far the fit may be off, in px: nodes, and handles along and across. */
const NODE_SLACK = 0.35;
const HANDLE_SLACK = 0.5;

/** Largest move of a node in one step, in px; largest turn of a handle, in radians. */
const MOST_MOVE = 0.6;
const MOST_TURN = 0.3;

/** Joints that bend by less than this are smooth; sine of the angle. */
const SMOOTH = 0.03;

/** Pictures with more boundary than this to a pixel are no drawn art: nothing is pure on either side to measure against. */
const MOST_BOUNDARY = 0.3;

/** Curves become polylines this close to them, in px. */
const FLATNESS = 0.004;

/** Pieces of a curve when it is looked at for crossings. */
const PIECES = 12;

/** Steps of variance, in px², in which blur is looked for. */
const BLUR_STEP = 0.15;
const MOST_BLUR = 1.35;

/** How far from its lattice path a chain may run, in px; farther ones are found where the curve is. */
const BAND = 2;

/**
 * The curves, moved so that they explain the picture better. `noise` is in byte levels of `quantized.measured`.
 * Time is linear in the length of the boundaries; besides, 4 bytes a pixel are looked at twice.
 */
export function refineCurves(
  map: BoundaryMap,
  curves: Curve[],
  regions: Regions,
  quantized: Quantized,
  noise: number,
): Curve[] {
  const { width, height, path } = map;
  if (path.length === 0 || path.length > MOST_BOUNDARY * width * height) return curves;
  const model = new Model(map, curves);
  const canvas = new Canvas(map, model, regions, quantized, noise);
  canvas.draw();
  canvas.weigh();
  if (canvas.findBlur()) {
    canvas.draw();
    canvas.weigh();
  }
  const { chains } = map;
  const count = chains.length;
  const costs = new Float64Array(count);
  const before = new Float64Array(count);
  canvas.measure(before);
  const solver = new Solver(model, canvas);
  const isUndone = new Uint8Array(count);
  const fitted = model.save();
  for (let step = 0; step < STEPS; step++) {
    const last = model.save();
    model.move(solver.solve(), last);
    isUndone.fill(0);
    for (let round = 0; ; round++) {
      canvas.draw();
      canvas.measure(costs);
      let undone = 0;
      for (let c = 0; c < count; c++) {
        if (isUndone[c] || (!canvas.escaped[c] && costs[c] <= before[c])) continue;
        isUndone[c] = 1;
        undone++;
      }
      if (undone === 0) break;
      if (round === 4) isUndone.fill(1);
      model.restore(isUndone, last);
    }
    let gain = 0;
    let total = 0;
    for (let c = 0; c < count; c++) {
      gain += before[c] - costs[c];
      total += before[c];
      before[c] = costs[c];
    }
    if (gain < 0.01 * total) break;
  }
  keepApart(model, canvas, fitted);
  return model.toCurves(curves);
}

/** Takes segments back to where they were fitted if they have come to cross where they did not. */
function keepApart(model: Model, canvas: Canvas, fitted: State): void {
  const pairs = canvas.findNeighbours();
  const isBack = new Uint8Array(model.points.length >> 2);
  for (let round = 0; round < 4; round++) {
    let found = 0;
    for (let k = 0; k < pairs.length; k += 2) {
      const [a, b] = [pairs[k], pairs[k + 1]];
      if (isBack[a] && isBack[b]) continue;
      if (!model.cross(a, b, model) || model.cross(a, b, fitted)) continue;
      isBack[a] = isBack[b] = 1;
      found++;
    }
    if (found === 0) return;
    model.restoreSegments(isBack, fitted);
  }
}

/** Where everything is at one time. */
interface State {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly length: Float64Array;
  readonly ux: Float64Array;
  readonly uy: Float64Array;
}

/**
 * The control points of all chains and what may be done to them. Nodes move; a handle hangs on its node by a length and a direction,
 * so that both can be kept or shared.
 */
class Model implements State {
  readonly chainCount: number;
  /** Points: nodes first, then handles from `firstHandle` on. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly firstHandle: number;
  nodes = 0;
  handles = 0;
  turns = 0;
  /** Four points a segment, the middle ones -1 on a line; the first segment of each chain, and one more. */
  readonly points: Int32Array;
  readonly from: Int32Array;
  readonly handleNode: Int32Array;
  readonly length: Float64Array;
  readonly ux: Float64Array;
  readonly uy: Float64Array;
  /** The unknown that turns a handle, or -1; the far end of the line that turns it, or -1. */
  readonly turnOf: Int32Array;
  readonly lineOf: Int32Array;
  /** A unit of this turn is this long: the longest handle it turns. */
  readonly radius: Float64Array;
  /** Bit 0: the node may move in x; bit 1: in y. */
  readonly free: Uint8Array;
  private readonly map: BoundaryMap;
  /** Up to four segment ends at each junction: twice the segment, plus one where it arrives. */
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
    let used = 0;
    for (let c = 0; c < chains.length; c++) {
      this.from[c] = used;
      this.add(c, curves[c], used);
      used += curves[c].segments.length;
    }
    this.from[chains.length] = used;
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
        this.points[at + 1] = this.hang(node, segment.x1, segment.y1);
        this.points[at + 2] = this.hang(next, segment.x2, segment.y2);
      }
      if (isBorder) {
        // A line along the border: its ends keep to it, and the picture's corners stay.
        const along = Math.abs(this.x[next] - this.x[node]) > Math.abs(this.y[next] - this.y[node]) ? 1 : 2;
        this.free[node] &= along;
        this.free[next] &= along;
      } else if (k > 0) this.tie((first + k - 1) * 2 + 1, (first + k) * 2);
      node = next;
    }
    if (isBorder || segments.length === 0) return;
    const last = first + segments.length - 1;
    if (chain.start < 0) this.tie(last * 2 + 1, first * 2);
    else {
      this.meet(chain.start, first * 2);
      this.meet(chain.end, last * 2 + 1);
    }
  }

  private hang(node: number, x: number, y: number): number {
    const h = this.handles++;
    const dx = x - this.x[node];
    const dy = y - this.y[node];
    const length = Math.hypot(dx, dy);
    this.handleNode[h] = node;
    this.length[h] = length;
    this.ux[h] = length > 0 ? dx / length : 1;
    this.uy[h] = length > 0 ? dy / length : 0;
    this.x[this.firstHandle + h] = x;
    this.y[this.firstHandle + h] = y;
    return this.firstHandle + h;
  }

  private meet(junction: number, end: number): void {
    for (let slot = junction * 4; slot < junction * 4 + 4; slot++) {
      if (this.incident[slot] >= 0) continue;
      this.incident[slot] = end;
      return;
    }
  }

  /** At a junction the two ends that continue each other, if any, are a smooth joint. */
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
    if (a >= 0) this.tie(a, b);
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

  /** Sine of the angle between one end and the continuation of another; 2 for a sharp one. */
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
    const length = Math.hypot(dx, dy) || 1;
    return [dx / length, dy / length];
  }

  private tie(a: number, b: number): void {
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

  /** Nodes in x and y, then lengths of handles, then turns. */
  get unknowns(): number {
    return this.nodes * 2 + this.handles + this.turns;
  }

  /** How far each point moves, to first order, when the unknowns change by `u`. */
  spread(u: Float64Array, dx: Float64Array, dy: Float64Array): void {
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

  /** The transpose of `spread`: from a gradient in the points, which it spoils, to one in the unknowns. */
  gather(gx: Float64Array, gy: Float64Array, g: Float64Array): void {
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

  save(): State {
    const { x, y, length, ux, uy } = this;
    return { x: x.slice(), y: y.slice(), length: length.slice(), ux: ux.slice(), uy: uy.slice() };
  }

  /** Changes the unknowns by `u` from where they are saved, each by no more than a step can be trusted. */
  move(u: Float64Array, saved: State): void {
    const { nodes, handles, length, turnOf, radius } = this;
    const { width, height } = this.map;
    for (let n = 0; n < nodes; n++) {
      const far = Math.hypot(u[2 * n], u[2 * n + 1]);
      const scale = far > MOST_MOVE ? MOST_MOVE / far : 1;
      if (this.free[n] & 1) this.x[n] = Math.min(width, Math.max(0, this.x[n] + u[2 * n] * scale));
      if (this.free[n] & 2) this.y[n] = Math.min(height, Math.max(0, this.y[n] + u[2 * n + 1] * scale));
    }
    const lengths = 2 * nodes;
    const turns = lengths + handles;
    for (let h = 0; h < handles; h++) {
      if (turnOf[h] >= 0) {
        const turn = radius[turnOf[h]] > 0 ? u[turns + turnOf[h]] / radius[turnOf[h]] : 0;
        this.turn(h, saved, Math.max(-MOST_TURN, Math.min(MOST_TURN, turn)));
      } else this.turn(h, saved, this.turnOfLine(h, saved));
      const change = u[lengths + h];
      length[h] = Math.max(length[h] * 0.6, Math.min(length[h] * 1.5, length[h] + change));
    }
    this.place();
  }

  /** How far the line that a handle continues has turned. */
  private turnOfLine(h: number, saved: State): number {
    const n = this.handleNode[h];
    const q = this.lineOf[h];
    const ax = saved.x[n] - saved.x[q];
    const ay = saved.y[n] - saved.y[q];
    const bx = this.x[n] - this.x[q];
    const by = this.y[n] - this.y[q];
    return Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
  }

  private turn(h: number, saved: State, angle: number): void {
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    this.ux[h] = saved.ux[h] * cos - saved.uy[h] * sin;
    this.uy[h] = saved.uy[h] * cos + saved.ux[h] * sin;
  }

  private place(): void {
    const { handles, handleNode, length, ux, uy, firstHandle } = this;
    for (let h = 0; h < handles; h++) {
      const n = handleNode[h];
      this.x[firstHandle + h] = this.x[n] + ux[h] * length[h];
      this.y[firstHandle + h] = this.y[n] + uy[h] * length[h];
    }
  }

  /** Takes these chains back to where they were saved. */
  restore(chains: Uint8Array, saved: State): void {
    const isBack = new Uint8Array(this.points.length >> 2);
    for (let c = 0; c < this.chainCount; c++) if (chains[c]) isBack.fill(1, this.from[c], this.from[c + 1]);
    this.restoreSegments(isBack, saved);
  }

  /** The same for segments. What hangs on their nodes goes back with them, so that joints stay as they are. */
  restoreSegments(isBack: Uint8Array, saved: State): void {
    const { points, handleNode, lineOf, firstHandle } = this;
    const isNodeBack = new Uint8Array(this.nodes);
    for (let segment = 0; segment < isBack.length; segment++) {
      if (!isBack[segment]) continue;
      isNodeBack[points[segment * 4]] = 1;
      isNodeBack[points[segment * 4 + 3]] = 1;
    }
    for (let n = 0; n < this.nodes; n++) {
      if (!isNodeBack[n]) continue;
      this.x[n] = saved.x[n];
      this.y[n] = saved.y[n];
    }
    for (let h = 0; h < this.handles; h++) {
      if (isNodeBack[handleNode[h]]) {
        this.length[h] = saved.length[h];
        this.ux[h] = saved.ux[h];
        this.uy[h] = saved.uy[h];
      }
      if (lineOf[h] >= 0) this.turn(h, saved, this.turnOfLine(h, saved));
      this.x[firstHandle + h] = this.x[handleNode[h]] + this.ux[h] * this.length[h];
      this.y[firstHandle + h] = this.y[handleNode[h]] + this.uy[h] * this.length[h];
    }
  }

  /** Whether two segments cross properly: as polylines, which are looked at only where their bounds overlap. */
  cross(a: number, b: number, state: State): boolean {
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

  private readonly lineA = new Float64Array(2 * PIECES + 2);
  private readonly lineB = new Float64Array(2 * PIECES + 2);

  /** Writes the points of a segment; returns how many pieces they bound. */
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

/** The band of pixels along the boundaries, what the picture shows there, and what the curves would. */
class Canvas {
  /** Chains of which the last drawing left the band. */
  readonly escaped: Uint8Array;
  readonly channels: number;
  /** Pixels of the band in scan order. */
  band = new Int32Array(0);
  /** Place in the band of each pixel, or -1. */
  private readonly placeOf: Int32Array;
  /** What is seen less what is drawn, and how much it counts: colours in `channels` numbers. */
  rest = new Float64Array(0);
  weight = new Float64Array(0);
  /** Colour on the left of each chain less that on its right. */
  readonly contrast: Float64Array;
  /** How the areas of pixels change with the points of segments: for each segment and pixel it runs through, four pairs of numbers. */
  entries = 0;
  entryPlace = new Int32Array(2048);
  entrySegment = new Int32Array(2048);
  entryPull = new Float64Array(2048 * 8);
  readonly chainOf: Int32Array;
  /** Chains with no flat colour on one side: what is mixed along them is not known here, and they stay. */
  private readonly isShaded: Uint8Array;

  private seen = new Float64Array(0);
  private area = new Float64Array(0);
  private cover = new Float64Array(0);
  private readonly colors: Float64Array;
  /** Places of the pixels that judge each chain. */
  private judgesFrom = new Int32Array(0);
  private judges = new Int32Array(0);
  private readonly map: BoundaryMap;
  private readonly model: Model;
  private readonly labels: Regions['labels'];
  private readonly quantized: Quantized;
  private readonly floor: number;

  constructor(map: BoundaryMap, model: Model, regions: Regions, quantized: Quantized, noise: number) {
    const { chains, width, height } = map;
    const { measuredPalette: palette, count, clear } = quantized;
    this.map = map;
    this.model = model;
    this.labels = regions.labels;
    this.quantized = quantized;
    this.floor = 1 + (noise / COVERAGE_NOISE) ** 2;
    this.escaped = new Uint8Array(chains.length);
    this.channels = count === 2 ? 1 : clear < 0 ? 3 : 4;
    const { channels } = this;
    this.axis = [1, 0, 0, 0];
    if (channels === 1) {
      // Two colours: only the way from one to the other counts.
      const way = [0, 1, 2, 3].map((c) => palette[4 + c] - palette[c]);
      const length = Math.hypot(...way) || 1;
      this.axis = way.map((c) => c / length);
    }
    this.colors = new Float64Array(count * channels);
    for (let k = 0; k < count; k++) this.readColor(palette, k * 4, this.colors, k * channels);
    this.contrast = new Float64Array(chains.length * channels);
    this.isShaded = new Uint8Array(chains.length);
    this.chainOf = new Int32Array(model.from[chains.length]);
    for (let c = 0; c < chains.length; c++) {
      const { left, right } = chains[c];
      const hasRamp = (r: number): boolean => r !== OUTSIDE && quantized.ramps[regions.labelOf[r]] !== undefined;
      this.isShaded[c] = hasRamp(left) || hasRamp(right) ? 1 : 0;
      for (let k = 0; k < channels; k++) {
        const a = left === OUTSIDE ? 0 : this.colors[regions.labelOf[left] * channels + k];
        const b = right === OUTSIDE ? 0 : this.colors[regions.labelOf[right] * channels + k];
        this.contrast[c * channels + k] = a - b;
      }
      this.chainOf.fill(c, model.from[c], model.from[c + 1]);
    }
    this.placeOf = new Int32Array(width * height);
    this.layOut();
  }

  private readonly axis: number[];

  private readColor(from: ArrayLike<number>, at: number, to: Float64Array, place: number): void {
    const { channels, axis } = this;
    if (channels === 1) {
      to[place] = from[at] * axis[0] + from[at + 1] * axis[1] + from[at + 2] * axis[2] + from[at + 3] * axis[3];
    } else for (let k = 0; k < channels; k++) to[place + k] = from[at + k];
  }

  /** Lays the band along lattice paths and curves. */
  private layOut(): void {
    const { map, model, placeOf, channels } = this;
    const { width, height, chains, path } = map;
    const stride = width + 1;
    for (let c = 0; c < chains.length; c++) {
      const { left, right, from, to } = chains[c];
      if (left === OUTSIDE || right === OUTSIDE) continue;
      for (let k = from; k < to; k++) {
        const a = Math.min(path[k], path[k + 1]);
        const px = a % stride;
        const py = (a - px) / stride;
        const isVertical = Math.abs(path[k + 1] - path[k]) !== 1;
        if (isVertical) {
          const first = Math.max(0, px - BAND);
          const last = Math.min(width - 1, px + BAND - 1);
          for (let qx = first; qx <= last; qx++) placeOf[py * width + qx] = 1;
        } else {
          const first = Math.max(0, py - BAND);
          const last = Math.min(height - 1, py + BAND - 1);
          for (let qy = first; qy <= last; qy++) placeOf[qy * width + px] = 1;
        }
      }
      for (let segment = model.from[c]; segment < model.from[c + 1]; segment++) this.markAlong(segment);
    }
    let count = 0;
    const size = width * height;
    for (let i = 0; i < size; i++) count += placeOf[i];
    this.band = new Int32Array(count);
    this.seen = new Float64Array(count * channels);
    this.rest = new Float64Array(count * channels);
    this.area = new Float64Array(count * channels);
    this.cover = new Float64Array(count * channels);
    this.weight = new Float64Array(count);
    const { data } = this.quantized.measured;
    count = 0;
    for (let i = 0; i < size; i++) {
      if (placeOf[i] === 0) placeOf[i] = -1;
      else {
        this.readColor(data, i * 4, this.seen, count * channels);
        this.band[count] = i;
        placeOf[i] = count++;
      }
    }
  }

  /** Marks the pixels around a curve, wherever it runs. */
  private markAlong(segment: number): void {
    const { placeOf, map, model } = this;
    const { width, height } = map;
    const { points, x, y } = model;
    const at = segment * 4;
    const a = points[at];
    const d = points[at + 3];
    const b = points[at + 1] < 0 ? a : points[at + 1];
    const c = points[at + 1] < 0 ? d : points[at + 2];
    const length =
      Math.hypot(x[b] - x[a], y[b] - y[a]) +
      Math.hypot(x[c] - x[b], y[c] - y[b]) +
      Math.hypot(x[d] - x[c], y[d] - y[c]);
    const count = Math.ceil(length * 1.3);
    for (let k = 0; k <= count; k++) {
      const t = count > 0 ? k / count : 0;
      const u = 1 - t;
      const px = Math.floor(u * u * u * x[a] + 3 * u * u * t * x[b] + 3 * u * t * t * x[c] + t * t * t * x[d]);
      const py = Math.floor(u * u * u * y[a] + 3 * u * u * t * y[b] + 3 * u * t * t * y[c] + t * t * t * y[d]);
      for (let qy = Math.max(0, py - 1); qy <= py + 1 && qy < height; qy++) {
        for (let qx = Math.max(0, px - 1); qx <= px + 1 && qx < width; qx++) placeOf[qy * width + qx] = 1;
      }
    }
  }

  /** Draws the curves as they are now: coverage exact for the polylines, as in scan conversion by signed areas. */
  draw(): void {
    const { map, model, band, channels, area, cover, rest, seen, colors, labels } = this;
    const { width, chains } = map;
    area.fill(0);
    cover.fill(0);
    this.escaped.fill(0);
    this.entries = 0;
    for (let c = 0; c < chains.length; c++) {
      for (let segment = model.from[c]; segment < model.from[c + 1]; segment++) this.drawSegment(c, segment);
    }
    const ink = new Float64Array(channels);
    let last = -2;
    for (let place = 0; place < band.length; place++) {
      const pixel = band[place];
      if (pixel !== last + 1 || pixel % width === 0) {
        // The run begins at what the pixel before it holds, or outside the picture.
        const label = pixel % width === 0 ? -1 : labels[pixel - 1];
        for (let k = 0; k < channels; k++) ink[k] = label < 0 ? 0 : colors[label * channels + k];
      }
      last = pixel;
      for (let k = 0, i = place * channels; k < channels; k++, i++) {
        area[i] += ink[k];
        ink[k] += cover[i];
      }
    }
    rest.set(area);
    this.blur(rest, this.blurred);
    for (let i = 0; i < rest.length; i++) rest[i] = seen[i] - rest[i];
  }

  /** Variance of the blur that the picture has beside the pixels' own, in px². */
  blurred = 0;
  private left = new Int32Array(0);
  private right = new Int32Array(0);
  private above = new Int32Array(0);
  private below = new Int32Array(0);
  private held = new Float64Array(0);

  /**
   * Scanners and lossy files soften edges. How much is read off the whole picture at once: the blur under which the drawing comes nearest to it.
   */
  findBlur(): boolean {
    const { area, seen, weight, channels } = this;
    const trial = new Float64Array(area.length);
    let best = Infinity;
    for (let variance = 0; variance <= MOST_BLUR; variance += BLUR_STEP) {
      trial.set(area);
      this.blur(trial, variance);
      let sum = 0;
      for (let place = 0, i = 0; place < weight.length; place++) {
        for (let k = 0; k < channels; k++, i++) sum += weight[place] * (seen[i] - trial[i]) ** 2;
      }
      if (sum > best * (this.blurred > 0 ? 1 : 0.9)) {
        if (variance === BLUR_STEP) this.blurred = 0;
        break;
      }
      best = sum;
      this.blurred = variance;
    }
    return this.blurred > 0;
  }

  /** Twice three taps along rows and columns. What lies beyond the band is taken for its edge, which makes this its own transpose. */
  blur(field: Float64Array, variance: number): void {
    if (variance === 0) return;
    if (this.left.length === 0) this.linkBand();
    const a = variance / 4;
    for (let k = 0; k < 2; k++) {
      this.spreadTo(field, this.held, this.left, this.right, a);
      this.spreadTo(this.held, field, this.above, this.below, a);
    }
  }

  private spreadTo(from: Float64Array, to: Float64Array, before: Int32Array, after: Int32Array, a: number): void {
    const { channels } = this;
    const middle = 1 - 2 * a;
    for (let place = 0, i = 0; place < before.length; place++) {
      const p = before[place] * channels;
      const q = after[place] * channels;
      for (let k = 0; k < channels; k++, i++) to[i] = middle * from[i] + a * (from[p + k] + from[q + k]);
    }
  }

  /** The neighbours of each pixel within the band; itself where there is none. */
  private linkBand(): void {
    const { band, placeOf } = this;
    const { width } = this.map;
    const size = placeOf.length;
    this.left = new Int32Array(band.length);
    this.right = new Int32Array(band.length);
    this.above = new Int32Array(band.length);
    this.below = new Int32Array(band.length);
    this.held = new Float64Array(this.area.length);
    for (let place = 0; place < band.length; place++) {
      const pixel = band[place];
      const x = pixel % width;
      this.left[place] = x > 0 && placeOf[pixel - 1] >= 0 ? place - 1 : place;
      this.right[place] = x < width - 1 && placeOf[pixel + 1] >= 0 ? place + 1 : place;
      this.above[place] = pixel >= width && placeOf[pixel - width] >= 0 ? placeOf[pixel - width] : place;
      this.below[place] = pixel + width < size && placeOf[pixel + width] >= 0 ? placeOf[pixel + width] : place;
    }
  }

  /** Pairs of segments that share a pixel: what might cross. */
  findNeighbours(): number[] {
    const { entries, entryPlace, entrySegment } = this;
    const first = new Int32Array(this.band.length).fill(-1);
    const next = new Int32Array(entries);
    const segments = this.chainOf.length;
    const known = new Set<number>();
    const pairs: number[] = [];
    for (let e = 0; e < entries; e++) {
      const place = entryPlace[e];
      const b = entrySegment[e];
      for (let o = first[place]; o >= 0; o = next[o]) {
        const a = entrySegment[o];
        const key = a * segments + b;
        if (a === b || known.has(key)) continue;
        known.add(key);
        pairs.push(a, b);
      }
      next[e] = first[place];
      first[place] = e;
    }
    return pairs;
  }

  private drawSegment(chain: number, segment: number): void {
    const { points, x, y } = this.model;
    const at = segment * 4;
    const a = points[at];
    const d = points[at + 3];
    this.last = -1;
    if (points[at + 1] < 0) {
      this.drawPiece(chain, segment, x[a], y[a], x[d], y[d], 0, 1);
      return;
    }
    const b = points[at + 1];
    const c = points[at + 2];
    const bend =
      6 *
      Math.max(
        Math.hypot(x[a] - 2 * x[b] + x[c], y[a] - 2 * y[b] + y[c]),
        Math.hypot(x[b] - 2 * x[c] + x[d], y[b] - 2 * y[c] + y[d]),
      );
    const count = Math.min(400, Math.max(1, Math.ceil(Math.sqrt(bend / (8 * FLATNESS)))));
    let px = x[a];
    let py = y[a];
    for (let k = 1; k <= count; k++) {
      const t = k / count;
      const u = 1 - t;
      const p = u * u * u;
      const q = 3 * u * u * t;
      const r = 3 * u * t * t;
      const s = t * t * t;
      const nx = k === count ? x[d] : p * x[a] + q * x[b] + r * x[c] + s * x[d];
      const ny = k === count ? y[d] : p * y[a] + q * y[b] + r * y[c] + s * y[d];
      this.drawPiece(chain, segment, px, py, nx, ny, (k - 1) / count, t);
      px = nx;
      py = ny;
    }
  }

  /** Pixel of the entry written last. */
  private last = -1;

  /** Adds one straight piece, pixel by pixel along it. */
  private drawPiece(
    chain: number,
    segment: number,
    ax: number,
    ay: number,
    bx: number,
    by: number,
    from: number,
    to: number,
  ): void {
    const { placeOf, channels, contrast, area, cover } = this;
    const { width, height } = this.map;
    const dx = bx - ax;
    const dy = by - ay;
    let i = Math.floor(ax);
    let j = Math.floor(ay);
    if (dx < 0 && i === ax) i--;
    if (dy < 0 && j === ay) j--;
    const stepI = dx < 0 ? -1 : 1;
    const stepJ = dy < 0 ? -1 : 1;
    const perX = dx === 0 ? Infinity : 1 / Math.abs(dx);
    const perY = dy === 0 ? Infinity : 1 / Math.abs(dy);
    let nextX = dx === 0 ? Infinity : dx > 0 ? (i + 1 - ax) * perX : (ax - i) * perX;
    let nextY = dy === 0 ? Infinity : dy > 0 ? (j + 1 - ay) * perY : (ay - j) * perY;
    let s0 = 0;
    while (s0 < 1) {
      const s1 = Math.min(nextX, nextY, 1);
      if (s1 > s0) {
        const place = i >= 0 && j >= 0 && i < width && j < height ? placeOf[j * width + i] : -1;
        if (place < 0) this.escaped[chain] = 1;
        else {
          const partX = dx * (s1 - s0);
          const partY = dy * (s1 - s0);
          const middle = (s0 + s1) / 2;
          const right = partY * (i + 1 - ax - dx * middle);
          for (let k = 0, p = place * channels, q = chain * channels; k < channels; k++, p++, q++) {
            cover[p] += partY * contrast[q];
            area[p] += right * contrast[q];
          }
          this.addPull(segment, place, partX, partY, from + (to - from) * middle);
        }
        s0 = s1;
      }
      if (s1 >= 1) return;
      if (nextX < nextY) {
        i += stepI;
        nextX += perX;
      } else {
        j += stepJ;
        nextY += perY;
      }
    }
  }

  private addPull(segment: number, place: number, dx: number, dy: number, t: number): void {
    if (place !== this.last) {
      if (this.entries === this.entryPlace.length) this.growEntries();
      this.entryPlace[this.entries] = place;
      this.entrySegment[this.entries] = segment;
      for (let k = this.entries * 8; k < this.entries * 8 + 8; k++) this.entryPull[k] = 0;
      this.entries++;
      this.last = place;
    }
    const pull = this.entryPull;
    const at = (this.entries - 1) * 8;
    const u = 1 - t;
    const isLine = this.model.points[segment * 4 + 1] < 0;
    const p = isLine ? u : u * u * u;
    const s = isLine ? t : t * t * t;
    pull[at] -= p * dy;
    pull[at + 1] += p * dx;
    pull[at + 6] -= s * dy;
    pull[at + 7] += s * dx;
    if (isLine) return;
    const q = 3 * u * u * t;
    const r = 3 * u * t * t;
    pull[at + 2] -= q * dy;
    pull[at + 3] += q * dx;
    pull[at + 4] -= r * dy;
    pull[at + 5] += r * dx;
  }

  private growEntries(): void {
    const places = new Int32Array(this.entries * 2);
    places.set(this.entryPlace);
    this.entryPlace = places;
    const segments = new Int32Array(this.entries * 2);
    segments.set(this.entrySegment);
    this.entrySegment = segments;
    const pulls = new Float64Array(this.entries * 16);
    pulls.set(this.entryPull);
    this.entryPull = pulls;
  }

  /**
   * Gives every pixel its weight, after the first drawing: one over the square of the contrast there, so that faint edges count as strong
   * ones do until noise drowns them; less where the curves explain little; nothing where the drawing does not close.
   */
  weigh(): void {
    const { map, channels, contrast, weight, rest, chainOf, entryPlace, entrySegment, placeOf } = this;
    const { width, height, chains, path } = map;
    const stride = width + 1;
    weight.fill(0);
    const from = new Int32Array(chains.length + 1);
    let judges = new Int32Array(path.length * 4 + this.entries);
    let used = 0;
    let entry = 0;
    for (let c = 0; c < chains.length; c++) {
      from[c] = used;
      const chain = chains[c];
      const isBorder = chain.left === OUTSIDE || chain.right === OUTSIDE;
      let square = 0;
      for (let k = 0; k < channels; k++) square += contrast[c * channels + k] ** 2;
      const first = used;
      for (; entry < this.entries && chainOf[entrySegment[entry]] === c; entry++) {
        if (!isBorder) judges[used++] = entryPlace[entry];
      }
      for (let k = chain.from; k < chain.to && !isBorder; k++) {
        const a = Math.min(path[k], path[k + 1]);
        const px = a % stride;
        const py = (a - px) / stride;
        const isVertical = Math.abs(path[k + 1] - path[k]) !== 1;
        const step = isVertical ? 1 : width;
        const across = isVertical ? px : py;
        const room = isVertical ? width : height;
        for (let q = -BAND; q < BAND; q++) {
          if (across + q >= 0 && across + q < room) judges[used++] = placeOf[py * width + px + q * step];
        }
      }
      if (this.isShaded[c]) square = Infinity;
      for (let k = first; k < used; k++) weight[judges[k]] = Math.max(weight[judges[k]], square);
    }
    from[chains.length] = used;
    judges = judges.subarray(0, used);
    this.judgesFrom = from;
    this.judges = judges;
    for (let place = 0; place < weight.length; place++) {
      if (weight[place] === 0 || weight[place] === Infinity) {
        weight[place] = 0;
        continue;
      }
      let off = 0;
      for (let k = 0; k < channels; k++) off += rest[place * channels + k] ** 2;
      const w = 1 / (weight[place] + this.floor);
      weight[place] = w / (1 + off * w * 4);
    }
  }

  /** What the pixels of each chain leave unexplained. */
  measure(costs: Float64Array): void {
    const { judges, judgesFrom, weight, rest, channels } = this;
    for (let c = 0; c < costs.length; c++) {
      let sum = 0;
      for (let k = judgesFrom[c]; k < judgesFrom[c + 1]; k++) {
        const place = judges[k];
        let square = 0;
        for (let q = 0; q < channels; q++) square += rest[place * channels + q] ** 2;
        sum += square * weight[place];
      }
      costs[c] = sum;
    }
  }
}

/** Conjugate gradients on the normal equations, scaled by their diagonal. */
class Solver {
  private readonly model: Model;
  private readonly canvas: Canvas;
  private readonly dx: Float64Array;
  private readonly dy: Float64Array;
  private readonly field: Float64Array;
  private readonly wish: Float64Array;
  private readonly rest: Float64Array;
  private readonly way: Float64Array;
  private readonly image: Float64Array;
  private readonly diagonal: Float64Array;
  /** What couples x and y of each node. */
  private readonly coupling: Float64Array;
  private readonly pull: Float64Array;

  constructor(model: Model, canvas: Canvas) {
    this.model = model;
    this.canvas = canvas;
    this.dx = new Float64Array(model.x.length);
    this.dy = new Float64Array(model.x.length);
    this.field = new Float64Array(canvas.rest.length);
    const { unknowns } = model;
    this.wish = new Float64Array(unknowns);
    this.rest = new Float64Array(unknowns);
    this.way = new Float64Array(unknowns);
    this.image = new Float64Array(unknowns);
    this.diagonal = new Float64Array(unknowns);
    this.coupling = new Float64Array(model.nodes);
    this.pull = new Float64Array(unknowns);
  }

  /** The change of the unknowns that brings the drawing nearest to the picture. */
  solve(): Float64Array {
    const { model, wish, rest, way, image, pull } = this;
    const { unknowns } = model;
    const { canvas, field } = this;
    const { weight, channels } = canvas;
    // Blur takes the edge off what a move changes. The normal equations keep their shape, and their size is put right afterwards.
    const blunt = 1 / (1 + 2.5 * canvas.blurred);
    this.scale(blunt);
    for (let place = 0, i = 0; place < weight.length; place++) {
      for (let k = 0; k < channels; k++, i++) field[i] = canvas.rest[i] * weight[place];
    }
    canvas.blur(field, canvas.blurred);
    this.back(rest, undefined, 1);
    const slope = rest.slice();
    wish.fill(0);
    this.precondition();
    way.set(pull);
    let size = 0;
    for (let k = 0; k < unknowns; k++) size += rest[k] * pull[k];
    const first = size;
    for (let step = 0; step < INNER_STEPS && size > 1e-4 * first; step++) {
      this.forth(way);
      this.back(image, weight, blunt);
      let bend = 0;
      for (let k = 0; k < unknowns; k++) {
        image[k] += this.ridgeOf(k) * way[k];
        bend += image[k] * way[k];
      }
      if (!(bend > 0)) break;
      const go = size / bend;
      for (let k = 0; k < unknowns; k++) {
        wish[k] += go * way[k];
        rest[k] -= go * image[k];
      }
      this.precondition();
      let next = 0;
      for (let k = 0; k < unknowns; k++) next += rest[k] * pull[k];
      const keep = next / size;
      size = next;
      for (let k = 0; k < unknowns; k++) way[k] = pull[k] + keep * way[k];
    }
    if (canvas.blurred > 0) this.fitSize(slope);
    return wish;
  }

  /** Scales the wish to the best size along itself, blur and all. */
  private fitSize(slope: Float64Array): void {
    const { canvas, field, wish } = this;
    const { weight, channels } = canvas;
    field.fill(0);
    this.forth(wish);
    canvas.blur(field, canvas.blurred);
    let along = 0;
    let bend = 0;
    for (let k = 0; k < wish.length; k++) {
      along += slope[k] * wish[k];
      bend += this.ridgeOf(k) * wish[k] * wish[k];
    }
    for (let place = 0, i = 0; place < weight.length; place++) {
      for (let k = 0; k < channels; k++, i++) bend += weight[place] * field[i] * field[i];
    }
    const size = bend > 0 ? along / bend : 0;
    for (let k = 0; k < wish.length; k++) wish[k] *= size;
  }

  private ridgeOf(k: number): number {
    return k < this.model.nodes * 2 ? (COVERAGE_NOISE / NODE_SLACK) ** 2 : (COVERAGE_NOISE / HANDLE_SLACK) ** 2;
  }

  /** Solves for each node, each length and each turn as if it were alone; 0 for what may not move. */
  private precondition(): void {
    const { model, rest, pull, diagonal, coupling } = this;
    const { nodes, free, unknowns } = model;
    for (let n = 0; n < nodes; n++) {
      const i = 2 * n;
      const a = diagonal[i];
      const b = free[n] === 3 ? coupling[n] : 0;
      const c = diagonal[i + 1];
      const determinant = a * c - b * b;
      pull[i] = free[n] & 1 ? (rest[i] * c - rest[i + 1] * b) / determinant : 0;
      pull[i + 1] = free[n] & 2 ? (rest[i + 1] * a - rest[i] * b) / determinant : 0;
    }
    for (let k = 2 * nodes; k < unknowns; k++) pull[k] = rest[k] / diagonal[k];
  }

  /** The blocks of the normal equations that `precondition` inverts. */
  private scale(blunt: number): void {
    const { model, canvas, diagonal, coupling } = this;
    const { entries, entryPlace, entrySegment, entryPull, weight, contrast, channels, chainOf } = canvas;
    const { points, firstHandle, nodes, handles, ux, uy, length, turnOf, radius } = model;
    diagonal.fill(0);
    coupling.fill(0);
    const lengths = nodes * 2;
    const turns = lengths + handles;
    for (let e = 0; e < entries; e++) {
      const c = chainOf[entrySegment[e]] * channels;
      let square = 0;
      for (let k = 0; k < channels; k++) square += contrast[c + k] ** 2;
      square *= weight[entryPlace[e]] * blunt;
      const at = entrySegment[e] * 4;
      for (let end = 0; end < 2; end++) {
        const node = points[at + end * 3];
        const handle = points[at + 1 + end];
        const i = e * 8 + end * 6;
        let px = entryPull[i];
        let py = entryPull[i + 1];
        if (handle >= 0) {
          const h = handle - firstHandle;
          const hx = entryPull[e * 8 + 2 + end * 2];
          const hy = entryPull[e * 8 + 3 + end * 2];
          px += hx;
          py += hy;
          diagonal[lengths + h] += square * (hx * ux[h] + hy * uy[h]) ** 2;
          if (turnOf[h] >= 0 && radius[turnOf[h]] > 0) {
            diagonal[turns + turnOf[h]] += square * ((hy * ux[h] - hx * uy[h]) * (length[h] / radius[turnOf[h]])) ** 2;
          }
        }
        diagonal[node * 2] += square * px * px;
        diagonal[node * 2 + 1] += square * py * py;
        coupling[node] += square * px * py;
      }
    }
    for (let k = 0; k < diagonal.length; k++) diagonal[k] += this.ridgeOf(k);
  }

  /** How the pixels change, to first order, with the unknowns: into `field`. */
  private forth(u: Float64Array): void {
    const { model, canvas, dx, dy, field } = this;
    const { entries, entryPlace, entrySegment, entryPull: pull, contrast, channels, chainOf } = canvas;
    const { points } = model;
    model.spread(u, dx, dy);
    field.fill(0);
    for (let e = 0; e < entries; e++) {
      const segment = entrySegment[e];
      const at = segment * 4;
      const i = e * 8;
      const a = points[at];
      const d = points[at + 3];
      let change = pull[i] * dx[a] + pull[i + 1] * dy[a] + pull[i + 6] * dx[d] + pull[i + 7] * dy[d];
      const b = points[at + 1];
      if (b >= 0) {
        const c = points[at + 2];
        change += pull[i + 2] * dx[b] + pull[i + 3] * dy[b] + pull[i + 4] * dx[c] + pull[i + 5] * dy[c];
      }
      const p = entryPlace[e] * channels;
      const q = chainOf[segment] * channels;
      for (let k = 0; k < channels; k++) field[p + k] += change * contrast[q + k];
    }
  }

  /** The transpose: from `field`, weighted by `scale` times `weight`, to the unknowns. */
  private back(out: Float64Array, weight: Float64Array | undefined, scale: number): void {
    const { model, canvas, dx, dy, field } = this;
    const { entries, entryPlace, entrySegment, entryPull: pull, contrast, channels, chainOf } = canvas;
    const { points } = model;
    dx.fill(0);
    dy.fill(0);
    for (let e = 0; e < entries; e++) {
      const segment = entrySegment[e];
      const p = entryPlace[e] * channels;
      const q = chainOf[segment] * channels;
      let change = 0;
      for (let k = 0; k < channels; k++) change += field[p + k] * contrast[q + k];
      change *= weight ? weight[entryPlace[e]] * scale : scale;
      if (change === 0) continue;
      const at = segment * 4;
      const i = e * 8;
      const a = points[at];
      const d = points[at + 3];
      dx[a] += change * pull[i];
      dy[a] += change * pull[i + 1];
      dx[d] += change * pull[i + 6];
      dy[d] += change * pull[i + 7];
      const b = points[at + 1];
      if (b < 0) continue;
      const c = points[at + 2];
      dx[b] += change * pull[i + 2];
      dy[b] += change * pull[i + 3];
      dx[c] += change * pull[i + 4];
      dy[c] += change * pull[i + 5];
    }
    model.gather(dx, dy, out);
  }
}
