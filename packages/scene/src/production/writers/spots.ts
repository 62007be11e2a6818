/** Spot colors: the names by which a shop's printer knows its white ink, its varnish and its knife. */
import type { Cmyk } from './pdfPaint.ts';

/** The plates that are spot colors. */
export type SpotPlate = 'white' | 'gloss' | 'cut' | 'score';

/** A name drives the printer, with its exact case. */
export type SpotNames = Readonly<Record<SpotPlate, string>>;

/** By the program that reads the file. Mimaki's and others have no fixed names: an operator maps them by hand. */
export const SPOT_PRESETS = {
  generic: { white: 'White', gloss: 'Gloss', cut: 'CutContour', score: 'PerfCutContour' },
  versaWorks: { white: 'RDG_WHITE', gloss: 'RDG_GLOSS', cut: 'CutContour', score: 'PerfCutContour' },
  customGateway: { white: 'Spot Colour White', gloss: 'Gloss', cut: 'CutContour', score: 'PerfCutContour' },
} as const satisfies Record<string, SpotNames>;
export type SpotPreset = keyof typeof SPOT_PRESETS;

/** What a program without that ink shows instead. */
export const SPOT_LOOKS: Readonly<Record<SpotPlate, Cmyk>> = {
  white: [0.25, 0.25, 0.25, 0.25],
  gloss: [0.5, 0.25, 0.25, 0],
  cut: [0, 1, 0, 0],
  score: [0, 0.5, 1, 0],
};
