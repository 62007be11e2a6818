import { hypot } from '../geometry/hypot.ts';
import type { Isometry } from '../geometry/isometry.ts';
import { compose, IDENTITY, invert, isFlip, mapX, mapY, mirroring, rotation } from '../geometry/isometry.ts';
import { solve } from '../geometry/linear.ts';
import type { Outline } from './outline.ts';

/** The highest order of a rotation that is looked for. */
const MOST_ORDER = 24;
/** An outline shorter than this, in px, says too little. */
export const LEAST_TOTAL = 30;
/** Points that a first look compares, and the share of them that may be farther off than this, in px. */
const PROBES = 48;
const ROUGH = 1.5;
const ROUGH_SHARE = 0.15;
/** Points that a map is fitted to and checked at, at most. */
const FIT_POINTS = 4000;
const CHECK_POINTS = 20_000;
const FIT_ROUNDS = 4;

/**
 * How near an outline must come to its image: 95 of 100 points within `most` px, and all within `FAR_SHARE` times that.
 */
const NEAR_QUANTILE = 0.95;
const FAR_SHARE = 2.5;

/** Returns true when the image of an outline under a map lies on `target` within `most` px. */
function liesOn(outline: Outline, map: Isometry, target: Outline, most: number): boolean {
  const step = Math.max(1, Math.floor(outline.count / CHECK_POINTS));
  const far = FAR_SHARE * most;
  let count = 0;
  let over = 0;
  for (let k = step >> 1; k < outline.count; k += step) {
    const px = mapX(map, outline.x[k], outline.y[k]);
    const py = mapY(map, outline.x[k], outline.y[k]);
    const near = target.nearest(px, py);
    const off = near < 0 ? Infinity : target.distance(near, px, py);
    if (off > far) return false;
    count++;
    if (off > most) over++;
  }
  return over <= (1 - NEAR_QUANTILE) * count;
}

/** Returns true when the image of an outline lies roughly on `target`, as some points of it show. */
function mayLieOn(outline: Outline, map: Isometry, target: Outline): boolean {
  let misses = 0;
  for (let probe = 0; probe < PROBES; probe++) {
    const k = Math.floor(((probe + 0.5) / PROBES) * outline.count);
    const px = mapX(map, outline.x[k], outline.y[k]);
    const py = mapY(map, outline.x[k], outline.y[k]);
    const near = target.nearest(px, py);
    if (near >= 0 && hypot(target.x[near] - px, target.y[near] - py) < ROUGH) continue;
    if (++misses > ROUGH_SHARE * PROBES) return false;
  }
  return true;
}

/** A map with parameters: its derivatives in them, as moves of the image of a point. */
interface Motion {
  map: Isometry;
  /** Writes the move in x and y for each of the parameters. */
  slopes(px: number, py: number, qx: number, qy: number, out: Float64Array): void;
}

/**
 * Returns the change of the parameters that brings the images of an outline nearest to `target`: least squares of the
 * distances across it (one Gauss–Newton step). Undefined when too few points are near.
 */
function fitMotions(
  outline: Outline,
  motions: readonly Motion[],
  target: Outline,
  size: number,
): Float64Array | undefined {
  const columns = size + 1;
  const rows = new Float64Array(size * columns);
  const moves = new Float64Array(2 * size);
  const across = new Float64Array(size);
  const step = Math.max(1, Math.floor((outline.count * motions.length) / FIT_POINTS));
  let count = 0;
  for (const { map, slopes } of motions) {
    for (let k = step >> 1; k < outline.count; k += step) {
      const qx = mapX(map, outline.x[k], outline.y[k]);
      const qy = mapY(map, outline.x[k], outline.y[k]);
      const near = target.nearest(qx, qy);
      if (near < 0) continue;
      const nx = -target.uy[near];
      const ny = target.ux[near];
      const off = (qx - target.x[near]) * nx + (qy - target.y[near]) * ny;
      if (Math.abs(off) > ROUGH) continue;
      count++;
      slopes(outline.x[k], outline.y[k], qx, qy, moves);
      for (let i = 0; i < size; i++) across[i] = moves[2 * i] * nx + moves[2 * i + 1] * ny;
      for (let i = 0; i < size; i++) {
        for (let j = 0; j < size; j++) rows[i * columns + j] += across[i] * across[j];
        rows[i * columns + size] -= across[i] * off;
      }
    }
  }
  if (count < (2 * PROBES) / 3) return undefined;
  // A parameter that the points do not determine stays.
  for (let i = 0; i < size; i++) rows[i * columns + i] += 1e-6 * count;
  if (!solve(rows, size, 1)) return undefined;
  return Float64Array.from({ length: size }, (_, i) => rows[i * columns + size]);
}

