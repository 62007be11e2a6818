/** Levels of sRGB and the light that they stand for (IEC 61966-2-1). */

/** Steps of the table from light back to levels: fine enough that each level finds itself, also among the darkest. */
const LIGHT_STEPS = 8192;

/** Returns the light, 0..1, of a level of sRGB, 0..1. */
export function lightOf(level: number): number {
  return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
}

/** Returns the level of sRGB, 0..1, of a light, 0..1. */
export function levelOf(light: number): number {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
}

/** The light of each level, 0..1. */
export const lightOfLevel: Float32Array = Float32Array.from({ length: 256 }, (_, level) => lightOf(level / 255));

const levels: Uint8Array = Uint8Array.from({ length: LIGHT_STEPS + 1 }, (_, step) =>
  Math.round(255 * levelOf(step / LIGHT_STEPS)),
);

/** Returns the level, 0..255, that is nearest to a light. Light outside of 0..1 is clamped. */
export function levelOfLight(light: number): number {
  if (light <= 0) return 0;
  return light >= 1 ? 255 : levels[(light * LIGHT_STEPS + 0.5) | 0];
}
