import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../test/server.ts';
import { type Database, openDatabase } from './database.ts';
import { sweepInTurns } from './sweepCursor.ts';

let ownDatabase: Awaited<ReturnType<typeof createDatabase>>;
let database: Database;
beforeAll(async () => {
  ownDatabase = await createDatabase();
  database = openDatabase(ownDatabase.connection, () => {});
});
afterAll(async () => {
  await database.close();
  await ownDatabase.drop();
});

const keys = Array.from({ length: 1_000 }, (_, i) => `key ${String(i).padStart(4, '0')}`);
let reads = 0;
async function* list(after: string) {
  for (const key of keys) {
    if (key <= after) continue;
    reads++;
    yield { key };
  }
}

/** Sweeps once. Returns the keys that it came to. */
async function sweep(budgetMs?: number, work = async (_keys: readonly string[]): Promise<void> => {}) {
  const visits: string[] = [];
  const visit = async (chunk: readonly { key: string }[]): Promise<void> => {
    await work(chunk.map(({ key }) => key));
    visits.push(...chunk.map(({ key }) => key));
  };
  await sweepInTurns({ db: database.db }, 'keys', list, visit, budgetMs);
  return visits;
}

test('a sweep goes through everything, and so does the next one', async () => {
  expect(await sweep()).toEqual(keys);
  expect(await sweep()).toEqual(keys);
});

test('a sweep without time does one chunk, and the next one goes on there', async () => {
  reads = 0;
  const visits: string[] = [];
  let sweeps = 0;
  while (visits.length < keys.length) {
    visits.push(...(await sweep(0)));
    sweeps++;
  }
  expect(visits).toEqual(keys);
  expect(sweeps).toBeGreaterThan(2);
  expect(reads).toBe(keys.length); // each run begins where the last one stopped
  expect(await sweep(0)).toEqual([]); // it learns that there is no more
  expect(await sweep()).toEqual(keys);
});

test('what failed is swept again', async () => {
  let chunks = 0;
  const broken = sweep(undefined, async () => {
    if (++chunks === 3) throw new Error('the store is away');
  });
  await expect(broken).rejects.toThrow('the store is away');
  const rest = await sweep();
  expect(rest).toEqual(keys.slice(-rest.length));
  expect(rest.length).toBe(600);
});
