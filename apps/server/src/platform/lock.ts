/** Locks of the start: what one server does while the others wait. */
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { StartError } from './errors.ts';

/** Any fixed numbers: the process that holds a lock does what its name says. */
const LOCKS = {
  migrating: 7_264_001,
  'comparing files and key': 7_264_003,
  'setting time limits': 7_264_004,
} as const;

const LIMIT_MS = 60_000;
const RETRY_MS = 200;
/** So long nobody wonders why a start takes time. */
const QUIET_MS = 2_000;

/**
 * Runs work that one server at a time does, on a connection of its own. Throws a StartError when another one holds the
 * lock for a minute.
 *
 * The lock belongs to a transaction on a second connection, not to a session: behind a pooler that hands out its
 * connections by transaction, a session's lock would stay behind on one of them. And who waits holds no transaction:
 * all connections of a pooler could wait for the one that finds none to work on.
 */
export async function withLock<T>(
  connection: pg.ClientConfig,
  name: keyof typeof LOCKS,
  log: Pick<Logger, 'info'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const holder = await connectPatiently(connection);
  try {
    await acquire(holder, name, log);
    const worker = await connectPatiently(connection);
    try {
      return await work(worker);
    } finally {
      await worker.end();
    }
  } finally {
    await holder.end(); // the end of the transaction releases the lock
  }
}

/** Connects for the start, which may wait longer than a call. */
export async function connectPatiently(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({
    connectionTimeoutMillis: 30_000,
    application_name: 'markwright start',
    ...connection,
  });
  // A connection that breaks fails its next statement. Without a listener, the error would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function acquire(client: pg.Client, name: keyof typeof LOCKS, log: Pick<Logger, 'info'>): Promise<void> {
  const startedAtMs = performance.now();
  for (let isQuiet = true; ; ) {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0');
    const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as "isOurs"', [LOCKS[name]]);
    if (rows[0].isOurs) return;
    await client.query('rollback');
    const waitedMs = performance.now() - startedAtMs;
    if (waitedMs > LIMIT_MS) {
      throw new StartError(`Another server has been ${name} for a minute. Start again when it is ready or has ended.`);
    }
    if (isQuiet && waitedMs > QUIET_MS) {
      isQuiet = false;
      log.info({ lock: name }, 'waiting for another server that is starting');
    }
    await setTimeout(RETRY_MS);
  }
}
