/**
 * Estimates what it costs to draw a sanitized SVG, so that nothing reaches the renderer that it cannot draw in time. A
 * filter over a whole picture, a thousand layers or a stroke of a million dashes takes few bytes to write and seconds
 * to draw.
 *
 * The estimate follows every reference and depends on the file alone: the same file is accepted on every machine. Its
 * prices were measured with resvg 2.6 by processor time, on layers of a whole picture at sides of 1024 and 2048 px.
 */
import svgpath from 'svgpath';
import { applyMatrix, lengthScale, type Matrix, multiply, scale, translate } from '../geometry/matrix.ts';
import type { SvgNode } from '../svg/svg.ts';
import { parseTransform } from './readArtwork.ts';
import { parseLength, parseViewBox, type SafeSvg, SvgRefused } from './svgSafe.ts';

/** The longer side that drawings are estimated at, px. The side they are drawn at when that is cheap enough. */
export const DRAWN_SIDE_PX = 2048;
/** Below this side a drawing is no longer worth having. */
const LEAST_SIDE_PX = 512;
/** Filters that force a drawing below this side are left out instead. */
const LEAST_FILTERED_SIDE_PX = 700;
/** What a drawing may cost, ns of processor time. Less than the two seconds that are promised, as machines differ. */
const BUDGET_NS = 1.2e9;
/** Numbers in all outlines together, after every reference is followed. */
const MAX_NUMBERS = 3_000_000;

/** Nanoseconds for a pixel. */
const PRICE = {
  fill: 2.4,
  gradient: 8,
  /** A tile that is turned or skewed is sampled bicubically. */
  pattern: 200,
  image: 12,
  layer: 10,
  clip: 19,
  mask: 26,
  /** For each pixel that the decoder of an embedded picture reads. */
  decode: 30,
} as const;
/** Nanoseconds for a pixel of outline length, a corner and a dash. */
const OUTLINE = { fill: 27, stroke: 190, corner: 250, strokeCorner: 5000, dash: 1300 } as const;
/** Nanoseconds for a pixel of a filter's region, by primitive. */
const PRIMITIVE: Readonly<Record<string, number>> = {
  feTurbulence: 200,
  feGaussianBlur: 320,
  feDropShadow: 380,
  feConvolveMatrix: 60,
  feMorphology: 60,
};
const OTHER_PRIMITIVE = 85;
/** The same for filter functions. */
const FUNCTION: Readonly<Record<string, number>> = { blur: 320, 'drop-shadow': 380 };
const [OCTAVE, TAP, RADIUS] = [80, 4, 80];

/** A cost in ns at `DRAWN_SIDE_PX`, by how it grows with the side: with its square, with it, or not at all. */
interface Cost {
  area: number;
  length: number;
  count: number;
}

interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** The inherited properties that decide what drawing a shape costs. */
interface Ink {
  readonly fill: string;
  readonly stroke: string;
  readonly strokeWidth: number;
  readonly miterLimit: number;
  readonly dashes: string;
  /** At the start, at each corner between, and at the end. */
  readonly markers: readonly [string, string, string];
}

const INITIAL_INK: Ink = {
  fill: '#000',
  stroke: 'none',
  strokeWidth: 1,
  miterLimit: 4,
  dashes: 'none',
  markers: ['none', 'none', 'none'],
};

/** Children that are drawn only where something refers to them. */
const DEFINITIONS = new Set(
  'defs symbol linearGradient radialGradient stop pattern clipPath mask marker filter'.split(' '),
);

/**
 * Returns the drawing without parts that lie far outside the picture, and without filters when it could not be drawn
 * in time with them; then `filter` is among `droppedTags`. Throws `SvgRefused` for a drawing that is too costly without
 * filters too. Cost: linear in the nodes after every reference is followed, which `readSvg` limits, and in the path
 * data.
 */
