/** The limits of each machine, which the preflight checks against. */
import type { MachineMode } from '../document/composition.ts';

/** The smallest sizes that a machine makes well. Lengths in mm, resolution in pixels per inch. */
export interface MachineLimits {
  readonly lineMm: number;
  readonly gapMm: number;
  /** Least gap between two lines that are cut; undefined for a machine that cuts nothing. */
  readonly cutGapMm: number | undefined;
  /** Height of a capital letter. */
  readonly capMm: number;
  /** For a picture that is printed or engraved without a trace. */
  readonly pictureDpi: { readonly good: number; readonly least: number };
  /** For the picture of a trace: its outlines stay sharp, but lack what the picture did not show. */
  readonly tracedDpi: number;
}

/**
 * Defaults, from what shops and makers of machines publish. Laser: engraved lines from 0.2 mm, letters from 2 mm
 * (lasercutco.com), 0.5 mm between cuts (cutlasercut.com), 300 dpi as the eye resolves (GRAPHICS PRO, Nov 2020). UV:
 * 0.25 mm of ink and 0.35 mm left free. Sublimation: 300 dpi, and 150 as the floor that print services accept
 * (Printful, madprints.ca). DTF: 0.4 mm of ink, 0.7 mm left free and letters of 6 pt, or the powder does not hold them
 * (sumotransfers.com, dtfmichigan.com). Line and gap widths of the two printers are the trade's rules of thumb.
 */
export const machineLimits: Readonly<Record<MachineMode, MachineLimits>> = {
  laser: {
    lineMm: 0.2,
    gapMm: 0.25,
    cutGapMm: 0.5,
    capMm: 2,
    pictureDpi: { good: 300, least: 150 },
    tracedDpi: 100,
  },
  uv: {
    lineMm: 0.25,
    gapMm: 0.35,
    cutGapMm: undefined,
    capMm: 1.5,
    pictureDpi: { good: 300, least: 150 },
    tracedDpi: 100,
  },
  sublimation: {
    lineMm: 0.25,
    gapMm: 0.3,
    cutGapMm: undefined,
    capMm: 1.5,
    pictureDpi: { good: 300, least: 150 },
    tracedDpi: 100,
  },
  dtf: {
    lineMm: 0.4,
    gapMm: 0.7,
    cutGapMm: undefined,
    capMm: 1.6,
    pictureDpi: { good: 300, least: 150 },
    tracedDpi: 100,
  },
};
