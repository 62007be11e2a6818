import type { Curve, Fit, Segment } from '../geometry/segment.ts';
import { costOf, LINE_COST, lineTo } from '../geometry/segment.ts';
import { farthestPoint, findCrossings } from './check.ts';
import type { Corner } from './corners.ts';
import { BLUNT, findCorners, findSeam, placeCorners, putBack, sharpenTips } from './corners.ts';
import { fitEllipse } from './ellipse.ts';
import type { Side } from './lines.ts';
import { fitLine, project, straightPiece, straightRuns } from './lines.ts';
import { at, fitSmooth, smoothAt } from './smooth.ts';
import type { Strand } from './strand.ts';

/** What giving more of a straight run back must save, in nodes. */
const LEAST_GAIN = 0.2;

/** A straight run longer than this, in px, is hardly ever part of a curve. */
const LONG_RUN = 20;

/** Fits a loop, stored once around. */
export function fitClosed(strand: Strand): Curve {
  if (strand.n < 6) return fitDot(strand);
  strand.discountGridEdges();
  // The seam goes to a corner found well away from it, or to a place half-way round when there is none.
  const n = strand.n;
  const seam = findSeam(strand, n);
  if (seam < 0) return fitSmoothLoop(strand, n);
  strand.rotate(seam, n);
  return fitOpen(strand, findCorners(strand, true), true);
}

/** A loop of so few points that it has no shape: the box around them. */
function fitDot(strand: Strand): Curve {
  const x = strand.x.slice(0, strand.n);
  const y = strand.y.slice(0, strand.n);
  let left = Math.min(...x);
  let right = Math.max(...x);
  let top = Math.min(...y);
  let bottom = Math.max(...y);
  const grow = 0.25;
  if (right - left < 0.5) {
    left -= grow;
    right += grow;
  }
  if (bottom - top < 0.5) {
    top -= grow;
    bottom += grow;
  }
  const box = [lineTo(left, bottom), lineTo(right, bottom), lineTo(right, top), lineTo(left, top)];
  if (strand.signedArea(strand.n) > 0) [box[0], box[2]] = [box[2], box[0]];
  return { x: left, y: top, segments: box };
}

/** Fits the pieces between corners (indices into the points, first and last included) and joins them. */
export function fitOpen(strand: Strand, corners: number[], closed = false): Curve {
  const blunt = sharpenTips(strand, corners, closed);
  const lines: (Side | undefined)[] = [];
  for (let k = 0; k + 1 < corners.length; k++)
    lines.push(straightPiece(strand, corners[k], corners[k + 1], blunt[k], blunt[k + 1]));
  let places = placeCorners(strand, corners, blunt, lines, closed);
  const pieces = lines.map((_, k) => fitBetween(strand, corners, blunt, lines, places, k));

  // A short piece that leaves a point aside has lost a corner there.
  for (let round = 0; round < 2; round++) {
    const missed = findMissed(strand, corners, blunt, places, pieces);
    if (missed.length === 0) break;
    for (let m = missed.length - 1; m >= 0; m--) {
      const { piece, point } = missed[m];
      corners.splice(piece + 1, 0, point);
      blunt.splice(piece + 1, 0, BLUNT);
      lines.splice(piece, 1, undefined, undefined);
      pieces.splice(piece, 1, [], []);
    }
    for (let k = 0; k < pieces.length; k++)
      if (pieces[k].length === 0) lines[k] = straightPiece(strand, corners[k], corners[k + 1], blunt[k], blunt[k + 1]);
    places = placeCorners(strand, corners, blunt, lines, closed);
    refitMoved(pieces, places, closed, (k) => fitBetween(strand, corners, blunt, lines, places, k));
  }

  // Where few points ask for long handles, or a tip was drawn out too far, pieces may cross. Their corners go back to their points and they are
  // fitted anew; where that does not help, lines join the points.
  for (let round = 0; ; round++) {
    const joined = joinPieces(places, pieces);
    const tangled = round < 3 && !strand.mayCross ? findTangles(joined, closed) : [];
    if (tangled.length === 0) return joined.curve;
    if (round === 0) {
      for (const k of tangled) {
        putBack(strand, corners, lines, places, k, closed);
        putBack(strand, corners, lines, places, k + 1, closed);
        pieces[k] = [];
      }
      refitMoved(pieces, places, closed, (k) => fitBetween(strand, corners, blunt, lines, places, k));
    } else for (const k of tangled) pieces[k] = joinPoints(strand, corners[k], corners[k + 1], places[k + 1], round);
  }
}

