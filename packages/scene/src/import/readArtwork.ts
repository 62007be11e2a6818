/**
 * Reads a sanitized SVG as plain painted outlines, if it holds nothing else. One file of more than 500 lines, because
 * one walk over the tree reads styles, transforms and outlines.
 */

import svgpath from 'svgpath';
import type { Artwork, ArtworkShape, Gradient, ShapePaint } from '../artwork/artwork.ts';
import { isClear, isSimilarity, meanColor, transformGradient } from '../artwork/gradient.ts';
import {
  determinant,
  identity,
  lengthScale,
  type Matrix,
  multiply,
  rotateDeg,
  scale,
  translate,
} from '../geometry/matrix.ts';
import { type Contour, moveContours, type PathData, readContours, writeContours } from '../geometry/pathData.ts';
import {
  clipToBox,
  type Grid,
  outlineStroke,
  type StrokeStyle,
  toEvenOdd,
  type VisibleShape,
  visibleParts,
} from '../geometry/planar.ts';
import { TooManyOverlaps } from '../geometry/scanlines.ts';
import type { SvgNode } from '../svg/svg.ts';
import { parseColor } from './color.ts';
import { readGradient } from './readGradient.ts';
import { parseLength, parseViewBox, type SafeSvg } from './svgSafe.ts';

/**
 * Returns the shapes of a drawing, back to front, in px, with transforms baked, to be filled by even-odd. Returns
 * undefined when it holds more than strokes and fills of one color or a plain gradient: clips, masks, filters, other
 * gradients, patterns, pictures, dashes, group opacity over several shapes … Rasterize and trace such a drawing
 * instead.
 *
 * Strokes wider than 1/250 of the picture become filled outlines, so that a laser burns what is seen. Thinner ones, and
 * pure red or blue ones, stay lines to follow. Cost: a few boolean operations for each shape that overlaps others;
 * linear otherwise.
 */
export function readArtwork(safe: SafeSvg): Artwork | undefined {
  try {
    return readPlain(safe);
  } catch (error) {
    if (error instanceof UnsupportedDrawing || error instanceof TooManyOverlaps) return undefined;
    throw error;
  }
}

function readPlain({ node, width, height }: SafeSvg): Artwork | undefined {
  const longest = Math.max(width, height);
  const grid = gridFor(longest);
  const fit = fitViewBox(node, width, height);
  if (!fit) return undefined;
  const decimals = Math.max(0, 5 - Math.floor(Math.log10(longest)));
  const shapes: (VisibleShape & PaintedOutline)[] = [];
  const page = { minX: 0, minY: 0, maxX: width, maxY: height };
  for (const outline of readOutlines(node, fit, longest)) {
    // An SVG shows nothing outside its view box.
    const contours = clipToBox(outline.contours, page, outline.fill !== undefined, grid);
    if (contours.length > 0)
      shapes.push({
        ...outline,
        contours,
        // Areas of one color may be joined; areas with a gradient may not.
        tone: outline.gradient ? `gradient ${shapes.length}` : outline.fill,
        isOpaque: outline.opacity >= 1 && !(outline.gradient && isClear(outline.gradient)),
        isKeptWhole: outline.stroke === CUT_RED,
      });
  }
  const write = ({ contours, fill, gradient, stroke, strokeWidth, opacity }: PaintedOutline): ArtworkShape => ({
    d: writeContours(contours, decimals),
    fill,
    ...(gradient && { gradient }),
    stroke,
    strokeWidth,
    opacity,
  });
  // Computed on demand: for a stacked photograph it takes seconds, and only a laser needs it.
  let cutouts: { readonly parts: readonly ArtworkShape[] | undefined } | undefined;
  return {
    width,
    height,
    shapes: shapes.map(write),
    get cutouts() {
      cutouts ??= { parts: visibleParts(shapes, grid)?.map(write) };
      return cutouts.parts;
    },
  };
}

