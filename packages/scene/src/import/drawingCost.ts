/**
 * Estimates the processor time that drawing a sanitized SVG takes, so that nothing reaches the renderer that it cannot
 * draw in time. A filter over a whole picture, a thousand layers or a stroke of a million dashes takes few bytes to
 * write and seconds to draw.
 *
 * The estimate follows every reference and depends on the file alone: the same file is accepted on every machine. Its
 * prices were measured with resvg 2.6 by processor time, on layers of a whole picture at sides of 1024 and 2048 px.
 */
import { lengthScale, type Matrix, multiply, scale, translate } from '../geometry/matrix.ts';
import type { SvgNode } from '../svg/svg.ts';
import { countEmbeddedPixels } from './embeddedPicture.ts';
import { FULL_REGION, priceOf, priceOfFunction, WINDOW, windowOf } from './filterCost.ts';
import { INITIAL_INK, type Ink, toInk } from './inheritedInk.ts';
import {
  type Box,
  grow,
  join,
  mapBox,
  measureOutline,
  type OutlineMeasures,
  overlaps,
  toOutlineData,
} from './outline.ts';
import { parseTransform } from './readArtwork.ts';
import { parseLength, parseViewBox, type SafeSvg, SvgRefused } from './svgSafe.ts';

/** The longer side, in px, that drawings are estimated at, and that they are drawn at when that is cheap enough. */
export const DRAWN_SIDE_PX = 2048;
/** The most numbers in all outlines together, after every reference is followed. */
const MAX_NUMBERS = 3_000_000;

/** Nanoseconds for a pixel. */
const PRICE = {
  fill: 2.4,
  gradient: 8,
  /** A tile that is turned or skewed is sampled bicubically. */
  pattern: 200,
  image: 12,
  /** For each pixel that the decoder of an embedded picture reads. */
  decode: 30,
} as const;
/** Nanoseconds for a pixel of a layer, in the picture and outside of it, where nothing is copied from the layer. */
const LAYER = {
  plain: { inside: 10, outside: 3 },
  clip: { inside: 13, outside: 6 },
  mask: { inside: 17, outside: 12 },
} as const;
type LayerPrice = (typeof LAYER)[keyof typeof LAYER];
/** Nanoseconds for a pixel of outline length, a corner and a dash. */
const OUTLINE = {
  fill: 27,
  /** Curves are stroked in many short lines. */
  stroke: { line: 60, curve: 190 },
  /** For a pixel of the short edges of a stroke's segments. */
  strokeEdge: 54,
  corner: 250,
  strokeCorner: { line: 2500, curve: 7000 },
  dash: 1300,
  /** A curve under a stroke beyond `WIDE_STROKE_PX` was seen to take 40 to 100 ms at any side. */
  wideCorner: 5e7,
} as const;
const WIDE_STROKE_PX = 2e6;
/**
 * A cost in ns at `DRAWN_SIDE_PX`, by how it grows with the side: with its fourth power, where each of its pixels looks
 * at an area, with its square, with it, or not at all.
 */
export interface Cost {
  window: number;
  area: number;
  length: number;
  count: number;
  /** True for a drawing with more than plain outlines, which is tried before it is stored. */
  isTried: boolean;
}

/** The tags of elements that are drawn only where something refers to them. */
const DEFINITIONS = new Set(
  'defs symbol linearGradient radialGradient stop pattern clipPath mask marker filter'.split(' '),
);

/**
 * Estimates what drawing costs. `invisibleNodes` lie outside the picture by more than its size. They are invisible, and
 * a layer that lies wholly outside twice the picture's size crashes the renderer's process. Throws `SvgRefused` for
 * scales and numbers of points that cannot be drawn. Cost: linear in the nodes after every reference is followed, which
 * `readSvg` limits, and in the path data.
 */
export function estimateDrawing(safe: SafeSvg): { cost: Cost; invisibleNodes: ReadonlySet<SvgNode> } {
  return new Estimator(safe).estimate();
}

