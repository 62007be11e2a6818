/** From a key to what it means. Pure; who listens decides where it applies. */
import { type Command, type Composition, findElement, isDesign, type ProductAsset } from '@markwright/scene';
import { type ElementId, elementIds, findText, type Selection, ZOOM } from './editor.ts';
import { nudgeMachineArea } from './machineArea.ts';

export interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export type Action =
  /** `isRepeatable`: a held key repeats it within one undo step. */
  | { readonly kind: 'command'; readonly command: Command; readonly isRepeatable: boolean }
  | { readonly kind: 'zoom'; readonly zoom: number }
  | { readonly kind: 'select'; readonly selection: Selection }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  /** Gives up the running gesture, or else the selection. */
  | { readonly kind: 'escape' };

export const NUDGE = { small: 1, large: 5 } as const;

const arrows: Record<string, readonly [dx: number, dy: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Undo, redo and zoom: they work wherever the focus is, except in a text field. */
export function globalAction(key: Key, zoom: number): Action | undefined {
  if (!(key.ctrlKey || key.metaKey) || key.altKey) return undefined;
  switch (key.key.toLowerCase()) {
    case 'z':
      return { kind: key.shiftKey ? 'redo' : 'undo' };
    case 'y':
      return { kind: 'redo' };
    case '+':
    case '=':
      return { kind: 'zoom', zoom: zoom + ZOOM.keyboard.step };
    case '-':
    case '_':
      return { kind: 'zoom', zoom: zoom - ZOOM.keyboard.step };
    case '0':
      return { kind: 'zoom', zoom: 1 };
  }
  return undefined;
}

/**
 * What a key does while the stage has the focus. Tab leaves the stage after the last element. Without a `product` the
 * machine area cannot be moved.
 */
export function stageAction(
  key: Key,
  composition: Composition,
  selection: Selection,
  product?: ProductAsset,
): Action | undefined {
  const common = selection && selection !== 'machineArea' && elementAction(key, composition, selection);
  if (common) return common;
  if (key.ctrlKey || key.metaKey || key.altKey) return undefined;
  if (key.key === 'Escape') return { kind: 'escape' };
  if (key.key === 'Tab') return tab(composition, selection, key.shiftKey ? -1 : 1);
  if (selection === undefined) return undefined;

  const arrow = arrows[key.key];
  const step = key.shiftKey ? NUDGE.large : NUDGE.small;
  if (selection === 'machineArea') {
    if (!arrow || !product) return undefined;
    const command = nudgeMachineArea(composition, product, arrow[0] * step, arrow[1] * step);
    return { kind: 'command', command, isRepeatable: true };
  }
  if (findElement(composition, selection)?.isLocked) return undefined;
  if (arrow) {
    const command = { type: 'nudge', elementId: selection, dx: arrow[0] * step, dy: arrow[1] * step } as const;
    return { kind: 'command', command, isRepeatable: true };
  }
  switch (key.key) {
    case '[':
    case ']':
      return turn(composition, selection, key.key === ']' ? 1 : -1);
    case 'r':
    case 'R':
      return { kind: 'command', command: { type: 'rotate90', elementId: selection }, isRepeatable: false };
  }
  return undefined;
}

/** Ways to lie over and under the others, with their keys. */
export const orderSteps = [
  { to: 'forward', icon: 'forward', label: 'Bring forward', shortcut: 'Ctrl ]' },
  { to: 'backward', icon: 'backward', label: 'Send backward', shortcut: 'Ctrl [' },
  { to: 'front', icon: 'toFront', label: 'Bring to front', shortcut: 'Ctrl ⇧ ]' },
  { to: 'back', icon: 'toBack', label: 'Send to back', shortcut: 'Ctrl ⇧ [' },
] as const;

/**
 * What a key does with an element wherever it is chosen, on the stage or in the list. A locked element is not taken away
 * by a key.
 */
export function elementAction(key: Key, composition: Composition, elementId: ElementId): Action | undefined {
  const element = findElement(composition, elementId);
  if (!element || key.altKey) return undefined;
  const act = (command: Command): Action => ({ kind: 'command', command, isRepeatable: false });
  if (key.ctrlKey || key.metaKey) {
    switch (key.key) {
      // With shift most keyboards give the brace.
      case ']':
      case '}':
        return act({ type: 'reorder', elementId, to: key.shiftKey ? 'front' : 'forward' });
      case '[':
      case '{':
        return act({ type: 'reorder', elementId, to: key.shiftKey ? 'back' : 'backward' });
      case 'd':
      case 'D':
        if (isDesign(element)) return undefined;
        return act({ type: 'duplicateText', id: element.id, newId: crypto.randomUUID() });
    }
    return undefined;
  }
  switch (key.key) {
    case 'Delete':
    case 'Backspace':
      return element.isLocked ? undefined : act(removeCommand(elementId));
    case 'l':
    case 'L':
      return act({ type: 'setLocked', elementId, isLocked: !element.isLocked });
    case 'h':
    case 'H':
      return act({ type: 'setHidden', elementId, isHidden: !element.isHidden });
  }
  return undefined;
}

export function removeCommand(selection: Exclude<Selection, undefined | 'machineArea'>): Command {
  return selection === 'design'
    ? { type: 'removeDesign' }
    : { type: 'removeText', id: selection.slice('text:'.length) };
}

function turn(composition: Composition, selection: Selection, byDeg: number): Action | undefined {
  const text = findText(composition, selection);
  const angleDeg = (text ?? composition.design)?.angleDeg;
  if (angleDeg === undefined) return undefined;
  const changes = { angleDeg: (angleDeg + byDeg + 360) % 360 };
  const command: Command = text ? { type: 'updateText', id: text.id, changes } : { type: 'updateDesign', changes };
  return { kind: 'command', command, isRepeatable: true };
}

function tab(composition: Composition, selection: Selection, step: 1 | -1): Action | undefined {
  const ids = elementIds(composition).filter((id) => !findElement(composition, id)?.isHidden);
  const at = ids.indexOf(selection as ElementId);
  if (at < 0) {
    const first = step === 1 ? ids[0] : ids.at(-1);
    return first && selection === undefined ? { kind: 'select', selection: first } : undefined;
  }
  const next = ids[at + step];
  return next ? { kind: 'select', selection: next } : undefined;
}
