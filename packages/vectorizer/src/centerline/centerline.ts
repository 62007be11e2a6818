import type { LabelMap } from '../color/labels.ts';
import type { CurveMap } from '../fit/curves.ts';
import { fitEllipse } from '../fit/ellipse.ts';
import { fitOpen, fitSmoothLoop } from '../fit/fit.ts';
import { Strand } from '../fit/strand.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Curve } from '../geometry/segment.ts';
import type { Regions } from '../regions/regions.ts';
import { joinArcs } from './arcs.ts';
import { measureBranches } from './branches.ts';
import type { Tail } from './crossings.ts';
import { fitTail, joinBranches } from './crossings.ts';
import type { Draft } from './drafts.ts';
import { linkBranches } from './drafts.ts';
import { drawFillets } from './fillets.ts';
import { InkAhead } from './inkAhead.ts';
import { sharpen } from './sharpen.ts';
import { findSkeleton } from './skeleton.ts';

/**
 * Turns drawn lines into strokes: the center line of the pen, not the two sides of its ink.
 *
 * `skeleton.ts` thins the ink to find the lines and their crossings. `section.ts` measures the ink across thin lines
 * for their center and width to a fraction of a pixel, and `sides.ts` offsets the outlines of thick lines inward.
 * `crossings.ts` joins the lines through crossings. This file fits them with curves that have ends, corners and a
 * width.
 */
export interface Stroke {
  curve: Curve;
  isClosed: boolean;
  /** px. */
  width: number;
}

export interface Centerlines {
  /** Strokes of every region that consists of lines. Other regions stay filled. */
  strokes: Map<number, Stroke[]>;
  cap: 'butt' | 'round';
}

export interface CenterlineSettings {
  tolerancePx: number | undefined;
  /** Factor of the tolerance that is found from the noise, when `tolerancePx` is undefined. */
  toleranceScale: number;
  /** In byte levels. */
  noise: number;
}

/**
 * Finds the regions that are drawn lines and traces them as strokes. `isInk` is true for regions that may be lines.
 * Linear in the pixels.
 */
export function traceCenterlines(
  { map, curves, regions }: CurveMap,
  labelMap: LabelMap,
  isInk: (region: number) => boolean,
  settings: CenterlineSettings,
): Centerlines {
  const isChosen = chooseRegions(regions, labelMap, isInk);
  const skeleton = findSkeleton(regions, isChosen);
  const branches = measureBranches(skeleton, regions, labelMap, settings.noise, map, curves);
  const crossings = joinBranches(skeleton, branches, regions.width);
  const drafts = linkBranches(branches, crossings);
  const isLine = findLines(drafts, regions);
  const ink = new InkAhead(regions, labelMap);
  const jitter = branches.jitter;
  const tolerance = settings.tolerancePx ?? (0.06 + 2.5 * jitter) * settings.toleranceScale;

  // `findLines` passes over drafts without a width. Nothing was measured there, so their points may be no numbers.
  const lineDrafts = drafts.filter(({ region, width }) => isLine[region] === 1 && width > 0);
  agreeOnWidths(lineDrafts);
  const cap = measureEnds(lineDrafts, ink);
  const strokes = new Map<number, Stroke[]>();
  for (const draft of lineDrafts) {
    const { isClosed, width, region } = draft;
    // A ring has no corners, even if its points near crossings look like corners.
    const ring = isClosed ? fitRing(draft, tolerance, jitter) : undefined;
    if (!ring) closeGaps(draft, cap, tolerance);
    if (draft.x.length < 2) continue;
    const withArcs = joinArcs(ring ?? fitDraft(draft, tolerance, jitter), isClosed, tolerance);
    const stroke = { curve: drawFillets(withArcs, isClosed, tolerance), isClosed, width };
    const list = strokes.get(region);
    if (list) list.push(stroke);
    else strokes.set(region, [stroke]);
  }
  return { strokes, cap };
}

/** Regions less elongated than this (perimeter² / 4 area; a square has 4) are not lines. */
const LEAST_ELONGATION = 4.6;

