/**
 * The table of a folder of product pictures, `products.csv`: what its columns say about the files. Browser and server
 * read it by the same rules. Apart from the rest of the contract, because few pages need a reader of CSV.
 */
import { MACHINE_MODES, type MachineMode } from '@markwright/scene';
import { readCells, TableRefused, toColumnKey, writeCsv } from '@markwright/scene/rows';
import type { PlacedSurface } from '@markwright/scene/surface';
import { BLANK_LIMITS, findMisfit } from './words/blanks.ts';
import { MATERIALS } from './words/products.ts';

/** The fields of a product's row. A field is absent where its cell is empty or there is no such column. */
export interface TableFields {
  /** `WxH` in inches, as in the product’s JSON. */
  readonly dimensions?: string;
  readonly material?: (typeof MATERIALS)[number];
  readonly machines?: MachineMode[];
  readonly surface?: PlacedSurface;
}

export interface TableRow {
  readonly line: number;
  /** The file as the row names it: its path, or its name with or without the ending. */
  readonly file: string;
  readonly fields: TableFields;
}

export interface ProductTable {
  readonly rows: readonly TableRow[];
  /** Sentences, each with its line and column. Where there is one, no row may be used. */
  readonly problems: readonly string[];
}

/** The columns, as a header may write them: case, spaces, hyphens and underlines do not matter. */
const TABLE_COLUMNS = [
  'file',
  'width',
  'height',
  'material',
  'machines',
  'surface',
  'diameter',
  'top diameter',
  'bottom diameter',
  'cone height',
] as const;
type Column = (typeof TABLE_COLUMNS)[number];

const MM_PER_INCH = 25.4;
const MOST_PROBLEMS = 20;
/** Of a print area’s side, mm. */
const SIDE_MM = { min: 2.6, max: 25_400 } as const;
const units: Readonly<Record<string, number>> = { mm: 1, cm: 10, in: MM_PER_INCH, inch: MM_PER_INCH, '"': MM_PER_INCH };
const surfaceKinds: Readonly<Record<string, PlacedSurface['kind']>> = {
  flat: 'flat',
  cylinder: 'cylinder',
  round: 'cylinder',
  cone: 'cone',
  tapered: 'cone',
};
const materials: ReadonlyMap<string, (typeof MATERIALS)[number]> = new Map([
  ...MATERIALS.map((material) => [toColumnKey(material), material] as const),
  ['stainlesssteel', 'stainless'],
  ['aluminum', 'aluminium'],
]);

/** Reads the table. Lengths are in mm unless a unit stands behind them. Never throws. Cost: linear. */
export function readProductTable(source: string | Uint8Array): ProductTable {
  const problems: string[] = [];
  const rows: TableRow[] = [];
  try {
    const cells = readCells(source);
    const columns = readHeader(cells.rows[0] ?? [], cells.lines[0] ?? 1, problems);
    const lineOf = new Map<string, number>();
    for (let i = 1; i < cells.rows.length && problems.length < MOST_PROBLEMS; i++) {
      const row = readRow(columns, cells.rows[i]!, cells.lines[i]!, problems);
      const former = lineOf.get(toFileKey(row.file));
      if (row.file === '') problems.push(sentence(row.line, 'file', 'The name of the picture is missing.'));
      else if (former) problems.push(sentence(row.line, 'file', `“${row.file}” is in line ${former} already.`));
      lineOf.set(toFileKey(row.file), row.line);
      rows.push(row);
    }
  } catch (error) {
    if (!(error instanceof TableRefused)) throw error;
    problems.push(`products.csv: ${error.message}`);
  }
  return { rows, problems };
}

const sentence = (line: number, column: string, problem: string) =>
  `products.csv, line ${line}, column “${column}”: ${problem}`;

