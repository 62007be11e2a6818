/**
 * Two servers on one PostgreSQL share accounts, sessions and allowances. They share the data folder too, because
 * pictures and the signing key are in it.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { GUEST_MOCKUPS, plans } from '@markwright/contract';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { seedProducts } from '../src/catalogue/seed/products.ts';
import { mainProgram } from './builtServer.ts';
import { stressTest } from './campaign.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'markwright-nodes-'));
const template = inject('postgres');
const name = `nodes_${randomBytes(8).toString('hex')}`;
const databaseUrl = `postgres:///${name}?${new URLSearchParams({
  host: template.host,
  port: String(template.port),
  user: name, // the owner of the database, who has no other right
})}`;
const nodes: ServerProcess[] = [];
let a: ServerProcess;
let b: ServerProcess;

beforeAll(async () => {
  await asSuperuser(`create role ${name} login`);
  await asSuperuser(`create database ${name} owner ${name}`);
  const settings = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn', WORKERS: '1' };
  const startResults = await Promise.allSettled([
    startServerProcess(dataDir, settings),
    startServerProcess(dataDir, settings),
  ]);
  for (const start of startResults) if (start.status === 'fulfilled') nodes.push(start.value);
  for (const start of startResults) if (start.status === 'rejected') throw start.reason;
  [a, b] = nodes as [ServerProcess, ServerProcess];
});

afterAll(async () => {
  const codes = await Promise.all(nodes.map((node) => node.end('SIGTERM')));
  await asSuperuser(`drop database if exists ${name} with (force)`);
  await asSuperuser(`drop role if exists ${name}`);
  rmSync(dataDir, { recursive: true, force: true });
  expect(codes).toEqual(nodes.map(() => 0));
  const lines = nodes.flatMap((node) => node.readLog().split('\n')).filter(Boolean);
  // Both are true of a machine that other tests keep busy.
  const isOfLoad = (line: string): boolean => /The studio is busy just now\.|due to connection timeout/.test(line);
  expect(lines.filter((line) => !isOfLoad(line))).toEqual([]);
});

test('two servers that start simultaneously set up an empty database once, and start no database of their own', async () => {
  const [row] = await query(`select
    (select count(*)::int from drizzle.__drizzle_migrations) as migrations,
    (select count(*)::int from users where id = 1) as admins,
    (select count(*)::int from users) as users,
    (select count(*)::int from products) as products`);
  const journal = readFileSync(new URL('../drizzle/meta/_journal.json', import.meta.url), 'utf8');
  const migrations = JSON.parse(journal).entries.length;
  expect(row).toEqual({ migrations, admins: 1, users: 1, products: seedProducts.length });
  // The server that created the account prints its password; the other one prints none.
  expect([...a.printed, ...b.printed].filter((line) => line.startsWith('Sign in as'))).toHaveLength(1);
  expect(readdirSync(dataDir).sort()).toEqual(['files', 'secret']);
});

test('a user who owns the database and has no other right suffices, and is bound by row-level security', async () => {
  const [role] = await query(`select rolsuper or rolcreatedb or rolcreaterole or rolbypassrls as more,
    (select array_agg(distinct usename::text) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()) as users
    from pg_roles where rolname = '${name}'`);
  expect(role).toEqual({ more: false, users: [name] });
  const { token } = await signIn(a, 'signup', { email: 'shop@example.com', password: 'walnut-board' });
  const readShop = async (node: ServerProcess) => (await call(node, '/api/company/shop', { token })).json();
  expect(await readShop(a)).toEqual(await readShop(b));
  expect(await query('select company_id from shops')).toHaveLength(1);
  expect(await query('select company_id from shops', name)).toEqual([]);
});

test('the program hashes passwords at the cost of production', async () => {
  await signIn(a, 'signup', { email: 'cost@example.com', password: 'walnut-board' });
  const rows = await query(`select password_hash as "hash" from users where id = 1 or email = 'cost@example.com'`);
  expect(rows).toEqual(Array(2).fill({ hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }));
});

test('an account and a session are valid on both servers, and ending the session on one ends it on both', async () => {
  const credentials = { email: 'ann@example.com', password: 'walnut-board' };
  const { token } = await signIn(a, 'signup', credentials);
  expect((await call(b, '/api/auth/me', { token })).status).toBe(200);
  const other = await signIn(b, 'login', credentials);
  expect((await call(a, '/api/auth/me', { token: other.token })).status).toBe(200);
  expect((await call(a, '/api/auth/logout', { token, body: {} })).status).toBe(200);
  expect((await call(b, '/api/auth/me', { token })).status).toBe(401);
  expect((await call(b, '/api/auth/me', { token: other.token })).status).toBe(200);
});

test('simultaneous exports on both servers are counted together, exactly to the plan’s limit', {
  tags: ['detail'],
}, async () => {
  const { token } = await signIn(a, 'signup', { email: 'ben@example.com', password: 'walnut-board' });
  const limit = plans.free.mockups;
  const uploadAnswer = await upload(a, { authorization: `Bearer ${token}` });
  const { id: designId, filename } = (await uploadAnswer.json()) as { id: string; filename: string };
  const make = (node: ServerProcess, text: string) =>
    call(node, '/api/exports/mockup', {
      token,
      body: {
        composition: {
          version: 0,
          data: {
            machine: 'laser',
            productId: 'mug-11oz-white',
            design: { designId, filename },
            texts: [{ id: 'a', text }],
          },
        },
      },
    });
  // One export, then pairs, until there are more than the limit: one pair competes for the last export.
  expect(limit % 2).toBe(0);
  const statuses = [(await make(a, 'first')).status];
  for (let i = 0; i < limit + 2; i += 2) {
    const pair = await Promise.all([make(a, `on a ${i}`), make(b, `on b ${i}`)]);
    statuses.push(...pair.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
  expect(statuses.filter((status) => status !== 200 && status !== 402)).toEqual([]);
});

test('a guest is the same on both servers: traces on both are counted together', { tags: ['detail'] }, async () => {
  let cookie = '';
  const designIds: string[] = [];
  for (let i = 0; i < GUEST_MOCKUPS + 2; i++) {
    const answer = await upload(nodes[i % 2]!, { cookie });
    expect(answer.status).toBe(200);
    cookie ||= answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const design = (await answer.json()) as { id: string; originalFileUrl: string };
    designIds.push(design.id);
    // The other server serves the file that this one stored and signed.
    expect((await fetch(`${nodes[(i + 1) % 2]!.url}${design.originalFileUrl}`)).status).toBe(200);
  }
  // All traces start at once.
  const traces = designIds.map((designId, i) =>
    call(nodes[(i >> 1) % 2]!, '/api/designs/vectorize', { cookie, body: { designId, settings: {} } }),
  );
  const statuses = (await Promise.all(traces)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(GUEST_MOCKUPS).fill(200), 402, 402]);
});

/** Uploads a small picture. */
async function upload(node: ServerProcess, headers: Record<string, string>): Promise<Response> {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><rect width="60" height="40" fill="#fff"/><circle cx="30" cy="20" r="15" fill="#123"/></svg>';
  const picture = await sharp(Buffer.from(svg)).png().toBuffer();
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'logo.png');
  return fetch(`${node.url}/api/designs/upload`, { method: 'POST', body: form, headers });
}

