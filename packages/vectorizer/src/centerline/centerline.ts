import type { FittedMap } from '../fit/curves.ts';
import type { Quantized } from '../color/labels.ts';
import { fitEllipse } from '../fit/ellipse.ts';
import { fitOpen, fitSmoothLoop } from '../fit/fit.ts';
import { Strand } from '../fit/strand.ts';
import type { Curve } from '../geometry/segment.ts';
import type { Regions } from '../regions/regions.ts';
import { joinArcs } from './arcs.ts';
import type { Branches } from './branch.ts';
import { measureBranches, median } from './branches.ts';
import type { Crossings, Tail } from './crossings.ts';
import { fitTail, joinBranches } from './crossings.ts';
import { drawFillets } from './fillets.ts';
import { findSkeleton } from './skeleton.ts';

/**
 * Drawn lines as strokes: what the pen did, not the two sides of what it left.
 *
 * `skeleton.ts` thins the ink to find which lines there are and where they meet; `section.ts` measures the ink across thin ones, for their
 * middle and width to a small part of a pixel, and `sides.ts` moves the outlines of thick ones inwards; `crossings.ts` joins them through
 * crossings. Here they become curves with ends, corners and a width.
 */
export interface Stroke {
  curve: Curve;
  isClosed: boolean;
  /** px. */
  width: number;
}

export interface Centerlines {
  /** Strokes of every region that is drawn as lines. Other regions stay filled. */
  strokes: Map<number, Stroke[]>;
  cap: 'butt' | 'round';
}

export interface CenterlineSettings {
  tolerancePx: number | undefined;
  toleranceScale: number;
  /** In byte levels. */
  noise: number;
}

/** Regions plumper than this (rim² / 4 area; a square has 4) are no lines. */
const LEAST_ELONGATION = 4.6;
/** Shorter marks than this many widths are dots, or the second where other lines are as wide. */
const LEAST_LENGTH = 2.5;
const LEAST_MARK = 1.6;
/** Widths of one pen differ by no more than this share. */
const SAME_PEN = 0.03;
/** From one sixth to five sixths of its length, a line's width grows no more than this. */
const MOST_SWELL = 1.45;

/** `isInk` tells by region what may be a line. Linear in the pixels. */
export function traceCenterlines(
  { map, curves, regions }: FittedMap,
  quantized: Quantized,
  isInk: (region: number) => boolean,
  settings: CenterlineSettings,
): Centerlines {
  const isChosen = chooseRegions(regions, quantized, isInk);
  const skeleton = findSkeleton(regions, isChosen);
  const branches = measureBranches(skeleton, regions, quantized, settings.noise, map, curves);
  const crossings = joinBranches(skeleton, branches, regions.width);
  const drafts = linkBranches(branches, crossings);
  const isLine = findLines(drafts, regions);
  const ink = new InkAhead(regions, quantized);
  const jitter = branches.jitter;
  const tolerance = settings.tolerancePx ?? (0.06 + 2.5 * jitter) * settings.toleranceScale;

  const kept = drafts.filter((draft) => isLine[draft.region] === 1);
  agreeOnWidths(kept);
  const cap = measureEnds(kept, ink);
  const strokes = new Map<number, Stroke[]>();
  for (const draft of kept) {
    const { isClosed, width, region } = draft;
    // A ring has no corners, whatever its points look like near crossings.
    const ring = isClosed ? fitRing(draft, tolerance, jitter) : undefined;
    if (!ring) closeGaps(draft, cap, tolerance);
    if (draft.x.length < 2) continue;
    const joined = joinArcs(ring ?? fitDraft(draft, tolerance, jitter), isClosed, tolerance);
    const stroke = { curve: drawFillets(joined, isClosed, tolerance), isClosed, width };
    const list = strokes.get(region);
    if (list) list.push(stroke);
    else strokes.set(region, [stroke]);
  }
  return { strokes, cap };
}

