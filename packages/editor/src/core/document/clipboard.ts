/**
 * Elements as text for the system's clipboard. A text that comes back is checked like a stored composition: anybody may
 * have written it.
 */
import {
  type Command,
  type Composition,
  type CompositionElement,
  elementIdOf,
  emptyComposition,
  isArtwork,
  isShape,
  isText,
  parseComposition,
  saveComposition,
  toMachineColor,
} from '@markwright/scene';
import type { ElementId } from './editor.ts';
import { newId } from './ids.ts';

/** Says what the text is, to programs and to people who paste it elsewhere. */
const KIND = 'markwright elements';
const PREFIX = `{"kind":"${KIND}",`;
/** More than the elements of any composition take. */
const MAX_CHARACTERS = 200_000;

/** Returns the selected elements as text; undefined when none of them can be copied. */
export function writeElements(composition: Composition, elementIds: readonly ElementId[]): string | undefined {
  const elements = composition.elements.filter((element) => elementIds.includes(elementIdOf(element)));
  if (elements.length === 0) return undefined;
  return JSON.stringify({ kind: KIND, composition: saveComposition({ ...emptyComposition, elements }) });
}

/** Returns the elements in a text of the clipboard; undefined when it is any other text. */
export function readElements(text: string): readonly CompositionElement[] | undefined {
  if (text.length > MAX_CHARACTERS || !text.startsWith(PREFIX)) return undefined;
  try {
    const { elements } = parseComposition((JSON.parse(text) as { composition: unknown }).composition);
    return elements.length > 0 ? elements : undefined;
  } catch {
    return undefined;
  }
}

/** Per cent of the machine area between a pasted element and one in the same place. */
const ASIDE = 3;

/** Returns the command that adds copied elements under new ids: where they were, or aside when one is there already. */
export function pasteCommand(composition: Composition, copies: readonly CompositionElement[]): Command {
  let aside = 0;
  const isTaken = (copy: CompositionElement) =>
    composition.elements.some(
      (other) => contentOf(other) === contentOf(copy) && other.x === copy.x + aside && other.y === copy.y + aside,
    );
  while (aside < 10 * ASIDE && copies.some(isTaken)) aside += ASIDE;
  const groupIds = new Map(copies.map(({ groupId }) => [groupId, newId()]));
  return {
    type: 'addElements',
    elements: copies.map((copy) => ({
      ...copy,
      ...(!isArtwork(copy) && { color: toMachineColor(composition.machine, copy.color) }),
      ...(copy.groupId !== undefined && { groupId: groupIds.get(copy.groupId)! }),
      id: newId(),
      x: copy.x + aside,
      y: copy.y + aside,
      isLocked: false,
      isHidden: false,
    })),
  };
}

function contentOf(element: CompositionElement): string {
  if (isArtwork(element)) return element.designId;
  if (isText(element)) return element.text;
  return isShape(element) ? `${element.form} ${element.widthMm}` : element.data;
}
