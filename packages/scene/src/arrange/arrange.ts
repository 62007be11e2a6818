/**
 * Aligns, distributes, moves and reorders several elements. Pure functions that return commands with the computed
 * offsets. A locked element stays where it is. An element that is hidden or waits for its font has no box and is left
 * alone.
 */
import type { Command, OrderStep } from '../document/commands.ts';
import type { Composition } from '../document/composition.ts';
import { elementIdOf, findElement, toZOrder } from '../document/elements.ts';
import { OFFSET_LIMIT } from '../document/limits.ts';
import type { Scene, SceneGroup } from '../resolve/scene.ts';

/** An upright rectangle in scene mm. */
export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Axis = 'x' | 'y';

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';

/** The frame to align to: the machine area, or the box around all selected elements. */
export type AlignTo = 'area' | 'each other';

/** Returns the upright box around elements, rotated or not, in scene mm; undefined for an empty list. */
export function boxAround(groups: readonly Pick<SceneGroup, 'corners'>[]): Bounds | undefined {
  if (groups.length === 0) return undefined;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { corners } of groups) {
    for (const { x, y } of corners) {
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x);
      bottom = Math.max(bottom, y);
    }
  }
  return { left, top, right, bottom };
}

/** Returns where a box begins and ends along an axis, in scene mm. */
export const extent = ({ left, top, right, bottom }: Bounds, axis: Axis): readonly [from: number, to: number] =>
  axis === 'x' ? [left, right] : [top, bottom];

/**
 * Moves elements by `dx` and `dy` percent of the machine area's width and height. The move is shortened to what every
 * element can follow, so that the elements keep their distances at the edge.
 */
export function moveCommand(composition: Composition, elementIds: readonly string[], dx: number, dy: number): Command {
  const movableIds = withoutLocked(composition, elementIds);
  const clampShift = (by: number, axis: Axis) =>
    movableIds.reduce((shift, id) => {
      const at = findElement(composition, id)![axis];
      return Math.min(OFFSET_LIMIT - at, Math.max(-OFFSET_LIMIT - at, shift));
    }, by);
  return several(movableIds, { x: clampShift(dx, 'x'), y: clampShift(dy, 'y') });
}

/** Places the ink of an element in the middle of the machine area. */
export function centerCommand(scene: Scene, elementId: string): Command {
  const center: Command = { type: 'center', elementId };
  const group = scene.groups.find((candidate) => candidate.elementId === elementId);
  if (!group?.lineBox) return center;
  const [a, , c] = group.corners;
  const [lineA, , lineC] = group.lineBox.corners;
  const dx = ((lineA.x + lineC.x - a.x - c.x) / 2 / scene.widthMm) * 100;
  const dy = ((lineA.y + lineC.y - a.y - c.y) / 2 / scene.heightMm) * 100;
  return { type: 'several', commands: [center, { type: 'nudge', elementId, dx, dy }] };
}

/** Aligns the same edge, or the middle, of every element on one line. */
export function alignCommand(
  composition: Composition,
  scene: Scene,
  elementIds: readonly string[],
  alignment: Alignment,
  to: AlignTo,
): Command {
  const axis = alignment === 'left' || alignment === 'center' || alignment === 'right' ? 'x' : 'y';
  const share = { left: 0, top: 0, center: 0.5, middle: 0.5, right: 1, bottom: 1 }[alignment];
  const boxes = findBoxes(scene, elementIds);
  const frame = frameOf(scene, boxes, axis, to);
  const at = ([from, end]: readonly [number, number]) => from + (end - from) * share;
  const ids = new Set(withoutLocked(composition, elementIds));
  return {
    type: 'several',
    commands: boxes
      .filter(({ id }) => ids.has(id))
      .map(({ id, box }) => shift(scene, id, axis, at(frame) - at(extent(box, axis)))),
  };
}

/**
 * Distributes elements with equal gaps, ordered by their middles. Among each other, the outer two stay. In the machine
 * area, the outer two go to its edges. Gaps are negative when there is too little room.
 */
export function distributeCommand(
  composition: Composition,
  scene: Scene,
  elementIds: readonly string[],
  axis: Axis,
  to: AlignTo,
): Command {
  const boxes = findBoxes(scene, withoutLocked(composition, elementIds));
  if (boxes.length < minToDistribute(to)) return { type: 'several', commands: [] };
  const middle = (box: Bounds) => extent(box, axis)[0] + extent(box, axis)[1];
  const row = boxes.toSorted((a, b) => middle(a.box) - middle(b.box));
  const [from, end] =
    to === 'area' ? frameOf(scene, boxes, axis, to) : [extent(row[0]!.box, axis)[0], extent(row.at(-1)!.box, axis)[1]];
  const totalLength = row.reduce((sum, { box }) => sum + length(extent(box, axis)), 0);
  const gap = (end - from - totalLength) / (row.length - 1);
  let next = from;
  const commands = row.map(({ id, box }) => {
    const by = next - extent(box, axis)[0];
    next += length(extent(box, axis)) + gap;
    return shift(scene, id, axis, by);
  });
  return { type: 'several', commands };
}

/** Returns the least number of elements that can be distributed. */
export const minToDistribute = (to: AlignTo): number => (to === 'area' ? 2 : 3);

/**
 * Changes the z-order of elements. Among themselves they keep their order. A group moves as one, past other groups as a
 * whole; some of its members alone move within it.
 */
