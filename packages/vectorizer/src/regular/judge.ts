import type { LabelMap } from '../color/labels.ts';
import type { CurveMap } from '../fit/curves.ts';
import type { Curve } from '../geometry/segment.ts';
import { Canvas } from '../refine/canvas.ts';
import { Model } from '../refine/model.ts';
import { distanceFrom } from './findArcs.ts';
import { Outline, sampleCurve } from './outline.ts';

/** The share of its cost, in squared shares of a pixel, and the cost of each pixel along it, that a chain may gain. */
const MOST_COST_RATIO = 1.1;
const MOST_COST = 0.0015;

/** Compares curves with the picture and with those that were traced, which it renders first. */
export class Judge {
  readonly canvas: Canvas;
  private readonly curveMap: CurveMap;
  private readonly before: Float64Array;
  private readonly most: number;

  /** Curves that are not chosen stay. `most` is how far the others may move, in px. */
  constructor(curveMap: CurveMap, labelMap: LabelMap, noise: number, isChosen: Uint8Array, most: number) {
    const { map, curves, regions } = curveMap;
    this.curveMap = curveMap;
    this.most = most;
    this.canvas = new Canvas(map, new Model(map, curves), regions, labelMap, noise, isChosen);
    this.canvas.prepare();
    this.before = new Float64Array(curves.length);
    this.canvas.measure(this.before);
  }

  /** Renders other curves, and returns the cost of each chain. */
  measure(curves: Curve[]): Float64Array {
    this.canvas.setModel(new Model(this.curveMap.map, curves));
    const costs = new Float64Array(curves.length);
    this.canvas.measure(costs);
    return costs;
  }

  /**
   * Returns true when a curve that was just rendered, at this cost, draws its chain as well as the traced one did and
   * no point of either is far from the other.
   */
  accepts(chain: number, curve: Curve, cost: number): boolean {
    const { map, curves } = this.curveMap;
    const { from, to } = map.chains[chain];
    const isDrawn = cost <= MOST_COST_RATIO * this.before[chain] + MOST_COST * (to - from);
    return isDrawn && !this.canvas.isOut[chain] && areWithin(curve, curves[chain], this.most);
  }
}

/** Returns true when no point of either curve is farther than `most` px from the other. */
function areWithin(a: Curve, b: Curve, most: number): boolean {
  const [onA, onB] = [a, b].map((curve) => new Outline([0], () => sampleCurve(curve)));
  return distanceFrom(a, onB) <= most && distanceFrom(b, onA) <= most;
}
