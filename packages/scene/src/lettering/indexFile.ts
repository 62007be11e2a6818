/** The index of letters as bytes: the build writes it, and who looks for lettering reads it. */
import type { Face, LetterIndex } from './faces.ts';
import { MOMENTS } from './parts.ts';

/** Steps of a box, in ems, and of a moment: a thousandth of what decides whether two letters look alike. */
const STEPS = 8192;
const HEAD_BYTES = 8;

/**
 * Writes an index: the length of the names of its faces and the number of its entries, 32 bits each, the names as JSON,
 * then one column after the other. One entry takes 35 bytes. Throws a RangeError for a letter larger than four ems.
 */
export function writeIndex(index: LetterIndex): Uint8Array {
  const faces = new TextEncoder().encode(JSON.stringify(index.faces));
  const words = [index.face, index.letter, toSteps(index.box), toSteps(index.moments)];
  const columns = [...words, index.joins, index.part, index.parts, index.holes];
  const size = columns.reduce((sum, { byteLength }) => sum + byteLength, HEAD_BYTES + faces.length);
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, faces.length, true);
  new DataView(bytes.buffer).setUint32(4, index.count, true);
  bytes.set(faces, HEAD_BYTES);
  let at = HEAD_BYTES + faces.length;
  for (const { buffer, byteOffset, byteLength } of columns) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

/** Reads what `writeIndex` wrote. Throws an Error for bytes of another length. Cost: 2 ms. */
export function readIndex(bytes: Uint8Array): LetterIndex {
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [facesLength, count] = [head.getUint32(0, true), head.getUint32(4, true)];
  let at = HEAD_BYTES + facesLength;
  const faces = JSON.parse(new TextDecoder().decode(bytes.subarray(HEAD_BYTES, at))) as Face[];
  const size = at + count * (2 + 2 + 2 * 4 + 2 * MOMENTS + 3) + faces.length;
  if (bytes.length !== size) throw new Error('The index of letters is cut.');
  /** The bytes of the next column, from an even address. */
  const next = (length: number) => {
    at += length;
    return bytes.slice(at - length, at).buffer;
  };
  return {
    faces,
    count,
    face: new Uint16Array(next(2 * count)),
    letter: new Uint16Array(next(2 * count)),
    box: fromSteps(new Int16Array(next(8 * count))),
    moments: fromSteps(new Int16Array(next(2 * MOMENTS * count))),
    joins: new Uint8Array(next(faces.length)),
    part: new Uint8Array(next(count)),
    parts: new Uint8Array(next(count)),
    holes: new Uint8Array(next(count)),
  };
}

function toSteps(values: Float32Array): Int16Array {
  return Int16Array.from(values, (value) => {
    const steps = Math.round(value * STEPS);
    if (Math.abs(steps) >= 2 ** 15) throw new RangeError('A letter is too large for the index.');
    return steps;
  });
}

const fromSteps = (steps: Int16Array): Float32Array => Float32Array.from(steps, (value) => value / STEPS);
