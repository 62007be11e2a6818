/** Reads the photograph of a blank: removes its background, straightens it, traces its outline. No page, no canvas. */
import { removeBackground } from '@markwright/matting';
import {
  type Bitmap,
  type Corners,
  estimateAspect,
  type Point,
  planWarp,
  type WarpPlan,
  warp,
} from '@markwright/straighten';
import { hasCardCorners, scaleOfCard } from './card.ts';
import { areaOf, findObjects, keepObject, type PictureObject, traceOutline } from './outline.ts';
import { findOvalAngle, findQuad, findWholeQuad } from './quad.ts';
import { isLikeRuler, scaleOfRuler } from './ruler.ts';

export interface ReadOptions {
  /** True for a blank with a flat face, whose perspective can be taken out; a cup only stands straight. */
  readonly isFlat: boolean;
  /** True to leave the background in the picture. The outline is found all the same. */
  readonly keepsBackground: boolean;
  /** True where what looks like a bank card, or a ruler, is none. */
  readonly ignoresGauge: boolean;
  /**
   * Set by hand, from the top left clockwise, in fractions of the picture: the blank is what lies between them. Empty:
   * nothing is looked for. Absent: the blank is found.
   */
  readonly corners?: readonly Point[] | undefined;
}

/** In pixels of the picture. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface BlankReading {
  readonly picture: Bitmap;
  /** The whole blank. */
  readonly box: PixelBox;
  /** The blank without a handle at a side: what the diameter of a cup is measured on. */
  readonly body: PixelBox;
  /** Its outline as pairs of x and y; absent where the background is not plain. The box is the whole picture then. */
  readonly outline?: Float64Array | undefined;
  /** True for something with a handle at a side. */
  readonly hasHandle: boolean;
  /** Found on a bank card or a ruler beside the blank. */
  readonly mmPerPixel?: number | undefined;
  /** The thing of known size that gave the scale. */
  readonly gauge?: 'card' | 'ruler' | undefined;
  readonly isCutOut: boolean;
  /** By how many degrees the blank was turned, 0 where it was not. */
  readonly turnDeg: number;
}

/** Room around the blank, as a share of its longer side. */
const ROOM = 0.06;
/** Less than this is straight: degrees, and the lean of the sides as a share of the size. */
const STRAIGHT_DEG = 0.3;
const STRAIGHT = 0.004;
/** A blank fills at least this much of the picture; less is a speck on a table. */
const LEAST_BLANK = 0.01;

/**
 * Reads a picture with straight alpha. Cost: linear in the pixels, about half a second for each megapixel. Throws no
 * error for pictures in which nothing is found.
 */
export function readBlank(source: Bitmap, options: ReadOptions): BlankReading {
  const { corners } = options;
  if (corners) return corners.length === 4 ? readCorners(source, corners) : readWhole(source);
  const cutOut = cutBackground(source, options);
  const parts = cutOut && findBlank(cutOut, source, options);
  if (!cutOut || !parts) return readWhole(source);
  const { labels, blank, gauge } = parts;
  const quad = findQuad(blank.outline);
  const plan = planStraight(source, blank.outline, options.isFlat ? quad : undefined);

  if (!options.keepsBackground) keepObject(cutOut, labels, blank.object.label);
  const content = options.keepsBackground ? source : cutOut;
  const outline = plan ? mapPoints(blank.outline, plan.plan) : blank.outline;
  const whole = boxOf(outline);
  const room = Math.ceil(ROOM * Math.max(whole.width, whole.height));
  const frame = {
    x: Math.floor(whole.x) - room,
    y: Math.floor(whole.y) - room,
    width: Math.ceil(whole.width) + 2 * room,
    height: Math.ceil(whole.height) + 2 * room,
  };
  const picture = plan ? warpFrame(content, plan.plan, frame, options.keepsBackground) : cropFrame(content, frame);
  const edge = outline.map((value, i) => value - (i % 2 === 0 ? frame.x : frame.y));
  const body = bodyOf(edge);
  const mmPerPixel = gauge && measureGauge(source, gauge, plan?.plan);
  return {
    picture,
    box: boxOf(edge),
    body: body.box,
    outline: edge,
    hasHandle: body.hasHandle,
    mmPerPixel,
    gauge: mmPerPixel === undefined ? undefined : gauge?.kind,
    isCutOut: !options.keepsBackground,
    turnDeg: plan?.turnDeg ?? 0,
  };
}

/** Takes what lies between four corners for the blank, and straightens it. */
function readCorners(source: Bitmap, shares: readonly Point[]): BlankReading {
  const [a, b, c, d] = shares.map(({ x, y }) => ({ x: x * source.width, y: y * source.height }));
  const picture = warp(source, { corners: [a!, b!, c!, d!] });
  const { width, height } = picture;
  return { ...readWhole(picture), outline: Float64Array.of(0, 0, width, 0, width, height, 0, height) };
}

