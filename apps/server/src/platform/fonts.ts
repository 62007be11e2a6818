/** The bundled font files: read for outlining, served to the pages. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { allFontFiles, type TextLine } from '@markwright/scene';
import type { FontBook } from '@markwright/scene/text';
import { loadOnce } from './loadOnce.ts';

export interface Fonts {
  /** A book that can outline these lines. Reads each file once; the font parser is loaded with the first line. */
  bookFor(lines: readonly TextLine[]): Promise<FontBook>;
}

const require = createRequire(import.meta.url);
const packageOf = new Map(allFontFiles.map((file) => [file.name, file.package]));

/** Where a font file lies; undefined for a name that is not one of ours. */
export function findFontPath(name: string): string | undefined {
  const packageName = packageOf.get(name);
  return packageName && require.resolve(`${packageName}/files/${name}`);
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
