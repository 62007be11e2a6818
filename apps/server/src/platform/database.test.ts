import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import pg from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { version } from '../../package.json';
import { createDatabase } from '../../test/server.ts';
import { guests } from '../accounts/tables.ts';
import {
  type Database,
  isDatabaseDown,
  isUniqueViolation,
  migrateDatabase,
  openDatabase,
  requireMigrations,
  type Transaction,
} from './database.ts';
import { filesAway } from './files.ts';
import { OLDEST_VERSION, requireOldestVersion, writeOldestVersion } from './oldestVersion.ts';

let copy: Awaited<ReturnType<typeof createDatabase>>;
let database: Database;
beforeAll(async () => {
  copy = await createDatabase();
  database = openDatabase(copy.connection, () => {});
});
afterAll(async () => {
  await database.close();
  await copy.drop();
});

async function errorOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It should have failed.');
}

test('tells a unique violation from other errors', async () => {
  const row = { id: 'guest-1', address: '203.0.113.1', createdAt: new Date() };
  await database.db.insert(guests).values(row);
  const twice = await errorOf(database.db.insert(guests).values(row));
  expect(isUniqueViolation(twice)).toBe(true);
  expect(isDatabaseDown(twice)).toBe(false);
  const wrong = await errorOf(database.db.execute(sql`select nothing from nowhere`));
  expect(isUniqueViolation(wrong)).toBe(false);
  expect(isDatabaseDown(wrong)).toBe(false);
});

test('a connection that breaks inside a transaction fails only that transaction', async () => {
  let noticeEnd = (): void => {};
  const connectionEnd = new Promise<void>((resolve) => {
    noticeEnd = resolve;
  });
  class WatchedClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      this.once('end', noticeEnd);
    }
  }
  const own = openDatabase({ ...copy.connection, Client: WatchedClient }, () => {}, 1);
  const broken = own.db.transaction(async (tx) => {
    const { rows } = await tx.execute(sql`select pg_backend_pid() as pid`);
    await database.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await connectionEnd; // while no statement is running
    await tx.execute(sql`select 1`);
  });
  expect(isDatabaseDown(await errorOf(broken))).toBe(true);
  await own.check();
  await own.close();
});

test('a broken transaction stays on no connection', async () => {
  await errorOf(database.query('begin; select nothing from nowhere; commit'));
  await Promise.all(Array.from({ length: 12 }, () => database.check()));
});

test('a transaction that the server rolled back throws', async () => {
  const row = { id: 'guest-swallowed', address: '203.0.113.3', createdAt: new Date() };
  const work = database.db.transaction(async (tx) => {
    await tx.insert(guests).values(row);
    await errorOf(tx.execute(sql`select nothing from nowhere`));
  });
  expect(String(((await errorOf(work)) as Error).cause)).toMatch(/Nothing of the transaction was stored/);
});

test('a statement after its transaction throws instead of using the connection', async () => {
  let late: Transaction | undefined;
  await database.db.transaction(async (tx) => {
    late = tx;
  });
  expect(String(((await errorOf(late!.execute(sql`select 1`))) as Error).cause)).toMatch(/The transaction is over/);
});

describe('a connection whose server is frozen inside a transaction', () => {
  let own: Database;
  let server: number;
  beforeEach(async () => {
    own = openDatabase(copy.connection, () => {}, 1);
    server = (await own.query('select pg_backend_pid() as pid')).rows[0].pid;
  });
  afterEach(() => own.close());

  const freeze = (): void => void process.kill(server, 'SIGSTOP');
  /** Returns the error of the work, and lets the server go on after it. */
  const errorWhileFrozen = (work: PromiseLike<unknown>): Promise<unknown> =>
    errorOf(work).finally(() => process.kill(server, 'SIGCONT'));

  test('is replaced in the pool when it freezes at begin', async () => {
    freeze();
    const error = await errorWhileFrozen(own.db.transaction(() => Promise.reject(new Error('It has begun.'))));
    expect(isDatabaseDown(error)).toBe(true);
    await own.check();
  });

  test('stores nothing when it freezes at a statement', { tags: ['detail'] }, async () => {
    const row = { id: 'guest-frozen', address: '203.0.113.2', createdAt: new Date() };
    const work = own.db.transaction(async (tx) => {
      await tx.insert(guests).values(row);
      freeze();
      await tx.execute(sql`select 1`);
    });
    expect(isDatabaseDown(await errorWhileFrozen(work))).toBe(true);
    await own.db.transaction(async (tx) => void (await tx.execute(sql`select 1`)));
    expect(await own.db.select().from(guests).where(eq(guests.id, row.id))).toEqual([]);
  });

  test('does not hold up closing when it stays frozen', { tags: ['detail'] }, async () => {
    await new Promise<void>((resolveBegun) => {
      void own.db.transaction(() => new Promise(() => resolveBegun()));
    });
    await own.close();
    own = openDatabase(copy.connection, () => {}, 1);
  });
});

