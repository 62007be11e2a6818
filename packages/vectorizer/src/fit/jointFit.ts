import type { Cubic, Point } from '../geometry/cubic.ts';
import { directionOf, distance, lineCubic, pointAt, reverse, slopeAt } from '../geometry/cubic.ts';
import { hypot } from '../geometry/hypot.ts';
import { solve } from '../geometry/linear.ts';

/** One side of a joint: a curve from there on, which may be drawn anew. */
export interface Side {
  cubic: Cubic;
  /** Points that the curve must follow. */
  points: Point[];
  /** px. */
  length: number;
  /** True when the direction at the far end stays. */
  isEndFixed: boolean;
  /** True when the curve stays, and with it the node. */
  isFixed: boolean;
}

/** How a joint may change. */
export interface JointRoom {
  /** The direction in which the node moves; undefined when it stays. */
  slide: Point | undefined;
  /** Points nearer to the node than this, in px, hardly count, as three colors mix there. */
  blind: number;
  /** px. */
  tolerance: number;
}

const BLIND_WEIGHT = 0.03;
/** Such points may be missed by this, and the node moves by at most this, in px. */
const BLIND_MISS = 0.6;
const MOST_MOVE = 0.7;
/** Handles, as shares of the length. */
const SHORTEST_HANDLE = 0.1;
const LONGEST_HANDLE = 1.2;
/** A short curve has a share of the tolerance, which grows with its length in px. */
const LEAST_SHARE = 0.35;
const SHARE_PER_PX = 0.015;
/** Share of the tolerance that the root mean square of the distances may have. */
const MEAN_SHARE = 0.5;
const ROUNDS = 5;
/** After two rounds, a misfit below the first is good enough, and one above the second is hopeless. */
const ENOUGH = 0.5;
const HOPELESS = 5;
/** The move of the node, the angle there, and by side: the length there, the length and the angle at the far end. */
const UNKNOWNS = 8;
const COLUMNS = UNKNOWNS + 1;

/** Returns both sides of a joint with one tangent, each within the tolerance; undefined when there are no such. */
export function fitJoint(sides: [Side, Side], room: JointRoom): [Cubic, Cubic] | undefined {
  if (sides[0].isFixed && sides[1].isFixed) return undefined;
  const fit = new JointFit(sides, room);
  for (let round = 0; ; round++) {
    const misfit = fit.measure(round);
    if (round === ROUNDS || (round > 1 && misfit < ENOUGH)) {
      return misfit <= 1 && fit.isTame() ? fit.cubics : undefined;
    }
    if ((round > 1 && misfit > HOPELESS) || !fit.step()) return undefined;
  }
}

/** Gauss–Newton steps on the distances across both curves of a joint. */
class JointFit {
  cubics: [Cubic, Cubic];
  private readonly sides: [Side, Side];
  private readonly room: JointRoom;
  private readonly node: Point;
  private readonly slide: Point;
  private readonly isNodeFixed: boolean;
  private readonly isAngleFixed: boolean;
  private move = 0;
  private angle: number;
  private readonly near: number[];
  private readonly far: number[];
  private readonly endAngles: number[];
  private readonly parameters: number[][];
  private readonly normal = new Float64Array(UNKNOWNS * COLUMNS);

  constructor(sides: [Side, Side], room: JointRoom) {
    this.sides = sides;
    this.room = room;
    [this.node] = sides[0].cubic;
    const still = sides.findIndex(({ isFixed }) => isFixed);
    this.isAngleFixed = still >= 0;
    this.isNodeFixed = still >= 0 || room.slide === undefined;
    this.slide = room.slide ?? { x: 0, y: 0 };
    const [p, q] = sides.map(({ cubic }) => directionOf(cubic));
    const forward = still === 0 ? p : still === 1 ? { x: -q.x, y: -q.y } : { x: p.x - q.x, y: p.y - q.y };
    this.angle = Math.atan2(forward.y, forward.x);
    this.near = sides.map(({ cubic: [a, b], length }) => Math.max(distance(a, b), SHORTEST_HANDLE * length));
    this.far = sides.map(({ cubic: [, , c, d], length }) => Math.max(distance(c, d), SHORTEST_HANDLE * length));
    this.endAngles = sides.map(({ cubic }) => {
      const { x, y } = directionOf(reverse(cubic));
      return Math.atan2(y, x);
    });
    this.parameters = sides.map(({ points, cubic }) => {
      let along = 0;
      const sums = points.map((point, k) => {
        along += distance(k > 0 ? points[k - 1] : cubic[0], point);
        return along;
      });
      const total = along + distance(points[points.length - 1], cubic[3]);
      return sums.map((sum) => sum / total);
    });
    this.cubics = this.draw();
  }

  private draw(): [Cubic, Cubic] {
    const { node, slide, move, angle, near, far, endAngles } = this;
    const start = { x: node.x + move * slide.x, y: node.y + move * slide.y };
    const drawSide = ({ cubic: [, , , end] }: Side, k: number): Cubic => {
      const first = k === 0 ? near[k] : -near[k];
      return [
        start,
        { x: start.x + first * Math.cos(angle), y: start.y + first * Math.sin(angle) },
        { x: end.x + far[k] * Math.cos(endAngles[k]), y: end.y + far[k] * Math.sin(endAngles[k]) },
        end,
      ];
    };
    return [drawSide(this.sides[0], 0), drawSide(this.sides[1], 1)];
  }

