/** The pairs of a DXF file: a group code and a value, each on a line of its own. */
import { CONTOUR_FILE_LIMITS, FileRefused } from './contourFile.ts';

interface DxfTag {
  readonly code: number;
  readonly value: string;
}

/** An entity, or another record: its kind, and its pairs in order. */
export interface DxfRecord {
  readonly kind: string;
  readonly tags: readonly DxfTag[];
}

/** The sections of a file by name. The header's variables are records of the kind `$NAME`. */
export type DxfSections = ReadonlyMap<string, readonly DxfRecord[]>;

const damage = (what: string) => new FileRefused(`This DXF file is damaged: ${what}.`);

/**
 * Splits a text DXF into the records of its sections. Throws `FileRefused` for anything that is no text DXF, breaks off
 * or exceeds the limits. Cost: linear in the text.
 */
export function readDxfSections(text: string): DxfSections {
  const sections = new Map<string, DxfRecord[]>();
  let records: DxfRecord[] | undefined;
  let record: { kind: string; tags: readonly DxfTag[] } | undefined;
  /** Of the record that is read. A list that grows has room for twice as many. */
  const tags: DxfTag[] = [];
  const latest = new Map<number, DxfTag>();
  let isNamed = true;
  let hasEnd = false;
  let recordCount = 0;
  let tagCount = 0;
  const endRecord = () => {
    if (record) record.tags = tags.slice();
    record = undefined;
    tags.length = 0;
  };

  const reader = new TagReader(text);
  while (reader.next()) {
    const { code, value } = reader;
    if (++tagCount > CONTOUR_FILE_LIMITS.tags) throw new FileRefused('This file has too many parts.');
    if (code === 999) continue; // a comment
    if (code === 0) {
      endRecord();
      if (value === 'EOF') {
        hasEnd = true;
        break;
      }
      if (value === 'SECTION') {
        records = undefined;
        isNamed = false;
        continue;
      }
      if (value === 'ENDSEC') {
        records = undefined;
        continue;
      }
      if (!records) continue;
      if (++recordCount > CONTOUR_FILE_LIMITS.records) throw new FileRefused('This file has too many parts.');
      record = { kind: value, tags: [] };
      records.push(record);
    } else if (code === 2 && !isNamed) {
      isNamed = true;
      records = sections.get(value) ?? [];
      sections.set(value, records);
    } else if (code === 9 && records) {
      endRecord();
      record = { kind: value, tags: [] };
      records.push(record);
    } else if (record) {
      // Most pairs are as the last one of their code: the layer, the color, a z of 0. One object stands for them all.
      let tag = latest.get(code);
      if (tag?.value !== value) {
        tag = { code, value };
        latest.set(code, tag);
      }
      tags.push(tag);
    }
  }
  endRecord();
  if (!sections.has('ENTITIES')) throw new FileRefused('This file is no DXF drawing, or holds no entities.');
  if (!hasEnd) throw damage('it breaks off before its end');
  return sections;
}

/** Reads a file's pairs one after the other. It keeps the last one alone: a file has millions. */
class TagReader {
  readonly #text: string;
  #at = 0;
  code = 0;
  value = '';

  constructor(text: string) {
    this.#text = text;
  }

  /** Goes on to the next pair; false at the end. */
  next(): boolean {
    if (this.#at >= this.#text.length) return false;
    this.code = this.#readPlainCode();
    if (this.code < 0) {
      const codeText = this.#readLine();
      // Blank lines at the end are common.
      if (codeText === '' && this.#text.slice(this.#at).trim() === '') return false;
      if (!/^-?\d{1,4}$/.test(codeText)) throw damage('a line that must be a group code is none');
      this.code = Number(codeText);
    }
    if (this.#at >= this.#text.length) throw damage('it breaks off inside a pair');
    this.value = this.#readLine();
    return true;
  }

  /** Returns a line without the white space around it. */
  #readLine(): string {
    const end = this.#text.indexOf('\n', this.#at);
    const line = this.#text.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return line.trim();
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

/** Returns the first value of a code as text. */
export function textOf({ tags }: DxfRecord, code: number): string | undefined {
  for (const tag of tags) if (tag.code === code) return tag.value;
  return undefined;
}

/** Returns the first value of a code as a number; `fallback` if there is none. Throws for one that cannot be read. */
export function numberOf(record: DxfRecord, code: number, fallback?: number): number {
  const text = textOf(record, code);
  if (text === undefined && fallback !== undefined) return fallback;
  return parseDxfNumber(text);
}

/** Parses a coordinate, angle, ratio or flag. Throws `FileRefused` for anything else than a finite number. */
export function parseDxfNumber(text: string | undefined): number {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  if (!(Math.abs(value) <= MAX_NUMBER)) throw damage('a number in it cannot be read');
  return value;
}
const MAX_NUMBER = 1e12;
