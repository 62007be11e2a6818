import type { BoundaryMap } from '../boundary/boundary.ts';
import type { LabelMap } from '../color/labels.ts';
import type { CurveMap } from '../fit/curves.ts';
import { invert, mapShape } from '../geometry/isometry.ts';
import type { Curve, Point, Shape } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';
import { levelLines } from '../refine/align.ts';
import { Model } from '../refine/model.ts';
import { countSteps, isDense, refineModel } from '../refine/refine.ts';
import { signedArea, toCurve } from '../refine/shapeCurve.ts';
import type { Arc } from './arc.ts';
import { toCurves, toMean } from './arc.ts';
import { findArcs, MOST_ARCS } from './findArcs.ts';
import type { Find } from './finds.ts';
import { findRegularity } from './finds.ts';
import { Judge } from './judge.ts';
import { alignLines, chainsOf } from './lines.ts';
import type { Orbit } from './orbit.ts';

/**
 * Makes exact what the picture shows to be regular: mirrored and rotated outlines, outlines that repeat, and lines.
 *
 * Candidates are checked by the distance of the curves from their images. What passes is drawn as images of one arc,
 * the simplest of its parts. The curves are then refined against the picture, all parts freely, and the arc becomes the
 * mean of the parts: so the picture decides where it runs, and n parts have √n times less noise. A find is kept only
 * where no point moves farther than curves are uncertain, and where the picture is drawn as well as before.
 */

/** How far two parts may lie apart, in px: the errors of both fits, then what noise and waver add. */
const FIT_ERROR = 0.2;
const NOISE_ERROR = 0.03;
const LOSSY_ERROR = 0.2;

/** How far the ends of a line may move as it turns, in px: the errors of its fit, then what noise adds. */
const LINE_ERROR = 0.03;
const LINE_NOISE_ERROR = 0.01;
const LINE_LOSSY_ERROR = 0.08;
/** Rounds in which chains go back whose lines cannot be aligned. */
const LINE_ROUNDS = 5;

export interface RegularSettings {
  /** In byte levels of `labelMap.mixPixels`. */
  noise: number;
  /** True when most of the noise is ringing that lossy compression leaves beside edges. */
  isLossy: boolean;
  /** That of the boundaries, in px, as far as it is known. */
  waver: number;
  /** Lines that are level within this many px become exactly so; 0 leaves them as they are. */
  levelPx: number;
}

/**
 * Returns the curves with exact symmetry and equal repeats where the picture supports them. Boundaries too dense to be
 * compared with the picture stay as they are. About linear in the length of the boundaries times the nesting of shapes;
 * takes about as long as two to four refinements.
 */
export function regularize(curveMap: CurveMap, labelMap: LabelMap, settings: RegularSettings): Curve[] {
  const steps = isDense(curveMap.map) ? 0 : countSteps(curveMap.map);
  if (steps === 0) return curveMap.curves;
  const { curves, finds } = drawFinds(curveMap, labelMap, settings, steps);
  return evenLines({ ...curveMap, curves }, labelMap, settings, finds);
}

/** Returns the curves with aligned lines where the picture is drawn as well by them. */
function evenLines(
  curveMap: CurveMap,
  labelMap: LabelMap,
  { noise, isLossy, waver, levelPx }: RegularSettings,
  finds: readonly Find[],
): Curve[] {
  const { map, curves } = curveMap;
  const reach = LINE_ERROR + LINE_NOISE_ERROR * noise + (isLossy ? LINE_LOSSY_ERROR : 0) + waver;
  const isHeld = new Uint8Array(curves.length);
  let judge: Judge | undefined;
  for (let round = 0; round < LINE_ROUNDS; round++) {
    const trial = alignLines(curveMap, finds, isHeld, { reach, mayLevel: levelPx > 0 });
    if (!trial) return curves;
    const { misfits } = trial;
    if (misfits.size === 0) {
      const isMoved = Uint8Array.from(curves, (curve, c) => (trial.curves[c] === curve ? 0 : 1));
      if (!isMoved.includes(1)) return curves;
      // Later trials may move other chains than the first.
      judge ??= new Judge(curveMap, labelMap, noise, findMovable(map, curves), 2 * reach);
      const costs = judge.measure(trial.curves);
      isMoved.forEach((flag, c) => {
        if (flag && !judge?.accepts(c, trial.curves[c], costs[c])) misfits.add(c);
      });
      if (misfits.size === 0) return trial.curves;
    }
    for (const c of misfits) isHeld[c] = 1;
    for (const chains of finds.map(chainsOf)) if (chains.some((c) => isHeld[c])) for (const c of chains) isHeld[c] = 1;
  }
  return curves;
}

