// npm run boundaries: who may import whom, by the rules of .dependency-cruiser.mjs; that no two folders import each
// other; and that imports name files with their extensions. All read the imports of one run, because parsing all
// sources takes most of its time. Biome has a rule for extensions, which makes it read all packages: 20 times as long.
import { dirname } from 'node:path/posix';
import { cruise, format } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const ROOTS = ['packages', 'apps', 'scripts', 'bench', 'e2e'];
/** Tests may use any part of the program to set their scene. */
const UNJUDGED = /\.test\.tsx?$|\/test\/|node_modules\//;
/** Two folders that import each other are one: move what both need down, or hand it in from above. */
const JUDGED_FOLDER = /^(apps|packages)\/[^/]+\/src\//;

const result = await cruise(ROOTS, await extractDepcruiseOptions('./.dependency-cruiser.mjs'));
const { output, exitCode } = await format(result.output, { outputType: 'err' });
console.log(output);
const cycles = findFolderCycles(result.output.modules);
for (const cycle of cycles) console.error(`no-folder-cycles: ${cycle.join(' → ')}`);
const places = findBareImports(result.output.modules);
for (const place of places) console.error(`import-extensions: ${place}`);
process.exitCode = exitCode > 0 || cycles.length > 0 || places.length > 0 ? 1 : 0;

/** Returns the imports of files beside it that lack an extension, which Node does not find. AssemblyScript has none. */
function findBareImports(modules) {
  const ofNode = modules.filter(({ source }) => !source.startsWith('packages/vectorizer/kernels/'));
  return ofNode.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ module }) => /^\.{1,2}(\/|$)/.test(module) && !/\.[a-z0-9]+(\?|$)/.test(module.replace(/^[./]+/, '')))
      .map(({ module }) => `${source} → ${module}`),
  );
}

/** Returns the shortest cycle through each import between two folders, but for cycles that were found before. */
function findFolderCycles(modules) {
  const imports = new Map();
  for (const { source, dependencies } of modules) {
    if (!/^(apps|packages)\//.test(source) || UNJUDGED.test(source)) continue;
    for (const { resolved } of dependencies) {
      if (UNJUDGED.test(resolved) || dirname(resolved) === '.') continue;
      // A folder imports what it or a folder in it imports from outside.
      for (let folder = dirname(source); folder !== '.'; folder = dirname(folder)) {
        if (resolved.startsWith(`${folder}/`)) continue;
        imports.set(folder, (imports.get(folder) ?? new Set()).add(dirname(resolved)));
      }
    }
  }
  const keys = new Set();
  const cycles = [];
  for (const [from, targets] of imports) {
    if (!JUDGED_FOLDER.test(from)) continue;
    for (const to of targets) {
      const way = findWay(imports, to, from);
      const key = way && [...way].sort().join();
      if (!way || keys.has(key)) continue;
      keys.add(key);
      cycles.push([from, ...way]);
    }
  }
  return cycles;
}

/** Returns the folders of the shortest way from one to another, both included; undefined when there is none. */
function findWay(imports, from, to) {
  const previous = new Map([[from, undefined]]);
  for (const folder of previous.keys()) {
    if (folder === to) break;
    for (const next of imports.get(folder) ?? []) if (!previous.has(next)) previous.set(next, folder);
  }
  if (!previous.has(to)) return undefined;
  const way = [];
  for (let folder = to; folder !== undefined; folder = previous.get(folder)) way.unshift(folder);
  return way;
}
