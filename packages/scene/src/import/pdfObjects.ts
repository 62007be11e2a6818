/** Reads the objects of a PDF with a plain cross-reference table, as ours have. Written by the PDF 1.6 reference. */

/** Decompresses bytes as zlib does: `inflateSync` of Node. */
export type Inflate = (bytes: Uint8Array) => Uint8Array;

/** Thrown for bytes that are no PDF of this kind. The message is a sentence for the log. */
export class PdfUnreadable extends Error {}

export class PdfName {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
class PdfReference {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}
/** A word that is no value: an operator of a content stream, or `endobj`. */
export class PdfWord {
  readonly word: string;
  constructor(word: string) {
    this.word = word;
  }
}
export type PdfDictionary = ReadonlyMap<string, PdfValue>;
interface PdfStream {
  readonly dictionary: PdfDictionary;
  readonly bytes: Uint8Array;
}
export type PdfValue =
  | number
  | string
  | boolean
  | null
  | PdfName
  | PdfReference
  | PdfWord
  | readonly PdfValue[]
  | PdfDictionary
  | PdfStream;

const MAX_DEPTH = 32;
const SPACES = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITERS = new Set([...'()<>[]{}/%'].map((char) => char.charCodeAt(0)));
const END = new PdfWord('');
const [ARRAY_END, DICTIONARY_END] = [new PdfWord(']'), new PdfWord('>>')];

/** Reads values one after the other. References are read only outside of content streams, which have none. */
export class PdfLexer {
  position: number;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  /** Returns the next value, or undefined at the end. Throws PdfUnreadable. */
  next(depth = 0): PdfValue | undefined {
    const value = this.token(depth);
    if (value === END) return undefined;
    return value;
  }

  /** As `next`, but two numbers and an R are a reference. */
  nextOfFile(depth = 0): PdfValue | undefined {
    const value = this.next(depth);
    if (typeof value !== 'number' || !Number.isInteger(value)) return value;
    const start = this.position;
    const generation = this.token(depth);
    const word = typeof generation === 'number' ? this.token(depth) : undefined;
    if (word instanceof PdfWord && word.word === 'R') return new PdfReference(value);
    this.position = start;
    return value;
  }

  private token(depth: number): PdfValue {
    if (depth > MAX_DEPTH) throw new PdfUnreadable('The PDF nests too deep.');
    this.skip();
    const byte = this.bytes[this.position];
    if (byte === undefined) return END;
    const char = String.fromCharCode(byte);
    if (char === '/') return new PdfName(this.readName());
    if (char === '[') return this.readArray(depth);
    if (char === ']') return this.take(1, ARRAY_END);
    if (char === '<' && this.bytes[this.position + 1] === byte) return this.readDictionary(depth);
    if (char === '>' && this.bytes[this.position + 1] === byte) return this.take(2, DICTIONARY_END);
    if (char === '<') return this.readHex();
    if (char === '(') throw new PdfUnreadable('The PDF has a text in brackets, which ours never have.');
    const word = this.readWord();
    if (word === '') throw new PdfUnreadable(`The PDF has an odd character at ${this.position}.`);
    if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(word)) return Number(word);
    if (word === 'true' || word === 'false') return word === 'true';
    return word === 'null' ? null : new PdfWord(word);
  }

  private take<T>(length: number, value: T): T {
    this.position += length;
    return value;
  }

  private skip(): void {
    for (;;) {
      const byte = this.bytes[this.position];
      if (byte === 0x25)
        while (this.position < this.bytes.length && !isLineEnd(this.bytes[this.position])) this.position++;
      else if (byte !== undefined && SPACES.has(byte)) this.position++;
      else return;
    }
  }

  private readWord(): string {
    const start = this.position;
    for (;;) {
      const byte = this.bytes[this.position];
      if (byte === undefined || SPACES.has(byte) || DELIMITERS.has(byte)) break;
      this.position++;
    }
    return toText(this.bytes.subarray(start, this.position));
  }