/** Marks the chains that have lines, and those that share a junction with them. */
function findMovable({ chains, junctions }: BoundaryMap, curves: readonly Curve[]): Uint8Array {
  const hasLines = curves.map(({ segments }) => segments.some(({ isLine }) => isLine));
  const isJoined = new Uint8Array(junctions.length);
  chains.forEach(({ start, end }, c) => {
    if (hasLines[c] && start >= 0) isJoined[start] = isJoined[end] = 1;
  });
  return Uint8Array.from(chains, ({ start, end }, c) => {
    return hasLines[c] || (start >= 0 && (isJoined[start] || isJoined[end])) ? 1 : 0;
  });
}

/** Returns the curves with finds drawn by their arcs, and the finds that are kept. */
function drawFinds(
  curveMap: CurveMap,
  labelMap: LabelMap,
  { noise, isLossy, waver, levelPx }: RegularSettings,
  steps: number,
): { curves: Curve[]; finds: Find[] } {
  const { map, curves, regions } = curveMap;
  const most = FIT_ERROR + NOISE_ERROR * noise + (isLossy ? LOSSY_ERROR : 0) + 2 * waver;
  const plans = findRegularity(map, curves, regions, most).flatMap((find) => {
    const pieces = toPieces(find, curves, most);
    return pieces ? [{ find, pieces }] : [];
  });
  if (plans.length === 0) return { curves, finds: [] };

  const pieces = plans.flatMap((plan) => plan.pieces);
  const isChosen = new Uint8Array(curves.length);
  for (const { orbit } of pieces) for (const { chain } of orbit.members) isChosen[chain] = 1;
  const judge = new Judge(curveMap, labelMap, noise, isChosen, most);

  /** Returns the means of the parts of curves that are laid out like arcs, and what these draw. */
  const toMeans = (fit: readonly Curve[], arcOf: ArcOf) => {
    const means = new Map<Piece, Arc>();
    for (const piece of pieces) {
      const arc = arcOf(piece);
      const parts = piece.orbit.members.map(({ chain }) => fit[chain]);
      if (arc) means.set(piece, toMean(piece.orbit, arc, parts));
    }
    const result = drawAll(curves, pieces, (piece) => means.get(piece));
    tieJunctions(map, pieces, result);
    return { means, result };
  };

  /** Refines the curves that arcs draw. Returns the means of their parts, what these draw, and their costs. */
  const refine = (arcOf: ArcOf) => {
    const trial = drawAll(curves, pieces, arcOf);
    tieJunctions(map, pieces, trial);

    const model = new Model(map, trial);
    judge.canvas.setModel(model);
    refineModel(model, judge.canvas, steps);
    const fit = toMeans(model.toCurves(trial), arcOf);
    // Refinement turns level lines a little. Made level again, the parts have a mean that is so too.
    const { means, result } =
      levelPx > 0 ? toMeans(levelLines(map, fit.result, levelPx), (piece) => fit.means.get(piece)) : fit;
    return { means, result, costs: judge.measure(result) };
  };

  const trials = Array.from({ length: MOST_ARCS }, (_, k) => k)
    .filter((k) => k === 0 || pieces.some(({ arcs }) => arcs.length > k))
    .map((k) => refine(({ arcs }) => arcs[k] ?? arcs[0]));
  // The last refinement starts from the means of all parts: a single part has errors that one does not take out.
  const { result, costs } = refine((piece) => {
    const costIn = (trial: (typeof trials)[number]): number =>
      piece.orbit.members.reduce((sum, { chain }) => sum + trial.costs[chain], 0);
    return trials.reduce((best, trial) => (costIn(trial) < costIn(best) ? trial : best)).means.get(piece);
  });

  const out = curves.slice();
  const finds: Find[] = [];
  for (const { find } of plans) {
    const chains = chainsOf(find);
    if (!chains.every((chain) => judge.accepts(chain, result[chain], costs[chain]))) continue;
    for (const chain of chains) out[chain] = result[chain];
    finds.push(find);
  }
  return { curves: out, finds };
}

/** An orbit of a find, with the arcs that may draw it, or the curves of its exact shapes. */
interface Piece {
  orbit: Orbit;
  arcs: Arc[];
  shapes: Curve[] | undefined;
}

/** Chooses the arc that draws a piece; undefined for exact shapes. */
type ArcOf = (piece: Piece) => Arc | undefined;

/** Returns undefined when a chain of the find needs more segments than it has. */
function toPieces({ orbits }: Find, curves: readonly Curve[], most: number): Piece[] | undefined {
  const pieces: Piece[] = [];
  for (const orbit of orbits) {
    const shape = meanShape(orbit, curves);
    const arcs = shape ? [] : findArcs(orbit, curves, most);
    if (!shape && arcs.length === 0) return undefined;
    pieces.push({ orbit, arcs, shapes: shape && toShapeCurves(orbit, shape, curves) });
  }
  return pieces;
}

