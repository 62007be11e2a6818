import { OUTSIDE } from '../boundary/boundary.ts';
import type { LabelMap } from '../color/labels.ts';
import type { CurveMap } from '../fit/curves.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Curve, Shape } from '../geometry/segment.ts';
import { agree, levelLines } from './align.ts';
import { Canvas } from './canvas.ts';
import { Model } from './model.ts';
import { MOST_SEGMENTS, ShapeRecognizer } from './recognizer.ts';
import { countSteps, isDense, refineModel } from './refine.ts';
import { toCurve } from './shapeCurve.ts';

/**
 * Snaps outlines to exact shapes: circles, rectangles, ellipses and level lines, when that moves no point by more than
 * the error of the fit.
 *
 * A closed outline is fitted with a circle, a rectangle with or without round corners, and an ellipse, at any angle:
 * least squares of the distances of points along it (Gauss–Newton), starting from its area and extent. Circles with
 * nearly the same center or radius share it. Lines that are vertical or horizontal within the error of their ends
 * become exactly so, and nearly collinear ones are aligned.
 */
/** That distance without noise and waver, in px. */
const TOLERANCE = 0.05;
/**
 * A doubtful shape fits as well when its cost, in squared shares of a pixel, is below this ratio of the fit's cost plus
 * `LEAST_COST`: a shape of few parameters follows noise less.
 */
const MOST_COST_RATIO = 1.1;
const LEAST_COST = 0.03;

/** Returns how far a snapped outline may lie from the fitted one, in px. */
export function snapDistance(noise: number, waver: number): number {
  return TOLERANCE + 0.01 * noise + waver;
}

/**
 * Returns the curves with exact shapes in place of those that are nearly so. `noise` is in byte levels of
 * `labelMap.mixPixels`, as for `refineCurves`; `waver` is that of the boundaries in px, as far as it is known. Linear
 * in the segments; for doubtful shapes, also in the pixels along the boundaries.
 */
export function snapShapes(
  { map, curves, regions }: CurveMap,
  labelMap: LabelMap,
  noise: number,
  waver: number,
): Curve[] {
  const tolerance = snapDistance(noise, waver);
  const level = levelLines(map, curves, tolerance);
  const outline = new ShapeRecognizer(tolerance);
  const shapes = new Array<Shape | undefined>(level.length);
  const doubts: number[] = [];
  // Doubtful shapes are decided by their pixels, which say nothing where boundaries are dense.
  const steps = isDense(map) ? 0 : countSteps(map);
  level.forEach((curve, c) => {
    const { start, left, right } = map.chains[c];
    if (start >= 0 || left === OUTSIDE || right === OUTSIDE || curve.segments.length > MOST_SEGMENTS) return;
    const shape = outline.recognize(curve);
    if (!shape || !isWithin(shape, map.width, map.height) || (steps === 0 && !outline.isSure)) return;
    shapes[c] = shape;
    if (!outline.isSure) doubts.push(c);
  });
  const redraw = (): Curve[] =>
    level.map((curve, c) => {
      const shape = shapes[c];
      return shape ? toCurve(shape, outline.measure(curve) < 0) : curve;
    });
  if (doubts.length > 0) {
    // The fit may have missed the corners of such a shape. It is rendered as the shape it seems to be, and its pixels
    // decide whether it is one, and where.
    const isDoubtful = new Uint8Array(level.length);
    for (const c of doubts) isDoubtful[c] = 1;
    const canvas = new Canvas(map, new Model(map, level), regions, labelMap, noise, isDoubtful);
    const before = new Float64Array(level.length);
    const after = new Float64Array(level.length);
    canvas.prepare();
    canvas.measure(before);
    const trial = redraw();
    const model = new Model(map, trial);
    canvas.setModel(model);
    refineModel(model, canvas, steps);
    const trialFit = model.toCurves(trial);
    for (const c of doubts) {
      const shape = outline.recognize(trialFit[c]);
      shapes[c] = shape && outline.isSure && isWithin(shape, map.width, map.height) ? shape : undefined;
    }
    canvas.setModel(new Model(map, redraw()));
    canvas.measure(after);
    for (const c of doubts) {
      const isWorse = after[c] > MOST_COST_RATIO * before[c] + LEAST_COST;
      if (isWorse || canvas.isOut[c]) shapes[c] = undefined;
    }
  }
  agree(shapes, tolerance);
  return redraw();
}

/** Returns half the extent of a shape in x and in y. */
function reach(shape: Shape): { x: number; y: number } {
  if (shape.kind === 'circle') return { x: shape.radius, y: shape.radius };
  const cos = Math.abs(Math.cos(shape.angle));
  const sin = Math.abs(Math.sin(shape.angle));
  if (shape.kind === 'ellipse') {
    return { x: hypot(shape.rx * cos, shape.ry * sin), y: hypot(shape.rx * sin, shape.ry * cos) };
  }
  const { radius } = shape;
  const w = shape.width / 2 - radius;
  const h = shape.height / 2 - radius;
  return { x: w * cos + h * sin + radius, y: w * sin + h * cos + radius };
}

/** Returns the shape, moved and reduced as little as puts it inside a picture. */
export function fitWithin(shape: Shape, width: number, height: number): Shape {
  const { x, y } = reach(shape);
  const f = Math.min(1, width / 2 / x, height / 2 / y);
  const center = {
    x: Math.min(width - f * x, Math.max(f * x, shape.x)),
    y: Math.min(height - f * y, Math.max(f * y, shape.y)),
  };
  if (shape.kind === 'circle') return { ...shape, ...center, radius: f * shape.radius };
  if (shape.kind === 'ellipse') return { ...shape, ...center, rx: f * shape.rx, ry: f * shape.ry };
  const size = { width: f * shape.width, height: f * shape.height, radius: f * shape.radius };
  return { ...shape, ...center, ...size };
}

function isWithin(shape: Shape, width: number, height: number): boolean {
  const { x, y } = reach(shape);
  return shape.x - x >= 0 && shape.y - y >= 0 && shape.x + x <= width && shape.y + y <= height;
}