/** A piece no longer than this is checked against its points, in px. */
const SHORT_PIECE = 16;

/** Points that short pieces pass by, one a piece. */
function findMissed(
  strand: Strand,
  corners: number[],
  blunt: number[],
  places: Corner[],
  pieces: Segment[][],
): { piece: number; point: number }[] {
  const { s } = strand;
  const missed: { piece: number; point: number }[] = [];
  const limit = Math.max(0.3, 3 * strand.scatter);
  for (let k = 0; k < pieces.length; k++) {
    let from = corners[k];
    let to = corners[k + 1];
    if (s[to] - s[from] > SHORT_PIECE || to - from < 4) continue;
    while (from < to && s[from + 1] - s[corners[k]] < blunt[k]) from++;
    while (to > from && s[corners[k + 1]] - s[to - 1] < blunt[k + 1]) to--;
    const point = farthestPoint(strand, from, to, places[k].outX, places[k].outY, pieces[k], limit);
    if (point >= 0) missed.push({ piece: k, point });
  }
  return missed;
}

/** Fits empty pieces, those that do not end where their corner is now, and those that begin at such a corner. */
function refitMoved(pieces: Segment[][], places: Corner[], closed: boolean, fit: (k: number) => Segment[]): void {
  const count = pieces.length;
  const again = new Set<number>();
  for (let k = 0; k < count; k++) {
    const last = pieces[k][pieces[k].length - 1];
    if (last && last.x === places[k + 1].inX && last.y === places[k + 1].inY) continue;
    again.add(k);
    for (const beside of [k - 1, k + 1]) {
      if (beside >= 0 && beside < count) again.add(beside);
      else if (closed) again.add((beside + count) % count);
    }
  }
  for (const k of again) pieces[k] = fit(k);
}

interface Joined {
  curve: Curve;
  /** The piece each segment belongs to. */
  pieceOf: number[];
}

function joinPieces(places: Corner[], pieces: Segment[][]): Joined {
  const segments: Segment[] = [];
  const pieceOf: number[] = [];
  pieces.forEach((piece, k) => {
    const end = places[k + 1];
    for (const segment of piece) segments.push(segment);
    if (end.inX !== end.outX || end.inY !== end.outY) segments.push(lineTo(end.outX, end.outY));
    while (pieceOf.length < segments.length) pieceOf.push(k);
  });
  return { curve: { x: places[0].outX, y: places[0].outY, segments }, pieceOf };
}

/** Pieces that cross themselves or one another, and those between. */
function findTangles({ curve, pieceOf }: Joined, closed: boolean): number[] {
  const found = new Set<number>();
  findCrossings(curve.x, curve.y, curve.segments, closed, (i, j) => {
    if (pieceOf[i] > pieceOf[j])
      found.add(pieceOf[i]).add(pieceOf[j]); // across the seam
    else for (let k = pieceOf[i]; k <= pieceOf[j]; k++) found.add(k);
  });
  return [...found].sort((p, q) => p - q);
}

/** Lines through every other point, or through every one. */
function joinPoints({ x, y }: Strand, from: number, to: number, end: Corner, round: number): Segment[] {
  const step = round === 1 ? 2 : 1;
  const segments: Segment[] = [];
  for (let k = from + step; k < to; k += step) segments.push(lineTo(x[k], y[k]));
  segments.push(lineTo(end.inX, end.inY));
  return segments;
}

