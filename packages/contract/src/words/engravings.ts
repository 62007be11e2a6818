/** Limits of an engraved picture and of tone curves, and the stages of making an engraving. */

/** The width that a picture is engraved at. */
export const ENGRAVE_WIDTH_MM = { min: 0.1, max: 10_000 } as const;

/** The stages in order. A stored engraving has none. */
export const ENGRAVE_STAGES = ['read', 'tones', 'dots'] as const;
export type EngraveStage = (typeof ENGRAVE_STAGES)[number];

export const isEngraveStage = (value: unknown): value is EngraveStage =>
  ENGRAVE_STAGES.some((stage) => stage === value);

/**
 * A tone curve: a number for each step of the test card, up to the levels of a scan with 16 bits. And how a test card
 * is made where nobody says it.
 */
export const TONE_CURVE = {
  steps: 20,
  min: 0,
  max: 65_535,
  cardIntervalMm: 0.1,
  cardMethod: 'floyd-steinberg',
} as const;
