/** The frame of a PDF: numbered objects, streams and the table that finds them. Written by the PDF 1.6 reference. */
import { formatNumber } from '../../svg/svg.ts';

/** Compresses bytes as zlib does: `deflateSync` of Node. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;

export interface PdfFile {
  /** Takes the next number, for an object that others name before it is there. */
  reserve(): number;
  /** Adds an object, under a number of `reserve` or the next one, and returns its number. */
  add(body: string, number?: number): number;
  /** Adds a stream of ASCII text or of bytes. `entries` are those of its dictionary besides length and filter. */
  addStream(entries: string, content: string | Uint8Array, number?: number): number;
  /** Returns the file. Throws an Error when a number of `reserve` has no object. */
  finish(root: number, info: number): Uint8Array;
}

/** Creates an empty PDF. Without `deflate` its streams are plain text. */
export function createPdfFile(deflate: Deflate | undefined): PdfFile {
  const bodies: (Uint8Array | undefined)[] = [];
  const reserve = () => bodies.push(undefined);
  const put = (bytes: Uint8Array, number = reserve()) => {
    bodies[number - 1] = bytes;
    return number;
  };
  return {
    reserve,
    add: (body, number) => put(toBytes(body), number),
    addStream(entries, content, number) {
      const plain = typeof content === 'string' ? toBytes(content) : content;
      const bytes = deflate ? deflate(plain) : plain;
      const filter = deflate ? '/Filter /FlateDecode ' : '';
      const head = `<< ${entries} ${filter}/Length ${bytes.length} >>\nstream\n`;
      return put(joinBytes([toBytes(head), bytes, toBytes('\nendstream')]), number);
    },
    finish(root, info) {
      // The second line holds bytes above 127, so that no program takes the file for text.
      const parts = [toBytes('%PDF-1.6\n'), new Uint8Array([0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a])];
      let offset = parts.reduce((sum, { length }) => sum + length, 0);
      const rows = ['0000000000 65535 f \n'];
      for (const [i, body] of bodies.entries()) {
        if (!body) throw new Error(`Object ${i + 1} of the PDF was never added.`);
        rows.push(`${String(offset).padStart(10, '0')} 00000 n \n`);
        const object = joinBytes([toBytes(`${i + 1} 0 obj\n`), body, toBytes('\nendobj\n')]);
        offset += object.length;
        parts.push(object);
      }
      const size = bodies.length + 1;
      const trailer = `trailer\n<< /Size ${size} /Root ${root} 0 R /Info ${info} 0 R >>`;
      parts.push(toBytes(`xref\n0 ${size}\n${rows.join('')}${trailer}\nstartxref\n${offset}\n%%EOF\n`));
      return joinBytes(parts);
    },
  };
}

const encoder = new TextEncoder();
const toBytes = (text: string): Uint8Array => encoder.encode(text);

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}

/** Writes numbers with spaces between them, four decimals each: a tenth of a micron. */
export const pdfNumbers = (...values: readonly number[]): string =>
  values.map((value) => formatNumber(value, 4)).join(' ');

/** Writes a name such as `/RDG_WHITE`. What is no plain letter is written by its code. */
export function pdfName(name: string): string {
  const bytes = toBytes(name);
  return `/${[...bytes].map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : toHex(byte))).join('')}`;
}

/** Visible ASCII without the number sign and the delimiters of PDF. */
const isPlain = (byte: number) => byte > 32 && byte < 127 && !'#()<>[]{}/%'.includes(String.fromCharCode(byte));
const toHex = (byte: number) => `#${byte.toString(16).padStart(2, '0')}`;

/** Writes a text, in any language, for a person to read. */
export function pdfText(text: string): string {
  const units = [...Array(text.length).keys()].map((i) => text.charCodeAt(i).toString(16).padStart(4, '0'));
  return `<feff${units.join('')}>`;
}
