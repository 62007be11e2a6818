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
type Cubic = readonly number[];

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
  fitPiece(curve, { tolerance, least }, 0, arcs);
  return arcs;
}

function fitPiece(
  curve: Cubic,
  limits: { readonly tolerance: number; readonly least: number },
  depth: number,
  arcs: Arc[],
): void {
  const { tolerance, least } = limits;
  const [endX, endY] = [curve[6]!, curve[7]!];
  if (isStraight(curve, tolerance) || depth === MAX_DEPTH) {
    arcs.push({ x: endX, y: endY, bulge: 0 });
    return;
  }
  const pair = biarc(curve);
  if (pair && fits(curve, pair, tolerance) && isLong(curve, pair, least)) {
    arcs.push(...pair);
    return;
  }
  const doesReturn = Math.hypot(endX - curve[0]!, endY - curve[1]!) < least / 2;
  if (least > 0 && !doesReturn) {
    const one = arcThroughMiddle(curve);
    if (lengthOf(curve) < SHORT * least || fits(curve, [one], tolerance)) {
      arcs.push(one);
      return;
    }
  }
  const [left, right] = halve(curve);
  fitPiece(left, limits, depth + 1, arcs);
  fitPiece(right, limits, depth + 1, arcs);
}

/** True where both arcs are as long as `least`: a chord is no longer than its arc. */
const isLong = ([x0, y0]: Cubic, [{ x, y }, end]: readonly [Arc, Arc], least: number): boolean =>
  Math.min(Math.hypot(x - x0!, y - y0!), Math.hypot(end.x - x, end.y - y)) >= least;

/** Returns the length of a curve: the mean of its chord and its control polygon. */
function lengthOf(curve: Cubic): number {
  const side = (a: number, b: number) => Math.hypot(curve[b]! - curve[a]!, curve[b + 1]! - curve[a + 1]!);
  return (side(0, 6) + side(0, 2) + side(2, 4) + side(4, 6)) / 2;
}

/** Returns the arc from end to end through the point halfway along the curve, of a half circle at most. */
function arcThroughMiddle(curve: Cubic): Arc {
  const [x0, y0, x3, y3] = [curve[0]!, curve[1]!, curve[6]!, curve[7]!];
  const [dx, dy] = [x3 - x0, y3 - y0];
  const square = dx * dx + dy * dy;
  const [middleX, middleY] = [0, 1].map((axis) => {
    const [a, b, c, d] = [curve[axis]!, curve[2 + axis]!, curve[4 + axis]!, curve[6 + axis]!];
    return (a + 3 * b + 3 * c + d) / 8;
  }) as [number, number];
  // The arc bulges to the right of its chord for a positive bulge, with y up.
  const bulge = (2 * ((middleX - x0) * dy - (middleY - y0) * dx)) / square;
  return { x: x3, y: y3, bulge: Math.max(-1, Math.min(1, bulge)) };
}

/** True when the control points lie between the ends, so near their line that the curve is one. */
function isStraight([x0, y0, x1, y1, x2, y2, x3, y3]: Cubic, tolerance: number): boolean {
  const [dx, dy] = [x3! - x0!, y3! - y0!];
  const length = Math.hypot(dx, dy);
  if (length < 1e-9) {
    const reach = Math.max(Math.hypot(x1! - x0!, y1! - y0!), Math.hypot(x2! - x0!, y2! - y0!));
    return reach < tolerance;
  }
  const along = (x: number, y: number) => ((x - x0!) * dx + (y - y0!) * dy) / length;
  const across = (x: number, y: number) => Math.abs((x - x0!) * dy - (y - y0!) * dx) / length;
  const isBetween = (x: number, y: number) => along(x, y) >= -tolerance && along(x, y) <= length + tolerance;
  // A cubic is at most 3/4 as far from its chord as its control points are. Half the tolerance keeps areas exact.
  const isNear = Math.max(across(x1!, y1!), across(x2!, y2!)) * 0.75 <= tolerance / 2;
  return isNear && isBetween(x1!, y1!) && isBetween(x2!, y2!);
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
    const length = Math.hypot(dx, dy);
    // A handle of no length has the direction of the next point.
    if (length > 1e-9) return { x: (side * dx) / length, y: (side * dy) / length };
  }
  return undefined;
}

function fits(curve: Cubic, [first, second = first]: readonly [Arc, Arc?], tolerance: number): boolean {
  const [x0, y0] = [curve[0]!, curve[1]!];
  const firstDistance = distanceTo(x0, y0, first);
  const secondDistance = second === first ? firstDistance : distanceTo(first.x, first.y, second);
  return PROBES.every((t) => {
    const s = 1 - t;
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    const x = a * x0 + b * curve[2]! + c * curve[4]! + d * curve[6]!;
    const y = a * y0 + b * curve[3]! + c * curve[5]! + d * curve[7]!;
    return Math.min(firstDistance(x, y), secondDistance(x, y)) <= tolerance;
  });
}

/** Returns the distance of a point from an arc, which is taken as infinitely far beyond its ends. */
function distanceTo(fromX: number, fromY: number, { x, y, bulge }: Arc): (px: number, py: number) => number {
  const [dx, dy] = [x - fromX, y - fromY];
  const chord = Math.hypot(dx, dy);
  if (chord < 1e-9) return (px, py) => Math.hypot(px - x, py - y);
  const height = (bulge * chord) / 2;
  // The farthest that an arc up to a half circle reaches from the middle of its chord is half the chord.
  const [middleX, middleY] = [(fromX + x) / 2, (fromY + y) / 2];
  const isBeyond = (px: number, py: number) => {
    const along = ((px - middleX) * dx + (py - middleY) * dy) / chord;
    return Math.abs(along) > chord / 2 + 1e-9;
  };
  const toEnd = (px: number, py: number) => Math.min(Math.hypot(px - fromX, py - fromY), Math.hypot(px - x, py - y));
  if (Math.abs(height) < 1e-7) {
    return (px, py) => (isBeyond(px, py) ? toEnd(px, py) : Math.abs((px - fromX) * dy - (py - fromY) * dx) / chord);
  }
  const radius = (chord * chord) / (8 * height) + height / 2;
  // Left of the chord for a counterclockwise arc (y up): the center of a bulge of 1 is the chord's middle.
  const toCenter = radius - height;
  const [centerX, centerY] = [middleX - (dy / chord) * toCenter, middleY + (dx / chord) * toCenter];
  return (px, py) =>
    isBeyond(px, py) ? toEnd(px, py) : Math.abs(Math.hypot(px - centerX, py - centerY) - Math.abs(radius));
}

/** Cuts a cubic at its middle (de Casteljau). */
function halve(curve: Cubic): [Cubic, Cubic] {
  const left: number[] = new Array(8);
  const right: number[] = new Array(8);
  for (const axis of [0, 1] as const) {
    const [p0, p1, p2, p3] = [curve[axis]!, curve[2 + axis]!, curve[4 + axis]!, curve[6 + axis]!];
    const [a, b, c] = [(p0 + p1) / 2, (p1 + p2) / 2, (p2 + p3) / 2];
    const [d, e] = [(a + b) / 2, (b + c) / 2];
    const middle = (d + e) / 2;
    [p0, a, d, middle].forEach((value, i) => {
      left[2 * i + axis] = value;
    });
    [middle, e, c, p3].forEach((value, i) => {
      right[2 * i + axis] = value;
    });
  }
  return [left, right];
}
