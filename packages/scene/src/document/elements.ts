/** The elements of a composition: their ids, their names, their z-order and their groups. */
import type { ArtworkElement, Composition, CompositionElement, MachineMode, TextElement } from './composition.ts';
import { isArtwork, isText } from './initial.ts';
import { FIRST_ARTWORK } from './limits.ts';

/** Names an element of any kind; `design` is the artwork whose own id is `design`. */
export type ElementId = 'design' | `design:${string}` | `text:${string}`;

/** Returns the element id of a text, as `elementId` fields hold it. */
export const textElementId = (id: string): ElementId => `text:${id}`;

/** Returns the element id of an artwork: `design` for the first one, and `design:<id>` for others. */
export const artworkElementId = (id: string): ElementId => (id === FIRST_ARTWORK ? 'design' : `design:${id}`);

export const elementIdOf = (element: CompositionElement): ElementId =>
  isArtwork(element) ? artworkElementId(element.id) : textElementId(element.id);

/** True for the element id of an artwork. */
export const isArtworkId = (elementId: string): boolean => !elementId.startsWith('text:');

/** Returns the element id of a copy whose own id is `newId`. */
export const copyElementId = (elementId: string, newId: string): ElementId =>
  isArtworkId(elementId) ? artworkElementId(newId) : textElementId(newId);

/** Returns the artworks in z-order, the lowest first, hidden ones included. */
export const artworksOf = ({ elements }: Pick<Composition, 'elements'>): ArtworkElement[] => elements.filter(isArtwork);

/** Returns the texts in z-order, the lowest first, hidden ones included. */
export const textsOf = ({ elements }: Pick<Composition, 'elements'>): TextElement[] => elements.filter(isText);

/** Finds an artwork by its own id. */
export const findArtwork = (composition: Pick<Composition, 'elements'>, id: string | undefined) =>
  artworksOf(composition).find((artwork) => artwork.id === id);

/** Returns the ids of all elements in z-order, the lowest first, hidden ones included. */
export const toZOrder = ({ elements }: Pick<Composition, 'elements'>): ElementId[] => elements.map(elementIdOf);

/** Finds an element by its element id. Returns undefined when the composition has none of that id. */
export function findElement(
  { elements }: Pick<Composition, 'elements'>,
  elementId: string | undefined,
): CompositionElement | undefined {
  return elements.find((element) => elementIdOf(element) === elementId);
}

/** Returns the name a person gave to an element, or else its text or file name. */
export function toElementName(element: CompositionElement): string {
  if (element.name !== '') return element.name;
  if (isArtwork(element)) return element.filename || 'Design';
  return element.text.trim().replace(/\s+/g, ' ') || 'Text';
}

/** Returns the composition without its hidden elements; the same object when none is hidden. */
export function withoutHidden(composition: Composition): Composition {
  const elements = composition.elements.filter(({ isHidden }) => !isHidden);
  return elements.length === composition.elements.length ? composition : { ...composition, elements };
}

/** True for an artwork whose picture is engraved itself, in place of its trace: only a laser does. */
export const isEngraved = ({ engraving }: Pick<ArtworkElement, 'engraving'>, machine: MachineMode): boolean =>
  machine === 'laser' && engraving !== undefined;

/** True when at least one element is not hidden. */
export const hasContent = ({ elements }: Composition): boolean => elements.some(({ isHidden }) => !isHidden);

/** Returns the ids of a group's members in z-order. */
export const membersOf = ({ elements }: Pick<Composition, 'elements'>, groupId: string): ElementId[] =>
  elements.filter((element) => element.groupId === groupId).map(elementIdOf);

/** Returns the name of a group: the one a person gave, or else the general word. */
export const toGroupName = ({ elements }: Pick<Composition, 'elements'>, groupId: string): string =>
  elements.find((element) => element.groupId === groupId)?.groupName ?? 'Group';

/** Returns the ids with those of all other members of their groups, in z-order. */
export function withGroupMembers(
  { elements }: Pick<Composition, 'elements'>,
  elementIds: readonly string[],
): ElementId[] {
  const ids = new Set(elementIds);
  const groupIds = new Set(
    elements.flatMap((element) => (element.groupId && ids.has(elementIdOf(element)) ? element.groupId : [])),
  );
  return elements
    .filter((element) => ids.has(elementIdOf(element)) || (element.groupId && groupIds.has(element.groupId)))
    .map(elementIdOf);
}

/** Returns an element's own id, from its element id. */
export const ownIdOf = (elementId: ElementId): string => elementId.slice(elementId.indexOf(':') + 1);
