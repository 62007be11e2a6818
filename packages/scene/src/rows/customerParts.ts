/**
 * Templates whose open parts a customer fills in. The widget and the server share what is here: the widget shows the
 * fields and never leaves the template, and the server refuses what differs from it.
 */
import type { Command } from '../document/commands.ts';
import type { ArtworkElement, Composition, CompositionElement, CustomerParts } from '../document/composition.ts';
import { type ElementId, elementIdOf, toElementName } from '../document/elements.ts';
import { isArtwork, isCode, isText } from '../document/initial.ts';
import { toColumnKey } from './keys.ts';
import { findCells, stringOf, templateColumns, withCells } from './template.ts';

export type CustomerPart = keyof CustomerParts;

/** The parts that an element has. */
export function customerPartsOf(element: CompositionElement): CustomerPart[] {
  if (isArtwork(element)) return ['picture', 'place'];
  return isText(element) || isCode(element) ? ['words', 'color', 'place'] : ['color', 'place'];
}

/** Returns what a customer may change of an element, among the parts that it has. */
export const openPartsOf = (element: CompositionElement): CustomerPart[] =>
  customerPartsOf(element).filter((part) => element.customer?.[part]);

/** Returns how many parts of a composition a customer may change. Hidden elements have none. */
export const countOpenParts = ({ elements }: Pick<Composition, 'elements'>): number =>
  elements.flatMap((element) => (element.isHidden ? [] : openPartsOf(element))).length;

/** The fields of each part. A customer's picture keeps the place and the size of the template's. */
const fields: Readonly<Record<CustomerPart, readonly string[]>> = {
  words: ['text', 'data'],
  color: ['color'],
  picture: ['designId', 'filename', 'aspect', 'straighten', 'crop', 'ink', 'leavesOut', 'closesGaps', 'tones'],
  // The box of the ink is measured again with each trace, and place and size are its place and size.
  place: ['x', 'y', 'angleDeg', 'isFlipped', 'size', 'heightInches', 'widthMm', 'heightMm', 'ink', 'aspect'],
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the template with what a composition has in its open parts: elements that it lacks are the template's, and
 * it adds none. Product, color, size and the turn of the view are the composition's. Returns the very composition when
 * it differs in nothing else.
 */
export function fillTemplate(template: Composition, composition: Composition): Composition {
  const byId = new Map(composition.elements.map((element) => [elementIdOf(element), element]));
  const elements = template.elements.map((element) => fillElement(element, byId.get(elementIdOf(element))));
  const { productId: _product, variant: _variant, ...rest } = template;
  const { productId, variant, productAngleDeg } = composition;
  const isSame =
    isEqual(withoutView(template), withoutView(composition)) &&
    elements.length === composition.elements.length &&
    elements.every((element, index) => element === composition.elements[index]);
  if (isSame) return composition;
  return {
    ...rest,
    ...(productId !== undefined && { productId }),
    ...(variant && { variant }),
    productAngleDeg,
    elements,
  };
}

const withoutView = ({ machine, machineArea }: Composition) => ({ machine, machineArea });

/** Returns the template's element with the open parts of the other one; that very one when nothing else differs. */
function fillElement(element: CompositionElement, other: CompositionElement | undefined): CompositionElement {
  if (!other) return element;
  const openFields = new Set(openPartsOf(element).flatMap((part) => fields[part]));
  const isOpen = ([name]: [string, unknown]) => openFields.has(name);
  const fixedEntries = Object.entries(element).filter((entry) => !isOpen(entry));
  const openEntries = Object.entries(other).filter(isOpen);
  const base = Object.fromEntries([...fixedEntries, ...openEntries]) as unknown as CompositionElement;
  const next = openFields.has('heightInches') ? withRadius(base, other) : base;
  return isEqual(next, other) ? other : next;
}

/** Returns an element with the radius of the other one: a text that is resized takes its circle along. */
function withRadius(element: CompositionElement, other: CompositionElement): CompositionElement {
  if (!isText(element) || !isText(other) || !element.circle || !other.circle) return element;
  return { ...element, circle: { ...element.circle, radiusMm: other.circle.radiusMm } };
}

/** A fixed part of a template that a composition has otherwise. */
export interface FixedChange {
  /** The name of the element; absent for what is about all of them. */
  readonly name?: string;
  readonly part: CustomerPart | 'look' | 'missing' | 'extra' | 'order' | 'machine' | 'area';
}

/**
 * Returns the fixed parts of a template that a composition has otherwise, the template's elements first, in z-order.
 * None: the composition is what `fillTemplate` returns.
 */
export function findFixedChanges(template: Composition, composition: Composition): FixedChange[] {
  const byId = new Map(composition.elements.map((element) => [elementIdOf(element), element]));
  const changes = template.elements.flatMap((element): FixedChange[] => {
    const name = toElementName(element);
    const other = byId.get(elementIdOf(element));
    if (!other) return [{ name, part: 'missing' }];
    return changedParts(fillElement(element, other), other).map((part) => ({ name, part }));
  });
  const ids = template.elements.map(elementIdOf);
  const extra = composition.elements.filter((element) => !ids.includes(elementIdOf(element)));
  changes.push(...extra.map((element) => ({ name: toElementName(element), part: 'extra' }) as const));
  const otherIds = composition.elements.map(elementIdOf);
  const isTwice = new Set(otherIds).size < otherIds.length;
  const commonIds = otherIds.filter((id) => ids.includes(id));
  const isOtherOrder = commonIds.join(' ') !== ids.filter((id) => byId.has(id)).join(' ');
  if (isOtherOrder || isTwice) changes.push({ part: 'order' });
  if (template.machine !== composition.machine) changes.push({ part: 'machine' });
  if (!isEqual(template.machineArea, composition.machineArea)) changes.push({ part: 'area' });
  return changes;
}

function changedParts(element: CompositionElement, other: CompositionElement): (CustomerPart | 'look')[] {
  const [a, b] = [element, other] as unknown as [Fields, Fields];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !isEqual(a[name], b[name]));
  const partOf = (name: string) => customerPartsOf(element).find((part) => fields[part].includes(name)) ?? 'look';
  return [...new Set(names.map(partOf))];
}

