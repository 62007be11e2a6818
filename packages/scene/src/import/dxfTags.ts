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
  let record: { kind: string; tags: DxfTag[] } | undefined;
  let isNamed = true;
  let hasEnd = false;
  let recordCount = 0;
  let tagCount = 0;

  for (const { code, value } of readTags(text)) {
    if (++tagCount > CONTOUR_FILE_LIMITS.tags) throw new FileRefused('This file has too many parts.');
    if (code === 999) continue; // a comment
    if (code === 0) {
      record = undefined;
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
      record = { kind: value, tags: [] };
      records.push(record);
    } else record?.tags.push({ code, value });
  }
  if (!sections.has('ENTITIES')) throw new FileRefused('This file is no DXF drawing, or holds no entities.');
  if (!hasEnd) throw damage('it breaks off before its end');
  return sections;
}

function* readTags(text: string): Generator<DxfTag> {
  let at = 0;
  const readLine = (): string | undefined => {
    if (at >= text.length) return undefined;
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    const line = text.slice(at, text[stop - 1] === '\r' ? stop - 1 : stop);
    at = stop + 1;
    return line;
  };
  for (let codeLine = readLine(); codeLine !== undefined; codeLine = readLine()) {
    const codeText = codeLine.trim();
    // Blank lines at the end are common.
    if (codeText === '' && text.slice(at).trim() === '') return;
    if (!/^-?\d{1,4}$/.test(codeText)) throw damage('a line that must be a group code is none');
    const value = readLine();
    if (value === undefined) throw damage('it breaks off inside a pair');
    yield { code: Number(codeText), value: value.trim() };
  }
}

/** Returns the first value of a code as text. */
export const textOf = ({ tags }: DxfRecord, code: number): string | undefined =>
  tags.find((tag) => tag.code === code)?.value;

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
