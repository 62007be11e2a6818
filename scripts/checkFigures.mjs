// Names the parts of docs/figures.md that are older than the code they measure. It informs and never fails: a person
// decides if a change is worth a new measurement.
import { spawnSync } from 'node:child_process';
import { parts, readParts } from './figures.mjs';
import { root } from './prepare.mjs';

/** Returns the trimmed output of a git command; undefined when it fails or git is not installed. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

if (git('rev-parse', 'HEAD') === undefined) {
  console.log('figures: no git history here, so their age is unknown');
  process.exit(0);
}
/** Paths of tests, which no bench measures. */
const noTests = [':(exclude,glob)**/*.test.*', ':(exclude,glob)packages/*/test/**'];
const partsInFile = readParts();
let old = 0;
let unknown = 0;
for (const { name, title, measures } of parts) {
  const { date, commit } = partsInFile.get(title) ?? {};
  if (commit === undefined) {
    console.log(`figures: "${title}" was never measured: npm run bench -- --write ${name}`);
  } else if (git('merge-base', '--is-ancestor', commit, 'HEAD') === undefined) {
    unknown++;
  } else {
    const changes =
      git('log', '--format=%h %cs', `${commit}..HEAD`, '--', ...measures, ...noTests)
        ?.split('\n')
        .filter(Boolean) ?? [];
    if (changes.length === 0) continue;
    old++;
    console.log(
      `figures: "${title}" is of ${date}; ${changes.length} commits changed what it measures since, last ${changes[0]}`,
    );
  }
}
if (unknown > 0) {
  console.log(
    `figures: the commits of ${unknown} parts are not in this history (a shallow clone?), so their age is unknown`,
  );
}
console.log(`figures: ${parts.length} parts, ${old} older than the code they measure`);
