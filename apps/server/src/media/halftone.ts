/** Draws the tones of a picture as closed outlines, in place of a trace. */
import type { HalftoneTrace } from '@markwright/contract';
import { styleOf } from '@markwright/contract/engraving';
import {
  type Contour,
  type Gray,
  type HalftoneStyle,
  halftone,
  invert,
  layOnBare,
  meanTone,
  type Picture,
  toGray,
  toPathData,
} from '@markwright/engraving';
import { AppError } from '../platform/errors.ts';
import type { MediaJobs } from '../platform/ports/mediaJobs.ts';
import { checkTrace, sayTooMuch } from './checkTrace.ts';

/** Outlines are written to this fraction of a millimeter: a fiftieth of the finest beam. */
const PRECISION_MM = 0.001;

/**
 * Draws a picture as a halftone: one black path, in pixels of the picture. Its levels are shares of burnt area, without
 * the curve of any material. Throws unprocessable, with a sentence for people, for a pitch that is too fine for beam
 * and size, and for a picture of which nothing or too much is drawn. Cost: about 1 s for a hundred thousand outlines.
 */
export function drawHalftone(picture: Picture, request: HalftoneTrace): MediaJobs['trace']['output'] {
  const { width, height } = picture;
  const { style, widthMm, beamMm, gapMm = 0 } = request;
  const gray = toGray(picture);
  const shares = layOnBare(request.invert ? invert(gray) : gray);
  const halftoneStyle = styleOf(request, style);
  if (countDots(shares, halftoneStyle, widthMm) > MOST_DOTS) throw new AppError('unprocessable', sayTooMuch(FULL));
  const toPx = width / widthMm;
  const outlines = orRefuse(() => halftone(shares, { widthMm, style: halftoneStyle, beamMm, gapMm }));
  const d = toPathData(
    outlines.map((outline) => outline.map((mm) => mm * toPx) as Contour),
    decimalsOf(toPx),
  );
  const path = d && `<path fill="#000000" d="${d}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${path}</svg>`;
  return checkTrace(svg, { empty: request.invert ? 'without invert' : 'a lower brightness', full: FULL });
}

/** Advice for a halftone with too much detail. */
const FULL = 'a coarser pitch';
/** More dots are larger than an SVG may be: each takes a hundred bytes at least. */
const MOST_DOTS = 100_000;
/** Lighter pixels, 0..255, have no dot. */
const BARE = 250;

/** Estimates the dots of a halftone before they are drawn, which takes seconds and memory; 0 for lines. */
function countDots({ width, height, data }: Gray, style: HalftoneStyle, widthMm: number): number {
  const pixelMm2 = (widthMm / width) ** 2;
  if (style.kind === 'stipple') {
    return (meanTone({ data }) * width * height * pixelMm2) / ((Math.PI / 4) * style.dotMm ** 2);
  }
  if (style.kind !== 'dots') return 0;
  let marks = 0;
  for (const value of data) if (value < BARE) marks++;
  return (marks * pixelMm2) / style.pitchMm ** 2;
}

const decimalsOf = (toPx: number) => Math.max(0, Math.ceil(-Math.log10(PRECISION_MM * toPx)));

/** The sentences of these errors are for people. */
function orRefuse<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('unprocessable', error.message);
    throw error;
  }
}