function chooseRegions(regions: Regions, { ramps }: Quantized, isInk: (region: number) => boolean): Uint8Array {
  const { width, height, ids, count, areaOf, labelOf } = regions;
  const rim = new Uint32Array(count);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const id = ids[i];
      if (x > 0 && ids[i - 1] !== id) {
        rim[id]++;
        rim[ids[i - 1]]++;
      }
      if (y > 0 && ids[i - width] !== id) {
        rim[id]++;
        rim[ids[i - width]]++;
      }
    }
  }
  const isChosen = new Uint8Array(count);
  for (let r = 0; r < count; r++) {
    if (!isInk(r) || ramps[labelOf[r]]) continue;
    isChosen[r] = (rim[r] * rim[r]) / (4 * areaOf[r]) > LEAST_ELONGATION ? 1 : 0;
  }
  return isChosen;
}

/** How much the points of a bridge count. */
const BRIDGE_WEIGHT = 0.3;

/** What `blur` is of a line measured by its sides, px. */
const EVEN_BLUR = 3;

/** A stroke in the making: its trusted points, in order. */
interface Draft {
  region: number;
  x: number[];
  y: number[];
  /** Width at each point; NaN where a corner was put, -1 where a crossing was bridged. */
  across: number[];
  isClosed: boolean;
  width: number;
  /** How near to a corner or an end its points are spoilt, as the width of a line that has them spoilt by half of it, px. */
  blur: number;
  /** Length along the points, px. */
  length: number;
  /** Whether the line itself ends here, at the start and at the end. */
  isFree: [boolean, boolean];
  /** Where the ink ends beyond a free end, in px past its point. */
  ahead: [number, number];
}

/** Follows joined branches from end to end. */
function linkBranches(branches: Branches, crossings: Crossings): Draft[] {
  const { list } = branches;
  const { first, last, mate } = crossings;
  const isUsed = new Uint8Array(list.length);
  const drafts: Draft[] = [];
  const follow = (start: number): void => {
    const { region } = list[start >> 1];
    const draft: Draft = {
      region,
      x: [],
      y: [],
      across: [],
      isClosed: false,
      width: NaN,
      blur: 0,
      length: 0,
      isFree: [crossings.isFree[start] === 1, false],
      ahead: [0, 0],
    };
    const put = (x: number, y: number, width: number): void => {
      draft.x.push(x);
      draft.y.push(y);
      draft.across.push(width);
    };
    const putMeeting = (end: number): void => {
      const { meetX, meetY } = crossings;
      if (!Number.isNaN(meetX[end])) put(meetX[end], meetY[end], NaN);
    };
    /** Points of a smooth way across a meeting, so that a curve through the rest cannot stray there. */
    const bridge = (exit: number, entry: number): void => {
      const s = crossings.tails[exit];
      const t = crossings.tails[entry];
      if (!s || !t) return;
      const gap = Math.hypot(t.x - s.x, t.y - s.y);
      const turn = Math.acos(Math.max(-1, Math.min(1, -(s.dx * t.dx + s.dy * t.dy))));
      // The handles of an arc over this chord.
      const handle = turn < 0.01 ? gap / 3 : (gap * (2 / 3) * Math.tan(turn / 4)) / Math.sin(turn / 2);
      const steps = Math.floor(gap / 1.5);
      for (let k = 1; k < steps; k++) {
        const v = k / steps;
        const u = 1 - v;
        const a = 3 * u * u * v;
        const b = 3 * u * v * v;
        const before = u * u * u + a;
        const after = v * v * v + b;
        put(
          before * s.x + after * t.x - a * handle * s.dx - b * handle * t.dx,
          before * s.y + after * t.y - a * handle * s.dy - b * handle * t.dy,
          -1,
        );
      }
    };
    putMeeting(start);
    if (mate[start] >= 0) {
      draft.x.length = draft.y.length = draft.across.length = 0; // a loop: its meeting comes last
    }
    for (let end = start; ; ) {
      const b = end >> 1;
      isUsed[b] = 1;
      const forward = (end & 1) === 0;
      for (let n = 0; n <= last[b] - first[b]; n++) {
        const k = forward ? first[b] + n : last[b] - n;
        if (branches.isGood[k]) put(branches.x[k], branches.y[k], branches.width[k]);
      }
      const exit = end ^ 1;
      putMeeting(exit);
      if (mate[exit] < 0) {
        draft.isFree[1] = crossings.isFree[exit] === 1;
        break;
      }
      if (mate[exit] === start) {
        draft.isClosed = true;
        bridge(exit, start);
        break;
      }
      end = mate[exit];
      bridge(exit, end);
    }
    if (list[start >> 1].start < 0) draft.isClosed = true;
    for (let k = 1; k < draft.x.length; k++) {
      draft.length += Math.hypot(draft.x[k] - draft.x[k - 1], draft.y[k] - draft.y[k - 1]);
    }
    draft.width = median(draft.across.filter((width) => width > 0));
    draft.blur = list[start >> 1].isEven ? EVEN_BLUR : draft.width;
    if (draft.isClosed) draft.isFree = [false, false];
    if (draft.x.length > 0) drafts.push(draft);
  };
  for (const hasStart of [true, false]) {
    for (let b = 0; b < list.length; b++) {
      if (isUsed[b] || first[b] > last[b]) continue;
      if (!hasStart || list[b].start < 0) {
        follow(2 * b);
        continue;
      }
      const start = mate[2 * b] < 0 ? 2 * b : mate[2 * b + 1] < 0 ? 2 * b + 1 : -1;
      if (start >= 0) follow(start);
    }
  }
  return drafts;
}

