/** Cross-hatching: lines in one direction for light tones, and a second direction across them for darker ones. */
import type { Contour } from './contours.ts';
import type { Cover } from './cover.ts';
import {
  type InkLine,
  type LineRule,
  parallelInk,
  stepOf,
  straightLine,
  type TurnedFrame,
  turnFrame,
} from './lines.ts';
import { inkAlong, outlineInk } from './strokes.ts';

/** What outlines may lose or gain where a straight piece stands for many samples, and some more. */
const CLEARANCE_MM = 0.01;
/** Up to this share of ink, there is one direction. */
const FIRST_ALONE = 0.25;

/**
 * Returns the contours of cross-hatching. The second direction is cut where it meets the first: laser software fills
 * overlapping outlines of one layer by the even-odd rule, which would leave the crossings bare.
 */
export function drawHatch(cover: Cover, rule: LineRule): Contour[] {
  const frame = turnFrame(cover, rule.angleDeg, rule.pitchMm);
  const bounds = { frame: cover, beamMm: rule.beamMm };
  const firstOf = (share: number) => shareOfFirst(share, rule);
  const first = parallelInk(cover, frame, rule, firstOf);
  const contours = first.flatMap(({ line, ink }) => outlineInk(line, ink, bounds));
  const secondOf = (share: number) => {
    const own = firstOf(share);
    const free = (1 - own) * rule.pitchMm;
    const reach = free - 2 * (rule.gapMm + CLEARANCE_MM);
    if (reach <= 0) return 0;
    // A piece ends before the lines beside it: what it does not reach, it makes up for in its width.
    return Math.min(1, Math.max(0, 1 - (1 - share) / (1 - own)) * (free / reach));
  };
  const secondFrame = turnFrame(cover, rule.angleDeg + 90, rule.pitchMm);
  for (let k = 0; k < secondFrame.lines; k++) {
    const across = secondFrame.fromV + (k + 0.5) * secondFrame.pitchMm;
    const pieces = freePieces(first, frame, across, secondFrame.pitchMm, rule);
    pieces.forEach(([from, to], n) => {
      const line = { ...straightLine(secondFrame, across, from, to, stepOf(rule)), isPiece: true };
      const ink = inkAlong(line, cover, rule, (k * 0.618 + n * 0.382) % 1, secondOf);
      contours.push(...outlineInk(line, ink, bounds));
    });
  }
  return contours;
}

/**
 * Returns the share that the first direction gives. Both grow alike from where the second sets in, and what is bare
 * after both is what the tone leaves bare. Where no beam fits between the lines of the first, it gives all.
 */
function shareOfFirst(share: number, { pitchMm, beamMm, gapMm }: LineRule): number {
  if (share <= FIRST_ALONE) return share;
  const own = 1 - (1 - FIRST_ALONE) * Math.sqrt((1 - share) / (1 - FIRST_ALONE));
  return (1 - own) * pitchMm < beamMm + 2 * (gapMm + CLEARANCE_MM) ? share : own;
}

/**
 * Returns the pieces of a line of the second direction between the ink of the first, as places along it. Its own
 * direction is the `v` of the first frame turned by a quarter: `along` there is `v`, and `across` is -u.
 */
function freePieces(
  first: readonly InkLine[],
  frame: TurnedFrame,
  across: number,
  pitchMm: number,
  { beamMm, gapMm }: LineRule,
): [number, number][] {
  const pieces: [number, number][] = [];
  const apart = gapMm + CLEARANCE_MM;
  let start = frame.fromV;
  for (const inkLine of first) {
    const edges = edgesBetween(inkLine, frame, -across - pitchMm / 2 - apart, -across + pitchMm / 2 + apart);
    if (!edges) continue;
    const end = inkLine.across + edges.low - apart;
    if (end - start >= beamMm) pieces.push([start, end]);
    start = inkLine.across + edges.high + apart;
  }
  if (frame.toV - start >= beamMm) pieces.push([start, frame.toV]);
  return pieces;
}

/** Returns how far a line's ink reaches to both sides between two places along it; undefined where it has none. */
function edgesBetween({ line, ink }: InkLine, { cos, sin }: TurnedFrame, from: number, to: number) {
  const count = line.x.length;
  const placeOf = (i: number) => line.x[i] * cos + line.y[i] * sin;
  const [first, sign] = [placeOf(0), line.normalY[0] * cos - line.normalX[0] * sin > 0 ? 1 : -1];
  // One sample more on each side, as an outline runs straight from one to the next, and one as it may end a step later.
  const index = (place: number) => (sign * (place - first)) / line.stepMm;
  const [a, b] = [index(from), index(to)];
  const start = Math.max(0, Math.floor(Math.min(a, b)) - 1);
  const end = Math.min(count - 1, Math.ceil(Math.max(a, b)) + 1);
  let [low, high] = [0, 0];
  for (let i = start; i <= end; i++) {
    const [one, other] = sign > 0 ? [ink.low[i], ink.high[i]] : [-ink.high[i], -ink.low[i]];
    low = Math.min(low, one);
    high = Math.max(high, other);
  }
  return high > low ? { low, high } : undefined;
}