export function limitDrawing(full: SafeSvg): SafeSvg {
  const first = new Estimator(full);
  const unseen = first.estimate().unseen;
  const safe = unseen.size === 0 ? full : { ...full, node: without(full.node, unseen) };
  const cost = unseen.size === 0 ? first.cost : estimate(safe);
  if (costAt(cost, LEAST_FILTERED_SIDE_PX) <= BUDGET_NS) return safe;
  const filterless = { ...safe, node: withoutFilters(safe.node) };
  const isWorthIt = costAt(estimate(filterless), LEAST_FILTERED_SIDE_PX) <= costAt(cost, LEAST_FILTERED_SIDE_PX) / 2;
  const drawable = isWorthIt
    ? { ...filterless, droppedTags: [...new Set([...safe.droppedTags, 'filter'])].sort() }
    : safe;
  if (costAt(isWorthIt ? estimate(drawable) : cost, LEAST_SIDE_PX) > BUDGET_NS) {
    throw new SvgRefused(
      'This SVG takes too long to draw. Simplify it, or save it as a picture (PNG) and upload that.',
    );
  }
  return drawable;
}

/**
 * Returns the longer side at which the drawing can be drawn in time, at most `sidePx`. A drawing that `limitDrawing`
 * let through has at least 512 px.
 */
export function fittingSidePx(safe: SafeSvg, sidePx = DRAWN_SIDE_PX): number {
  const cost = estimate(safe);
  let side = sidePx;
  while (side > LEAST_SIDE_PX && costAt(cost, side) > BUDGET_NS) side = Math.max(LEAST_SIDE_PX, Math.floor(side * 0.8));
  return side;
}

function costAt({ area, length, count }: Cost, sidePx: number): number {
  const ratio = sidePx / DRAWN_SIDE_PX;
  return area * ratio * ratio + length * ratio + count;
}

function withoutFilters({ tag, attrs, children }: SvgNode): SvgNode {
  const { filter, ...rest } = attrs;
  return { tag, attrs: filter === undefined ? attrs : rest, children: children.map(withoutFilters) };
}

function without(node: SvgNode, unseen: ReadonlySet<SvgNode>): SvgNode {
  const children = node.children.filter((child) => !unseen.has(child)).map((child) => without(child, unseen));
  return { ...node, children };
}

const estimate = (safe: SafeSvg): Cost => new Estimator(safe).estimate().cost;

/** One estimate. A class, as a dozen small steps share the sums, the canvas and the ids. */
class Estimator {
  readonly cost: Cost = { area: 0, length: 0, count: 0 };
  /**
   * Nodes that lie outside the picture by more than its size. Nobody sees them, and the renderer ends its process over
   * a layer that lies wholly outside twice its size.
   */
  readonly unseen = new Set<SvgNode>();
  readonly #ids = new Map<string, SvgNode>();
  readonly #root: SvgNode;
  readonly #toPx: Matrix;
  /** User units of the root, where a length is given in percent or not at all. */
  readonly #user: { readonly width: number; readonly height: number };
  /** What is drawn outside is cut off. Inside a filter that is five times the picture, each way. */
  #limit: Box;
  readonly #near: Box;
  /** The outermost `use` that is being followed: a part that it shares with others is left out by leaving it out. */
  #use: SvgNode | undefined;
  #numbers = 0;

  constructor({ node, width, height }: SafeSvg) {
    this.#collectIds(node);
    this.#root = node;
    const toSide = DRAWN_SIDE_PX / Math.max(width, height);
    this.#limit = { minX: 0, minY: 0, maxX: width * toSide, maxY: height * toSide };
    this.#near = grow(this.#limit, this.#limit.maxX, this.#limit.maxY);
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
    for (const child of node.children) this.#collectIds(child);
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
    const outer = this.#limit;
    // Inside a filter more is drawn than is seen.
    if (isSet(attrs.filter)) this.#limit = grow(outer, outer.maxX - outer.minX, outer.maxY - outer.minY);
    const box = this.#drawContent(node, matrix, ink);
    if (box) {
      if (isSet(attrs.filter)) this.#addFilter(node, attrs.filter, box, matrix);
      this.#addLayers(node, box, matrix);
    }
    this.#limit = outer;
    return box;
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

  /** The matrix of a part that has a view box of its own, with the larger of its two scales. */
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
    const pixels = pixelsOf(attrs.href ?? '');
    const width = parseLength(attrs.width) ?? this.#user.width;
    const height = parseLength(attrs.height) ?? this.#user.height;
    const box = mapBox({ minX: x, minY: y, maxX: x + width, maxY: y + height }, matrix);
    this.#checkNear(node, box);
    this.#addArea(box, PRICE.image);
    this.cost.count += pixels * PRICE.decode;
    return box;
  }

