import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createDatabase } from '../../test/server.ts';
import { type Database, openDatabase } from './database.ts';
import { createLog } from './log.ts';

let copy: Awaited<ReturnType<typeof createDatabase>>;
let database: Database;
const broken: Error[] = [];
beforeAll(async () => {
  copy = await createDatabase();
  database = openDatabase(copy.connection, (error) => broken.push(error), 2);
});
afterAll(async () => {
  await database.close();
  await copy.drop();
});

function lineOf(error: unknown): { text: string; err: Record<string, unknown> } {
  let text = '';
  const write = (line: string): void => {
    text += line;
  };
  createLog('info', { write }).error({ err: error }, 'a fault');
  return { text, err: JSON.parse(text).err };
}

test('a failed query is logged without the values it carried', async () => {
  const error = await database.db.execute(sql`select ${'planted-secret'}::int`).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  const { text, err } = lineOf(error);
  expect(err).toMatchObject({
    message: 'Failed query: select $1::int',
    stack: expect.stringContaining('    at '),
    cause: { code: '22P02' },
  });
  expect(text.replace('invalid input syntax for type integer: \\"planted-secret\\"', '')).not.toContain('planted');
  expect(Object.keys(err.cause as object)).toEqual(['type', 'code', 'message']);
});

test('a broken connection is logged with message and code only', async () => {
  await database.check();
  const other = openDatabase(copy.connection, () => {}, 1);
  await other.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await other.close();
  await vi.waitFor(() => expect(broken.length).toBeGreaterThan(0), { timeout: 60_000 });
  const { err } = lineOf(broken[0]);
  expect(err).toEqual({
    type: 'error',
    code: '57P01',
    message: 'terminating connection due to administrator command',
  });
});

test('an error’s causes are logged, even when they form a cycle', () => {
  const error = new Error('outer', { cause: new TypeError('inner', { cause: 'a word' }) });
  expect(lineOf(error).err).toMatchObject({
    type: 'Error',
    message: 'outer',
    cause: { type: 'TypeError', message: 'inner', cause: { type: 'string', message: 'a word' } },
  });
  const ring = new Error('ring');
  ring.cause = ring;
  expect(lineOf(ring).err).toMatchObject({ message: 'ring' });
});
