/** The place, size and angle of any element, to read and to change. */
import { type Command, type Composition, DESIGN_SIZE, findElement, TEXT_HEIGHT_INCHES } from '@markwright/scene';
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

/** Returns the least and the largest size of an element. */
export const sizeLimits = (elementId: ElementId): { readonly min: number; readonly max: number } =>
  isTextId(elementId) ? TEXT_HEIGHT_INCHES : DESIGN_SIZE;

export function placementCommand(elementId: ElementId, { size, ...rest }: Partial<Placement>): Command {
  if (!isTextId(elementId)) {
    return { type: 'updateDesign', changes: size === undefined ? rest : { ...rest, size } };
  }
  const id = elementId.slice('text:'.length);
  return { type: 'updateText', id, changes: size === undefined ? rest : { ...rest, heightInches: size } };
}

const isTextId = (elementId: ElementId) => elementId.startsWith('text:');
