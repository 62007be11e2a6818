import type { Fit } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';
import { cubic, fitCubic, tameHandles } from './cubic.ts';
import { unit } from './lines.ts';
import type { Strand } from './strand.ts';

/** A cubic through fewer points than this has only a plain bend to offer. */
const FEW = 5;

/**
 * As few cubics as the tolerance allows through points a..b, from (x0, y0) to (x3, y3). Directions that are NaN are free. Each cubic
 * is made as long as it can be; then the nodes between move to where the worse of their two sides is best, and both sides get one
 * direction there. Gives up, with infinite badness, once it needs more than `most` cubics.
 */
export function fitSmooth(
  strand: Strand,
  a: number,
  b: number,
  x0: number,
  y0: number,
  tx0: number,
  ty0: number,
  x3: number,
  y3: number,
  tx3: number,
  ty3: number,
  out: Fit,
  most = Infinity,
  isLoop = false,
): void {
  if (b < a) {
    out.segments.push(lineTo(x3, y3));
    return;
  }
  const nodes: number[] = [];
  const nodeX: number[] = [x0];
  const nodeY: number[] = [y0];
  let i = a;
  let px = x0;
  let py = y0;
  let tx = tx0;
  let ty = ty0;
  for (;;) {
    const mustSplit = isLoop && nodes.length === 0;
    if (!mustSplit && (fitCubic(strand, i, b, px, py, tx, ty, x3, y3, tx3, ty3, 4) <= 1 || b - i < 3)) break;
    let good = Math.min(i + 2, b - 1);
    let bad = mustSplit ? Math.max(good + 1, i + Math.floor((b - i) * 0.6)) : b;
    let step = 6;
    while (i + step < bad) {
      const j = i + step;
      smoothAt(strand, j);
      if (fitCubic(strand, i, j - 1, px, py, tx, ty, at.x, at.y, NaN, NaN, 3, 1) <= 1) {
        good = j;
        step *= 2;
      } else {
        bad = j;
        break;
      }
    }
    while (bad - good > 1) {
      const middle = (good + bad) >> 1;
      smoothAt(strand, middle);
      if (fitCubic(strand, i, middle - 1, px, py, tx, ty, at.x, at.y, NaN, NaN, 3, 1) <= 1) good = middle;
      else bad = middle;
    }
    smoothAt(strand, good);
    nodes.push(good);
    px = at.x;
    py = at.y;
    nodeX.push(px);
    nodeY.push(py);
    tx = NaN;
    ty = NaN;
    i = good + 1;
    if (nodes.length >= most) {
      out.badness = Infinity;
      return;
    }
    if (i > b) break;
  }
  nodeX.push(x3);
  nodeY.push(y3);

  // Each node may move back towards the node before it, where that makes the worse side better.
  for (let k = nodes.length - 1; k >= 0; k--) {
    const before = k === 0 ? a - 1 : nodes[k - 1];
    const after = k === nodes.length - 1 ? b + 1 : nodes[k + 1];
    let best = Infinity;
    let bestNode = nodes[k];
    const span = nodes[k] - before;
    for (const back of [0, 0.12, 0.25, 0.4, 0.55]) {
      const j = nodes[k] - Math.floor(span * back);
      if (j <= before + 1 || j >= after - 1) continue;
      smoothAt(strand, j);
      const sx = at.x;
      const sy = at.y;
      const left = fitCubic(
        strand,
        before + 1,
        j - 1,
        nodeX[k],
        nodeY[k],
        k === 0 ? tx0 : NaN,
        k === 0 ? ty0 : NaN,
        sx,
        sy,
        NaN,
        NaN,
        3,
      );
      if (left >= best) continue;
      const right = fitCubic(
        strand,
        j + 1,
        after - 1,
        sx,
        sy,
        NaN,
        NaN,
        nodeX[k + 2],
        nodeY[k + 2],
        k === nodes.length - 1 ? tx3 : NaN,
        k === nodes.length - 1 ? ty3 : NaN,
        3,
      );
      const worse = Math.max(left, right);
      if (worse < best) {
        best = worse;
        bestNode = j;
      }
      if (right > left) break; // farther back the right side only grows
    }
    if (bestNode !== nodes[k]) {
      nodes[k] = bestNode;
      smoothAt(strand, bestNode);
      nodeX[k + 1] = at.x;
      nodeY[k + 1] = at.y;
    }
  }

  // One direction at each node: the mean of what the two sides want, the longer one counting more.
  const count = nodes.length;
  const dirX: number[] = [tx0];
  const dirY: number[] = [ty0];
  for (let k = 0; k < count; k++) {
    const before = k === 0 ? a - 1 : nodes[k - 1];
    const after = k === count - 1 ? b + 1 : nodes[k + 1];
    fitCubic(
      strand,
      before + 1,
      nodes[k] - 1,
      nodeX[k],
      nodeY[k],
      dirX[k],
      dirY[k],
      nodeX[k + 1],
      nodeY[k + 1],
      NaN,
      NaN,
      4,
    );
    const left = unit(nodeX[k + 1] - cubic.x2, nodeY[k + 1] - cubic.y2);
    fitCubic(
      strand,
      nodes[k] + 1,
      after - 1,
      nodeX[k + 1],
      nodeY[k + 1],
      NaN,
      NaN,
      nodeX[k + 2],
      nodeY[k + 2],
      k === count - 1 ? tx3 : NaN,
      k === count - 1 ? ty3 : NaN,
      4,
    );
    const right = unit(cubic.x1 - nodeX[k + 1], cubic.y1 - nodeY[k + 1]);
    // Candidates between the two wishes; the one both sides can live with wins.
    let best = Infinity;
    let bestX = left.x;
    let bestY = left.y;
    for (const share of [0.5, 0.25, 0.75, 0, 1]) {
      const d = unit(left.x * (1 - share) + right.x * share, left.y * (1 - share) + right.y * share);
      const l = fitCubic(
        strand,
        before + 1,
        nodes[k] - 1,
        nodeX[k],
        nodeY[k],
        dirX[k],
        dirY[k],
        nodeX[k + 1],
        nodeY[k + 1],
        d.x,
        d.y,
        3,
      );
      if (l >= best) continue;
      const r = fitCubic(
        strand,
        nodes[k] + 1,
        after - 1,
        nodeX[k + 1],
        nodeY[k + 1],
        d.x,
        d.y,
        nodeX[k + 2],
        nodeY[k + 2],
        k === count - 1 ? tx3 : NaN,
        k === count - 1 ? ty3 : NaN,
        3,
      );
      const worse = Math.max(l, r);
      if (worse < best) {
        best = worse;
        bestX = d.x;
        bestY = d.y;
      }
      if (best < 0.5) break;
    }
    dirX.push(bestX);
    dirY.push(bestY);
  }
  dirX.push(tx3);
  dirY.push(ty3);
  for (let k = 0; k <= count; k++) {
    const first = k === 0 ? a : nodes[k - 1] + 1;
    const last = k === count ? b : nodes[k] - 1;
    const bad = fitCubic(
      strand,
      first,
      last,
      nodeX[k],
      nodeY[k],
      dirX[k],
      dirY[k],
      nodeX[k + 1],
      nodeY[k + 1],
      dirX[k + 1],
      dirY[k + 1],
      6,
    );
    if (last - first < FEW) tameHandles(nodeX[k], nodeY[k], nodeX[k + 1], nodeY[k + 1]);
    out.badness += Math.max(0, bad);
    out.segments.push({
      isLine: false,
      x1: cubic.x1,
      y1: cubic.y1,
      x2: cubic.x2,
      y2: cubic.y2,
      x: nodeX[k + 1],
      y: nodeY[k + 1],
    });
  }
}