/** A region is drawn as lines when its strokes are long, even in width, and make up nearly all of its ink. */
function findLines(drafts: Draft[], { count, areaOf }: Regions): Uint8Array {
  const ink = new Float64Array(count);
  const longest = new Float64Array(count);
  const swelling = new Float64Array(count);
  for (const { region, x, y, across, isClosed, width, length } of drafts) {
    if (!(width > 0)) continue;
    const widths = across.filter((w) => w > 0).sort((p, q) => p - q);
    const swell = widths[Math.floor((widths.length * 5) / 6)] / widths[Math.floor(widths.length / 6)];
    const seam = isClosed ? Math.hypot(x[0] - x[x.length - 1], y[0] - y[y.length - 1]) : width;
    ink[region] += (length + seam) * Math.max(1, width); // labels give the thinnest line a pixel
    longest[region] = Math.max(longest[region], (length + (isClosed ? seam : width)) / width);
    if (swell > MOST_SWELL + 0.5 / width) swelling[region] += length * width;
  }
  const isLine = new Uint8Array(count);
  const mayBe = (r: number, least: number): boolean =>
    longest[r] >= least && ink[r] > 0.6 * areaOf[r] && swelling[r] < 0.5 * areaOf[r];
  for (let r = 0; r < count; r++) isLine[r] = mayBe(r, LEAST_LENGTH) ? 1 : 0;
  // A short mark of the pen that drew the lines is a line of it.
  const pens = drafts.filter((draft) => isLine[draft.region] === 1 && draft.blur < draft.width);
  for (const { region, width, blur } of drafts) {
    if (isLine[region] === 1 || !(blur < width) || !mayBe(region, LEAST_MARK)) continue;
    if (pens.some((pen) => Math.abs(pen.width - width) < SAME_PEN * width)) isLine[region] = 1;
  }
  return isLine;
}

/** Widths within a twelfth of one another, or a sixth of a pixel, are one pen's: they become the mean, by length. */
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

/** How much farther a round cap goes on in its middle than on the whole, in widths: 1/2 - π/8. */
const ROUND_SHORT = 0.5 - Math.PI / 8;
/** Variance of a pixel and of looking between pixels, in px². */
const SMEAR = 0.25;

/** Finds how far the ink goes on past free ends, and which cap the drawing's ends have, by majority. */
function measureEnds(drafts: Draft[], ink: InkAhead): 'butt' | 'round' {
  let votes = 0;
  for (const draft of drafts) {
    for (const side of [0, 1]) {
      if (!draft.isFree[side]) continue;
      // The last half width is cut off askew by rows and columns.
      const tail = endOf(draft, side, 0);
      if (!tail) continue;
      const { length, middle } = ink.measure(tail, draft.width, draft.region);
      draft.ahead[side] = length;
      // Seen through pixels, the tip of a round cap is less pointed, the more so the thinner the line.
      const round = ROUND_SHORT - SMEAR / draft.width ** 2;
      if (round < 0.02) continue;
      const excess = (middle - length) / draft.width - round / 2;
      votes += Math.max(-0.2, Math.min(0.2, excess)) * Math.min(4, draft.width);
    }
  }
  return votes > 0 ? 'round' : 'butt';
}

