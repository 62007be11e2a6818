/**
 * Times an empty job for pictures from the call to its answer: in this server's own processes, as on one machine
 * without settings, and through the queue of a database on another server. Prints the median and the 95th percentile.
 * Run: npx tsx bench/emptyJobs.ts [--jobs 300]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createPool } from '../apps/server/src/media/pool.ts';
import { openSharedPool } from '../apps/server/src/media/sharedPool.ts';
import type { PoolRunOptions } from '../apps/server/src/media/workerProcess.ts';
import { migrateDatabase, openDatabase } from '../apps/server/src/platform/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/embeddedPostgres.ts';
import { openDiskFiles } from '../apps/server/src/platform/files.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { openNotifications } from '../apps/server/src/platform/notifications.ts';
import type { Pool } from '../apps/server/src/platform/ports/mediaPool.ts';
import type { TestJobs } from '../apps/server/test/poolWorker.ts';
import { findFastFolder } from '../scripts/fastFolder.ts';
import { quantile } from './builtStudio.ts';

const { values } = parseArgs({ options: { jobs: { type: 'string', default: '300' } } });
const BAR_MS = 20;
const log = createLog('error');
const entry = fileURLToPath(new URL('../apps/server/test/poolWorker.ts', import.meta.url));
const openProcesses = (settings = {}) =>
  createPool<TestJobs>({ entry, execArgv: ['--import', 'tsx'], size: 1, log, ...settings });

/** Returns the median time of a job in ms. */
async function time(name: string, pool: Pool<TestJobs, PoolRunOptions>): Promise<number> {
  const times: number[] = [];
  const options = { caller: { name: 'ann', lane: 'account' as const, payers: [] } };
  // The first ones wait for the start of the process.
  for (let i = -20; i < Number(values.jobs); i++) {
    const startTime = performance.now();
    await pool.run('wait', { ms: 0 }, options);
    if (i >= 0) times.push(performance.now() - startTime);
  }
  const median = quantile(times, 0.5);
  console.log(`${name.padEnd(36)}${median.toFixed(1).padStart(6)} ms   p95 ${quantile(times, 0.95).toFixed(1)} ms`);
  return median;
}

const own = openProcesses();
const ownMs = await time('in its own process', own);
await own.close();

const folder = await mkdtemp(join(findFastFolder(), 'markwright-jobs-'));
const server = await startEmbeddedPostgres(folder, log);
try {
  await migrateDatabase(server.ownerConnection, log);
  const database = openDatabase(server.connection, () => {});
  const parts = { db: database.db, files: await openDiskFiles(join(folder, 'files')), log };
  const listen: Parameters<typeof openSharedPool>[0]['listen'] = (channels, onMessage) =>
    openNotifications(server.ownerConnection, channels, onMessage, log);
  const worker = openSharedPool<TestJobs>({ ...parts, listen, openProcesses });
  const asker = openSharedPool<TestJobs>({ ...parts, listen, openProcesses: undefined });
  await time('on another server, by the database', asker);
  await asker.close();
  await worker.close();
  await database.close();
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
const isMet = ownMs <= BAR_MS;
console.log(`one machine without settings: bar ${BAR_MS} ms   ${isMet ? 'ok' : 'missed'}`);
process.exitCode = isMet ? 0 : 1;
