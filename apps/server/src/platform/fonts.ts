/** Reads the bundled font files for outlining text. */
import { readFile } from 'node:fs/promises';
import { ownFamily } from '@markwright/fonts';
import { findFontPath } from '@markwright/fonts/files';
import type { TextLine } from '@markwright/scene';
import type { FontBook } from '@markwright/scene/text';
import { loadOnce } from './loadOnce.ts';
import type { OwnFontFile } from './ports/mediaJobs.ts';

/** The bundled fonts. */
export interface Fonts {
  /**
   * Returns a font book that can outline these lines. Reads each bundled file once; the font parser is loaded with the
   * first line. With fonts of an account it returns a new book, so that nothing of one job is there for the next. A
   * line in an own font that is not among them cannot be outlined.
   */
  bookFor(lines: readonly TextLine[], ownFonts?: readonly OwnFontFile[]): Promise<FontBook>;
}

export function createFonts(): Fonts {
  const loadModule = loadOnce(() => import('@markwright/scene/text'));
  const loadShared = loadOnce(async () => (await loadModule()).createFontBook());
  return {
    async bookFor(lines, ownFonts = []) {
      const book = ownFonts.length > 0 ? (await loadModule()).createFontBook() : await loadShared();
      for (const { id, bytes } of ownFonts) book.add(ownFamily(id), bytes);
      for (const name of new Set(lines.flatMap((line) => book.missing(line)).map((file) => file.name))) {
        const path = findFontPath(name);
        if (path !== undefined) book.add(name, await readFile(path));
      }
      return book;
    },
  };
}
