/** An artwork by itself, as SVG. */

import { type SvgNode, svgNode } from '../svg/svg.ts';
import type { Artwork } from './artwork.ts';
import { PaintServer } from './gradient.ts';

/** Of a pixel. */
const PAINT_DECIMALS = 4;

/**
 * The shapes of an artwork in its own units and colors, back to front. `linePx` draws every line that wide on the screen, at any size:
 * to be looked at only. Cost: linear in the shapes.
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
