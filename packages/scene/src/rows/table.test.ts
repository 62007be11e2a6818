import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeHeader, readCells, TABLE_LIMITS, TableRefused, toTable, writeCsv } from './table.ts';

const read = (source: string | Uint8Array) => readCells(source).rows;

function refusal(source: string | Uint8Array): TableRefused {
  try {
    readCells(source);
  } catch (error) {
    if (error instanceof TableRefused) return error;
    throw error;
  }
  throw new Error('The table was read.');
}

function toUtf16(text: string, { isBig = false, hasMark = true } = {}): Uint8Array {
  const units = [...(hasMark ? [0xfeff] : []), ...Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))];
  return new Uint8Array(units.flatMap((unit) => (isBig ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8])));
}

describe('reading cells', () => {
  it('takes tabs, commas and semicolons, and keeps the others in the cells', () => {
    expect(read('Anna\t1,5; blue\nBen\t2\n')).toEqual([
      ['Anna', '1,5; blue'],
      ['Ben', '2'],
    ]);
    expect(read('Anna,"Smith, PhD"\nBen,Ode')).toEqual([
      ['Anna', 'Smith, PhD'],
      ['Ben', 'Ode'],
    ]);
    expect(read('Anna;1,5\nBen;2,5')).toEqual([
      ['Anna', '1,5'],
      ['Ben', '2,5'],
    ]);
    expect(read('Anna\nBen\n')).toEqual([['Anna'], ['Ben']]);
  });

  it('decides by the bytes what encoding a file has', () => {
    const text = 'Name,Stadt\r\nZoë,Łódź\r\n';
    const rows = [
      ['Name', 'Stadt'],
      ['Zoë', 'Łódź'],
    ];
    const utf8 = new TextEncoder().encode(text);
    expect(read(utf8)).toEqual(rows);
    expect(read(new Uint8Array([0xef, 0xbb, 0xbf, ...utf8]))).toEqual(rows);
    for (const isBig of [false, true]) {
      for (const hasMark of [true, false]) expect(read(toUtf16(text, { isBig, hasMark }))).toEqual(rows);
    }
    // Excel’s plain “CSV” in Western Europe.
    expect(read(new Uint8Array([0x5a, 0x6f, 0xeb, 0x0a]))).toEqual([['Zoë']]);
  });

  it('takes mixed line ends, lines in quotes, formulas as text, and leaves blank rows out', () => {
    const { rows, lines } = readCells('a,"two\r\nlines"\r\rb,=1+1\n\n,\n" c ""x"" ",-2');
    expect(rows).toEqual([
      ['a', 'two\nlines'],
      ['b', '=1+1'],
      ['c "x"', '-2'],
    ]);
    expect(lines).toEqual([1, 4, 7]);
  });

  it('refuses what is no text with line and column', () => {
    expect(refusal('Anna\nB\0en')).toMatchObject({ line: 2, column: 2 });
    expect(refusal('Anna\r\n"B\r\nen",\u0007')).toMatchObject({ line: 3, column: 5 });
    expect(refusal('Anna\nBen \ud83d!').message).toMatch(/^Line 2, column 5: .*U\+D83D/);
    expect(refusal('Anna,1\n"Ben,2\nCleo,3').message).toMatch(/^Line 2, column 1: A quotation mark opens/);
    expect(refusal('Anna,1\nBen,"x"y,1').line).toBe(2);
  });

  it('refuses what is too large with line and column', () => {
    expect(refusal(`a,${'x'.repeat(TABLE_LIMITS.cellLength + 1)}`)).toMatchObject({ line: 1, column: 3 });
    expect(refusal(`a\n${','.repeat(TABLE_LIMITS.columns)}b`)).toMatchObject({ line: 2 });
    expect(refusal('a\n'.repeat(TABLE_LIMITS.rows + 2))).toMatchObject({ line: TABLE_LIMITS.rows + 2 });
    expect(read('a\n'.repeat(TABLE_LIMITS.rows))).toHaveLength(TABLE_LIMITS.rows);
  });
});