function readHeader(header: readonly string[], line: number, problems: string[]): (Column | undefined)[] {
  const byKey = new Map(TABLE_COLUMNS.map((column) => [toColumnKey(column), column]));
  const columns = header.map((cell) => byKey.get(toColumnKey(cell)));
  columns.forEach((column, i) => {
    const name = header[i]!;
    if (!column && name !== '') {
      problems.push(sentence(line, name, `There is no such column. There are ${TABLE_COLUMNS.join(', ')}.`));
    } else if (column && columns.indexOf(column) < i)
      problems.push(sentence(line, name, 'This column is there twice.'));
  });
  if (!columns.includes('file')) problems.push(`products.csv, line ${line}: The column “file” is missing.`);
  return columns;
}

function readRow(columns: readonly (Column | undefined)[], cells: readonly string[], line: number, problems: string[]) {
  const cellOf = (column: Column) => cells[columns.indexOf(column)] ?? '';
  const refuse = (column: Column, problem: string) => {
    problems.push(sentence(line, column, problem));
    return undefined;
  };
  const length = (column: Column, { min, max }: { readonly min: number; readonly max: number }) => {
    const cell = cellOf(column);
    if (cell === '') return undefined;
    const mm = readLength(cell);
    if (mm === undefined) return refuse(column, `“${cell}” is no length. Write 73, 73 mm or 2.9 in.`);
    return mm >= min && mm <= max ? mm : refuse(column, `It must be from ${min} to ${max} mm.`);
  };
  const before = problems.length;
  const fields = {
    ...fieldOf('dimensions', readDimensions(length('width', SIDE_MM), length('height', SIDE_MM), refuse)),
    ...fieldOf('material', readMaterial(cellOf('material'), refuse)),
    ...fieldOf('machines', readMachines(cellOf('machines'), refuse)),
    ...fieldOf('surface', readSurface(cellOf('surface'), length, refuse)),
  } as TableFields;
  const misfit = fields.surface && fields.dimensions && findMisfit(fields.surface, fields.dimensions);
  if (misfit && problems.length === before) refuse('width', misfit);
  return { line, file: cellOf('file'), fields };
}

const fieldOf = (name: keyof TableFields, value: unknown) => (value === undefined ? {} : { [name]: value });
type Refuse = (column: Column, problem: string) => undefined;

