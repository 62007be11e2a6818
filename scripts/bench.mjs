// Prints the figures of the bars: the tracer beside its peers, bundle sizes, in the built studio
// the first paint on a slow line, Lighthouse on the landing page, frame times of a drag, how soon a trace follows a slider and a list follows a search,
// whether times tell addresses apart, and what a large folder costs the server.
// With --write they also become docs/figures.md, so that a loss is a visible line in a diff.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { build, installPackages, requireNode, root } from './prepare.mjs';

requireNode();
installPackages();
build();

const tsx = 'node_modules/tsx/dist/cli.mjs';
const steps = [
  ['The tracer beside its peers', [tsx, 'packages/vectorizer/bench/peers.ts']],
  ['Backgrounds taken away', [tsx, 'bench/background.ts']],
  ['What each page loads first', ['bench/bundleSize.mjs']],
  ['The studio on a slow line', [tsx, 'bench/firstPaint.ts']],
  ['The landing page in Lighthouse', [tsx, 'bench/landing.ts']],
  ['Dragging a 20,000-node artwork', [tsx, 'bench/drag.ts']],
  ['From a slider to the new trace', [tsx, 'bench/liveTrace.ts']],
  ['A catalogue of 2,000 products', [tsx, 'bench/picker.ts']],
  ['Known and unknown addresses', [tsx, 'bench/signIn.ts']],
  ['A folder of 2,000 files', [tsx, 'bench/bulkUpload.ts']],
];

let failed = 0;
const parts = [
  `# Figures\n\nPrinted by \`npm run bench -- --write\` on ${availableParallelism()} cores, Node ${process.versions.node}. Times on a shared machine mean little alone: compare them inside one run.\n`,
];
for (const [title, args] of steps) {
  console.log(`\n## ${title}\n`);
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  console.log(stdout);
  parts.push(`## ${title}\n\n\`\`\`\n${stdout.trim()}\n\`\`\`\n`);
  if (status !== 0) failed++;
}
if (process.argv.includes('--write')) writeFileSync(`${root}/docs/figures.md`, parts.join('\n'));
process.exit(failed > 0 ? 1 : 0);
