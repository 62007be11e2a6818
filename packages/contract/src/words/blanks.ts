/** Limits of what a blank may be, and what does not fit round it. */
import { circumferenceMm, type PlacedSurface, wallOf } from '@markwright/scene/surface';
import { parseDimensions } from './products.ts';

/** Lengths in mm: from a pen to a drum. */
export const BLANK_LIMITS = {
  diameterMm: { min: 3, max: 1000 },
  heightMm: { min: 1, max: 2000 },
  middleMm: { min: 0, max: 2000 },
  axisMm: { min: -500, max: 500 },
  arcMm: { min: 1, max: 3142 },
  focusMm: { min: 0.05, max: 50 },
  radiusMm: { min: 0.1, max: 1000 },
  keepOuts: 20,
  pathLength: 20_000,
  colors: 60,
  sizes: 40,
  labelLength: 60,
} as const;

/**
 * Returns why a print area does not fit round a surface, as a sentence; undefined where it does. `dimensions` are `WxH`
 * in inches.
 */
export function findMisfit(surface: PlacedSurface, dimensions: string): string | undefined {
  const wall = wallOf(surface);
  if (!wall) return undefined;
  const { widthInches, heightInches } = parseDimensions(dimensions);
  const isLevel = surface.kind !== 'flat' && surface.axis === 'level';
  const [roundInches, alongInches] = isLevel ? [heightInches, widthInches] : [widthInches, heightInches];
  const widthMm = roundInches * 25.4;
  const round = circumferenceMm(wall);
  if (widthMm > round + 0.05) {
    return (
      `A print area ${widthMm.toFixed(1)} mm ${isLevel ? 'high' : 'wide'} does not fit round this ${surface.kind}: ` +
      `it is ${round.toFixed(1)} mm round.`
    );
  }
  const halfMm = (alongInches * 25.4) / 2;
  const leastRadius = wall.radiusMm - Math.abs(wall.slope) * halfMm;
  if (leastRadius > 0) return undefined;
  return `A print area ${(2 * halfMm).toFixed(1)} mm ${isLevel ? 'wide' : 'high'} reaches beyond the tip of this cone.`;
}
