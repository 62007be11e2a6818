/// <reference path="./fontkit.d.ts" />
/**
 * Reads a stranger's font and makes a new one of its outlines. What a text is set with later are these new bytes: no
 * byte of an outline, a name, a hint or a picture of the stranger's file is in them. The tables of letter combinations
 * and of distances are copied, once they have been walked through and tried.
 */
import { create, type Font, type LayoutTable, type PathCommand } from 'fontkit';
import { FileRefused } from '../import/contourFile.ts';
import { createGlyphWriter, type FontFacts, MAX_COORDINATE } from './writeFont.ts';

export const FONT_LIMITS = {
  bytes: 5 * 2 ** 20,
  /** What a WOFF2 unpacks to. */
  unpackedBytes: 24 * 2 ** 20,
  tables: 64,
  /** Lines and curves of all glyphs together, after every reference is followed. */
  commands: 1_500_000,
  /** Of one glyph. */
  glyphCommands: 50_000,
  /** Glyphs in glyphs in glyphs. */
  depth: 8,
  nameLength: 80,
} as const;

/** A font of outlines alone. */
interface OutlineFont {
  /** As the font calls itself; empty where it does not. */
  readonly name: string;
  /** An OpenType font, at most a few times as large as what it was made of. */
  readonly bytes: Uint8Array;
  /** The number of characters that it has. */
  readonly letters: number;
}

const damage = () => new FileRefused('This font is damaged and could not be read.');
const tooMuch = () => new FileRefused('This font has more outlines than a text needs. Please choose a smaller one.');

/**
 * Reads a TTF, OTF or WOFF2. A variable font gives its default letters. Throws FileRefused for anything else, for a
 * damaged font and for one beyond `FONT_LIMITS`. Cost: some milliseconds for each hundred glyphs; a hostile font may
 * take any time and memory, so this belongs into a process that can be ended.
 */
export function readFont(bytes: Uint8Array): OutlineFont {
  refuseByKind(bytes);
  try {
    return convert(bytes);
  } catch (error) {
    // The parser throws errors of any kind for a font that breaks a rule.
    throw error instanceof FileRefused ? error : damage();
  }
}

const KINDS = ['\0\x01\0\0', 'true', 'OTTO', 'wOF2'];

function refuseByKind(bytes: Uint8Array): void {
  if (bytes.length > FONT_LIMITS.bytes) {
    throw new FileRefused('This font is too large. Fonts may be up to 5 MB.');
  }
  const kind = String.fromCharCode(...bytes.subarray(0, 4));
  if (kind === 'ttcf') {
    throw new FileRefused('This file holds several fonts. Please choose one of them as a TTF or OTF.');
  }
  if (!KINDS.includes(kind)) throw new FileRefused('This file is no font. Please choose a TTF, OTF or WOFF2.');
}

function convert(bytes: Uint8Array): OutlineFont {
  const font = create(bytes);
  const { tables } = font.directory;
  refuseDirectory(font, bytes.length);
  if (!tables.glyf && !tables['CFF ']) {
    const isOutlined = tables.CFF2 !== undefined;
    throw isOutlined
      ? new FileRefused('Variable fonts with PostScript outlines are not read. Please choose one with fixed letters.')
      : new FileRefused('This font has no outlines: its letters are pictures.');
  }
  const { unitsPerEm, numGlyphs } = font;
  if (!(unitsPerEm >= 16 && unitsPerEm <= 16_384) || !(numGlyphs >= 1)) throw damage();
  if (tables.glyf) {
    // At least two bytes for each glyph's place, and for the end.
    if (!tables.loca || tables.loca.length < 2 * (numGlyphs + 1)) throw damage();
    refuseComposites(font, numGlyphs);
  }

  const writer = createGlyphWriter();
  let commandCount = 0;
  const isDrawn = new Uint8Array(numGlyphs);
  for (let id = 0; id < numGlyphs; id++) {
    const glyph = font.getGlyph(id);
    const { commands } = glyph.path;
    commandCount += commands.length;
    if (commandCount > FONT_LIMITS.commands || commands.length > FONT_LIMITS.glyphCommands) throw tooMuch();
    refuseCoordinates(commands);
    if (!Number.isFinite(glyph.advanceWidth)) throw damage();
    writer.add(commands, glyph.advanceWidth);
    isDrawn[id] = commands.length > 0 ? 1 : 0;
    // Without this, the outlines of all glyphs stay in memory.
    font._glyphs = {};
  }
  const letters = readLetters(font, numGlyphs);
  if (!letters.some(([, glyph]) => isDrawn[glyph])) throw new FileRefused('This font has no letters.');
  const facts = { ...readFacts(font), letters };
  const whole = writer.finish({ ...facts, copiedTables: readCopies(font, ['GDEF', 'GPOS', 'GSUB', 'kern']) });
  const name = (font.fullName ?? font.familyName ?? '').slice(0, FONT_LIMITS.nameLength);
  if (isSettable(whole, letters)) return { name, bytes: whole, letters: letters.length };
  const bare = writer.finish({ ...facts, copiedTables: new Map() });
  if (!isSettable(bare, letters)) throw damage();
  return { name, bytes: bare, letters: letters.length };
}

