/**
 * How the product's words for a trace are put into the tracer's: the same for the server's files and the browser's
 * preview.
 */
import { BLACK, type FractionRect, STAINLESS } from '@markwright/scene';
import type { VectorizeSettings } from './schemas/designs.ts';

/**
 * Every trace, for the screen or for a machine, is made from this many pixels at most, so that all find the same
 * shapes. The tracer places a boundary to a fraction of a pixel: on a 60 mm design that is finer than a laser's beam.
 */
export const MAX_TRACE_PIXELS = 2_500_000;

/** Who traces: the built-in engine, or a service that is paid for each picture. */
export type VectorizerMode = 'free' | 'paid';

/** Between two requests of one caller to the vectorizer, in milliseconds. */
export const VECTORIZER_PACE_MS: Readonly<Record<VectorizerMode, number>> = { free: 2000, paid: 100 };

/** The specification's figures for a production file; what a preview leaves open is traced the same way. */
export const PRODUCTION_PALETTE_SIZE = 64;
export const PRODUCTION_DESPECKLE = 1;

const qualities = { high: 'fine', medium: 'standard', low: 'draft' } as const;

const draws = {
  fill_shapes: 'fill',
  stroke_shapes: 'stroke',
  stroke_edges: 'edges',
  centerline: 'centerline',
} as const;

/**
 * A laser follows the middle of a line once, whatever the pen was. Of the picture's longer side: about a pixel of a
 * usual one, and in a small part of it still a line rather than a bar to be filled.
 */
const LASER_LINE = 1 / 1000;

/** A crop leaves at least so many of the pixels a trace is made from, each way. */
export const MIN_CROP_PX = 8;

interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** How many pixels a trace of a picture of this size is made from. */
export function toTraceSize({ width, height }: PixelSize): PixelSize {
  const scale = Math.sqrt(MAX_TRACE_PIXELS / (width * height));
  if (scale >= 1) return { width, height };
  const side = (length: number) => Math.max(1, Math.floor(length * scale));
  return { width: side(width), height: side(height) };
}

/** The whole pixels a crop takes of a picture of this size: never none, never beyond it. */
export function toPixelBox(crop: FractionRect, { width, height }: PixelSize) {
  const span = (from: number, length: number, side: number): [number, number] => {
    const start = Math.min(side - 1, Math.round(from * side));
    return [start, Math.max(1, Math.min(side, Math.round((from + length) * side)) - start)];
  };
  const [x, across] = span(crop.x, crop.width, width);
  const [y, down] = span(crop.y, crop.height, height);
  return { x, y, width: across, height: down };
}

/**
 * What is done to a picture's pixels before they are traced. Fields that change nothing are left out, so equal ways are
 * equal objects.
 */
export interface PictureChanges {
  readonly crop?: FractionRect;
  readonly brightness?: number;
  readonly contrast?: number;
}

/** Undefined when the picture is traced as it is. */
export function toPictureChanges(
  settings: Pick<VectorizeSettings, 'crop' | 'brightness' | 'contrast'>,
): PictureChanges | undefined {
  const { crop, brightness, contrast } = settings;
  const isWhole = !crop || (crop.x === 0 && crop.y === 0 && crop.width === 1 && crop.height === 1);
  const changes = {
    ...(!isWhole && { crop }),
    ...(brightness !== 0 && { brightness }),
    ...(contrast !== 0 && { contrast }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

const inks = {
  black: { colorMode: 'monochrome', ink: BLACK.toLowerCase() },
  stainless: { colorMode: 'monochrome', ink: STAINLESS.toLowerCase() },
  grayscale: { colorMode: 'grayscale' },
  color: { colorMode: 'color' },
} as const;

/** Whether a color mode leaves nothing for a palette or a gradient to say. */
export const isOneInk = (colorMode: VectorizeSettings['colorMode']): boolean =>
  colorMode === 'black' || colorMode === 'stainless';

/**
 * The settings a trace for the screen is made with: the finest curves are kept for the production file, which is
 * charged.
 */
export function onScreen(settings: VectorizeSettings): VectorizeSettings {
  return { ...settings, quality: settings.quality === 'high' ? 'medium' : settings.quality, mode: 'preview' };
}

/** The same for a picture of this size, as the tracer takes it. */
export function toAdjustments(changes: PictureChanges | undefined, size: PixelSize) {
  const { crop, ...levels } = changes ?? {};
  return { ...(crop && { box: toPixelBox(crop, size) }), ...levels };
}

/** The tracer's options for these settings. What says nothing is not there, so equal options are equal objects. */
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
    ...(settings.threshold !== undefined && isOneInk(settings.colorMode) && { threshold: settings.threshold }),
    ...(draw !== 'fill' && !prints && { lineWidth: LASER_LINE }),
    ...(settings.palette?.length && !isOneInk(settings.colorMode) ? { repaint: settings.palette } : {}),
  };
}
