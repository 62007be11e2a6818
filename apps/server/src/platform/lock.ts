/** Locks of the start: what one server does while the others wait. */
import pg from 'pg';
import type { Logger } from 'pino';
import { StartError } from './errors.ts';

/** Any fixed numbers: the process that holds a lock does what its name says. */
const LOCKS = { migrating: 7_264_001, 'creating job queues': 7_264_002, 'comparing files and key': 7_264_003 } as const;

const LIMIT_MS = 60_000;
/** So long nobody wonders why a start takes time. */
const QUIET_MS = 2_000;
const LOCK_TIMEOUT = '55P03';

/**
 * Runs work that one server at a time does, on a connection of its own. Throws a StartError when another one holds the
 * lock for a minute.
 *
 * The lock belongs to a transaction on a second connection, not to a session: behind a pooler that hands out its
 * connections by transaction, a session's lock would stay behind on one of them.
 */
export async function withLock<T>(
  connection: pg.ClientConfig,
  name: keyof typeof LOCKS,
  log: Pick<Logger, 'info'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionTimeoutMillis: 10_000,
      application_name: 'markwright start',
      ...connection,
    });
    // A connection that breaks fails its next statement. Without a listener, the error would end the process.
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const holder = await open();
  const timer = setTimeout(() => log.info({ lock: name }, 'waiting for another server that is starting'), QUIET_MS);
  try {
    await holder.query(`begin; set local lock_timeout = ${LIMIT_MS}; set local statement_timeout = 0;
      set local idle_in_transaction_session_timeout = 0`);
    await holder.query('select pg_advisory_xact_lock($1)', [LOCKS[name]]);
    clearTimeout(timer);
    const worker = await open();
    try {
      return await work(worker);
    } finally {
      await worker.end();
    }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_TIMEOUT) throw error;
    throw new StartError(`Another server has been ${name} for a minute. Start again when it is ready or has ended.`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    await holder.end(); // the end of the transaction releases the lock
  }
}
