/** Makes the index of the letters of all bundled fonts. The build runs it; no page loads it. */
import { readFileSync } from 'node:fs';
import { allFontFiles } from '@markwright/fonts';
import { findFontPath } from '@markwright/fonts/files';
import { bundledFaces, indexLetters, writeIndex } from '@markwright/scene/lettering';
import { createFontBook } from '@markwright/scene/text';

/** Cost: some seconds of processor time. */
export function makeLetterIndex(): Uint8Array {
  const book = createFontBook();
  for (const { name } of allFontFiles) book.add(name, new Uint8Array(readFileSync(findFontPath(name)!)));
  return writeIndex(indexLetters(bundledFaces, book));
}
