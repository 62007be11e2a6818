/** Defaults and limits of the settings of a trace, and the stages of making one. */

/** Each setting of a trace that a request leaves out has this value. Settings that are not listed have none. */
export const VECTORIZE_DEFAULTS = {
  quality: 'medium',
  colorMode: 'black',
  drawStyle: 'fill_shapes',
  shapeStacking: 'cutouts',
  groupBy: 'color',
  laserMode: 'detailed',
  mode: 'preview',
  gradients: true,
  simplify: 50,
  brightness: 0,
  contrast: 0,
} as const;

/**
 * The choices for light and material in a camera's picture of a drawing: taken out where the picture is found to be
 * one, taken out always, or kept.
 */
export const LIGHT_CHOICES = ['automatic', 'out', 'kept'] as const;
export type LightChoice = (typeof LIGHT_CHOICES)[number];

/** The pitch of a halftone, the size of a stipple's dot, and the angle, where none is chosen. */
export const HALFTONE_DEFAULTS = { pitchMm: 0.8, stippleMm: 0.4, angleDeg: 22.5 } as const;
/** The width and the beam of a halftone where no machine says them. */
export const HALFTONE_TRACE_DEFAULTS = { widthMm: 100, beamMm: 0.1 } as const;
/** The width of a halftone. */
export const HALFTONE_WIDTH_MM = { min: 1, max: 10_000 } as const;

/** The same for the settings of a quick preview. */
export const PREVIEW_DEFAULTS = { paletteSize: 2, despeckle: 0, cutout: false, mode: 'preview' } as const;

/** The most colors a trace can have, and so the most edits of its palette. */
export const MAX_PALETTE_EDITS = 256;

/**
 * The stages of a trace in order, as the vectorizer reports them. A stored trace has none, and some kinds of trace skip
 * some.
 */
export const TRACE_STAGES = ['read', 'noise', 'colors', 'regions', 'boundary', 'curves', 'refine', 'stack'] as const;
export type TraceStage = (typeof TRACE_STAGES)[number];

export const isTraceStage = (value: unknown): value is TraceStage => TRACE_STAGES.some((stage) => stage === value);
