/**
 * The position of a plane before a camera, from straight lines in its two main directions.
 *
 * A camera without distortion, with its center in the middle of the picture, sees the lines of one direction meet in
 * one point. The two points of a plane's main directions follow from three turns and the focal length (Caprile and
 * Torre, "Using vanishing points for camera calibration", 1990). They are fitted to all segments at once by weighted
 * least squares; a segment that fits neither direction loses its weight (Geman and McClure).
 */
import type { Homography } from './homography.ts';
import type { Segment } from './segments.ts';

/** A segment that says something about the plane. */
export interface Cue extends Segment {
  /** True for a line of letters: it runs along and never up. */
  readonly isBaseline: boolean;
}

/** Turns in radians, and the focal length by the long side of the picture, as its logarithm. */
export interface Pose {
  /** The turn clockwise in the picture's middle. */
  readonly roll: number;
  readonly pitch: number;
  readonly yaw: number;
  readonly logFocal: number;
}

export type Family = 'along' | 'up';

/** The middle and the unit of the picture's coordinates. */
export interface Frame {
  readonly centerX: number;
  readonly centerY: number;
  readonly unit: number;
}

export interface PlaneFit {
  readonly pose: Pose;
  /** The covariance of roll, pitch, yaw and logFocal. */
  readonly covariance: readonly (readonly number[])[];
  /** The family of each cue; undefined for one that fits neither. */
  readonly families: readonly (Family | undefined)[];
}

const degrees = Math.PI / 180;
/** No tilt beyond this is looked for: steeper pictures are as likely meant so. */
const MOST_ROLL = 18 * degrees;
const ROLL_STEP = 1.5 * degrees;
const STEEP = [-16, -8, 0, 8, 16].map((angle) => angle * degrees);
const COARSE_WIDTH = 1.3 * degrees;
/** The prior of the fit: standard deviations around an upright view with a normal lens. */
const TURN_SIGMA = 9 * degrees;
const FOCAL_SIGMA = 0.35;
const LIKELY_LOG_FOCAL = Math.log(1.0);
/** Things are not cut and set more exactly than this: it is added to each cue's own deviation. */
const MODEL_SIGMA = 0.12 * degrees;
/** Shrinking widths of the fit, so that far cues are heard first and do not disturb later. */
const WIDTHS = [1.2, 0.7, 0.35, 0.15, 0, 0, 0].map((angle) => angle * degrees);
/** Steps at each width: the next width goes on from there. */
const ROUNDS = 2;
/** A cue belongs to a family when it is within this number of deviations of it. */
const MOST_DEVIATIONS = 3;
/** Neighboring cues err alike, so that the fit is less exact than the sum of them claims. */
const COVARIANCE_FACTOR = 3;
/** One long edge (of a table) must not outweigh all others: its length counts to this share of the long side. */
const MOST_SCORED_LENGTH = 0.5;
/** Two directions at right angles say more than twice as much in one. */
const BOTH_FACTOR = 2;
/** The long cues matter most; more of them cost time and change nothing. */
const MOST_COARSE_CUES = 120;

/** Fits the plane. Cost: linear in the cues. Returns undefined for fewer than four. */
export function fitPlane(cues: readonly Cue[], frame: Frame): PlaneFit | undefined {
  if (cues.length < 4) return undefined;
  let best: { values: number[]; score: number } | undefined;
  for (const start of coarseStarts(cues, frame)) {
    let values = start;
    for (const width of WIDTHS) values = refine(cues, frame, values, width).values;
    const score = scorePose(cues, frame, values, 0.3 * degrees);
    if (!best || score > best.score) best = { values, score };
  }
  if (!best) return undefined;
  const { values, covariance } = refine(cues, frame, best.values, 0);
  const families = cues.map((cue) => {
    const { along, up } = misses(cue, frame, values);
    const [miss, family] =
      cue.isBaseline || Math.abs(along) < Math.abs(up) ? ([along, 'along'] as const) : ([up, 'up'] as const);
    return Math.abs(miss) < MOST_DEVIATIONS * Math.hypot(cue.sigma, MODEL_SIGMA) ? family : undefined;
  });
  return { pose: toPose(values), covariance, families };
}

