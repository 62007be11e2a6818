/** Defaults and limits of the settings of a trace. */

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

/** The same for the settings of a quick preview. */
export const PREVIEW_DEFAULTS = { paletteSize: 2, despeckle: 0, cutout: false, mode: 'preview' } as const;

/** The most colors a trace can have, and so the most edits of its palette. */
export const MAX_PALETTE_EDITS = 256;
