// Prints the figures of the bars: `npm run bench` all of them, `npm run bench -- drag signIn` those named in
// figures.mjs. Each part is printed as docs/figures.md has it; with --write it also replaces that part of the file, so
// that a loss is a visible line in a diff.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { formatPart, parts, writeParts } from './figures.mjs';
import { build, installPackages, requireNode, root } from './prepare.mjs';

const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith('--'));
const unknown = [
  ...names.filter((name) => !parts.some((part) => part.name === name)),
  ...words.filter((word) => word.startsWith('--') && word !== '--write'),
];
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}. There are --write and the benches ${parts.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}
const partsToRun = names.length > 0 ? parts.filter(({ name }) => names.includes(name)) : parts;

requireNode();
installPackages();
if (partsToRun.some(({ isBuilt }) => isBuilt)) build();

/** The commit whose tree is measured. */
const { stdout: commit } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' });
const stamp = {
  date: new Date().toISOString().slice(0, 10),
  commit: commit?.trim() || 'unknown',
  machine: `${availableParallelism()} cores, Node ${process.versions.node}`,
};

let failures = 0;
const texts = new Map();
for (const part of partsToRun) {
  const { status, signal, stdout } = spawnSync(process.execPath, part.args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (signal) {
    // What it printed until then is no measurement.
    console.error(`${part.title}: stopped by ${signal}.`);
    failures++;
    continue;
  }
  const text = formatPart(part, stamp, stdout);
  console.log(text);
  texts.set(part.title, text);
  if (status !== 0) failures++;
}
if (words.includes('--write')) writeParts(texts);
process.exit(failures > 0 ? 1 : 0);
