/**
 * Upgrades from real earlier versions, built from the history of this repository, as docs/upgrading.md promises them: a
 * jump over twenty migrations with all servers stopped, embedded and on a database service; an upgrade of one version
 * with servers of both at work; and a return to the version before. Left out where the clone has no such history.
 */
import { createHash } from 'node:crypto';
import { emptyComposition, saveComposition } from '@markwright/scene';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { reachEmbeddedPostgres } from '../src/platform/embeddedPostgres.ts';
import { isStress } from './campaign.ts';
import { buildEarlier, hasCommit } from './earlier.ts';
import {
  ADMIN,
  call as callOnce,
  endAll,
  endings,
  markwright,
  newDatabase,
  newFolder,
  type Settings,
} from './operator.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

/** Before pages of lists, S3, batches, proofs of orders and fonts of one's own. */
const LONG_AGO = 'd44b2ab9';
/** The version before the newest migrations. Its background jobs are in pg-boss. */
const BEFORE = 'cf5a6cf8';
const hasHistory = [LONG_AGO, BEFORE].every(hasCommit);
if (isStress && !hasHistory) console.log('The history is missing: upgrades from earlier versions were not tested.');

afterAll(endAll);

/** Two builds and many starts: more than other tests take. */
const TIMEOUT_MS = 900_000;

/** Calls a server, and again while it is busy, as the pages do. */
const call = <T>(...parts: Parameters<typeof callOnce>): Promise<T> =>
  vi.waitFor(() => callOnce<T>(...parts), { timeout: 90_000, interval: 1_000 });

type Program = Parameters<typeof startServerProcess>[2];

async function startVersion(settings: Settings, program?: Program): Promise<ServerProcess> {
  const server = await startServerProcess(settings.DATA_DIR!, settings, program);
  endings.push(() => server.end('SIGTERM'));
  return server;
}

const people = ['ada', 'bo', 'cy'].map((name) => ({ email: `${name}@example.com`, password: 'walnut-board' }));
const digest = (bytes: ArrayBuffer | string): string =>
  createHash('sha256')
    .update(typeof bytes === 'string' ? bytes : Buffer.from(bytes))
    .digest('hex');

async function uploadPicture(server: ServerProcess, token: string, name: string): Promise<string> {
  const form = new FormData();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120">
    <rect width="160" height="120" fill="#fff"/>
    <circle cx="${50 + 6 * name.length}" cy="60" r="${30 + name.length}" fill="#123"/></svg>`;
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  form.append('file', new File([new Uint8Array(png)], `${name}.png`, { type: 'image/png' }));
  return (await call<{ id: string }>(server, '/api/designs/upload', form, token)).id;
}

const trace = (server: ServerProcess, token: string, designId: string): Promise<{ vectorizedSvgUrl: string }> =>
  call(server, '/api/designs/vectorize', { designId, settings: { machineType: 'laser' } }, token);
const composition = (word: string) => ({
  version: 0,
  data: { machine: 'laser', productId: 'mug-11oz-white', texts: [{ id: 'a', text: word }] },
});
const exportText = (server: ServerProcess, token: string, word: string): Promise<{ vectorizedSvgUrl: string }> =>
  call(server, '/api/designs/vectorize', { settings: { mode: 'vectorize' }, composition: composition(word) }, token);

/** Makes accounts with pictures, traces, exports and saved designs, and a shop with an order, as people do. */
async function work(server: ServerProcess, ask: Asks): Promise<void> {
  for (const person of people) {
    const { token } = await call<{ token: string }>(server, '/api/auth/signup', person);
    await ask((client) =>
      client.query(`update users set subscription_plan = 'starter', subscription_status = 'active' where email = $1`, [
        person.email,
      ]),
    );
    for (const name of ['logo', 'badge']) await trace(server, token, await uploadPicture(server, token, name));
    await exportText(server, token, person.email);
    const body = { key: crypto.randomUUID(), name: 'A board', composition: saveComposition(emptyComposition) };
    await call(server, '/api/compositions', body, token);
  }
  const { token } = await call<{ token: string }>(server, '/api/auth/login', ADMIN);
  const { key } = await call<{ key: string }>(server, '/api/company/shop', undefined, token);
  await put(server, '/api/company', { companyName: 'Oak & Steel' }, token);
  await put(server, '/api/company/shop', { checkout: true, defaultPriceCents: 1250 }, token);
  await placeOrder(server, key);
}

async function put(server: ServerProcess, path: string, body: object, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const reply = await fetch(server.url + path, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path} was answered with ${reply.status}: ${await reply.text()}`);
}