/** Returns the curves with those of the pieces drawn by their arcs. */
function drawAll(
  curves: readonly Curve[],
  pieces: readonly Piece[],
  arcOf: (piece: Piece) => Arc | undefined,
): Curve[] {
  const out = curves.slice();
  for (const piece of pieces) {
    const { orbit, shapes } = piece;
    const arc = arcOf(piece);
    const list = shapes ?? (arc ? toCurves(orbit, arc) : []);
    list.forEach((curve, m) => {
      out[orbit.members[m].chain] = curve;
    });
  }
  return out;
}

/** Moves the ends of open curves to those of the first at each junction. Changes the curves in place. */
function tieJunctions({ chains }: BoundaryMap, pieces: readonly Piece[], curves: Curve[]): void {
  const places = new Map<number, Point>();
  const placeOf = (junction: number, end: Point): Point => {
    const place = places.get(junction) ?? { x: end.x, y: end.y };
    places.set(junction, place);
    return place;
  };
  for (const { orbit } of pieces) {
    if (orbit.isClosed) continue;
    for (const { chain } of orbit.members) {
      const curve = curves[chain];
      const { start, end } = chains[chain];
      const last = curve.segments[curve.segments.length - 1];
      curves[chain] = withEnds(curve, placeOf(start, curve), placeOf(end, last));
    }
  }
}

/** Returns an open curve from one point to another, moved at its ends with their handles. */
function withEnds(curve: Curve, from: Point, to: Point): Curve {
  const segments = curve.segments.map((segment) => ({ ...segment }));
  const first = segments[0];
  if (!first.isLine) {
    first.x1 += from.x - curve.x;
    first.y1 += from.y - curve.y;
  }
  const last = segments[segments.length - 1];
  last.x2 += to.x - last.x;
  last.y2 += to.y - last.y;
  last.x = to.x;
  last.y = to.y;
  if (last.isLine) segments[segments.length - 1] = lineTo(to.x, to.y);
  return { x: from.x, y: from.y, segments };
}

/** Returns the mean of the exact shapes of an orbit, on its first chain; undefined when its chains are no shapes. */
function meanShape({ members, turns }: Orbit, curves: readonly Curve[]): Shape | undefined {
  const first = curves[members[0].chain].shape;
  if (!first) return undefined;
  const shapes: Shape[] = [];
  for (const { chain, map } of members) {
    const { shape } = curves[chain];
    if (shape?.kind !== first.kind) return undefined;
    const back = mapShape(invert(map), shape);
    for (const turn of turns) shapes.push(alike(mapShape(invert(turn), back), first));
  }
  const mean = (of: (shape: Shape) => number): number =>
    shapes.reduce((sum, shape) => sum + of(shape), 0) / shapes.length;
  const x = mean((shape) => shape.x);
  const y = mean((shape) => shape.y);
  if (first.kind === 'circle')
    return { kind: 'circle', x, y, radius: mean((s) => (s.kind === 'circle' ? s.radius : 0)) };
  const angle = mean((shape) => (shape.kind === 'circle' ? 0 : shape.angle));
  if (first.kind === 'ellipse') {
    const rx = mean((s) => (s.kind === 'ellipse' ? s.rx : 0));
    return { kind: 'ellipse', x, y, rx, ry: mean((s) => (s.kind === 'ellipse' ? s.ry : 0)), angle };
  }
  const of = (name: 'width' | 'height' | 'radius'): number => mean((s) => (s.kind === 'rect' ? s[name] : 0));
  const [width, height] = [of('width'), of('height')];
  return { kind: 'rect', x, y, width, height, radius: Math.min(of('radius'), width / 2, height / 2), angle };
}

/** Returns the same shape by the angle that is nearest to that of another. */
function alike(shape: Shape, goal: Shape): Shape {
  if (shape.kind === 'circle' || goal.kind === 'circle') return shape;
  const step = shape.kind === 'rect' ? Math.PI / 2 : Math.PI;
  const turns = Math.round((shape.angle - goal.angle) / step);
  const angle = shape.angle - turns * step;
  if (shape.kind === 'rect' && turns % 2 !== 0) {
    return { ...shape, width: shape.height, height: shape.width, angle };
  }
  return { ...shape, angle };
}

function toShapeCurves({ members }: Orbit, shape: Shape, curves: readonly Curve[]): Curve[] {
  return members.map(({ chain, map }) => {
    const { shape: own } = curves[chain];
    const image = mapShape(map, shape);
    return toCurve(own ? alike(image, own) : image, signedArea(curves[chain]) < 0);
  });
}
