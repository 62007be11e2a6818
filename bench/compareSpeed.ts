/**
 * Compares the processor time of trace, resolve and render in two checkouts: samples in fresh processes, old and new in
 * turn.
 *
 * Run: tsx bench/compareSpeed.ts OLD [NEW] [--rounds 9]. NEW is this tree by default. Prints the median of each and the
 * median of the ratios of neighboring samples; another program on the machine disturbs both sides of a pair alike.
 */
import { spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '9' } },
});
const [oldTree, newTree = here] = positionals.map((path) => resolve(path));
if (!oldTree) {
  console.error('Usage: tsx bench/compareSpeed.ts OLD [NEW] [--rounds 9]');
  process.exit(2);
}

const PARTS = ['trace', 'resolve', 'render'] as const;
type Sample = Record<(typeof PARTS)[number], number>;

function sample(tree: string): Sample {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL('timeTree.ts', import.meta.url)), tree],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${tree}: ${stderr}`);
  return JSON.parse(stdout) as Sample;
}

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;

const pairs: [Sample, Sample][] = [];
for (let round = 0; round < Number(values.rounds); round++) {
  // Old and new go first in turn, so that a machine that warms up favors neither.
  if (round % 2) {
    const second = sample(newTree);
    pairs.push([sample(oldTree), second]);
  } else pairs.push([sample(oldTree), sample(newTree)]);
}
console.log('processor ms, median | old | new | new / old, median of pairs');
for (const part of PARTS) {
  const [before, after] = [0, 1].map((side) => median(pairs.map((pair) => pair[side as 0 | 1][part])));
  const ratio = median(pairs.map(([one, other]) => other[part] / one[part]));
  console.log(`${part.padEnd(8)} | ${before!.toFixed(0)} | ${after!.toFixed(0)} | ${ratio.toFixed(3)}`);
}