/** One estimate. A class, as a dozen small steps share the sums, the canvas and the ids. */
class Estimator {
  readonly cost: Cost = { window: 0, area: 0, length: 0, count: 0, isTried: false };
  readonly invisibleNodes = new Set<SvgNode>();
  readonly #ids = new Map<string, SvgNode>();
  readonly #root: SvgNode;
  readonly #toPx: Matrix;
  /** User units of the root, where a length is given in percent or not at all. */
  readonly #user: { readonly width: number; readonly height: number };
  /** The picture, px. */
  readonly #canvas: Box;
  /** The pixels that are drawn on. Those of a layer reach beyond the picture, see `#onLayer`. */
  #limit: Box;
  /** True where only the size of `#limit` is known, but not where it lies. */
  #isAnywhere = false;
  /** A part outside cannot be seen. In a filter, which can move it, that is what lies outside the filter's layer. */
  #near: Box;
  /** False in markers and tiles, whose content lies elsewhere than its coordinates say. */
  #isPlaced = true;
  /** The outermost `use` that is being followed: a part that it shares with others is left out by leaving it out. */
  #use: SvgNode | undefined;
  #numbers = 0;

  constructor({ node, width, height }: SafeSvg) {
    this.#collectIds(node);
    this.#root = node;
    const toSide = DRAWN_SIDE_PX / Math.max(width, height);
    this.#canvas = { minX: 0, minY: 0, maxX: width * toSide, maxY: height * toSide };
    this.#limit = this.#canvas;
    this.#near = grow(this.#canvas, this.#canvas.maxX, this.#canvas.maxY);
    const box = parseViewBox(node.attrs.viewBox) ?? { x: 0, y: 0, width, height };
    this.#user = box;
    const fit = Math.max(width / box.width, height / box.height) * toSide;
    this.#toPx = multiply(scale(fit), translate(-box.x, -box.y));
  }

  estimate(): this {
    for (const child of this.#root.children) this.#draw(child, this.#toPx, toInk(this.#root, INITIAL_INK));
    return this;
  }

  #collectIds(node: SvgNode): void {
    const { id } = node.attrs;
    if (id && !this.#ids.has(id)) this.#ids.set(id, node);
    for (const child of node.children) {
      if (isLayered(child)) this.cost.isTried = true;
      this.#collectIds(child);
    }
  }

  /** Estimates content that lies elsewhere than its coordinates say: of it only the sizes are known. */
  #elsewhere(limit: Box, isAnywhere: boolean, estimateContent: () => void): void {
    const wasPlaced = this.#isPlaced;
    this.#isPlaced = false;
    this.#within(limit, isAnywhere, estimateContent);
    this.#isPlaced = wasPlaced;
  }

