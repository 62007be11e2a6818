// npm test: what a change can break, on a fresh clone too. Its parts run at the same time: each alone leaves a
// sixth of two cores unused. Stops when the first part fails. Ends with a summary.
// npm run test:stress: the details in the browser, then the campaigns (races, kills, guesses, corpora) at their full
// count. See docs/testing.md.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fetchModel } from './model.mjs';
import { build, installPackages, npmCommand, requireNode, root } from './prepare.mjs';

const reports = join(root, '.build', 'tests');
const isStress = process.argv.includes('--stress');
const parts = [];
/** Outputs of parts in the order in which they are shown. The first one is shown as it comes, the others wait. */
const outputs = [];
const children = new Set();
let hasFailed = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  // The run ends when its parts have: they stop their servers and remove their folders.
  process.once(signal, () => {
    hasFailed = true;
    interrupt(signal);
  });
}

requireNode();
installPackages();
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
if (isStress) await testCampaigns();
else await testAll();

async function testAll() {
  // The gates of `npm run check`.
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const checks = [...scripts.check.matchAll(/npm run (\w+)/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'unit');
  // Before the checks: some of the server's tests read the built pages, and would be left out without them.
  await part('build', async () => {
    build();
    return true;
  });
  const results = await Promise.all([
    part('checks', async (write) => {
      // Types first: they take the longest.
      for (const name of checks.sort((a, b) => Number(b === 'types') - Number(a === 'types'))) {
        if (!(await check(name, write))) return false;
      }
      return true;
    }),
    part('unit and server tests', (write) =>
      run('unit', ['--tags-filter', '!detail'], { TEST_TIER: 'quick', TEST_REPORT: report('unit') }, write),
    ),
    part('browser tests', (write) => run('e2e', [], { TEST_TIER: 'quick', TEST_REPORT: report('browser') }, write)),
  ]);
  end(results.every(Boolean) ? 0 : 1);
}

async function testCampaigns() {
  const seed = process.env.TEST_SEED ?? String(Date.now() % 2 ** 31);
  console.log(`Campaigns at their full count, with the seed ${seed}. TEST_SEED=${seed} repeats them.`);
  const environment = { TEST_TIER: 'stress', TEST_SEED: seed, TEST_REPORT: report('unit') };
  // The test with the real network is left out, and says so, where it cannot be had.
  if (process.env.MODEL_DOWNLOAD !== 'off') await fetchModel({ folder: join(root, '.build', 'models') });
  build();
  const details = { TEST_REPORT: report('browser') };
  const isGood =
    (await part('details in the browser', (write) => run('e2e', ['--grep', '@detail'], details, write))) &&
    (await part('campaigns', (write) => run('unit', findCampaigns(), environment, write)));
  console.log(`Seed: ${seed}`);
  end(isGood ? 0 : 1);
}

/** Returns the test files that ask which tier runs, or have details. */
function findCampaigns() {
  return ['packages', 'apps', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((path) => join(folder, String(path)))
      .filter((path) => /\.test\.(tsx?|mjs)$/.test(path) && !/node_modules|dist/.test(path))
      .filter((path) => /\/campaign\.ts'|TEST_TIER|tags: \['detail'\]/.test(readFileSync(join(root, path), 'utf8'))),
  );
}

function report(name) {
  return join(reports, `${name}.json`);
}

/**
 * Does a part of the run and notes how long it took. `work` is given the function that shows its output. The output of
 * parts that run at the same time is shown one part after the other: the first one's as it comes, the others' when
 * their turn is there. When one fails, the others are interrupted.
 */
async function part(name, work) {
  const startTime = performance.now();
  const output = { text: '', isDone: false };
  outputs.push(output);
  const isGood = await work((text) => {
    output.text += text;
    showOutputs();
  });
  parts.push({ name, seconds: Math.round((performance.now() - startTime) / 1000) });
  output.isDone = true;
  // What failed is shown, and not what is interrupted because of it.
  if (!isGood && !hasFailed) {
    hasFailed = true;
    outputs.splice(0, outputs.length, output);
    interrupt('SIGINT');
  }
  showOutputs();
  return isGood;
}

/** Ends what runs as Ctrl-C in a terminal does: each script with all of its processes. */
function interrupt(signal) {
  for (const child of children) {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  }
}

function showOutputs() {
  for (let [first] = outputs; first; [first] = outputs) {
    process.stdout.write(first.text);
    first.text = '';
    if (!first.isDone) return;
    outputs.shift();
  }
}

/** Runs a script of the package, and gives its output to `write`. Resolves to true when it succeeds. */
function run(script, args, environment, write) {
  if (hasFailed) return false;
  return new Promise((resolve) => {
    const [program, first] = npmCommand();
    const options = {
      cwd: root,
      env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that a signal reaches the script's processes too.
      detached: process.platform !== 'win32',
    };
    const child = spawn(
      program,
      [...first, 'run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])],
      options,
    );
    children.add(child);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', write);
    child.once('close', (code) => {
      children.delete(child);
      resolve(code === 0);
    });
  });
}

/** Runs a check, whose output is shown when it fails. */
async function check(name, write) {
  let output = '';
  const isGood = await run(name, [], {}, (text) => {
    output += text;
  });
  write(isGood ? `✓ ${name}\n` : `${output}\n✗ ${name}\n`);
  return isGood;
}

/** Prints the time of each part and the number of tests, and ends. */
function end(code) {
  const unit = count(report('unit'), ({ numPassedTests, numFailedTests, numPendingTests, numTodoTests }) => [
    numPassedTests,
    numFailedTests,
    numPendingTests + numTodoTests,
  ]);
  const browser = count(report('browser'), ({ stats: { expected, flaky, unexpected, skipped } }) => [
    expected + flaky,
    unexpected,
    skipped,
  ]);
  const counts = {
    'unit and server tests': unit,
    campaigns: unit,
    'browser tests': browser,
    'details in the browser': browser,
  };
  console.log();
  for (const { name, seconds } of parts) {
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    console.log(`${name.padEnd(22)} ${time.padStart(6)}   ${counts[name] ? describe(counts[name]) : ''}`.trimEnd());
  }
  const total = [0, 1, 2].map((i) => (unit?.[i] ?? 0) + (browser?.[i] ?? 0));
  // A part may fail beside its tests: a check, a run that broke off.
  if (code !== 0 && total[1] === 0) total[1] = 1;
  console.log(`\n${describe(total)}`);
  process.exit(code);
}

function count(path, read) {
  return existsSync(path) ? read(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
}

function describe([passCount, failCount, skipCount]) {
  return `${passCount} passed, ${failCount} failed${skipCount > 0 ? `, ${skipCount} skipped` : ''}`;
}
