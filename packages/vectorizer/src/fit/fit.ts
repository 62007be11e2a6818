import { hypot } from '../geometry/hypot.ts';
import { withoutLoops } from '../geometry/loops.ts';
import type { Curve, Fit, Segment } from '../geometry/segment.ts';
import { costOf, LINE_COST, lineTo } from '../geometry/segment.ts';
import { farthestPoint, findCrossings } from './check.ts';
import type { CornerPlace } from './cornerPlaces.ts';
import { placeCorners, putBack, sharpenTips } from './cornerPlaces.ts';
import { BLUNT, findCorners, findSeam } from './corners.ts';
import { fitEllipse } from './ellipse.ts';
import type { Ray } from './knot.ts';
import { freeKnot, knotOn, project } from './knot.ts';
import { fitLine, straightPiece, straightRuns } from './lines.ts';
import { fitSmooth, smoothAt } from './smooth.ts';
import type { Strand } from './strand.ts';

/** The least saving, in nodes, for giving more points of a straight run back to the curve beside it. */
const LEAST_GAIN = 0.2;

/** A straight run longer than this, in px, is rarely part of a curve. */
const LONG_RUN = 20;

/** Fits a loop, stored once around. */
export function fitClosed(strand: Strand): Curve {
  if (strand.n < 6) return fitDot(strand);
  strand.discountGridEdges();
  // The seam goes to a corner with room around it. Without a corner, the loop is fitted as a smooth one.
  const n = strand.n;
  const seam = findSeam(strand, n);
  if (seam < 0) return fitSmoothLoop(strand, n);
  strand.rotate(seam, n);
  return fitOpen(strand, findCorners(strand, true), true);
}

/** Returns the bounding box of a loop with too few points to have a shape. */
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
export function fitOpen(strand: Strand, corners: number[], isClosed = false): Curve {
  const blunt = sharpenTips(strand, corners, isClosed);
  const lines: (Ray | undefined)[] = [];
  for (let k = 0; k + 1 < corners.length; k++)
    lines.push(straightPiece(strand, corners[k], corners[k + 1], blunt[k], blunt[k + 1]));
  let places = placeCorners(strand, corners, blunt, lines, isClosed);
  const pieces = lines.map((_, k) => fitBetween(strand, corners, blunt, lines, places, k));

  // A short piece that misses a point has lost a corner there.
  for (let round = 0; round < 2; round++) {
    const points = findMissed(strand, corners, blunt, places, pieces);
    if (round === 0) points.push(...restoreTips(strand, corners, blunt, places, pieces, isClosed));
    if (points.length === 0 && pieces.every((piece) => piece.length > 0)) break;
    for (const point of points.sort((p, q) => q - p)) {
      const piece = corners.findLastIndex((corner) => corner < point);
      if (corners[piece + 1] === point) continue;
      corners.splice(piece + 1, 0, point);
      blunt.splice(piece + 1, 0, BLUNT);
      lines.splice(piece, 1, undefined, undefined);
      pieces.splice(piece, 1, [], []);
    }
    for (let k = 0; k < pieces.length; k++)
      if (pieces[k].length === 0) lines[k] = straightPiece(strand, corners[k], corners[k + 1], blunt[k], blunt[k + 1]);
    places = placeCorners(strand, corners, blunt, lines, isClosed);
    refitMoved(pieces, places, isClosed, (k) => fitBetween(strand, corners, blunt, lines, places, k));
  }

  // Pieces may cross when few points give long handles or a tip is extrapolated too far. Their corners go back to their
  // points and the pieces are fitted again; if that does not help, small loops are cut off. If they still cross, lines
  // join the points.
  for (let round = 0; ; round++) {
    const whole = joinPieces(places, pieces);
    const crossingPieces = round < 3 && !strand.mayCross ? findCrossingPieces(whole, isClosed) : [];
    if (crossingPieces.length === 0) return whole.curve;
    if (round > 0) {
      const simple = withoutLoops(whole.curve, isClosed);
      if (!crossesItself(simple, isClosed)) return simple;
    }
    if (round === 0) {
      for (const k of crossingPieces) {
        putBack(strand, corners, lines, places, k, isClosed);
        putBack(strand, corners, lines, places, k + 1, isClosed);
        pieces[k] = [];
      }
      refitMoved(pieces, places, isClosed, (k) => fitBetween(strand, corners, blunt, lines, places, k));
    } else
      for (const k of crossingPieces) pieces[k] = joinPoints(strand, corners[k], corners[k + 1], places[k + 1], round);
  }
}