/** How a draft runs at one of its ends, pointing out of it. */
function endOf(draft: Draft, side: number, skip: number): Tail | undefined {
  const { x, y, width, blur } = draft;
  const reach = blur < width ? 12 + width : Math.max(6, 3 * width);
  const from = side === 0 ? skip : x.length - 1 - skip;
  const tail = fitTail(x, y, undefined, from, side === 0 ? x.length - 1 : 0, reach);
  return tail && { ...tail, dx: -tail.dx, dy: -tail.dy };
}

/** Adds what lies beyond the trusted points: true ends, and corners. */
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
      // The cap begins before the last trusted point.
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

/** The ellipse a closed draft is, if it is one. */
function fitRing({ x, y, across }: Draft, tolerance: number, jitter: number): Curve | undefined {
  if (x.length < 8) return undefined;
  const strand = new Strand(x.length);
  strand.reset(tolerance, jitter);
  for (let k = 0; k < x.length; k++) if (across[k] > 0) strand.push(x[k], y[k], 1);
  strand.discountLevelEdges();
  return strand.n < 8 ? undefined : fitEllipse(strand, strand.n);
}

/** Fits the pieces between a draft's corners as pieces of a boundary are fitted. */
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

/** Turns sharper than this, in radians, within a line's width are corners. */
const CORNER = 0.38;
/** The same where the sides are too short to tell how they bend. */
const SHORT_CORNER = 0.85;

/**
 * Puts a point at each corner, where the sides meet, and takes out those nearby: within half a width of it the ink across a line is not the
 * line's own.
 */
