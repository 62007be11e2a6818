/** Reads the fields of an ONNX file, which is a message of Protocol Buffers. */

/** The type of a field that holds bytes: a text, a message or raw data. */
export const BYTES = 2;

/** A field of a message. */
export interface Field {
  readonly id: number;
  readonly type: number;
  /** The offsets of the field's number, and of the start and end of its bytes. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  /** The value of a field that is a whole number; undefined for bytes. */
  readonly value: number | undefined;
}

/** Lists the fields of the message between two offsets. Throws a RangeError for bytes that are no message. */
export function* fieldsOf(bytes: Buffer, from: number, to: number): Iterable<Field> {
  for (let at = from; at < to; ) {
    const tag = readVarint(bytes, at);
    const [id, type] = [tag.value >>> 3, tag.value & 7];
    let [start, end, value]: [number, number, number | undefined] = [tag.end, tag.end, undefined];
    if (type === 0) ({ value, end } = readVarint(bytes, start));
    else if (type === 1) end += 8;
    else if (type === 5) end += 4;
    else if (type === BYTES) {
      const length = readVarint(bytes, start);
      start = length.end;
      end = start + length.value;
    } else throw new RangeError('These bytes are no model.');
    if (end > to) throw new RangeError('These bytes are no model.');
    yield { id, type, at, from: start, to: end, value };
    at = end;
  }
}

function readVarint(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let weight = 1, end = at; end < bytes.length && end < at + 10; weight *= 128) {
    const byte = bytes[end++]!;
    value += (byte & 127) * weight;
    if (byte < 128) return { value, end };
  }
  throw new RangeError('These bytes are no model.');
}
