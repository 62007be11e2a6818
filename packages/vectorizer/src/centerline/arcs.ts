import { hypot } from '../geometry/hypot.ts';
import type { Arc, Curve, Segment } from '../geometry/segment.ts';

/** Joints that turn by more than this, in radians, are corners and never lie within an arc. */
const MOST_KINK = 0.12;
/** Arcs that sweep less than this, in radians, stay cubics, as their circle is ill-determined. */
const LEAST_SWEEP = 0.35;
/** Sample points per cubic. */
const SAMPLES = 6;

/**
 * Replaces runs of cubics that follow a circle to within `tolerance` px by circular arcs, which need one command each.
 * Each arc starts and ends where the run did; its radius is the least-squares one.
 */
export function joinArcs(curve: Curve, isClosed: boolean, tolerance: number): Curve {
  const { segments } = curve;
  const startX = (k: number): number => (k > 0 ? segments[k - 1].x : curve.x);
  const startY = (k: number): number => (k > 0 ? segments[k - 1].y : curve.y);
  if (isClosed && segments.length > 1 && segments.every((segment) => !segment.isLine)) {
    const circle = fitCircle(curve, 0, segments.length - 1, tolerance);
    const first = segments[0];
    const last = segments[segments.length - 1];
    if (circle && Math.abs(circle.sweep) > 6.2 && kink(last, curve.x, curve.y, last, first) < MOST_KINK) {
      return drawCircle(circle);
    }
  }
  const out: Segment[] = [];
  for (let k = 0; k < segments.length; ) {
    let best: Circle | undefined;
    let end = k;
    for (let j = k; j < segments.length && !segments[j].isLine; j++) {
      if (j > k && kink(segments[j - 1], startX(j - 1), startY(j - 1), segments[j - 1], segments[j]) > MOST_KINK) break;
      const circle = fitCircle(curve, k, j, tolerance);
      // One cubic may be too short to show a circle; three cubics that follow none will not follow one later.
      if (!circle && j > k + 1) break;
      if (!circle || Math.abs(circle.sweep) < LEAST_SWEEP || Math.abs(circle.sweep) > 5.8) continue;
      best = circle;
      end = j;
    }
    if (best) drawArc(best, startX(k), startY(k), segments[end].x, segments[end].y, out);
    else out.push(segments[k]);
    k = end + 1;
  }
  return { x: curve.x, y: curve.y, segments: out };
}

/** Returns the angle between the end of a segment, which starts at (x, y), and the start of the next. */
function kink(segment: Segment, x: number, y: number, from: Segment, to: Segment): number {
  let ux = segment.x - segment.x2;
  let uy = segment.y - segment.y2;
  if (hypot(ux, uy) < 1e-6) {
    ux = segment.x - x;
    uy = segment.y - y;
  }
  const vx = to.x1 - from.x;
  const vy = to.y1 - from.y;
  return Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
}

interface Circle {
  x: number;
  y: number;
  radius: number;
  /** Angle from the start of the run to its end, in radians, positive clockwise on the screen. */
  sweep: number;
}

