// npm test: everything a change can break, on a fresh clone too. Stops at the first part that fails.
// Ends with a summary.
// npm run test:stress: the campaigns (races, kills, guesses, corpora) at their full count. See docs/testing.md.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fetchModel } from './model.mjs';
import { build, installPackages, npmCommand, requireNode, root } from './prepare.mjs';

const reports = join(root, '.build', 'tests');
const isStress = process.argv.includes('--stress');
const parts = [];
let child;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    child?.kill(signal);
    process.exit(1);
  });
}

requireNode();
installPackages();
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
if (isStress) await testCampaigns();
else await testAll();
end(0);

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
  await part('checks', async () => {
    // Two at a time. Types first: they take the longest.
    const waiting = [...checks].sort((a, b) => Number(b === 'types') - Number(a === 'types'));
    const take = async () => {
      for (let name = waiting.shift(); name; name = waiting.shift()) if (!(await quietly(name))) return false;
      return true;
    };
    return (await Promise.all([take(), take()])).every(Boolean);
  });
  await part('unit and server tests', () => run('unit', [], { TEST_REPORT: report('unit') }));
  await part('browser tests', () => run('e2e', [], { TEST_REPORT: report('browser') }));
}

async function testCampaigns() {
  const seed = process.env.TEST_SEED ?? String(Date.now() % 2 ** 31);
  console.log(`Campaigns at their full count, with the seed ${seed}. TEST_SEED=${seed} repeats them.`);
  const environment = { TEST_TIER: 'stress', TEST_SEED: seed, TEST_REPORT: report('unit') };
  // The test with the real network is left out, and says so, where it cannot be had.
  if (process.env.MODEL_DOWNLOAD !== 'off') await fetchModel({ folder: join(root, '.build', 'models') });
  await part('campaigns', () => run('unit', findCampaigns(), environment));
  console.log(`Seed: ${seed}`);
}

/** Returns the test files that ask which tier runs. */
function findCampaigns() {
  return ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((path) => join(folder, String(path)))
      .filter((path) => /\.test\.tsx?$/.test(path) && !/node_modules|dist/.test(path))
      .filter((path) => /\/campaign\.ts'|TEST_TIER/.test(readFileSync(join(root, path), 'utf8'))),
  );
}

function report(name) {
  return join(reports, `${name}.json`);
}

/** Does a part of the run and notes how long it took. Ends the run when it fails. */
async function part(name, work) {
  const startTime = performance.now();
  const isDone = await work();
  parts.push({ name, seconds: Math.round((performance.now() - startTime) / 1000) });
  if (!isDone) end(1);
}

/** Runs a script of the package, whose output is shown as it comes. */
function run(script, args, environment) {
  return new Promise((resolve) => {
    child = spawnScript(script, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
    child.once('close', (code) => resolve(code === 0));
  });
}

/** Runs a script of the package beside others: its output is shown whole when it fails. */
function quietly(script) {
  return new Promise((resolve) => {
    const checking = spawnScript(script, [], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [checking.stdout, checking.stderr]) stream.on('data', (data) => (output += data));
    checking.once('close', (code) => {
      console.log(code === 0 ? `✓ ${script}` : `${output}\n✗ ${script}`);
      resolve(code === 0);
    });
  });
}

function spawnScript(script, args, options) {
  const [program, first] = npmCommand();
  return spawn(program, [...first, 'run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])], {
    cwd: root,
    ...options,
  });
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
  const counts = { 'unit and server tests': unit, campaigns: unit, 'browser tests': browser };
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