function chooseRegions(regions: Regions, { ramps }: LabelMap, isInk: (region: number) => boolean): Uint8Array {
  const { width, height, ids, count, areaOf, labelOf } = regions;
  const perimeter = new Uint32Array(count);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const id = ids[i];
      if (x > 0 && ids[i - 1] !== id) {
        perimeter[id]++;
        perimeter[ids[i - 1]]++;
      }
      if (y > 0 && ids[i - width] !== id) {
        perimeter[id]++;
        perimeter[ids[i - width]]++;
      }
    }
  }
  const isChosen = new Uint8Array(count);
  for (let r = 0; r < count; r++) {
    if (!isInk(r) || ramps[labelOf[r]]) continue;
    isChosen[r] = (perimeter[r] * perimeter[r]) / (4 * areaOf[r]) > LEAST_ELONGATION ? 1 : 0;
  }
  return isChosen;
}

/**
 * Least length of a line in widths; the second applies where other lines have the same width. Shorter marks are dots.
 */
const LEAST_LENGTH = 2.5;
const LEAST_MARK = 1.6;
/** Widths of one pen differ by at most this share. */
const SAME_PEN = 0.03;
/** Largest ratio of the 5/6 quantile to the 1/6 quantile of a line's widths. */
const MOST_SWELL = 1.45;

/**
 * Marks the regions to draw as lines: their strokes are long, have an even width, and cover nearly all of their ink.
 */
function findLines(drafts: Draft[], { count, areaOf }: Regions): Uint8Array {
  const ink = new Float64Array(count);
  const longest = new Float64Array(count);
  const swelling = new Float64Array(count);
  for (const { region, x, y, across, isClosed, width, length } of drafts) {
    if (!(width > 0)) continue;
    const widths = across.filter((w) => w > 0).sort((p, q) => p - q);
    const swell = widths[Math.floor((widths.length * 5) / 6)] / widths[Math.floor(widths.length / 6)];
    const seam = isClosed ? hypot(x[0] - x[x.length - 1], y[0] - y[y.length - 1]) : width;
    ink[region] += (length + seam) * Math.max(1, width); // labels make the thinnest line one pixel wide
    longest[region] = Math.max(longest[region], (length + (isClosed ? seam : width)) / width);
    if (swell > MOST_SWELL + 0.5 / width) swelling[region] += length * width;
  }
  const isLine = new Uint8Array(count);
  const mayBe = (r: number, least: number): boolean =>
    longest[r] >= least && ink[r] > 0.6 * areaOf[r] && swelling[r] < 0.5 * areaOf[r];
  for (let r = 0; r < count; r++) isLine[r] = mayBe(r, LEAST_LENGTH) ? 1 : 0;
  // A short mark with the pen width of the lines is a line too.
  const pens = drafts.filter((draft) => isLine[draft.region] === 1 && draft.blur < draft.width);
  for (const { region, width, blur } of drafts) {
    if (isLine[region] === 1 || !(blur < width) || !mayBe(region, LEAST_MARK)) continue;
    if (pens.some((pen) => Math.abs(pen.width - width) < SAME_PEN * width)) isLine[region] = 1;
  }
  return isLine;
}

/** Gives strokes of similar width, within 12 % plus 0.12 px of their mean, the mean width, weighted by length. */
function agreeOnWidths(drafts: Draft[]): void {
  const order = [...drafts].sort((p, q) => p.width - q.width);
  for (let from = 0; from < order.length; ) {
    let sum = 0;
    let total = 0;
    let to = from;
    while (to < order.length) {
      const { width, length } = order[to];
      const mean = total > 0 ? sum / total : width;
      if (width > mean * 1.12 + 0.12) break;
      sum += width * (length + 1);
      total += length + 1;
      to++;
    }
    for (let k = from; k < to; k++) order[k].width = sum / total;
    from = to;
  }
}

/** How much farther a round cap reaches in its middle than on average, in widths: 1/2 - π/8. */
const ROUND_SHORT = 0.5 - Math.PI / 8;
/** Variance of the pixel box and of the interpolation between pixels, in px². */
const SAMPLING_VARIANCE = 0.25;

