/** Finds the bundled font files on disk, for servers and tests: the one part of the package that needs Node. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { allFontFiles, OWN_PACKAGE } from './fonts.ts';

const require = createRequire(import.meta.url);
const packageOf = new Map(allFontFiles.map((file) => [file.name, file.package]));

/** Returns the path of a bundled font file; undefined when no bundled font has a file of this name. */
export function findFontPath(fileName: string): string | undefined {
  const packageName = packageOf.get(fileName);
  if (packageName === OWN_PACKAGE) return join(singleLineFolder(), fileName);
  return packageName && require.resolve(`${packageName}/files/${fileName}`);
}

/** By the package, as a bundle of a server is elsewhere than this file. */
const singleLineFolder = () => join(dirname(require.resolve(`${OWN_PACKAGE}/package.json`)), 'singleLine');