function refuseDirectory({ directory }: Font, fileLength: number): void {
  const entries = Object.values(directory.tables);
  if (entries.length > FONT_LIMITS.tables) throw damage();
  let unpackedBytes = 0;
  for (const { offset, length, transformLength } of entries) {
    const storedLength = transformLength ?? length;
    if (storedLength < 0 || (offset !== undefined && offset + length > fileLength)) throw damage();
    unpackedBytes += storedLength;
  }
  if (unpackedBytes > FONT_LIMITS.unpackedBytes) throw tooMuch();
}

/** Refuses composite glyphs that contain themselves, lie too deep or unfold into too many points. */
function refuseComposites(font: Font, numGlyphs: number): void {
  const contents = new Map<number, { readonly points: number; readonly depth: number }>();
  const open = new Set<number>();
  const unfold = (id: number): { readonly points: number; readonly depth: number } => {
    const earlier = contents.get(id);
    if (earlier) return earlier;
    if (id >= numGlyphs || open.has(id) || open.size > FONT_LIMITS.depth) throw damage();
    open.add(id);
    const content = font.getGlyph(id)._decode?.();
    let points = content?.points?.length ?? 0;
    let depth = 0;
    for (const { glyphID } of content?.components ?? []) {
      const part = unfold(glyphID);
      points += part.points;
      depth = Math.max(depth, 1 + part.depth);
    }
    if (points > FONT_LIMITS.glyphCommands) throw tooMuch();
    if (depth > FONT_LIMITS.depth) throw damage();
    open.delete(id);
    contents.set(id, { points, depth });
    return { points, depth };
  };
  let sum = 0;
  for (let id = 0; id < numGlyphs; id++) {
    sum += unfold(id).points;
    if (sum > FONT_LIMITS.commands) throw tooMuch();
    font._glyphs = {};
  }
}

function refuseCoordinates(commands: readonly PathCommand[]): void {
  const isInside = (value: number) => Math.abs(value) <= MAX_COORDINATE; // false for NaN
  if (commands.every(({ args }) => args.every(isInside))) return;
  throw new FileRefused('Letters of this font lie far outside their lines. Please choose another one.');
}

/** Planes 0 to 2 have all scripts. Controls and surrogates are no letters. */
const LAST_CODE_POINT = 0x2ffff;

function readLetters(font: Font, numGlyphs: number): FontFacts['letters'] {
  const letters: [number, number][] = [];
  for (let codePoint = 0x20; codePoint <= LAST_CODE_POINT; codePoint++) {
    if (codePoint === 0x7f) codePoint = 0xa0;
    if (codePoint === 0xd800) codePoint = 0xe000;
    if (!font.hasGlyphForCodePoint(codePoint)) continue;
    const { id } = font.glyphForCodePoint(codePoint);
    if (id > 0 && id < numGlyphs) letters.push([codePoint, id]);
  }
  font._glyphs = {};
  return letters;
}

function readFacts(font: Font): Omit<FontFacts, 'letters' | 'copiedTables'> {
  const { unitsPerEm, ascent, descent, lineGap, post } = font;
  const os2 = font['OS/2'];
  const within = (value: number | undefined, other: number) =>
    value !== undefined && Math.abs(value) <= 4 * unitsPerEm ? value : other;
  const weight = os2?.usWeightClass ?? 400;
  if ([ascent, descent].some((value) => within(value, Number.NaN) !== value) || ascent <= descent) throw damage();
  return {
    ...{ unitsPerEm, ascent, descent, lineGap: within(lineGap, 0) },
    underlinePosition: within(post?.underlinePosition, -unitsPerEm / 10),
    underlineThickness: Math.abs(within(post?.underlineThickness, unitsPerEm / 20)),
    italicAngle: post && Math.abs(post.italicAngle) <= 60 ? post.italicAngle : 0,
    weight: weight >= 1 && weight <= 1000 ? weight : 400,
    capHeight: within(os2?.capHeight, 0.7 * unitsPerEm),
    xHeight: within(os2?.xHeight, 0.5 * unitsPerEm),
  };
}

