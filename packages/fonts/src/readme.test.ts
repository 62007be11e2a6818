import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findFontPath } from './files.ts';
import { chooseFace, findFont, fontFiles } from './fonts.ts';

// <example>
const line = { text: 'Łódź', fontFamily: 'Lobster', isBold: true, isItalic: false };

const face = chooseFace(findFont('Lobster'), line); // '400-normal': Lobster has no bold face
const names = fontFiles(line).map(({ name }) => name); // the Lobster files, then the fallback's
const path = findFontPath(names[0]!); // …/@fontsource/lobster/files/lobster-latin-400-normal.woff2
// </example>

test('the example of the README is the code above and returns what its comments say', () => {
  expect(face).toBe('400-normal');
  expect(names.map((name) => name.split('-latin')[0])).toEqual(['lobster', 'lobster', 'open-sans', 'open-sans']);
  expect(path).toMatch(/@fontsource\/lobster\/files\/lobster-latin-400-normal\.woff2$/);
  const own = readFileSync(new URL('./readme.test.ts', import.meta.url), 'utf8');
  const example = /\/\/ <example>\n([\s\S]*?)\/\/ <\/example>/.exec(own)![1]!.trim();
  expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain(example);
});