/** A cyclic group about (x, y), or a dihedral one when it has an axis. */
export interface Group {
  x: number;
  y: number;
  order: number;
  /** Direction of one axis, in radians. */
  axis: number | undefined;
}

/** Returns the maps of a group: rotations first, beginning with the identity, then mirrorings. */
export function toElements({ x, y, order, axis }: Group): Isometry[] {
  const turns = Array.from({ length: order }, (_, k) =>
    k === 0 ? IDENTITY : rotation(x, y, (2 * Math.PI * k) / order),
  );
  if (axis === undefined) return turns;
  return [...turns, ...turns.map((_, k) => mirroring(x, y, axis + (Math.PI * k) / order))];
}

/** Returns the largest group of rotations and mirrorings that keep an outline within `most` px, beyond the identity. */
export function findGroup(outline: Outline, most: number): Group | undefined {
  if (outline.total < LEAST_TOTAL) return undefined;
  const { x, y } = middleOf(outline);
  let turning: Group = { x, y, order: 1, axis: undefined };
  for (let order = MOST_ORDER; order > 1; order--) {
    if (!mayLieOn(outline, rotation(x, y, (2 * Math.PI) / order), outline)) continue;
    const group = fitGroup(outline, { x, y, order, axis: undefined });
    if (!group || !keeps(outline, group, most)) continue;
    turning = group;
    break;
  }
  for (const axis of findAxes(outline, turning)) {
    if (!mayLieOn(outline, mirroring(turning.x, turning.y, axis), outline)) continue;
    const group = fitGroup(outline, { ...turning, axis });
    if (!group) continue;
    const level = makeLevel(outline, group, most);
    if (keeps(outline, level, most)) return level;
    if (keeps(outline, group, most)) return group;
  }
  return turning.order > 1 ? turning : undefined;
}

function keeps(outline: Outline, group: Group, most: number): boolean {
  return toElements(group).every((map, k) => k === 0 || liesOn(outline, map, outline, most));
}

function middleOf({ x, y, length, count, total }: Outline): { x: number; y: number } {
  let mx = 0;
  let my = 0;
  for (let k = 0; k < count; k++) {
    mx += length[k] * x[k];
    my += length[k] * y[k];
  }
  return { x: mx / total, y: my / total };
}

/**
 * Returns directions that an axis through the middle may have. A mirroring keeps every angular moment, so an axis has
 * the phase of each. The two strongest moments name few directions, in a good order.
 */
function findAxes({ x, y, length, count }: Outline, { x: mx, y: my, order }: Group): number[] {
  const moments: { k: number; size: number; phase: number }[] = [];
  for (let k = 1; k <= MOST_ORDER; k++) {
    let re = 0;
    let im = 0;
    for (let i = 0; i < count; i++) {
      const dx = x[i] - mx;
      const dy = y[i] - my;
      const angle = k * Math.atan2(dy, dx);
      const weight = length[i] * (dx * dx + dy * dy);
      re += weight * Math.cos(angle);
      im += weight * Math.sin(angle);
    }
    if (k % order === 0) moments.push({ k, size: hypot(re, im), phase: Math.atan2(im, re) });
  }
  moments.sort((a, b) => b.size - a.size || a.k - b.k);
  const axes: number[] = [];
  for (const { k, phase } of moments.slice(0, 2)) {
    // With rotations, axes come in turns of half their angle.
    for (let j = 0; j < k / order; j++) axes.push((phase + j * Math.PI) / k);
  }
  return axes;
}