interface PaintedOutline extends ShapePaint {
  readonly contours: readonly Contour[];
}

/** Thrown and caught inside this file: the drawing holds more than outlines. */
class UnsupportedDrawing extends Error {}

/** Returns the grid for a picture by its longer side. At 100 mm a crumb is a quarter of a millimeter. */
const gridFor = (longest: number): Grid => ({
  unit: longest / 1e6,
  tolerance: longest / 20_000,
  crumb: longest / 400,
});

const MAX_POINTS = 2_000_000;
const MAX_USES = 10_000;

interface Style {
  readonly matrix: Matrix;
  readonly fill: string;
  readonly stroke: string;
  readonly color: string;
  readonly fillOpacity: number;
  readonly strokeOpacity: number;
  readonly strokeWidth: number;
  readonly opacity: number;
  readonly isEvenOdd: boolean;
  readonly isVisible: boolean;
  readonly cap: string;
  readonly join: string;
  readonly miterLimit: number;
}

const initialStyle: Style = {
  matrix: identity,
  fill: '#000000',
  stroke: 'none',
  color: '#000000',
  fillOpacity: 1,
  strokeOpacity: 1,
  strokeWidth: 1,
  opacity: 1,
  isEvenOdd: false,
  isVisible: true,
  cap: 'butt',
  join: 'miter',
  miterLimit: 4,
};