/** The piece from corner k to the next. */
function fitBetween(
  strand: Strand,
  corners: number[],
  blunt: number[],
  lines: (Side | undefined)[],
  places: Corner[],
  k: number,
): Segment[] {
  const { outX, outY } = places[k];
  const { inX, inY } = places[k + 1];
  if (lines[k]) return [lineTo(inX, inY)];
  return fitPiece(strand, corners[k], corners[k + 1], outX, outY, inX, inY, blunt[k], blunt[k + 1]);
}

/** A smooth piece between two corners: cubics, with straight runs where they make it no longer. */
function fitPiece(
  strand: Strand,
  from: number,
  to: number,
  x0: number,
  y0: number,
  x3: number,
  y3: number,
  bluntFirst: number,
  bluntLast: number,
): Segment[] {
  const { x, y, s } = strand;
  let a = from + 1;
  let b = to - 1;
  while (a < to && Math.hypot(x[a] - x0, y[a] - y0) < bluntFirst && s[a] - s[from] < 4) a++;
  while (b > from && Math.hypot(x[b] - x3, y[b] - y3) < bluntLast && s[to] - s[b] < 4) b--;
  if (b < a) return [lineTo(x3, y3)];
  if (b === a) return Math.hypot(x3 - x0, y3 - y0) > 1e-6 ? [lineTo(x[a], y[a]), lineTo(x3, y3)] : [lineTo(x3, y3)];
  const best: Fit = { segments: [], badness: 0 };
  fitSmooth(strand, a, b, x0, y0, NaN, NaN, x3, y3, NaN, NaN, best);
  const smoothCost = costOf(best);
  const runs = best.segments.length > 1 ? straightRuns(strand, a, b) : [];
  const long = runs.filter((run) => s[run.to] - s[run.from] > LONG_RUN);
  let chosen = best;
  let chosenCost = smoothCost;
  for (const some of long.length === runs.length ? [runs] : [long, runs]) {
    if (some.length === 0) continue;
    const other: Fit = { segments: [], badness: 0 };
    fitAlongRuns(strand, some, a, b, x0, y0, x3, y3, other);
    if (costOf(other) > chosenCost) continue;
    chosen = other;
    chosenCost = costOf(other);
  }
  return chosen.segments;
}

function fitAlongRuns(
  strand: Strand,
  runs: { from: number; to: number }[],
  a: number,
  b: number,
  x0: number,
  y0: number,
  x3: number,
  y3: number,
  out: Fit,
): void {
  const { x, y } = strand;
  const lines = runs.map((run) => fitLine(strand, run.from, run.to));
  let startX = x0;
  let startY = y0;
  for (let k = 0; k <= runs.length; k++) {
    const first = k === 0 ? a : runs[k - 1].to + 1;
    const last = k === runs.length ? b : runs[k].from - 1;
    const before = k === 0 ? undefined : lines[k - 1];
    const after = k === runs.length ? undefined : lines[k];
    const start = before ? project(before, x[first - 1], y[first - 1]) : { x: startX, y: startY };
    const end = after ? project(after, x[last + 1], y[last + 1]) : { x: x3, y: y3 };
    if (last < first) {
      // Nothing lies between: the line starts or ends in the corner itself.
      if (before && after) out.segments.push(lineTo(end.x, end.y));
      else if (before) out.segments.push(lineTo(x3, y3));
      continue;
    }
    const spareBefore = before ? (runs[k - 1].to - runs[k - 1].from) >> 2 : 0;
    const spareAfter = after ? (runs[k].to - runs[k].from) >> 2 : 0;
    fitBetweenLines(strand, first, last, spareBefore, spareAfter, start, end, before, after, out);
    startX = end.x;
    startY = end.y;
  }
}

