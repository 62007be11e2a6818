/** How the product's words for a trace are put into the tracer's: the same for the server's files and the browser's preview. */
import { BLACK, STAINLESS } from '@markwright/scene';
import type { VectorizeSettings } from './designs.ts';

/**
 * Every trace, for the screen or for a machine, is made from this many pixels at most, so that all find the same shapes.
 * The tracer places a boundary to a fraction of a pixel: on a 60 mm design that is finer than a laser's beam.
 */
export const MAX_TRACE_PIXELS = 2_500_000;

/** The specification's figures for a production file; what a preview leaves open is traced the same way. */
export const PRODUCTION_PALETTE_SIZE = 64;
export const PRODUCTION_DESPECKLE = 1;

const qualities = { high: 'fine', medium: 'standard', low: 'draft' } as const;

const draws = { fill_shapes: 'fill', stroke_shapes: 'stroke', stroke_edges: 'edges' } as const;

const inks = {
  black: { colorMode: 'monochrome', ink: BLACK.toLowerCase() },
  stainless: { colorMode: 'monochrome', ink: STAINLESS.toLowerCase() },
  grayscale: { colorMode: 'grayscale' },
  color: { colorMode: 'color' },
} as const;

/** Whether a color mode leaves nothing for a palette or a gradient to say. */
export const isOneInk = (colorMode: VectorizeSettings['colorMode']): boolean =>
  colorMode === 'black' || colorMode === 'stainless';

/** The settings a trace for the screen is made with: the finest curves are kept for the production file, which is charged. */
export function onScreen(settings: VectorizeSettings): VectorizeSettings {
  return { ...settings, quality: settings.quality === 'high' ? 'medium' : settings.quality, mode: 'preview' };
}

/** The tracer's options for these settings. Every field is set, so equal options are equal objects. */
export function toVectorizerOptions(settings: VectorizeSettings) {
  const prints = settings.machineType === 'uv' || settings.machineType === 'sublimation';
  const draw = settings.laserMode === 'outline' ? ('outline' as const) : draws[settings.drawStyle];
  return {
    maxColors: settings.paletteSize ?? PRODUCTION_PALETTE_SIZE,
    ...inks[settings.colorMode],
    dropBackground: settings.cutout ?? false,
    despeckle: settings.despeckle ?? PRODUCTION_DESPECKLE,
    stacking: settings.shapeStacking,
    draw,
    gradients: settings.gradients && prints && draw === 'fill' && !isOneInk(settings.colorMode),
    simplify: settings.simplify / 100,
    groupBy: settings.groupBy,
    quality: qualities[settings.quality],
  };
}