/** A pose as a list, in the order of its covariance. */
export const valuesOf = ({ roll, pitch, yaw, logFocal }: Pose) => [roll, pitch, yaw, logFocal];

export const toPose = ([roll, pitch, yaw, logFocal]: readonly number[]): Pose => ({ roll, pitch, yaw, logFocal });

/** Returns the map from the plane to the picture. The plane's origin is seen in the picture's middle. */
export function planeToPicture({ roll, pitch, yaw, logFocal }: Pose, { centerX, centerY, unit }: Frame): Homography {
  const [hx, hy, hw, vx, vy, vw] = directions([roll, pitch, yaw, logFocal]);
  const x = (a: number, w: number) => a * unit + centerX * w;
  const y = (a: number, w: number) => a * unit + centerY * w;
  return [x(hx, hw), x(vx, vw), centerX, y(hy, hw), y(vy, vw), centerY, hw, vw, 1];
}

/** Returns the points, in homogeneous coordinates, where the lines along and the lines up meet. */
function directions([roll, pitch, yaw, logFocal]: readonly number[]) {
  const focal = Math.exp(logFocal);
  const [c, s] = [Math.cos(roll), Math.sin(roll)];
  const [ax, aw] = [Math.cos(yaw), -Math.sin(yaw)];
  const [ux, uy, uw] = [Math.sin(yaw) * Math.sin(pitch), Math.cos(pitch), Math.cos(yaw) * Math.sin(pitch)];
  // Scaled so that one unit of the plane's middle is one unit of the picture.
  return [c * ax, s * ax, aw / focal, c * ux - s * uy, s * ux + c * uy, uw / focal] as const;
}

/** Returns by how much a cue misses each of the two directions, as sines. */
function misses(cue: Segment, { centerX, centerY, unit }: Frame, values: readonly number[]) {
  const [hx, hy, hw, vx, vy, vw] = directions(values);
  return missesOf(cue, (cue.x - centerX) / unit, (cue.y - centerY) / unit, [hx, hy, hw, vx, vy, vw]);
}

function missesOf({ dx, dy }: Segment, x: number, y: number, points: readonly number[]) {
  const [hx, hy, hw, vx, vy, vw] = points;
  const [ax, ay] = [hx - x * hw, hy - y * hw];
  const [ux, uy] = [vx - x * vw, vy - y * vw];
  return {
    along: (ax * dy - ay * dx) / Math.hypot(ax, ay),
    up: (ux * dy - uy * dx) / Math.hypot(ux, uy),
  };
}

/** How well a pose explains the cues: their lengths, each by how near it comes, less what is unlikely of the pose. */
function scorePose(cues: readonly Cue[], frame: Frame, values: readonly number[], width: number): number {
  const { centerX, centerY, unit } = frame;
  const [hx, hy, hw, vx, vy, vw] = directions(values);
  let [alongScore, upScore, total] = [0, 0, 0];
  for (const { x: px, y: py, dx, dy, length, sigma, isBaseline } of cues) {
    const [x, y] = [(px - centerX) / unit, (py - centerY) / unit];
    const [ax, ay] = [hx - x * hw, hy - y * hw];
    const [ux, uy] = [vx - x * vw, vy - y * vw];
    const along = (ax * dy - ay * dx) ** 2 / (ax * ax + ay * ay);
    const up = (ux * dy - uy * dx) ** 2 / (ux * ux + uy * uy);
    const ratio = (isBaseline ? along : Math.min(along, up)) / (width * width + sigma * sigma);
    const weight = Math.min(length, MOST_SCORED_LENGTH * unit);
    const score = weight / ((1 + ratio) * (1 + ratio));
    total += weight;
    if (isBaseline || along < up) alongScore += score;
    else upScore += score;
  }
  const unlikely = (values[1] ** 2 + values[2] ** 2) / TURN_SIGMA ** 2 + (values[0] / MOST_ROLL) ** 2;
  const score = alongScore + upScore + BOTH_FACTOR * Math.min(alongScore, upScore);
  return score / total - 0.02 * unlikely;
}

