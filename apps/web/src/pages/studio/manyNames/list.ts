/** The list of names while it is worked on: its cells, which texts they go into, and what the call takes of it. */
import {
  artworkElementId,
  artworksOf,
  type Composition,
  findElement,
  isEngraved,
  isText,
  textElementId,
  textsOf,
} from '@markwright/scene';
import {
  type Cells,
  type ColumnsById,
  columnsOf,
  looksLikeHeader,
  pickColors,
  pickColumn,
  pickPictures,
  placeholders,
  type Row,
  readCellColor,
  readCells,
  type Table,
  type Template,
  templatesOf,
  toColumnKey,
  toRow,
  toTable,
} from '@markwright/scene/rows';

/** A list as it was read, with what a person changed of it. */
export interface NameList {
  readonly cells: Cells;
  readonly table: Table;
  /** The rows that are not approved, by their places. They are left out. */
  readonly openPlaces: ReadonlySet<number>;
}

const namesIn = (composition: Composition): string[] => templatesOf(composition).flatMap(columnsOf);

/** Reads a list. The first row is a header when it looks like one. Throws TableRefused. */
export function readList(source: string | Uint8Array, composition: Composition): NameList {
  const cells = readCells(source);
  const table = toTable(cells, looksLikeHeader(cells, namesIn(composition)));
  return { cells, table, openPlaces: new Set() };
}

/** Takes the first row for a header, or for a row like the others. Changes of single rows are lost. */
export const withHeader = ({ cells }: NameList, hasHeader: boolean): NameList => ({
  cells,
  table: toTable(cells, hasHeader),
  openPlaces: new Set(),
});

/** Changes one cell. */
export function withCell(list: NameList, place: number, column: number, cell: string): NameList {
  const rows = list.table.rows.map((row, i) => (i === place ? row.with(column, cell) : row));
  return { ...list, table: { ...list.table, rows } };
}

export const withoutRow = (list: NameList, place: number): NameList => ({
  ...list,
  table: { ...list.table, rows: list.table.rows.toSpliced(place, 1), lines: list.table.lines.toSpliced(place, 1) },
  openPlaces: new Set([...list.openPlaces].flatMap((open) => (open === place ? [] : [open > place ? open - 1 : open]))),
});

export function withApproval(list: NameList, place: number, isApproved: boolean): NameList {
  const openPlaces = new Set(list.openPlaces);
  if (isApproved) openPlaces.delete(place);
  else openPlaces.add(place);
  return { ...list, openPlaces };
}

export const withApprovals = (list: NameList, areApproved: boolean): NameList => ({
  ...list,
  openPlaces: new Set(areApproved ? [] : list.table.rows.keys()),
});

/** The choice of a design without placeholders: which text is the name, and in which column the names stand. */
export interface Pick {
  readonly elementId: string;
  readonly column: string;
}

/** What elements take whole cells for. */
export interface Picks {
  readonly colors: ColumnsById;
  readonly pictures: ColumnsById;
}

/** The composition with placeholders, and the places of the columns that they ask for. */
export interface Binding {
  readonly composition: Composition;
  readonly templates: readonly Template[];
  /** The columns that the elements use, in the order of the table. */
  readonly columns: readonly number[];
  /** Those of them that are colors. */
  readonly colorColumns: ReadonlySet<number>;
  /** Those of them that name pictures. */
  readonly pictureColumns: ReadonlySet<number>;
  /** The names that the list lacks. */
  readonly missing: readonly string[];
}

/** Returns the first pick: the selected text or else the last one, and the column that looks like names. */
export function firstPick(composition: Composition, selection: string | undefined, table: Table): Pick {
  const texts = textsOf(composition).filter(({ isHidden }) => !isHidden);
  const chosenText = findElement(composition, selection);
  const text = chosenText && isText(chosenText) ? chosenText : texts.at(-1);
  const column = table.columns.find((name) => /name|nom/.test(toColumnKey(name))) ?? table.columns[0]!;
  return { elementId: text ? textElementId(text.id) : '', column };
}

/** Returns the first columns of colors: one that is called so and holds some, for the texts that the list fills. */
export function firstColors(composition: Composition, pick: Pick, { columns, rows }: Table): ColumnsById {
  if (composition.machine === 'laser') return {};
  const place = columns.findIndex((name) => /colou?r|farbe|couleur/.test(toColumnKey(name)));
  if (place < 0 || !rows.some((cells) => readCellColor(cells[place]!) !== undefined)) return {};
  const ids = placeholders(toTemplate(composition, pick, { colors: {}, pictures: {} })).map(
    ({ elementId }) => elementId,
  );
  return Object.fromEntries(ids.map((id) => [id, columns[place]!]));
}

/** The artworks that can take a picture from a row: those that are traced. */
export const pictureArtworks = (composition: Composition) =>
  artworksOf(composition).filter((artwork) => !artwork.isHidden && !isEngraved(artwork, composition.machine));

/** True where a list can fill a text, and not pictures alone. */
export const hasTexts = (composition: Composition): boolean =>
  placeholders(composition).length > 0 || textsOf(composition).some(({ isHidden }) => !isHidden);

/** Returns the first column of pictures, for the only artwork: one that is called so, or any where there is no text. */
export function firstPictures(composition: Composition, { columns }: Table): ColumnsById {
  const [artwork, ...others] = pictureArtworks(composition);
  const pictureColumn = columns.find((name) => /logo|picture|image|photo|bild|foto/.test(toColumnKey(name)));
  const column = pictureColumn ?? (hasTexts(composition) ? undefined : columns[0]);
  return artwork && others.length === 0 && column !== undefined ? { [artworkElementId(artwork.id)]: column } : {};
}

/** Leaves out columns that the list does not have: a header that is switched gives them other names. */
export const keepColumns = (picks: ColumnsById, columns: readonly string[]): ColumnsById =>
  Object.fromEntries(Object.entries(picks).filter(([, column]) => columns.includes(column)));

/** Returns the composition with placeholders, its own or the pick where it has none, and with picked columns. */
export function toTemplate(
  composition: Composition,
  { elementId, column }: Pick,
  { colors, pictures }: Picks,
): Composition {
  const template = placeholders(composition).length > 0 ? composition : pickColumn(composition, elementId, column);
  return pickPictures(pickColors(template, colors), pictures);
}

/** Finds the columns of a list that the elements ask for. */
export function bindList(composition: Composition, table: Table): Binding {
  const templates = templatesOf(composition);
  const keys = table.columns.map(toColumnKey);
  const names = new Map(templates.flatMap(columnsOf).map((name) => [toColumnKey(name), name]));
  const placesOf = (columns: readonly (string | undefined)[]) => {
    const columnKeys = new Set(columns.flatMap((column) => (column ? [toColumnKey(column)] : [])));
    return new Set(keys.flatMap((key, i) => (columnKeys.has(key) ? [i] : [])));
  };
  return {
    composition,
    templates,
    columns: keys.flatMap((key, i) => (names.has(key) ? [i] : [])),
    colorColumns: placesOf(templates.map(({ colorColumn }) => colorColumn)),
    pictureColumns: placesOf(templates.map(({ pictureColumn }) => pictureColumn)),
    missing: [...names].flatMap(([key, name]) => (keys.includes(key) ? [] : [name])),
  };
}

export const rowsOf = ({ columns, rows }: Table): Row[] => rows.map((cells) => toRow(columns, cells));
