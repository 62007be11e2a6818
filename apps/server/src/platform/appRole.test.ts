/** The rights of the running server in the database: every test of a server works with them, and these try the rest. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { putDatabase } from '../../test/dataFolder.ts';
import { createDatabase } from '../../test/server.ts';
import { startServerProcess } from '../../test/serverProcess.ts';
import { prepareAppRole } from './appRole.ts';
import { startEmbeddedPostgres } from './embeddedPostgres.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function query(connection: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

describe('the role of the running server', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  beforeAll(async () => {
    database = await createDatabase();
    await prepareAppRole(database.ownerConnection); // a copy has all of it but the rights on the database itself
  });
  afterAll(() => database.drop());
  const asApp = (text: string) => query(database.connection, text);

  test('has no attribute but its login, may become the role of a company alone, and owns nothing', async () => {
    const [role] = await asApp(`
      select rolcanlogin, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, rolinherit,
        array(select roleid::regrole::text from pg_auth_members where member = r.oid) as memberships,
        (select count(*)::int from pg_shdepend where refobjid = r.oid and deptype = 'o') as objects
      from pg_roles r where rolname = session_user`);
    expect(role).toEqual({
      ...{ rolcanlogin: true, rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false },
      ...{ rolbypassrls: false, rolinherit: false, memberships: ['markwright_company'], objects: 0 },
    });
  });

  test('reads and writes the rows of every table, and has no other right on one', async () => {
    const tables = await asApp(`
      select c.relname as table, array(
        select right_name from unnest(string_to_array(
          'SELECT INSERT UPDATE DELETE TRUNCATE REFERENCES TRIGGER MAINTAIN', ' ')) right_name
        where has_table_privilege(c.oid, right_name)) as rights
      from pg_class c where c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text = 'public'`);
    expect(tables.length).toBeGreaterThan(30);
    const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
    expect(tables).toEqual(tables.map(({ table }) => ({ table, rights })));
  });

  test('has these rights on tables that the owner creates later', async () => {
    for (const name of ['public.later']) {
      await query(database.ownerConnection, `create table ${name} (id int generated always as identity, word text)`);
      expect(await asApp(`insert into ${name} (word) values ('new') returning *`)).toEqual([{ id: 1, word: 'new' }]);
      await query(database.ownerConnection, `drop table ${name}`);
    }
  });

  test.each([
    'create role intruder login superuser',
    'alter role markwright_app superuser',
    'alter role markwright_app bypassrls',
    'set role markwright',
    'set session authorization markwright',
    'grant markwright to markwright_app',
    'create database loot',
    'alter table users add column secret text',
    'alter table orders disable row level security',
    'drop policy orders_own on orders',
    'drop table users',
    'truncate users',
    'create table public.loot (word text)',
    'create temporary table loot (word text)',
    'create schema loot',
    'create extension file_fdw',
    'create trigger spy before insert on users for each row execute function markwright_renew_catalogue()',
    'create or replace function markwright_leave() returns void language sql as $$ $$',
    'set session_replication_role = replica',
    "alter system set log_statement = 'all'",
    "copy users from '/etc/passwd'",
    "copy users to '/tmp/loot'",
    "copy users from program 'id'",
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('/')",
    "select lo_import('/etc/passwd')",
    'select * from pg_authid',
    'select * from drizzle.__drizzle_migrations',
    'update drizzle.__drizzle_migrations set hash = hash',
  ])('is refused: %s', async (statement) => {
    const refusal = await asApp(statement).then(
      () => 'It was done.',
      (error: pg.DatabaseError) => `${error.code} ${error.message}`,
    );
    expect(refusal).toMatch(/^42501 /); // insufficient_privilege
  });

  test('sees no row of a company outside a tenant scope, and cannot switch that off', async () => {
    await query(
      database.ownerConnection,
      `insert into users (email, username, password_hash) values ('shop@example.com', 'shop', '-');
       insert into companies (id, user_id) select 'shop', id from users where email = 'shop@example.com';
       insert into shops (company_id, key) values ('shop', 'key')`,
    );
    expect(await query(database.ownerConnection, 'select company_id from shops')).toHaveLength(1);
    expect(await asApp('select company_id from shops')).toEqual([]);
    await expect(asApp('set row_security = off; select company_id from shops')).rejects.toThrow(/row-level security/);
  });
});

test('a data folder from before the role gets it at the next start, and all of the server works as it', {
  tags: ['detail'],
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'markwright-role-'));
  endings.push(() => rmSync(folder, { recursive: true, force: true }));
  putDatabase(folder);
  const before = await startEmbeddedPostgres(folder, pino({ level: 'silent' }));
  endings.push(() => before.stop());
  await query(
    before.ownerConnection,
    `insert into users (email, username, password_hash) values ('ann@example.com', 'ann', '-');
     drop owned by markwright_app;
     drop role markwright_app;
     grant temporary on database markwright to public`,
  );
  await expect(query(before.connection, 'select')).rejects.toThrow('role "markwright_app" does not exist');
  await before.stop();

  const server = await startServerProcess(folder, { WORKERS: '1', LOG_LEVEL: 'warn' });
  endings.push(() => server.end('SIGTERM'));
  const post = (call: string, body: object) =>
    fetch(`${server.url}/api/auth/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const password = 'walnut-board';
  expect((await post('signup', { email: 'ann@example.com', password })).status).toBe(409); // the old row is there
  expect((await post('signup', { email: 'ben@example.com', password })).status).toBe(200);

  const readState = async () => {
    const [state] = await query(
      before.ownerConnection,
      `select exists (select from background_jobs where state = 'done') as "hasWorked", array(
         select distinct usename::text from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()) as users`,
    );
    return state;
  };
  await vi.waitFor(async () => expect(await readState()).toEqual({ hasWorked: true, users: ['markwright_app'] }), {
    timeout: 60_000,
  });
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.readLog()).not.toContain('permission denied');
});