function readLength(cell: string): number | undefined {
  const match = /^(\d+(?:[.,]\d+)?)\s*(mm|cm|in|inch|")?$/i.exec(cell);
  return match ? Number(match[1]!.replace(',', '.')) * units[(match[2] ?? 'mm').toLowerCase()]! : undefined;
}

function readDimensions(width: number | undefined, height: number | undefined, refuse: Refuse): string | undefined {
  if (width === undefined && height === undefined) return undefined;
  if (width === undefined || height === undefined) {
    return refuse(width === undefined ? 'width' : 'height', 'A print area has a width and a height.');
  }
  return [width, height].map((mm) => Number((mm / MM_PER_INCH).toFixed(3))).join('x');
}

function readMaterial(cell: string, refuse: Refuse) {
  if (cell === '') return undefined;
  const material = materials.get(toColumnKey(cell));
  return material ?? refuse('material', `“${cell}” is none of ${MATERIALS.join(', ')}.`);
}

function readMachines(cell: string, refuse: Refuse): MachineMode[] | undefined {
  const names = cell
    .toLowerCase()
    .split(/[\s,;+/&]+/)
    .filter(Boolean);
  if (names.length === 0) return undefined;
  const wrong = names.find((name) => !(MACHINE_MODES as readonly string[]).includes(name));
  if (wrong) return refuse('machines', `“${wrong}” is none of ${MACHINE_MODES.join(', ')}.`);
  return MACHINE_MODES.filter((machine) => names.includes(machine));
}

type ReadLength = (column: Column, range: { readonly min: number; readonly max: number }) => number | undefined;

/** A diameter alone says that the blank is a cylinder, two say that it is a cone. */
function readSurface(cell: string, length: ReadLength, refuse: Refuse): PlacedSurface | undefined {
  const { diameterMm: range } = BLANK_LIMITS;
  const [diameter, top, bottom] = (['diameter', 'top diameter', 'bottom diameter'] as const).map((column) =>
    length(column, range),
  );
  const height = length('cone height', BLANK_LIMITS.heightMm);
  const isCone = top !== undefined || bottom !== undefined || height !== undefined;
  const kind = cell === '' ? (isCone ? 'cone' : diameter && 'cylinder') : surfaceKinds[toColumnKey(cell)];
  if (cell !== '' && !kind) return refuse('surface', `“${cell}” is none of flat, cylinder, cone.`);
  if (!kind) return undefined;
  if (kind === 'flat') {
    return diameter || isCone ? refuse('surface', 'A flat blank has no diameter.') : { kind };
  }
  if (kind === 'cylinder') {
    return diameter ? { kind, diameterMm: diameter } : refuse('diameter', 'A cylinder needs its diameter.');
  }
  if (!top) return refuse('top diameter', 'A cone needs both diameters and the height between them.');
  if (!bottom) return refuse('bottom diameter', 'A cone needs both diameters and the height between them.');
  if (!height) return refuse('cone height', 'A cone needs both diameters and the height between them.');
  return { kind, topDiameterMm: top, bottomDiameterMm: bottom, heightMm: height };
}

/** Writes rows as a table that reads back as the same. */
export function writeProductTable(rows: readonly Pick<TableRow, 'file' | 'fields'>[]): string {
  const cells = rows.map(({ file, fields: { dimensions, material, machines, surface } }) => {
    const [width, height] = dimensions?.split('x').map((inches) => `${inches} in`) ?? [];
    const cellOf: Readonly<Record<Column, string | number | undefined>> = {
      // With a dot in front, because a spreadsheet takes some first characters for those of a formula.
      file: `./${file}`,
      width,
      height,
      material,
      machines: machines?.join(' '),
      surface: surface?.kind,
      diameter: surface?.kind === 'cylinder' ? surface.diameterMm : undefined,
      'top diameter': surface?.kind === 'cone' ? surface.topDiameterMm : undefined,
      'bottom diameter': surface?.kind === 'cone' ? surface.bottomDiameterMm : undefined,
      'cone height': surface?.kind === 'cone' ? surface.heightMm : undefined,
    };
    return TABLE_COLUMNS.map((column) => String(cellOf[column] ?? ''));
  });
  return writeCsv(TABLE_COLUMNS, cells);
}

const toFileKey = (path: string) =>
  path
    .replaceAll('\\', '/')
    .replace(/^\.?\//, '')
    .normalize('NFC')
    .toLowerCase();

interface Match {
  /** In the order of the paths. */
  readonly rows: readonly (TableRow | undefined)[];
  /** A sentence for each row that could be several files, or a file that another row has. */
  readonly problems: readonly string[];
  /** A sentence for each row without a file. */
  readonly missing: readonly string[];
}

/**
 * Finds the row of each path: a row names the whole path, its end from a folder on, or the file with or without its
 * ending. Cost: linear in rows and parts of paths.
 */
export function matchRows({ rows }: ProductTable, paths: readonly string[]): Match {
  const byKey = new Map<string, number[]>();
  const add = (key: string, index: number) => {
    const others = byKey.get(key);
    if (!others) byKey.set(key, [index]);
    else if (others.at(-1) !== index) others.push(index);
  };
  paths.forEach((path, index) => {
    const parts = toFileKey(path).split('/');
    parts.forEach((_, i) => {
      const end = parts.slice(i).join('/');
      add(end, index);
      add(end.replace(/\.[^./]*$/, ''), index);
    });
  });
  const matches: (TableRow | undefined)[] = paths.map(() => undefined);
  const problems: string[] = [];
  const missing: string[] = [];
  for (const row of rows) {
    const [index, ...others] = byKey.get(toFileKey(row.file)) ?? [];
    if (index === undefined) missing.push(sentence(row.line, 'file', `There is no picture “${row.file}”.`));
    else if (others.length > 0) {
      problems.push(
        sentence(row.line, 'file', `There are ${others.length + 1} pictures “${row.file}”: write its folder, too.`),
      );
    } else if (matches[index]) {
      problems.push(sentence(row.line, 'file', `“${row.file}” is in line ${matches[index].line} already.`));
    } else matches[index] = row;
  }
  return { rows: matches, problems, missing };
}
