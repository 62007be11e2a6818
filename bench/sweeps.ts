/**
 * Times the two hourly sweeps that go through all stored files, over some numbers of files, on a database and a disk of
 * their own: the one of the ledger, and the one of files without an owner, which every tenth file is. Prints the time
 * of each for a file, and fails when that grows with their number.
 * Run: npx tsx bench/sweeps.ts
 */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { designs } from '../apps/server/src/designs/tables.ts';
import { migrateDatabase, openDatabase } from '../apps/server/src/platform/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/embeddedPostgres.ts';
import { openDiskFiles } from '../apps/server/src/platform/files.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { sweepOrphansOf } from '../apps/server/src/platform/orphans.ts';
import { sweepStorage } from '../apps/server/src/storage/sweep.ts';
import { findFastFolder } from '../scripts/fastFolder.ts';

const COUNTS = [10_000, 20_000, 40_000];
const ORPHAN_SHARE = 10;
/** The most time for a file of the largest store, to that of the smallest. */
const MOST_GROWTH = 1.3;
const BYTES = new Uint8Array(100);
const log = createLog('error');

/** Returns the milliseconds that `count` files take in each of the sweeps. */
async function time(count: number): Promise<readonly number[]> {
  const folder = await mkdtemp(join(findFastFolder(), 'markwright-sweeps-'));
  const server = await startEmbeddedPostgres(folder, log);
  try {
    await migrateDatabase(server.ownerConnection, log);
    const owner = openDatabase(server.ownerConnection, () => {});
    await owner.query(`insert into users (id, email, password_hash, username, created_at)
      values (1, 'a@example.com', 'x', 'a', now())`);
    await owner.query(`insert into designs
        (id, user_id, filename, media_type, width, height, size_bytes, original_key, created_at)
      select 'd' || n, 1, 'logo.png', 'image/png', 800, 600, 100, 'designs/d' || n || '/original.png', now()
      from generate_series(0, ${count - 1}) n where n % ${ORPHAN_SHARE} > 0`);
    await owner.query(`insert into stored_files (key, kind, owner, payer, bytes, used_at)
      select original_key, 'original', 'user:1', 'user:1', 100, now() from designs`);
    await owner.query('analyze'); // as the database does by itself some time after rows are added
    await owner.close();
    const twoDaysAgo = new Date(Date.now() - 48 * 60 * 60 * 1000);
    for (let n = 0; n < count; n++) {
      const path = join(folder, 'files', 'designs', `d${n}`, 'original.png');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, BYTES);
      await utimes(path, twoDaysAgo, twoDaysAgo);
    }
    const database = openDatabase(server.connection, () => {});
    const files = await openDiskFiles(join(folder, 'files'));
    const context = { db: database.db, files, log, now: () => new Date() } as unknown as Parameters<
      typeof sweepStorage
    >[0];
    const times: number[] = [];
    for (const sweep of [() => sweepStorage(context), () => sweepOrphansOf(context, 'designs/', designs)]) {
      const startTime = performance.now();
      await sweep();
      times.push(performance.now() - startTime);
    }
    await database.close();
    return times;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const rows: number[][] = [];
console.log('files     ledger: ms, µs a file     without an owner: ms, µs a file');
for (const count of COUNTS) {
  const times = await time(count);
  rows.push(times.map((ms) => ms / count));
  const cells = times.map((ms) => `${ms.toFixed(0).padStart(6)} ${((1000 * ms) / count).toFixed(0).padStart(6)}`);
  console.log(`${String(count).padEnd(10)}${cells.join('               ')}`);
}
const growth = rows.at(-1)!.map((perFile, i) => perFile / rows[0]![i]!);
const isMet = growth.every((factor) => factor <= MOST_GROWTH);
console.log(`time for a file grows by ${growth.map((factor) => factor.toFixed(2)).join(' and ')}, bar ${MOST_GROWTH}`);
console.log(isMet ? 'bar met' : 'BAR MISSED');
process.exitCode = isMet ? 0 : 1;
