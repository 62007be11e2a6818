/**
 * Times cold starts of the built program as a node: against a database that others use and that is migrated, from the
 * start of its process to `/api/health`. One after the other, then all at once. Each has one worker for pictures.
 * Run: npm run build && npx tsx bench/coldStart.ts [--single 9] [--together 20]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { migrateDatabase } from '../apps/server/src/platform/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/embeddedPostgres.ts';
import { installJobs } from '../apps/server/src/platform/jobs.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { findFastFolder } from '../scripts/fastFolder.ts';
import { quantile } from './builtStudio.ts';

const { values } = parseArgs({
  options: { single: { type: 'string', default: '9' }, together: { type: 'string', default: '20' } },
});
const BAR = { singleSeconds: 3, togetherSeconds: 60 };
const program = fileURLToPath(new URL('../apps/server/dist/main.js', import.meta.url));

const folder = await mkdtemp(join(findFastFolder(), 'markwright-cold-start-'));
const log = createLog('error');
const database = await startEmbeddedPostgres(folder, log);
const nodes = new Set<ChildProcess>();
try {
  await migrateDatabase(database.ownerConnection, log);
  await installJobs(database.ownerConnection, log);
  const { host, port, user, database: name } = database.ownerConnection;
  const parameters = new URLSearchParams({ host, port: String(port), user });
  const environment = {
    DATABASE_URL: `postgres:///${name}?${parameters}`,
    // So that twenty of them have no more connections than the database serves.
    DATABASE_POOL: '3',
    DATA_DIR: join(folder, 'files'),
    PORT: '0',
    WORKERS: '1',
    MODEL_DOWNLOAD: 'off',
    LOG_LEVEL: 'error',
  };
  // The first one makes what all of them share.
  await endAll([await startNode(environment)]);

  const times: number[] = [];
  for (let i = 0; i < Number(values.single); i++) {
    const startTime = performance.now();
    const node = await startNode(environment);
    times.push((performance.now() - startTime) / 1000);
    await endAll([node]);
  }
  const median = quantile(times, 0.5);
  const longest = Math.max(...times);
  const isSingleMet = longest <= BAR.singleSeconds;
  console.log(
    `one node, ${times.length} times   median ${median.toFixed(2)} s, longest ${longest.toFixed(2)} s   ` +
      `bar ${BAR.singleSeconds} s   ${isSingleMet ? 'ok' : 'missed'}`,
  );

  const startTime = performance.now();
  const together = await Promise.all(Array.from({ length: Number(values.together) }, () => startNode(environment)));
  const seconds = (performance.now() - startTime) / 1000;
  const isTogetherMet = seconds <= BAR.togetherSeconds;
  console.log(
    `${together.length} nodes at once     all ready after ${seconds.toFixed(1)} s   bar ${BAR.togetherSeconds} s   ` +
      `${isTogetherMet ? 'ok' : 'missed'}`,
  );
  await endAll(together);
  process.exitCode = isSingleMet && isTogetherMet ? 0 : 1;
} finally {
  await endAll([...nodes]);
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Starts a node, and returns it when it says that it is ready and its health is good. */
async function startNode(environment: Record<string, string>): Promise<ChildProcess> {
  const node = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  nodes.add(node);
  let words = '';
  node.stderr.on('data', (text) => {
    words += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(node.stdout).on('line', (line) => {
      const address = /^Markwright is ready at (http:\S+)$/.exec(line)?.[1];
      if (address) resolve(address);
    });
    node.once('close', (code) => reject(new Error(`A node ended with ${code}: ${words}`)));
  });
  const reply = await fetch(`${url}/api/health`);
  if (!reply.ok) throw new Error(`A node answered ${reply.status}: ${await reply.text()}`);
  return node;
}

async function endAll(list: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    list.map(async (node) => {
      nodes.delete(node);
      if (node.exitCode !== null || node.signalCode !== null) return;
      const exit = once(node, 'close');
      node.kill('SIGTERM');
      await exit;
    }),
  );
}