function sharpen(draft: Draft, tolerance: number): void {
  const { x, y, across, isClosed, blur: width } = draft;
  const n = x.length;
  if (n < 6) return;
  const clear = 0.5 * width + 0.8;
  const found: { at: number; x: number; y: number; turn: number }[] = [];
  const at = (k: number): number => (isClosed ? (k + n) % n : Math.min(n - 1, Math.max(0, k)));
  const gaps = new Float64Array(n);
  for (let k = 0; k < n; k++) gaps[k] = Math.hypot(x[at(k + 1)] - x[k], y[at(k + 1)] - y[k]);
  const scales = [
    { reach: Math.max(6, 2.5 * width), least: CORNER },
    { reach: Math.max(3.2, 1.2 * width), least: SHORT_CORNER },
  ];
  const sideX = new Float64Array(64);
  const sideY = new Float64Array(64);
  /** Points from `from` on, those nearer than `clear` left out. The distance of the first is given as `skipped`. */
  const side = (
    from: number,
    step: number,
    start: number,
    reach: number,
  ): { tail: Tail; skipped: number } | undefined => {
    let s = start;
    let count = 0;
    let skipped = 0;
    for (let k = from, steps = 0; steps < Math.min(n - 1, 400); k += step, steps++) {
      if (!isClosed && (k < 0 || k >= n)) break;
      const i = at(k);
      if (Number.isNaN(across[i])) break; // no farther than the corner before
      if (s >= clear) {
        if (count === 0) skipped = s;
        if (s - skipped > reach || count === 64) break;
        sideX[count] = x[i];
        sideY[count++] = y[i];
      }
      s += step > 0 ? gaps[i] : gaps[at(k - 1)];
    }
    if (count < 3) return undefined;
    const tail = fitTail(sideX, sideY, undefined, 0, count - 1, reach);
    if (!tail || Math.hypot(sideX[count - 1] - sideX[0], sideY[count - 1] - sideY[0]) < 0.5 * reach) return undefined;
    return { tail, skipped };
  };
  for (const { reach, least } of scales) {
    const candidates: { at: number; x: number; y: number; turn: number }[] = [];
    for (let k = 0; k < (isClosed ? n : n - 1); k++) {
      const half = gaps[k] / 2;
      if (Number.isNaN(across[k]) || Number.isNaN(across[at(k + 1)])) continue;
      // A quick look first: most places are straight.
      const before = at(k - 4);
      const after = at(k + 5);
      const ux = x[k] - x[before];
      const uy = y[k] - y[before];
      const vx = x[after] - x[at(k + 1)];
      const vy = y[after] - y[at(k + 1)];
      const dot = ux * vx + uy * vy;
      if (dot > 0 && Math.abs(ux * vy - uy * vx) < 0.25 * dot) continue;
      const back = side(k, -1, half, reach);
      const on = back && side(k + 1, 1, half, reach);
      if (!back || !on) continue;
      const s = carry(back.tail, back.skipped);
      const t = carry(on.tail, on.skipped);
      const turn = Math.abs(Math.atan2(-s.dx * t.dy + s.dy * t.dx, -(s.dx * t.dx + s.dy * t.dy)));
      // On a tight bend, what the sides do between says little about a corner.
      const bent = (Math.abs(s.bend) + Math.abs(t.bend)) * (clear + half);
      if (turn < least + 1.5 * bent || turn > 3) continue;
      const cross = s.dx * t.dy - s.dy * t.dx;
      const along = ((t.x - s.x) * t.dy - (t.y - s.y) * t.dx) / cross;
      const cx = s.x + along * s.dx;
      const cy = s.y + along * s.dy;
      const mx = (x[k] + x[at(k + 1)]) / 2;
      const my = (y[k] + y[at(k + 1)]) / 2;
      if (Math.hypot(cx - mx, cy - my) > clear + (1.3 * half) / Math.tan((Math.PI - turn) / 2)) continue;
      // What lies between must not run beside the corner, as a rounded one does. A true one spoils the points around it.
      let isRound = 2 * half < 1.6 && Math.hypot(cx - mx, cy - my) > Math.max(0.4, 0.15 * width);
      for (let d = -3; d <= 4 && !isRound; d++) {
        const i = at(k + d);
        if (Number.isNaN(across[i]) || Math.hypot(x[i] - cx, y[i] - cy) < 0.35 * width + 0.3) continue;
        const a = Math.abs((x[i] - s.x) * s.dy - (y[i] - s.y) * s.dx);
        const b = Math.abs((x[i] - t.x) * t.dy - (y[i] - t.y) * t.dx);
        isRound = Math.min(a, b) > Math.max(0.3, 2.5 * tolerance) + 0.04 * width;
      }
      if (isRound) continue;
      candidates.push({ at: k, x: cx, y: cy, turn: turn - Math.hypot(cx - mx, cy - my) * 0.1 });
    }
    candidates.sort((p, q) => q.turn - p.turn || p.at - q.at);
    for (const one of candidates) {
      if (found.every((other) => Math.hypot(other.x - one.x, other.y - one.y) > clear + 0.5)) found.push(one);
    }
  }
  if (found.length === 0) return;
  found.sort((p, q) => p.at - q.at);
  const drop = new Uint8Array(n);
  for (let k = 0; k < n; k++) {
    for (const corner of found) {
      if (Math.abs(corner.at - k) < 60 || isClosed)
        if (Math.hypot(x[k] - corner.x, y[k] - corner.y) < clear && isNearAlong(corner.at, k, n, isClosed, clear))
          drop[k] = 1;
    }
  }
  const nextX: number[] = [];
  const nextY: number[] = [];
  const nextAcross: number[] = [];
  let c = 0;
  for (let k = 0; k < n; k++) {
    if (!drop[k] || Number.isNaN(across[k])) {
      nextX.push(x[k]);
      nextY.push(y[k]);
      nextAcross.push(across[k]);
    }
    while (c < found.length && found[c].at === k) {
      nextX.push(found[c].x);
      nextY.push(found[c].y);
      nextAcross.push(NaN);
      c++;
    }
  }
  draft.x = nextX;
  draft.y = nextY;
  draft.across = nextAcross;
}

function isNearAlong(corner: number, k: number, n: number, isClosed: boolean, clear: number): boolean {
  let apart = Math.abs(corner - k);
  if (isClosed) apart = Math.min(apart, n - apart);
  return apart < 2 * clear + 3;
}