async function signIn(
  node: ServerProcess,
  how: 'login' | 'signup',
  credentials: { email: string; password: string },
): Promise<{ token: string }> {
  const answer = await call(node, `/api/auth/${how}`, { body: credentials });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { token: string };
}

/** Repeats a call that is paced, or that a busy machine did not end in time, when the server says so. */
async function call(
  node: ServerProcess,
  path: string,
  request: { token?: string; cookie?: string; body?: object },
): Promise<Response> {
  const { token, cookie, body } = request;
  const answer = await fetch(`${node.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(cookie ? { cookie } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (answer.status !== 429 && answer.status !== 503) return answer;
  await wait(1000 * Number(answer.headers.get('retry-after')));
  return call(node, path, request);
}

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ ...template, database: 'postgres' });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

async function query(statement: string, user = template.user): Promise<unknown[]> {
  const client = new pg.Client({ ...template, database: name, user });
  await client.connect();
  return client
    .query(statement)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

stressTest('a start that waits for a frozen database can be stopped', async () => {
  const holder = new pg.Client(databaseUrl);
  await holder.connect();
  try {
    await holder.query('select pg_advisory_lock(7264001)'); // like a server during its migrations
    const starting = spawn(process.execPath, [mainProgram.entry], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, PORT: '0', LOG_LEVEL: 'fatal' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const errorOutput = text(starting.stderr);
    const exit = once(starting, 'close');
    const expectWaiting = async () => expect(await query(WAITING_LOCKS)).toEqual([{ count: 1 }]);
    await vi.waitFor(expectWaiting, { timeout: 60_000, interval: 50 });
    starting.kill('SIGTERM');
    expect(await exit).toEqual([1, null]);
    expect(await errorOutput).toContain('the start does not end and is broken off');
  } finally {
    await holder.end();
  }
});

const WAITING_LOCKS =
  "select count(*)::int from pg_locks where locktype = 'advisory' and objid = 7264001 and not granted";
