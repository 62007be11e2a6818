/**
 * Commands for the operator, run on the server's machine with the server's settings: `npm run admin -- unlock`. They
 * work on the database, beside a running server or without one. Whoever may read the data folder, or knows
 * DATABASE_URL, may run them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unlockAccount } from './accounts/unlock.ts';
import { type Config, ConfigError, readConfig, siteOrigin } from './config.ts';
import { migrateDatabase, openDatabase } from './platform/database.ts';
import { reachEmbeddedPostgres, startEmbeddedPostgres } from './platform/embeddedPostgres.ts';
import { StartError } from './platform/errors.ts';
import { FolderInUse, lockFolder } from './platform/folderLock.ts';
import { forgetKey } from './platform/installation.ts';
import { installJobs } from './platform/jobs.ts';
import { createLog } from './platform/log.ts';

const USAGE = `npm run admin -- unlock [address] [--without-second-factor]
  Lets the owner of an account in who is locked out: the administrator, or the account with the address.
  Clears the tries that were counted against the account, and prints a link that sets a new password.
  --without-second-factor also turns the account's second factor off.

npm run admin -- migrate
  Brings the database of DATABASE_URL up to date, for servers that start with MIGRATE=off.

npm run admin -- forget-key
  Lets the next start take another signing key than the last one, which is lost.`;

const WITHOUT = '--without-second-factor';

async function main(parts: readonly string[]): Promise<number> {
  const [command, address, ...rest] = parts.filter((part) => part !== WITHOUT);
  const isAlone = parts.length === 1;
  if (isAlone && command === 'migrate') return migrate(readConfig());
  const isForgetKey = isAlone && command === 'forget-key';
  if (!isForgetKey && (command !== 'unlock' || rest.length > 0 || address?.startsWith('-'))) {
    console.error(USAGE);
    return 2;
  }
  const config = readConfig();
  const server = await openConnection(config);
  const database = openDatabase(server.connection, () => {}, 1);
  try {
    if (isForgetKey) {
      await forgetKey(database.db);
      console.log('The next start takes the signing key that it finds. Addresses of files end, and guests start anew.');
      return 0;
    }
    const context = { db: database.db, log: createLog('warn'), now: () => new Date(), origin: siteOrigin(config) };
    const result = await unlockAccount(context, address, parts.includes(WITHOUT));
    const { email, clearedCount, hadSecondFactor, link, expiresAt } = result;
    const limits = clearedCount === 1 ? 'One rate limit was' : `${clearedCount} rate limits were`;
    console.log(
      [
        `${email} can sign in again. ${limits} cleared. The password and the sessions are as they were.`,
        ...(hadSecondFactor ? ['The second factor is off.'] : []),
        `This link sets a new password, once, until ${expiresAt.toISOString().slice(11, 16)} UTC:`,
        link,
        'The browser that opens it stays able to sign in while others guess.',
      ].join('\n'),
    );
    return 0;
  } finally {
    await database.close();
    await server.stop();
  }
}

async function migrate({ databaseDirectUrl }: Config): Promise<number> {
  if (!databaseDirectUrl) throw new StartError('The embedded database is migrated by the start of the server.');
  const connection = { connectionString: databaseDirectUrl };
  const log = createLog('info');
  await migrateDatabase(connection, log);
  await installJobs(connection, log);
  console.log('The database is up to date.');
  return 0;
}

interface DatabaseServer {
  readonly connection: Parameters<typeof openDatabase>[0];
  stop(): Promise<void>;
}

/**
 * Reaches the database: the one of DATABASE_URL, that of the server which runs on the data folder, or starts the
 * embedded one for the time of the command.
 */
async function openConnection(config: Config): Promise<DatabaseServer> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, stop: async () => {} };
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new StartError(`There is no database in ${dataDir}. Set DATA_DIR as for the server, or start that first.`);
  }
  try {
    const lock = lockFolder(dataDir);
    const server = await startEmbeddedPostgres(dataDir, createLog('warn'));
    return {
      connection: server.connection,
      async stop() {
        await server.stop();
        lock.release();
      },
    };
  } catch (error) {
    if (error instanceof FolderInUse) return reachEmbeddedPostgres(dataDir);
    throw error;
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof ConfigError) console.error(error.problems.join('\n'));
    else console.error(error instanceof StartError ? error.message : error);
    process.exit(1);
  },
);
