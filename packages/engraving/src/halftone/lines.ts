/** Lines of varying width: straight in any direction, or in rings. */
import type { Contour } from './contours.ts';
import type { Cover } from './cover.ts';
import { type Centerline, type Ink, inkAlong, type Limits, outlineInk } from './strokes.ts';

export interface LineRule extends Limits {
  readonly pitchMm: number;
  /** Clockwise from the horizontal. */
  readonly angleDeg: number;
}

/** One of many parallel lines, and its ink. */
export interface InkLine {
  readonly line: Centerline;
  readonly ink: Ink;
  /** Where the line is across all of them, in millimeters of the turned frame. */
  readonly across: number;
}

/** A frame turned so that lines run along `u`, spaced along `v`. */
export interface TurnedFrame {
  readonly cos: number;
  readonly sin: number;
  readonly fromU: number;
  readonly toU: number;
  readonly fromV: number;
  readonly toV: number;
  /** The pitch, changed a little where that fills the frame with whole lines. */
  readonly pitchMm: number;
  readonly lines: number;
}

/** The ratio that leaves no two neighbors in step (golden section). */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** A ring's straight pieces leave the circle by at most this much. */
const SAGITTA_MM = 0.002;

/** Turns a frame by an angle, with a first line half a pitch from its edge. */
export function turnFrame({ widthMm, heightMm }: Cover, angleDeg: number, pitchMm: number): TurnedFrame {
  const angle = (angleDeg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)].map((value) => (Math.abs(value) < 1e-12 ? 0 : value));
  const corners = [
    [0, 0],
    [widthMm, 0],
    [0, heightMm],
    [widthMm, heightMm],
  ];
  const us = corners.map(([x, y]) => x * cos + y * sin);
  const vs = corners.map(([x, y]) => y * cos - x * sin);
  const [fromV, toV] = [Math.min(...vs), Math.max(...vs)];
  const lines = Math.max(1, Math.round((toV - fromV) / pitchMm));
  // Turned lines end at corners anyway: only upright and level ones have to fill the frame.
  const pitch = cos === 0 || sin === 0 ? (toV - fromV) / lines : pitchMm;
  return { cos, sin, fromU: Math.min(...us), toU: Math.max(...us), fromV, toV, pitchMm: pitch, lines: lines + 1 };
}

/** Returns the step of samples along lines. */
export const stepOf = ({ pitchMm, beamMm, gapMm }: Limits & { readonly pitchMm: number }): number =>
  Math.max(pitchMm / 4, beamMm, gapMm);

/** Returns the piece of a parallel line from one place along it to another. */
export function straightLine(frame: TurnedFrame, across: number, from: number, to: number, stepMm: number): Centerline {
  const { cos, sin } = frame;
  const length = Math.abs(to - from);
  const sign = Math.sign(to - from);
  const count = Math.max(1, Math.round(length / stepMm));
  const step = length / count;
  const at = (i: number) => from + sign * (i + 0.5) * step;
  const fill = (value: number) => new Float64Array(count).fill(value);
  return {
    x: Float64Array.from({ length: count }, (_, i) => at(i) * cos - across * sin),
    y: Float64Array.from({ length: count }, (_, i) => at(i) * sin + across * cos),
    normalX: fill(-sign * sin),
    normalY: fill(sign * cos),
    before: fill(frame.pitchMm / 2),
    after: fill(frame.pitchMm / 2),
    stepMm: step,
    isRing: false,
    isPiece: false,
  };
}

/** Returns the ink of all parallel lines, every other one run backward. */
export function parallelInk(
  cover: Cover,
  frame: TurnedFrame,
  rule: LineRule,
  shareOf?: (share: number) => number,
): InkLine[] {
  const stepMm = stepOf(rule);
  return Array.from({ length: frame.lines }, (_, k): InkLine => {
    const across = frame.fromV + (k + 0.5) * frame.pitchMm;
    const [from, to] = k % 2 === 0 ? [frame.fromU, frame.toU] : [frame.toU, frame.fromU];
    const line = straightLine(frame, across, from, to, stepMm);
    return { line, ink: inkAlong(line, cover, rule, (k * GOLDEN) % 1, shareOf), across };
  });
}

/** Returns the contours of parallel lines whose width follows the tone. */
export function drawLines(cover: Cover, rule: LineRule): Contour[] {
  const frame = turnFrame(cover, rule.angleDeg, rule.pitchMm);
  const bounds = { frame: cover, beamMm: rule.beamMm };
  return parallelInk(cover, frame, rule).flatMap(({ line, ink }) => outlineInk(line, ink, bounds));
}

/** Returns the contours of rings around the middle of the frame, from the inside out. */
export function drawRings(cover: Cover, rule: LineRule): Contour[] {
  const { widthMm, heightMm } = cover;
  const bounds = { frame: cover, beamMm: rule.beamMm };
  const rings = Math.ceil(Math.hypot(widthMm, heightMm) / 2 / rule.pitchMm);
  return Array.from({ length: rings }, (_, k) => {
    const line = ringLine(widthMm / 2, heightMm / 2, (k + 0.5) * rule.pitchMm, rule);
    return outlineInk(line, inkAlong(line, cover, rule, (k * GOLDEN) % 1), bounds);
  }).flat();
}

function ringLine(centerX: number, centerY: number, radius: number, rule: LineRule): Centerline {
  const length = 2 * Math.PI * radius;
  const stepMm = Math.min(stepOf(rule), Math.sqrt(8 * radius * SAGITTA_MM));
  const count = Math.max(16, Math.ceil(length / stepMm));
  // Against the clock, as the direction of a centerline follows from its normal.
  const turn = (i: number) => (-2 * Math.PI * (i + 0.5)) / count;
  const normalX = Float64Array.from({ length: count }, (_, i) => Math.cos(turn(i)));
  const normalY = Float64Array.from({ length: count }, (_, i) => Math.sin(turn(i)));
  const half = new Float64Array(count).fill(rule.pitchMm / 2);
  return {
    x: normalX.map((value) => centerX + radius * value),
    y: normalY.map((value) => centerY + radius * value),
    normalX,
    normalY,
    before: half,
    after: half,
    stepMm: length / count,
    isRing: true,
    isPiece: false,
  };
}