  /** Adds the cost of a node. Returns the box of what it paints, px, not cut off; undefined when it paints nothing. */
  #draw(node: SvgNode, parentMatrix: Matrix, parentInk: Ink): Box | undefined {
    if (DEFINITIONS.has(node.tag) || node.attrs.display === 'none') return undefined;
    return this.#drawAlways(node, parentMatrix, parentInk);
  }

  #drawAlways(node: SvgNode, parentMatrix: Matrix, parentInk: Ink): Box | undefined {
    const { attrs } = node;
    const ink = toInk(node, parentInk);
    const matrix = attrs.transform ? multiply(parentMatrix, parseTransform(attrs.transform)) : parentMatrix;
    if (!isUsable(matrix)) throw new SvgRefused('This SVG scales its parts beyond what can be drawn.');
    if (!this.#hasLayer(node)) return this.#drawContent(node, matrix, ink);
    const outerNear = this.#near;
    if (isSet(attrs.filter)) this.#near = this.#layerLimit;
    return this.#onLayer(() => {
      const box = this.#drawContent(node, matrix, ink);
      this.#near = outerNear;
      // A filter over a region of its own paints an empty group, too.
      if (!box && this.#target(attrs.filter)?.attrs.filterUnits === 'userSpaceOnUse') {
        this.#addFilter(node, attrs.filter!, this.#canvas, matrix);
      }
      if (box) {
        if (isSet(attrs.filter)) this.#addFilter(node, attrs.filter, box, matrix);
        this.#addLayers(node, box, matrix);
      }
      return box;
    });
  }

  /** True for a node whose content is drawn on pixels of its own first. */
  #hasLayer({ tag, attrs }: SvgNode): boolean {
    const isFaint = attrs.opacity !== undefined && Number(attrs.opacity) !== 1;
    // The content of an inner view box is clipped to it.
    const isViewport = (tag === 'svg' || tag === 'symbol') && attrs.overflow !== 'visible';
    const hasDefinition = this.#target(attrs['clip-path']) ?? this.#target(attrs.mask);
    return isFaint || isViewport || attrs.style !== undefined || !!hasDefinition || isSet(attrs.filter);
  }

  /**
   * Estimates what is drawn on a layer. The renderer makes a layer as large as its content, visible or not, up to four
   * times the picture's width and height: two in each direction. A layer on a layer begins where that one does.
   */
  #onLayer<Result>(estimateContent: () => Result): Result {
    return this.#within(this.#layerLimit, this.#limit !== this.#canvas, estimateContent);
  }

  get #layerLimit(): Box {
    const { maxX, maxY } = this.#canvas;
    return { minX: -2 * maxX, minY: -2 * maxY, maxX: 2 * maxX, maxY: 2 * maxY };
  }

  #within<Result>(limit: Box, isAnywhere: boolean, estimateContent: () => Result): Result {
    const [outerLimit, wasAnywhere] = [this.#limit, this.#isAnywhere];
    [this.#limit, this.#isAnywhere] = [limit, isAnywhere];
    const result = estimateContent();
    [this.#limit, this.#isAnywhere] = [outerLimit, wasAnywhere];
    return result;
  }

  #drawContent(node: SvgNode, matrix: Matrix, ink: Ink): Box | undefined {
    const { tag, attrs, children } = node;
    if (tag === 'use') {
      const target = this.#ids.get(attrs.href?.slice(1) ?? '');
      if (!target) return undefined;
      const outer = this.#use;
      this.#use ??= node;
      const box = this.#drawAlways(target, multiply(matrix, translate(this.#x(attrs.x), this.#y(attrs.y))), ink);
      this.#use = outer;
      return box;
    }
    if (tag === 'image') return this.#drawImage(node, matrix);
    const outline = this.#outlineOf(node);
    if (outline) return this.#drawOutline(node, outline, matrix, ink);
    const inner = tag === 'svg' || tag === 'symbol' || tag === 'marker' ? this.#viewport(node, matrix) : matrix;
    let box: Box | undefined;
    for (const child of children) box = join(box, this.#draw(child, inner, ink));
    return box;
  }

  /** Returns the matrix of a part that has a view box of its own, with the larger of its two scales. */
  #viewport({ attrs }: SvgNode, matrix: Matrix): Matrix {
    const atOrigin = multiply(matrix, translate(this.#x(attrs.x), this.#y(attrs.y)));
    const box = parseViewBox(attrs.viewBox);
    if (!box) return atOrigin;
    const width = parseLength(attrs.width ?? attrs.markerWidth) ?? this.#user.width;
    const height = parseLength(attrs.height ?? attrs.markerHeight) ?? this.#user.height;
    return multiply(atOrigin, scale(Math.max(width / box.width, height / box.height)), translate(-box.x, -box.y));
  }

  #drawImage(node: SvgNode, matrix: Matrix): Box {
    const { attrs } = node;
    const [x, y] = [this.#x(attrs.x), this.#y(attrs.y)];
    const pixels = countEmbeddedPixels(attrs.href ?? '');
    const width = parseLength(attrs.width) ?? this.#user.width;
    const height = parseLength(attrs.height) ?? this.#user.height;
    const box = mapBox({ minX: x, minY: y, maxX: x + width, maxY: y + height }, matrix);
    this.#checkNear(node, box);
    this.#addArea(box, PRICE.image);
    this.cost.count += pixels * PRICE.decode;
    return box;
  }

  #drawOutline(node: SvgNode, outline: OutlineMeasures, matrix: Matrix, ink: Ink): Box | undefined {
    if (outline.corners === 0) return undefined;
    this.#numbers += outline.corners * 2;
    if (this.#numbers > MAX_NUMBERS) throw new SvgRefused('This SVG has too many points to be drawn.');
    const toPx = lengthScale(matrix);
    const height = this.#limit.maxY - this.#limit.minY;
    let box = mapBox(outline.box, matrix);
    // A segment is cut off at the limit, so that none is longer than the picture is high.
    const lengthPx = Math.min(outline.length * largestScale(matrix), outline.corners * height * 2);
    if (ink.fill !== 'none') {
      this.#addArea(box, this.#priceOfPaint(ink.fill));
      this.cost.length += lengthPx * OUTLINE.fill;
      this.cost.count += outline.corners * OUTLINE.corner;
      this.#addPattern(ink.fill, outline.box, matrix);
    }
    if (ink.stroke !== 'none' && ink.strokeWidth > 0) {
      const reach = (ink.strokeWidth * toPx * Math.max(1, ink.miterLimit)) / 2;
      box = grow(box, reach, reach);
      this.#addArea(box, this.#priceOfPaint(ink.stroke));
      const widthPx = ink.strokeWidth * toPx;
      // Each segment and each join has edges as long as the stroke is wide.
      const edgesPx = outline.corners * Math.min(2 * widthPx, height);
      const curveShare = outline.curves / outline.corners;
      const mean = ({ line, curve }: { line: number; curve: number }): number => line + (curve - line) * curveShare;
      this.cost.length += lengthPx * mean(OUTLINE.stroke) + edgesPx * OUTLINE.strokeEdge;
      this.cost.count += outline.corners * mean(OUTLINE.strokeCorner) + this.#countDashes(ink, outline) * OUTLINE.dash;
      if (widthPx > WIDE_STROKE_PX) this.cost.count += outline.corners * OUTLINE.wideCorner;
      this.#addPattern(ink.stroke, outline.box, matrix);
    }
    let visibleBox = box;
    for (const [index, value] of ink.markers.entries()) {
      const marker = this.#target(value);
      if (!marker) continue;
      visibleBox = this.#canvas;
      this.#addMarkers(marker, index === 1 ? outline.corners : 1, matrix, ink);
    }
    this.#checkNear(node, visibleBox);
    return box;
  }

  #priceOfPaint(paint: string): number {
    if (!paint.startsWith('url')) return PRICE.fill;
    return this.#target(paint)?.tag === 'pattern' ? PRICE.pattern : PRICE.gradient;
  }

  #countDashes({ dashes }: Ink, { length }: OutlineMeasures): number {
    if (dashes === 'none') return 0;
    const period = dashes.split(/[\s,]+/).reduce((sum, dash) => sum + (parseLength(dash) ?? 0), 0);
    // The renderer gives up on a path with more.
    return period > 0 ? Math.min(1_000_000, (2 * length) / period) : 0;
  }

  /** Adds the cost of one marker `times` times. It is walked once. */
  #addMarkers(marker: SvgNode, times: number, matrix: Matrix, ink: Ink): void {
    const before = { ...this.cost };
    const unit = marker.attrs.markerUnits === 'userSpaceOnUse' ? 1 : ink.strokeWidth;
    const own = multiply(matrix, scale(unit));
    const size = (name: string): number => parseLength(marker.attrs[name]) ?? 3;
    const box = mapBox({ minX: 0, minY: 0, maxX: size('markerWidth'), maxY: size('markerHeight') }, own);
    // A marker is clipped to its box, wherever on the outline it is.
    this.#elsewhere(this.#layerLimit, true, () => {
      const content = this.#drawContent(marker, own, INITIAL_INK);
      const visibleBox = join(content, box)!;
      for (const price of [LAYER.plain, LAYER.clip]) this.#addLayerArea(visibleBox, price);
    });
    for (const part of ['window', 'area', 'length', 'count'] as const) {
      this.cost[part] = before[part] + (this.cost[part] - before[part]) * times;
    }
  }

  /** Adds the tile of a pattern, which is drawn once for each shape that it fills. */
  #addPattern(paint: string, box: Box, matrix: Matrix): void {
    const pattern = this.#target(paint);
    if (pattern?.tag !== 'pattern') return;
    const { attrs } = pattern;
    const isOnBox = attrs.patternUnits !== 'userSpaceOnUse';
    const [wide, high] = [box.maxX - box.minX, box.maxY - box.minY];
    const at = (name: string, whole: number, userWhole: number): number =>
      isOnBox ? (parseShare(attrs[name]) ?? 0) * whole : toUser(attrs[name], userWhole);
    const [width, height] = [at('width', wide, this.#user.width), at('height', high, this.#user.height)];
    if (!(width > 0 && height > 0)) return;
    // A tile is drawn whole and upright, however large it is.
    const tileMatrix = attrs.patternTransform ? multiply(matrix, parseTransform(attrs.patternTransform)) : matrix;
    const toPx = largestScale(tileMatrix);
    const tile = { minX: 0, minY: 0, maxX: width * toPx, maxY: height * toPx };
    this.cost.area += tile.maxX * tile.maxY * LAYER.plain.inside;
    const view = parseViewBox(attrs.viewBox);
    const fit = view ? Math.max(width / view.width, height / view.height) : 1;
    const own =
      !view && attrs.patternContentUnits === 'objectBoundingBox'
        ? { ...scale(toPx), a: toPx * wide, d: toPx * high }
        : multiply(scale(toPx * fit), view ? translate(-view.x, -view.y) : translate(0, 0));
    const source = pattern.children.length > 0 ? pattern : (this.#target(`url(${attrs.href})`) ?? pattern);
    if (!isUsable(own)) return;
    this.#elsewhere(tile, false, () => {
      for (const child of source.children) this.#draw(child, own, INITIAL_INK);
    });
  }

  /** Adds the layers that a node is drawn on before it reaches the picture. */
  #addLayers(node: SvgNode, box: Box, matrix: Matrix): void {
    this.#addLayerArea(box, LAYER.plain);
    if (node.tag === 'svg' || node.tag === 'symbol') this.#addLayerArea(box, LAYER.clip);
    this.#addClips(node, box, matrix);
  }

  /** Adds the clip path and the mask of a node, each with those that it has itself. */
  #addClips({ attrs }: SvgNode, box: Box, matrix: Matrix): void {
    const [clip, mask] = [this.#target(attrs['clip-path']), this.#target(attrs.mask)];
    for (const [definition, price] of [[clip, LAYER.clip] as const, [mask, LAYER.mask] as const]) {
      if (!definition) continue;
      this.#addLayerArea(box, price);
      const isOnBox =
        definition.attrs.clipPathUnits === 'objectBoundingBox' ||
        definition.attrs.maskContentUnits === 'objectBoundingBox';
      const onBox = multiply(translate(box.minX, box.minY), scale(box.maxX - box.minX, box.maxY - box.minY));
      this.#drawContent({ ...definition, tag: 'g' }, isOnBox ? onBox : matrix, INITIAL_INK);
      this.#addClips(definition, box, matrix);
    }
  }

  #addFilter(node: SvgNode, value: string, box: Box, matrix: Matrix): void {
    const filter = this.#target(value);
    // Functions such as blur(4px), each over the box and what it spreads to.
    if (!filter) {
      const names = [...value.matchAll(/([\w-]+)\(/g)].map(([, name]) => priceOfFunction(name!));
      const spread = grow(box, (box.maxX - box.minX) / 4, (box.maxY - box.minY) / 4);
      for (const price of names) this.#addArea(spread, price);
      return;
    }
    const { attrs } = filter;
    const isOnBox = attrs.filterUnits !== 'userSpaceOnUse';
    // Shares of the box, or of the picture where the units are the user's.
    const at = (name: string, initial: number, whole: number): number => {
      const text = attrs[name] ?? `${initial * 100}%`;
      return (isOnBox ? parseShare(text) : toUser(text, whole)) ?? initial;
    };
    const { width: wide, height: high } = this.#user;
    const [x, width] = [at('x', -0.1, wide), at('width', 1.2, wide)];
    const [y, height] = [at('y', -0.1, high), at('height', 1.2, high)];
    const onBox = multiply(translate(box.minX, box.minY), scale(box.maxX - box.minX, box.maxY - box.minY));
    const region = mapBox({ minX: x, minY: y, maxX: x + width, maxY: y + height }, isOnBox ? onBox : matrix);
    this.#checkNear(node, region);
    const side = Math.max(region.maxX - region.minX, region.maxY - region.minY);
    const toPx = attrs.primitiveUnits === 'objectBoundingBox' ? side : largestScale(matrix);
    let pixels = this.#areaIn(this.#limit, region);
    for (const primitive of filter.children) {
      if (FULL_REGION.has(primitive.tag)) pixels = (region.maxX - region.minX) * (region.maxY - region.minY);
      this.cost.area += pixels * priceOf(primitive);
      if (primitive.tag === 'feMorphology') this.cost.window += pixels * WINDOW * windowOf(primitive, toPx, side);
    }
    for (const { tag, attrs: own } of filter.children) {
      const target = tag === 'feImage' ? this.#ids.get(own.href?.slice(1) ?? '') : undefined;
      if (target) this.#drawAlways(target, matrix, INITIAL_INK);
      else if (tag === 'feImage') this.cost.count += countEmbeddedPixels(own.href ?? '') * PRICE.decode;
    }
  }

  #checkNear(node: SvgNode, box: Box): void {
    if (this.#isPlaced && !overlaps(box, this.#near)) this.invisibleNodes.add(this.#use ?? node);
  }

  #addLayerArea(box: Box, { inside, outside }: LayerPrice): void {
    this.#addArea(box, outside);
    this.cost.area += this.#areaIn(this.#canvas, box) * (inside - outside);
  }

  #addArea(box: Box, price: number): void {
    this.cost.area += this.#areaIn(this.#limit, box) * price;
  }

  /** Returns the pixels of a box in a limit, with one more each way, as boxes are rounded outward. */
  #areaIn({ minX, minY, maxX, maxY }: Box, box: Box): number {
    const [width, height] = this.#isAnywhere
      ? [Math.min(box.maxX - box.minX, maxX - minX), Math.min(box.maxY - box.minY, maxY - minY)]
      : [Math.min(box.maxX, maxX) - Math.max(box.minX, minX), Math.min(box.maxY, maxY) - Math.max(box.minY, minY)];
    return width > 0 && height > 0 ? (width + 2) * (height + 2) : 0;
  }

  #outlineOf(node: SvgNode): OutlineMeasures | undefined {
    const d = toOutlineData(
      node,
      (text) => this.#x(text),
      (text) => this.#y(text),
    );
    if (d === undefined) return undefined;
    if (d.length > MAX_NUMBERS * 8) throw new SvgRefused('This SVG has too many points to be drawn.');
    const outline = outlines.get(node.attrs) ?? measureOutline(d);
    outlines.set(node.attrs, outline);
    return outline;
  }

  #target(value: string | undefined): SvgNode | undefined {
    const id = value && /^url\(#([^)]+)\)/.exec(value)?.[1];
    return id ? this.#ids.get(id) : undefined;
  }

  #x(text: string | undefined): number {
    return toUser(text, this.#user.width);
  }

  #y(text: string | undefined): number {
    return toUser(text, this.#user.height);
  }
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== 'none';

