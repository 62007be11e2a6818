/** Draws an artwork by itself. */

import { type SvgNode, svgNode } from '../svg/svg.ts';
import type { Artwork } from './artwork.ts';
import { PaintServer } from './gradient.ts';

/** Decimals of a gradient's coordinates, which are pixels. */
const PAINT_DECIMALS = 4;

/**
 * Draws the shapes of an artwork in its own units and colors, back to front. With `linePx`, every line is that many
 * pixels wide on screen at any zoom; such a drawing is for viewing only. Cost: linear in the shapes.
 */
export function drawArtwork(
  { width, height, shapes }: Pick<Artwork, 'width' | 'height' | 'shapes'>,
  linePx?: number,
): SvgNode {
  const paints = new PaintServer(PAINT_DECIMALS);
  const paths = shapes.map(({ d, fill, gradient, stroke, strokeWidth, opacity }) =>
    svgNode('path', {
      d,
      fill: gradient ? paints.add(gradient) : (fill ?? 'none'),
      'fill-rule': 'evenodd',
      stroke,
      'stroke-width': stroke && String(linePx ?? strokeWidth),
      'vector-effect': stroke && linePx !== undefined ? 'non-scaling-stroke' : undefined,
      opacity: opacity < 1 ? opacity : undefined,
    }),
  );
  const size = { width: String(width), height: String(height), viewBox: `0 0 ${width} ${height}` };
  return svgNode('svg', size, [...paints.defs(), ...paths]);
}