function readWhole(picture: Bitmap): BlankReading {
  const box = { x: 0, y: 0, width: picture.width, height: picture.height };
  return { picture, box, body: box, hasHandle: false, isCutOut: false, turnDeg: 0 };
}

/** Returns a copy of the picture without its background; undefined where that is not plain. */
function cutBackground(source: Bitmap, { isFlat }: ReadOptions): Bitmap | undefined {
  const picture = { ...source, data: Uint8Array.from(source.data) };
  if (hasClearBackground(picture)) return picture;
  // What shows through a handle is background; a patch on a board that has its color is not.
  return removeBackground(picture, { clearEnclosed: !isFlat });
}

/** True for a picture that was cut out before: most of its border is clear. */
function hasClearBackground({ width, height, data }: Bitmap): boolean {
  let clear = 0;
  const isClear = (x: number, y: number) => (data[4 * (y * width + x) + 3]! < 16 ? 1 : 0);
  for (let x = 0; x < width; x++) clear += isClear(x, 0) + isClear(x, height - 1);
  for (let y = 0; y < height; y++) clear += isClear(0, y) + isClear(width - 1, y);
  return clear > 0.8 * 2 * (width + height);
}

/** Something of a known size beside the blank, by its corners in the picture. */
interface Gauge {
  readonly kind: 'card' | 'ruler';
  readonly corners: Corners;
}

interface FoundBlank {
  readonly labels: Int32Array;
  readonly blank: { readonly object: PictureObject; readonly outline: Float64Array };
  readonly gauge: Gauge | undefined;
}

/** Returns the millimeters of a pixel of the straightened picture. */
function measureGauge(source: Bitmap, { kind, corners }: Gauge, plan: WarpPlan | undefined): number | undefined {
  const [a, b, c, d] = corners;
  const straight = plan ? ([a, b, c, d].map((corner) => plan.toResult(corner)) as unknown as Corners) : corners;
  return kind === 'card'
    ? scaleOfCard(straight)
    : scaleOfRuler(source, straight, plan && ((point) => plan.toPicture(point)));
}

/** The blank is the largest object that is neither the one bank card of the picture nor its one ruler. */
function findBlank(cutOut: Bitmap, source: Bitmap, { ignoresGauge }: ReadOptions): FoundBlank | undefined {
  const { labels, objects } = findObjects(cutOut);
  const candidates = objects
    .slice(0, 6)
    .map((object) => ({ object, outline: traceOutline(cutOut, labels, object.label) }));
  const one = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);
  const gauges = ignoresGauge || candidates.length < 2 ? [] : candidates;
  const card = one(gauges.filter(({ outline }) => isLikeCard(outline, cutOut)));
  const ruler = card ? undefined : one(gauges.filter(({ outline }) => isRuler(outline, source)));
  const blank = candidates.find((candidate) => candidate !== card && candidate !== ruler);
  if (!blank || blank.object.pixels < LEAST_BLANK * cutOut.width * cutOut.height) return undefined;
  if (blank.object.pixels > 0.98 * cutOut.width * cutOut.height) return undefined;
  const corners = card ? findQuad(card.outline) : ruler && rulerQuad(ruler.outline);
  return { labels, blank, gauge: corners && { kind: card ? 'card' : 'ruler', corners } };
}

/** True for a ruler, whose ticks can be read as the picture was taken. */
function isRuler(outline: Float64Array, picture: Bitmap): boolean {
  const quad = rulerQuad(outline);
  return quad !== undefined && isLikeRuler(quad) && scaleOfRuler(picture, quad) !== undefined;
}

/** Dark ticks at the edge of a ruler make its light between them look like background. */
const rulerQuad = (outline: Float64Array) => findQuad(outline) ?? findWholeQuad(outline);

/** True for what may be a bank card seen at an angle. Whether it is one is decided on the straightened picture. */
function isLikeCard(outline: Float64Array, picture: Bitmap): boolean {
  const quad = findQuad(outline);
  if (!quad) return false;
  const aspect = estimateAspect(quad, picture);
  return Math.abs(Math.max(aspect, 1 / aspect) / (85.6 / 53.98) - 1) < 0.06 && hasCardCorners(outline, quad);
}