describe('a header', () => {
  const isHeader = (text: string, names?: string[]) => looksLikeHeader(readCells(text), names);

  it('is told by the design’s own names, by usual words and by numbers below it', () => {
    expect(isHeader('Anna\nBen')).toBe(false);
    expect(isHeader('First name\nBen')).toBe(true);
    expect(isHeader('Spieler\nBen', ['spieler'])).toBe(true);
    expect(isHeader('Spieler,Trikot\nBen,7\nAda,12')).toBe(true);
    expect(isHeader('Anna,7\nBen,8')).toBe(false);
    expect(isHeader('Name')).toBe(false);
    expect(isHeader('Name,\nBen,7')).toBe(false);
  });

  it('names the columns, each differently; without it they are numbered', () => {
    const cells = readCells('Name,name,Size\nAnna,A');
    expect(toTable(cells, true)).toEqual({
      hasHeader: true,
      columns: ['Name', 'name 2', 'Size'],
      rows: [['Anna', 'A', '']],
      lines: [2],
    });
    expect(toTable(cells, false)).toMatchObject({ columns: ['Column 1', 'Column 2', 'Column 3'], lines: [1, 2] });
    expect(() => toTable(readCells(''), false)).toThrow(TableRefused);
  });
});

describe('written CSV', () => {
  it('is read back, with an apostrophe before what a spreadsheet would compute', () => {
    const rows = [
      ['Anna', 'a "b", c'],
      ['=1+1', 'two\nlines'],
      ['@x', '+1'],
    ];
    const csv = writeCsv(['Name', 'Note'], rows);
    expect(read(csv)).toEqual([
      ['Name', 'Note'],
      ['Anna', 'a "b", c'],
      ["'=1+1", 'two\nlines'],
      ["'@x", "'+1"],
    ]);
  });
});

describe('200 nasty tables', () => {
  const nasty = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('Anna', 'Łucja', 'José', '=SUM(A1:A9)', '-1', '@cmd', '#REF!') },
    { weight: 3, arbitrary: fc.constantFrom('שלום', 'مرحبا', '👩‍👩‍👧', '🇫🇷', 'e\u0301', '\u202eevil', 'a\u00a0b') },
    { weight: 2, arbitrary: fc.constantFrom('a,b', 'a;b', 'say "hi"', '"', 'two\nlines', 'two\r\nlines', '') },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3_000 }).map((length) => 'x'.repeat(length)) },
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  );
  const separators = [',', ';', '\t'] as const;

  it('are read right, or refused where the fault is', () => {
    let refusals = 0;
    const table = fc.array(fc.array(nasty, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 12 });
    const ends = fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 12, maxLength: 12 });
    const fault = fc.option(fc.record({ row: fc.nat(11), at: fc.nat(4) }), { freq: 5 });
    const source = fc.record({
      table,
      ends,
      fault,
      separator: fc.constantFrom(...separators),
      form: fc.constantFrom('text', 'utf8', 'utf16le', 'utf16be'),
    });
    fc.assert(
      fc.property(source, ({ table, ends, fault, separator, form }) => {
        const rows = table.map((row) => row.map((cell) => cell));
        if (fault) rows[fault.row % rows.length]![0] = `A${'b'.repeat(fault.at)}\0c`;
        const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
        const text = rows.map((row, i) => row.map(quote).join(separator) + ends[i]!).join('');
        const bytes = {
          text,
          utf8: new TextEncoder().encode(text),
          utf16le: toUtf16(text),
          utf16be: toUtf16(text, { isBig: true }),
        }[form]!;
        const clean = (cell: string) => cell.replace(/\r\n?/g, '\n').trim();
        const expectedRows = rows.map((row) => row.map(clean)).filter((row) => row.some((cell) => cell !== ''));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
        const isFaulty = /[\0-\x08\x0b-\x1f\x7f]|[\ud800-\udfff]/u.test(text.replace(/\r\n?/g, '\n'));
        const isHuge = rows.some((row) => row.some((cell) => clean(cell).length > TABLE_LIMITS.cellLength));
        if (!isFaulty && !isHuge) {
          expect(readCells(bytes, separator).rows).toEqual(expectedRows);
          return;
        }
        refusals++;
        const error = refusal(bytes);
        const lines = text.replace(/\r\n?/g, '\n').split('\n');
        expect(error.line).toBeLessThanOrEqual(lines.length);
        if (isFaulty) {
          // The character at the place is the one that is refused.
          expect(lines[error.line - 1]!.charCodeAt(error.column - 1)).toBeLessThan(0x20);
        }
      }),
      { numRuns: 200, seed: 21 },
    );
    expect(refusals).toBeGreaterThan(20);
  });
});
