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

/** The columns that an element takes whole cells from. */
const bindingsOf = (element: CompositionElement): Pick<Template, 'colorColumn' | 'pictureColumn'> =>
  isArtwork(element) ? { pictureColumn: element.pictureColumn } : { colorColumn: element.colorColumn };

/** Returns the visible elements that rows change, in z-order. */
export function templatesOf({ elements }: Pick<Composition, 'elements'>): Template[] {
  return elements.flatMap((element) => {
    if (element.isHidden) return [];
    const template = stringOf(element);
    const columns = template === undefined ? [] : columnsIn(template);
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
