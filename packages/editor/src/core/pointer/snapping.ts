/**
 * Snapping: while an element is moved or resized, it is pulled by edges and middles of the machine area and of the
 * other elements, and by gaps as wide as those between others. Pure. Everything is in scene mm, along the product's own
 * axes; rotated elements count as the upright box around them. `createSnapTargets` sorts the fixed elements once, in n
 * log n. After that each step of a gesture is linear.
 */
import { type Axis, type Bounds, boxAround, extent, type Point, type Scene } from '@markwright/scene';

/** Lines and gaps to show while they hold, scene mm. */
export interface Guides {
  readonly lines: readonly GuideLine[];
  readonly gaps: readonly GapMark[];
}

/**
 * An edge or middle that boxes share, in scene mm. Along `x` it is an upright line at that x, from one y to another;
 * along `y` it is horizontal.
 */
interface GuideLine {
  readonly axis: Axis;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** One of several equal gaps, in scene mm: along `x` it reaches from one x to another, at the height `across`. */
export interface GapMark {
  readonly axis: Axis;
  readonly from: number;
  readonly to: number;
  readonly across: number;
  /** Where both that leave the gap have ended, across the axis. */
  readonly past: number;
}

export const noGuides: Guides = { lines: [], gaps: [] };

/** The extent of a box along an axis and across it. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly crossFrom: number;
  readonly crossTo: number;
}

interface AxisTargets {
  /** Edges and middles of the area and of every span, rising. */
  readonly lines: readonly number[];
  readonly area: Span;
  /** The elements, by where they begin. */
  readonly spans: readonly Span[];
}

export type SnapTargets = Readonly<Record<Axis, AxisTargets>>;

/** A box and the machine area are the same to within this, mm. */
const EXACT_MM = 1e-6;
/** Of two distances that differ by less, the first is taken, so that rounding does not choose. */
const TIE_MM = 1e-9;
/** Less than this is touching, and no gap to repeat. */
const MIN_GAP_MM = 0.05;

/** Collects what elements snap to: the machine area, and the visible elements that are not among the moved ones. */
export function createSnapTargets(scene: Scene, movedIds: readonly string[]): SnapTargets {
  const boxes = scene.groups
    .filter(({ elementId }) => !movedIds.includes(elementId))
    .map((group) => boxAround([group])!);
  const area = { left: 0, top: 0, right: scene.widthMm, bottom: scene.heightMm };
  const along = (axis: Axis): AxisTargets => {
    const spans = boxes.map((box) => toSpan(box, axis)).sort((a, b) => a.from - b.from);
    const lines = [toSpan(area, axis), ...spans].flatMap(linesOf).sort((a, b) => a - b);
    return { lines, area: toSpan(area, axis), spans };
  };
  return { x: along('x'), y: along('y') };
}

/**
 * Returns how much further a box moves, at most `snapMm` each way, to the nearest line or equal gap of each axis; 0
 * where there is none. `axes` are the ones it may move along.
 */
export function snapMove(targets: SnapTargets, box: Bounds, snapMm: number, axes: readonly Axis[] = bothAxes): Point {
  const pull = (snap: typeof snapToLine): Point => ({
    x: axes.includes('x') ? snap(targets.x, toSpan(box, 'x'), snapMm) : 0,
    y: axes.includes('y') ? snap(targets.y, toSpan(box, 'y'), snapMm) : 0,
  });
  const by = pull(snapToLineOrGap);
  const guides = findGuides(targets, shiftBox(box, by));
  const isMet = (axis: Axis) =>
    by[axis] === 0 || [...guides.lines, ...guides.gaps].some((guide) => guide.axis === axis);
  // A snap along one axis can take the box out of the row it had a gap in along the other.
  return bothAxes.every(isMet) ? by : pull(snapToLine);
}

export const shiftBox = ({ left, top, right, bottom }: Bounds, { x, y }: Point): Bounds => ({
  left: left + x,
  top: top + y,
  right: right + x,
  bottom: bottom + y,
});

const snapToLine = ({ lines }: AxisTargets, box: Span, snapMm: number): number =>
  nearestLineTo(lines, box, snapMm).value() ?? 0;