/** Pieces up to this length are checked against their points, in px. */
const SHORT_PIECE = 16;

/** Returns the points that short pieces miss, at most one per piece. */
function findMissed(
  strand: Strand,
  corners: number[],
  blunt: number[],
  places: CornerPlace[],
  pieces: Segment[][],
): number[] {
  const { s } = strand;
  const missedPoints: number[] = [];
  const limit = Math.max(0.3, 3 * strand.scatter);
  for (let k = 0; k < pieces.length; k++) {
    let from = corners[k];
    let to = corners[k + 1];
    if (s[to] - s[from] > SHORT_PIECE || to - from < 4) continue;
    while (from < to && s[from + 1] - s[corners[k]] < blunt[k]) from++;
    while (to > from && s[corners[k + 1]] - s[to - 1] < blunt[k + 1]) to--;
    const point = farthestPoint(strand, from, to, { x: places[k].outX, y: places[k].outY, segments: pieces[k] }, limit);
    if (point >= 0) missedPoints.push(point);
  }
  return missedPoints;
}

/** The tip of a corner is lost when the curve misses its point by more than this, in px. */
const LOST_TIP = 1;
/** The sides of a short bar end within this much of the chain, beyond what its end distorts, in px. */
const BAR = 2.5;
/** They end where the chain is at least this far from the chord to there, in px. */
const LEAST_KINK = 0.5;

/**
 * Finds the corners whose point the curve misses: the sides of a short bar have too few points to be seen, so those of
 * what it stands on were taken for them. Lets their sides begin at once, and returns the points where these end.
 */
function restoreTips(
  strand: Strand,
  corners: number[],
  blunt: number[],
  places: CornerPlace[],
  pieces: Segment[][],
  isClosed: boolean,
): number[] {
  const { x, y, s } = strand;
  const count = pieces.length;
  const ends: number[] = [];
  for (let k = isClosed ? 0 : 1; k < count; k++) {
    const previous = k === 0 ? count - 1 : k - 1;
    const arrival = corners[previous + 1];
    const { outX, outY } = places[previous];
    const segments = [...pieces[previous], lineTo(places[k].outX, places[k].outY), ...pieces[k]];
    const corner = corners[k];
    if (
      blunt[k] <= BLUNT ||
      farthestPoint(strand, corner - 1, corner + 1, { x: outX, y: outY, segments }, LOST_TIP) < 0
    )
      continue;
    const reach = blunt[k] + BAR;
    let after = corner;
    while (after < corners[k + 1] && s[after] - s[corner] < reach) after++;
    let before = arrival;
    while (before > corners[previous] && s[arrival] - s[before] < reach) before--;
    const chord = (from: number, to: number): Curve => ({ x: x[from], y: y[from], segments: [lineTo(x[to], y[to])] });
    ends.push(
      farthestPoint(strand, corner, after, chord(corner, after), LEAST_KINK),
      farthestPoint(strand, before, arrival, chord(before, arrival), LEAST_KINK),
    );
    blunt[k] = BLUNT;
    if (k === 0) blunt[count] = BLUNT;
    pieces[k] = [];
    pieces[previous] = [];
  }
  return ends.filter((point) => point >= 0);
}

/** Fits again the pieces that are empty or do not end at their corner, and the pieces beside them. */
function refitMoved(
  pieces: Segment[][],
  places: CornerPlace[],
  isClosed: boolean,
  fit: (k: number) => Segment[],
): void {
  const count = pieces.length;
  const again = new Set<number>();
  for (let k = 0; k < count; k++) {
    const last = pieces[k][pieces[k].length - 1];
    if (last && last.x === places[k + 1].inX && last.y === places[k + 1].inY) continue;
    again.add(k);
    for (const beside of [k - 1, k + 1]) {
      if (beside >= 0 && beside < count) again.add(beside);
      else if (isClosed) again.add((beside + count) % count);
    }
  }
  for (const k of again) pieces[k] = fit(k);
}

interface JoinedPieces {
  curve: Curve;
  /** The piece each segment belongs to. */
  pieceOf: number[];
}

