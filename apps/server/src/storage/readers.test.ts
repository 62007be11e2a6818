import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { users } from '../accounts/tables.ts';
import { recomputeTotals } from '../platform/storage.ts';
import { storedFiles } from '../platform/tables.ts';
import { warnOfFullStorage } from './readers.ts';

let server: TestApp;
let admin: Record<string, string>;
const lines: string[] = [];
const MB = 2 ** 20;
beforeAll(async () => {
  const logTo = new PassThrough().on('data', (line) => lines.push(String(line)));
  const environment = { ADMIN_PASSWORD: 'the-workshop-key', STORAGE_TOTAL_MB: '1000', STORAGE_GUESTS_MB: '100' };
  server = await createTestApp({ environment, logTo });
  admin = await signInAdmin(server);
  await server.signUp('large@example.com');
});
afterAll(() => server.close());

const get = async (path: string) => {
  const answer = await server.app.inject({ url: `/api/admin/storage${path}`, headers: admin });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
async function store(files: readonly { payer: string; bytes: number; kind?: 'uploads' | 'exports' }[]) {
  await server.context.db.delete(storedFiles);
  const rows = files.map(({ payer, bytes, kind = 'uploads' as const }, index) => ({
    key: `designs/listed-${index}/upload.jpg`,
    ...{ payer, bytes, kind, owner: payer, usedAt: new Date() },
  }));
  await server.context.db.insert(storedFiles).values(rows);
  await recomputeTotals(server.context.db);
}

test('shows files by kind and everything with a limit', async () => {
  await store([
    { payer: 'user:1', bytes: 5 * MB, kind: 'exports' },
    { payer: 'user:1', bytes: 30 * MB },
    { payer: 'network:203.0.113.1', bytes: 79 * MB },
  ]);
  const { freeBytes, gauges, kinds } = await get('');
  expect(freeBytes).toBeGreaterThan(0);
  expect(kinds).toEqual([
    { kind: 'uploads', bytes: 109 * MB, files: 2 },
    { kind: 'exports', bytes: 5 * MB, files: 1 },
  ]);
  expect(gauges.slice(1)).toEqual([
    { name: 'total', usedBytes: 114 * MB, limitBytes: 1000 * MB, isNearlyFull: false },
    { name: 'guests', usedBytes: 79 * MB, limitBytes: 100 * MB, isNearlyFull: false },
    { name: 'cache', usedBytes: 0, limitBytes: 4000 * MB, isNearlyFull: false },
  ]);
});

test('lists accounts and networks, the largest first, without a gap between pages', async () => {
  const [large] = await server.context.db.select().from(users).orderBy(users.id).offset(1);
  await store([
    ...Array.from({ length: 60 }, (_, index) => ({ payer: `network:10.0.0.${index}`, bytes: 100 + (index % 7) })),
    { payer: `user:${large!.id}`, bytes: 5_000 },
    { payer: 'user:999', bytes: 1 },
  ]);
  const first = await get('/owners');
  const second = await get(`/owners?before=${encodeURIComponent(first.next)}`);
  expect([first.owners.length, second.owners.length, second.next]).toEqual([50, 12, null]);
  const owners: { name: string; bytes: number }[] = [...first.owners, ...second.owners];
  expect(owners[0]).toEqual({ kind: 'account', name: 'large@example.com', bytes: 5_000, files: 1 });
  expect(owners.at(-1)).toMatchObject({ kind: 'account', name: 'a deleted account' });
  expect(new Set(owners.map(({ name }) => name)).size).toBe(62);
  expect(owners.map(({ bytes }) => bytes)).toEqual(owners.map(({ bytes }) => bytes).sort((a, b) => b - a));
  for (const place of ['x', '1', '1.', '1.a b']) {
    const url = `/api/admin/storage/owners?before=${encodeURIComponent(place)}`;
    expect((await server.app.inject({ url, headers: admin })).statusCode).toBe(400);
  }
});

test('warns from 80 % on, on the page and once in the log', async () => {
  const warnings = () =>
    lines.filter((line) => line.includes('the storage is nearly full') && line.includes('"guests"'));
  const isNearlyFull = async () =>
    (await get('')).gauges.find(({ name }: { name: string }) => name === 'guests').isNearlyFull;
  await store([{ payer: 'network:203.0.113.1', bytes: 80 * MB - 1 }]);
  await warnOfFullStorage(server.context);
  expect([await isNearlyFull(), warnings().length]).toEqual([false, 0]);
  await store([{ payer: 'network:203.0.113.1', bytes: 80 * MB }]);
  for (let hour = 0; hour < 3; hour++) await warnOfFullStorage(server.context);
  expect([await isNearlyFull(), warnings().length]).toEqual([true, 1]);
});
