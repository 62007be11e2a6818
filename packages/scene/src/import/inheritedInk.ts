/** The inherited properties of an SVG's shapes that the cost of drawing them depends on. */
import type { SvgNode } from '../svg/svg.ts';
import { parseLength } from './svgSafe.ts';

export interface Ink {
  readonly fill: string;
  readonly stroke: string;
  readonly strokeWidth: number;
  readonly miterLimit: number;
  readonly dashes: string;
  /** At the start, at each corner between, and at the end. */
  readonly markers: readonly [string, string, string];
}

export const INITIAL_INK: Ink = {
  fill: '#000',
  stroke: 'none',
  strokeWidth: 1,
  miterLimit: 4,
  dashes: 'none',
  markers: ['none', 'none', 'none'],
};

/** Returns the properties of a part, given those of the part around it. */
export function toInk({ attrs }: SvgNode, parent: Ink): Ink {
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
