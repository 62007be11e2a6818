/**
 * Templates: texts and codes of a composition in which `{column}` stands for a cell of a row, and `{{` and `}}` for
 * braces themselves.
 */
import type { Composition, CompositionElement } from '../document/composition.ts';
import { type ElementId, elementIdOf } from '../document/elements.ts';
import { isCode, isText } from '../document/initial.ts';

/** A row's cells by the keys of their columns (`toColumnKey`). */
export type Row = ReadonlyMap<string, string>;

/**
 * Names of columns are alike without case, spaces, underlines, hyphens and braces: “First name” is “first_name”. Braces
 * could not stand in a placeholder.
 */
export const toColumnKey = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_{}-]+/gu, '');

/** Returns a row by the names of its columns. */
export const toRow = (columns: readonly string[], cells: readonly string[]): Row =>
  new Map(columns.map((column, i) => [toColumnKey(column), cells[i] ?? '']));

/** A text or a code that holds a placeholder. */
export interface Template {
  readonly elementId: ElementId;
  /** The names of its placeholders as they stand there, each once. */
  readonly columns: readonly string[];
}

/** The strings of an element that rows may fill. The one place that knows which kinds of elements have one. */
const stringOf = (element: CompositionElement): string | undefined =>
  isText(element) ? element.text : isCode(element) ? element.data : undefined;

const withString = (element: CompositionElement, text: string): CompositionElement =>
  isText(element) ? { ...element, text } : isCode(element) ? { ...element, data: text } : element;

const PARTS = /\{\{|\}\}|\{([^{}\n]{1,80})\}/gu;

function columnsOf(template: string): string[] {
  const columns = new Map<string, string>();
  for (const [, name] of template.matchAll(PARTS)) {
    if (name === undefined || toColumnKey(name) === '') continue;
    const key = toColumnKey(name);
    if (!columns.has(key)) columns.set(key, name.trim());
  }
  return [...columns.values()];
}

/** Returns the visible elements that hold placeholders, in z-order. */
export function placeholders({ elements }: Pick<Composition, 'elements'>): Template[] {
  return elements.flatMap((element) => {
    const template = element.isHidden ? undefined : stringOf(element);
    const columns = template === undefined ? [] : columnsOf(template);
    return columns.length > 0 ? [{ elementId: elementIdOf(element), columns }] : [];
  });
}

/**
 * Returns the composition with a row's cells in the place of its placeholders. One whose column the row lacks is empty.
 * Elements without a placeholder stay the same objects: braces in them are just braces.
 */
export function bindRow(composition: Composition, row: Row): Composition {
  const ids = new Set(placeholders(composition).map(({ elementId }) => elementId));
  const elements = composition.elements.map((element) => {
    const template = stringOf(element);
    if (template === undefined || !ids.has(elementIdOf(element))) return element;
    return withString(element, fillIn(template, row));
  });
  return { ...composition, elements };
}

/** Returns a template with the cells of a row. */
function fillIn(template: string, row: Row): string {
  return template.replace(PARTS, (part, name: string | undefined) => {
    if (name === undefined) return part.charAt(0);
    const key = toColumnKey(name);
    return key === '' ? part : (row.get(key) ?? '');
  });
}

/** Returns the composition with one element that is a column's cell alone. */
export function pickColumn(composition: Composition, elementId: string, column: string): Composition {
  const elements = composition.elements.map((element) =>
    elementIdOf(element) === elementId ? withString(element, `{${column.replace(/[{}\n]/gu, '')}}`) : element,
  );
  return { ...composition, elements };
}
