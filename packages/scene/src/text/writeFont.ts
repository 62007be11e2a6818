/**
 * Writes an OpenType font of outlines alone (sfnt with CFF, CID-keyed): no hints, no programs, no pictures, no names
 * but its own. Sources: OpenType 1.9.1; Adobe Technical Notes 5176 (CFF, 2003) and 5177 (Type 2 charstrings, 2000).
 */
import type { PathCommand } from 'fontkit';

/** What a font says of itself, in its units, and its tables that are copied as they are. */
export interface FontFacts {
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly underlinePosition: number;
  readonly underlineThickness: number;
  readonly italicAngle: number;
  readonly weight: number;
  readonly capHeight: number;
  readonly xHeight: number;
  /** Glyph ids by code points, in the order of the code points. */
  readonly letters: readonly (readonly [codePoint: number, glyph: number])[];
  /** By their tags of four letters. */
  readonly copiedTables: ReadonlyMap<string, Uint8Array>;
}

/** Collects glyphs one after the other, by their ids. */
interface GlyphWriter {
  /**
   * Adds the next glyph. Coordinates are within ±`MAX_COORDINATE`; they are kept to 1/64 of a unit, and quadratic
   * curves become cubic ones, which is exact but for that.
   */
  add(commands: readonly PathCommand[], advance: number): void;
  /** Returns the font. Cost: linear in its bytes. */
  finish(facts: FontFacts): Uint8Array;
}

/** In units. A difference of two of them is a number that a charstring holds. */
export const MAX_COORDINATE = 16_383;
const FRACTION = 64;

/** Bytes that grow. Numbers are big-endian. */
function createBytes(capacity = 1024) {
  let buffer = new Uint8Array(capacity);
  let view = new DataView(buffer.buffer);
  let length = 0;
  const reserve = (count: number) => {
    if (length + count <= buffer.length) return;
    const larger = new Uint8Array(Math.max(2 * buffer.length, length + count));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
    view = new DataView(buffer.buffer);
  };
  const writer = {
    get length() {
      return length;
    },
    u8(...values: readonly number[]) {
      reserve(values.length);
      for (const value of values) buffer[length++] = value;
      return writer;
    },
    u16(...values: readonly number[]) {
      reserve(2 * values.length);
      for (const value of values) {
        view.setUint16(length, value & 0xffff);
        length += 2;
      }
      return writer;
    },
    u32(...values: readonly number[]) {
      reserve(4 * values.length);
      for (const value of values) {
        view.setUint32(length, value >>> 0);
        length += 4;
      }
      return writer;
    },
    append(bytes: Uint8Array) {
      reserve(bytes.length);
      buffer.set(bytes, length);
      length += bytes.length;
      return writer;
    },
    text: (letters: string) => writer.u8(...[...letters].map((letter) => letter.charCodeAt(0))),
    /** A view of what was written; the next write may move it. */
    bytes: () => buffer.subarray(0, length),
  };
  return writer;
}
type Bytes = ReturnType<typeof createBytes>;

const OP = { rlineto: 5, rrcurveto: 8, endchar: 14, rmoveto: 21 } as const;

/** Writes a number in 1/64 of a unit. */
function writeNumber(out: Bytes, value: number): void {
  if (value % FRACTION !== 0) out.u8(255).u32(value * (65_536 / FRACTION));
  else writeInteger(out, value / FRACTION);
}

function writeInteger(out: Bytes, value: number): void {
  if (value >= -107 && value <= 107) out.u8(value + 139);
  else if (value >= 108 && value <= 1131) out.u8(247 + ((value - 108) >> 8), (value - 108) & 255);
  else if (value >= -1131 && value <= -108) out.u8(251 + ((-value - 108) >> 8), (-value - 108) & 255);
  else out.u8(28).u16(value);
}

