/**
 * A vine around letters: a stem that waves along a circle, with a curl and a leaf in each of its bends. The letters
 * stand before it, and it goes on behind them. In units of a monogram, the middle of the circle at 0, 0, y down.
 */

import { signedArea } from '../geometry/measure.ts';
import { type Contour, flatten } from '../geometry/pathData.ts';
import {
  type Grid,
  joinOutlines,
  MM_GRID,
  offsetOutline,
  outlineStroke,
  subtractOutlines,
} from '../geometry/planar.ts';
import { circle } from './outlines.ts';

/** The circle that all of a vine lies in. */
const RADIUS = 33;
/** The circle that the letters fill: the stem goes around it, and curls that reach into it are behind the letters. */
export const VINE_INSIDE = 22;

/** The widths of a line and of a gap: half a millimeter and more at a monogram of 25 mm. */
const LINE = 1.5;
const GAP = 1.3;
const THIN = 0.85;
/** What is left of a vine between letters is at least so large, in squares of a line. */
const LEAST_AREA = 3;

/** The stem's middle way, how far it leaves it, and its waves all around. An odd number has leaves below and above. */
const STEM = 28;
const WAVE = 3;
const WAVES = 7;

/** Curves are flattened to a fiftieth of a millimeter at the size of the largest. */
const GRID: Grid = { ...MM_GRID, tolerance: 0.015 };

type Point = readonly [x: number, y: number];

/** The point of a radius at an angle from the bottom, to the right. */
const at = (radius: number, angle: number): Point => [radius * Math.sin(angle), radius * Math.cos(angle)];

const stemAt = (angle: number): Point => at(STEM + WAVE * Math.cos(WAVES * angle), angle);

/** Returns letters and the vine behind them: closed outlines that keep a gap. Cost: some 30 ms. */
export function entwine(letters: readonly (readonly Contour[])[]): Contour[] {
  const covers = letters.flatMap((letter) => offsetOutline(closeHoles(letter), GAP, 'round', GRID));
  const uncut = subtractOutlines(drawVine(), joinOutlines([covers], GRID), GRID);
  const vine = withoutThorns(uncut, 'round').filter(
    (contour) => Math.abs(signedArea(contour)) > LEAST_AREA * LINE ** 2,
  );
  return [...letters.flatMap((letter) => withoutThorns(letter, 'miter')), ...vine];
}

/** Takes off what is thinner than most of a line: ends that a circle or a letter left of a stroke. */
const withoutThorns = (contours: readonly Contour[], join: 'round' | 'miter'): Contour[] =>
  offsetOutline(offsetOutline(contours, -THIN / 2, join, GRID), THIN / 2, join, GRID);

/** A vine does not show through a letter. */
const closeHoles = (letter: readonly Contour[]): readonly Contour[] =>
  letter.filter((contour) => Math.sign(signedArea(contour)) === Math.sign(signedArea(largest(letter))));

const largest = (letter: readonly Contour[]): Contour =>
  letter.reduce((most, each) => (Math.abs(signedArea(each)) > Math.abs(signedArea(most)) ? each : most));

let wholeVine: readonly Contour[] | undefined;

/** The vine is the same for all letters. */
function drawVine(): readonly Contour[] {
  wholeVine ??= fit(drawWreath());
  return wholeVine;
}

/** Scales a vine so that it just fits into its circle. */
function fit(contours: readonly Contour[]): Contour[] {
  let reach = 0;
  for (const contour of contours) {
    const points = flatten(contour, GRID.tolerance);
    for (let p = 0; p < points.length; p += 2) reach = Math.max(reach, Math.hypot(points[p]!, points[p + 1]!));
  }
  return contours.map((contour) => ({ ...contour, points: contour.points.map((value) => (value * RADIUS) / reach) }));
}

function drawWreath(): Contour[] {
  const stem: Point[] = [];
  const steps = WAVES * 28;
  for (let i = 0; i < steps; i++) stem.push(stemAt((2 * Math.PI * i) / steps));
  const right = bends().flatMap(decorate);
  const ends = [0, Math.PI].flatMap((angle) => endLeaves(angle));
  const ornaments = [...right, ...right.map(mirror), ...ends];
  return joinOutlines([stroke([toLoop(stem)]), ...ornaments.map((part) => [part])], GRID);
}

