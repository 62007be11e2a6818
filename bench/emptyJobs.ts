/**
 * Times an empty job for pictures from the call to its answer: in this server's own processes, as on one machine
 * without settings, and through the queue of a database on another server; and a background job from the call that
 * sends it on one server to its beginning on another. Prints the median and the 95th percentile.
 * Run: npx tsx bench/emptyJobs.ts [--jobs 300]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createPool } from '../apps/server/src/media/pool.ts';
import { openSharedPool } from '../apps/server/src/media/sharedPool.ts';
import type { PoolRunOptions } from '../apps/server/src/media/workerProcess.ts';
import { type Db, migrateDatabase, openDatabase } from '../apps/server/src/platform/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/embeddedPostgres.ts';
import { openDiskFiles } from '../apps/server/src/platform/files.ts';
import { openJobs } from '../apps/server/src/platform/jobs.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { type Notifications, openNotifications } from '../apps/server/src/platform/notifications.ts';
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
  return print(name, times);
}

function print(name: string, times: readonly number[]): number {
  const median = quantile(times, 0.5);
  console.log(`${name.padEnd(40)}${median.toFixed(1).padStart(6)} ms   p95 ${quantile(times, 0.95).toFixed(1)} ms`);
  return median;
}

type Listen = Notifications['listen'];
async function timeBackgroundJobs(db: Db, here: Listen, there: Listen): Promise<void> {
  const times: number[] = [];
  let begin = (): void => {};
  const [sender, runner] = [openJobs({ db, listen: here, log }), openJobs({ db, listen: there, log })];
  await runner.start([{ name: 'note', parallel: 2, run: async () => begin() }]);
  for (let i = -20; i < Number(values.jobs); i++) {
    const beginning = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const startTime = performance.now();
    await sender.send(db, 'note');
    await beginning;
    if (i >= 0) times.push(performance.now() - startTime);
  }
  await runner.stop(1_000);
  print('a background job, on another server', times);
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
  // A connection for each of both servers.
  const [here, there] = [openNotifications(server.connection, log), openNotifications(server.connection, log)];
  const worker = openSharedPool<TestJobs>({ ...parts, listen: there.listen, openProcesses });
  const asker = openSharedPool<TestJobs>({ ...parts, listen: here.listen, openProcesses: undefined });
  await time('on another server, by the database', asker);
  await asker.close();
  await worker.close();
  await timeBackgroundJobs(database.db, here.listen, there.listen);
  await Promise.all([here.close(), there.close()]);
  await database.close();
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
const isMet = ownMs <= BAR_MS;
console.log(`one machine without settings: bar ${BAR_MS} ms   ${isMet ? 'ok' : 'missed'}`);
process.exitCode = isMet ? 0 : 1;
