/** The pairs of a DXF file: a group code and a value, each on a line of its own. */
import { CONTOUR_FILE_LIMITS, FileRefused } from './contourFile.ts';
import { isSpace, parseDecimal } from './decimal.ts';

/** The sections of a file: the numbers of their records. The header's variables are records of the kind `$NAME`. */
export type DxfSections = ReadonlyMap<string, readonly number[]>;

const damage = (what: string) => new FileRefused(`This DXF file is damaged: ${what}.`);

/**
 * The records of a file (entities and others) by their numbers, and their pairs in order. Pairs are places in the text:
 * 20,000 dots have 400,000 records with two million pairs, and as objects they took 200 MB.
 */
export class DxfRecords {
  readonly #text: string;
  readonly #kinds: string[] = [];
  /** The first pair of each record. */
  #firsts = new Int32Array(1024);
  /** The group code of each pair, and where its value lies. */
  #codes = new Int16Array(4096);
  #starts = new Int32Array(4096);
  #ends = new Int32Array(4096);
  #pairs = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Begins a record and returns its number. */
  begin(kind: string): number {
    const record = this.#kinds.push(kind) - 1;
    if (record === this.#firsts.length) this.#firsts = larger(this.#firsts, new Int32Array(2 * record));
    this.#firsts[record] = this.#pairs;
    return record;
  }

  /** Adds a pair to the record that was begun last. */
  add(code: number, start: number, end: number): void {
    const pair = this.#pairs++;
    if (pair === this.#codes.length) {
      this.#codes = larger(this.#codes, new Int16Array(2 * pair));
      this.#starts = larger(this.#starts, new Int32Array(2 * pair));
      this.#ends = larger(this.#ends, new Int32Array(2 * pair));
    }
    this.#codes[pair] = code;
    this.#starts[pair] = start;
    this.#ends[pair] = end;
  }

  get count(): number {
    return this.#kinds.length;
  }

  kindOf = (record: number): string => this.#kinds[record]!;

  /** The numbers of a record's pairs: from `firstOf` to before `endOf`. */
  firstOf = (record: number): number => this.#firsts[record]!;
  endOf = (record: number): number => (record + 1 < this.#kinds.length ? this.#firsts[record + 1]! : this.#pairs);

  codeAt = (pair: number): number => this.#codes[pair]!;

  /** Returns the value of a pair as a number. Throws `FileRefused` for one that cannot be read. */
  numberAt(pair: number): number {
    const value = parseDecimal(this.#text, this.#starts[pair]!, this.#ends[pair]!);
    return value !== undefined && Math.abs(value) <= MAX_NUMBER ? value : parseDxfNumber(this.#textAt(pair));
  }

  /** Returns the first value of a code as text. */
  textOf(record: number, code: number): string | undefined {
    const pair = this.#find(record, code);
    return pair < 0 ? undefined : this.#textAt(pair);
  }

  /** Returns the first value of a code as a number; `fallback` if there is none. Throws for one that cannot be read. */
  numberOf(record: number, code: number, fallback?: number): number {
    const pair = this.#find(record, code);
    if (pair >= 0) return this.numberAt(pair);
    return fallback ?? parseDxfNumber(undefined);
  }

  #find(record: number, code: number): number {
    const end = this.endOf(record);
    for (let pair = this.#firsts[record]!; pair < end; pair++) if (this.#codes[pair] === code) return pair;
    return -1;
  }

  #textAt = (pair: number): string => this.#text.slice(this.#starts[pair], this.#ends[pair]);
}

function larger<A extends Int16Array | Int32Array>(values: A, more: A): A {
  more.set(values);
  return more;
}

/**
 * Splits a text DXF into the records of its sections. Throws `FileRefused` for anything that is no text DXF, breaks off
 * or exceeds the limits. Cost: linear in the text.
 */
export function readDxfSections(text: string): { readonly sections: DxfSections; readonly records: DxfRecords } {
  const sections = new Map<string, number[]>();
  const records = new DxfRecords(text);
  let section: number[] | undefined;
  let isInRecord = false;
  let isNamed = true;
  let hasEnd = false;
  let recordCount = 0;
  let tagCount = 0;

  const reader = new TagReader(text);
  while (reader.next()) {
    const { code } = reader;
    if (++tagCount > CONTOUR_FILE_LIMITS.tags) throw new FileRefused('This file has too many parts.');
    if (code === 999) continue; // a comment
    if (code === 0) {
      const kind = reader.value();
      isInRecord = false;
      if (kind === 'EOF') {
        hasEnd = true;
        break;
      }
      if (kind === 'SECTION') {
        section = undefined;
        isNamed = false;
        continue;
      }
      if (kind === 'ENDSEC') {
        section = undefined;
        continue;
      }
      if (!section) continue;
      if (++recordCount > CONTOUR_FILE_LIMITS.records) throw new FileRefused('This file has too many parts.');
      section.push(records.begin(kind));
      isInRecord = true;
    } else if (code === 2 && !isNamed) {
      isNamed = true;
      const name = reader.value();
      section = sections.get(name) ?? [];
      sections.set(name, section);
    } else if (code === 9 && section) {
      section.push(records.begin(reader.value()));
      isInRecord = true;
    } else if (isInRecord) records.add(code, reader.start, reader.end);
  }
  if (!sections.has('ENTITIES')) throw new FileRefused('This file is no DXF drawing, or holds no entities.');
  if (!hasEnd) throw damage('it breaks off before its end');
  return { sections, records };
}

/** Reads a file's pairs one after the other. It keeps the last one alone: a file has millions. */
class TagReader {
  readonly #text: string;
  #at = 0;
  #last = '';
  code = 0;
  /** Where the value lies, without the white space around it. */
  start = 0;
  end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Goes on to the next pair; false at the end. */
  next(): boolean {
    if (this.#at >= this.#text.length) return false;
    this.code = this.#readPlainCode();
    if (this.code < 0) {
      this.#readLine();
      const codeText = this.#text.slice(this.start, this.end);
      // Blank lines at the end are common.
      if (codeText === '' && this.#text.slice(this.#at).trim() === '') return false;
      if (!/^-?\d{1,4}$/.test(codeText)) throw damage('a line that must be a group code is none');
      this.code = Number(codeText);
    }
    if (this.#at >= this.#text.length) throw damage('it breaks off inside a pair');
    this.#readLine();
    return true;
  }

  /** Returns the value as text. Most records are of the kind of the one before them: one text stands for them all. */
  value(): string {
    const text = this.#text;
    const length = this.end - this.start;
    if (length !== this.#last.length || !text.startsWith(this.#last, this.start)) {
      this.#last = text.slice(this.start, this.end);
    }
    return this.#last;
  }

  /** Takes a line, and notes where it lies without the white space around it. */
  #readLine(): void {
    const text = this.#text;
    let end = text.indexOf('\n', this.#at);
    if (end < 0) end = text.length;
    let start = this.#at;
    this.#at = Math.min(end + 1, text.length);
    while (start < end && isSpace(text.charCodeAt(start))) start++;
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
    this.start = start;
    this.end = end;
  }

  /** Returns the number of a line of one to four digits; -1 for another line, which is not taken. */
  #readPlainCode(): number {
    const text = this.#text;
    let i = this.#at;
    while (text.charCodeAt(i) === 32) i++;
    const start = i;
    let code = 0;
    for (let char = text.charCodeAt(i); char >= 48 && char <= 57; char = text.charCodeAt(++i)) {
      code = 10 * code + char - 48;
    }
    const digits = i - start;
    if (text.charCodeAt(i) === 13) i++;
    if (digits < 1 || digits > 4 || text.charCodeAt(i) !== 10) return -1;
    this.#at = i + 1;
    return code;
  }
}

/** Parses a coordinate, angle, ratio or flag. Throws `FileRefused` for anything else than a finite number. */
export function parseDxfNumber(text: string | undefined): number {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  if (!(Math.abs(value) <= MAX_NUMBER)) throw damage('a number in it cannot be read');
  return value;
}
const MAX_NUMBER = 1e12;