/** A tail continued backwards by `distance`, along its bend. */
function carry(tail: Tail, distance: number): Tail {
  const turn = -tail.bend * distance;
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const half = turn / 2;
  const meanX = tail.dx * Math.cos(half) - tail.dy * Math.sin(half);
  const meanY = tail.dx * Math.sin(half) + tail.dy * Math.cos(half);
  return {
    x: tail.x - meanX * distance,
    y: tail.y - meanY * distance,
    dx: tail.dx * cos - tail.dy * sin,
    dy: tail.dx * sin + tail.dy * cos,
    bend: tail.bend,
  };
}

/** The ink in front of an end. */
class InkAhead {
  private readonly regions: Regions;
  private readonly data: Uint8ClampedArray;
  private readonly palette: Float64Array;

  constructor(regions: Regions, quantized: Quantized) {
    this.regions = regions;
    this.data = quantized.measured.data;
    this.palette = quantized.measuredPalette;
  }

  /**
   * How far the ink goes on from a tail's point in its direction: as the area ahead over the width, and along the middle alone, which
   * goes farther under a round cap.
   */
  measure(tail: Tail, width: number, region: number): { length: number; middle: number } {
    const { x, y, dx, dy } = tail;
    const paper = this.paperBeside(tail, width, region);
    const step = Math.max(0.25, width / 40);
    const reach = 1.5 * width + 4;
    const half = 0.5 * width + 1;
    let area = 0;
    let middle = 0;
    let full = 0;
    for (let k = 1; k <= 4; k++) full += this.at(x - k * 0.4 * width * dx, y - k * 0.4 * width * dy, region, paper) / 4;
    for (let t = step / 2; t < reach; t += step) {
      let sum = 0;
      for (let s = -half + step / 2; s < half; s += step) {
        sum += step * this.at(x + t * dx - s * dy, y + t * dy + s * dx, region, paper);
      }
      const here = this.at(x + t * dx, y + t * dy, region, paper);
      area += step * sum;
      middle += step * here;
      if (here < 0.02 && sum < 0.1 * width) break;
    }
    return { length: area / width, middle: middle / Math.max(0.3, full) };
  }

  /** A pixel of what lies beside the line at its end. */
  private paperBeside({ x, y, dx, dy }: Tail, width: number, region: number): number {
    const { ids, width: w, height } = this.regions;
    for (let s = 0.5 * width; s < 0.5 * width + 6; s += 0.5) {
      for (const sign of [1, -1]) {
        const px = Math.floor(x - sign * s * dy);
        const py = Math.floor(y + sign * s * dx);
        if (px < 0 || py < 0 || px >= w || py >= height) continue;
        if (ids[py * w + px] !== region) return this.regions.labels[py * w + px];
      }
    }
    return this.regions.labelOf[region];
  }

  /** Share of ink at a place, between the four pixels around it. */
  private at(x: number, y: number, region: number, paper: number): number {
    const { width, height } = this.regions;
    const px = Math.floor(x - 0.5);
    const py = Math.floor(y - 0.5);
    const u = x - 0.5 - px;
    const v = y - 0.5 - py;
    let sum = 0;
    for (let k = 0; k < 4; k++) {
      const ax = px + (k & 1);
      const ay = py + (k >> 1);
      if (ax < 0 || ay < 0 || ax >= width || ay >= height) continue;
      sum += (k & 1 ? u : 1 - u) * (k >> 1 ? v : 1 - v) * this.share(ay * width + ax, region, paper);
    }
    return sum;
  }

  private share(i: number, region: number, paper: number): number {
    const { data, palette } = this;
    const ink = this.regions.labelOf[region] * 4;
    let dot = 0;
    let span = 0;
    for (let c = 0; c < 4; c++) {
      const v = palette[ink + c] - palette[paper * 4 + c];
      dot += (data[i * 4 + c] - palette[paper * 4 + c]) * v;
      span += v * v;
    }
    return span < 1 ? 0 : Math.max(0, Math.min(1, dot / span));
  }
}