const LAYERED_TAGS = new Set('image marker mask pattern svg symbol filter use'.split(' '));

/** True for a part that `renderable.ts` of the server tries. */
const isLayered = ({ tag, attrs }: SvgNode): boolean =>
  LAYERED_TAGS.has(tag) ||
  Object.keys(attrs).some((name) => name.endsWith('opacity') || name === 'clip-path' || name === 'style');

/** Outlines by the attributes they come from: a drawing is estimated again after parts of it were left out. */
const outlines = new WeakMap<SvgNode['attrs'], OutlineMeasures>();

function toUser(text: string | undefined, whole: number): number {
  if (text?.trim().endsWith('%')) return (Number.parseFloat(text) / 100) * whole || 0;
  return parseLength(text) ?? 0;
}

/** Reads a number or a percentage. */
function parseShare(text: string | undefined): number | undefined {
  if (text?.trim().endsWith('%')) return Number.parseFloat(text) / 100;
  return parseLength(text);
}

/** True for a product of transforms that single precision can still hold. */
const isUsable = (m: Matrix): boolean =>
  [m.a, m.b, m.c, m.d, m.e, m.f].every((value) => Number.isFinite(value) && Math.abs(value) < 1e12);

const largestScale = ({ a, b, c, d }: Matrix): number =>
  Math.max(Math.hypot(a, b), Math.hypot(c, d), Math.hypot(a, c), Math.hypot(b, d));
