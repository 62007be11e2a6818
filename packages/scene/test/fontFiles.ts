/** Fonts for tests: bundled ones, and small ones that are built byte by byte, most of them hostile. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { findFontPath } from '@markwright/fonts/files';

/** Returns the bytes of a bundled font, a WOFF2. */
export const bundledFont = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(findFontPath(`${name}-latin-400-normal.woff2`)!));

const u16 = (...values: readonly number[]) => values.flatMap((value) => [(value >> 8) & 255, value & 255]);
const u32 = (...values: readonly number[]) => values.flatMap((value) => [...u16(value >>> 16), ...u16(value & 0xffff)]);
const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

type Table = readonly number[] | Uint8Array;

/** Returns where the first table begins, and where each ends. */
function endsOf(tables: readonly Table[], start: number): number[] {
  const ends = [start];
  for (const { length } of tables) ends.push(ends.at(-1)! + length);
  return ends;
}

function sfnt(kind: string, tables: Readonly<Record<string, Table>>): Uint8Array {
  const entries = Object.entries(tables);
  const head = [...letters(kind), ...u16(entries.length, 0, 0, 0)];
  let offset = 12 + 16 * entries.length;
  for (const [tag, { length }] of entries) {
    head.push(...letters(tag), ...u32(0, offset, length));
    offset += length;
  }
  return Buffer.concat([Uint8Array.from(head), ...entries.map(([, table]) => Uint8Array.from(table))]);
}

interface FontFields {
  readonly unitsPerEm?: number;
  readonly numGlyphs?: number;
  readonly cmap?: Table;
  readonly others?: Readonly<Record<string, Table>>;
}

const TRUE_TYPE = '\0\x01\0\0';
const cmapOf = (...groups: readonly (readonly [number, number, number])[]) => [
  ...u16(0, 1, 3, 10),
  ...u32(12),
  ...u16(12, 0),
  ...u32(16 + 12 * groups.length, 0, groups.length, ...groups.flat()),
];

function commonTables(glyphCount: number, { unitsPerEm = 1000, numGlyphs = glyphCount, cmap, others }: FontFields) {
  const head = [...u32(0x10000, 0, 0, 0x5f0f3cf5), ...u16(0, unitsPerEm), ...u32(0, 0, 0, 0)];
  return {
    'OS/2': Array(96).fill(0),
    cmap: cmap ?? cmapOf([65, 64 + Math.max(1, glyphCount - 1), 1]),
    head: [...head, ...u16(0, 0, 1000, 1000, 0, 8, 2, 1, 0)],
    hhea: [...u32(0x10000), ...u16(800, -200, 0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)],
    hmtx: [...u16(600, 0), ...Array(2 * Math.max(0, glyphCount - 1)).fill(0)],
    maxp: [...u32(0x10000), ...u16(numGlyphs), ...Array(26).fill(0)],
    ...others,
  };
}

/** Returns a TrueType font of these glyphs, the first one for missing letters and then A, B, C … */
export function trueType(glyphs: readonly Table[], fields: FontFields = {}): Uint8Array {
  const even = glyphs.map((glyph) => [...glyph, ...(glyph.length % 2 ? [0] : [])]);
  const ends = endsOf(even, 0);
  const tables = { ...commonTables(glyphs.length, fields), glyf: even.flat(), loca: u32(...ends) };
  return sfnt(TRUE_TYPE, tables);
}

/** Returns a glyph of one contour through points that are all on it. */
export function contour(points: readonly (readonly [x: number, y: number])[]): number[] {
  const axis = (i: 0 | 1) => points.flatMap((point, at) => u16(point[i] - (points[at - 1]?.[i] ?? 0)));
  return [...u16(1, 0, 0, 0, 0, points.length - 1, 0), ...points.map(() => 1), ...axis(0), ...axis(1)];
}

/** Returns a glyph that is made of others, each moved to the right by as many units. */
export const composite = (ids: readonly number[], dx = 10): number[] => [
  ...u16(0xffff, 0, 0, 0, 0),
  ...ids.flatMap((id, i) => u16(3 | (i < ids.length - 1 ? 32 : 0), id, dx, 0)),
];

const box = contour([
  [0, 0],
  [500, 0],
  [500, 700],
  [0, 700],
]);

const index = (items: readonly Table[]): number[] => {
  const ends = endsOf(items, 1);
  return items.length === 0
    ? u16(0)
    : [...u16(items.length), 4, ...u32(...ends), ...items.flatMap((item) => [...item])];
};