function snapToLineOrGap({ lines, spans }: AxisTargets, box: Span, snapMm: number): number {
  const nearest = nearestLineTo(lines, box, snapMm);
  const row = rowOf(spans, box);
  const { before, after } = neighbors(row, box, snapMm);
  const length = box.to - box.from;
  if (before && after && after.from - before.to - length >= MIN_GAP_MM) {
    nearest.offer((before.to + after.from - length) / 2 - box.from);
  }
  for (const [left, right] of pairsOf(row)) {
    const gap = right.from - left.to;
    if (before) nearest.offer(before.to + gap - box.from);
    if (after) nearest.offer(after.from - gap - box.to);
  }
  return nearest.value() ?? 0;
}

function nearestLineTo(lines: readonly number[], box: Span, snapMm: number) {
  const nearest = createNearest(snapMm);
  for (const edge of linesOf(box)) nearest.offer(nearestLine(lines, edge) - edge);
  return nearest;
}

/**
 * Returns the factor nearest to `factor` that scales a box about `anchor` so that an edge pulled with `corner` meets a
 * line, or leaves a gap as wide as another; `undefined` where the corner would move further than `snapMm`.
 */
export function snapResize(
  targets: SnapTargets,
  { box, anchor, corner, factor }: Pull,
  snapMm: number,
): number | undefined {
  const reach = Math.hypot(corner.x - anchor.x, corner.y - anchor.y);
  if (reach === 0) return undefined;
  const nearest = createNearest(snapMm / reach);
  const scaledBox = scaleBox(box, anchor, factor);
  for (const axis of bothAxes) {
    const side = pulledSide(anchor, corner, axis);
    const arm = side === undefined ? 0 : toSpan(box, axis)[side] - anchor[axis];
    if (side === undefined || Math.abs(arm) < EXACT_MM) continue;
    const offer = (line: number) => nearest.offer((line - anchor[axis]) / arm - factor);
    const { lines, spans } = targets[axis];
    const span = toSpan(scaledBox, axis);
    offer(nearestLine(lines, span[side]));
    const row = rowOf(spans, span);
    const { before, after } = neighbors(row, span, snapMm);
    for (const [left, right] of pairsOf(row)) {
      const gap = right.from - left.to;
      if (side === 'from' && before) offer(before.to + gap);
      if (side === 'to' && after) offer(after.from - gap);
    }
  }
  const by = nearest.value();
  return by === undefined ? undefined : factor + by;
}

/** A resize by a corner that keeps the shape of the box. */
export interface Pull {
  /** The box as it was at the start. */
  readonly box: Bounds;
  /** The point that stays in place, and the corner that is pulled, both at the start. */
  readonly anchor: Point;
  readonly corner: Point;
  /** The scale that the pointer asks for: 1 is the size at the start. */
  readonly factor: number;
}

/** Finds the guides that the edges and middles of a moved box lie on. */
export const findGuides = (targets: SnapTargets, box: Bounds): Guides =>
  joinGuides(bothAxes.map((axis) => guidesAlong(targets[axis], axis, toSpan(box, axis), ['from', 'middle', 'to'])));

/** Finds the guides that the pulled edges of a box lie on. */
export function findPulledGuides(targets: SnapTargets, box: Bounds, anchor: Point, corner: Point): Guides {
  return joinGuides(
    bothAxes.map((axis) => {
      const side = pulledSide(anchor, corner, axis);
      return side === undefined ? noGuides : guidesAlong(targets[axis], axis, toSpan(box, axis), [side]);
    }),
  );
}

/** Returns the box scaled by a factor about the anchor. */
export function scaleBox(box: Bounds, anchor: Point, factor: number): Bounds {
  const x = (value: number) => anchor.x + (value - anchor.x) * factor;
  const y = (value: number) => anchor.y + (value - anchor.y) * factor;
  return { left: x(box.left), top: y(box.top), right: x(box.right), bottom: y(box.bottom) };
}

type SpanSide = 'from' | 'to';

const bothAxes: readonly Axis[] = ['x', 'y'];

function toSpan(box: Bounds, axis: Axis): Span {
  const [from, to] = extent(box, axis);
  const [crossFrom, crossTo] = extent(box, axis === 'x' ? 'y' : 'x');
  return { from, to, crossFrom, crossTo };
}

const linesOf = ({ from, to }: Span): [from: number, middle: number, to: number] => [from, (from + to) / 2, to];

/**
 * Returns the edge that moves with a corner along an axis. Returns undefined when anchor and corner are level there.
 */