/** Measures how far the ink continues past free ends, and finds the line cap of the drawing by majority. */
function measureEnds(drafts: Draft[], ink: InkAhead): 'butt' | 'round' {
  let votes = 0;
  for (const draft of drafts) {
    for (const side of [0, 1]) {
      if (!draft.isFree[side]) continue;
      // Rows and columns cut off the last half width at an angle.
      const tail = endOf(draft, side, 0);
      if (!tail) continue;
      const { length, middle } = ink.measure(tail, draft.width, draft.region);
      draft.ahead[side] = length;
      // Pixels blunt the tip of a round cap, and more so on thin lines.
      const round = ROUND_SHORT - SAMPLING_VARIANCE / draft.width ** 2;
      if (round < 0.02) continue;
      const excess = (middle - length) / draft.width - round / 2;
      votes += Math.max(-0.2, Math.min(0.2, excess)) * Math.min(4, draft.width);
    }
  }
  return votes > 0 ? 'round' : 'butt';
}

/** Returns the position and direction of a draft at one of its ends, pointing outward. */
function endOf(draft: Draft, side: number, skip: number): Tail | undefined {
  const { x, y, width, blur } = draft;
  const reach = blur < width ? 12 + width : Math.max(6, 3 * width);
  const from = side === 0 ? skip : x.length - 1 - skip;
  const tail = fitTail(x, y, undefined, from, side === 0 ? x.length - 1 : 0, reach);
  return tail && { ...tail, dx: -tail.dx, dy: -tail.dy };
}

/** Adds the parts beyond the good points: corners and true ends. */
function closeGaps(draft: Draft, cap: 'butt' | 'round', tolerance: number): void {
  sharpen(draft, tolerance);
  for (const side of [0, 1]) {
    if (!draft.isFree[side]) continue;
    const tail = endOf(draft, side, 0);
    if (!tail) continue;
    const length = draft.ahead[side] - (cap === 'round' ? (Math.PI / 8) * draft.width : 0);
    const px = tail.x + tail.dx * length;
    const py = tail.y + tail.dy * length;
    if (length < 0.3) {
      // The cap begins before the last good point.
      while (draft.x.length > 2) {
        const k = side === 0 ? 0 : draft.x.length - 1;
        if ((draft.x[k] - px) * tail.dx + (draft.y[k] - py) * tail.dy < -0.3) break;
        for (const list of [draft.x, draft.y, draft.across]) list.splice(k, 1);
      }
    }
    const at = side === 0 ? 0 : draft.x.length;
    draft.x.splice(at, 0, px);
    draft.y.splice(at, 0, py);
    draft.across.splice(at, 0, NaN);
  }
}

/** Returns the ellipse that a closed draft follows, if there is one. */
function fitRing({ x, y, across }: Draft, tolerance: number, jitter: number): Curve | undefined {
  if (x.length < 8) return undefined;
  const strand = new Strand(x.length);
  strand.reset(tolerance, jitter);
  for (let k = 0; k < x.length; k++) if (across[k] > 0) strand.push(x[k], y[k], 1);
  strand.discountLevelEdges();
  return strand.n < 8 ? undefined : fitEllipse(strand, strand.n);
}

/** Weight of the points of a bridge. */
const BRIDGE_WEIGHT = 0.3;

/** Fits the pieces between a draft's corners in the way of a boundary. */
function fitDraft({ x, y, across, isClosed }: Draft, tolerance: number, jitter: number): Curve {
  const n = x.length;
  const strand = new Strand(n + 64);
  strand.reset(tolerance, jitter);
  strand.mayCross = true;
  const seam = isClosed ? Math.max(0, across.findIndex(Number.isNaN)) : 0;
  const corners: number[] = [];
  for (let k = 0; k < n; k++) {
    const i = (seam + k) % n;
    const isCorner = Number.isNaN(across[i]);
    if (isCorner) corners.push(k);
    strand.push(x[i], y[i], across[i] < 0 ? BRIDGE_WEIGHT : 1);
  }
  strand.discountLevelEdges();
  strand.measure();
  if (!isClosed) {
    if (corners[0] !== 0) corners.unshift(0);
    if (corners[corners.length - 1] !== n - 1) corners.push(n - 1);
    return fitOpen(strand, corners);
  }
  if (corners.length === 0) return fitSmoothLoop(strand, n);
  strand.rotate(0, n);
  corners.push(n);
  return fitOpen(strand, corners, true);
}
