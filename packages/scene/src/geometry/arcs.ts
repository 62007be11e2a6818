/**
 * Cubic curves as circular arcs, for machines and files that know lines and arcs. An arc is written by its bulge, the
 * tangent of a quarter of its angle: 0 is a line, 1 a half circle, positive where the arc turns counterclockwise with y
 * up (or clockwise with y down).
 */

/** From the end of the one before. */
export interface Arc {
  readonly x: number;
  readonly y: number;
  readonly bulge: number;
}

/** Four points: x0, y0 … x3, y3. */
type Cubic = ArrayLike<number>;

/** A curve is halved at most so often: into pieces of a 65,536th. */
const MAX_DEPTH = 16;
/** A piece of fewer least lengths than this is not halved: its halves would have to be halved again. */
const SHORT = 4;
/** Parameters at which a piece of the curve is compared with its arcs. */
const PROBES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

/**
 * Returns the arcs that follow a cubic to within `tolerance`, in the curve's unit. Neighbors share their tangent. Each
 * piece of the curve becomes two arcs with its end tangents (a biarc, whose two distances to the tangents' corner are
 * equal: Sabin 1977, Bolton 1975), and is halved until they fit. Where an arc would be shorter than
 * `least`, one through the middle of the piece takes the place of both; it may leave a piece of less than four times
 * that length by some thousandths. Cost: about 20 distances for each arc.
 */
export function fitArcs(curve: Cubic, tolerance: number, least = 0): Arc[] {
  const arcs: Arc[] = [];
  pieces[0]!.set(curve);
  fitPiece(0, { tolerance, least }, arcs);
  return arcs;
}

interface Limits {
  readonly tolerance: number;
  readonly least: number;
}

/**
 * The piece of the curve at each depth. 20,000 curves have 100,000 pieces: with an array for each piece and a function
 * for each arc this took three times as long.
 */
const pieces = Array.from({ length: MAX_DEPTH + 1 }, () => new Float64Array(8));

/** Appends the arcs of the piece at a depth, which is used up by it. */
function fitPiece(depth: number, limits: Limits, arcs: Arc[]): void {
  const piece = pieces[depth]!;
  if (depth < MAX_DEPTH && !appendArcs(piece, limits, arcs)) {
    halve(piece, pieces[depth + 1]!);
    fitPiece(depth + 1, limits, arcs);
    pieces[depth + 1]!.set(piece);
    fitPiece(depth + 1, limits, arcs);
  } else if (depth === MAX_DEPTH) arcs.push({ x: piece[6]!, y: piece[7]!, bulge: 0 });
}

/** Appends the arcs that follow a curve; false where it must be halved for that. */
function appendArcs(curve: Cubic, { tolerance, least }: Limits, arcs: Arc[]): boolean {
  const [endX, endY] = [curve[6]!, curve[7]!];
  if (isStraight(curve, tolerance)) {
    arcs.push({ x: endX, y: endY, bulge: 0 });
    return true;
  }
  const pair = biarc(curve);
  if (pair && isLong(curve, pair, least) && fits(curve, pair[0], pair[1], tolerance)) {
    arcs.push(pair[0], pair[1]);
    return true;
  }
  if (least === 0 || distance(endX - curve[0]!, endY - curve[1]!) < least / 2) return false;
  const one = arcThroughMiddle(curve);
  if (lengthOf(curve) >= SHORT * least && !fits(curve, one, undefined, tolerance)) return false;
  arcs.push(one);
  return true;
}

/** `Math.hypot` keeps digits that lengths in mm do not need, and takes five times as long. */
const distance = (dx: number, dy: number): number => Math.sqrt(dx * dx + dy * dy);

/** True where both arcs are as long as `least`: a chord is no longer than its arc. */
const isLong = (curve: Cubic, [{ x, y }, end]: readonly [Arc, Arc], least: number): boolean =>
  Math.min(distance(x - curve[0]!, y - curve[1]!), distance(end.x - x, end.y - y)) >= least;

/** Returns the length of a curve: the mean of its chord and its control polygon. */
function lengthOf(curve: Cubic): number {
  const side = (a: number, b: number) => distance(curve[b]! - curve[a]!, curve[b + 1]! - curve[a + 1]!);
  return (side(0, 6) + side(0, 2) + side(2, 4) + side(4, 6)) / 2;
}

