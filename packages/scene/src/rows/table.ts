/// <reference path="./papaparse.d.ts" />
/** Reads a table of rows: what somebody pastes from a spreadsheet, or a CSV file. */
import Papa from 'papaparse';
import { decodeText } from './decodeText.ts';
import { toColumnKey } from './keys.ts';

export const TABLE_LIMITS = { rows: 10_000, columns: 100, cellLength: 2_000, characters: 8_000_000 } as const;

/** A table that cannot be read. Line and column are those of an editor, from 1. */
export class TableRefused extends Error {
  override readonly name = 'TableRefused';
  readonly line: number;
  readonly column: number;
  constructor(problem: string, line: number, column: number) {
    super(`Line ${line}, column ${column}: ${problem}`);
    this.line = line;
    this.column = column;
  }
}

/** The rows of a table as they stand, without blank ones. */
export interface Cells {
  readonly rows: readonly (readonly string[])[];
  /** The line of the text on which each row begins, from 1. */
  readonly lines: readonly number[];
}

export interface Table {
  readonly hasHeader: boolean;
  /** Each has a name of its own: that of the header, or “Column 2”. */
  readonly columns: readonly string[];
  /** Each as long as `columns`. */
  readonly rows: readonly (readonly string[])[];
  /** The line of the text on which each row begins, from 1. */
  readonly lines: readonly number[];
}

/** `,` or `;` of a CSV, or the tab that spreadsheets put between cells when they are copied. */
export type Separator = '\t' | ',' | ';';

/**
 * Reads the cells of a table. Everything in it is plain text, formulas too. Cells are trimmed, and line ends of every
 * kind are `\n`. Throws TableRefused for a quote that does not end, for a character that is no text, and for what is
 * larger than `TABLE_LIMITS`. Cost: linear.
 */
export function readCells(source: string | Uint8Array, separator?: Separator): Cells {
  const text = (typeof source === 'string' ? source : decodeText(source)).replace(/^\ufeff/, '');
  if (text.length > TABLE_LIMITS.characters) {
    throw new TableRefused(`The text is longer than ${say(TABLE_LIMITS.characters)} characters.`, 1, 1);
  }
  const plain = text.replace(/\r\n?/g, '\n');
  refuseNoText(plain);
  const { data, errors } = Papa.parse(plain, { delimiter: separator ?? findSeparator(plain), newline: '\n' });
  const [error] = errors;
  if (error) {
    const problem = 'A quotation mark opens here and does not close as one does in a CSV.';
    throw refuseAt(plain, Math.max(0, plain.lastIndexOf('"', error.index ?? 0)), problem);
  }
  return toCells(data);
}

function toCells(data: readonly string[][]): Cells {
  const rows: string[][] = [];
  const lines: number[] = [];
  let line = 1;
  for (const row of data) {
    const start = line;
    line += 1;
    for (const cell of row) line += countBreaks(cell);
    const cells = row.map((cell) => cell.trim());
    if (cells.every((cell) => cell === '')) continue;
    refuseLarge(cells, start, rows.length);
    rows.push(cells);
    lines.push(start);
  }
  return { rows, lines };
}

function refuseLarge(cells: readonly string[], line: number, count: number): void {
  const { rows, columns, cellLength } = TABLE_LIMITS;
  // A header is one row more.
  if (count > rows) throw new TableRefused(`There are more than ${say(rows)} rows.`, line, 1);
  if (cells.length > columns) throw new TableRefused(`The row has more than ${columns} cells.`, line, 1);
  const long = cells.findIndex((cell) => cell.length > cellLength);
  if (long < 0) return;
  const before = cells.slice(0, long).reduce((sum, cell) => sum + cell.length + 1, 1);
  throw new TableRefused(`Cell ${long + 1} is longer than ${say(cellLength)} characters.`, line, before);
}

const say = (count: number) => count.toLocaleString('en-US');

function countBreaks(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) count++;
  return count;
}

/** Control characters but tab and line feed, and halves of a pair of UTF-16 that stand alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const NO_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f\ud800-\udfff]/u;

function refuseNoText(text: string): void {
  const match = NO_TEXT.exec(text);
  if (!match) return;
  const code = match[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  throw refuseAt(text, match.index, `Here is a character that is no text (U+${code}).`);
}

function refuseAt(text: string, index: number, problem: string): TableRefused {
  const before = text.slice(0, index);
  const start = before.lastIndexOf('\n') + 1;
  return new TableRefused(problem, 1 + countBreaks(before), index - start + 1);
}

/** The lines that decide what separates cells. */
const SAMPLE_LINES = 100;