  #drawOutline(node: SvgNode, outline: Outline, matrix: Matrix, ink: Ink): Box | undefined {
    if (outline.corners === 0) return undefined;
    this.#numbers += outline.corners * 2;
    if (this.#numbers > MAX_NUMBERS) throw new SvgRefused('This SVG has too many points to be drawn.');
    const toPx = lengthScale(matrix);
    const height = this.#limit.maxY - this.#limit.minY;
    let box = mapBox(outline.box, matrix);
    this.#checkNear(node, box);
    // A segment is cut off at the limit, so that none is longer than the picture is high.
    const lengthPx = Math.min(outline.length * largestScale(matrix), outline.corners * height * 2);
    if (ink.fill !== 'none') {
      this.#addArea(box, this.#priceOfPaint(ink.fill));
      this.cost.length += lengthPx * OUTLINE.fill;
      this.cost.count += outline.corners * OUTLINE.corner;
      this.#addPattern(ink.fill, box, matrix);
    }
    if (ink.stroke !== 'none' && ink.strokeWidth > 0) {
      const reach = (ink.strokeWidth * toPx * Math.max(1, ink.miterLimit)) / 2;
      box = grow(box, reach, reach);
      this.#addArea(box, this.#priceOfPaint(ink.stroke));
      this.cost.length += lengthPx * OUTLINE.stroke;
      this.cost.count += outline.corners * OUTLINE.strokeCorner + this.#countDashes(ink, outline) * OUTLINE.dash;
      this.#addPattern(ink.stroke, box, matrix);
    }
    for (const [index, value] of ink.markers.entries()) {
      const marker = this.#target(value);
      if (marker) this.#addMarkers(marker, index === 1 ? outline.corners : 1, matrix, ink);
    }
    return box;
  }

