/** The place, size and angle of any element, to read and to change. */
import {
  type Command,
  type Composition,
  DESIGN_SIZE,
  findElement,
  isArtworkId,
  ownIdOf,
  TEXT_HEIGHT_INCHES,
} from '@markwright/scene';
import type { ElementId } from '../document/editor.ts';

export interface Placement {
  /** Per cent of the machine area. */
  readonly x: number;
  readonly y: number;
  readonly angleDeg: number;
  /** Design: per cent. Text: inches. */
  readonly size: number;
}

export function readPlacement(composition: Composition, elementId: ElementId): Placement | undefined {
  const element = findElement(composition, elementId);
  if (!element) return undefined;
  const { x, y, angleDeg } = element;
  return { x, y, angleDeg, size: 'size' in element ? element.size : element.heightInches };
}

/** Returns the least and the largest size that a person gives an element. One that lies beyond already may stay. */
export function sizeLimits(elementId: ElementId, size: number): { readonly min: number; readonly max: number } {
  const { min, max } = isArtworkId(elementId) ? DESIGN_SIZE : TEXT_HEIGHT_INCHES;
  return { min: Math.min(min, size), max: Math.max(max, size) };
}

export function placementCommand(elementId: ElementId, { size, ...rest }: Partial<Placement>): Command {
  const id = ownIdOf(elementId);
  if (isArtworkId(elementId)) {
    return { type: 'updateDesign', id, changes: size === undefined ? rest : { ...rest, size } };
  }
  return { type: 'updateText', id, changes: size === undefined ? rest : { ...rest, heightInches: size } };
}
