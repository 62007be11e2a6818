/**
 * Compares typed arrays by their bytes first. Vitest compares them element by element, through two lists of all their
 * indexes and values: for a picture of a million bytes that takes seconds. Arrays with other bytes are compared by
 * Vitest as ever, which says where they differ.
 */
import { expect } from 'vitest';

/** Returns true for equal typed arrays; undefined where Vitest decides. */
function areSameBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined;
  return Buffer.compare(bytesOf(a), bytesOf(b)) === 0 || undefined;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

// The files that a worker runs share their matchers, and each of them runs this file.
const worker = globalThis as { comparesBytes?: boolean };
if (!worker.comparesBytes) expect.addEqualityTesters([areSameBytes]);
worker.comparesBytes = true;
