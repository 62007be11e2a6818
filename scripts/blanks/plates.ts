/** Flat things that lie on a table and are seen from above: shadow, thickness, edges. */
import { type Box, type Drawing, num, type Stop } from './drawing.ts';

/** Draws the shadow of a thing that is `liftPx` thick. */
export function drawShadow(drawing: Drawing, outline: string, box: Box, liftPx = 10): void {
  const grow = (by: number): Box => ({
    x: box.x - by,
    y: box.y - by,
    width: box.width + 2 * by + liftPx * 2,
    height: box.height + 2 * by + liftPx * 2,
  });
  drawing.path(outline, {
    transform: `translate(${num(liftPx * 1.1)} ${num(liftPx * 1.8)})`,
    fill: '#140d06',
    'fill-opacity': 0.34,
    filter: drawing.blur(Math.round(liftPx * 1.7), grow(liftPx * 6)),
  });
  // Near the thing the shadow is narrow: three strokes fade like a blur and cost a tenth of it.
  for (const [share, opacity] of [
    [1.7, 0.06],
    [1, 0.09],
    [0.4, 0.13],
  ] as const) {
    drawing.path(outline, {
      transform: `translate(${num(liftPx * 0.3)} ${num(liftPx * 0.55)})`,
      fill: '#0c0703',
      'fill-opacity': opacity,
      stroke: '#0c0703',
      'stroke-opacity': opacity,
      'stroke-width': liftPx * share,
      'stroke-linejoin': 'round',
    });
  }
}

/** Draws the side of a thick thing below its face. */
export function drawSide(drawing: Drawing, outline: string, heightPx: number, color: string, light = 0.16): void {
  drawing.path(outline, { fill: color, transform: `translate(0 ${num(heightPx)})` });
  drawing.path(outline, {
    fill: color,
    transform: `translate(0 ${num(heightPx / 2)})`,
    stroke: '#fff',
    'stroke-opacity': light,
    'stroke-width': 1.4,
  });
}

/** Draws light on the upper left edge of a face and shade on the lower right one, inside its outline. */
export function drawBevel(
  drawing: Drawing,
  outline: string,
  { x, y, width, height }: Box,
  widthPx: number,
  [light, dark]: readonly [number, number] = [0.5, 0.5],
): void {
  const paint = (share: number): string =>
    drawing.linear(
      [x, y],
      [x + width, y + height],
      [
        [0, '#fff', light * share],
        [0.38, '#fff', light * 0.25 * share],
        [0.55, '#000', dark * 0.25 * share],
        [1, '#000', dark * share],
      ],
    );
  drawing.inside(outline, () => {
    drawing.path(outline, { fill: 'none', stroke: paint(1), 'stroke-width': widthPx });
    drawing.path(outline, { fill: 'none', stroke: paint(0.28), 'stroke-width': widthPx * 2.6 });
  });
}

/** White with gloss: the ceiling is mirrored in broad, soft bands from corner to corner. */
export const glossWhite: readonly Stop[] = [
  [0, '#ffffff'],
  [0.18, '#fdfdfc'],
  [0.3, '#f3f2ef'],
  [0.36, '#fbfbfa'],
  [0.5, '#f6f5f3'],
  [0.64, '#eceae6'],
  [0.7, '#f5f4f1'],
  [0.86, '#e6e3de'],
  [1, '#dcd9d3'],
];
export const satinWhite: readonly Stop[] = [
  [0, '#fdfdfc'],
  [0.45, '#f6f5f2'],
  [0.8, '#e9e7e2'],
  [1, '#dedbd5'],
];

/** A gradient over the diagonal of a box. */
export const diagonal = (drawing: Drawing, { x, y, width, height }: Box, stops: readonly Stop[]): string =>
  drawing.linear([x, y], [x + width, y + height], stops);

/** Draws a hole through a thing: what lies below it is clear only in its shadow, so it is drawn as a dark ground. */
export function drawEyelet(drawing: Drawing, center: readonly [number, number], radius: number, metal?: string): void {
  if (metal !== undefined) {
    drawing.circle(center, radius * 1.55, { fill: metal });
    drawing.circle(center, radius * 1.55, {
      fill: 'none',
      stroke: '#000',
      'stroke-opacity': 0.35,
      'stroke-width': 1.6,
    });
  }
  const box = { x: center[0] - radius, y: center[1] - radius, width: 2 * radius, height: 2 * radius };
  drawing.circle(center, radius, { fill: '#2a241e' });
  drawing.circle(center, radius, {
    fill: 'none',
    stroke: diagonal(drawing, box, [
      [0, '#000', 0.7],
      [0.5, '#000', 0.2],
      [0.55, '#fff', 0.2],
      [1, '#fff', 0.9],
    ]),
    'stroke-width': Math.max(2, radius * 0.2),
  });
}