  #priceOfPaint(paint: string): number {
    if (!paint.startsWith('url')) return PRICE.fill;
    return this.#target(paint)?.tag === 'pattern' ? PRICE.pattern : PRICE.gradient;
  }

  #countDashes({ dashes }: Ink, { length }: Outline): number {
    if (dashes === 'none') return 0;
    const period = dashes.split(/[\s,]+/).reduce((sum, dash) => sum + (parseLength(dash) ?? 0), 0);
    // The renderer gives up on a path with more.
    return period > 0 ? Math.min(1_000_000, (2 * length) / period) : 0;
  }

  /** Adds as many times what one marker costs. It is drawn once, for its price. */
  #addMarkers(marker: SvgNode, times: number, matrix: Matrix, ink: Ink): void {
    const before = { ...this.cost };
    const unit = marker.attrs.markerUnits === 'userSpaceOnUse' ? 1 : ink.strokeWidth;
    const own = multiply(matrix, scale(unit));
    const size = (name: string): number => parseLength(marker.attrs[name]) ?? 3;
    const box = mapBox({ minX: 0, minY: 0, maxX: size('markerWidth'), maxY: size('markerHeight') }, own);
    this.#drawContent(marker, own, INITIAL_INK);
    // A marker is clipped to its box.
    this.#addArea(box, PRICE.layer + PRICE.clip);
    for (const part of ['area', 'length', 'count'] as const) {
      this.cost[part] = before[part] + (this.cost[part] - before[part]) * times;
    }
  }

  /** Adds the tile of a pattern, which is drawn once for each shape that it fills. */
  #addPattern(paint: string, box: Box, matrix: Matrix): void {
    const pattern = this.#target(paint);
    if (pattern?.tag !== 'pattern') return;
    const { attrs } = pattern;
    const onBox = multiply(translate(box.minX, box.minY), scale(box.maxX - box.minX, box.maxY - box.minY));
    const isOnBox = attrs.patternUnits !== 'userSpaceOnUse';
    const tileMatrix = isOnBox ? onBox : matrix;
    const [width, height] = [parseShare(attrs.width) ?? 1, parseShare(attrs.height) ?? 1];
    const ownTile = attrs.patternTransform ? multiply(tileMatrix, parseTransform(attrs.patternTransform)) : tileMatrix;
    // A tile is drawn whole, however large it is.
    const tilePx = largestScale(ownTile);
    this.cost.area += width * tilePx * height * tilePx * PRICE.layer;
    const content = attrs.patternContentUnits === 'objectBoundingBox' ? onBox : matrix;
    const view = parseViewBox(attrs.viewBox);
    const fit = view ? multiply(tileMatrix, scale(Math.max(width / view.width, height / view.height))) : content;
    const own = attrs.patternTransform ? multiply(fit, parseTransform(attrs.patternTransform)) : fit;
    const source = pattern.children.length > 0 ? pattern : (this.#target(`url(${attrs.href})`) ?? pattern);
    if (!isUsable(own)) return;
    for (const child of source.children) this.#draw(child, own, INITIAL_INK);
  }

  /** Adds the layers that a node is drawn on before it reaches the picture. */
  #addLayers({ attrs }: SvgNode, box: Box, matrix: Matrix): void {
    const isFaint = attrs.opacity !== undefined && Number(attrs.opacity) !== 1;
    const [clip, mask] = [this.#target(attrs['clip-path']), this.#target(attrs.mask)];
    if (isFaint || attrs.style !== undefined || clip || mask || isSet(attrs.filter)) this.#addArea(box, PRICE.layer);
    for (const [definition, price] of [[clip, PRICE.clip] as const, [mask, PRICE.mask] as const]) {
      if (!definition) continue;
      this.#addArea(box, price);
      const isOnBox =
        definition.attrs.clipPathUnits === 'objectBoundingBox' ||
        definition.attrs.maskContentUnits === 'objectBoundingBox';
      const onBox = multiply(translate(box.minX, box.minY), scale(box.maxX - box.minX, box.maxY - box.minY));
      this.#drawContent({ ...definition, tag: 'g' }, isOnBox ? onBox : matrix, INITIAL_INK);
      this.#addLayers({ tag: 'g', attrs: pickClips(definition.attrs), children: [] }, box, matrix);
    }
  }

  #addFilter(node: SvgNode, value: string, box: Box, matrix: Matrix): void {
    const filter = this.#target(value);
    // Functions such as blur(4px), each over the box and what it spreads to.
    if (!filter) {
      const names = [...value.matchAll(/([\w-]+)\(/g)].map(([, name]) => FUNCTION[name!] ?? OTHER_PRIMITIVE);
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
    for (const primitive of filter.children) this.#addArea(region, priceOf(primitive, toPx, side));
    for (const { tag, attrs: own } of filter.children) {
      const target = tag === 'feImage' ? this.#ids.get(own.href?.slice(1) ?? '') : undefined;
      if (target) this.#drawAlways(target, matrix, INITIAL_INK);
      else if (tag === 'feImage') this.cost.count += pixelsOf(own.href ?? '') * PRICE.decode;
    }
  }

  #checkNear(node: SvgNode, box: Box): void {
    if (!overlaps(box, this.#near)) this.unseen.add(this.#use ?? node);
  }

  #addArea(box: Box, price: number): void {
    const { minX, minY, maxX, maxY } = this.#limit;
    const width = Math.min(box.maxX, maxX) - Math.max(box.minX, minX);
    const height = Math.min(box.maxY, maxY) - Math.max(box.minY, minY);
    // A pixel more each way, as boxes are rounded outward.
    if (width > 0 && height > 0) this.cost.area += (width + 2) * (height + 2) * price;
  }

  #outlineOf(node: SvgNode): Outline | undefined {
    const d = toOutlineData(
      node,
      (text) => this.#x(text),
      (text) => this.#y(text),
    );
    if (d === undefined) return undefined;
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

function pickClips(attrs: SvgNode['attrs']): Record<string, string> {
  const clips: Record<string, string> = {};
  for (const name of ['clip-path', 'mask']) if (attrs[name] !== undefined) clips[name] = attrs[name];
  return clips;
}

function priceOf({ tag, attrs, children }: SvgNode, toPx: number, side: number): number {
  const numbers = (name: string): number[] =>
    (attrs[name] ?? '')
      .split(/[\s,]+/)
      .map(Number)
      .filter(Number.isFinite);
  const base = PRIMITIVE[tag] ?? OTHER_PRIMITIVE;
  if (tag === 'feTurbulence') return base + OCTAVE * Math.max(1, numbers('numOctaves')[0] ?? 1);
  if (tag === 'feConvolveMatrix') {
    const [columns = 3, rows = columns] = numbers('order');
    return base + TAP * columns * rows;
  }
  if (tag === 'feMorphology') {
    // Without a radius the renderer takes one of 1.
    const radius = attrs.radius === undefined ? 1 : Math.max(0, ...numbers('radius'));
    return base + RADIUS * Math.min(side, radius * toPx);
  }
  return tag === 'feMerge' ? base * Math.max(1, children.length) : base;
}

function toInk({ attrs }: SvgNode, parent: Ink): Ink {
  const take = (name: string, parentValue: string): string => {
    const value = attrs[name];
    return value === undefined || value === 'inherit' ? parentValue : value;
  };
  const number = (name: string, parentValue: number): number => parseLength(attrs[name]) ?? parentValue;
  return {
    fill: take('fill', parent.fill),
    stroke: take('stroke', parent.stroke),
    strokeWidth: number('stroke-width', parent.strokeWidth),
    miterLimit: number('stroke-miterlimit', parent.miterLimit),
    dashes: take('stroke-dasharray', parent.dashes),
    markers: [
      take('marker-start', parent.markers[0]),
      take('marker-mid', parent.markers[1]),
      take('marker-end', parent.markers[2]),
    ],
  };
}

interface Outline {
  readonly box: Box;
  /** Length of its control polygon, user units: at least that of the outline. */
  readonly length: number;
  readonly corners: number;
}

/** Outlines by the attributes they come from: a drawing is estimated again after parts of it were left out. */
const outlines = new WeakMap<SvgNode['attrs'], Outline>();

const NO_OUTLINE: Outline = { box: { minX: 0, minY: 0, maxX: 0, maxY: 0 }, length: 0, corners: 0 };

type ReadLength = (text: string | undefined) => number;

/** Returns a shape as path data, round ones by the rectangle around them; undefined for what is no shape. */
function toOutlineData({ tag, attrs }: SvgNode, x: ReadLength, y: ReadLength): string | undefined {
  const rectangle = (left: number, top: number, width: number, height: number): string =>
    `M${left} ${top}h${width}v${height}h${-width}z`;
  switch (tag) {
    case 'path':
      return attrs.d ?? '';
    case 'polyline':
    case 'polygon':
      return attrs.points ? `M${attrs.points}` : '';
    case 'line':
      return `M${x(attrs.x1)} ${y(attrs.y1)}L${x(attrs.x2)} ${y(attrs.y2)}`;
    case 'rect':
      return rectangle(x(attrs.x), y(attrs.y), x(attrs.width), y(attrs.height));
    case 'circle':
    case 'ellipse': {
      const [rx, ry] = tag === 'circle' ? [x(attrs.r), x(attrs.r)] : [x(attrs.rx ?? attrs.ry), y(attrs.ry ?? attrs.rx)];
      return rectangle(x(attrs.cx) - rx, y(attrs.cy) - ry, 2 * rx, 2 * ry);
    }
    default:
      return undefined;
  }
}

/** Cost: linear in the path data; about a microsecond a segment. */
function measureOutline(d: string): Outline {
  if (d.length > MAX_NUMBERS * 8) throw new SvgRefused('This SVG has too many points to be drawn.');
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  let [length, corners] = [0, 0];
  const reach = (x: number, y: number): void => {
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  };
  svgpath(d)
    .abs()
    .unshort()
    .unarc()
    .iterate((segment, _index, fromX, fromY) => {
      const [command, ...values] = segment as [string, ...number[]];
      corners++;
      reach(fromX, fromY);
      if (command === 'H') values.push(fromY);
      if (command === 'V') values.unshift(fromX);
      let [x0, y0] = [fromX, fromY];
      for (let i = 0; i + 1 < values.length; i += 2) {
        const [x, y] = [values[i]!, values[i + 1]!];
        reach(x, y);
        if (command !== 'M') length += Math.abs(x - x0) + Math.abs(y - y0);
        [x0, y0] = [x, y];
      }
    });
  return corners > 0 && minX <= maxX ? { box: { minX, minY, maxX, maxY }, length, corners } : NO_OUTLINE;
}

function toUser(text: string | undefined, whole: number): number {
  if (text?.trim().endsWith('%')) return (Number.parseFloat(text) / 100) * whole || 0;
  return parseLength(text) ?? 0;
}

/** Reads a number or a percentage. */
function parseShare(text: string | undefined): number | undefined {
  if (text?.trim().endsWith('%')) return Number.parseFloat(text) / 100;
  return parseLength(text);
}

/** A product of transforms that single precision still holds. */
const isUsable = (m: Matrix): boolean =>
  [m.a, m.b, m.c, m.d, m.e, m.f].every((value) => Number.isFinite(value) && Math.abs(value) < 1e12);

const largestScale = ({ a, b, c, d }: Matrix): number =>
  Math.max(Math.hypot(a, b), Math.hypot(c, d), Math.hypot(a, c), Math.hypot(b, d));

function mapBox({ minX, minY, maxX, maxY }: Box, m: Matrix): Box {
  let box: Box | undefined;
  for (const corner of [
    { x: minX, y: minY },
    { x: maxX, y: minY },
    { x: minX, y: maxY },
    { x: maxX, y: maxY },
  ]) {
    const { x, y } = applyMatrix(m, corner);
    box = join(box, { minX: x, minY: y, maxX: x, maxY: y });
  }
  return box!;
}

const grow = ({ minX, minY, maxX, maxY }: Box, x: number, y: number): Box => ({
  minX: minX - x,
  minY: minY - y,
  maxX: maxX + x,
  maxY: maxY + y,
});

const overlaps = (a: Box, b: Box): boolean =>
  a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;

function join(a: Box | undefined, b: Box | undefined): Box | undefined {
  if (!a || !b) return a ?? b;
  return {
    minX: Math.min(a.minX, b.minX),
    minY: Math.min(a.minY, b.minY),
    maxX: Math.max(a.maxX, b.maxX),
    maxY: Math.max(a.maxY, b.maxY),
  };
}

/** Returns how many pixels an embedded PNG or JPEG announces; 0 where it announces none. */
function pixelsOf(href: string): number {
  const body = href.slice(href.indexOf(',') + 1);
  if (body.startsWith('iVBORw0KGgo')) {
    const head = decodeBase64(body, 24);
    return head.length < 24 ? 0 : readUint(head, 16, 4) * readUint(head, 20, 4);
  }
  const bytes = decodeBase64(body);
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return 0;
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return readUint(bytes, at + 5, 2) * readUint(bytes, at + 7, 2);
    at += 2 + readUint(bytes, at + 2, 2);
  }
  return 0;
}

/** Decodes the first `bytes` bytes of base64 text, or all of it. */
function decodeBase64(text: string, bytes = Infinity): Uint8Array {
  const end = Math.min(text.length, Math.ceil(bytes / 3) * 4);
  const chars = atob(text.slice(0, end - (end % 4)));
  return Uint8Array.from(chars, (char) => char.charCodeAt(0));
}

function readUint(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + bytes[at + i]!;
  return value;
}
