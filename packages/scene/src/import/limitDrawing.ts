/** Decides what of a sanitized SVG is drawn and how large, so that it is drawn in time. */
import type { SvgNode } from '../svg/svg.ts';
import { type Cost, DRAWN_SIDE_PX, estimateDrawing } from './drawingCost.ts';
import { type SafeSvg, SvgRefused } from './svgSafe.ts';

/** The refusal of a drawing that takes too long. */
export const SLOW_DRAWING =
  'This SVG takes too long to draw. Simplify it, or save it as a picture (PNG) and upload that.';

/** A drawing that would have to be drawn below this side, in px, is refused. */
const LEAST_SIDE_PX = 512;
/** Filters that force a drawing below this side, in px, are left out instead. */
const LEAST_FILTERED_SIDE_PX = 570;
/**
 * The budget of a drawing, in ns of processor time. On a machine of half the speed it is 1.6 s, and the server ends a
 * drawing after 1.8 s (`drawingLimit.ts`): a drawing that fits the budget is not ended there.
 */
const BUDGET_NS = 0.8e9;
/**
 * Before a drawing is stored it is tried at a few pixels by a slower build of the renderer (`renderable.ts` of the
 * server). There what does not depend on the side takes 1.3 to 1.5 times as long.
 */
const TRIAL = { sidePx: 64, factor: 2 } as const;

/**
 * Returns the drawing without parts that lie far outside the picture, and without filters when it could not be drawn
 * in time with them; then `filter` is among `droppedTags`. Throws `SvgRefused` for a drawing that is too costly without
 * filters too. Cost: linear in the nodes after every reference is followed, which `readSvg` limits, and in the path
 * data.
 */
export function limitDrawing(full: SafeSvg): SafeSvg {
  const { cost: fullCost, invisibleNodes } = estimateDrawing(full);
  const safe = invisibleNodes.size === 0 ? full : { ...full, node: without(full.node, invisibleNodes) };
  const cost = invisibleNodes.size === 0 ? fullCost : costOf(safe);
  if (costAt(cost, LEAST_FILTERED_SIDE_PX) <= BUDGET_NS) return safe;
  const filterless = { ...safe, node: withoutFilters(safe.node) };
  const isWorthIt = costAt(costOf(filterless), LEAST_FILTERED_SIDE_PX) <= costAt(cost, LEAST_FILTERED_SIDE_PX) / 2;
  const drawable = isWorthIt
    ? { ...filterless, droppedTags: [...new Set([...safe.droppedTags, 'filter'])].sort() }
    : safe;
  if (costAt(isWorthIt ? costOf(drawable) : cost, LEAST_SIDE_PX) > BUDGET_NS) {
    throw new SvgRefused(SLOW_DRAWING);
  }
  return drawable;
}

/**
 * Returns the longer side at which the drawing can be drawn in time, at most `sidePx`. A drawing that `limitDrawing`
 * let through has at least 512 px.
 */
export function fittingSidePx(safe: SafeSvg, sidePx = DRAWN_SIDE_PX): number {
  const cost = costOf(safe);
  let side = sidePx;
  while (side > LEAST_SIDE_PX && costAt(cost, side) > BUDGET_NS) side = Math.max(LEAST_SIDE_PX, Math.floor(side * 0.8));
  return side;
}

const costOf = (safe: SafeSvg): Cost => estimateDrawing(safe).cost;

/** Returns the processor time, ns, of drawing at a side or of the trial, which are steps of different jobs. */
function costAt(cost: Cost, sidePx: number): number {
  const trial = cost.isTried ? TRIAL.factor * costOfDrawing(cost, TRIAL.sidePx) : 0;
  return Math.max(costOfDrawing(cost, sidePx), trial);
}

function costOfDrawing({ window, area, length, count }: Cost, sidePx: number): number {
  const ratio = sidePx / DRAWN_SIDE_PX;
  return window * ratio ** 4 + area * ratio ** 2 + length * ratio + count;
}

function withoutFilters({ tag, attrs, children }: SvgNode): SvgNode {
  const { filter, ...rest } = attrs;
  return { tag, attrs: filter === undefined ? attrs : rest, children: children.map(withoutFilters) };
}

function without(node: SvgNode, invisibleNodes: ReadonlySet<SvgNode>): SvgNode {
  const children = node.children
    .filter((child) => !invisibleNodes.has(child))
    .map((child) => without(child, invisibleNodes));
  return { ...node, children };
}
