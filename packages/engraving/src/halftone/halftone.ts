/** Gray pictures as closed outlines that any laser can fill. */
import type { Gray } from '../picture.ts';
import { type GrayRows, rowsOf } from '../rows.ts';
import type { Contour } from './contours.ts';
import { coverOf } from './cover.ts';
import { type DotShape, drawDots } from './dots.ts';
import { drawFormLines } from './form.ts';
import { drawHatch } from './hatch.ts';
import { drawLines, drawRings } from './lines.ts';
import { drawStipple } from './stipple.ts';
import type { Limits } from './strokes.ts';

export type HalftoneStyle =
  | {
      readonly kind: 'lines';
      /** Straight lines, rings around the middle, or lines along what the picture shows. */
      readonly course: 'straight' | 'rings' | 'form';
      readonly pitchMm: number;
      /** Clockwise from the horizontal. For `form` it leads where the picture shows no direction. */
      readonly angleDeg: number;
    }
  | { readonly kind: 'dots'; readonly shape: DotShape; readonly pitchMm: number; readonly angleDeg: number }
  | { readonly kind: 'hatch'; readonly pitchMm: number; readonly angleDeg: number }
  | { readonly kind: 'stipple'; readonly dotMm: number };

export interface HalftoneRequest extends Limits {
  /** The width of the picture. */
  readonly widthMm: number;
  readonly style: HalftoneStyle;
}

/** The finest pitch, in beams: below that a line is either bare or full. */
const LEAST_BEAMS = 2;
/** The most lines or dots across: beyond it a halftone is finer than any laser's beam, and larger than its memory. */
const MOST_ACROSS = 4000;

/**
 * Returns the halftone of a picture on bare material as closed outlines, in an order of short travel. None crosses
 * itself or another, none is thinner than the beam, and all lie in the frame. Light tones that a beam is too wide for
 * are dashes or fewer dots. With a gap, the darkest tones are as dark as the gap allows. Throws a RangeError with a
 * sentence for people for a pitch that is too fine for the beam and the gap, or for the size.
 */
export function halftone(gray: Gray, request: HalftoneRequest): Contour[] {
  return halftoneOfRows(rowsOf(gray), request);
}

/** Draws the halftone of rows as `halftone` does. Each row is read once. */
export function halftoneOfRows(rows: GrayRows, { widthMm, style, beamMm, gapMm }: HalftoneRequest): Contour[] {
  const pitchMm = style.kind === 'stipple' ? style.dotMm : style.pitchMm;
  if (!(widthMm > 0 && beamMm > 0 && gapMm >= 0)) throw new RangeError('A halftone needs a width and a beam.');
  const leastMm = style.kind === 'stipple' ? beamMm : Math.max(LEAST_BEAMS * beamMm, beamMm + gapMm);
  if (!(pitchMm >= leastMm)) {
    throw new RangeError(`A beam of ${beamMm} mm needs a halftone of ${Number(leastMm.toFixed(3))} mm or coarser.`);
  }
  if (Math.max(widthMm, (widthMm * rows.height) / rows.width) > MOST_ACROSS * pitchMm) {
    throw new RangeError(`A halftone has at most ${MOST_ACROSS} lines. Choose a coarser one or a smaller size.`);
  }
  const cover = coverOf(rows, widthMm, pitchMm / 4);
  if (style.kind === 'stipple') return drawStipple(cover, { dotMm: style.dotMm, beamMm, gapMm });
  const rule = { ...style, beamMm, gapMm };
  if (rule.kind === 'dots') return drawDots(cover, rule);
  if (rule.kind === 'hatch') return drawHatch(cover, rule);
  if (rule.course === 'rings') return drawRings(cover, rule);
  return rule.course === 'form' ? drawFormLines(cover, rule) : drawLines(cover, rule);
}
