/** The edges of a page, a card or a label. */
import type { Box, Corners, Point } from './bitmap.ts';
import { type Homography, invert, mapPoint } from './homography.ts';
import type { Family } from './planeFit.ts';
import type { Segment } from './segments.ts';

/** A rectangle of the plane, as the picture shows it. */
export interface Rectangle {
  readonly corners: Corners;
  /** True for a light page on something darker. Anything else may be a frame or a block that was drawn. */
  readonly isPage: boolean;
}

/** Segments on one line, in the plane's coordinates: at `at` across the line, over the interval along it. */
interface Line {
  readonly at: number;
  readonly low: number;
  readonly high: number;
  readonly visible: number;
  /** 1 when the light side is below or to the right. */
  readonly lightSide: number;
  readonly segments: readonly Segment[];
}

/** Segments lie on one line when they are within this share of the picture's long side of it. */
const SAME_LINE = 0.006;
/** Only the longest lines of each direction can be edges of a page. */
const MOST_LINES = 14;
/** A page fills this share of the picture, and each of its edges is seen by this share. */
const LEAST_AREA = 0.15;
const LEAST_COVER = 0.5;
const LEAST_MEAN_COVER = 0.65;
/** The largest share of the lines along the page's directions that may lie outside of the page. */
const MOST_OUTSIDE = 0.12;
/** The largest width of a line that frames something. */
const FRAME_WIDTH = 0.06;
/** A point at most this far from an edge lies on it. */
const NEAR_EDGE = 0.02;

/**
 * Finds the largest rectangle of the plane whose four edges are seen, all light inside or all dark inside, and that
 * holds nearly everything else. `toPicture` maps the plane to the picture, one unit of the plane being its long side.
 */
export function findRectangle(
  segments: readonly Segment[],
  families: readonly (Family | undefined)[],
  toPicture: Homography,
  picture: { width: number; height: number },
): Rectangle | undefined {
  const toPlane = invert(toPicture);
  const pieces = segments.flatMap((segment, i) => {
    const family = families[i];
    return family ? [place(segment, family, toPlane)] : [];
  });
  const along = joinLines(pieces.filter(({ family }) => family === 'along'));
  const up = joinLines(pieces.filter(({ family }) => family === 'up'));
  const unit = Math.max(picture.width, picture.height);
  const leastArea = (LEAST_AREA * picture.width * picture.height) / (unit * unit);
  let best: { area: number; sides: readonly Line[] } | undefined;
  for (const [top, bottom] of pairs(along)) {
    for (const [left, right] of pairs(up)) {
      const sides = [top, right, bottom, left];
      const area = (bottom.at - top.at) * (right.at - left.at);
      if (area < leastArea || (best && area <= best.area) || left.lightSide !== top.lightSide) continue;
      const covers = [top, bottom].map((line) => cover(line, left.at, right.at));
      covers.push(...[left, right].map((line) => cover(line, top.at, bottom.at)));
      if (Math.min(...covers) < LEAST_COVER || mean(covers) < LEAST_MEAN_COVER) continue;
      const box = { left: left.at, right: right.at, top: top.at, bottom: bottom.at };
      if (shareOutside(pieces, box) > MOST_OUTSIDE) continue;
      best = { area, sides };
    }
  }
  if (!best) return undefined;
  const [top, right, bottom, left] = best.sides.map(({ segments: own }) => fitThrough(own));
  const corners = [cross(top, left), cross(top, right), cross(bottom, right), cross(bottom, left)] as const;
  const isLightInside = best.sides[0].lightSide > 0;
  return { corners, isPage: isLightInside && !isFrame(best.sides, along, up) };
}