function joinPieces(places: CornerPlace[], pieces: Segment[][]): JoinedPieces {
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

/** Returns the pieces that cross themselves or one another, and those between. */
function findCrossingPieces({ curve, pieceOf }: JoinedPieces, isClosed: boolean): number[] {
  const tangledPieces = new Set<number>();
  findCrossings(curve.x, curve.y, curve.segments, isClosed, (i, j) => {
    if (pieceOf[i] > pieceOf[j])
      tangledPieces.add(pieceOf[i]).add(pieceOf[j]); // across the seam
    else for (let k = pieceOf[i]; k <= pieceOf[j]; k++) tangledPieces.add(k);
  });
  return [...tangledPieces].sort((p, q) => p - q);
}

function crossesItself({ x, y, segments }: Curve, isClosed: boolean): boolean {
  let crosses = false;
  findCrossings(x, y, segments, isClosed, () => {
    crosses = true;
  });
  return crosses;
}

/** Returns lines through every other point in round 1, through every point later. */
function joinPoints({ x, y }: Strand, from: number, to: number, end: CornerPlace, round: number): Segment[] {
  const step = round === 1 ? 2 : 1;
  const segments: Segment[] = [];
  for (let k = from + step; k < to; k += step) segments.push(lineTo(x[k], y[k]));
  segments.push(lineTo(end.inX, end.inY));
  return segments;
}

/** Returns the piece from corner k to the next. */
function fitBetween(
  strand: Strand,
  corners: number[],
  blunt: number[],
  lines: (Ray | undefined)[],
  places: CornerPlace[],
  k: number,
): Segment[] {
  const { outX, outY } = places[k];
  const { inX, inY } = places[k + 1];
  if (lines[k]) return [lineTo(inX, inY)];
  return fitPiece(
    strand,
    { at: corners[k], x: outX, y: outY, blunt: blunt[k] },
    { at: corners[k + 1], x: inX, y: inY, blunt: blunt[k + 1] },
  );
}

interface Point {
  x: number;
  y: number;
}

/** An end of a piece, near point `at`; the corner distorts the points within `blunt` px. */
interface PieceEnd extends Point {
  at: number;
  blunt: number;
}

/** Fits a smooth piece between two corners with cubics, and with straight runs when they do not raise the cost. */
function fitPiece(strand: Strand, start: PieceEnd, end: PieceEnd): Segment[] {
  const { x, y, s } = strand;
  const { at: from, x: x0, y: y0 } = start;
  const { at: to, x: x3, y: y3 } = end;
  let a = from + 1;
  let b = to - 1;
  while (a < to && hypot(x[a] - x0, y[a] - y0) < start.blunt && s[a] - s[from] < 4) a++;
  while (b > from && hypot(x[b] - x3, y[b] - y3) < end.blunt && s[to] - s[b] < 4) b--;
  if (b < a) return [lineTo(x3, y3)];
  if (b === a) return hypot(x3 - x0, y3 - y0) > 1e-6 ? [lineTo(x[a], y[a]), lineTo(x3, y3)] : [lineTo(x3, y3)];
  let best = fitSmooth(strand, a, b, freeKnot(start), freeKnot(end));
  let bestCost = costOf(best);
  const runs = best.segments.length > 1 ? straightRuns(strand, a, b) : [];
  const longRuns = runs.filter((run) => s[run.to] - s[run.from] > LONG_RUN);
  for (const some of longRuns.length === runs.length ? [runs] : [longRuns, runs]) {
    if (some.length === 0) continue;
    const other = fitAlongRuns(strand, some, a, b, start, end);
    const cost = costOf(other);
    if (cost > bestCost) continue;
    best = other;
    bestCost = cost;
  }
  return best.segments;
}

/** Points `from` to `to` on one line. */
interface Run {
  from: number;
  to: number;
}

/** Fits points a..b with lines along the straight runs and smooth curves between. */
function fitAlongRuns(strand: Strand, runs: Run[], a: number, b: number, start: Point, end: Point): Fit {
  const lines = runs.map((run) => fitLine(strand, run.from, run.to));
  const segments: Segment[] = [];
  let badness = 0;
  for (let k = 0; k <= runs.length; k++) {
    const first = k === 0 ? a : runs[k - 1].to + 1;
    const last = k === runs.length ? b : runs[k].from - 1;
    const before = k === 0 ? undefined : lines[k - 1];
    const after = k === runs.length ? undefined : lines[k];
    if (last < first) {
      // No points lie between: the line starts or ends in the corner itself.
      const foot = after ? project(after, strand.x[last + 1], strand.y[last + 1]) : end;
      if (before) segments.push(lineTo(foot.x, foot.y));
      continue;
    }
    const spareBefore = before ? (runs[k - 1].to - runs[k - 1].from) >> 2 : 0;
    const spareAfter = after ? (runs[k].to - runs[k].from) >> 2 : 0;
    const gap = { first, last, before: before ?? start, after: after ?? end, spareBefore, spareAfter };
    const fit = fitGap(strand, gap);
    badness += fit.badness;
    segments.push(...fit.segments);
  }
  return { segments, badness };
}

/** Points first..last between two straight runs, or between a run and an end of the piece. */
interface Gap {
  first: number;
  last: number;
  /** The line before and after, or the end point of the piece when there is none. */
  before: Ray | Point;
  after: Ray | Point;
  /** Number of points of the adjacent runs that may be given back. */
  spareBefore: number;
  spareAfter: number;
}

const isRay = (side: Ray | Point): side is Ray => 'dx' in side;

/**
 * Fits a smooth curve between two lines, tangent to them, together with the line before it. A straight run may have
 * taken points of the adjacent bend, so giving some back, up to the spare ones, is tried too.
 */
function fitGap(strand: Strand, { first, last, before, after, spareBefore, spareAfter }: Gap): Fit {
  const { x, y } = strand;
  let best: Fit = { segments: [], badness: 0 };
  let bestCost = Infinity;
  for (const give of [0, 2, 4, 7, 11]) {
    const giveBefore = Math.min(give, spareBefore);
    const giveAfter = Math.min(give, spareAfter);
    if (give > 0 && giveBefore < give && giveAfter < give) break;
    const from = first - giveBefore;
    const to = last + giveAfter;
    const start = isRay(before) ? knotOn(before, x[from - 1], y[from - 1]) : freeKnot(before);
    const end = isRay(after) ? knotOn(after, x[to + 1], y[to + 1]) : freeKnot(after);
    const most = Math.floor(bestCost - LEAST_GAIN - (isRay(before) ? LINE_COST : 0));
    const fit = fitSmooth(strand, from, to, start, end, { most });
    if (isRay(before)) fit.segments.unshift(lineTo(start.x, start.y));
    const cost = costOf(fit);
    if (cost >= bestCost - LEAST_GAIN) continue;
    bestCost = cost;
    best = fit;
  }
  return best;
}

/** Fits a closed loop of n points without corners. */
export function fitSmoothLoop(strand: Strand, n: number): Curve {
  const { x, y } = strand;
  const ellipse = fitEllipse(strand, n);
  if (ellipse) return ellipse;
  strand.rotate(0, n);
  // Halfway around, there are neighbors on both sides, which give a good start direction.
  const middle = n >> 1;
  const start = smoothAt(strand, middle);
  strand.n = n;
  strand.rotate(middle, n);
  const smooth = fitSmooth(strand, 1, n - 1, start, start, { isLoop: true });
  const best: Curve = { x: start.x, y: start.y, segments: smooth.segments };
  const smoothCost = costOf(smooth);
  const runs = straightRuns(strand, 0, n - 1);
  const { s } = strand;
  if (!runs.some((run) => s[run.to] - s[run.from] > LONG_RUN)) return best;

  // With straight runs, the loop starts in the middle of one, and that node is removed again.
  const longest = runs.reduce((p, q) => (q.to - q.from > p.to - p.from ? q : p));
  const seam = (longest.from + longest.to) >> 1;
  strand.n = n;
  strand.rotate(seam, n);
  const again = straightRuns(strand, 0, n).filter((run) => s[run.to] - s[run.from] > LONG_RUN / 2);
  const head = again[0];
  const tail = again[again.length - 1];
  if (again.length < 2 || head.from > 0 || tail.to < n) return best;
  const foot = project(fitLine(strand, 0, head.to), x[0], y[0]);
  const along = fitAlongRuns(strand, again, 0, n, foot, foot);
  if (costOf(along) - 1 > smoothCost) return best;
  const { segments } = along;
  const ending = segments.pop() as Segment;
  if (!ending.isLine || segments.length === 0) return best;
  const lastSegment = segments[segments.length - 1];
  return { x: lastSegment.x, y: lastSegment.y, segments };
}
