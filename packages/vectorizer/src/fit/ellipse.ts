import { hypot } from '../geometry/hypot.ts';
import { solve } from '../geometry/linear.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import type { Strand } from './strand.ts';

/** Handle length of a quarter circle of radius 1. */
const CIRCLE_HANDLE = 0.5519;

/**
 * Returns an axis-aligned ellipse or a circle if the loop of n points is one, by least squares of x² + Ay² + Bx + Cy +
 * D = 0 around the mean, under the same tolerance as any other fit. It has four cubics, with nodes at the extremes.
 */
export function fitEllipse(strand: Strand, n: number): Curve | undefined {
  const { x, y, w } = strand;
  let mx = 0;
  let my = 0;
  for (let k = 0; k < n; k++) {
    mx += x[k] / n;
    my += y[k] / n;
  }
  const rows = new Float64Array(20); // 4 × 4 normal equations and the right-hand side
  const term = new Float64Array(5);
  for (let k = 0; k < n; k++) {
    const u = x[k] - mx;
    const v = y[k] - my;
    term[0] = v * v;
    term[1] = u;
    term[2] = v;
    term[3] = 1;
    term[4] = -u * u;
    for (let i = 0; i < 4; i++) for (let j = 0; j < 5; j++) rows[i * 5 + j] += w[k] * term[i] * term[j];
  }
  if (!solve(rows, 4, 1)) return undefined;
  const a = rows[4];
  const cx = -rows[9] / 2;
  const cy = -rows[14] / (2 * a);
  const square = cx * cx + a * cy * cy - rows[19];
  if (!(a > 0.04 && a < 25 && square > 0)) return undefined;
  let rx = Math.sqrt(square);
  let ry = Math.sqrt(square / a);
  if (Math.abs(rx - ry) < 2 * strand.jitter) rx = ry = (rx + ry) / 2;

  let sum = 0;
  let run = 0;
  let worst = 0;
  for (let k = 0; k < n; k++) {
    const u = (x[k] - mx - cx) / rx;
    const v = (y[k] - my - cy) / ry;
    const off = ((hypot(u, v) - 1) / (hypot(u / rx, v / ry) || 1)) * hypot(u, v) * w[k];
    run += (off - run) * 0.35;
    worst = Math.max(worst, Math.abs(run));
    sum += off * off;
  }
  if (worst > 1.2 * strand.tolerance || strand.excess(sum, n, 1) > 3) return undefined; // it replaces several nodes
  const x0 = mx + cx;
  const y0 = my + cy;
  const hx = rx * CIRCLE_HANDLE;
  const hy = ry * CIRCLE_HANDLE;
  const arc = (x1: number, y1: number, x2: number, y2: number, px: number, py: number): Segment => ({
    isLine: false,
    x1: x0 + x1,
    y1: y0 + y1,
    x2: x0 + x2,
    y2: y0 + y2,
    x: x0 + px,
    y: y0 + py,
  });
  const goesDown = strand.signedArea(n) > 0; // clockwise on the screen
  const down = goesDown ? 1 : -1;
  return {
    x: x0 + rx,
    y: y0,
    segments: [
      arc(rx, down * hy, hx, down * ry, 0, down * ry),
      arc(-hx, down * ry, -rx, down * hy, -rx, 0),
      arc(-rx, -down * hy, -hx, -down * ry, 0, -down * ry),
      arc(hx, -down * ry, rx, -down * hy, rx, 0),
    ],
  };
}
