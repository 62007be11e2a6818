/**
 * Templates: texts and codes of a composition in which `{column}` stands for a cell of a row, and `{{` and `}}` for
 * braces themselves; and elements that take their color or their picture from a cell.
 */
import type { Composition, CompositionElement } from '../document/composition.ts';
import { type ElementId, elementIdOf } from '../document/elements.ts';
import { isArtwork, isCode, isText } from '../document/initial.ts';
import { toMachineColor } from '../document/machine.ts';
import { parseColor } from '../import/color.ts';
import { toColumnKey } from './keys.ts';
import { type PictureSource, withPicture } from './pictures.ts';

/** A row's cells by the keys of their columns (`toColumnKey`). */
export type Row = ReadonlyMap<string, string>;

/** Returns a row by the names of its columns. */
export const toRow = (columns: readonly string[], cells: readonly string[]): Row =>
  new Map(columns.map((column, i) => [toColumnKey(column), cells[i] ?? '']));

/** An element that rows change. */
export interface Template {
  readonly elementId: ElementId;
  /** The names of its placeholders as they stand there, each once. Empty where it takes whole cells alone. */
  readonly columns: readonly string[];
  readonly colorColumn?: string | undefined;
  readonly pictureColumn?: string | undefined;
}

/** Returns all columns that a template asks for. */
export const columnsOf = ({ columns, colorColumn, pictureColumn }: Template): string[] => [
  ...columns,
  ...(colorColumn === undefined ? [] : [colorColumn]),
  ...(pictureColumn === undefined ? [] : [pictureColumn]),
];

/** The strings of an element that rows may fill. The one place that knows which kinds of elements have one. */
export const stringOf = (element: CompositionElement): string | undefined =>
  isText(element) ? element.text : isCode(element) ? element.data : undefined;

const withString = (element: CompositionElement, text: string): CompositionElement =>
  isText(element) ? { ...element, text } : isCode(element) ? { ...element, data: text } : element;

const PARTS = /\{\{|\}\}|\{([^{}\n]{1,80})\}/gu;

/** Returns the names of the placeholders of a string, each once. */
export function templateColumns(template: string): string[] {
  const columns = new Map<string, string>();
  for (const [, name] of template.matchAll(PARTS)) {
    if (name === undefined || toColumnKey(name) === '') continue;
    const key = toColumnKey(name);
    if (!columns.has(key)) columns.set(key, name.trim());
  }
  return [...columns.values()];
}

/** The columns that an element takes whole cells from. */
const bindingsOf = (element: CompositionElement): Pick<Template, 'colorColumn' | 'pictureColumn'> =>
  isArtwork(element) ? { pictureColumn: element.pictureColumn } : { colorColumn: element.colorColumn };

/** Returns the visible elements that rows change, in z-order. */
export function templatesOf({ elements }: Pick<Composition, 'elements'>): Template[] {
  return elements.flatMap((element) => {
    if (element.isHidden) return [];
    const template = stringOf(element);
    const columns = template === undefined ? [] : templateColumns(template);
    const { colorColumn, pictureColumn } = bindingsOf(element);
    if (columns.length === 0 && colorColumn === undefined && pictureColumn === undefined) return [];
    return [
      {
        ...{ elementId: elementIdOf(element), columns },
        ...(colorColumn !== undefined && { colorColumn }),
        ...(pictureColumn !== undefined && { pictureColumn }),
      },
    ];
  });
}

/** Returns the visible elements that hold placeholders, in z-order. */
export const placeholders = (composition: Pick<Composition, 'elements'>): Template[] =>
  templatesOf(composition).filter(({ columns }) => columns.length > 0);

/**
 * Returns the composition with a row's cells in the place of its placeholders, its colors, and its pictures where
 * `source` has them. A placeholder whose column the row lacks is empty. A color that is empty or none stays that of the
 * composition, and so does a picture that is empty or unknown. Elements that rows do not change stay the same objects:
 * braces in them are just braces.
 */