/** Returns the arc from end to end through the point halfway along the curve, of a half circle at most. */
function arcThroughMiddle(curve: Cubic): Arc {
  const [x0, y0, x3, y3] = [curve[0]!, curve[1]!, curve[6]!, curve[7]!];
  const [dx, dy] = [x3 - x0, y3 - y0];
  const square = dx * dx + dy * dy;
  const middleX = (x0 + 3 * curve[2]! + 3 * curve[4]! + x3) / 8;
  const middleY = (y0 + 3 * curve[3]! + 3 * curve[5]! + y3) / 8;
  // The arc bulges to the right of its chord for a positive bulge, with y up.
  const bulge = (2 * ((middleX - x0) * dy - (middleY - y0) * dx)) / square;
  return { x: x3, y: y3, bulge: Math.max(-1, Math.min(1, bulge)) };
}

/** True when the control points lie between the ends, so near their line that the curve is one. */
function isStraight(curve: Cubic, tolerance: number): boolean {
  const [x0, y0] = [curve[0]!, curve[1]!];
  const [dx, dy] = [curve[6]! - x0, curve[7]! - y0];
  const [dx1, dy1, dx2, dy2] = [curve[2]! - x0, curve[3]! - y0, curve[4]! - x0, curve[5]! - y0];
  const length = distance(dx, dy);
  if (length < 1e-9) return Math.max(distance(dx1, dy1), distance(dx2, dy2)) < tolerance;
  const across = Math.max(Math.abs(dx1 * dy - dy1 * dx), Math.abs(dx2 * dy - dy2 * dx)) / length;
  // A cubic is at most 3/4 as far from its chord as its control points are. Half the tolerance keeps areas exact.
  if (across * 0.75 > tolerance / 2) return false;
  const [along1, along2] = [(dx1 * dx + dy1 * dy) / length, (dx2 * dx + dy2 * dy) / length];
  return Math.min(along1, along2) >= -tolerance && Math.max(along1, along2) <= length + tolerance;
}

/** Returns two arcs with the curve's ends and end tangents; undefined where none are shorter than half circles. */
function biarc(curve: Cubic): [Arc, Arc] | undefined {
  const [x0, y0, x3, y3] = [curve[0]!, curve[1]!, curve[6]!, curve[7]!];
  const from = direction(curve, 1);
  const to = direction(curve, -1);
  if (!from || !to) return undefined;
  const [vx, vy] = [x3 - x0, y3 - y0];
  const [sumX, sumY] = [from.x + to.x, from.y + to.y];
  // |v - d (from + to)| = 2 d: the joint is as far from both tangents' corners.
  const a = sumX * sumX + sumY * sumY - 4;
  const b = -2 * (vx * sumX + vy * sumY);
  const c = vx * vx + vy * vy;
  const d = positiveRoot(a, b, c);
  if (d === undefined) return undefined;
  const joint = { x: (x0 + x3 + d * (from.x - to.x)) / 2, y: (y0 + y3 + d * (from.y - to.y)) / 2 };
  const first = bulgeFrom(from, joint.x - x0, joint.y - y0);
  // The second arc read backward starts against its end tangent, and turns the other way.
  const second = -bulgeFrom({ x: -to.x, y: -to.y }, joint.x - x3, joint.y - y3);
  if (!(Math.abs(first) <= 1 && Math.abs(second) <= 1)) return undefined;
  return [
    { ...joint, bulge: first },
    { x: x3, y: y3, bulge: second },
  ];
}

/** Returns the least root above 0 of a·d² + b·d + c with a <= 0 < c. */
function positiveRoot(a: number, b: number, c: number): number | undefined {
  if (Math.abs(a) < 1e-12) return b < 0 ? -c / b : undefined;
  const root = Math.sqrt(Math.max(0, b * b - 4 * a * c));
  const d = (2 * c) / (-b + root);
  return d > 0 && Number.isFinite(d) ? d : undefined;
}

/** Returns the bulge of the arc that starts in a direction (a unit vector) and ends `dx`, `dy` further. */
function bulgeFrom(start: { x: number; y: number }, dx: number, dy: number): number {
  const angle = Math.atan2(start.x * dy - start.y * dx, start.x * dx + start.y * dy);
  return Math.tan(angle / 2);
}