/** Returns tables that are copied as they are. Those of letter combinations and distances only if they are harmless. */
function readCopies(font: Font, tags: readonly string[]): Map<string, Uint8Array> {
  const isHarmless = [font.GSUB, font.GPOS].every((table, i) => !table || hasHarmlessLookups(table, i === 0));
  const copies = new Map<string, Uint8Array>();
  for (const tag of isHarmless ? tags : []) {
    const entry = font.directory.tables[tag];
    const table = entry && font._getTableStream(tag)?.readBuffer(entry.length);
    if (table?.length) copies.set(tag, table.slice());
  }
  return copies;
}

/** The types of lookups that apply others, by context; and the one that says the type of another. */
const GSUB_TYPES = { context: 5, chain: 6, multiple: 2, extension: 7 } as const;
const GPOS_TYPES = { context: 7, chain: 8, multiple: undefined, extension: 9 } as const;
const MAX_LOOKUP_DEPTH = 6;
/** A letter may become so many glyphs. */
const MAX_SEQUENCE = 16;
const MAX_NODES = 2_000_000;

/** False where lookups apply each other in circles or too deep, or make many glyphs of one: none of them is used. */
function hasHarmlessLookups({ lookupList }: LayoutTable, isSubstitution: boolean): boolean {
  const types = isSubstitution ? GSUB_TYPES : GPOS_TYPES;
  const depths = new Map<number, number>();
  const budget = { nodes: MAX_NODES };
  const depthOf = (index: number, above: ReadonlySet<number>): number => {
    if (above.has(index)) return Number.POSITIVE_INFINITY;
    const earlier = depths.get(index);
    if (earlier !== undefined) return earlier;
    const lookup = lookupList.get(index);
    let depth = 0;
    for (const subTable of lookup?.subTables ?? []) {
      const isExtension = lookup.lookupType === types.extension;
      const { lookupType, extension } = subTable as { lookupType: number; extension: unknown };
      const type = isExtension ? lookupType : lookup.lookupType;
      const content = isExtension ? extension : subTable;
      if (type === types.multiple && hasLongSequence(content)) return Number.POSITIVE_INFINITY;
      if (type !== types.context && type !== types.chain) continue;
      for (const next of findLookups(content, budget)) {
        depth = Math.max(depth, 1 + depthOf(next, new Set([...above, index])));
      }
    }
    depths.set(index, depth);
    return depth;
  };
  for (let i = 0; i < lookupList.length; i++) if (depthOf(i, new Set()) > MAX_LOOKUP_DEPTH) return false;
  return true;
}

interface LazyList {
  readonly length: number;
  get(index: number): unknown;
}

function hasLongSequence(content: unknown): boolean {
  const { sequences } = content as { readonly sequences: LazyList };
  for (let i = 0; i < sequences.length; i++) {
    if ((sequences.get(i) as { readonly length: number }).length > MAX_SEQUENCE) return true;
  }
  return false;
}

/** Finds the lookups that a table names, wherever it does. Throws for one with too many parts. */
function findLookups(table: unknown, budget: { nodes: number }): Set<number> {
  const lookups = new Set<number>();
  const queue: unknown[] = [table];
  for (let value = queue.pop(); value !== undefined || queue.length > 0; value = queue.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (--budget.nodes < 0) throw tooMuch();
    const { lookupListIndex } = value as { readonly lookupListIndex?: number };
    if (typeof lookupListIndex === 'number') lookups.add(lookupListIndex);
    else if (isLazyList(value)) for (let i = 0; i < value.length; i++) queue.push(value.get(i));
    else for (const part of Object.values(value)) if (typeof part === 'object') queue.push(part);
  }
  return lookups;
}

const isLazyList = (value: object): value is LazyList => 'get' in value && 'length' in value;

const TRIED_LETTERS = 2_000;
const TRIED_TOGETHER = 40;
const WORDS = ['The Quick Brown Fox', 'office waffle fjord AVATAR To. Yes!', '“Ann & Bo” 1234567890'];

/** Sets many of the letters by a font, and some words. False where that fails, or gives what is no line of text. */
function isSettable(bytes: Uint8Array, letters: FontFacts['letters']): boolean {
  try {
    const font = create(bytes);
    const step = Math.max(1, Math.floor(letters.length / TRIED_LETTERS));
    const someLetters = letters.filter((_, i) => i % step === 0);
    const texts = [...WORDS];
    for (let i = 0; i < someLetters.length; i += TRIED_TOGETHER) {
      texts.push(String.fromCodePoint(...someLetters.slice(i, i + TRIED_TOGETHER).map(([codePoint]) => codePoint)));
    }
    return texts.every((text) => {
      const { glyphs, positions } = font.layout(text);
      const isLine = positions.every(({ xAdvance, xOffset, yOffset }) =>
        [xAdvance, xOffset, yOffset].every((value) => Math.abs(value) <= 2 * MAX_COORDINATE),
      );
      return isLine && glyphs.length <= MAX_SEQUENCE * text.length && glyphs.every(({ path }) => path.commands);
    });
  } catch {
    return false;
  }
}
