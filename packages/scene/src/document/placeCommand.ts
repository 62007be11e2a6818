/** The command that places an element, whatever its kind is. */
import type { Command } from './commands.ts';
import { type ElementId, kindOfId, ownIdOf } from './elements.ts';

export interface PlaceChanges {
  /** Percent of the machine area. */
  readonly x?: number;
  readonly y?: number;
  readonly angleDeg?: number;
  readonly isFlipped?: boolean;
  /** As `sizeOf` has it. */
  readonly size?: number;
}

/** Returns the command that changes place and size of the element of an id. */
export function placeCommand(elementId: ElementId, { size, ...place }: PlaceChanges): Command {
  const id = ownIdOf(elementId);
  const withSize = <K extends string>(name: K) =>
    (size === undefined ? place : { ...place, [name]: size }) as typeof place & Partial<Record<K, number>>;
  switch (kindOfId(elementId)) {
    case 'artwork':
      return { type: 'updateDesign', id, changes: withSize('size') };
    case 'text':
      return { type: 'placeText', id, changes: withSize('heightInches') };
    default:
      return { type: 'placeFigure', elementId, changes: withSize('widthMm') };
  }
}
