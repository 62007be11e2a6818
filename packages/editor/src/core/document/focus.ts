/** What of a round blank a laser without a rotary has in focus. */
import type { MachineMode, ProductAsset } from '@markwright/scene';
import { arcInFocusMm } from '@markwright/scene/surface';
import type { Unit } from './editor.ts';
import { toUnit } from './measure.ts';

/** How far below its focus a laser still marks where the blank does not say it, mm: that of usual 2 inch lenses. */
const FOCUS_MM = 2;

/** Returns the sentence that says how wide the arc in focus is; undefined for a flat blank and for printers. */
export function sayFocus(machine: MachineMode, product: ProductAsset | undefined, unit: Unit): string | undefined {
  const surface = product?.surface;
  if (machine !== 'laser' || !surface || surface.kind === 'flat') return undefined;
  const depthMm = surface.focusMm ?? FOCUS_MM;
  const length = (mm: number) => `${toUnit(mm, unit).toFixed(unit === 'in' ? 2 : 1)} ${unit}`;
  return `Without a rotary, ${length(arcInFocusMm(surface, depthMm))} across the front lie within ${length(depthMm)} of the focus.`;
}