/** Moves the middle and the axis of a group until its maps keep the outline best. */
function fitGroup(outline: Outline, group: Group): Group | undefined {
  let { x, y, axis } = group;
  for (let round = 0; round < FIT_ROUNDS; round++) {
    const maps = toElements({ ...group, x, y, axis }).slice(1);
    const motions = maps.map(
      (map): Motion => ({
        map,
        slopes: (_px, _py, qx, qy, out) => {
          // Moves of the middle, then a turn of the axis, which turns the image by twice as much.
          out[0] = 1 - map.a;
          out[1] = -map.c;
          out[2] = -map.b;
          out[3] = 1 - map.d;
          out[4] = isFlip(map) ? -2 * (qy - y) : 0;
          out[5] = isFlip(map) ? 2 * (qx - x) : 0;
        },
      }),
    );
    const change = fitMotions(outline, motions, outline, 3);
    if (!change) return undefined;
    x += change[0];
    y += change[1];
    if (axis !== undefined) axis += change[2];
  }
  return { ...group, x, y, axis };
}

/** Turns a group by at most half of `most` px until one of its axes is level. */
function makeLevel(outline: Outline, group: Group, most: number): Group {
  const { axis, order, x, y } = group;
  if (axis === undefined) return group;
  const step = Math.PI / (order % 2 === 0 ? order : 2 * order);
  const level = Math.round(axis / step) * step;
  let reach = 0;
  for (let k = 0; k < outline.count; k++) reach = Math.max(reach, hypot(outline.x[k] - x, outline.y[k] - y));
  return Math.abs(level - axis) * reach <= 0.5 * most ? { ...group, axis: level } : group;
}

/** Returns the rotation and shift that lays an outline on another within `most` px; a pure shift where one does. */
export function findPlace(outline: Outline, target: Outline, most: number): Isometry | undefined {
  const from = middleOf(outline);
  const to = middleOf(target);
  const shift: Isometry = { ...IDENTITY, dx: to.x - from.x, dy: to.y - from.y };
  for (const angle of [0, ...findTurns(outline, target)]) {
    const start = angle === 0 ? shift : compose(shift, rotation(from.x, from.y, angle));
    if (!mayLieOn(outline, start, target)) continue;
    const map = fitPlace(outline, start, target, angle !== 0);
    if (map && liesOn(outline, map, target, most) && liesOn(target, invert(map), outline, most)) return map;
  }
  return undefined;
}

/** Returns the turns that may lay an outline on another: those that give its strongest moment the same phase. */
function findTurns(outline: Outline, target: Outline): number[] {
  const [own, other] = [outline, target].map((points) => {
    const { x: mx, y: my } = middleOf(points);
    return Array.from({ length: MOST_ORDER }, (_, i) => {
      let re = 0;
      let im = 0;
      for (let k = 0; k < points.count; k++) {
        const dx = points.x[k] - mx;
        const dy = points.y[k] - my;
        const angle = (i + 1) * Math.atan2(dy, dx);
        const weight = points.length[k] * (dx * dx + dy * dy);
        re += weight * Math.cos(angle);
        im += weight * Math.sin(angle);
      }
      return { size: hypot(re, im), phase: Math.atan2(im, re) };
    });
  });
  let best = 0;
  own.forEach(({ size }, i) => {
    if (size > own[best].size) best = i;
  });
  const order = best + 1;
  const turn = (other[best].phase - own[best].phase) / order;
  return Array.from({ length: order }, (_, j) => turn + (2 * Math.PI * j) / order);
}

function fitPlace(outline: Outline, start: Isometry, target: Outline, mayTurn: boolean): Isometry | undefined {
  let map = start;
  const { x, y } = middleOf(target);
  for (let round = 0; round < FIT_ROUNDS; round++) {
    const motion: Motion = {
      map,
      slopes: (_px, _py, qx, qy, out) => {
        out[0] = out[3] = 1;
        out[1] = out[2] = 0;
        if (!mayTurn) return;
        out[4] = -(qy - y);
        out[5] = qx - x;
      },
    };
    const change = fitMotions(outline, [motion], target, mayTurn ? 3 : 2);
    if (!change) return undefined;
    const shift: Isometry = { ...IDENTITY, dx: change[0], dy: change[1] };
    map = compose(mayTurn ? compose(shift, rotation(x, y, change[2])) : shift, map);
  }
  return map;
}