/**
 * Cubics from one straight run to the next, tangent to both. A run usually swallows the first pixels of a gentle curve, so
 * giving some back is tried too. Adds the line up to the first cubic when there is a run before.
 */
function fitBetweenLines(
  strand: Strand,
  first: number,
  last: number,
  spareBefore: number,
  spareAfter: number,
  start: { x: number; y: number },
  end: { x: number; y: number },
  before: Side | undefined,
  after: Side | undefined,
  out: Fit,
): void {
  const { x, y } = strand;
  let best: Fit = { segments: [], badness: 0 };
  let bestCost = Infinity;
  for (const give of [0, 2, 4, 7, 11]) {
    const giveBefore = Math.min(give, spareBefore);
    const giveAfter = Math.min(give, spareAfter);
    if (give > 0 && giveBefore < give && giveAfter < give) break;
    const from = first - giveBefore;
    const to = last + giveAfter;
    const p = before ? project(before, x[from - 1], y[from - 1]) : start;
    const q = after ? project(after, x[to + 1], y[to + 1]) : end;
    const fit: Fit = { segments: [], badness: 0 };
    if (before) fit.segments.push(lineTo(p.x, p.y));
    fitSmooth(
      strand,
      from,
      to,
      p.x,
      p.y,
      before ? before.dx : NaN,
      before ? before.dy : NaN,
      q.x,
      q.y,
      after ? after.dx : NaN,
      after ? after.dy : NaN,
      fit,
      Math.floor(bestCost - LEAST_GAIN - (before ? LINE_COST : 0)),
    );
    const cost = costOf(fit);
    if (cost >= bestCost - LEAST_GAIN) continue;
    bestCost = cost;
    best = fit;
  }
  out.badness += best.badness;
  out.segments.push(...best.segments);
}

export function fitSmoothLoop(strand: Strand, n: number): Curve {
  const { x, y } = strand;
  const ellipse = fitEllipse(strand, n);
  if (ellipse) return ellipse;
  strand.rotate(0, n);
  // Half-way round the neighbours on both sides are at hand, for a good direction to start from.
  const middle = n >> 1;
  smoothAt(strand, middle);
  const { x: startX, y: startY, dx, dy } = at;
  strand.n = n;
  strand.rotate(middle, n);
  const smooth: Fit = { segments: [], badness: 0 };
  fitSmooth(strand, 1, n - 1, startX, startY, dx, dy, startX, startY, dx, dy, smooth, Infinity, true);
  const best: Curve = { x: startX, y: startY, segments: smooth.segments };
  const smoothCost = costOf(smooth);
  const runs = straightRuns(strand, 0, n - 1);
  const { s } = strand;
  if (!runs.some((run) => s[run.to] - s[run.from] > LONG_RUN)) return best;

  // With straight runs the loop starts in the middle of one, and that node is taken out again.
  const longest = runs.reduce((p, q) => (q.to - q.from > p.to - p.from ? q : p));
  const seam = (longest.from + longest.to) >> 1;
  strand.n = n;
  strand.rotate(seam, n);
  const again = straightRuns(strand, 0, n).filter((run) => s[run.to] - s[run.from] > LONG_RUN / 2);
  const head = again[0];
  const tail = again[again.length - 1];
  if (again.length < 2 || head.from > 0 || tail.to < n) return best;
  const foot = project(fitLine(strand, 0, head.to), x[0], y[0]);
  const along: Fit = { segments: [], badness: 0 };
  fitAlongRuns(strand, again, 0, n, foot.x, foot.y, foot.x, foot.y, along);
  if (costOf(along) - 1 > smoothCost) return best;
  const { segments } = along;
  const ending = segments.pop() as Segment;
  if (!ending.isLine || segments.length === 0) return best;
  const lastSegment = segments[segments.length - 1];
  return { x: lastSegment.x, y: lastSegment.y, segments };
}
