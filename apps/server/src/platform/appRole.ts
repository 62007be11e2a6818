/**
 * The role that the running server works as in the embedded database. It reads and writes rows, and owns nothing. The
 * superuser that every PostgreSQL has owns the tables; it works at the start alone, in short connections.
 */
import pg from 'pg';
import { ROLE_TIMEOUTS } from './roleTimeouts.ts';

export const APP_ROLE = 'markwright_app';
/** The schema of the server's rows. The record of the migrations is in another one, which the role cannot enter. */
const SCHEMA = 'public';
const ROW_RIGHTS = 'select, insert, update, delete';

/**
 * Creates the role when it is missing, and sets its rights in the database of this connection: on the tables that are
 * there and on those that their owner creates later. The connection is the owner's. Repeating it changes nothing.
 */
export async function prepareAppRole(ownerConnection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(ownerConnection);
  await client.connect();
  try {
    const database = client.escapeIdentifier(client.database ?? '');
    const timeouts = Object.entries(ROLE_TIMEOUTS).map(
      ([name, limit]) => `alter role ${APP_ROLE} set ${name} = '${limit}';`,
    );
    // A text of several statements is one transaction.
    await client.query(`
      do $$ begin
        if not exists (select from pg_roles where rolname = '${APP_ROLE}') then create role ${APP_ROLE}; end if;
        if not exists (select from pg_roles where rolname = 'markwright_company') then
          create role markwright_company nologin; -- as the migrations do, for rows of one company
        end if;
      end $$;
      alter role ${APP_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls noinherit;
      ${timeouts.join('\n      ')}
      grant markwright_company to ${APP_ROLE};
      revoke temporary on database ${database} from public;
      grant usage on schema ${SCHEMA} to ${APP_ROLE};
      grant ${ROW_RIGHTS} on all tables in schema ${SCHEMA} to ${APP_ROLE};
      grant usage on all sequences in schema ${SCHEMA} to ${APP_ROLE};
      alter default privileges in schema ${SCHEMA} grant ${ROW_RIGHTS} on tables to ${APP_ROLE};
      alter default privileges in schema ${SCHEMA} grant usage on sequences to ${APP_ROLE};`);
  } finally {
    await client.end();
  }
}
