/**
 * Servers behind PgBouncer in transaction mode, two or in the stress tier twenty, where the machine has it (Debian's
 * package `pgbouncer`).
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { repetitions } from './campaign.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

const program = process.env.PGBOUNCER || undefined;
const SERVERS = repetitions(2, 20);
const template = inject('postgres');
const name = `pooled_${randomBytes(8).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'markwright-pgbouncer-'));
const nodes: ServerProcess[] = [];
const endings: (() => unknown)[] = [];

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ ...template, database: 'postgres' });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts PgBouncer as the user of the database, whose socket no other user may open. */
async function startPgbouncer(): Promise<number> {
  const port = await findFreePort();
  const { uid, gid } = statSync(join(template.host, `.s.PGSQL.${template.port}`));
  const lines = [
    '[databases]',
    // Its own folder, because that user may not enter the folders above it.
    `${name} = host=/proc/self/cwd port=${template.port} dbname=${name} user=${name}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 10', // fewer than the servers ask for: their transactions share connections
    'max_client_conn = 200',
  ];
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(settings, lines.join('\n'));
  chownSync(folder, uid, gid);
  const child = spawn(program!, [settings], { cwd: template.host, uid, gid, stdio: 'ignore' });
  endings.push(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  await vi.waitFor(
    async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
    },
    { timeout: 60_000 },
  );
  return port;
}

describe.runIf(program !== undefined)('behind PgBouncer in transaction mode', () => {
  beforeAll(async () => {
    await asSuperuser(`create role ${name} login`);
    await asSuperuser(`create database ${name} owner ${name}`);
    const pooledUrl = `postgres://${name}@127.0.0.1:${await startPgbouncer()}/${name}`;
    const settings = {
      DATABASE_URL: pooledUrl,
      DATABASE_POOL: '8',
      SECRET_KEY: randomBytes(32).toString('hex'),
      LOG_LEVEL: 'warn',
    };
    const dataDir = join(folder, 'data');
    const starts = await Promise.allSettled(
      Array.from({ length: SERVERS }, () => startServerProcess(dataDir, settings)),
    );
    for (const start of starts) if (start.status === 'fulfilled') nodes.push(start.value);
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
  });
  afterAll(async () => {
    const codes = await Promise.all(nodes.map((node) => node.end('SIGTERM')));
    for (const end of endings) await end();
    await asSuperuser(`drop database if exists ${name} with (force)`);
    await asSuperuser(`drop role if exists ${name}`);
    rmSync(folder, { recursive: true, force: true });
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
    const client = new pg.Client({ ...template, database: name, user: name });
    await client.connect();
    const { rows } = await client.query(`select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle,
      (select count(*)::int from pg_locks where locktype = 'advisory' and granted and database =
        (select oid from pg_database where datname = current_database())) as locks`);
    await client.end();
    expect(rows).toEqual([{ statement: '2500ms', idle: '30s', locks: 0 }]);
  });
});
