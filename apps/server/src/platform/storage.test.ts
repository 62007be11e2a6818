import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { CACHE, type Keeper, kindOf, SITE } from './storage.ts';
import { storageTotals, storedFiles } from './tables.ts';

let server: TestApp;
beforeAll(async () => {
  const environment = { STORAGE_CACHE_MB: '1', STORAGE_GUESTS_MB: '1' };
  server = await createTestApp({ environment });
});
afterAll(() => server.close());

let keepers = 0;
const keeper = (limitBytes: number, prefix = 'user'): Keeper => {
  const name = `${prefix}:test-${++keepers}`;
  return { owner: name, payer: name, limitBytes, refusal: 'Full.' };
};
let keys = 0;
const newKey = () => `designs/test-${++keys}/upload.png`;
const put = (key: string, size: number, by: Keeper) =>
  server.context.files.put(key, new Uint8Array(size), 'image/png', by);
const quotaReached = { code: 'quotaReached', status: 413 };
async function bytesOf(scope: 'payer' | 'kind' | 'pool', name: string): Promise<number> {
  const rows = await server.context.db.select().from(storageTotals).where(eq(storageTotals.scope, scope));
  return rows.find((row) => row.name === name)?.bytes ?? 0;
}

describe('a share of the storage', () => {
  test('is filled to the last byte and no further by many simultaneous writes', async () => {
    const by = keeper(1_000);
    const writes = await Promise.allSettled(Array.from({ length: 40 }, () => put(newKey(), 90, by)));
    expect(writes.filter(({ status }) => status === 'fulfilled')).toHaveLength(11);
    for (const write of writes) if (write.status === 'rejected') expect(write.reason).toMatchObject(quotaReached);
    expect(await bytesOf('payer', by.payer)).toBe(990);
    await put(newKey(), 10, by);
    await expect(put(newKey(), 1, by)).rejects.toMatchObject({ ...quotaReached, message: 'Full.' });
  });

  test('of one network is not taken by the guests of another', async () => {
    const [greedy, modest] = [keeper(500, 'network'), keeper(500, 'network')];
    await put(newKey(), 500, greedy);
    await expect(put(newKey(), 1, greedy)).rejects.toMatchObject(quotaReached);
    await put(newKey(), 500, modest);
  });

  test('of all guests together ends them too, and leaves accounts alone', async () => {
    const guestBytes = await bytesOf('pool', 'guests');
    const key = newKey();
    await put(key, 2 ** 20 - guestBytes, keeper(2_000_000, 'network'));
    await expect(put(newKey(), 1, keeper(100, 'network'))).rejects.toMatchObject({
      message: 'The space for guests is full just now. Create an account, or try again later.',
    });
    await put(newKey(), 100, keeper(100));
    await server.context.files.delete(key);
    await put(newKey(), 1, keeper(100, 'network'));
  });

  test('gets bytes back from a deleted file, a smaller one, and a write that failed', async () => {
    const by = keeper(1_000);
    const key = newKey();
    await put(key, 1_000, by);
    await put(key, 400, by);
    expect(await bytesOf('payer', by.payer)).toBe(400);
    const tooLong = `${'x'.repeat(190)}.svg`;
    await expect(put(tooLong, 100, by)).rejects.toThrow(RangeError); // the wrong media type
    expect(await bytesOf('payer', by.payer)).toBe(400);
    await server.context.files.delete(key);
    await server.context.files.delete(key);
    expect(await bytesOf('payer', by.payer)).toBe(0);
    expect(await server.context.files.has(key)).toBe(false);
    await put(key, 1_000, by);
  });

  test('has a tenth more for what is made from uploads', async () => {
    const by = keeper(1_000);
    await put(newKey(), 1_000, by);
    await put('exports/test-tenth.png', 100, by);
    await expect(put('exports/test-eleventh.png', 1, by)).rejects.toMatchObject(quotaReached);
    await expect(put(newKey(), 1, by)).rejects.toMatchObject(quotaReached);
  });

  test('counts two simultaneous first writes of one file once', async () => {
    const by = keeper(1_000);
    const key = newKey();
    await Promise.all(Array.from({ length: 8 }, () => put(key, 300, by)));
    expect(await bytesOf('payer', by.payer)).toBe(300);
  });
});

test('the cache drops its oldest files for new ones, and counts to nobody', async () => {
  const name = (number: number) => `designs/cached-${number}/original.png`;
  for (let number = 0; number < 5; number++) {
    server.setNow(new Date(Date.UTC(2026, 10, 1 + number)));
    await put(name(number), 300_000, CACHE);
  }
  server.setNow();
  const isThere = await Promise.all([0, 1, 2, 3, 4].map((number) => server.context.files.has(name(number))));
  expect(isThere).toEqual([false, false, true, true, true]);
  expect(await bytesOf('kind', 'cache')).toBe(900_000);
});

test('the whole store has a limit when one is set', async () => {
  const smallServer = await createTestApp({ environment: { STORAGE_TOTAL_MB: '1' } });
  try {
    const store = (key: string, size: number) =>
      smallServer.context.files.put(key, new Uint8Array(size), 'image/png', {
        ...SITE,
        owner: 'user:1',
        payer: 'user:1',
      });
    await store('designs/a/upload.png', 2 ** 20);
    await expect(store('designs/b/upload.png', 1)).rejects.toMatchObject(quotaReached);
  } finally {
    await smallServer.close();
  }
});

test('every sum is that of the rows', async () => {
  const rows = await server.context.db.select().from(storedFiles);
  const sums = await server.context.db.select().from(storageTotals);
  for (const { scope, name, bytes, files } of sums) {
    const summedRows = rows.filter((row) => {
      if (scope === 'kind') return row.kind === name;
      if (scope === 'payer') return row.payer === name;
      return name === 'all' || row.payer.startsWith('network:');
    });
    expect([name, bytes, files]).toEqual([
      name,
      summedRows.reduce((sum, row) => sum + row.bytes, 0),
      summedRows.length,
    ]);
  }
});

test.each([
  ['designs/x/upload.jpg', 'uploads'],
  ['designs/x/original.svg', 'uploads'],
  ['designs/x/trace-0a.svg', 'traces'],
  ['designs/x/cutout-0a.png', 'cutouts'],
  ['designs/x/finished-0a.json', 'cutouts'],
  ['exports/0a.svg', 'exports'],
  ['compositions/x/y.webp', 'thumbnails'],
  ['library/x/y.webp', 'thumbnails'],
  ['saved/x/preview.png', 'savedDesigns'],
  ['companies/x/y/picture-9.jpg', 'companyProducts'],
  ['makers/x/y/picture-9.jpg', 'makerPhotos'],
  ['products/x/picture.svg', 'catalogue'],
  ['elsewhere.svg', 'other'],
])('%s counts as %s', (key, kind) => {
  expect(kindOf(key)).toBe(kind);
});
