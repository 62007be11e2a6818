/** The entries of the stage's context menu, for what is selected. Pure. */
import type { IconName } from '@markwright/controls';
import { alignCommand, type Command, distributeCommand, findElement, reorderCommand } from '@markwright/scene';
import { type ElementId, findText } from './editor.ts';
import { fitTextCommand } from './fitText.ts';
import { newId } from './ids.ts';
import {
  type Action,
  alignments,
  alignToOf,
  distributions,
  duplicateCommands,
  hideCommands,
  type KeyContext,
  lockCommands,
  orderSteps,
  removeCommand,
  visibleIds,
} from './keymap.ts';
import { LIBRARY_ICON } from './libraryIcon.ts';

export interface MenuItem {
  readonly kind: 'item';
  readonly label: string;
  readonly action: Action;
  readonly icon?: IconName | undefined;
  readonly shortcut?: string | undefined;
}

export type MenuEntry =
  | MenuItem
  | { readonly kind: 'submenu'; readonly label: string; readonly items: readonly MenuItem[] }
  | { readonly kind: 'divider' };

const divider: MenuEntry = { kind: 'divider' };

/** What the host of the stage offers. */
interface MenuHost {
  readonly hasLibrary?: boolean;
}

/** Returns the entries for the selected elements, or for the empty stage. */
export function stageMenu(context: KeyContext, host: MenuHost = {}): readonly MenuEntry[] {
  return context.selectedIds.length > 0 ? elementEntries(context, host) : emptyEntries(context);
}

function emptyEntries({ composition }: KeyContext): readonly MenuEntry[] {
  const all = visibleIds(composition);
  return [
    pasteItem,
    ...(all.length > 0
      ? [item('Select all', { kind: 'selectElements', elementIds: all }, { shortcut: 'Ctrl A' })]
      : []),
    divider,
    item('Fit the product', { kind: 'view', to: 'fit' }, { shortcut: 'Ctrl 0' }),
    item('True size, 1:1', { kind: 'view', to: 'trueSize' }),
  ];
}

function elementEntries(context: KeyContext, { hasLibrary }: MenuHost): readonly MenuEntry[] {
  const { composition, scene, selectedIds } = context;
  const movable = selectedIds.filter((id) => findElement(composition, id)?.isLocked === false);
  const areAll = (name: 'isLocked' | 'isHidden') => selectedIds.every((id) => findElement(composition, id)?.[name]);
  const copies = duplicateCommands(selectedIds);
  const isAnyDrawn = scene.groups.some(({ elementId }) => selectedIds.includes(elementId));
  return [
    ...textEntries(context),
    ...(copies.length > 0
      ? [
          item('Copy', { kind: 'clipboard', act: 'copy' }, { shortcut: 'Ctrl C' }),
          ...(movable.length > 0 ? [item('Cut', { kind: 'clipboard', act: 'cut' }, { shortcut: 'Ctrl X' })] : []),
        ]
      : []),
    pasteItem,
    ...(copies.length > 0 ? [commands('Duplicate', copies, { icon: 'duplicate', shortcut: 'Ctrl D' })] : []),
    ...(hasLibrary && isAnyDrawn ? [item('Save to library', { kind: 'saveToLibrary' }, { icon: LIBRARY_ICON })] : []),
    divider,
    submenu(
      'Order',
      orderSteps.map(({ to, icon, label, shortcut }) =>
        commands(label, [reorderCommand(composition, selectedIds, to)], { icon, shortcut }),
      ),
    ),
    ...(movable.length > 0 ? [submenu('Align', alignItems(context, movable))] : []),
    divider,
    ...(movable.length > 0
      ? [
          commands('Rotate 90°', each(movable, 'rotate90'), { icon: 'rotate', shortcut: 'R' }),
          commands('Flip', each(movable, 'flip'), { icon: 'flip' }),
          divider,
        ]
      : []),
    ...groupItems(context),
    commands(areAll('isLocked') ? 'Unlock' : 'Lock', lockCommands(composition, selectedIds), {
      icon: 'lock',
      shortcut: 'L',
    }),
    ...(isAnyDrawn ? [commands('Hide', hideCommands(composition, selectedIds), { icon: 'eye', shortcut: 'H' })] : []),
    ...(movable.length > 0
      ? [divider, commands('Delete', movable.map(removeCommand), { icon: 'trash', shortcut: 'Del' })]
      : []),
  ];
}

/** Several elements that are not one group can become one; a group can be dissolved. */
function groupItems({ composition, selectedIds }: KeyContext): readonly MenuItem[] {
  const groupIds = new Set(selectedIds.map((id) => findElement(composition, id)?.groupId));
  const [groupId, ...others] = groupIds;
  if (groupId !== undefined && others.length === 0) {
    return [commands('Ungroup', [{ type: 'ungroup', groupId }], { shortcut: 'Ctrl ⇧ G' })];
  }
  if (selectedIds.length < 2) return [];
  return [commands('Group', [{ type: 'group', elementIds: selectedIds, groupId: newId() }], { shortcut: 'Ctrl G' })];
}

function textEntries(context: KeyContext): readonly MenuEntry[] {
  const { composition, selection, selectedIds } = context;
  const text = selectedIds.length === 1 ? findText(composition, selection) : undefined;
  if (!text || text.isLocked) return [];
  const fit = fitTextCommand(context, `text:${text.id}`);
  return [
    item('Edit text', { kind: 'editText', id: text.id }, { icon: 'pencil', shortcut: 'Enter' }),
    ...(fit ? [commands(text.circle ? 'Fit to arc' : 'Fit to area', [fit])] : []),
    divider,
  ];
}

function alignItems(context: KeyContext, movable: readonly ElementId[]): readonly MenuItem[] {
  const { composition, scene, selectedIds } = context;
  const to = alignToOf(context);
  return [
    ...alignments.map(({ alignment, icon, label, letter }) =>
      commands(label, [alignCommand(composition, scene, selectedIds, alignment, to)], {
        icon,
        shortcut: `Alt ${letter}`,
      }),
    ),
    ...(movable.length > 2
      ? distributions.map(({ axis, icon, label, letter }) =>
          commands(label, [distributeCommand(composition, scene, selectedIds, axis, to)], {
            icon,
            shortcut: `Alt ⇧ ${letter}`,
          }),
        )
      : []),
  ];
}

const each = (elementIds: readonly ElementId[], type: 'rotate90' | 'flip'): Command[] =>
  elementIds.map((elementId) => ({ type, elementId }));

type Look = Pick<MenuItem, 'icon' | 'shortcut'>;

const item = (label: string, action: Action, look: Look = {}): MenuItem => ({ kind: 'item', label, action, ...look });

const commands = (label: string, list: readonly Command[], look: Look = {}): MenuItem =>
  item(label, { kind: 'command', command: { type: 'several', commands: list }, isRepeatable: false }, look);

const submenu = (label: string, items: readonly MenuItem[]): MenuEntry => ({ kind: 'submenu', label, items });

const pasteItem = item('Paste', { kind: 'clipboard', act: 'paste' }, { shortcut: 'Ctrl V' });
