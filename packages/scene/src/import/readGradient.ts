/**
 * Reads gradients of a drawing. Separate from gradient.ts, because it needs all color names, which pages load later.
 */
import type { Gradient, GradientStop } from '../artwork/artwork.ts';
import { transformGradient } from '../artwork/gradient.ts';
import type { Matrix } from '../geometry/matrix.ts';
import type { SvgNode } from '../svg/svg.ts';
import { parseColor } from './color.ts';

const MAX_STOPS = 64;

/**
 * Reads a gradient with absolute coordinates. Returns undefined for one that is relative to the box of its shape,
 * repeats, refers to another gradient, has its focus off the center, or is linear and skewed by its transform.
 * `toMatrix` reads its `gradientTransform`.
 */
export function readGradient(node: SvgNode, toMatrix: (text: string) => Matrix): Gradient | undefined {
  const { attrs, tag } = node;
  const kind = tag === 'linearGradient' ? 'linear' : tag === 'radialGradient' ? 'radial' : undefined;
  if (!kind || attrs.gradientUnits !== 'userSpaceOnUse' || attrs.href !== undefined) return undefined;
  if (attrs.spreadMethod !== undefined && attrs.spreadMethod !== 'pad') return undefined;
  const number = (name: string) => (attrs[name] === undefined ? Number.NaN : Number(attrs[name]));
  const [cx, cy, r] = [number('cx'), number('cy'), number('r')];
  for (const [focus, middle] of [
    ['fx', 'cx'],
    ['fy', 'cy'],
  ] as const) {
    if (attrs[focus] !== undefined && attrs[focus] !== attrs[middle]) return undefined;
  }
  if (attrs.fr !== undefined && number('fr') !== 0) return undefined;
  const line = kind === 'radial' ? [cx, cy, cx + r, cy] : ['x1', 'y1', 'x2', 'y2'].map(number);
  const [x1, y1, x2, y2] = line as [number, number, number, number];
  // Some renderers draw a gradient without length as one flat color, others draw nothing.
  if (!line.every(Number.isFinite) || Math.hypot(x2 - x1, y2 - y1) < 1e-9) return undefined;
  const stops = readStops(node);
  if (!stops) return undefined;
  const gradient: Gradient = { kind, x1, y1, x2, y2, stops };
  if (attrs.gradientTransform === undefined) return gradient;
  const matrix = toMatrix(attrs.gradientTransform);
  return transformGradient(gradient, matrix);
}

function readStops(node: SvgNode): Gradient['stops'] | undefined {
  const stops: GradientStop[] = [];
  for (const { tag, attrs } of node.children) {
    if (tag !== 'stop') continue;
    const text = attrs.offset ?? '0';
    const position = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
    const color = parseColor(attrs['stop-color'] ?? '#000000');
    const opacity = attrs['stop-opacity'] === undefined ? 1 : Number(attrs['stop-opacity']);
    if (!Number.isFinite(position) || !color || !(opacity >= 0)) return undefined;
    const offset = Math.max(stops.at(-1)?.offset ?? 0, Math.min(1, Math.max(0, position)));
    const alpha = color.alpha * Math.min(1, opacity);
    stops.push(alpha < 1 ? { offset, color: color.hex, opacity: alpha } : { offset, color: color.hex });
  }
  return stops.length >= 2 && stops.length <= MAX_STOPS ? stops : undefined;
}