async function placeOrder(server: ServerProcess, shop: string): Promise<void> {
  const design = { shop, composition: composition('Oak') };
  const { designId } = await call<{ designId: string }>(server, '/api/widget/designs', design);
  const contact = { name: 'Ida Berg', email: 'ida@example.com', phone: '', address: 'Oak Road 1', note: 'By May' };
  await call(server, '/api/widget/orders', { key: crypto.randomUUID(), shop, designId, quantity: 3, contact });
}

/** Returns what each account sees: its designs with the bytes of their files, saved designs, exports, orders. */
async function readAccounts(server: ServerProcess): Promise<Record<string, unknown>> {
  const accounts: Record<string, unknown> = {};
  for (const person of [...people, ADMIN]) {
    const { token } = await call<{ token: string }>(server, '/api/auth/login', person);
    const read = <T>(path: string): Promise<T> => call<T>(server, path, undefined, token);
    const designs =
      await read<{ id: string; originalFileUrl: string; vectorizedSvgUrl: string | null }[]>('/api/designs');
    const files: Record<string, string> = {};
    for (const { id, originalFileUrl, vectorizedSvgUrl } of designs) {
      for (const url of [originalFileUrl, vectorizedSvgUrl]) {
        if (!url) continue;
        const reply = await fetch(new URL(url, server.url));
        expect(reply.status, url).toBe(200);
        files[`${id} ${url === originalFileUrl ? 'original' : 'trace'}`] = digest(await reply.arrayBuffer());
      }
    }
    const orders = await read<{ orders: { number: string; status: string; quantity: number }[] }>('/api/orders');
    const list = await read<{ compositions: { id: string; name: string }[] }>('/api/compositions');
    accounts[person.email] = {
      files,
      compositions: list.compositions.map(({ id, name }) => [id, name]),
      exports: (await read<{ vectorsUsed: number }>('/api/users/stats')).vectorsUsed,
      orders: orders.orders.map(({ number, status, quantity }) => [number, status, quantity]),
    };
  }
  return accounts;
}

/** Tables whose rows come and go while a server starts and answers. */
const PASSING = [
  'sessions',
  'rate_limits',
  'throttles',
  'security_events',
  'seeded',
  'products',
  'categories',
  'catalogue_revision',
];

/** Asks the database of a running server as its owner. */
type Asks = <T>(question: (client: pg.Client) => Promise<T>) => Promise<T>;

async function askAs<T>(connection: pg.ClientConfig, question: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  return question(client).finally(() => client.end());
}

type Rows = Record<string, { readonly columns: string[]; readonly rows: string[] }>;

/** Reads the rows of each table, with the columns that are named or with all. */
const readRows =
  (columns?: Record<string, string[]>) =>
  async (client: pg.Client): Promise<Rows> => {
    const { rows: tables } = await client.query<{ name: string; columns: string[] }>(`
      select relname as name, array_agg(attname::text order by attname) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped group by 1`);
    const all: Rows = {};
    for (const table of tables) {
      if (PASSING.includes(table.name) || (columns && !columns[table.name])) continue;
      const names = table.columns.filter((name) => columns?.[table.name]?.includes(name) ?? true);
      const list = names.map((name) => pg.escapeIdentifier(name));
      const rows = `select ${list} from ${pg.escapeIdentifier(table.name)}`;
      const text = `select to_jsonb(t)::text as row from (${rows}) t order by 1`;
      all[table.name] = {
        columns: names,
        rows: (await client.query<{ row: string }>(text)).rows.map(({ row }) => row),
      };
    }
    return all;
  };

