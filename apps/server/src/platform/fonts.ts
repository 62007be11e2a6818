/** Reads the bundled font files for outlining text. */
import { readFile } from 'node:fs/promises';
import { findFontPath } from '@markwright/fonts/files';
import type { TextLine } from '@markwright/scene';
import type { FontBook } from '@markwright/scene/text';
import { loadOnce } from './loadOnce.ts';

/** The bundled fonts. */
export interface Fonts {
  /**
   * Returns a font book that can outline these lines. Reads each file once; the font parser is loaded with the first
   * line.
   */
  bookFor(lines: readonly TextLine[]): Promise<FontBook>;
}

export function createFonts(): Fonts {
  const load = loadOnce(() => import('@markwright/scene/text').then(({ createFontBook }) => createFontBook()));
  return {
    async bookFor(lines) {
      const book = await load();
      const missing = new Map(lines.flatMap((line) => book.missing(line)).map((file) => [file.name, file]));
      for (const name of missing.keys()) book.add(name, await readFile(findFontPath(name)!));
      return book;
    },
  };
}