/** True when a rectangle is the inside of a line around it: beyond some of its edges it is light again. */
function isFrame([top, right, bottom, left]: readonly Line[], along: readonly Line[], up: readonly Line[]): boolean {
  const isDoubled = (edge: Line, lines: readonly Line[], way: number) =>
    lines.some(({ at, lightSide, visible }) => {
      const beyond = way * (at - edge.at);
      return lightSide === way && beyond > 0 && beyond < FRAME_WIDTH && visible > LEAST_COVER * edge.visible;
    });
  const lineSides = [
    isDoubled(top, along, -1),
    isDoubled(bottom, along, 1),
    isDoubled(left, up, -1),
    isDoubled(right, up, 1),
  ];
  return lineSides.filter(Boolean).length > 1;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

interface PlacedSegment {
  readonly segment: Segment;
  readonly family: Family;
  readonly at: number;
  readonly low: number;
  readonly high: number;
  readonly lightSide: number;
}

function place(segment: Segment, family: Family, toPlane: Homography): PlacedSegment {
  const { x, y, dx, dy, length, normalX, normalY } = segment;
  const end = (way: number) => mapPoint(toPlane, { x: x + (way * dx * length) / 2, y: y + (way * dy * length) / 2 });
  const [a, b] = [end(-1), end(1)];
  const isAlong = family === 'along';
  const [from, to] = isAlong ? [a.x, b.x] : [a.y, b.y];
  return {
    segment,
    family,
    at: isAlong ? (a.y + b.y) / 2 : (a.x + b.x) / 2,
    low: Math.min(from, to),
    high: Math.max(from, to),
    lightSide: Math.sign(isAlong ? normalY : normalX),
  };
}

/** Joins segments of one family to lines, and returns the longest ones by their place. */
function joinLines(pieces: readonly PlacedSegment[]): Line[] {
  const lines: Line[] = [];
  for (const side of [-1, 1]) {
    const inOrder = pieces.filter(({ lightSide }) => lightSide === side).sort((a, b) => a.at - b.at);
    let group: PlacedSegment[] = [];
    const close = () => {
      const visible = group.reduce((sum, { low, high }) => sum + high - low, 0);
      const at = group.reduce((sum, own) => sum + own.at * (own.high - own.low), 0) / visible;
      const low = Math.min(...group.map((own) => own.low));
      const high = Math.max(...group.map((own) => own.high));
      lines.push({ at, low, high, visible, lightSide: side, segments: group.map(({ segment }) => segment) });
    };
    for (const own of inOrder) {
      if (group.length > 0 && own.at - group[group.length - 1].at > SAME_LINE) {
        close();
        group = [];
      }
      group.push(own);
    }
    if (group.length > 0) close();
  }
  const longest = lines.sort((a, b) => b.visible - a.visible).slice(0, MOST_LINES);
  return longest.sort((a, b) => a.at - b.at);
}

/** Returns the pairs of lines whose light sides face each other, or face away from each other. */
function pairs(lines: readonly Line[]): (readonly [Line, Line])[] {
  return lines.flatMap((first, i) =>
    lines.slice(i + 1).flatMap((second) => (first.lightSide === second.lightSide ? [] : [[first, second] as const])),
  );
}

/** Returns the share of an edge that is seen. */
function cover({ low, high, visible }: Line, from: number, to: number): number {
  const inside = Math.min(high, to) - Math.max(low, from);
  // A line that goes on far beyond the corners is no edge of this page.
  const beyond = Math.max(0, from - NEAR_EDGE - low) + Math.max(0, high - to - NEAR_EDGE);
  return (Math.max(0, Math.min(inside, visible)) - beyond) / (to - from);
}

function shareOutside(pieces: readonly PlacedSegment[], { left, right, top, bottom }: Box): number {
  let [outside, total] = [0, 0];
  for (const { family, at, low, high } of pieces) {
    const length = high - low;
    total += length;
    const middle = (low + high) / 2;
    const [x, y] = family === 'along' ? [middle, at] : [at, middle];
    const isInside = x > left - NEAR_EDGE && x < right + NEAR_EDGE && y > top - NEAR_EDGE && y < bottom + NEAR_EDGE;
    if (!isInside) outside += length;
  }
  return outside / total;
}

/** Fits a line to the ends of segments, the long ones counting more: a·x + b·y + c = 0. */
function fitThrough(segments: readonly Segment[]): readonly [number, number, number] {
  const points = segments.flatMap(({ x, y, dx, dy, length }) =>
    [-1, 1].map((way) => ({ x: x + (way * dx * length) / 2, y: y + (way * dy * length) / 2, weight: length })),
  );
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  const mx = points.reduce((sum, { x, weight }) => sum + x * weight, 0) / total;
  const my = points.reduce((sum, { y, weight }) => sum + y * weight, 0) / total;
  let [xx, xy, yy] = [0, 0, 0];
  for (const { x, y, weight } of points) {
    xx += weight * (x - mx) ** 2;
    xy += weight * (x - mx) * (y - my);
    yy += weight * (y - my) ** 2;
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const [a, b] = [-Math.sin(angle), Math.cos(angle)];
  return [a, b, -(a * mx + b * my)];
}

function cross(p: readonly [number, number, number], q: readonly [number, number, number]): Point {
  const w = p[0] * q[1] - p[1] * q[0];
  return { x: (p[1] * q[2] - p[2] * q[1]) / w, y: (p[2] * q[0] - p[0] * q[2]) / w };
}