function readOutlines(root: SvgNode, fit: Matrix, longest: number): PaintedOutline[] {
  const outlines: PaintedOutline[] = [];
  const ids = collectIds(root);
  const grid = gridFor(longest);
  let points = 0;
  let uses = 0;

  const visit = (node: SvgNode, parent: Style, chain: readonly SvgNode[]): void => {
    if (definitionTags.has(node.tag) || node.attrs.display === 'none') return;
    if (chain.includes(node)) return; // a reference to itself draws nothing
    const style = inherit(node, parent);
    if (node.tag === 'g' || (node.tag === 'svg' && node === root) || node.tag === 'use') {
      const before = outlines.length;
      if (node.tag === 'use') {
        if (++uses > MAX_USES) throw new UnsupportedDrawing();
        const target = ids.get(node.attrs.href?.slice(1) ?? '');
        if (!target) return;
        if (target.tag === 'symbol' || target.tag === 'svg') throw new UnsupportedDrawing();
        const shift = translate(length(node, 'x'), length(node, 'y'));
        visit(target, { ...style, matrix: multiply(style.matrix, shift) }, [...chain, node]);
      } else for (const child of node.children) visit(child, style, chain);
      if (style.opacity !== parent.opacity && outlines.length - before > 1) throw new UnsupportedDrawing();
      return;
    }
    if (!shapeTags.has(node.tag)) throw new UnsupportedDrawing();
    if (!style.isVisible) return;

    const contours = readShape(node, style.matrix);
    if (contours.length === 0) return;
    points += contours.reduce((sum, contour) => sum + contour.points.length, 0);
    if (points > MAX_POINTS) throw new UnsupportedDrawing();

    const gradient = resolveGradient(style);
    const fill = node.tag === 'line' ? undefined : (gradient ?? resolvePaint(style.fill, style));
    const stroke = style.strokeWidth > 0 ? resolvePaint(style.stroke, style) : undefined;
    // With opacity, the fill would show through its own stroke.
    if (fill && stroke && style.opacity < 1) throw new UnsupportedDrawing();
    if (fill) {
      outlines.push({
        contours: style.isEvenOdd ? contours : toEvenOdd(contours, grid),
        fill: fill.hex,
        ...(gradient && { gradient: gradient.gradient }),
        stroke: undefined,
        strokeWidth: 0,
        opacity: style.opacity * style.fillOpacity * fill.alpha,
      });
    }
    if (stroke)
      outlines.push(readStroke(contours, stroke.hex, style.opacity * style.strokeOpacity * stroke.alpha, style));
  };

  const resolveGradient = ({ fill, matrix }: Style): { hex: string; alpha: number; gradient: Gradient } | undefined => {
    const target = /^url\(#([^)]+)\)/.exec(fill);
    const node = target && ids.get(target[1]!);
    const own = node ? readGradient(node, parseTransform) : undefined;
    const gradient = own && transformGradient(own, matrix);
    return gradient && { hex: meanColor(gradient), alpha: 1, gradient };
  };

  const readStroke = (contours: Contour[], color: string, opacity: number, style: Style): PaintedOutline => {
    if (!isSimilarity(style.matrix)) throw new UnsupportedDrawing();
    const strokeWidth = style.strokeWidth * lengthScale(style.matrix);
    const isFine = strokeWidth <= longest * FINE_STROKE || color === CUT_RED || color === SCORE_BLUE;
    if (isFine) return { contours, fill: undefined, stroke: color, strokeWidth, opacity };
    const look = { width: strokeWidth, cap: style.cap, join: style.join, miterLimit: style.miterLimit } as StrokeStyle;
    return { contours: outlineStroke(contours, look, grid), fill: color, stroke: undefined, strokeWidth: 0, opacity };
  };

  visit(root, { ...initialStyle, matrix: fit }, []);
  return outlines.filter(({ opacity }) => opacity > 0);
}

/** The widest stroke that stays a line, as a fraction of the longer side. Wider ones become filled outlines. */
const FINE_STROKE = 1 / 250;
/** The colors by which shops mark lines to follow, however thick they are drawn. */
const CUT_RED = '#ff0000';
const SCORE_BLUE = '#0000ff';

const definitionTags = new Set([
  ...['defs', 'symbol', 'linearGradient', 'radialGradient', 'stop', 'pattern', 'clipPath', 'mask', 'marker', 'filter'],
]);
const shapeTags = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']);

function collectIds(root: SvgNode): Map<string, SvgNode> {
  const ids = new Map<string, SvgNode>();
  const visit = (node: SvgNode) => {
    const { id } = node.attrs;
    if (id && !ids.has(id)) ids.set(id, node);
    node.children.forEach(visit);
  };
  visit(root);
  return ids;
}

/** Attributes that an outline cannot express, unless they are `none`. */
const unsupportedAttributes = [
  'clip-path',
  'mask',
  'filter',
  'marker-start',
  'marker-mid',
  'marker-end',
  'stroke-dasharray',
] as const;

function inherit({ tag, attrs }: SvgNode, parent: Style): Style {
  for (const name of unsupportedAttributes)
    if (attrs[name] !== undefined && attrs[name] !== 'none') throw new UnsupportedDrawing();
  for (const name of ['style', 'transform-origin', 'transform-box', 'vector-effect', 'paint-order']) {
    if (attrs[name] !== undefined && attrs[name] !== 'none' && attrs[name] !== 'normal') throw new UnsupportedDrawing();
  }
  if (attrs.systemLanguage !== undefined || attrs.requiredExtensions !== undefined) throw new UnsupportedDrawing();
  if (tag === 'svg' && attrs.transform !== undefined) throw new UnsupportedDrawing();
  const take = (name: string, parentValue: string) => {
    const value = attrs[name];
    return value === undefined || value === 'inherit' ? parentValue : value;
  };
  const number = (name: string, parentValue: number) => {
    const value = attrs[name];
    if (value === undefined || value === 'inherit') return parentValue;
    const read = value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : Number(value);
    return Number.isFinite(read) ? read : parentValue;
  };
  const unit = (name: string, parentValue: number) => Math.min(1, Math.max(0, number(name, parentValue)));
  const width = take('stroke-width', '');
  const strokeWidth = width === '' ? parent.strokeWidth : parseLength(width);
  if (strokeWidth === undefined) throw new UnsupportedDrawing();
  const color = take('color', parent.color);
  const paint = (name: 'fill' | 'stroke') => {
    const value = take(name, parent[name]);
    const isKnown = value === 'none' || value.includes('url(') || value.startsWith('context-') || parseColor(value);
    if (value.toLowerCase() === 'currentcolor') return 'currentColor';
    return isKnown ? value : parent[name];
  };
  return {
    matrix: attrs.transform === undefined ? parent.matrix : multiply(parent.matrix, parseTransform(attrs.transform)),
    fill: paint('fill'),
    stroke: paint('stroke'),
    color: parseColor(color) ? color : parent.color,
    fillOpacity: unit('fill-opacity', parent.fillOpacity),
    strokeOpacity: unit('stroke-opacity', parent.strokeOpacity),
    strokeWidth,
    opacity: parent.opacity * unit('opacity', 1),
    isEvenOdd: take('fill-rule', parent.isEvenOdd ? 'evenodd' : 'nonzero') === 'evenodd',
    isVisible: take('visibility', parent.isVisible ? 'visible' : 'hidden') === 'visible',
    cap: take('stroke-linecap', parent.cap),
    join: take('stroke-linejoin', parent.join),
    miterLimit: number('stroke-miterlimit', parent.miterLimit),
  };
}

function resolvePaint(value: string, style: Style): { hex: string; alpha: number } | undefined {
  if (value === 'none') return undefined;
  if (value.includes('url(') || value.startsWith('context-')) throw new UnsupportedDrawing();
  const color = parseColor(value === 'currentColor' ? style.color : value);
  return color && color.alpha > 0 ? color : undefined;
}

function length(node: SvgNode, name: string): number {
  const text = node.attrs[name];
  if (text === undefined) return 0;
  const value = parseLength(text);
  // Percentages and font-relative units depend on more than the shape.
  if (value === undefined || /e[mx]\s*$/i.test(text)) throw new UnsupportedDrawing();
  return value;
}

/** Returns the contours of a shape, transformed. A shape that is empty, or flattened by the matrix, has none. */
export function readShape(node: SvgNode, matrix: Matrix): Contour[] {
  if (!Number.isFinite(determinant(matrix)) || determinant(matrix) === 0) return [];
  const d = toPathData(node);
  if (!d) return [];
  const plain = readPlainContours(d, matrix);
  if (plain) return plain;
  const { a, b, c, d: dd, e, f } = matrix;
  // When the data breaks off, svgpath keeps what it has read so far, as SVG demands.
  const path = svgpath(d).abs().unshort().unarc().matrix([a, b, c, dd, e, f]);
  return toContours(path);
}

/**
 * True for absolute lines and cubic curves alone, as tracers write them, without commas in odd places and numbers that
 * begin with a needless zero: svgpath decides what is left of such data. One pass: two regular expressions took as long
 * as a third of reading the numbers.
 */
function isPlainData(d: string): boolean {
  /** The last character that is no space. */
  let last = 0;
  let before = 0;
  for (let i = 0; i < d.length; i++) {
    const code = d.charCodeAt(i);
    if (isDigit(code)) {
      if (before === ZERO && (i < 2 || !continuesNumber(d.charCodeAt(i - 2)))) return false;
    } else if (isLetter(code)) {
      if (last === COMMA) return false;
    } else if (code === COMMA) {
      if (last === COMMA || isLetter(last)) return false;
    } else if (!isSpace(code) && !signs.includes(d[i]!)) return false;
    before = code;
    if (isSpace(code)) continue;
    if (last === 0 && code !== LETTER_M) return false;
    last = code;
  }
  return last !== 0 && last !== COMMA;
}

const [COMMA, POINT, ZERO, LETTER_M] = [44, 46, 48, 77];
const signs = '.+eE-';
const isDigit = (code: number) => code >= 48 && code <= 57;
const continuesNumber = (code: number) => isDigit(code) || code === POINT;
const isLetter = (code: number) => code === LETTER_M || code === 76 || code === 67 || code === 90;
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);