/** Returns the circle that segments first..last follow to within the tolerance, if there is one. */
function fitCircle(curve: Curve, first: number, last: number, tolerance: number): Circle | undefined {
  const px: number[] = [];
  const py: number[] = [];
  let x0 = first > 0 ? curve.segments[first - 1].x : curve.x;
  let y0 = first > 0 ? curve.segments[first - 1].y : curve.y;
  for (let k = first; k <= last; k++) {
    const { x1, y1, x2, y2, x, y } = curve.segments[k];
    for (let n = k === first ? 0 : 1; n <= SAMPLES; n++) {
      const v = n / SAMPLES;
      const u = 1 - v;
      px.push(u * u * u * x0 + 3 * u * u * v * x1 + 3 * u * v * v * x2 + v * v * v * x);
      py.push(u * u * u * y0 + 3 * u * u * v * y1 + 3 * u * v * v * y2 + v * v * v * y);
    }
    x0 = x;
    y0 = y;
  }
  // Least squares of x² + y² = 2ax + 2by + c (Kåsa 1976), around the mean.
  const n = px.length;
  let mx = 0;
  let my = 0;
  for (let k = 0; k < n; k++) {
    mx += px[k] / n;
    my += py[k] / n;
  }
  let uu = 0;
  let uv = 0;
  let vv = 0;
  let ru = 0;
  let rv = 0;
  let square = 0;
  for (let k = 0; k < n; k++) {
    const u = px[k] - mx;
    const v = py[k] - my;
    const s = u * u + v * v;
    uu += u * u;
    uv += u * v;
    vv += v * v;
    ru += (s * u) / 2;
    rv += (s * v) / 2;
    square += s / n;
  }
  const determinant = uu * vv - uv * uv;
  if (!(determinant > 1e-9 * square * square)) return undefined;
  const a = (ru * vv - rv * uv) / determinant;
  const b = (rv * uu - ru * uv) / determinant;
  const leastSquares = { x: mx + a, y: my + b, radius: Math.sqrt(square + a * a + b * b), sweep: 0 };
  const { x, y } = leastSquares;
  for (let k = 1; k < n; k++) {
    const ux = px[k - 1] - x;
    const uy = py[k - 1] - y;
    const vx = px[k] - x;
    const vy = py[k] - y;
    leastSquares.sweep += Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy);
  }
  const isWhole = Math.abs(leastSquares.sweep) > 6.2;
  const circle = isWhole ? leastSquares : throughEnds(leastSquares, px[0], py[0], px[n - 1], py[n - 1]);
  if (!circle) return undefined;
  for (let k = 0; k < n; k++) {
    if (Math.abs(hypot(px[k] - circle.x, py[k] - circle.y) - circle.radius) > tolerance) return undefined;
  }
  return circle;
}

function drawCircle({ x, y, radius, sweep }: Circle): Curve {
  const segments: Segment[] = [];
  const turn = sweep > 0 ? 1 : -1;
  for (const half of [0, 1]) {
    const arc = { radius, sweep: turn * Math.PI };
    addCubics(x, y, half * turn * Math.PI, arc, 2, segments);
  }
  const start = { x: x + radius, y };
  segments[segments.length - 1].x = start.x;
  segments[segments.length - 1].y = start.y;
  return { ...start, segments };
}

/**
 * Returns the circle through the ends of a run that has the same height over the chord as the fitted circle. The ends
 * of a long arc hardly affect its radius, so the height must be right.
 */
function throughEnds(circle: Circle, x0: number, y0: number, x3: number, y3: number): Circle | undefined {
  const chord = hypot(x3 - x0, y3 - y0);
  if (chord < 1e-3) return undefined;
  const turn = circle.sweep > 0 ? 1 : -1;
  const nx = (turn * (y3 - y0)) / chord;
  const ny = (-turn * (x3 - x0)) / chord;
  const height = (circle.x - (x0 + x3) / 2) * nx + (circle.y - (y0 + y3) / 2) * ny + circle.radius;
  if (!(height > 1e-3)) return undefined;
  const radius = (height * height + (chord * chord) / 4) / (2 * height);
  const sweep = turn * 4 * Math.atan2(height, chord / 2);
  return { x: (x0 + x3) / 2 + nx * (height - radius), y: (y0 + y3) / 2 + ny * (height - radius), radius, sweep };
}

function drawArc(
  { x, y, radius, sweep }: Circle,
  x0: number,
  y0: number,
  x3: number,
  y3: number,
  out: Segment[],
): void {
  const count = Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9);
  addCubics(x, y, Math.atan2(y0 - y, x0 - x), { radius, sweep }, count, out);
  out[out.length - 1].x = x3;
  out[out.length - 1].y = y3;
}

function addCubics(x: number, y: number, from: number, arc: Arc, count: number, out: Segment[]): void {
  const step = arc.sweep / count;
  const handle = (4 / 3) * Math.tan(step / 4) * arc.radius;
  for (let k = 0; k < count; k++) {
    const a = from + k * step;
    const b = a + step;
    const [ax, ay, bx, by] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
    out.push({
      isLine: false,
      x1: x + arc.radius * ax - handle * ay,
      y1: y + arc.radius * ay + handle * ax,
      x2: x + arc.radius * bx + handle * by,
      y2: y + arc.radius * by - handle * bx,
      x: x + arc.radius * bx,
      y: y + arc.radius * by,
      arc,
    });
  }
}
