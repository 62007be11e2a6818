/**
 * Time limits that the database keeps, as settings of the server's role. A connection cannot bring them along: a pooler
 * refuses parameters of the start that it does not know, and hands a connection out with what somebody else set in it.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { connectPatiently, withLock } from './lock.ts';

/** A caller waits 2.8 s for an answer. A transaction that nobody goes on with holds locks. */
export const ROLE_TIMEOUTS = {
  statement_timeout: '2500ms',
  idle_in_transaction_session_timeout: '30s',
} as const;

/**
 * Sets the limits for the user of `DATABASE_URL`, in its database. They hold for connections that begin after it. The
 * direct connection may be another user's. Where that one may not set them, a line in the log says so.
 */
export async function setRoleTimeouts(
  connection: pg.ClientConfig,
  directConnection: pg.ClientConfig,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const own = await connectPatiently(connection);
  const names = own.query('select current_user as "user", current_database() as "database"');
  const { rows } = await names.finally(() => own.end());
  const { user, database: name } = rows[0] as { user: string; database: string };
  await withLock(directConnection, 'setting time limits', log, async (client) => {
    const settings = Object.entries(ROLE_TIMEOUTS);
    const { rowCount } = await client.query(
      `select from pg_db_role_setting join pg_roles on pg_roles.oid = setrole join pg_database d on d.oid = setdatabase
       where rolname = $1 and datname = $2 and setconfig @> $3`,
      [user, name, settings.map(([setting, limit]) => `${setting}=${limit}`)],
    );
    if (rowCount) return;
    const target = `${client.escapeIdentifier(user)} in database ${client.escapeIdentifier(name)}`;
    try {
      for (const [setting, limit] of settings) await client.query(`alter role ${target} set ${setting} = '${limit}'`);
    } catch (error) {
      log.warn({ err: error }, `the database has no limit for the time of a statement of ${user}`);
    }
  });
}