/** Writes the charstring of a glyph. */
function writeCharstring(out: Bytes, commands: readonly PathCommand[], advance: number): void {
  let x = 0;
  let y = 0;
  const quantize = (value: number) => Math.round(value * FRACTION);
  const delta = (points: readonly number[], op: number) => {
    for (let i = 0; i < points.length; i += 2) {
      const nextX = quantize(points[i]!);
      const nextY = quantize(points[i + 1]!);
      writeNumber(out, nextX - x);
      writeNumber(out, nextY - y);
      x = nextX;
      y = nextY;
    }
    out.u8(op);
  };
  // The width is the first number of a charstring.
  writeInteger(out, advance);
  let from = [0, 0] as readonly [number, number];
  for (const { command, args } of commands) {
    if (command === 'closePath') continue;
    const end = [args.at(-2)!, args.at(-1)!] as const;
    if (command === 'moveTo') delta(args, OP.rmoveto);
    else if (command === 'lineTo') delta(args, OP.rlineto);
    else if (command === 'bezierCurveTo') delta(args, OP.rrcurveto);
    else {
      const third = (axis: 0 | 1, start: number) => start + (2 / 3) * (args[axis]! - start);
      delta([third(0, from[0]), third(1, from[1]), third(0, end[0]), third(1, end[1]), ...end], OP.rrcurveto);
    }
    from = end;
  }
  out.u8(OP.endchar);
}

/** Writes the head of an INDEX whose data follow: `ends` are the ends of its items in the data. */
function writeIndexHead(out: Bytes, ends: readonly number[]): Bytes {
  out.u16(ends.length);
  if (ends.length === 0) return out;
  out.u8(4).u32(1);
  for (const end of ends) out.u32(end + 1);
  return out;
}

/** Writes an integer of a DICT in five bytes, so that an offset takes as much room as any other. */
const dictInteger = (out: Bytes, value: number) => out.u8(29).u32(value);

/** Writes a real of a DICT: a nibble for each of its characters. */
function dictReal(out: Bytes, value: number): void {
  const nibbles = [...value.toExponential(9)].flatMap((letter, i, all) => {
    if (letter === '.') return 10;
    if (letter === 'e') return all[i + 1] === '-' ? 12 : 11;
    return letter === '+' || letter === '-' ? [] : Number(letter);
  });
  nibbles.push(15);
  if (nibbles.length % 2 === 1) nibbles.push(15);
  out.u8(30);
  for (let i = 0; i < nibbles.length; i += 2) out.u8(16 * nibbles[i]! + nibbles[i + 1]!);
}

const DICT = {
  charset: [15],
  charStrings: [17],
  private: [18],
  fontMatrix: [12, 7],
  ros: [12, 30],
  cidCount: [12, 34],
  fdArray: [12, 36],
  fdSelect: [12, 37],
  defaultWidth: [20],
  nominalWidth: [21],
} as const;
/** The first string of a font itself; those before are of the format. */
const FIRST_OWN_STRING = 391;

