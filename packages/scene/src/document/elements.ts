/** The elements of a composition: their ids, their names, their z-order and their groups. */
import type {
  ArtworkElement,
  CodeElement,
  Composition,
  CompositionElement,
  FigureElement,
  MachineMode,
  ShapeForm,
  Symbology,
  TextElement,
} from './composition.ts';
import { isArtwork, isCode, isFigure, isText } from './initial.ts';
import { CODE_SIZE_MM, FIRST_ARTWORK, FRAME_FORMS, SHAPE_SIZE_MM, sizeRange, TEXT_HEIGHT_INCHES } from './limits.ts';

/** Names an element of any kind; `design` is the artwork whose own id is `design`. */
export type ElementId = 'design' | `design:${string}` | `text:${string}` | `code:${string}` | `shape:${string}`;

/** Returns the element id of a text, as `elementId` fields hold it. */
export const textElementId = (id: string): ElementId => `text:${id}`;

/** Returns the element id of an artwork: `design` for the first one, and `design:<id>` for others. */
export const artworkElementId = (id: string): ElementId => (id === FIRST_ARTWORK ? 'design' : `design:${id}`);

export const elementIdOf = (element: CompositionElement): ElementId =>
  isArtwork(element) ? artworkElementId(element.id) : `${element.kind}:${element.id}`;

/** Returns the kind of the element that an element id names. */
export function kindOfId(elementId: string): CompositionElement['kind'] {
  const kind = elementId.slice(0, Math.max(0, elementId.indexOf(':')));
  return kind === 'text' || kind === 'code' || kind === 'shape' ? kind : 'artwork';
}

/** True for the element id of an artwork. */
export const isArtworkId = (elementId: string): boolean => kindOfId(elementId) === 'artwork';

/** Returns the element id of a copy whose own id is `newId`. */
export const copyElementId = (elementId: string, newId: string): ElementId =>
  isArtworkId(elementId) ? artworkElementId(newId) : (`${kindOfId(elementId)}:${newId}` as ElementId);

/** Returns the artworks in z-order, the lowest first, hidden ones included. */
export const artworksOf = ({ elements }: Pick<Composition, 'elements'>): ArtworkElement[] => elements.filter(isArtwork);

/** Returns the texts in z-order, the lowest first, hidden ones included. */
export const textsOf = ({ elements }: Pick<Composition, 'elements'>): TextElement[] => elements.filter(isText);

/** Returns the codes and shapes in z-order, the lowest first, hidden ones included. */
export const figuresOf = ({ elements }: Pick<Composition, 'elements'>): FigureElement[] => elements.filter(isFigure);

/** Returns the codes in z-order, the lowest first, hidden ones included. */
export const codesOf = ({ elements }: Pick<Composition, 'elements'>): CodeElement[] => elements.filter(isCode);

/** The size of an element in the unit of its own field: percent of an artwork, inches of a text, mm of the others. */
export function sizeOf(element: CompositionElement): {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
} {
  if (isArtwork(element)) return { value: element.size, ...sizeRange(element), decimals: 1 };
  if (isText(element)) return { value: element.heightInches, ...TEXT_HEIGHT_INCHES, decimals: 2 };
  const { min, max } = isCode(element) ? CODE_SIZE_MM : SHAPE_SIZE_MM;
  return { value: element.widthMm, min, max, decimals: 1 };
}

export const symbologyNames: Readonly<Record<Symbology, string>> = {
  qr: 'QR code',
  dataMatrix: 'Data Matrix',
  code128: 'Code 128',
  ean13: 'EAN-13',
};

export const formNames: Readonly<Record<ShapeForm, string>> = {
  rectangle: 'Rectangle',
  ellipse: 'Ellipse',
  polygon: 'Polygon',
  star: 'Star',
  line: 'Line',
  arrow: 'Arrow',
  arc: 'Arc',
  seal: 'Seal',
  shield: 'Shield',
  plaque: 'Plaque',
  banner: 'Banner',
  doubleFrame: 'Double frame',
  ticketFrame: 'Ticket',
  cornerFrame: 'Corners',
  stitchFrame: 'Stitches',
  dotFrame: 'Dot frame',
  ropeFrame: 'Rope frame',
  scallopFrame: 'Scallops',
  doubleRing: 'Double ring',
  stitchRing: 'Stitch ring',
  dotRing: 'Dot ring',
  ropeRing: 'Rope ring',
  wreath: 'Wreath',
  outline: 'Outline',
};

export type FrameForm = (typeof FRAME_FORMS)[number];

/** True for a frame or a border, which is made of its line alone. */
export const isFrameForm = (form: ShapeForm): form is FrameForm => (FRAME_FORMS as readonly string[]).includes(form);

/** Returns the name of a kind of element, as a person calls it. */
export function toKindName(element: CompositionElement): string {
  if (isArtwork(element)) return 'Design';
  if (isText(element)) return 'Text';
  return isCode(element) ? symbologyNames[element.symbology] : formNames[element.form];
}

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

/** Returns the name a person gave to an element, or else its text or file name, or what it is. */
export function toElementName(element: CompositionElement): string {
  if (element.name !== '') return element.name;
  if (isArtwork(element)) return element.filename || 'Design';
  if (isText(element)) return toLine(element.text) || 'Text';
  const data = isCode(element) ? toLine(element.data) : '';
  return data ? `${toKindName(element)} ${data}` : toKindName(element);
}

const toLine = (text: string) => text.trim().replace(/\s+/g, ' ');

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
