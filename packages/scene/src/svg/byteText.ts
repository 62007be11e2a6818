/** Text in ASCII as it is written, byte by byte, for files of a million numbers. */
import { formatNumber } from './svg.ts';

const [SPACE_FOR_NUMBER, MINUS, POINT, ZERO] = [24, 45, 46, 48];
/** Smaller numbers of the last decimal, and of so many decimals, are written digit by digit. */
const MOST_UNITS = 2 ** 31;
const MOST_DECIMALS = 9;
const POWERS = Array.from({ length: MOST_DECIMALS + 1 }, (_, k) => 10 ** k);

/**
 * A text that grows. A file has a million numbers: a string for each, put together with the next one, took a fifth of
 * the time of a halftone's file, most of its garbage, and three times the memory of the file.
 */
export class ByteText {
  #bytes = new Uint8Array(4096);
  #end = 0;

  /** Adds a text of ASCII alone. Throws a RangeError for any other. */
  add(text: string): void {
    this.#makeRoom(text.length);
    const bytes = this.#bytes;
    let end = this.#end;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) throw new RangeError('This text is written in ASCII alone.');
      bytes[end++] = code;
    }
    this.#end = end;
  }

  /** Adds any text, in UTF-8. */
  addUtf8(text: string): void {
    this.addBytes(new TextEncoder().encode(text));
  }

  addBytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Adds a character by its code in ASCII. */
  addCode(code: number): void {
    if (this.#end === this.#bytes.length) this.#makeRoom(1);
    this.#bytes[this.#end++] = code;
  }

  /** Adds what `formatNumber` writes, and throws what it throws. */
  addNumber(value: number, decimals: number): void {
    if (this.#end + SPACE_FOR_NUMBER > this.#bytes.length) this.#makeRoom(SPACE_FOR_NUMBER);
    const factor = POWERS[decimals] ?? Number.NaN;
    const units = Math.round(value * factor);
    const size = Math.abs(units);
    // Written so that NaN fails, too.
    if (!(size < MOST_UNITS)) {
      this.add(formatNumber(value, decimals));
      return;
    }
    const bytes = this.#bytes;
    if (units < 0) bytes[this.#end++] = MINUS;
    const whole = Math.floor(size / factor);
    this.#addDigits(whole, whole < 10 ? 1 : whole < 100 ? 2 : whole < 1000 ? 3 : String(whole).length);
    const rest = size - whole * factor;
    if (rest === 0) return;
    bytes[this.#end++] = POINT;
    this.#addDigits(rest, decimals);
    while (bytes[this.#end - 1] === ZERO) this.#end--;
  }

  /** Returns the bytes so far. They share the memory of this text, which must not grow any more. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  toString(): string {
    return new TextDecoder().decode(this.bytes());
  }

  #addDigits(value: number, count: number): void {
    let rest = value;
    for (let at = this.#end + count - 1; at >= this.#end; at--) {
      const next = Math.floor(rest / 10);
      this.#bytes[at] = ZERO + rest - 10 * next;
      rest = next;
    }
    this.#end += count;
  }

  #makeRoom(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const more = new Uint8Array(Math.max(2 * this.#bytes.length, this.#end + count));
    more.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = more;
  }
}