/** Where `smoothAt` put the point, and the direction there. */
export const at = { x: 0, y: 0, dx: 0, dy: 0 };

/** Puts the smoothed position and direction of point j into `at`: a parabola through as many points around it as one fits. */
export function smoothAt(strand: Strand, j: number): void {
  const { x, y, n, jitter } = strand;
  at.x = x[j];
  at.y = y[j];
  const rough = unit(
    x[Math.min(n - 1, j + 1)] - x[Math.max(0, j - 1)],
    y[Math.min(n - 1, j + 1)] - y[Math.max(0, j - 1)],
  );
  at.dx = rough.x;
  at.dy = rough.y;
  const most = Math.min(8, j, n - 1 - j);
  for (let reach = most; reach >= 2; reach = reach > 5 ? 5 : reach > 3 ? 3 : reach - 1) {
    const dx0 = x[j + reach] - x[j - reach];
    const dy0 = y[j + reach] - y[j - reach];
    const length = Math.hypot(dx0, dy0);
    if (length < 1e-9) continue;
    const dx = dx0 / length;
    const dy = dy0 / length;
    let m = 0;
    let u1 = 0;
    let u2 = 0;
    let u3 = 0;
    let u4 = 0;
    let e0 = 0;
    let e1 = 0;
    let e2 = 0;
    let ee = 0;
    for (let k = j - reach; k <= j + reach; k++) {
      const u = (x[k] - x[j]) * dx + (y[k] - y[j]) * dy;
      const e = (y[k] - y[j]) * dx - (x[k] - x[j]) * dy;
      const uu = u * u;
      m++;
      u1 += u;
      u2 += uu;
      u3 += uu * u;
      u4 += uu * uu;
      e0 += e;
      e1 += e * u;
      e2 += e * uu;
      ee += e * e;
    }
    const d0 = u2 * u4 - u3 * u3;
    const d1 = u1 * u4 - u2 * u3;
    const d2 = u1 * u3 - u2 * u2;
    const determinant = m * d0 - u1 * d1 + u2 * d2;
    if (Math.abs(determinant) < 1e-9) continue;
    const c0 = (e0 * d0 - e1 * d1 + e2 * d2) / determinant;
    const c1 = (-e0 * d1 + e1 * (m * u4 - u2 * u2) - e2 * (m * u3 - u1 * u2)) / determinant;
    const c2 = (e0 * d2 - e1 * (m * u3 - u1 * u2) + e2 * (m * u2 - u1 * u1)) / determinant;
    const rest = (ee - c0 * e0 - c1 * e1 - c2 * e2) / m;
    if (reach > 2 && rest > 1.7 * jitter * jitter + 1e-4) continue;
    at.x = x[j] - dy * c0;
    at.y = y[j] + dx * c0;
    const slope = Math.hypot(1, c1);
    at.dx = (dx - dy * c1) / slope;
    at.dy = (dy + dx * c1) / slope;
    return;
  }
}
