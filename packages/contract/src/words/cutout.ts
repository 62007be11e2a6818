/** Limits of a cut-out and the stages of making one. */

/** The most brush strokes one cut-out may have. */
export const MAX_STROKES = 300;
/** The most points all its strokes may have together. */
export const MAX_STROKE_POINTS = 6000;
/** Outwards and inwards, in thousandths of the picture's longer side. */
export const MAX_EDGE_SHIFT = 5;
/** In thousandths of the picture's longer side. */
export const MAX_FEATHER = 10;
/** Radius of the brush, in longer sides of the picture. */
export const BRUSH_RADIUS = { min: 0.002, max: 0.1 } as const;

/**
 * The stages of removing a background, in order. A cut-out that is cached has none, and flat art skips the stages of
 * the neural network.
 */
export const CUTOUT_STAGES = ['reading', 'looking', 'refining', 'writing'] as const;
export type CutoutStage = (typeof CUTOUT_STAGES)[number];

export const isCutoutStage = (value: unknown): value is CutoutStage => CUTOUT_STAGES.some((stage) => stage === value);
