/**
 * Elements on their way into the library of a host and out of it. They are kept around the middle of a machine area,
 * with its size: so they have the same size in millimeters in another one. Pure.
 */
import {
  type AreaMm,
  type ArtworkElement,
  boxAround,
  type Command,
  type Composition,
  type CompositionElement,
  elementIdOf,
  emptyComposition,
  isArtwork,
  isText,
  MAX_NAME_LENGTH,
  multiply,
  OFFSET_LIMIT,
  type Scene,
  sizeRange,
  toElementName,
  toGroupName,
  translate,
  trueSizeOf,
} from '@markwright/scene';
import { pasteCommand } from './clipboard.ts';
import type { EditorState } from './editor.ts';

/** Elements with the machine area that their percentages refer to. */
export interface SavedElements {
  readonly composition: Composition;
  readonly area: AreaMm;
}

/** What a host's library gets to keep. */
export interface ElementsToSave extends SavedElements {
  /** A name for them, of at most `MAX_NAME_LENGTH` characters. */
  readonly name: string;
  /** The box around them. */
  readonly widthMm: number;
  readonly heightMm: number;
  /** Them alone, without a product: as large as their box, with some room around. */
  readonly scene: Scene;
}

/** The share of the longer side that is free around elements in their picture. */
const ROOM_AROUND = 0.06;

/** Returns the selected elements, as far as they are drawn; undefined when none is. */
export function elementsToSave({
  composition,
  settledScene: scene,
  selectedIds,
}: Pick<EditorState, 'composition' | 'settledScene' | 'selectedIds'>): ElementsToSave | undefined {
  const groups = scene.groups.filter(({ elementId }) => selectedIds.includes(elementId));
  const box = boxAround(groups);
  if (!box) return undefined;
  const [widthMm, heightMm] = [box.right - box.left, box.bottom - box.top];
  const dx = 50 - (50 * (box.left + box.right)) / scene.widthMm;
  const dy = 50 - (50 * (box.top + box.bottom)) / scene.heightMm;
  const drawnIds = new Set(groups.map(({ elementId }) => elementId));
  const elements = composition.elements
    .filter((element) => drawnIds.has(elementIdOf(element)))
    .map((element) => ({ ...element, x: toOffset(element.x + dx), y: toOffset(element.y + dy), isLocked: false }));

  const margin = ROOM_AROUND * Math.max(widthMm, heightMm);
  const shift = { x: margin - box.left, y: margin - box.top };
  return {
    composition: { ...emptyComposition, machine: composition.machine, elements },
    area: { widthMm: scene.widthMm, heightMm: scene.heightMm },
    name: nameOf(composition, elements),
    widthMm,
    heightMm,
    scene: {
      machine: scene.machine,
      widthMm: widthMm + 2 * margin,
      heightMm: heightMm + 2 * margin,
      backdrop: undefined,
      groups: groups.map((group) => ({ ...group, matrix: multiply(translate(shift.x, shift.y), group.matrix) })),
    },
  };
}

/** Returns the name of the only element or group, or those of all elements. A file is called without its ending. */
function nameOf(composition: Composition, elements: readonly CompositionElement[]): string {
  const groupIds = new Set(elements.map(({ groupId }) => groupId));
  const [groupId] = groupIds;
  const groupName = elements.find((element) => element.groupName)?.groupName;
  if (groupIds.size === 1 && groupId !== undefined && groupName) return toGroupName(composition, groupId);
  const names = elements.map((element) =>
    isArtwork(element) && element.name === ''
      ? toElementName(element).replace(/(?<=.)\.[a-z0-9]{2,5}$/i, '')
      : toElementName(element),
  );
  const name = [...new Set(names)]
    .join(', ')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/\p{Cs}$/u, '')
    .trim();
  // A text may consist of spaces that nobody sees.
  return name || 'Elements';
}

export interface Placing {
  /** Adds the elements as one step. `dispatchAndChoose` selects them. */
  readonly command: Command;
  /** Less than 1 where their middles have no place in the machine area at their true size. */
  readonly scale: number;
}

/**
 * Returns how saved elements get into a composition: in the middle of its machine area, at the size that they had, or
 * aside of the same ones. Elements that lie too far apart for the area become smaller together.
 */
export function placeSaved(
  composition: Composition,
  { widthMm, heightMm }: AreaMm,
  { area: before, composition: { elements } }: SavedElements,
): Placing {
  const [acrossX, acrossY] = [before.widthMm / widthMm, before.heightMm / heightMm];
  const reach = Math.max(...elements.flatMap(({ x, y }) => [Math.abs(x * acrossX), Math.abs(y * acrossY)]));
  const scale = reach > OFFSET_LIMIT ? OFFSET_LIMIT / reach : 1;
  const copies = elements.map((element) => ({
    ...withSize(element, { before, after: { widthMm, heightMm }, scale }),
    x: toOffset(element.x * acrossX * scale),
    y: toOffset(element.y * acrossY * scale),
  }));
  return { command: pasteCommand(composition, copies), scale };
}

interface Resizing {
  readonly before: AreaMm;
  readonly after: AreaMm;
  readonly scale: number;
}

function withSize(element: CompositionElement, resizing: Resizing): CompositionElement {
  if (isArtwork(element)) return withArtworkSize(element, resizing);
  const { scale } = resizing;
  if (scale === 1) return element;
  if (isText(element)) {
    const { circle } = element;
    const heightInches = element.heightInches * scale;
    return { ...element, heightInches, ...(circle && { circle: { ...circle, radiusMm: circle.radiusMm * scale } }) };
  }
  return { ...element, widthMm: element.widthMm * scale, heightMm: element.heightMm * scale };
}

/**
 * An artwork that is smaller or larger in the area than a slider goes has its size as a file's: it is meant to be that
 * large.
 */
function withArtworkSize(artwork: ArtworkElement, { before, after, scale }: Resizing): ArtworkElement {
  const widthMm = (scale * artwork.size) / trueSizeOf({ ...artwork, trueWidthMm: 1 }, before)!;
  const size = trueSizeOf({ ...artwork, trueWidthMm: widthMm }, after)!;
  const { min, max } = sizeRange(artwork);
  return size >= min && size <= max ? { ...artwork, size } : { ...artwork, size, trueWidthMm: widthMm };
}

const toOffset = (value: number): number => Math.min(OFFSET_LIMIT, Math.max(-OFFSET_LIMIT, value)) + 0;