function writeCff(charstrings: Bytes, ends: readonly number[], unitsPerEm: number): Uint8Array {
  const glyphCount = ends.length;
  const writeTop = (at: { charset: number; fdSelect: number; charStrings: number; fdArray: number }) => {
    const dict = createBytes();
    dictInteger(dict, FIRST_OWN_STRING);
    dictInteger(dict, FIRST_OWN_STRING + 1);
    dictInteger(dict, 0).u8(...DICT.ros);
    for (const i of [0, 1, 2, 3, 4, 5]) {
      if (i === 0 || i === 3) dictReal(dict, 1 / unitsPerEm);
      else dictInteger(dict, 0);
    }
    dict.u8(...DICT.fontMatrix);
    dictInteger(dict, glyphCount).u8(...DICT.cidCount);
    dictInteger(dict, at.charset).u8(...DICT.charset);
    dictInteger(dict, at.fdSelect).u8(...DICT.fdSelect);
    dictInteger(dict, at.charStrings).u8(...DICT.charStrings);
    dictInteger(dict, at.fdArray).u8(...DICT.fdArray);
    return dict.bytes();
  };
  const writeHead = (topDict: Uint8Array) => {
    const head = createBytes().u8(1, 0, 4, 4);
    writeIndexHead(head, [7]).text('OwnFont');
    writeIndexHead(head, [topDict.length]).append(topDict);
    writeIndexHead(head, [5, 13]).text('AdobeIdentity');
    return writeIndexHead(head, []);
  };
  const headLength = writeHead(writeTop({ charset: 0, fdSelect: 0, charStrings: 0, fdArray: 0 })).length;
  const charset = createBytes().u8(2);
  if (glyphCount > 1) charset.u16(1, glyphCount - 2);
  const fdSelect = createBytes().u8(3).u16(1, 0).u8(0).u16(glyphCount);
  const index = writeIndexHead(createBytes(), ends);
  const privateDict = createBytes();
  dictInteger(privateDict, 0).u8(...DICT.defaultWidth);
  dictInteger(privateDict, 0).u8(...DICT.nominalWidth);
  const charsetAt = headLength;
  const fdSelectAt = charsetAt + charset.length;
  const charStringsAt = fdSelectAt + fdSelect.length;
  const privateAt = charStringsAt + index.length + charstrings.length;
  const fontDict = createBytes();
  dictInteger(fontDict, privateDict.length);
  dictInteger(fontDict, privateAt).u8(...DICT.private);
  const fdArrayAt = privateAt + privateDict.length;
  const places = { charset: charsetAt, fdSelect: fdSelectAt, charStrings: charStringsAt, fdArray: fdArrayAt };
  const out = writeHead(writeTop(places));
  for (const part of [charset, fdSelect, index, charstrings, privateDict]) out.append(part.bytes());
  return writeIndexHead(out, [fontDict.length]).append(fontDict.bytes()).bytes();
}

/** Groups letters into runs whose code points and glyphs both go up by one. */
function writeCmap(letters: FontFacts['letters']): Uint8Array {
  const runs: { start: number; end: number; glyph: number }[] = [];
  for (const [codePoint, glyph] of letters) {
    const last = runs.at(-1);
    if (last && codePoint === last.end + 1 && glyph === last.glyph + codePoint - last.start) last.end = codePoint;
    else runs.push({ start: codePoint, end: codePoint, glyph });
  }
  const out = createBytes().u16(0, 1, 3, 10).u32(12);
  out.u16(12, 0).u32(16 + 12 * runs.length, 0, runs.length);
  for (const { start, end, glyph } of runs) out.u32(start, end, glyph);
  return out.bytes();
}

function writeNames(): Uint8Array {
  const names = [
    [1, 'Own font'],
    [2, 'Regular'],
    [3, 'Own font'],
    [4, 'Own font'],
    [6, 'OwnFont'],
  ] as const;
  const texts = createBytes();
  const out = createBytes().u16(0, names.length, 6 + 12 * names.length);
  for (const [id, text] of names) {
    out.u16(3, 1, 0x409, id, 2 * text.length, texts.length);
    texts.u16(...[...text].map((letter) => letter.charCodeAt(0)));
  }
  return out.append(texts.bytes()).bytes();
}

const toInt16 = (value: number): number =>
  Math.max(-32_768, Math.min(32_767, Math.round(Number.isFinite(value) ? value : 0)));