/** Tries tilts and views in coarse steps, and returns the best three that differ. */
function coarseStarts(cues: readonly Cue[], frame: Frame): number[][] {
  const longest = [...cues].sort((a, b) => b.length - a.length).slice(0, MOST_COARSE_CUES);
  const tries: { values: number[]; score: number }[] = [];
  for (let roll = -MOST_ROLL; roll <= MOST_ROLL + 1e-9; roll += ROLL_STEP) {
    for (const pitch of STEEP) {
      for (const yaw of STEEP) {
        const values = [roll, pitch, yaw, LIKELY_LOG_FOCAL];
        tries.push({ values, score: scorePose(longest, frame, values, COARSE_WIDTH) });
      }
    }
  }
  tries.sort((a, b) => b.score - a.score);
  const starts: number[][] = [];
  for (const { values } of tries) {
    const differs = (other: number[]) =>
      Math.abs(values[0] - other[0]) > 2.5 * degrees || Math.hypot(values[1] - other[1], values[2] - other[2]) > 0.2;
    if (starts.every(differs)) starts.push(values);
    if (starts.length === 3) break;
  }
  return starts;
}

/** Gauss and Newton's steps at one width of the weights, with what is likely as further equations. */
function refine(cues: readonly Cue[], frame: Frame, start: readonly number[], width: number) {
  const { centerX, centerY, unit } = frame;
  let values = [...start];
  let covariance: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const normal = [0, 1, 2, 3].map(() => [0, 0, 0, 0]);
    const right = [0, 0, 0, 0];
    const expected = [0, 0, 0, LIKELY_LOG_FOCAL];
    const looseness = [MOST_ROLL, TURN_SIGMA, TURN_SIGMA, FOCAL_SIGMA];
    for (let k = 0; k < 4; k++) {
      normal[k][k] = 1 / looseness[k] ** 2;
      right[k] = (expected[k] - values[k]) / looseness[k] ** 2;
    }
    const step = 1e-5;
    const points = directions(values);
    const neighbors = values.map((_, k) => directions(values.map((value, i) => (i === k ? value + step : value))));
    for (const cue of cues) {
      const [x, y] = [(cue.x - centerX) / unit, (cue.y - centerY) / unit];
      const here = missesOf(cue, x, y, points);
      const family = cue.isBaseline || Math.abs(here.along) < Math.abs(here.up) ? 'along' : 'up';
      const miss = here[family];
      const variance = cue.sigma ** 2 + MODEL_SIGMA ** 2 + width ** 2;
      const weight = 1 / (1 + (miss * miss) / (4 * variance)) ** 2 / variance;
      if (weight * variance < 1e-3) continue;
      const slopes = neighbors.map((others) => (missesOf(cue, x, y, others)[family] - miss) / step);
      for (let a = 0; a < 4; a++) {
        right[a] -= weight * slopes[a] * miss;
        for (let b = 0; b < 4; b++) normal[a][b] += weight * slopes[a] * slopes[b];
      }
    }
    covariance = invertMatrix(normal);
    values = values.map((value, a) => {
      const change = covariance[a].reduce((sum, c, b) => sum + c * right[b], 0);
      return value + Math.max(-0.2, Math.min(0.2, change));
    });
    values[3] = Math.max(-0.9, Math.min(1.4, values[3]));
  }
  return { values, covariance: covariance.map((row) => row.map((value) => value * COVARIANCE_FACTOR)) };
}

/** Inverts a symmetric positive definite matrix (Gauss and Jordan). */
function invertMatrix(matrix: readonly (readonly number[])[]): number[][] {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, k) => (k === i ? 1 : 0))]);
  for (let i = 0; i < n; i++) {
    const pivot = rows[i][i];
    for (let k = 0; k < 2 * n; k++) rows[i][k] /= pivot;
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const factor = rows[j][i];
      for (let k = 0; k < 2 * n; k++) rows[j][k] -= factor * rows[i][k];
    }
  }
  return rows.map((row) => row.slice(n));
}
