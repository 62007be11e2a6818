/**
 * Elements as text for the system's clipboard. A text that comes back is checked like a stored composition: anybody may
 * have written it.
 */
import {
  type Command,
  type Composition,
  emptyComposition,
  parseComposition,
  saveComposition,
  type TextElement,
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
  const texts = composition.texts.filter(({ id }) => elementIds.includes(`text:${id}`));
  if (texts.length === 0) return undefined;
  return JSON.stringify({ kind: KIND, composition: saveComposition({ ...emptyComposition, texts }) });
}

/** Returns the elements in a text of the clipboard; undefined when it is any other text. */
export function readElements(text: string): readonly TextElement[] | undefined {
  if (text.length > MAX_CHARACTERS || !text.startsWith(PREFIX)) return undefined;
  try {
    const { texts } = parseComposition((JSON.parse(text) as { composition: unknown }).composition);
    return texts.length > 0 ? texts : undefined;
  } catch {
    return undefined;
  }
}

/** Per cent of the machine area between a pasted element and one in the same place. */
const ASIDE = 3;

/** Returns the command that adds copied elements under new ids: where they were, or aside when one is there already. */
export function pasteCommand(composition: Composition, copies: readonly TextElement[]): Command {
  let aside = 0;
  const isTaken = ({ x, y, text }: TextElement) =>
    composition.texts.some((other) => other.text === text && other.x === x + aside && other.y === y + aside);
  while (aside < 10 * ASIDE && copies.some(isTaken)) aside += ASIDE;
  return {
    type: 'several',
    commands: copies.map((text) => ({
      type: 'addText',
      element: {
        ...text,
        id: newId(),
        x: text.x + aside,
        y: text.y + aside,
        color: toMachineColor(composition.machine, text.color),
        isLocked: false,
        isHidden: false,
      },
    })),
  };
}