describe.runIf(isStress && hasHistory)('an upgrade', () => {
  let longAgo: Program;
  let before: Program;
  beforeAll(() => {
    [longAgo, before] = [buildEarlier(LONG_AGO), buildEarlier(BEFORE)];
  }, TIMEOUT_MS);

  test.each(['embedded', 'service'] as const)(
    'over many versions keeps everything (%s database)',
    async (kind) => {
      const service = kind === 'service' ? await newDatabase() : undefined;
      const settings: Settings = {
        ...{ DATA_DIR: newFolder(), ADMIN_PASSWORD: ADMIN.password, PAYMENTS: 'test' },
        ...(service && { DATABASE_URL: service.url }),
      };
      const ask: Asks = async (question) => {
        if (service) return askAs(service.connection, question);
        const base = reachEmbeddedPostgres(settings.DATA_DIR!);
        return askAs(base.ownerConnection, question).finally(() => base.stop());
      };
      const old = await startVersion(settings, longAgo);
      await work(old, ask);
      const accounts = await readAccounts(old);
      expect(Object.values(accounts)).toHaveLength(4);
      // The rows rest once no mail is on its way.
      await vi.waitFor(
        async () => {
          const open = await ask((client) => client.query(`select from mails where state in ('queued', 'sending')`));
          expect(open.rowCount).toBe(0);
        },
        { timeout: 60_000, interval: 500 },
      );
      const rows = await ask(readRows());
      expect(await old.end('SIGTERM')).toBe(0);

      const anew = await startVersion(settings);
      const columnsOf = Object.fromEntries(Object.entries(rows).map(([name, { columns }]) => [name, columns]));
      const after = await ask(readRows(columnsOf));
      // Every table and column of then, or what took its place is compared below through the calls.
      for (const [name, { columns, rows: rowsBefore }] of Object.entries(rows)) {
        const now = after[name];
        expect(now, name).toBeDefined();
        expect(now!.rows.length, name).toBe(rowsBefore.length);
        if (now!.columns.length === columns.length) expect(now!.rows, name).toEqual(rowsBefore);
      }
      expect(await readAccounts(anew)).toEqual(accounts);
      // An export from before the upgrade is made again without a charge.
      const { token } = await call<{ token: string }>(anew, '/api/auth/login', people[0]!);
      await exportText(anew, token, people[0]!.email);
      expect(await readAccounts(anew)).toEqual(accounts);
      // New work beside the old.
      await trace(anew, token, await uploadPicture(anew, token, 'after'));
      const { key } = await call<{ key: string }>(
        anew,
        '/api/company/shop',
        undefined,
        (await call<{ token: string }>(anew, '/api/auth/login', ADMIN)).token,
      );
      await placeOrder(anew, key);
      expect(await anew.end('SIGTERM')).toBe(0);
      expect(await markwright(['doctor', '--deep'], settings)).not.toContain('WRONG');
      const summary = Object.values(rows).reduce((sum, table) => sum + table.rows.length, 0);
      console.log(`${kind}: ${summary} rows of ${Object.keys(rows).length} tables are there after the upgrade`);
    },
    TIMEOUT_MS,
  );

  test(
    'of one version lets servers of both work, and goes back',
    async () => {
      const { url, connection } = await newDatabase();
      // A shared folder: files and the signing key of both.
      const settings: Settings = { DATA_DIR: newFolder(), DATABASE_URL: url, ADMIN_PASSWORD: ADMIN.password };
      const old = await startVersion(settings, before);
      await work(old, (question) => askAs(connection, question));
      await expect(markwright(['migrate', '--check'], settings)).rejects.toThrow(/lacks 2 migrations/);
      await expect(startVersion({ ...settings, MIGRATE: 'off' })).rejects.toThrow(/migrate/);
      await markwright(['migrate'], settings);
      const accounts = await readAccounts(old);
      const anew = await startVersion({ ...settings, MIGRATE: 'off' });
      expect(await readAccounts(anew)).toEqual(accounts);

      // Each goes on with what the other one made, through one queue of pictures.
      const { token } = await call<{ token: string }>(anew, '/api/auth/login', people[0]!);
      for (const [maker, reader] of [
        [old, anew],
        [anew, old],
      ] as const) {
        const id = await uploadPicture(maker, token, 'both ways');
        await trace(reader, token, id);
        const body = { key: crypto.randomUUID(), name: 'Both', composition: saveComposition(emptyComposition) };
        await call(maker, '/api/compositions', body, token);
        expect(await readAccounts(reader)).toEqual(await readAccounts(maker));
      }
      const { token: admin } = await call<{ token: string }>(old, '/api/auth/login', ADMIN);
      const { key } = await call<{ key: string }>(old, '/api/company/shop', undefined, admin);
      for (const server of [old, anew]) await placeOrder(server, key);
      expect(await readAccounts(old)).toEqual(await readAccounts(anew));

      // The way back: the old version on the database of the new one.
      for (const server of [old, anew]) expect(await server.end('SIGTERM')).toBe(0);
      const back = await startVersion({ ...settings, MIGRATE: 'off' }, before);
      await trace(back, token, await uploadPicture(back, token, 'back'));
      await placeOrder(back, key);
    },
    TIMEOUT_MS,
  );
});