/** Returns a PostScript font with these charstrings and global subroutines. */
function postScript(charstrings: readonly Table[], subroutines: readonly Table[] = []): Uint8Array {
  const make = (charStringsAt: number) => [
    ...[1, 0, 4, 4],
    ...index([letters('Hostile')]),
    ...index([[29, ...u32(charStringsAt), 17]]),
    ...index([]),
    ...index(subroutines),
  ];
  const start = make(make(0).length);
  return sfnt('OTTO', { ...commonTables(charstrings.length, {}), 'CFF ': [...start, ...index(charstrings)] });
}

const CALL_GSUBR = 29;
const RETURN = 11;
const ENDCHAR = 14;
/** Subroutines are called by their number less 107, and a number is written as itself and 139. */
const call = (subroutine: number) => [subroutine - 107 + 139, CALL_GSUBR];
const square = [139, 139, 21, 247, 136, 139, 5, 139, 247, 136, 5, ENDCHAR];

/** Returns a WOFF2 whose directory says these lengths, around a brotli stream. */
function woff2(lengths: readonly number[], stream: Uint8Array): Uint8Array {
  const base128 = (value: number) =>
    [28, 21, 14, 7, 0]
      .map((shift, i) => (Math.floor(value / 2 ** shift) & 127) | (i < 4 ? 128 : 0))
      .slice(value >= 2 ** 28 ? 0 : 1);
  const directory = lengths.flatMap((length, i) => [i, ...base128(length)]);
  const head = [...letters('wOF2'), ...u32(0x10000, 48 + directory.length + stream.length), ...u16(lengths.length, 0)];
  head.push(...u32(0xffffffff, stream.length), ...u16(1, 0), ...u32(0, 0, 0, 0, 0));
  return Buffer.concat([Uint8Array.from([...head, ...directory]), stream]);
}

/** A table of substitutions whose one lookup, for A, applies itself: format 3 of a context. */
const circularSubstitution = [
  ...u16(1, 0, 10, 30, 44),
  ...[...u16(1), ...letters('DFLT'), ...u16(8), ...u16(4, 0), ...u16(0, 0xffff, 1, 0)], // 20 bytes
  ...[...u16(1), ...letters('calt'), ...u16(8), ...u16(0, 1, 0)], // 14 bytes
  ...[...u16(1, 4), ...u16(5, 0, 1, 8)],
  ...[...u16(3, 1, 1), ...u16(12), ...u16(0, 0), ...u16(1, 1, 1)],
];

export const plainTrueType = (): Uint8Array => trueType([box, box, composite([1])]);
export const circularFont = (): Uint8Array => trueType([box, box], { others: { GSUB: circularSubstitution } });
export const plainPostScript = (): Uint8Array => postScript([square, square]);

const doubling = (glyphs: number) =>
  Array.from({ length: glyphs }, (_, i) => (i < 2 ? box : composite([i - 1, i - 1])));
const manyPoints = contour(Array.from({ length: 2000 }, (_, i) => [i % 100, (i * 7) % 90] as const));

/** All glyphs of a font lie at the same place. */
function sameGlyph(count: number): Uint8Array {
  const loca = u32(...Array.from({ length: count + 1 }, (_, i) => (i % 2) * manyPoints.length));
  return sfnt(TRUE_TYPE, { ...commonTables(2, { numGlyphs: count }), glyf: manyPoints, loca });
}

const patch = (bytes: Uint8Array, tag: string, offset: number, values: readonly number[]): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  const at = Buffer.from(copy).indexOf(tag, 0, 'latin1');
  copy.set(values, at + offset);
  return copy;
};

/** Zeros of 128 MB take 5 s to compress at the default quality. */
const quickBrotli = { [constants.BROTLI_PARAM_QUALITY]: 1 };