describe('a database that is down', () => {
  test.each([
    ['no socket', { host: '/nowhere' }],
    ['a closed port', { host: '127.0.0.1', port: 1 }],
    ['an unknown host', { host: 'nowhere.invalid' }],
  ])('is recognized by %s', async (_case, connection) => {
    const nowhere = openDatabase({ ...connection, user: 'x', database: 'x' }, () => {});
    expect(isDatabaseDown(await errorOf(nowhere.check()))).toBe(true);
    expect(isDatabaseDown(await errorOf(nowhere.db.select().from(guests)))).toBe(true);
    await nowhere.close();
  });

  test('is recognized by a socket with a full backlog', async () => {
    const host = await mkdtemp(join(tmpdir(), 'markwright-line-'));
    const listener = createServer((caller) => caller.destroy()).listen({ path: `${host}/.s.PGSQL.5432`, backlog: 1 });
    await once(listener, 'listening');
    const fullDatabase = openDatabase({ host, port: 5432, user: 'x', database: 'x' }, () => {});
    const errors = await Promise.all(Array.from({ length: 12 }, () => errorOf(fullDatabase.check())));
    // The first caller is accepted and disconnected.
    expect(errors.map(isDatabaseDown)).toEqual(errors.map(() => true));
    await fullDatabase.close();
    listener.close();
    await rm(host, { recursive: true });
  });

  test('is recognized by a statement timeout', async () => {
    expect(isDatabaseDown(await errorOf(database.db.execute(sql`select pg_sleep(30)`)))).toBe(true);
  });

  test('is recognized by an exhausted pool', { tags: ['detail'] }, async () => {
    const small = openDatabase(copy.connection, () => {}, 1);
    await small.db.transaction(async () => {
      expect(isDatabaseDown(await errorOf(small.db.execute(sql`select 1`)))).toBe(true);
    });
    await small.check();
    await small.close();
  });

  test('is recognized by a cut connection, and the next query gets a new one', async () => {
    const victim = openDatabase(copy.connection, () => {}, 1);
    const cutError = errorOf(victim.db.execute(sql`select pg_terminate_backend(pg_backend_pid())`));
    expect(isDatabaseDown(await cutError)).toBe(true);
    await victim.check();
    await victim.close();
  });

  test('is not confused with a missing file', () => {
    expect(isDatabaseDown(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toBe(false);
    expect(isDatabaseDown('ENOENT')).toBe(false);
  });

  test('is not confused with another service that cannot be reached', async () => {
    const socket = connect(1, '127.0.0.1');
    const [refusal] = await once(socket, 'error');
    expect(refusal).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' });
    expect(isDatabaseDown(refusal)).toBe(false);
    expect(isDatabaseDown(filesAway(refusal))).toBe(false);
  });
});

test('closing waits until the server has closed every connection', async () => {
  const { host, port } = copy.connection;
  const order: string[] = [];
  // A proxy that closes its end late.
  const proxy = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(`${host}/.s.PGSQL.${port}`);
    far.pipe(near, { end: false });
    near.pipe(far, { end: false });
    near.once('end', () =>
      setTimeout(() => {
        order.push('closed by server');
        near.end();
        far.end();
      }, 50),
    );
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const slow = openDatabase(
    { ...copy.connection, host: '127.0.0.1', port: (proxy.address() as AddressInfo).port },
    () => {},
    2,
  );
  await Promise.all([slow.db.execute(sql`select pg_sleep(0.05)`), slow.db.execute(sql`select pg_sleep(0.05)`)]);
  await slow.close();
  order.push('closed');
  proxy.close();
  expect(order).toEqual(['closed by server', 'closed by server', 'closed']);
});

describe('migrations', () => {
  const template = inject('postgres');
  const name = `migrate_${process.pid}`;
  const connection = { ...template, database: name };
  const log = pino({ level: 'silent' });
  const owner = new pg.Client({ ...template, database: 'postgres' });
  beforeAll(async () => {
    await owner.connect();
    await owner.query(`create database ${name}`);
  });
  afterAll(async () => {
    await owner.query(`drop database ${name} with (force)`);
    await owner.end();
  });

  test('run once when they begin at the same time', async () => {
    await Promise.all(Array.from({ length: 6 }, () => migrateDatabase(connection, log)));
    const fresh = openDatabase(connection, () => {});
    expect(await fresh.db.select().from(guests)).toEqual([]);
    await fresh.close();
  });

  test('are refused on a database of a later version beside which this one is too old, and so is the start', async () => {
    const client = new pg.Client(connection);
    await client.connect();
    const read = async () =>
      (await client.query(`select obj_description('drizzle'::regnamespace) as comment`)).rows[0].comment;
    expect(await read()).toBe(`Markwright ${OLDEST_VERSION} and newer`);

    // The next version names this one, and goes on naming it when this one migrates once more.
    await writeOldestVersion(client, version);
    await migrateDatabase(connection, log);
    await requireMigrations(connection);
    expect(await read()).toBe(`Markwright ${version} and newer`);

    // The one after it does not.
    await writeOldestVersion(client, '10.2.0');
    const words = `10.2.0 and newer work on it, and this is ${version}.`;
    for (const start of [() => migrateDatabase(connection, log), () => requireMigrations(connection)]) {
      await expect(start()).rejects.toMatchObject({ name: 'StartError', message: expect.stringContaining(words) });
    }
    await requireOldestVersion(client, '10.10.0');
    await expect(requireOldestVersion(client, '10.1.9')).rejects.toThrow('A later version has changed the database');
    await client.end();
  });
});