function pulledSide(anchor: Point, corner: Point, axis: Axis): SpanSide | undefined {
  const arm = corner[axis] - anchor[axis];
  if (Math.abs(arm) < EXACT_MM) return undefined;
  return arm > 0 ? 'to' : 'from';
}

/** Keeps the smallest of the distances it is offered; of two equal ones the first. */
function createNearest(limit: number) {
  let nearest: number | undefined;
  return {
    offer(by: number) {
      const isNearer = nearest === undefined || Math.abs(by) < Math.abs(nearest) - TIE_MM;
      if (Math.abs(by) <= limit && isNearer) nearest = by;
    },
    value: () => nearest,
  };
}

/** Finds the nearest line by binary search. There is always one, as the area has three. */
function nearestLine(lines: readonly number[], at: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const half = (low + high) >> 1;
    if (lines[half]! < at) low = half + 1;
    else high = half;
  }
  const after = lines[low]!;
  const before = lines[low - 1] ?? after;
  return at - before <= after - at + TIE_MM ? before : after;
}

/** Returns the spans that the box would meet on its way along the axis. */
const rowOf = (spans: readonly Span[], { crossFrom, crossTo }: Span) =>
  spans.filter((span) => span.crossFrom < crossTo && span.crossTo > crossFrom);

/** Returns the nearest span on either side. A box may reach into its neighbor by as much as a snap would correct. */
function neighbors(row: readonly Span[], box: Span, snapMm: number) {
  let before: Span | undefined;
  let after: Span | undefined;
  for (const span of row) {
    if (span.to <= box.from + snapMm && !(before && before.to >= span.to)) before = span;
    else if (span.from >= box.to - snapMm && !(after && after.from <= span.from)) after = span;
  }
  return { before, after };
}

/** Returns the pairs of neighbors in a row that have a gap between them. */
const pairsOf = (row: readonly Span[]) =>
  row.slice(1).flatMap((right, index): [Span, Span][] => {
    const left = row[index]!;
    return right.from - left.to >= MIN_GAP_MM ? [[left, right]] : [];
  });

function guidesAlong(
  { spans, area }: AxisTargets,
  axis: Axis,
  box: Span,
  which: readonly (SpanSide | 'middle')[],
): Guides {
  const [from, middle, to] = linesOf(box);
  const lines = which.flatMap((name): GuideLine[] => {
    const at = { from, middle, to }[name];
    const alignedSpans = [area, ...spans].filter((span) =>
      linesOf(span).some((line) => Math.abs(line - at) < EXACT_MM),
    );
    if (alignedSpans.length === 0) return [];
    const markedSpans = [...alignedSpans, box];
    return [
      {
        axis,
        at,
        from: Math.min(...markedSpans.map(({ crossFrom }) => crossFrom)),
        to: Math.max(...markedSpans.map(({ crossTo }) => crossTo)),
      },
    ];
  });

  const row = rowOf(spans, box);
  const { before, after } = neighbors(row, box, EXACT_MM);
  const own: [Span, Span][] = [];
  if (before && which.includes('from')) own.push([before, box]);
  if (after && which.includes('to')) own.push([box, after]);
  const gapOf = ([left, right]: [Span, Span]) => right.from - left.to;
  // Two that end at one edge leave the same gap, not two equal ones.
  const isEqual = (a: [Span, Span], b: [Span, Span]) =>
    Math.abs(gapOf(a) - gapOf(b)) < EXACT_MM && Math.abs(a[0].to - b[0].to) > EXACT_MM;
  const wide = own.filter((pair) => gapOf(pair) >= MIN_GAP_MM);
  const others = pairsOf(row);
  const equal = [
    ...wide.filter((pair) => [...wide, ...others].some((other) => isEqual(other, pair))),
    ...others.filter((other) => wide.some((pair) => isEqual(other, pair))),
  ];
  const gaps = equal.map(([left, right]) => ({
    axis,
    from: left.to,
    to: right.from,
    across: middleAcross(left, right),
    past: Math.max(left.crossTo, right.crossTo),
  }));
  return { lines, gaps };
}

/** Returns the middle of the part that both spans have in common across the axis, or of the space between them. */
const middleAcross = (a: Span, b: Span) => (Math.max(a.crossFrom, b.crossFrom) + Math.min(a.crossTo, b.crossTo)) / 2;

const joinGuides = (all: readonly Guides[]): Guides => ({
  lines: all.flatMap(({ lines }) => lines),
  gaps: all.flatMap(({ gaps }) => gaps),
});