interface Bend {
  readonly angle: number;
  /** True where the stem is nearest to the middle, and the bend opens outward. */
  readonly isOutward: boolean;
}

/** The bends of the right half between its ends. */
const bends = (): Bend[] =>
  Array.from({ length: WAVES - 1 }, (_, i) => ({ angle: (Math.PI * (i + 1)) / WAVES, isOutward: i % 2 === 0 }));

/** Draws what grows in a bend: a curl that leaves the stem before it, and a leaf after it. */
function decorate({ angle, isOutward }: Bend): Contour[] {
  const side = isOutward ? 1 : -1;
  const [from, heading] = along(angle - (CURL_BEFORE * Math.PI) / WAVES);
  const { line, end } = curl(from, heading, side);
  const [root, direction] = along(angle + (LEAF_AFTER * Math.PI) / WAVES);
  return [...stroke([line]), circle(...end, LINE * 0.72), leaf(root, direction + side * LEAF_TURN, LEAF)];
}

/** Where a curl and a leaf leave the stem, in halves of a wave from the bend. */
const CURL_BEFORE = 0.62;
const LEAF_AFTER = 0.34;
/** How far a leaf turns from the stem, in radians, and its length. */
const LEAF_TURN = 0.62;
const LEAF = 6;

/** A point of the stem and the direction in which it grows there. */
function along(angle: number): [Point, number] {
  const [from, next] = [stemAt(angle), stemAt(angle + 0.01)];
  return [from, Math.atan2(next[1] - from[1], next[0] - from[0])];
}

/** The length of a curl, and how much it bends at first and in the end, radians for each unit. */
const CURL = 16;
const CURL_BENDS = [0.12, 0.66] as const;
const CURL_STEPS = 36;

/** Returns a line that bends more and more to a side, and its end. */
function curl(from: Point, heading: number, side: number): { line: Contour; end: Point } {
  const points: Point[] = [from];
  const [first, last] = CURL_BENDS;
  const step = CURL / CURL_STEPS;
  let [x, y] = from;
  let angle = heading;
  for (let i = 0; i < CURL_STEPS; i++) {
    angle += side * (first + (last - first) * ((i + 0.5) / CURL_STEPS) ** 1.3) * step;
    x += Math.cos(angle) * step;
    y += Math.sin(angle) * step;
    points.push([x, y]);
  }
  return { line: toLine(points), end: [x, y] };
}

/** A leaf of a length: two curves from its root to its tip. */
function leaf([x, y]: Point, heading: number, length: number): Contour {
  const [cos, sin] = [Math.cos(heading), Math.sin(heading)];
  const place = (along: number, aside: number) => [
    x + along * length * cos - aside * length * sin,
    y + along * length * sin + aside * length * cos,
  ];
  return {
    commands: ['C', 'C'],
    points: [
      ...place(-0.05, 0),
      ...[...place(0.2, 0.42), ...place(0.6, 0.36), ...place(1, 0)],
      ...[...place(0.75, -0.3), ...place(0.25, -0.36), ...place(-0.05, 0)],
    ],
    isClosed: true,
  };
}

/** Leaves where the halves of a wreath meet: one along the axis, two beside it. */
function endLeaves(angle: number): Contour[] {
  const from = stemAt(angle);
  const isOut = Math.cos(WAVES * angle) < 0;
  const outward = Math.atan2(from[1], from[0]);
  const heading = isOut ? outward : outward + Math.PI;
  return [0, 0.95, -0.95].map((turn) => leaf(from, heading + turn, turn === 0 ? LEAF : 0.85 * LEAF));
}

const stroke = (lines: readonly Contour[]): Contour[] =>
  outlineStroke(lines, { width: LINE, cap: 'round', join: 'round', miterLimit: 4 }, GRID);

const toContour = (points: readonly Point[], isClosed: boolean): Contour => ({
  commands: points.slice(1).map(() => 'L' as const),
  points: points.flat(),
  isClosed,
});
const toLoop = (points: readonly Point[]): Contour => toContour(points, true);
const toLine = (points: readonly Point[]): Contour => toContour(points, false);

const mirror = (contour: Contour): Contour => ({
  ...contour,
  points: contour.points.map((value, i) => (i % 2 === 0 ? -value : value)),
});
