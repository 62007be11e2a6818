/** The way of a command to the database of the settings, beside a running server or without one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { reachEmbeddedPostgres, startEmbeddedPostgres } from '../platform/embeddedPostgres.ts';
import { StartError } from '../platform/errors.ts';
import { FolderInUse, lockFolder } from '../platform/folderLock.ts';

/** A way to a database, to be closed by `stop`. */
export interface DatabaseAccess {
  /** Connects as the role of the running server. */
  readonly connection: pg.ClientConfig;
  /** Connects as the owner of the tables. */
  readonly ownerConnection: pg.ClientConfig;
  stop(): Promise<void>;
}

type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl'>;

/**
 * Reaches the database: the one of DATABASE_URL, that of the server which runs on the data folder, or starts the
 * embedded one for the time of the command. Throws a StartError where there is none.
 */
export async function reachDatabase(config: Place, log: Logger): Promise<DatabaseAccess> {
  if (config.databaseUrl) return serviceOf(config);
  requireDatabase(config.dataDir);
  try {
    return await startAlone(config.dataDir, log);
  } catch (error) {
    if (error instanceof FolderInUse) return reachEmbeddedPostgres(config.dataDir);
    throw error;
  }
}

/**
 * Opens the database for a restore, and makes the embedded one where there is none. No server may run on the folder.
 */
export async function openEmptyDatabase(config: Place, log: Logger): Promise<DatabaseAccess> {
  return config.databaseUrl ? serviceOf(config) : startAlone(config.dataDir, log);
}

/** Starts the embedded database of a folder on which no server runs. Throws a StartError where there is none. */
export async function openEmbedded(dataDir: string, log: Logger): Promise<DatabaseAccess> {
  requireDatabase(dataDir);
  return startAlone(dataDir, log);
}

const serviceOf = ({ databaseUrl, databaseDirectUrl }: Place): DatabaseAccess => ({
  connection: { connectionString: databaseUrl! },
  ownerConnection: { connectionString: databaseDirectUrl! },
  stop: async () => {},
});

function requireDatabase(dataDir: string): void {
  if (existsSync(join(dataDir, 'postgres'))) return;
  throw new StartError(`There is no database in ${dataDir}. Set DATA_DIR as for the server, or start that first.`);
}

async function startAlone(dataDir: string, log: Logger): Promise<DatabaseAccess> {
  const lock = lockFolder(dataDir);
  try {
    const { connection, ownerConnection, stop } = await startEmbeddedPostgres(dataDir, log);
    return {
      connection,
      ownerConnection,
      async stop() {
        await stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
