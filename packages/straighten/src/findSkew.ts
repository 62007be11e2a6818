/** Finds how a picture of something flat was tilted. */
import { type Bitmap, type Corners, type Gray, type Point, reduceToGray } from './bitmap.ts';
import { type EdgePoints, findEdgePoints } from './edges.ts';
import { type Homography, invert, mapCorners, mapPoint, rectangleCorners } from './homography.ts';
import { findRectangle, type Rectangle } from './page.ts';
import { type Cue, type Frame, fitPlane, type PlaneFit, planeToPicture, toPose, valuesOf } from './planeFit.ts';
import { findSegments } from './segments.ts';
import { findTextRows } from './textRows.ts';

/** A reason to straighten a picture. */
export interface Skew {
  /** The content is turned clockwise by this, in the middle of it. */
  readonly angleDeg: number;
  /** The confidence in the angle, 0..1. */
  readonly confidence: number;
  /** Where a page is seen, or lines come together: a rectangle's corners, clockwise from the top left. */
  readonly corners?: Corners;
  /** The confidence in the corners, 0..1. */
  readonly cornersConfidence?: number;
}

/** The search works on a picture of this long side. */
const SEARCH_SIDE = 1000;
/** The shortest side, in pixels, of a picture that shows a direction. */
const LEAST_SIDE = 32;
const MOST_SEGMENTS = 700;
const degrees = Math.PI / 180;
/** The limits of a straight picture: degrees, and the shares by which opposite sides or corners differ. */
const LEAST_ANGLE = 0.3;
const LEAST_DISTORTION = 0.01;
/** An angle with a larger standard deviation is a guess. */
const MOST_ANGLE_SIGMA = 0.3;
/** A distortion is a guess when its standard deviation is a larger share of it than this. */
const MOST_DISTORTION_SHARE = 0.35;
/** The least share of all straight edges, by length, that runs in the two directions. */
const LEAST_SHARE = 0.3;
/** The least total length of the edges of each direction, in long sides of the picture, and their least number. */
const LEAST_LENGTH = 0.12;
const LEAST_COUNT = 3;
/** Rows of text that agree are at least as many times as long as those that do not. */
const ROWS_AGREE = 2;
/** Four edges of a rectangle that fit are hardly an accident. */
const RECTANGLE_CONFIDENCE = 0.95;
/** Space around what is seen, by the long side of its box. */
const MARGIN = 0.04;

/**
 * Finds the tilt of a picture, and its perspective where the picture shows it. Returns undefined for a picture that is
 * straight to 0.3° and 1 %, and where nothing tells: an offer that is wrong is worse than none. Tilts beyond 18° are
 * not looked for. Cost: one pass over the picture, and 0.1 to 0.4 s for its reduced copy.
 */
export function findSkew(bitmap: Bitmap): Skew | undefined {
  if (Math.min(bitmap.width, bitmap.height) < LEAST_SIDE) return undefined;
  const gray = reduceToGray(bitmap, SEARCH_SIDE);
  const view = examine(gray);
  if (!view) return undefined;
  const { rectangle, fit, frame, edges } = view;
  const values = valuesOf(fit.pose);
  const map = rectangle ? mapOfRectangle(rectangle.corners) : planeToPicture(fit.pose, frame);
  const box = contentBox(edges, invert(map));
  const content = mapBox(map, box);
  const corners = rectangle?.isPage ? rectangle.corners : content;
  const { angle, distortion } = measure(corners);
  const isTilted = Math.abs(angle) >= LEAST_ANGLE;
  if (rectangle) {
    const isDistorted = distortion >= LEAST_DISTORTION;
    if (!isTilted && !isDistorted) return undefined;
    const offer = { angleDeg: angle, confidence: RECTANGLE_CONFIDENCE };
    if (!rectangle.isPage && !isDistorted) return offer;
    return { ...offer, corners: scaleUp(corners, gray.scale), cornersConfidence: RECTANGLE_CONFIDENCE };
  }
  const [angleSigma, ...partSigmas] = deviations(values, fit.covariance, (pose) => {
    const figures = measure(mapBox(planeToPicture(toPose(pose), frame), box));
    return [figures.angle, ...figures.parts];
  });
  if (angleSigma > MOST_ANGLE_SIGMA) return undefined;
  const distortionSigma = Math.max(...partSigmas);
  const isDistorted = distortion >= LEAST_DISTORTION && distortionSigma <= MOST_DISTORTION_SHARE * distortion;
  const offer = { angleDeg: angle, confidence: clampShare(1 - angleSigma) };
  if (!isDistorted) return isTilted ? offer : undefined;
  return {
    ...offer,
    corners: scaleUp(corners, gray.scale),
    cornersConfidence: clampShare(1 - distortionSigma / distortion),
  };
}

/** Maps a plane in which four corners are a rectangle of their size to the picture. */
function mapOfRectangle(corners: Corners): Homography {
  const [a, b, , d] = corners;
  const sides = rectangleCorners(Math.hypot(b.x - a.x, b.y - a.y), Math.hypot(d.x - a.x, d.y - a.y));
  return mapCorners(sides, corners);
}

const mapBox = (map: Homography, [a, b, c, d]: Corners): Corners => [
  mapPoint(map, a),
  mapPoint(map, b),
  mapPoint(map, c),
  mapPoint(map, d),
];

const clampShare = (value: number) => Math.max(0, Math.min(1, value));

