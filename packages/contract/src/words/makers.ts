/** Limits of a local maker's page and of a message to a maker. Lengths are in characters. */
export const MAKER_LIMITS = {
  name: 80,
  about: 1_200,
  materials: 20,
  material: 40,
  photos: 6,
  turnaroundDays: 90,
  message: 3_000,
  designLink: 500,
} as const;

/** The distances from a place that a search offers. No distance means anywhere. */
export const MAKER_DISTANCES_KM = [25, 50, 100, 250] as const;