/**
 * Reads plain path data in a third of the time that svgpath takes: it makes an array of each segment, which was half of
 * reading a trace of 20,000 outlines. Returns undefined for other data, and for data that breaks off.
 */
export function readPlainContours(d: string, matrix: Matrix): Contour[] | undefined {
  if (!isPlainData(d)) return undefined;
  try {
    const contours = readContours(d as PathData);
    moveContours(contours, matrix);
    return contours.filter(isUsable);
  } catch {
    return undefined;
  }
}

function toPathData(node: SvgNode): string {
  const at = (name: string) => length(node, name);
  switch (node.tag) {
    case 'path':
      return node.attrs.d ?? '';
    case 'line':
      return `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`;
    case 'polyline':
    case 'polygon': {
      const numbers = (node.attrs.points ?? '').split(/[\s,]/).filter(Boolean).map(Number);
      const end = numbers.findIndex((number) => !Number.isFinite(number));
      const valid = end < 0 ? numbers : numbers.slice(0, end);
      if (valid.length < 4) return '';
      return `M${valid.slice(0, valid.length & ~1).join(' ')}${node.tag === 'polygon' ? 'Z' : ''}`;
    }
    case 'circle':
    case 'ellipse': {
      const rx = node.tag === 'circle' ? at('r') : at(node.attrs.rx === undefined ? 'ry' : 'rx');
      const ry = node.tag === 'circle' ? at('r') : at(node.attrs.ry === undefined ? 'rx' : 'ry');
      if (!(rx > 0 && ry > 0)) return '';
      const [cx, cy] = [at('cx'), at('cy')];
      const arc = `A${rx} ${ry} 0 0 1`;
      return `M${cx + rx} ${cy}${arc} ${cx} ${cy + ry}${arc} ${cx - rx} ${cy}${arc} ${cx} ${cy - ry}${arc} ${cx + rx} ${cy}Z`;
    }
    default: {
      const [x, y, width, height] = [at('x'), at('y'), at('width'), at('height')];
      if (!(width > 0 && height > 0)) return '';
      const isAuto = (name: string) => node.attrs[name] === undefined || node.attrs[name] === 'auto';
      const radius = (name: string, other: string) => at(isAuto(name) ? other : name);
      const rx = isAuto('rx') && isAuto('ry') ? 0 : Math.min(width / 2, Math.max(0, radius('rx', 'ry')));
      const ry = isAuto('rx') && isAuto('ry') ? 0 : Math.min(height / 2, Math.max(0, radius('ry', 'rx')));
      if (rx === 0 || ry === 0) return `M${x} ${y}h${width}v${height}h${-width}Z`;
      const arc = (dx: number, dy: number) => `a${rx} ${ry} 0 0 1 ${dx} ${dy}`;
      return (
        `M${x + rx} ${y}h${width - 2 * rx}${arc(rx, ry)}v${height - 2 * ry}${arc(-rx, ry)}` +
        `h${2 * rx - width}${arc(-rx, -ry)}v${2 * ry - height}${arc(rx, -ry)}Z`
      );
    }
  }
}

