// npm run sources: the checks of sources and documents that look at one file after the other. Each file is read once,
// and parsed once: in processes of their own the checks took twice the processor time.
//
// npm run columns, functions, names, spelling    one of them
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { findLargeFunctions } from './checkFunctions.mjs';
import { findOverlongLines } from './columns.mjs';
import { findNames } from './names.mjs';
import { listSources, reportPlaces } from './sources.mjs';
import { findBritishWords } from './spelling.mjs';

/** Each takes a file and returns places, `path:line text`. */
const checks = {
  columns: findOverlongLines,
  functions: findLargeFunctions,
  names: findNames,
  spelling: findBritishWords,
};
const names = process.argv.slice(2).filter((name) => Object.hasOwn(checks, name));
const chosenChecks = Object.entries(checks).filter(([name]) => names.length === 0 || names.includes(name));

/** A file of the tree. `source` is its syntax tree, parsed when a check asks for it. */
class SourceFile {
  #source;

  constructor(path) {
    this.path = path;
    this.text = readFileSync(path, 'utf8');
  }

  get source() {
    this.#source ??= ts.createSourceFile(this.path, this.text, ts.ScriptTarget.Latest, true);
    return this.#source;
  }
}

reportPlaces(
  listSources(/\.(ts|tsx|mjs|css|md|html)$/).flatMap((path) => {
    const file = new SourceFile(path);
    return chosenChecks.flatMap(([, find]) => find(file));
  }),
);
