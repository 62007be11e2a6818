/** The place, size and angle of any element, to read and to change. */
import {
  CODE_SIZE_MM,
  type Composition,
  DESIGN_SIZE,
  findElement,
  kindOfId,
  SHAPE_SIZE_MM,
  sizeOf,
  TEXT_HEIGHT_INCHES,
} from '@markwright/scene';
import type { ElementId } from '../document/editor.ts';

export interface Placement {
  /** Per cent of the machine area. */
  readonly x: number;
  readonly y: number;
  readonly angleDeg: number;
  /** As `sizeOf` has it. */
  readonly size: number;
}

export function readPlacement(composition: Composition, elementId: ElementId): Placement | undefined {
  const element = findElement(composition, elementId);
  if (!element) return undefined;
  const { x, y, angleDeg } = element;
  return { x, y, angleDeg, size: sizeOf(element).value };
}

/** Returns the least and the largest size that a person gives an element. One that lies beyond already may stay. */
export function sizeLimits(elementId: ElementId, size: number): { readonly min: number; readonly max: number } {
  const { min, max } = ranges[kindOfId(elementId)];
  return { min: Math.min(min, size), max: Math.max(max, size) };
}

const ranges = { artwork: DESIGN_SIZE, text: TEXT_HEIGHT_INCHES, code: CODE_SIZE_MM, shape: SHAPE_SIZE_MM } as const;