  /** Writes the normal equations. Returns the misfit: up to 1, both sides are close enough. */
  measure(round: number): number {
    const { sides, normal } = this;
    this.cubics = this.draw();
    normal.fill(0);
    return Math.max(...sides.map(({ isFixed }, k) => (isFixed ? 0 : this.measureSide(k, round === 0 ? 1 : 2))));
  }

  private measureSide(k: number, steps: number): number {
    const { node, slide, angle, near, far, endAngles, normal } = this;
    const { points, isEndFixed, length } = this.sides[k];
    const { tolerance, blind } = this.room;
    const cubic = this.cubics[k];
    const limit = tolerance * Math.min(1, LEAST_SHARE + SHARE_PER_PX * length);
    const sign = k === 0 ? 1 : -1;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const [endX, endY] = [Math.cos(endAngles[k]), Math.sin(endAngles[k])];
    const columns = [0, 1, 2 + k, 4 + k, 6 + k];
    const row = new Float64Array(UNKNOWNS);
    let badness = 0;
    let sum = 0;
    let count = 0;
    let lastV = 0;
    points.forEach((point, i) => {
      const v = nearestParameter(cubic, point, this.parameters[k][i], steps);
      this.parameters[k][i] = v;
      if (v < lastV - 1e-3) badness = Math.max(badness, 2); // the curve doubles back
      lastV = v;
      const at = pointAt(cubic, v);
      const slope = slopeAt(cubic, v);
      const speed = hypot(slope.x, slope.y) || 1;
      const [nx, ny] = [-slope.y / speed, slope.x / speed];
      const off = (at.x - point.x) * nx + (at.y - point.y) * ny;
      const isBlind = distance(node, point) < blind;
      badness = Math.max(badness, distance(at, point) / (isBlind ? BLIND_MISS : limit));
      if (!isBlind) {
        sum += off * off;
        count++;
      }
      const weight = (isBlind ? BLIND_WEIGHT : 1) * Math.min(4, length / points.length);
      const u = 1 - v;
      const [A, B, C] = [u * u * u, 3 * u * u * v, 3 * u * v * v];
      row[0] = this.isNodeFixed ? 0 : (A + B) * (slide.x * nx + slide.y * ny);
      row[1] = this.isAngleFixed ? 0 : B * near[k] * sign * (cos * ny - sin * nx);
      row[2 + k] = B * sign * (cos * nx + sin * ny);
      row[4 + k] = C * (endX * nx + endY * ny);
      row[6 + k] = isEndFixed ? 0 : C * far[k] * (endX * ny - endY * nx);
      for (const r of columns) {
        for (const c of columns) normal[r * COLUMNS + c] += weight * row[r] * row[c];
        normal[r * COLUMNS + UNKNOWNS] -= weight * row[r] * off;
      }
    });
    return count > 0 ? Math.max(badness, Math.sqrt(sum / count) / (MEAN_SHARE * limit)) : badness;
  }

  /** Changes the unknowns. Returns false when the equations have no solution. */
  step(): boolean {
    const { normal, near, far, endAngles } = this;
    for (let r = 0; r < UNKNOWNS; r++) normal[r * (COLUMNS + 1)] += r === 1 || r > 5 ? 1e-3 : 1e-4;
    if (!solve(normal, UNKNOWNS, 1)) return false;
    const change = (unknown: number): number => normal[unknown * COLUMNS + UNKNOWNS];
    this.move += change(0);
    this.angle += change(1);
    this.sides.forEach(({ length }, k) => {
      near[k] = Math.max(SHORTEST_HANDLE * length, near[k] + change(2 + k));
      far[k] = Math.max(SHORTEST_HANDLE * length, far[k] + change(4 + k));
      endAngles[k] += change(6 + k);
    });
    return true;
  }

  /** Returns true when the node has stayed near and no handle is far longer than its curve. */
  isTame(): boolean {
    const { near, far, sides } = this;
    const isShort = ({ isFixed, length }: Side, k: number): boolean =>
      isFixed || Math.max(near[k], far[k]) < LONGEST_HANDLE * length;
    return Math.abs(this.move) <= MOST_MOVE && sides.every(isShort);
  }
}

function nearestParameter(cubic: Cubic, point: Point, guess: number, steps: number): number {
  let v = guess;
  for (let step = 0; step < steps; step++) {
    const at = pointAt(cubic, v);
    const { x, y } = slopeAt(cubic, v);
    const square = x * x + y * y;
    if (square < 1e-12) break;
    const by = ((at.x - point.x) * x + (at.y - point.y) * y) / square;
    v = Math.max(0, Math.min(1, v - Math.max(-0.1, Math.min(0.1, by))));
  }
  return v;
}

/** Returns the unit direction in which a node slides: along a third curve that ends there, or across the outline. */
export function slideOf(forward: Point, third: Point | undefined): Point {
  const sine = third ? forward.x * third.y - forward.y * third.x : 0;
  if (third && Math.abs(sine) > 0.4) return third;
  const { x, y } = directionOf(lineCubic({ x: 0, y: 0 }, forward));
  return { x: -y, y: x };
}