/** Reads any path data as lines and cubic curves. Returns undefined for data that breaks off. */
export function readPathData(d: string): Contour[] | undefined {
  const path = svgpath(d);
  // svgpath notes here, and not in its types, where it stopped.
  if ((path as { err?: string }).err) return undefined;
  return toContours(path.abs().unshort().unarc());
}

/** Converts svgpath's segments, absolute and without arcs or shorthands, to lines and cubic curves. */
function toContours(path: ReturnType<typeof svgpath>): Contour[] {
  const contours: Contour[] = [];
  let contour: Contour | undefined;
  let start: [number, number] = [0, 0];
  path.iterate((segment, _index, x, y) => {
    const [command] = segment;
    if (command === 'Z' || command === 'z') {
      if (contour) contour.isClosed = true;
      contour = undefined;
      return;
    }
    const args = segment.slice(1) as number[];
    if (command === 'M') {
      start = [args[0]!, args[1]!];
      contour = { commands: [], points: [...start], isClosed: false };
      contours.push(contour);
      return;
    }
    if (!contour) {
      contour = { commands: [], points: [...start], isClosed: false };
      contours.push(contour);
    }
    if (command === 'C') {
      contour.commands.push('C');
      contour.points.push(...args);
    } else if (command === 'Q') {
      const [hx, hy, tx, ty] = args as [number, number, number, number];
      contour.commands.push('C');
      contour.points.push(
        x + (2 / 3) * (hx - x),
        y + (2 / 3) * (hy - y),
        tx + (2 / 3) * (hx - tx),
        ty + (2 / 3) * (hy - ty),
        tx,
        ty,
      );
    } else {
      contour.commands.push('L');
      contour.points.push(command === 'V' ? x : args[0]!, command === 'H' ? y : args.at(-1)!);
    }
  });
  return contours.filter(isUsable);
}

