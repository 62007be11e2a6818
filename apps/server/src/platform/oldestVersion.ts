/**
 * The oldest version that may work on a database. Each version needs what the one before it leaves there, and removes
 * what only older ones need. So the database says which version is the oldest, and older ones do not start on it.
 *
 * It says so in the comment of the schema that records the migrations: there before any table, and never out of step
 * with them (decision 118).
 */
import type pg from 'pg';
import { StartError } from './errors.ts';

/**
 * The version before this one: its servers and those of this version work on one database at the same time. When a
 * version is released, the next one may name it here and remove what only older ones need.
 */
export const OLDEST_VERSION = '0.1.0';

interface Queries {
  query(text: string): Promise<pg.QueryResult>;
}

/** Throws a StartError when a later version that this one does not work beside has migrated the database. */
export async function requireOldestVersion(client: Queries, version: string): Promise<void> {
  const oldest = await readOldestVersion(client);
  if (!oldest || compareVersions(version, oldest) >= 0) return;
  throw new StartError(
    `A later version has changed the database: ${oldest} and newer work on it, and this is ${version}. Start one of ` +
      'those, or restore a backup from before into an empty database and an empty place for files.',
  );
}

/** Writes which version is the oldest, after the migrations of this one. A later version may have named a newer one. */
export async function writeOldestVersion(client: Queries, version = OLDEST_VERSION): Promise<void> {
  const oldest = await readOldestVersion(client);
  if (oldest && compareVersions(version, oldest) <= 0) return;
  await client.query(`comment on schema drizzle is 'Markwright ${version} and newer'`);
}

async function readOldestVersion(client: Queries): Promise<string | undefined> {
  const { rows } = await client.query(`select obj_description(to_regnamespace('drizzle'), 'pg_namespace') as comment`);
  return /^Markwright (\d+\.\d+\.\d+) and newer$/.exec(rows[0]?.comment ?? '')?.[1];
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const index = left!.findIndex((part, i) => part !== right![i]);
  return index === -1 ? 0 : left![index]! - right![index]!;
}
