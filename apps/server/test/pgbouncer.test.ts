/**
 * Servers behind PgBouncer in transaction mode, two or in the stress tier twenty, where the machine has it (Debian's
 * package `pgbouncer`).
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repetitions } from './campaign.ts';
import { hasPgbouncer, startPgbouncer } from './cluster.ts';
import { endAll, newDatabase, newFolder } from './operator.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

const SERVERS = repetitions(2, 20);
const nodes: ServerProcess[] = [];

describe.runIf(hasPgbouncer)('behind PgBouncer in transaction mode', () => {
  let connection: pg.ClientConfig;
  beforeAll(async () => {
    const database = await newDatabase();
    connection = database.connection;
    const name = database.connection.database;
    // Fewer connections than the servers ask for: their transactions share them.
    const pooling = { pool_mode: 'transaction', default_pool_size: '10', max_client_conn: '200' };
    const pooledUrl = `postgres://${name}@127.0.0.1:${await startPgbouncer(name, pooling)}/${name}`;
    const settings = {
      DATABASE_URL: pooledUrl,
      DATABASE_POOL: '8',
      SECRET_KEY: randomBytes(32).toString('hex'),
      LOG_LEVEL: 'warn',
    };
    const dataDir = newFolder();
    const starts = await Promise.allSettled(
      Array.from({ length: SERVERS }, () => startServerProcess(dataDir, settings)),
    );
    for (const start of starts) if (start.status === 'fulfilled') nodes.push(start.value);
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
  });
  afterAll(async () => {
    const codes = await Promise.all(nodes.map((node) => node.end('SIGTERM')));
    await endAll();
    expect(codes).toEqual(nodes.map(() => 0));
  });

  test(`${SERVERS} servers start at once, and share accounts and sessions`, async () => {
    const [a, b] = [nodes[0]!, nodes.at(-1)!];
    const answer = await fetch(`${a.url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ann@example.com', password: 'walnut-board' }),
    });
    const { token } = (await answer.json()) as { token: string };
    for (const node of [a, b, a, b]) {
      const reading = await fetch(`${node.url}/api/company/shop`, { headers: { authorization: `Bearer ${token}` } });
      expect(reading.status).toBe(200);
    }
  });

  test('the database limits the time of statements, and no lock stays behind', async () => {
    const client = new pg.Client({ ...connection, user: connection.database });
    await client.connect();
    const { rows } = await client.query(`select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle,
      (select count(*)::int from pg_locks where locktype = 'advisory' and granted and database =
        (select oid from pg_database where datname = current_database())) as locks`);
    await client.end();
    expect(rows).toEqual([{ statement: '2500ms', idle: '30s', locks: 0 }]);
  });
});