/** Says a change of a fixed part to the person who made it. */
export function sayFixedChange({ name, part }: FixedChange): string {
  switch (part) {
    case 'words':
      return `The words of “${name}” stay as they are.`;
    case 'color':
      return `The color of “${name}” stays as it is.`;
    case 'picture':
      return `The picture “${name}” stays as it is.`;
    case 'place':
      return `“${name}” stays in its place.`;
    case 'look':
      return `The look of “${name}” stays as it is.`;
    case 'missing':
      return `“${name}” belongs to this design and cannot be removed.`;
    case 'extra':
      return `Nothing can be added to this design: “${name}” is not part of it.`;
    case 'order':
      return 'The order of the parts stays as it is.';
    case 'machine':
      return 'This design is made with another machine.';
    case 'area':
      return 'The machine area of this design stays as it is.';
  }
}

/** Values of a composition: numbers, strings, and lists and objects of them. An absent field is an undefined one. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isEqual((a as Fields)[name], (b as Fields)[name]));
}

/** A field that a customer fills in. */
export interface WordsField {
  /** The name of the placeholder, or that of the element. */
  readonly label: string;
  /** The placeholder that it fills; absent: the whole text. */
  readonly column?: string;
  readonly elementIds: readonly ElementId[];
}

/** Returns the fields of a template's open words in z-order. Texts with one placeholder share its field. */
export function wordsFieldsOf(template: Pick<Composition, 'elements'>): WordsField[] {
  const byKey = new Map<string, WordsField>();
  for (const element of template.elements) {
    if (!isWordsOpen(element)) continue;
    const id = elementIdOf(element);
    const columns = templateColumns(stringOf(element)!);
    if (columns.length === 0) byKey.set(id, { label: toElementName(element), elementIds: [id] });
    for (const column of columns) {
      const key = toColumnKey(column);
      const before = byKey.get(key);
      const elementIds = [...(before?.elementIds ?? []), id];
      byKey.set(key, { label: before?.label ?? column, column: before?.column ?? column, elementIds });
    }
  }
  return [...byKey.values()];
}

const isWordsOpen = (element: CompositionElement): boolean =>
  !element.isHidden && openPartsOf(element).includes('words');

/**
 * Returns what a field of a template has in a composition. Empty for a placeholder that nobody has filled in. Undefined
 * where the text was changed so that the placeholder is not found any more.
 */
export function readWords(
  template: Composition,
  composition: Composition,
  { column, elementIds }: WordsField,
): string | undefined {
  const [id] = elementIds;
  const string = stringById(composition, id);
  if (column === undefined || string === undefined) return string;
  return findCells(stringById(template, id) ?? '', string)?.get(toColumnKey(column));
}

/** Returns the command that writes the words of a field. An empty placeholder shows its name again. */
export function writeWords(
  template: Composition,
  composition: Composition,
  { column, elementIds }: WordsField,
  words: string,
): Command {
  const commands = composition.elements.flatMap((element): Command[] => {
    const elementId = elementIdOf(element);
    const string = stringOf(element);
    if (!elementIds.includes(elementId) || string === undefined) return [];
    const pattern = stringById(template, elementId) ?? '';
    const cells = new Map(findCells(pattern, string) ?? []);
    if (column !== undefined) cells.set(toColumnKey(column), words);
    const next = column === undefined ? words : withCells(pattern, cells);
    const { id } = element;
    return isText(element)
      ? [{ type: 'updateText', id, changes: { text: next } }]
      : [{ type: 'updateCode', id, changes: { data: next } }];
  });
  return { type: 'several', commands };
}

/** Returns the labels of the fields that a composition leaves empty. Only fields of placeholders must be filled in. */
export const findEmptyFields = (template: Composition, composition: Composition): string[] =>
  wordsFieldsOf(template).flatMap((field) => {
    const isEmpty = field.column !== undefined && readWords(template, composition, field)?.trim() === '';
    return isEmpty ? [field.label] : [];
  });

/** Returns the placeholders in words that no customer may change, and so never become words. */
export const findClosedPlaceholders = ({ elements }: Pick<Composition, 'elements'>): string[] =>
  elements.flatMap((element) => {
    const string = element.isHidden || isWordsOpen(element) ? undefined : stringOf(element);
    return string === undefined ? [] : templateColumns(string);
  });

const stringById = ({ elements }: Composition, id: ElementId | undefined): string | undefined => {
  const element = elements.find((candidate) => elementIdOf(candidate) === id);
  return element && stringOf(element);
};

/** The artworks of a template whose pictures are always the template's. */
export const fixedPicturesOf = ({ elements }: Pick<Composition, 'elements'>): ArtworkElement[] =>
  elements.filter(isArtwork).filter((artwork) => !openPartsOf(artwork).includes('picture'));
