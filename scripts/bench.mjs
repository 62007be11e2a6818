// Prints the figures of the bars: the tracer beside its peers, bundle sizes, and frame times of a drag in the built studio.
import { spawnSync } from 'node:child_process';

const steps = [
  ['The tracer beside its peers', ['node_modules/tsx/dist/cli.mjs', 'packages/vectorizer/bench/quality.ts']],
  ['Building the app', [process.env.npm_execpath ?? 'npm', 'run', '-s', 'build']],
  ['Bundle sizes', ['scripts/bundleSize.mjs']],
  ['Dragging a 20,000-node artwork', ['node_modules/tsx/dist/cli.mjs', 'e2e/dragBench.ts']],
];

let failed = 0;
for (const [title, args] of steps) {
  console.log(`\n## ${title}\n`);
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) failed++;
}
process.exit(failed > 0 ? 1 : 0);