interface Box {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

function writeHeadTable({ unitsPerEm }: FontFacts, box: Box): Uint8Array {
  const out = createBytes().u32(0x10000, 0x10000, 0, 0x5f0f3cf5).u16(3, unitsPerEm).u32(0, 0, 0, 0);
  return out.u16(...[box.minX, box.minY, box.maxX, box.maxY].map(toInt16), 0, 8, 2, 0, 0).bytes();
}

function writeOs2(facts: FontFacts): Uint8Array {
  const { unitsPerEm, ascent, descent, lineGap, letters } = facts;
  const bmp = letters.filter(([codePoint]) => codePoint <= 0xffff);
  const first = Math.min(0xffff, bmp[0]?.[0] ?? 0xffff);
  const out = createBytes().u16(4, unitsPerEm / 2, facts.weight, 5, 0);
  const half = Math.round(unitsPerEm / 2);
  out.u16(half, half, 0, 0, half, half, 0, half, Math.round(unitsPerEm / 20), Math.round(unitsPerEm / 4), 0);
  out.u32(0, 0).u16(0); // PANOSE
  out
    .u32(1, 0, 0, 0)
    .text('NONE')
    .u16(0x40, first, bmp.at(-1)?.[0] ?? 0xffff);
  out.u16(toInt16(ascent), toInt16(descent), toInt16(lineGap), Math.max(0, toInt16(ascent)));
  out.u16(Math.max(0, toInt16(-descent))).u32(1, 0);
  return out.u16(toInt16(facts.xHeight), toInt16(facts.capHeight), 0, 32, 0).bytes();
}

/** Writes the tables of a font, in the order of their tags. */
function writeSfnt(tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const entries = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const power = Math.floor(Math.log2(entries.length));
  const out = createBytes()
    .text('OTTO')
    .u16(entries.length, 16 << power, power, 16 * entries.length - (16 << power));
  let offset = 12 + 16 * entries.length;
  for (const [tag, { length }] of entries) {
    out.text(tag).u32(0, offset, length);
    offset += length + (-length & 3);
  }
  const places: number[] = [];
  for (const [, bytes] of entries) {
    places.push(out.length);
    out.append(bytes).append(new Uint8Array(-bytes.length & 3));
  }
  const font = out.bytes().slice();
  const view = new DataView(font.buffer);
  const sum = (start: number, end: number) => {
    let total = 0;
    for (let at = start; at < end; at += 4) total = (total + view.getUint32(at)) >>> 0;
    return total;
  };
  for (const [i, [, { length }]] of entries.entries()) {
    view.setUint32(12 + 16 * i + 4, sum(places[i]!, places[i]! + length + (-length & 3)));
  }
  const head = places[entries.findIndex(([tag]) => tag === 'head')]!;
  view.setUint32(head + 8, 0xb1b0afba - sum(0, font.length));
  return font;
}

export function createGlyphWriter(): GlyphWriter {
  const charstrings = createBytes(1 << 16);
  const metrics = createBytes();
  const ends: number[] = [];
  const box = { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  let widest = 0;
  return {
    add(commands, advance) {
      const width = Math.max(0, Math.min(32_767, Math.round(advance)));
      widest = Math.max(widest, width);
      writeCharstring(charstrings, commands, width);
      ends.push(charstrings.length);
      let left = Number.POSITIVE_INFINITY;
      for (const { args } of commands) {
        for (let i = 0; i < args.length; i += 2) {
          left = Math.min(left, args[i]!);
          box.minX = Math.min(box.minX, args[i]!);
          box.maxX = Math.max(box.maxX, args[i]!);
          box.minY = Math.min(box.minY, args[i + 1]!);
          box.maxY = Math.max(box.maxY, args[i + 1]!);
        }
      }
      metrics.u16(width, toInt16(left));
    },
    finish(facts) {
      const { ascent, descent, lineGap } = facts;
      const hhea = createBytes().u32(0x10000).u16(toInt16(ascent), toInt16(descent), toInt16(lineGap), widest);
      hhea.u16(0, 0, toInt16(box.maxX), 1, 0, 0, 0, 0, 0, 0, 0, ends.length);
      const post = createBytes().u32(0x30000, Math.round(facts.italicAngle * 65_536));
      post.u16(toInt16(facts.underlinePosition), toInt16(facts.underlineThickness)).u32(0, 0, 0, 0, 0);
      return writeSfnt(
        new Map([
          ...facts.copiedTables,
          ['CFF ', writeCff(charstrings, ends, facts.unitsPerEm)],
          ['OS/2', writeOs2(facts)],
          ['cmap', writeCmap(facts.letters)],
          ['head', writeHeadTable(facts, box)],
          ['hhea', hhea.bytes()],
          ['hmtx', metrics.bytes()],
          ['maxp', createBytes().u32(0x5000).u16(ends.length).bytes()],
          ['name', writeNames()],
          ['post', post.bytes()],
        ]),
      );
    },
  };
}