const scaleUp = (corners: Corners, scale: number) => mapBox([scale, 0, 0, 0, scale, 0, 0, 0, 1], corners);

/** The reliable cues of a picture. */
interface Examination {
  readonly edges: EdgePoints;
  readonly cues: readonly Cue[];
  readonly frame: Frame;
  readonly fit: PlaneFit;
  readonly rectangle: Rectangle | undefined;
}

/** Finds the plane of a picture; undefined where too little agrees on it. */
function examine(gray: Gray): Examination | undefined {
  const edges = findEdgePoints(gray);
  const segments = findSegments(edges, gray.width).sort((a, b) => b.length - a.length);
  const longest = segments.slice(0, MOST_SEGMENTS).map((segment) => ({ ...segment, isBaseline: false }));
  const cues: Cue[] = [...longest, ...findTextRows(gray)];
  const frame: Frame = { centerX: gray.width / 2, centerY: gray.height / 2, unit: Math.max(gray.width, gray.height) };
  const fit = fitPlane(cues, frame);
  if (!fit) return undefined;
  const rectangle = findRectangle(longest, fit.families, planeToPicture(fit.pose, frame), gray);
  if (!rectangle && !isSupported(cues, fit, frame.unit)) return undefined;
  return { edges, cues, frame, fit, rectangle };
}

function supportOf(cues: readonly Cue[], fit: PlaneFit, unit: number) {
  const sum = (belongs: (cue: Cue, i: number) => boolean) => {
    const own = cues.filter(belongs);
    return { count: own.length, length: own.reduce((total, { length }) => total + length, 0) / unit };
  };
  return {
    total: sum(({ isBaseline }) => !isBaseline),
    along: sum(({ isBaseline }, i) => !isBaseline && fit.families[i] === 'along'),
    up: sum(({ isBaseline }, i) => !isBaseline && fit.families[i] === 'up'),
    rows: sum(({ isBaseline }, i) => isBaseline && fit.families[i] === 'along'),
    strayRows: sum(({ isBaseline }, i) => isBaseline && fit.families[i] === undefined),
  };
}

/** True when enough edges run in both directions, or lines of text along and edges of letters up. */
function isSupported(cues: readonly Cue[], fit: PlaneFit, unit: number): boolean {
  const { total, along, up, rows, strayRows } = supportOf(cues, fit, unit);
  // On a page of text nearly all rows agree; in the folds of a cloth some do by chance.
  if (rows.length < ROWS_AGREE * strayRows.length) return false;
  const isAlong = (along.length >= LEAST_LENGTH && along.count >= LEAST_COUNT) || rows.length >= 2 * LEAST_LENGTH;
  const isUp = up.length >= LEAST_LENGTH && up.count >= LEAST_COUNT;
  return isAlong && isUp && along.length + up.length >= LEAST_SHARE * total.length;
}

/** Returns a rectangle around all edges with a margin, in the plane's coordinates. */
function contentBox(edges: EdgePoints, toPlane: Homography): Corners {
  const step = Math.max(1, Math.floor(edges.count / 20_000));
  const places: Point[] = [];
  for (let i = 0; i < edges.count; i += step) places.push(mapPoint(toPlane, { x: edges.x[i], y: edges.y[i] }));
  const within = (values: number[]) => {
    values.sort((a, b) => a - b);
    const skip = Math.floor(values.length / 1000);
    return [values[skip], values[values.length - 1 - skip]] as const;
  };
  const [left, right] = within(places.map(({ x }) => x));
  const [top, bottom] = within(places.map(({ y }) => y));
  const margin = MARGIN * Math.max(right - left, bottom - top);
  const [l, r, t, b] = [left - margin, right + margin, top - margin, bottom + margin];
  return [
    { x: l, y: t },
    { x: r, y: t },
    { x: r, y: b },
    { x: l, y: b },
  ];
}

/**
 * Measures a quadrilateral: the turn of its two middle lines, in degrees, and by how much opposite sides differ and
 * corners are not right, as shares of one.
 */
function measure([a, b, c, d]: Corners) {
  const angleOf = (p: Point, q: Point) => Math.atan2(q.y - p.y, q.x - p.x);
  const middle = (p: Point, q: Point) => ({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 });
  const length = (p: Point, q: Point) => Math.hypot(q.x - p.x, q.y - p.y);
  const along = angleOf(middle(a, d), middle(b, c));
  const down = angleOf(middle(a, b), middle(d, c)) - Math.PI / 2;
  const parts = [Math.log(length(a, b) / length(d, c)), Math.log(length(a, d) / length(b, c)), along - down];
  const distortion = Math.max(...parts.map(Math.abs));
  return { angle: (along + down) / 2 / degrees, distortion, parts };
}

/** Returns the standard deviations of figures of a pose, by their slopes. */
function deviations(
  values: readonly number[],
  covariance: PlaneFit['covariance'],
  figuresOf: (values: readonly number[]) => readonly number[],
): number[] {
  const step = 1e-4;
  const here = figuresOf(values);
  const slopes = values.map((_, k) => {
    const there = figuresOf(values.map((value, i) => (i === k ? value + step : value)));
    return there.map((figure, j) => (figure - here[j]) / step);
  });
  return here.map((_, j) => {
    let variance = 0;
    for (let a = 0; a < values.length; a++) {
      for (let b = 0; b < values.length; b++) variance += slopes[a][j] * slopes[b][j] * covariance[a][b];
    }
    return Math.sqrt(Math.max(0, variance));
  });
}
