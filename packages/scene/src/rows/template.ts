/**
 * Templates: texts and codes of a composition in which `{column}` stands for a cell of a row, and `{{` and `}}` for
 * braces themselves; and elements that take their color from a cell.
 */
import type { Composition, CompositionElement } from '../document/composition.ts';
import { type ElementId, elementIdOf } from '../document/elements.ts';
import { isArtwork, isCode, isText } from '../document/initial.ts';
import { toMachineColor } from '../document/machine.ts';
import { parseColor } from '../import/color.ts';

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

/** An element that rows change. */
export interface Template {
  readonly elementId: ElementId;
  /** The names of its placeholders as they stand there, each once. Empty where its color alone is from the row. */
  readonly columns: readonly string[];
  readonly colorColumn?: string | undefined;
}

/** Returns all columns that a template asks for. */
export const columnsOf = ({ columns, colorColumn }: Template): string[] => [
  ...columns,
  ...(colorColumn === undefined ? [] : [colorColumn]),
];

/** The strings of an element that rows may fill. The one place that knows which kinds of elements have one. */
const stringOf = (element: CompositionElement): string | undefined =>
  isText(element) ? element.text : isCode(element) ? element.data : undefined;

const withString = (element: CompositionElement, text: string): CompositionElement =>
  isText(element) ? { ...element, text } : isCode(element) ? { ...element, data: text } : element;

const PARTS = /\{\{|\}\}|\{([^{}\n]{1,80})\}/gu;

function columnsIn(template: string): string[] {
  const columns = new Map<string, string>();
  for (const [, name] of template.matchAll(PARTS)) {
    if (name === undefined || toColumnKey(name) === '') continue;
    const key = toColumnKey(name);
    if (!columns.has(key)) columns.set(key, name.trim());
  }
  return [...columns.values()];
}

/** Returns the visible elements that rows change, in z-order. */
export function templatesOf({ elements }: Pick<Composition, 'elements'>): Template[] {
  return elements.flatMap((element) => {
    if (element.isHidden) return [];
    const template = stringOf(element);
    const columns = template === undefined ? [] : columnsIn(template);
    const colorColumn = isArtwork(element) ? undefined : element.colorColumn;
    if (columns.length === 0 && colorColumn === undefined) return [];
    return [{ elementId: elementIdOf(element), columns, ...(colorColumn !== undefined && { colorColumn }) }];
  });
}

/** Returns the visible elements that hold placeholders, in z-order. */
export const placeholders = (composition: Pick<Composition, 'elements'>): Template[] =>
  templatesOf(composition).filter(({ columns }) => columns.length > 0);

/**
 * Returns the composition with a row's cells in the place of its placeholders, and its colors. A placeholder whose
 * column the row lacks is empty; a color that is empty or none stays that of the composition. Elements that rows do not
 * change stay the same objects: braces in them are just braces.
 */
export function bindRow(composition: Composition, row: Row): Composition {
  const templates = new Map(templatesOf(composition).map((template) => [template.elementId, template]));
  const elements = composition.elements.map((element) => {
    const template = templates.get(elementIdOf(element));
    if (!template) return element;
    const string = template.columns.length > 0 ? stringOf(element) : undefined;
    const piece = string === undefined ? element : withString(element, fillIn(string, row));
    return template.colorColumn === undefined ? piece : withColor(composition, piece, row);
  });
  return { ...composition, elements };
}

function withColor({ machine }: Composition, element: CompositionElement, row: Row): CompositionElement {
  if (isArtwork(element)) return element;
  const { colorColumn, ...rest } = element;
  const color = readCellColor(row.get(toColumnKey(colorColumn ?? '')) ?? '');
  return color === undefined ? rest : { ...rest, color: toMachineColor(machine, color) };
}

/** Reads the color of a cell: `Light blue`, `#c8102e`, `rgb(200, 16, 46)`. Undefined for what is no full color. */
export function readCellColor(cell: string): string | undefined {
  const color = parseColor(cell) ?? parseColor(cell.replace(/[\s_-]+/gu, ''));
  return color?.alpha === 1 ? color.hex : undefined;
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

/** Returns the composition with elements that take their colors from columns, by their ids. */
export function pickColors(composition: Composition, columns: Readonly<Record<string, string>>): Composition {
  const elements = composition.elements.map((element): CompositionElement => {
    const colorColumn = columns[elementIdOf(element)];
    return colorColumn === undefined || isArtwork(element) ? element : { ...element, colorColumn };
  });
  return { ...composition, elements };
}
