/** Maps keys to actions. Pure: the listener decides where an action applies. */
import {
  type Alignment,
  type Axis,
  alignCommand,
  applyCommand,
  type Command,
  type Composition,
  copyElementId,
  distributeCommand,
  elementIdOf,
  findElement,
  moveCommand,
  placeCommand,
  reorderCommand,
  textElementId,
} from '@markwright/scene';
import { arrangeIcons } from './arrangeIcons.ts';
import {
  type Editor,
  type EditorState,
  type ElementId,
  elementIds,
  findText,
  type Selection,
  stepZoom,
  ZOOM,
} from './editor.ts';
import { newId } from './ids.ts';
import { nudgeMachineArea } from './machineArea.ts';

/** A pressed key, as in the DOM's `KeyboardEvent`. */
export interface Key {
  readonly key: string;
  /** The physical key: with Alt some keyboards write another letter. */
  readonly code?: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export type Action =
  /** `isRepeatable`: a held key repeats it within one undo step. */
  | { readonly kind: 'command'; readonly command: Command; readonly isRepeatable: boolean }
  | { readonly kind: 'zoom'; readonly zoom: number }
  /** Fits the product into the stage, or shows it at its true size. */
  | { readonly kind: 'view'; readonly to: 'fit' | 'trueSize' }
  /** Puts the selected elements on the system's clipboard, or adds those on it. */
  | { readonly kind: 'clipboard'; readonly act: 'copy' | 'cut' | 'paste' }
  /** Keeps the selected elements in the library of the host. */
  | { readonly kind: 'saveToLibrary' }
  /** Opens the context menu of the selected elements. */
  | { readonly kind: 'openMenu' }
  | { readonly kind: 'select'; readonly selection: Selection }
  | { readonly kind: 'selectElements'; readonly elementIds: readonly ElementId[] }
  /** Puts the caret into the words of a text. */
  | { readonly kind: 'editText'; readonly id: string }
  /** Toggles the comparison of before and after, or the nodes of the paths. */
  | { readonly kind: 'viewOption'; readonly at: 'compare' | 'nodes' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  /** Cancels the running gesture, or else leads from a member to its group, or else clears the selection. */
  | { readonly kind: 'escape' };

/** Steps of the arrow keys, in percent of the machine area; `large` is with Shift. */
export const NUDGE = { small: 1, large: 5 } as const;

/** The direction of each arrow key on the screen: x to the right, y down. */
export const arrowKeys: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Returns the action of a key for undo, redo and zoom, which work wherever the focus is, except in a text field. `zoom`
 * is the present one; 1 fits the product into the stage.
 */
export function globalAction(key: Key, zoom: number): Action | undefined {
  if (!(key.ctrlKey || key.metaKey) || key.altKey) return undefined;
  switch (key.key.toLowerCase()) {
    case 'z':
      return { kind: key.shiftKey ? 'redo' : 'undo' };
    case 'y':
      return { kind: 'redo' };
    case '+':
    case '=':
      return { kind: 'zoom', zoom: stepZoom(zoom, zoom + ZOOM.keyboard.step, ZOOM.keyboard) };
    case '-':
    case '_':
      return { kind: 'zoom', zoom: stepZoom(zoom, zoom - ZOOM.keyboard.step, ZOOM.keyboard) };
    case '0':
      return { kind: 'zoom', zoom: 1 };
  }
  return undefined;
}

/** The state that keys act on. */
export type KeyContext = Pick<
  EditorState,
  'composition' | 'scene' | 'assets' | 'selection' | 'selectedIds' | 'alignTo'
> &
  Partial<Pick<EditorState, 'limits'>>;

/** Returns the action of a key while the stage has the focus. Tab leaves the stage after the last element. */
export function stageAction(key: Key, context: KeyContext): Action | undefined {
  const { composition, selection, selectedIds, assets } = context;
  if (key.key === 'ContextMenu' || (key.key === 'F10' && key.shiftKey)) return { kind: 'openMenu' };
  const common = elementAction(key, context);
  if (common) return common;
  if (key.ctrlKey || key.metaKey || key.altKey) return undefined;
  if (key.key === 'Escape') return { kind: 'escape' };
  if (key.key === 'Tab') return stepSelection(context, key.shiftKey ? -1 : 1);
  if (key.key === '\\') return { kind: 'viewOption', at: 'compare' };
  if (key.key === 'n' || key.key === 'N') return { kind: 'viewOption', at: 'nodes' };
  if (selection === undefined) return undefined;

  const arrow = arrowKeys[key.key];
  const step = key.shiftKey ? NUDGE.large : NUDGE.small;
  if (selection === 'machineArea') {
    if (!arrow || !assets.product) return undefined;
    const command = nudgeMachineArea(composition, assets.product, arrow[0] * step, arrow[1] * step);
    return { kind: 'command', command, isRepeatable: true };
  }
  const movable = withoutLocked(composition, selectedIds);
  if (movable.length === 0) return undefined;
  if (arrow) {
    const command = moveCommand(composition, movable, arrow[0] * step, arrow[1] * step);
    return { kind: 'command', command, isRepeatable: true };
  }
  switch (key.key) {
    case '[':
    case ']':
      return rotateAction(composition, movable, key.key === ']' ? 1 : -1);
    case 'r':
    case 'R':
      return commandAction(movable.map((elementId) => ({ type: 'rotate90', elementId })));
  }
  return undefined;
}

/** Changes of the z-order, with their keys. */
export const orderSteps = [
  { to: 'forward', icon: arrangeIcons.forward, label: 'Bring forward', shortcut: 'Ctrl ]' },
  { to: 'backward', icon: arrangeIcons.backward, label: 'Send backward', shortcut: 'Ctrl [' },
  { to: 'front', icon: arrangeIcons.toFront, label: 'Bring to front', shortcut: 'Ctrl ⇧ ]' },
  { to: 'back', icon: arrangeIcons.toBack, label: 'Send to back', shortcut: 'Ctrl ⇧ [' },
] as const;

/** Alignments, with their keys. */
export const alignments = [
  { alignment: 'left', icon: arrangeIcons.toLeft, label: 'Align left', letter: 'A' },
  { alignment: 'center', icon: arrangeIcons.toCenter, label: 'Align centers', letter: 'H' },
  { alignment: 'right', icon: arrangeIcons.toRight, label: 'Align right', letter: 'D' },
  { alignment: 'top', icon: arrangeIcons.toTop, label: 'Align top', letter: 'W' },
  { alignment: 'middle', icon: arrangeIcons.toMiddle, label: 'Align middles', letter: 'V' },
  { alignment: 'bottom', icon: 'toBottom', label: 'Align bottom', letter: 'S' },
] as const satisfies readonly { readonly alignment: Alignment; readonly [name: string]: string }[];

/** Distributions with equal gaps; their keys are pressed with Alt and Shift. */
export const distributions = [
  { axis: 'x', icon: arrangeIcons.spreadAcross, label: 'Distribute horizontally', letter: 'H' },
  { axis: 'y', icon: arrangeIcons.spreadDown, label: 'Distribute vertically', letter: 'V' },
] as const satisfies readonly { readonly axis: Axis; readonly [name: string]: string }[];

/**
 * Returns the action of a key for the selected elements, wherever they are selected: on the stage or in the list.
 * Locked elements are neither moved nor removed by a key.
 */
export function elementAction(key: Key, context: KeyContext): Action | undefined {
  const { composition, selection, selectedIds } = context;
  const hasControl = key.ctrlKey || key.metaKey;
  if (hasControl && !key.altKey && !key.shiftKey && key.key.toLowerCase() === 'a') {
    const all = visibleIds(composition);
    return all.length > 0 ? { kind: 'selectElements', elementIds: all } : undefined;
  }
  if (selectedIds.length === 0) return undefined;
  if (key.altKey) return hasControl ? undefined : alignAction(key, context);
  if (hasControl) {
    switch (key.key) {
      // With shift most keyboards give the brace.
      case ']':
      case '}':
        return commandAction([reorderCommand(composition, selectedIds, key.shiftKey ? 'front' : 'forward')]);
      case '[':
      case '{':
        return commandAction([reorderCommand(composition, selectedIds, key.shiftKey ? 'back' : 'backward')]);
      case 'd':
      case 'D':
        return commandAction(duplicateCommands(selectedIds));
      case 'g':
      case 'G':
        return commandAction(
          key.shiftKey ? ungroupCommands(composition, selectedIds) : groupCommands(composition, selectedIds),
        );
    }
    return undefined;
  }
  switch (key.key) {
    case 'Enter': {
      const text = findText(composition, selection);
      return text && !text.isLocked ? { kind: 'editText', id: text.id } : undefined;
    }
    case 'Delete':
    case 'Backspace':
      return commandAction(withoutLocked(composition, selectedIds).map(removeCommand));
    case 'l':
    case 'L':
      return commandAction(lockCommands(composition, selectedIds));
    case 'h':
    case 'H':
      return commandAction(hideCommands(composition, selectedIds));
  }
  return undefined;
}

/** Returns the reference of an alignment: the machine area for one element, `alignTo` for several. */
export const alignToOf = ({ selectedIds, alignTo }: Pick<EditorState, 'selectedIds' | 'alignTo'>) =>
  selectedIds.length > 1 ? alignTo : 'area';

function alignAction(key: Key, context: KeyContext): Action | undefined {
  const { composition, scene, selectedIds } = context;
  const letter = (/^[a-z]$/i.test(key.key) ? key.key : (key.code?.replace('Key', '') ?? '')).toUpperCase();
  const to = alignToOf(context);
  if (key.shiftKey) {
    const distribution = distributions.find((each) => each.letter === letter);
    return distribution && commandAction([distributeCommand(composition, scene, selectedIds, distribution.axis, to)]);
  }
  const alignment = alignments.find((each) => each.letter === letter)?.alignment;
  return alignment && commandAction([alignCommand(composition, scene, selectedIds, alignment, to)]);
}

/** Returns the commands that lock all elements, or unlock all when all are locked. */
export function lockCommands(composition: Composition, elementIds: readonly ElementId[]): Command[] {
  const isLocked = !elementIds.every((id) => findElement(composition, id)?.isLocked);
  return elementIds.map((elementId) => ({ type: 'setLocked', elementId, isLocked }));
}

/** Returns the commands that hide all elements, or show all when all are hidden. */
export function hideCommands(composition: Composition, elementIds: readonly ElementId[]): Command[] {
  const isHidden = !elementIds.every((id) => findElement(composition, id)?.isHidden);
  return elementIds.map((elementId) => ({ type: 'setHidden', elementId, isHidden }));
}

/** Returns the command that makes the elements one group; none where they are one already, or fewer than two. */
export function groupCommands(composition: Composition, elementIds: readonly ElementId[]): Command[] {
  const command: Command = { type: 'group', elementIds, groupId: newId() };
  return applyCommand(composition, command) === composition ? [] : [command];
}

/** Returns the commands that dissolve the groups of the elements. */
export function ungroupCommands(composition: Composition, elementIds: readonly ElementId[]): Command[] {
  const groupIds = elementIds.flatMap((id) => findElement(composition, id)?.groupId ?? []);
  return [...new Set(groupIds)].map((groupId) => ({ type: 'ungroup', groupId }));
}

/** Returns the command that copies elements. */
export const duplicateCommands = (elementIds: readonly ElementId[]): Command[] =>
  elementIds.length === 0
    ? []
    : [{ type: 'duplicate', copies: elementIds.map((elementId) => ({ elementId, newId: newId() })) }];

/** Applies a command to the selected elements; copies are selected in place of their originals. */
export function dispatchAndChoose(editor: Editor, command: Command): void {
  editor.dispatch(command);
  const ids = elementIds(editor.getState().composition);
  const copies = copiesOf(command).filter((id) => ids.includes(id));
  if (copies.length > 0) editor.selectElements(copies);
}

function copiesOf(command: Command): readonly ElementId[] {
  if (command.type === 'several') return command.commands.flatMap(copiesOf);
  if (command.type === 'addText') return [textElementId(command.element.id)];
  if (command.type === 'addElements') return command.elements.map(elementIdOf);
  if (command.type !== 'duplicate') return [];
  return command.copies.map(({ elementId, newId }) => copyElementId(elementId, newId));
}

/** Returns the command that copies elements where they are, to be dragged away, and the ids of the copies. */
export function copyInPlace(
  composition: Composition,
  elementIds: readonly ElementId[],
): { readonly command: Command; readonly copyIds: readonly ElementId[] } | undefined {
  const copies = withoutLocked(composition, elementIds).map((elementId) => ({ elementId, newId: newId() }));
  if (copies.length === 0) return undefined;
  const command: Command = { type: 'duplicate', copies, offset: 0 };
  return { command, copyIds: copiesOf(command) };
}

/** Removes the selected elements that are not locked. */
export function removeUnlocked(editor: Editor): void {
  const { composition, selectedIds } = editor.getState();
  editor.dispatch({ type: 'several', commands: withoutLocked(composition, selectedIds).map(removeCommand) });
}

export const removeCommand = (elementId: ElementId): Command => ({ type: 'remove', elementId });

/** Returns the elements that are not hidden. */
export const visibleIds = (composition: Composition) =>
  elementIds(composition).filter((id) => !findElement(composition, id)?.isHidden);

const withoutLocked = (composition: Composition, ids: readonly ElementId[]) =>
  ids.filter((id) => findElement(composition, id)?.isLocked === false);

/** Returns one undo step for several commands; undefined when there are none. */
function commandAction(commands: readonly Command[]): Action | undefined {
  const [command, ...others] = commands;
  if (!command) return undefined;
  return { kind: 'command', command: others.length > 0 ? { type: 'several', commands } : command, isRepeatable: false };
}

function rotateAction(composition: Composition, ids: readonly ElementId[], byDeg: number): Action {
  const commands = ids.map((elementId): Command => {
    const element = findElement(composition, elementId)!;
    const changes = { angleDeg: (element.angleDeg + byDeg + 360) % 360 };
    return placeCommand(elementId, changes);
  });
  return { kind: 'command', command: { type: 'several', commands }, isRepeatable: true };
}

function stepSelection({ composition, selection, limits }: KeyContext, step: 1 | -1): Action | undefined {
  const ids = visibleIds(composition).filter((id) => limits?.maySelect(id) ?? true);
  const at = ids.indexOf(selection as ElementId);
  if (at < 0) {
    const first = step === 1 ? ids[0] : ids.at(-1);
    return first && selection === undefined ? { kind: 'select', selection: first } : undefined;
  }
  const next = ids[at + step];
  return next ? { kind: 'select', selection: next } : undefined;
}