/** Returns how the picture is made straight; undefined where it is. */
function planStraight(picture: Bitmap, outline: Float64Array, quad: Corners | undefined) {
  if (quad) {
    const turnDeg = turnOf(quad);
    const size = Math.sqrt(Math.abs(areaOf(quad.flatMap(({ x, y }) => [x, y]))));
    if (Math.abs(turnDeg) < STRAIGHT_DEG && leanOf(quad) < STRAIGHT * size) return undefined;
    return { plan: planWarp(picture, { corners: quad }), turnDeg };
  }
  const turnDeg = findOvalAngle(outline) ?? 0;
  return Math.abs(turnDeg) < STRAIGHT_DEG ? undefined : { plan: planWarp(picture, { angleDeg: turnDeg }), turnDeg };
}

/** The mean of how far both level sides are turned clockwise, in degrees. */
function turnOf([a, b, c, d]: Corners): number {
  const angle = (p: Point, q: Point) => (Math.atan2(q.y - p.y, q.x - p.x) * 180) / Math.PI;
  return (angle(a, b) + angle(d, c)) / 2;
}

/** How far the corners are from those of an upright rectangle, px. */
function leanOf([a, b, c, d]: Corners): number {
  return Math.max(Math.abs(a.y - b.y), Math.abs(c.y - d.y), Math.abs(a.x - d.x), Math.abs(b.x - c.x));
}

function mapPoints(points: Float64Array, plan: WarpPlan): Float64Array {
  const out = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    const { x, y } = plan.toResult({ x: points[i]!, y: points[i + 1]! });
    out[i] = x;
    out[i + 1] = y;
  }
  return out;
}

function boxOf(points: Float64Array): PixelBox {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    left = Math.min(left, points[i]!);
    right = Math.max(right, points[i]!);
    top = Math.min(top, points[i + 1]!);
    bottom = Math.max(bottom, points[i + 1]!);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Resamples the part of the straightened picture that lies in a frame. */
function warpFrame(picture: Bitmap, plan: WarpPlan, frame: PixelBox, keepsBackground: boolean): Bitmap {
  const { x, y, width, height } = frame;
  const corner = (dx: number, dy: number) => plan.toPicture({ x: x + dx, y: y + dy });
  const corners = [corner(0, 0), corner(width, 0), corner(width, height), corner(0, height)] as const;
  return warp(picture, { corners }, { size: { width, height }, outside: keepsBackground ? 'edge' : 'clear' });
}

/** Cuts a frame out of a picture. Outside of it the frame is clear. */
function cropFrame(picture: Bitmap, { x, y, width, height }: PixelBox): Bitmap {
  const data = new Uint8Array(4 * width * height);
  const from = Math.max(0, -x);
  const to = Math.min(width, picture.width - x);
  for (let row = Math.max(0, -y); row < Math.min(height, picture.height - y); row++) {
    const start = 4 * ((row + y) * picture.width + x + from);
    data.set(picture.data.subarray(start, start + 4 * (to - from)), 4 * (row * width + from));
  }
  return { width, height, data };
}

/** Columns this much shorter than the tallest ones are a handle's. */
const HANDLE = 0.85;
/** The body of something with a handle is the longest run of tall columns, at least this much of the width. */
const LEAST_BODY = 0.5;
/** A side without a handle rounds off within this much of the width. */
const LEAST_HANDLE = 0.12;

/** Returns the box of a blank without a handle at one of its sides. */
function bodyOf(outline: Float64Array): { box: PixelBox; hasHandle: boolean } {
  const whole = boxOf(outline);
  const columns = 200;
  const tops = new Float64Array(columns).fill(Infinity);
  const bottoms = new Float64Array(columns).fill(-Infinity);
  for (let i = 0; i < outline.length; i += 2) {
    const column = Math.min(columns - 1, Math.floor(((outline[i]! - whole.x) / whole.width) * columns));
    tops[column] = Math.min(tops[column]!, outline[i + 1]!);
    bottoms[column] = Math.max(bottoms[column]!, outline[i + 1]!);
  }
  const isTall = (column: number) => bottoms[column]! - tops[column]! >= HANDLE * whole.height;
  let [best, start] = [{ from: 0, to: 0 }, -1];
  for (let column = 0; column <= columns; column++) {
    if (column < columns && isTall(column)) {
      if (start < 0) start = column;
    } else if (start >= 0) {
      if (column - start > best.to - best.from) best = { from: start, to: column };
      start = -1;
    }
  }
  const [left, right] = [best.from / columns, 1 - best.to / columns];
  const isBody = (best.to - best.from) / columns >= LEAST_BODY;
  const isOneSided = Math.max(left, right) >= LEAST_HANDLE && Math.min(left, right) < LEAST_HANDLE / 3;
  if (!isBody || !isOneSided) return { box: whole, hasHandle: false };
  const from = left > right ? left : 0;
  const to = right > left ? 1 - right : 1;
  return {
    box: { ...whole, x: whole.x + from * whole.width, width: (to - from) * whole.width },
    hasHandle: true,
  };
}