export function reorderCommand(composition: Composition, elementIds: readonly string[], to: OrderStep): Command {
  const ids = new Set(elementIds);
  const units = toUnits(composition, ids);
  const isChosen = (unit: readonly string[]) => unit.some((id) => ids.has(id));
  if (to === 'front' || to === 'back') {
    const [movingUnits, others] = [units.filter(isChosen), units.filter((unit) => !isChosen(unit))];
    return toZOrderCommand(composition, to === 'front' ? [...others, ...movingUnits] : [...movingUnits, ...others]);
  }
  const isUp = to === 'forward';
  const next = isUp ? units.toReversed() : [...units];
  // Starts at the end they move to: each one passes its neighbor, unless that is a selected one that could not move.
  for (let i = 1; i < next.length; i++) {
    const [ahead, unit] = [next[i - 1]!, next[i]!];
    if (isChosen(unit) && !isChosen(ahead)) [next[i - 1], next[i]] = [unit, ahead];
  }
  return toZOrderCommand(composition, isUp ? next.reverse() : next);
}

/**
 * Moves elements above the lowest `index` elements of the z-order; the moved ones count too. Where that is in a group
 * of others, or outside of the group whose members are moved alone, they go to the nearest place that is not.
 */
export function placeInOrder(composition: Composition, elementIds: readonly string[], index: number): Command {
  const order = toZOrder(composition);
  const ids = new Set<string>(elementIds);
  const at = toDropIndex(composition, elementIds, index);
  const isOther = (id: string) => !ids.has(id);
  const chosenInOrder = order.filter((id) => ids.has(id));
  return {
    type: 'setZOrder',
    elementIds: [...order.slice(0, at).filter(isOther), ...chosenInOrder, ...order.slice(at).filter(isOther)],
  };
}

/** Returns the number of elements above which elements may be placed, nearest to `index`. */
export function toDropIndex(composition: Composition, elementIds: readonly string[], index: number): number {
  const { elements } = composition;
  const groupId = loneGroupOf(composition, elementIds);
  const spanOf = (id: string | undefined): readonly [from: number, to: number] => [
    elements.findIndex((element) => element.groupId === id),
    elements.findLastIndex((element) => element.groupId === id) + 1,
  ];
  if (groupId !== undefined) {
    const [from, to] = spanOf(groupId);
    return Math.min(to, Math.max(from, index));
  }
  const [below, above] = [elements[index - 1], elements[index]];
  if (!below?.groupId || below.groupId !== above?.groupId) return index;
  const [from, to] = spanOf(below.groupId);
  return index - from <= to - index ? from : to;
}

/** Returns the group that all of the elements are in, when they are not all of it. */
export function loneGroupOf({ elements }: Composition, elementIds: readonly string[]): string | undefined {
  const ids = new Set(elementIds);
  const members = elements.filter((element) => ids.has(elementIdOf(element)));
  const groupId = members[0]?.groupId;
  const isOne = groupId !== undefined && members.every((element) => element.groupId === groupId);
  return isOne && elements.some((element) => element.groupId === groupId && !members.includes(element))
    ? groupId
    : undefined;
}

/**
 * Returns what changes places: whole groups and single elements; or the members of a group, when only some of them are
 * chosen.
 */
function toUnits(composition: Composition, ids: ReadonlySet<string>): string[][] {
  const { elements } = composition;
  const groupId = loneGroupOf(composition, [...ids]);
  const isWithinGroup = groupId !== undefined;
  const list = isWithinGroup ? elements.filter((element) => element.groupId === groupId) : elements;
  const units: string[][] = [];
  list.forEach((element, index) => {
    const isSameGroup = element.groupId !== undefined && element.groupId === list[index - 1]?.groupId;
    if (isSameGroup && !isWithinGroup) units.at(-1)!.push(elementIdOf(element));
    else units.push([elementIdOf(element)]);
  });
  return units;
}

/** Returns the command that brings elements into the order of the units. Elements in none of them stay in place. */
function toZOrderCommand(composition: Composition, units: readonly (readonly string[])[]): Command {
  const next = units.flat();
  const moving = new Set(next);
  const elementIds = toZOrder(composition).map((id) => (moving.has(id) ? next.shift()! : id));
  return { type: 'setZOrder', elementIds };
}

const withoutLocked = (composition: Composition, elementIds: readonly string[]) =>
  elementIds.filter((id) => findElement(composition, id)?.isLocked === false);

const findBoxes = (scene: Scene, elementIds: readonly string[]) =>
  scene.groups
    .filter(({ elementId }) => elementIds.includes(elementId))
    .map((group) => ({ id: group.elementId, box: boxAround([group])! }));

function frameOf(scene: Scene, boxes: readonly { readonly box: Bounds }[], axis: Axis, to: AlignTo) {
  if (to === 'area') return [0, axis === 'x' ? scene.widthMm : scene.heightMm] as const;
  const ends = boxes.map(({ box }) => extent(box, axis));
  return [Math.min(...ends.map(([from]) => from)), Math.max(...ends.map(([, end]) => end))] as const;
}

const length = ([from, end]: readonly [number, number]) => end - from;

function shift(scene: Scene, elementId: string, axis: Axis, byMm: number): Command {
  const dx = axis === 'x' ? (byMm / scene.widthMm) * 100 : 0;
  const dy = axis === 'y' ? (byMm / scene.heightMm) * 100 : 0;
  return { type: 'nudge', elementId, dx, dy };
}

const several = (elementIds: readonly string[], { x: dx, y: dy }: { x: number; y: number }): Command => ({
  type: 'several',
  commands: elementIds.map((elementId) => ({ type: 'nudge', elementId, dx, dy })),
});
