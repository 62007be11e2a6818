import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import { expect, test } from 'vitest';
import { createFontBook } from '../text/text.ts';
import { type Face, indexLetters } from './faces.ts';
import { readIndex, writeIndex } from './indexFile.ts';

const face: Face = { fontFamily: 'Arvo', isBold: true, isItalic: false };

test('an index comes back from its bytes as it was, to a ten thousandth of an em', () => {
  const book = createFontBook();
  for (const { name } of book.missing({ ...face, text: 'Ą' })) {
    book.add(name, new Uint8Array(readFileSync(findFontPath(name)!)));
  }
  const index = indexLetters([face], book);
  const bytes = writeIndex(index);
  const copy = readIndex(bytes);
  const { box, moments, ...exact } = index;
  expect(copy).toMatchObject(exact);
  const largest = (a: Float32Array, b: Float32Array) => Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
  expect(copy.box).toHaveLength(box.length);
  expect(copy.moments).toHaveLength(moments.length);
  expect(largest(box, copy.box)).toBeLessThan(1e-4);
  expect(largest(moments, copy.moments)).toBeLessThan(1e-4);
  expect(() => readIndex(bytes.subarray(0, -1))).toThrow('The index of letters is cut.');
});
