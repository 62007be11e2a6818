import { hypot } from '../geometry/hypot.ts';
import type { BoundaryMap } from './boundary.ts';
import { OUTSIDE } from './boundary.ts';
import type { BoundaryPoints } from './locate.ts';

/**
 * Places each junction at the least-squares intersection of the lines through the ends of its chains. The lattice point
 * has a small weight, so that parallel chains leave the junction there.
 */
export function placeJunctions(map: BoundaryMap, points: BoundaryPoints): Float64Array {
  const { width, height, chains, junctions } = map;
  const stride = width + 1;
  const at = new Float64Array(junctions.length * 2);
  const sums = new Float64Array(junctions.length * 5); // xx, xy, yy, right-hand sides x and y
  for (let j = 0; j < junctions.length; j++) {
    const x = junctions[j] % stride;
    const y = (junctions[j] - x) / stride;
    at[j * 2] = x;
    at[j * 2 + 1] = y;
    sums[j * 5] = sums[j * 5 + 2] = 0.04;
  }
  const add = (j: number, nx: number, ny: number, px: number, py: number, weight: number): void => {
    const offset = nx * (px - at[j * 2]) + ny * (py - at[j * 2 + 1]);
    sums[j * 5] += weight * nx * nx;
    sums[j * 5 + 1] += weight * nx * ny;
    sums[j * 5 + 2] += weight * ny * ny;
    sums[j * 5 + 3] += weight * nx * offset;
    sums[j * 5 + 4] += weight * ny * offset;
  };
  chains.forEach((chain, index) => {
    if (chain.start < 0) return;
    for (const isStart of [true, false]) {
      const j = isStart ? chain.start : chain.end;
      const jx = at[j * 2];
      const jy = at[j * 2 + 1];
      if (chain.left === OUTSIDE || chain.right === OUTSIDE) {
        const next = map.path[isStart ? chain.from + 1 : chain.to - 1];
        const isVertical = next % stride === jx;
        add(j, isVertical ? 1 : 0, isVertical ? 0 : 1, jx, jy, 1e6);
        continue;
      }
      const first = points.from[index];
      const last = points.from[index + 1] - 1;
      let n = 0;
      let sx = 0;
      let sy = 0;
      let sxx = 0;
      let sxy = 0;
      let syy = 0;
      const step = isStart ? 1 : -1;
      for (let k = isStart ? first : last; k >= first && k <= last; k += step) {
        const dx = points.x[k] - jx;
        const dy = points.y[k] - jy;
        const far = hypot(dx, dy);
        if (far < 1.3) continue;
        if (far > 5.5 && n >= 3) break;
        n++;
        sx += dx;
        sy += dy;
        sxx += dx * dx;
        sxy += dx * dy;
        syy += dy * dy;
        if (n >= 6) break;
      }
      if (n < 2) continue;
      sx /= n;
      sy /= n;
      const angle = 0.5 * Math.atan2(2 * (sxy / n - sx * sy), sxx / n - sx * sx - (syy / n - sy * sy));
      add(j, -Math.sin(angle), Math.cos(angle), jx + sx, jy + sy, 1);
    }
  });
  for (let j = 0; j < junctions.length; j++) {
    const xx = sums[j * 5];
    const xy = sums[j * 5 + 1];
    const yy = sums[j * 5 + 2];
    const determinant = xx * yy - xy * xy;
    let dx = (sums[j * 5 + 3] * yy - sums[j * 5 + 4] * xy) / determinant;
    let dy = (sums[j * 5 + 4] * xx - sums[j * 5 + 3] * xy) / determinant;
    const far = hypot(dx, dy);
    if (far > 1.4) {
      dx *= 1.4 / far;
      dy *= 1.4 / far;
    }
    at[j * 2] = Math.min(width, Math.max(0, at[j * 2] + dx));
    at[j * 2 + 1] = Math.min(height, Math.max(0, at[j * 2 + 1] + dy));
  }
  return at;
}