/**
 * A tab anywhere outside of quotes separates cells: nobody types one into a name. Otherwise it is the semicolon or the
 * comma, whichever most lines have equally often; the semicolon where both do, because its cells may hold commas.
 */
function findSeparator(text: string): Separator {
  const counts: Record<Separator, number>[] = [];
  let line = { '\t': 0, ',': 0, ';': 0 };
  let isQuoted = false;
  let isBlank = true;
  for (let i = 0; i < text.length && counts.length < SAMPLE_LINES; i++) {
    const char = text[i]!;
    if (char === '"') isQuoted = !isQuoted;
    if (char === '\n' && !isQuoted) {
      if (!isBlank) counts.push(line);
      line = { '\t': 0, ',': 0, ';': 0 };
      isBlank = true;
      continue;
    }
    isBlank = false;
    if (!isQuoted && (char === '\t' || char === ',' || char === ';')) line[char]++;
  }
  if (!isBlank) counts.push(line);
  if (counts.some((entry) => entry['\t'] > 0)) return '\t';
  const agreement = (separator: Separator) => {
    const byCount = new Map<number, number>();
    for (const entry of counts) {
      if (entry[separator] > 0) byCount.set(entry[separator], (byCount.get(entry[separator]) ?? 0) + 1);
    }
    return Math.max(0, ...byCount.values());
  };
  return agreement(';') > 0 && agreement(';') >= agreement(',') ? ';' : ',';
}

/** Words that head a column of a list of names. Compared without case, spaces and marks between. */
const HEADINGS = new Set(
  (
    'name names fullname firstname lastname surname forename givenname familyname nickname initials title text line ' +
    'line1 line2 line3 word words message date year number no nr id qty quantity size color team position role ' +
    'department company email serial vorname nachname nom prenom prénom nombre apellido'
  ).split(' '),
);

const isNumeric = (cell: string) => /^[\d\s.,:/+\-#%]+$/.test(cell);

/**
 * True when the first row looks like a header: there are rows after it, its cells are all filled, short and different,
 * and none is a number; and one of them is a name that the design asks for (`names`), or a usual word such as “First
 * name”, or heads a column of numbers.
 */
export function looksLikeHeader({ rows }: Cells, names: readonly string[] = []): boolean {
  const [first, ...others] = rows;
  if (!first || others.length === 0) return false;
  const keys = first.map(toColumnKey);
  if (new Set(keys).size < keys.length) return false;
  if (first.some((cell) => cell === '' || cell.length > 40 || cell.includes('\n') || isNumeric(cell))) return false;
  const asks = new Set(names.map(toColumnKey));
  if (keys.some((key) => asks.has(key) || HEADINGS.has(key))) return true;
  return first.some((_, i) => others.every((row) => row[i] !== undefined && isNumeric(row[i]!)));
}

/** The longest name of a column: it stands in a text as `{name}`. */
const NAME_LENGTH = 60;

/** Makes a table of cells. Without a header its columns are “Column 1” and so on. Throws TableRefused for no row. */
export function toTable(cells: Cells, hasHeader: boolean): Table {
  const { rows, lines } = cells;
  const body = hasHeader ? rows.slice(1) : rows;
  if (body.length === 0) throw new TableRefused('There is no row.', 1, 1);
  if (body.length > TABLE_LIMITS.rows) {
    throw new TableRefused(`There are more than ${say(TABLE_LIMITS.rows)} rows.`, lines.at(-1)!, 1);
  }
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const columns: string[] = [];
  const keys = new Set<string>();
  for (let i = 0; i < width; i++) {
    const base = (hasHeader && rows[0]![i]?.replace(/\s+/gu, ' ').slice(0, NAME_LENGTH)) || `Column ${i + 1}`;
    let name = base;
    for (let n = 2; keys.has(toColumnKey(name)); n++) name = `${base} ${n}`;
    keys.add(toColumnKey(name));
    columns.push(name);
  }
  return {
    hasHeader,
    columns,
    rows: body.map((row) => columns.map((_, i) => row[i] ?? '')),
    lines: hasHeader ? lines.slice(1) : lines,
  };
}

/**
 * Writes a table as CSV with commas, `\r\n` and a byte order mark, as spreadsheets expect it. A cell that a spreadsheet
 * would take for a formula gets an apostrophe in front (OWASP, CSV injection).
 */
export function writeCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const text = Papa.unparse({ fields: [...columns], data: rows.map((row) => [...row]) }, { escapeFormulae: true });
  return `\ufeff${text}\r\n`;
}