const isUsable = ({ commands, points }: Contour): boolean =>
  commands.length > 0 && points.every((value) => Math.abs(value) < 1e7);

/** Returns the matrix from view box to picture by `preserveAspectRatio`; undefined for `slice`, which needs a clip. */
export function fitViewBox(root: SvgNode, width: number, height: number): Matrix | undefined {
  const box = parseViewBox(root.attrs.viewBox)!;
  const sx = width / box.width;
  const sy = height / box.height;
  const aspect = (root.attrs.preserveAspectRatio ?? '').trim();
  const toOrigin = translate(-box.x, -box.y);
  if (aspect === 'none') return multiply(scale(sx, sy), toOrigin);
  if (aspect.includes('slice')) return undefined;
  const s = Math.min(sx, sy);
  const share = (axis: 'x' | 'Y') => (aspect.includes(`${axis}Min`) ? 0 : aspect.includes(`${axis}Max`) ? 1 : 0.5);
  const shift = translate((width - box.width * s) * share('x'), (height - box.height * s) * share('Y'));
  return multiply(shift, scale(s), toOrigin);
}

const MAX_TRANSFORM = 10_000;

/** Reads a `transform` attribute. A list with an error is the identity, as in SVG. */
export function parseTransform(text: string): Matrix {
  let matrix = identity;
  if (text.length > MAX_TRANSFORM) return identity;
  let rest = text;
  for (;;) {
    rest = rest.replace(/^[\s,]+/, '');
    if (rest === '') return matrix;
    const open = rest.indexOf('(');
    const close = rest.indexOf(')');
    if (open < 0 || close < open) return identity;
    const step = toMatrix(rest.slice(0, open).trim(), readNumbers(rest.slice(open + 1, close)));
    if (!step) return identity;
    matrix = multiply(matrix, step);
    rest = rest.slice(close + 1);
  }
}

function readNumbers(text: string): number[] {
  return (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g) ?? []).map(Number);
}

function toMatrix(name: string, n: readonly number[]): Matrix | undefined {
  const tan = (angleDeg: number) => Math.tan((angleDeg * Math.PI) / 180);
  const [a, b, c, d, e, f] = n;
  if (a === undefined) return undefined;
  switch (name) {
    case 'matrix':
      return n.length === 6 ? { a, b: b!, c: c!, d: d!, e: e!, f: f! } : undefined;
    case 'translate':
      return translate(a, b ?? 0);
    case 'scale':
      return scale(a, b ?? a);
    case 'rotate':
      return rotateDeg(a, { x: b ?? 0, y: c ?? 0 });
    case 'skewX':
      return { ...identity, c: tan(a) };
    case 'skewY':
      return { ...identity, b: tan(a) };
    default:
      return undefined;
  }
}
