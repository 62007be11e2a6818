/** Formats sizes and places as people read them. */
import { boxAround, inkBounds, kindOfId, OUTSIDE_MM, type Scene, type SceneGroup } from '@markwright/scene';
import type { Unit } from './editor.ts';
import { MM_PER_INCH } from './inches.ts';

export { MM_PER_INCH };

/** Converts millimeters to the unit that is shown. */
export const toUnit = (mm: number, unit: Unit): number => (unit === 'in' ? mm / MM_PER_INCH : mm);
/** Converts a length in the unit that is shown to millimeters. */
export const fromUnit = (value: number, unit: Unit): number => (unit === 'in' ? value * MM_PER_INCH : value);

/** Formats a length in tenths of a millimeter or hundredths of an inch, without the unit: `42.1`, `1.66`. */
export function formatLength(mm: number, unit: Unit): string {
  const text = toUnit(mm, unit).toFixed(unit === 'in' ? 2 : 1);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** Formats a size in mm in the unit that is shown: `42.1 × 30.0 mm`. */
export function formatSize(size: { width: number; height: number }, unit: Unit): string {
  return `${formatLength(size.width, unit)} × ${formatLength(size.height, unit)} ${unit}`;
}

/** Returns the size of the upright box around elements, in mm; undefined when none of them is visible. */
export function commonSize(scene: Scene, elementIds: readonly string[]): { width: number; height: number } | undefined {
  const box = boxAround(scene.groups.filter(({ elementId }) => elementIds.includes(elementId)));
  return box && { width: box.right - box.left, height: box.bottom - box.top };
}

/** Returns the place of the middle of an element's ink from that of the machine area, in mm; x to the right, y down. */
export function offsetMm(scene: Scene, group: SceneGroup): { x: number; y: number } {
  const [a, , c] = group.corners;
  return { x: (a.x + c.x - scene.widthMm) / 2, y: (a.y + c.y - scene.heightMm) / 2 };
}

/**
 * Describes an element by its kind, name, size and place from the center: `Design logo.png, 42.1 × 30.0 mm at 0, 0`.
 */
export function describeElement(scene: Scene, group: SceneGroup, unit: Unit): string {
  const { x, y } = offsetMm(scene, group);
  const at = `${trim(formatLength(x, unit))}, ${trim(formatLength(y, unit))}`;
  const kind = kindNames[kindOfId(group.elementId)];
  const name = group.label.startsWith(kind) ? group.label : `${kind} ${group.label}`;
  return `${name}, ${formatSize(group.sizeMm, unit)} at ${at}`;
}

const kindNames = { artwork: 'Design', text: 'Text', code: 'Code', shape: 'Shape' } as const;

/** True when ink lies outside the machine area by more than preflight allows. */
export function reachesOutside(scene: Scene, group: SceneGroup): boolean {
  const ink = inkBounds(group, scene.machine);
  if (!ink) return false;
  const past = Math.max(-ink.left, -ink.top, ink.right - scene.widthMm, ink.bottom - scene.heightMm);
  return past > OUTSIDE_MM;
}

const trim = (text: string) => text.replace(/\.0+$/, '');