/** Files that are refused, each within milliseconds, and the words of the refusal. */
export function hostileFonts(): readonly (readonly [name: string, bytes: Uint8Array, sentence: RegExp])[] {
  const damage = /damaged/;
  const font = plainTrueType();
  const loop = (...glyphs: number[][]) => trueType([box, ...glyphs]);
  return [
    ['nothing', new Uint8Array(), /no font/],
    ['text', Buffer.from('true'.repeat(99)), damage],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /no font/],
    ['a WOFF of the first version', Buffer.from('wOFF\0\x01\0\0'), /no font/],
    ['a collection', Buffer.from('ttcf\0\x01\0\0'), /several fonts/],
    ['more than 5 MB', Buffer.concat([font, Buffer.alloc(5 * 2 ** 20)]), /up to 5 MB/],
    ['its first 300 bytes', font.subarray(0, 300), damage],
    ['half a WOFF2', bundledFont('rye').subarray(0, 9000), damage],
    ['a table of four gigabytes', patch(font, 'glyf', 12, u32(0xffffffff)), damage],
    ['a table beyond the end', patch(font, 'glyf', 8, u32(0x7fffff00)), damage],
    ['a table of no bytes', patch(font, 'hmtx', 12, u32(0)), damage],
    ['65,535 tables', patch(font, TRUE_TYPE, 4, u16(0xffff)), damage],
    ['a glyph that contains itself', loop(composite([1])), damage],
    ['two glyphs that contain each other', loop(composite([2]), composite([1])), damage],
    ['glyphs that are not there', loop(composite([900])), damage],
    [
      'glyphs in glyphs, 60 deep',
      trueType(Array.from({ length: 60 }, (_, i) => (i < 2 ? box : composite([i - 1])))),
      damage,
    ],
    [
      'glyphs of two glyphs, 8 deep and wide',
      trueType([...doubling(8), composite(Array(500).fill(7)), composite([8])]),
      /more outlines/,
    ],
    [
      'coordinates far away',
      loop(
        contour([
          [0, 0],
          [32_000, 9],
          [9, 32_000],
        ]),
      ),
      /far outside/,
    ],
    [
      'coordinates that add up',
      loop(
        contour([
          [0, 0],
          [9000, 0],
          [0, 9],
        ]),
        composite([1], 9000),
      ),
      /far outside/,
    ],
    ['65,535 glyphs of 2,000 points', sameGlyph(65_535), /more outlines/],
    ['65,535 glyphs and room for two', trueType([box, box], { numGlyphs: 65_535 }), damage],
    ['no glyphs', trueType([box], { numGlyphs: 0 }), damage],
    ['no units', trueType([box, box], { unitsPerEm: 0 }), damage],
    ['glyphs without letters', trueType([box, box], { cmap: cmapOf() }), /no letters/],
    ['letters without outlines', trueType([box, []]), /no letters/],
    [
      'four billion groups of letters',
      trueType([box, box], { cmap: [...u16(0, 1, 3, 10), ...u32(12), ...u16(12, 0), ...u32(16, 0, 0xffffffff)] }),
      damage,
    ],
    ['no outlines', sfnt(TRUE_TYPE, commonTables(2, {})), /no outlines/],
    ['a WOFF2 of four gigabytes', woff2([0xfffffff, 0xfffffff], brotliCompressSync(Buffer.alloc(9))), /more outlines/],
    ['a WOFF2 with negative lengths', woff2([0xffffffff], brotliCompressSync(Buffer.alloc(9))), damage],
    [
      'a WOFF2 that unpacks to more than it says',
      woff2([900, 900, 900], brotliCompressSync(Buffer.alloc(2 ** 27), { params: quickBrotli })),
      /damaged|no outlines/,
    ],
    ['a charstring that calls itself', postScript([square, [...call(0), ENDCHAR]], [call(0)]), damage],
    ['two charstrings that call each other', postScript([square, call(0)], [call(1), call(0)]), damage],
    ['a charstring of nothing known', postScript([square, [2, 2, 2]]), damage],
    [
      'a charstring far away',
      postScript([square, [139, 139, 21, ...Array(9).fill([28, 0x7f, 0xff, 139, 5]).flat(), ENDCHAR]]),
      /far outside/,
    ],
  ];
}

/** Files that take any time: only the limits of a process end them. */
export function endlessFonts(): readonly (readonly [name: string, bytes: Uint8Array])[] {
  const doublingCalls = Array.from({ length: 40 }, (_, i) =>
    i === 0 ? [RETURN] : [...call(i - 1), ...call(i - 1), RETURN],
  );
  const roll = [255, 0x7f, 0xff, 0, 0];
  const manyRolls = Array.from({ length: 6 }, (_, i) =>
    i === 0
      ? [139, 139, 140, ...roll, 12, 30, RETURN]
      : Array(900)
          .fill(call(i - 1))
          .flat(),
  );
  return [
    ['charstrings that call two each, 40 deep', postScript([square, [...call(39), ENDCHAR]], doublingCalls)],
    ['numbers that are rolled for hours', postScript([square, [...call(5), ENDCHAR]], manyRolls)],
  ];
}