export function bindRow(composition: Composition, row: Row, source?: PictureSource): Composition {
  const templates = new Map(templatesOf(composition).map((template) => [template.elementId, template]));
  const elements = composition.elements.map((element) => {
    const template = templates.get(elementIdOf(element));
    if (!template) return element;
    if (isArtwork(element))
      return withPicture(element, row.get(toColumnKey(template.pictureColumn ?? '')) ?? '', source);
    const string = template.columns.length > 0 ? stringOf(element) : undefined;
    const piece =
      string === undefined
        ? element
        : withString(
            element,
            fillIn(string, (_part, key) => row.get(key) ?? ''),
          );
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

/** Returns a template with words in the place of its placeholders. */
function fillIn(template: string, cellOf: (part: string, key: string) => string): string {
  return template.replace(PARTS, (part, name: string | undefined) => {
    if (name === undefined) return part.charAt(0);
    const key = toColumnKey(name);
    return key === '' ? part : cellOf(part, key);
  });
}

/**
 * Returns a template with some cells by their keys. A placeholder whose cell is empty or not there stays, so that it
 * can be filled in later.
 */
export const withCells = (template: string, cells: Row): string =>
  fillIn(template, (part, key) => cells.get(key) || part);

/**
 * Finds the cells in a string that `withCells` returned, by their keys; a placeholder that stayed is empty. Undefined
 * for a string that is none of the template's. Where two placeholders touch, the first has all of it.
 */
export function findCells(template: string, string: string): Row | undefined {
  const cells = new Map<string, string>();
  // The words between the placeholders, found one after the other; the last one at the end.
  const keys: string[] = [];
  const names: string[] = [];
  const between = [''];
  let end = 0;
  for (const match of template.matchAll(PARTS)) {
    const [part, name] = match;
    between[keys.length] += template.slice(end, match.index);
    end = match.index + part.length;
    const key = name === undefined ? '' : toColumnKey(name);
    if (key === '') {
      between[keys.length] += name === undefined ? part.charAt(0) : part;
      continue;
    }
    keys.push(key);
    names.push(part);
    between.push('');
  }
  between[keys.length] += template.slice(end);
  if (string === template) return new Map(keys.map((key) => [key, '']));
  if (!string.startsWith(between[0]!)) return undefined;
  let at = between[0]!.length;
  for (const [index, key] of keys.entries()) {
    const after = between[index + 1]!;
    const isLast = index === keys.length - 1;
    const stop = isLast || after === '' ? string.length - after.length : string.indexOf(after, at);
    if (stop < at || !string.startsWith(after, stop)) return undefined;
    const cell = string.slice(at, stop);
    cells.set(key, cell === names[index] ? '' : cell);
    at = stop + after.length;
  }
  return at === string.length ? cells : undefined;
}

/** Returns the composition with one element that is a column's cell alone. */
export function pickColumn(composition: Composition, elementId: string, column: string): Composition {
  const elements = composition.elements.map((element) =>
    elementIdOf(element) === elementId ? withString(element, `{${column.replace(/[{}\n]/gu, '')}}`) : element,
  );
  return { ...composition, elements };
}

/** Columns by the ids of the elements that take something from them. */
export type ColumnsById = Readonly<Record<string, string>>;

/** Returns the composition with elements that take their colors from columns. Artworks have none. */
export const pickColors = (composition: Composition, columns: ColumnsById): Composition =>
  withColumns(composition, columns, (element, colorColumn) =>
    isArtwork(element) ? element : { ...element, colorColumn },
  );

/** Returns the composition with artworks that take their pictures from columns. */
export const pickPictures = (composition: Composition, columns: ColumnsById): Composition =>
  withColumns(composition, columns, (element, pictureColumn) =>
    isArtwork(element) ? { ...element, pictureColumn } : element,
  );

function withColumns(
  composition: Composition,
  columns: ColumnsById,
  change: (element: CompositionElement, column: string) => CompositionElement,
): Composition {
  const elements = composition.elements.map((element) => {
    const column = columns[elementIdOf(element)];
    return column === undefined ? element : change(element, column);
  });
  return { ...composition, elements };
}
