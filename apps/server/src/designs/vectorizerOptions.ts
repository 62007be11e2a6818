import type { VectorizeSettings } from '@markwright/contract';
import { BLACK, STAINLESS } from '@markwright/scene';
import type { TraceOptions } from '../media/jobs.ts';

/** The specification's figures for a production file; what a preview leaves open is traced the same way. */
const PALETTE_SIZE = 64;
const DESPECKLE = 1;

const qualities = { high: 'fine', medium: 'standard', low: 'draft' } as const;

const inks = {
  black: { colorMode: 'monochrome', ink: BLACK.toLowerCase() },
  stainless: { colorMode: 'monochrome', ink: STAINLESS.toLowerCase() },
  grayscale: { colorMode: 'grayscale' },
  color: { colorMode: 'color' },
} as const;

/** Puts the product's words for a trace into the tracer's. Every field is set, so equal options are equal objects. */
export function toVectorizerOptions(settings: VectorizeSettings): TraceOptions {
  const isOutline = settings.laserMode === 'outline' || settings.drawStyle === 'stroke_shapes';
  return {
    maxColors: settings.paletteSize ?? PALETTE_SIZE,
    ...inks[settings.colorMode],
    dropBackground: settings.cutout ?? false,
    despeckle: settings.despeckle ?? DESPECKLE,
    stacking: settings.shapeStacking,
    draw: isOutline ? 'stroke' : 'fill',
    groupBy: settings.groupBy,
    quality: qualities[settings.quality],
  };
}
