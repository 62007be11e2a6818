/** Finds the bundled font files on disk, for servers and tests: the one part of the package that needs Node. */
import { createRequire } from 'node:module';
import { allFontFiles } from './fonts.ts';

const require = createRequire(import.meta.url);
const packageOf = new Map(allFontFiles.map((file) => [file.name, file.package]));

/** Returns the path of a bundled font file; undefined when no bundled font has a file of this name. */
export function findFontPath(fileName: string): string | undefined {
  const packageName = packageOf.get(fileName);
  return packageName && require.resolve(`${packageName}/files/${fileName}`);
}
