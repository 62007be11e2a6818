/** Gradients: transforms them, averages them, and writes them into a drawing. */

import { applyMatrix, determinant, type Matrix } from '../geometry/matrix.ts';
import { hashText } from '../svg/hash.ts';
import { formatNumber, type SvgNode, svgNode } from '../svg/svg.ts';
import type { Gradient } from './artwork.ts';

/** True for rotations, flips and even scaling: a matrix that maps circles to circles and keeps right angles. */
export function isSimilarity({ a, b, c, d }: Matrix): boolean {
  const tolerance = 1e-3 * (a * a + b * b);
  return Math.abs(a * c + b * d) <= tolerance && Math.abs(a * a + b * b - c * c - d * d) <= tolerance;
}

/** True when some stop is translucent, so that what lies below shows through. */
export const isClear = ({ stops }: Gradient): boolean => stops.some(({ opacity = 1 }) => opacity < 1);

/** Transforms a gradient. Returns undefined when the result is no gradient: a skewed linear one, or a flat plane. */
export function transformGradient(gradient: Gradient, matrix: Matrix): Gradient | undefined {
  const { kind, x1, y1, x2, y2 } = gradient;
  const isEven = isSimilarity(matrix);
  if (determinant(matrix) === 0 || (kind === 'linear' && !isEven)) return undefined;
  const from = applyMatrix(matrix, { x: x1, y: y1 });
  const to = applyMatrix(matrix, { x: x2, y: y2 });
  const result = { ...gradient, x1: from.x, y1: from.y, x2: to.x, y2: to.y };
  if (kind === 'linear' || (isEven && gradient.x3 === undefined)) return result;
  const side = applyMatrix(matrix, { x: gradient.x3 ?? x1 - (y2 - y1), y: gradient.y3 ?? y1 + (x2 - x1) });
  return { ...result, x3: side.x, y3: side.y };
}

/** Returns the mean color over the length of a gradient, `#rrggbb`, for machines that know one color only. */
export function meanColor({ stops }: Gradient): string {
  const sum = [0, 0, 0];
  const add = (color: string, share: number) => {
    for (let k = 0; k < 3; k++) sum[k]! += share * Number.parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16);
  };
  let last = { offset: 0, color: stops[0]!.color };
  for (const stop of [...stops, { offset: 1, color: stops.at(-1)!.color }]) {
    const share = (stop.offset - last.offset) / 2;
    add(last.color, share);
    add(stop.color, share);
    last = stop;
  }
  return `#${sum.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the gradient with every stop's color changed. */
export const mapStops = (gradient: Gradient, change: (color: string) => string): Gradient => ({
  ...gradient,
  stops: gradient.stops.map((stop) => ({ ...stop, color: change(stop.color) })),
});

/**
 * Collects the gradients of one drawing, each once. Its id is a hash of its content, so that two drawings on one page
 * never use one id for different gradients.
 */
export class PaintServer {
  private readonly nodes = new Map<string, SvgNode>();
  private readonly decimals: number;

  /** `decimals`: of the coordinates it writes. */
  constructor(decimals: number) {
    this.decimals = decimals;
  }

  /** Adds a gradient and returns the value for `fill`. */
  add(gradient: Gradient): string {
    const content = this.write(gradient);
    const id = `paint-${hashText(JSON.stringify(content))}`;
    this.nodes.set(id, { ...content, attrs: { id, ...content.attrs } });
    return `url(#${id})`;
  }

  /** Returns the `defs` node to put first in the drawing; empty when there is no gradient. */
  defs(): SvgNode[] {
    return this.nodes.size > 0 ? [svgNode('defs', {}, [...this.nodes.values()])] : [];
  }

  private write({ kind, x1, y1, x2, y2, x3, y3, stops }: Gradient): SvgNode {
    const number = (value: number) => formatNumber(value, this.decimals);
    const place = (): Record<string, string> => {
      if (kind === 'linear') return { x1: number(x1), y1: number(y1), x2: number(x2), y2: number(y2) };
      if (x3 === undefined || y3 === undefined) {
        return { cx: number(x1), cy: number(y1), r: number(Math.hypot(x2 - x1, y2 - y1)) };
      }
      // SVG has no attributes for an elliptic gradient: it is a unit circle with a transform.
      const matrix = [x2 - x1, y2 - y1, x3 - x1, y3 - y1, x1, y1].map(number);
      return { cx: '0', cy: '0', r: '1', gradientTransform: `matrix(${matrix.join(' ')})` };
    };
    return svgNode(
      kind === 'linear' ? 'linearGradient' : 'radialGradient',
      { gradientUnits: 'userSpaceOnUse', ...place() },
      stops.map(({ offset, color, opacity }) =>
        svgNode('stop', { offset, 'stop-color': color, 'stop-opacity': opacity }),
      ),
    );
  }
}