  private readName(): string {
    this.position++;
    return this.readWord().replace(/#([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }

  private readHex(): string {
    const end = this.bytes.indexOf(0x3e, this.position);
    if (end < 0) throw new PdfUnreadable('The PDF has a text without an end.');
    const digits = toText(this.bytes.subarray(this.position + 1, end)).replace(/\s/g, '');
    this.position = end + 1;
    const codes = digits.match(/.{1,4}/g) ?? [];
    const units = codes.map((code) => Number.parseInt(code, 16));
    return units[0] === 0xfeff ? String.fromCharCode(...units.slice(1)) : digits;
  }

  private readArray(depth: number): PdfValue[] {
    this.position++;
    const values: PdfValue[] = [];
    for (;;) {
      const value = this.nextOfFile(depth + 1);
      if (value === ARRAY_END) return values;
      if (value === undefined) throw new PdfUnreadable('The PDF has a list without an end.');
      values.push(value);
    }
  }

  private readDictionary(depth: number): PdfDictionary {
    this.position += 2;
    const entries = new Map<string, PdfValue>();
    for (;;) {
      const key = this.next(depth + 1);
      if (key === DICTIONARY_END) return entries;
      const value = this.nextOfFile(depth + 1);
      if (!(key instanceof PdfName) || value === undefined) throw new PdfUnreadable('The PDF has a broken dictionary.');
      entries.set(key.name, value);
    }
  }
}

const isLineEnd = (byte: number | undefined) => byte === 10 || byte === 13;

/** Bytes as characters of the same number. */
function toText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export interface PdfObjects {
  readonly trailer: PdfDictionary;
  /** Follows references. Undefined where there is nothing. */
  resolve(value: PdfValue | undefined): PdfValue | undefined;
  /** Returns a dictionary, that of a stream too. Throws PdfUnreadable for another value. */
  dictionary(value: PdfValue | undefined): PdfDictionary;
  /** Returns the decompressed content of a stream. Throws PdfUnreadable for another value. */
  content(value: PdfValue | undefined): Uint8Array;
}

/** Opens a PDF. Throws PdfUnreadable. */
export function openPdf(bytes: Uint8Array, inflate: Inflate | undefined): PdfObjects {
  const offsets = readTable(bytes);
  const cache = new Map<number, PdfValue | undefined>();
  const resolve = (value: PdfValue | undefined): PdfValue | undefined => {
    if (!(value instanceof PdfReference)) return value;
    if (!cache.has(value.number)) cache.set(value.number, readObject(bytes, value.number, offsets, resolve));
    return cache.get(value.number);
  };
  const dictionary = (value: PdfValue | undefined): PdfDictionary => {
    const target = resolve(value);
    if (target instanceof Map) return target;
    if (isStream(target)) return target.dictionary;
    throw new PdfUnreadable('The PDF lacks a dictionary.');
  };
  return {
    trailer: readTrailer(bytes),
    resolve,
    dictionary,
    content(value) {
      const stream = resolve(value);
      if (!isStream(stream)) throw new PdfUnreadable('The PDF lacks a stream.');
      if (!stream.dictionary.has('Filter')) return stream.bytes;
      if (!inflate) throw new PdfUnreadable('The PDF is compressed.');
      return inflate(stream.bytes);
    },
  };
}

const isStream = (value: PdfValue | undefined): value is PdfStream =>
  typeof value === 'object' && value !== null && 'dictionary' in value;

function lastIndexOf(bytes: Uint8Array, word: string): number {
  const at = toText(bytes.subarray(-1024)).lastIndexOf(word);
  if (at < 0) throw new PdfUnreadable(`The PDF has no ${word}.`);
  return Math.max(0, bytes.length - 1024) + at;
}

function readTable(bytes: Uint8Array): ReadonlyMap<number, number> {
  const start = new PdfLexer(bytes, lastIndexOf(bytes, 'startxref') + 'startxref'.length).next();
  const lexer = new PdfLexer(bytes, Number(start));
  const word = lexer.next();
  if (!(word instanceof PdfWord) || word.word !== 'xref') throw new PdfUnreadable('The PDF has no table of objects.');
  const [first, count] = [Number(lexer.next()), Number(lexer.next())];
  const offsets = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const [offset, , state] = [lexer.next(), lexer.next(), lexer.next()];
    if (state instanceof PdfWord && state.word === 'n') offsets.set(first + i, Number(offset));
  }
  return offsets;
}

function readTrailer(bytes: Uint8Array): PdfDictionary {
  const value = new PdfLexer(bytes, lastIndexOf(bytes, 'trailer') + 'trailer'.length).nextOfFile();
  if (value instanceof Map) return value;
  throw new PdfUnreadable('The PDF has no trailer.');
}

function readObject(
  bytes: Uint8Array,
  number: number,
  offsets: ReadonlyMap<number, number>,
  resolve: (value: PdfValue | undefined) => PdfValue | undefined,
): PdfValue | undefined {
  const offset = offsets.get(number);
  if (offset === undefined) return undefined;
  const lexer = new PdfLexer(bytes, offset);
  const [own, , word] = [lexer.next(), lexer.next(), lexer.next()];
  if (own !== number || !(word instanceof PdfWord) || word.word !== 'obj') {
    throw new PdfUnreadable(`Object ${number} of the PDF is not where its table says.`);
  }
  const value = lexer.nextOfFile();
  const next = lexer.next();
  if (!(value instanceof Map) || !(next instanceof PdfWord) || next.word !== 'stream') return value;
  const length = Number(resolve(value.get('Length')));
  const start = lexer.position + (bytes[lexer.position] === 13 ? 2 : 1);
  return { dictionary: value, bytes: bytes.subarray(start, start + length) };
}
