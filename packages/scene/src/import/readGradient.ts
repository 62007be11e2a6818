/** Gradients of a drawing, read. A part of its own, as it knows every color name: what only moves and writes them is loaded sooner. */
import type { Gradient, GradientStop } from '../artwork/artwork.ts';
import { transformGradient } from '../artwork/gradient.ts';
import type { Matrix } from '../geometry/matrix.ts';
import type { SvgNode } from '../svg/svg.ts';
import { parseColor } from './color.ts';

const MAX_STOPS = 64;

/**
 * Reads a gradient of absolute coordinates; `undefined` for one that follows the box of its shape, repeats, borrows from another or has
 * its light off the middle, and for a line whose bands a transform has skewed. `toMatrix` reads its `gradientTransform`.
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
  // What has no length is one flat color to some renderers and nothing to others.
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
    const read = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
    const color = parseColor(attrs['stop-color'] ?? '#000000');
    const opacity = attrs['stop-opacity'] === undefined ? 1 : Number(attrs['stop-opacity']);
    if (!Number.isFinite(read) || !color || !(opacity >= 0)) return undefined;
    const offset = Math.max(stops.at(-1)?.offset ?? 0, Math.min(1, Math.max(0, read)));
    const alpha = color.alpha * Math.min(1, opacity);
    stops.push(alpha < 1 ? { offset, color: color.hex, opacity: alpha } : { offset, color: color.hex });
  }
  return stops.length >= 2 && stops.length <= MAX_STOPS ? stops : undefined;
}
