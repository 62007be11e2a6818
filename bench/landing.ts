/**
 * Measures the landing page with Lighthouse: its mobile profile (slow 4G, a processor at a quarter of its speed), the
 * built server and the browser of the tests. Lighthouse is no dependency of the product: the first run installs it into
 * .build.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { findBrowser } from '../e2e/browser.ts';
import { quantile, withBuiltServer } from './builtStudio.ts';

const VERSION = '12';
const RUNS = 3;
const BAR = { score: 95, largestMs: 2000 } as const;
const folder = '.build/lighthouse';
const program = `${folder}/node_modules/lighthouse/cli/index.js`;

interface Report {
  readonly categories: Record<string, { title: string; score: number | null }>;
  readonly audits: Record<string, { title: string; numericValue?: number; score: number | null }>;
}

function install(): void {
  if (existsSync(program)) return;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  spawnSync('npm', [...args, `lighthouse@${VERSION}`], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function measure(url: string): Promise<Report> {
  const { executablePath, args } = await findBrowser();
  const file = `${folder}/report.json`;
  rmSync(file, { force: true });
  const flags = ['--headless=new', ...args.filter((flag) => !flag.startsWith('--headless'))].join(' ');
  const { stderr } = spawnSync(
    process.execPath,
    [program, url, '--output=json', `--output-path=${file}`, '--quiet', `--chrome-flags=${flags}`],
    { env: { ...process.env, CHROME_PATH: executablePath }, encoding: 'utf8' },
  );
  if (!existsSync(file)) throw new Error(`Lighthouse gave no report: ${stderr.slice(-2000)}`);
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

install();
if (!existsSync(program)) {
  console.log('Lighthouse could not be installed; nothing was measured.');
  process.exit(0);
}
await withBuiltServer(async (url) => {
  const reports: Report[] = [];
  while (reports.length < RUNS) reports.push(await measure(`${url}/`));
  const groups = Object.entries(reports[0]!.categories);
  let isMet = true;
  for (const [id, { title }] of groups) {
    const scores = reports.map(({ categories }) => 100 * (categories[id]!.score ?? 0));
    isMet &&= quantile(scores, 0.5) >= BAR.score;
    console.log(
      `${title.padEnd(26)} ${quantile(scores, 0.5).toFixed(0)}   runs ${scores.map((score) => score.toFixed(0)).join(', ')}`,
    );
  }
  for (const id of [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ]) {
    const values = reports.map(({ audits }) => audits[id]!.numericValue ?? 0);
    const show = (value: number) => (id === 'cumulative-layout-shift' ? value.toFixed(3) : `${value.toFixed(0)} ms`);
    if (id === 'largest-contentful-paint') isMet &&= quantile(values, 0.5) <= BAR.largestMs;
    console.log(
      `${reports[0]!.audits[id]!.title.padEnd(26)} ${show(quantile(values, 0.5))}   runs ${values.map(show).join(', ')}`,
    );
  }
  const faults = Object.values(reports.at(-1)!.audits).filter(({ score }) => score !== null && score < 0.9);
  if (faults.length > 0) console.log(`below 90: ${faults.map(({ title }) => title).join('; ')}`);
  const bar = `all groups >= ${BAR.score}, largest paint <= ${BAR.largestMs} ms`;
  console.log(isMet ? `bar met: ${bar}` : `BAR MISSED: ${bar}`);
  process.exitCode = isMet ? 0 : 1;
});