/** Returns the unit tangent at the start (1) or the end (-1), in the direction in which the curve runs. */
function direction(curve: Cubic, side: 1 | -1): { x: number; y: number } | undefined {
  const place = side === 1 ? 0 : 6;
  for (let step = 1; step <= 3; step++) {
    const other = place + 2 * step * side;
    const [dx, dy] = [curve[other]! - curve[place]!, curve[other + 1]! - curve[place + 1]!];
    const length = distance(dx, dy);
    // A handle of no length has the direction of the next point.
    if (length > 1e-9) return { x: (side * dx) / length, y: (side * dy) / length };
  }
  return undefined;
}

/** True where probes of a curve lie within the tolerance of one arc from its start, or of two. */
function fits(curve: Cubic, first: Arc, second: Arc | undefined, tolerance: number): boolean {
  const [x0, y0] = [curve[0]!, curve[1]!];
  firstReach.set(x0, y0, first);
  if (second) secondReach.set(first.x, first.y, second);
  for (const t of PROBES) {
    const s = 1 - t;
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    const x = a * x0 + b * curve[2]! + c * curve[4]! + d * curve[6]!;
    const y = a * y0 + b * curve[3]! + c * curve[5]! + d * curve[7]!;
    if (firstReach.to(x, y) > tolerance && !(second && secondReach.to(x, y) <= tolerance)) return false;
  }
  return true;
}

/** The distance of points from an arc of a half circle at most. */
class ArcReach {
  #fromX = 0;
  #fromY = 0;
  #x = 0;
  #y = 0;
  #chord = 0;
  #centerX = 0;
  #centerY = 0;
  /** 0 for a line. */
  #radius = 0;

  set(fromX: number, fromY: number, { x, y, bulge }: Arc): void {
    [this.#fromX, this.#fromY, this.#x, this.#y] = [fromX, fromY, x, y];
    const [dx, dy] = [x - fromX, y - fromY];
    const chord = distance(dx, dy);
    this.#chord = chord;
    const height = (bulge * chord) / 2;
    this.#radius = 0;
    if (chord < 1e-9 || Math.abs(height) < 1e-7) return;
    const radius = (chord * chord) / (8 * height) + height / 2;
    this.#radius = Math.abs(radius);
    // Left of the chord for a counterclockwise arc (y up): the center of a bulge of 1 is the chord's middle.
    const toCenter = (radius - height) / chord;
    this.#centerX = (fromX + x) / 2 - dy * toCenter;
    this.#centerY = (fromY + y) / 2 + dx * toCenter;
  }

  to(px: number, py: number): number {
    const [dx, dy, chord] = [this.#x - this.#fromX, this.#y - this.#fromY, this.#chord];
    const [toX, toY] = [px - this.#fromX, py - this.#fromY];
    // The farthest that an arc up to a half circle reaches from the middle of its chord is half the chord.
    const along = chord < 1e-9 ? Infinity : (toX * dx + toY * dy) / chord;
    if (along < -1e-9 || along > chord + 1e-9) {
      return Math.min(distance(toX, toY), distance(px - this.#x, py - this.#y));
    }
    if (this.#radius === 0) return Math.abs(toX * dy - toY * dx) / chord;
    return Math.abs(distance(px - this.#centerX, py - this.#centerY) - this.#radius);
  }
}

const firstReach = new ArcReach();
const secondReach = new ArcReach();

/** Cuts a cubic at its middle (de Casteljau): the first half goes to `left`, the second one stays. */
function halve(curve: Float64Array, left: Float64Array): void {
  for (let axis = 0; axis < 2; axis++) {
    const [p0, p1, p2, p3] = [curve[axis]!, curve[2 + axis]!, curve[4 + axis]!, curve[6 + axis]!];
    const [a, b, c] = [(p0 + p1) / 2, (p1 + p2) / 2, (p2 + p3) / 2];
    const [d, e] = [(a + b) / 2, (b + c) / 2];
    left[axis] = p0;
    left[2 + axis] = a;
    left[4 + axis] = d;
    left[6 + axis] = (d + e) / 2;
    curve[axis] = (d + e) / 2;
    curve[2 + axis] = e;
    curve[4 + axis] = c;
  }
}
