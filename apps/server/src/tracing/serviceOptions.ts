/** Maps trace settings to the fields of the vectorizing service: Vectorizer.AI's public API, version 1. */
import {
  MAX_TRACE_PIXELS,
  PRODUCTION_DESPECKLE,
  toHalftoneTrace,
  toVectorizerOptions,
  type VectorizeSettings,
} from '@markwright/contract';
import type { ServicePicture } from '../platform/ports/mediaJobs.ts';

/** A request to the service: form fields, and the changes to the pixels sent with them. */
export interface ServiceRequest {
  readonly fields: Readonly<Record<string, string>>;
  readonly picture: ServicePicture;
}

/**
 * Returns undefined for traces that the service cannot make and the built-in engine makes in every tier: halftones,
 * centerlines, exact symmetry, and removing the background in colors (a palette entry would remove that color inside
 * the drawing too).
 * The service draws gradients as flat tones. Color modes, thresholds and light taken out, which it does not know, are
 * applied to the pixels.
 *
 * `width` and `height` are those of the pixels. The request sets every field, as the service's defaults may change.
 */
export function toServiceRequest(
  settings: VectorizeSettings,
  { width, height }: { readonly width: number; readonly height: number },
): ServiceRequest | undefined {
  if (toHalftoneTrace(settings)) return undefined;
  const { draw, dropBackground, maxColors, stacking, groupBy, simplify, quality, ...rest } =
    toVectorizerOptions(settings);
  const ink = 'ink' in rest ? rest.ink : undefined;
  if (rest.regular) return undefined;
  if (draw === 'outline' || draw === 'centerline' || (dropBackground && !ink)) return undefined;
  const palette = ink ? toOneInk(ink) : rest.repaint?.map(toPaletteEntry).join(' ');

  const prints = settings.machineType !== undefined && settings.machineType !== 'laser';
  const strokes = draw === 'fill' ? {} : strokeFields(draw === 'edges' ? (ink ?? BLACK_INK) : ink);
  const fields = {
    mode: settings.mode === 'vectorize' ? 'production' : 'preview',
    'policy.retention_days': '0',
    'input.max_pixels': String(MAX_TRACE_PIXELS),
    'processing.max_colors': String(ink ? 2 : maxColors),
    ...(palette && { 'processing.palette': palette }),
    'processing.shapes.min_area_px': toNumber(leastAreaPx(settings.despeckle ?? PRODUCTION_DESPECKLE, width, height)),
    'output.file_format': 'svg',
    'output.svg.version': 'svg_1_1',
    'output.svg.fixed_size': 'false',
    'output.draw_style': drawStyles[draw],
    ...strokes,
    'output.shape_stacking': stacking,
    'output.group_by': groupBy === 'color' ? 'color' : 'none',
    // A laser's software follows curves and lines; a printer's takes circles as well.
    'output.parameterized_shapes.flatten': String(!prints),
    'output.curves.allowed.quadratic_bezier': 'false',
    'output.curves.allowed.cubic_bezier': 'true',
    'output.curves.allowed.circular_arc': String(prints),
    'output.curves.allowed.elliptical_arc': String(prints),
    'output.curves.line_fit_tolerance': toNumber(lineTolerancePx(simplify, quality)),
    // Otherwise it draws lines in colors of its own beneath every seam.
    'output.gap_filler.enabled': 'false',
  };
  const { threshold, dropLight } = rest;
  const color = ink ? 'grayOnWhite' : settings.colorMode === 'grayscale' ? 'gray' : 'asIs';
  return {
    fields,
    picture: { color, ...(threshold !== undefined && { threshold }), ...(dropLight && { dropLight }) },
  };
}

const drawStyles = { fill: 'fill_shapes', stroke: 'stroke_shapes', edges: 'stroke_edges' } as const;
const BLACK_INK = '#000000';

/** Returns a palette that draws the dark half in the ink and drops the light half. 1.0 divides them in the middle. */
const toOneInk = (ink: string): string => `#000000 -> ${ink} ~ 1.0; #FFFFFF -> #00000000 ~ 1.0;`;

/** Returns a palette entry that draws similar colors in `paint`; `#00000000` deletes them. */
const toPaletteEntry = ({ color, paint }: { color: string; paint: string | null }): string =>
  `${color} -> ${paint ?? '#00000000'} ~ 0.05;`;

/** Returns fields for lines a pixel wide, as the built-in engine draws them, that scale with the drawing. */
const strokeFields = (color: string | undefined) => ({
  'output.strokes.non_scaling_stroke': 'false',
  'output.strokes.stroke_width': '1',
  'output.strokes.use_override_color': String(color !== undefined),
  ...(color && { 'output.strokes.override_color': color }),
});

const MOST_AREA_PX = 100;

/** Returns the speck area, in px², that the built-in engine drops at this setting, capped at the service's maximum. */
function leastAreaPx(despeckle: number, width: number, height: number): number {
  if (despeckle === 0) return 0;
  const side = despeckle * Math.max(1, Math.max(width, height) / 1024);
  return Math.min(MOST_AREA_PX, Math.max(1, side * side));
}

/** Returns the line tolerance in px: the service's default, scaled by the built-in engine's factors. */
function lineTolerancePx(simplify: number, quality: 'fine' | 'coarse' | 'draft'): number {
  const factor = simplify < 0.5 ? 0.4 ** (1 - 2 * simplify) : 8 ** (2 * simplify - 1);
  return Math.min(1, DEFAULT_TOLERANCE_PX * factor * { fine: 2 / 3, coarse: 2, draft: 4 }[quality]);
}
const DEFAULT_TOLERANCE_PX = 0.1;

const toNumber = (value: number): string => String(Math.round(value * 1000) / 1000);
