/** The move from the embedded database to one of the operator's own. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { migrateDatabase } from '../platform/database.ts';
import { connectPatiently } from '../platform/lock.ts';
import { prepareTables } from './backup.ts';
import { openEmbedded } from './databases.ts';
import type { Progress } from './progress.ts';
import { inSnapshot, readRows, readShape, writeRows } from './rows.ts';

/** The name of the folder that is left of the embedded database. */
const MOVED = 'postgres.moved';

/**
 * Copies every row into an empty database, compares it, and then puts the embedded one aside, so that no server starts
 * on it by mistake. Files stay where they are. Returns the folder of the old database. No server may run meanwhile.
 */
export async function moveDatabase(
  dataDir: string,
  targetConnection: pg.ClientConfig,
  log: Logger,
  progress?: Progress,
): Promise<{ readonly tableCount: number; readonly folder: string }> {
  const access = await openEmbedded(dataDir, log);
  const source = await connectPatiently(access.ownerConnection);
  let tableCount = 0;
  try {
    await inSnapshot(source, async () => {
      const shape = await readShape(source);
      tableCount = shape.tables.length;
      await prepareTables(targetConnection, shape, log);
      const target = await connectPatiently(targetConnection);
      const report = (name: string) => progress?.say(`table ${name}`);
      await writeRows(target, shape, (table) => readRows(source, table), { report }).finally(() => target.end());
    });
    await migrateDatabase(targetConnection, log);
  } finally {
    await source.end();
    await access.stop();
  }
  const folder = join(dataDir, MOVED);
  await rename(join(dataDir, 'postgres'), folder);
  return { tableCount, folder };
}
