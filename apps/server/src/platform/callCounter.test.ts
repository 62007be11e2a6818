import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { createCallCounter } from './callCounter.ts';
import type { Context } from './context.ts';

const MINUTE_MS = 60_000;
const START = new Date('2026-11-28T12:00:00Z');
let server: TestApp;
let now = START;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());

type Counter = (network: string) => Promise<{ current: number; ttl: number }>;

/** Returns the counter of one more server. */
function openCounter(db: Context['db'] = server.context.db): Counter {
  const Store = createCallCounter({ db, now: () => now, log: server.context.log }, MINUTE_MS);
  const store = new Store();
  return (network) =>
    new Promise((resolve, reject) => {
      store.incr(network, (error, result) => (result ? resolve(result) : reject(error)), MINUTE_MS, 600);
    });
}

async function makeCalls(counter: Counter, network: string, calls: number): Promise<number> {
  let current = 0;
  for (let i = 0; i < calls; i++) ({ current } = await counter(network));
  return current;
}

test('one server counts every call, and anew after a minute', async () => {
  const counter = openCounter();
  for (let i = 1; i <= 130; i++) expect((await counter('a')).current).toBe(i);
  expect((await counter('b')).current).toBe(1);
  now = new Date(START.getTime() + MINUTE_MS);
  expect(await counter('a')).toEqual({ current: 1, ttl: MINUTE_MS });
});

test('servers know of each other’s calls, but for the last ones', async () => {
  const counters = [openCounter(), openCounter(), openCounter()];
  for (const counter of counters) await makeCalls(counter, 'shared', 200);
  for (const counter of counters) {
    const current = await makeCalls(counter, 'shared', 20);
    expect(current).toBeGreaterThanOrEqual(600);
    expect(current).toBeLessThanOrEqual(660);
  }
  now = new Date(now.getTime() + 2 * MINUTE_MS);
  for (const counter of counters) expect((await counter('shared')).current).toBe(1);
});

test('parallel calls are counted once each', async () => {
  const counter = openCounter();
  const results = await Promise.all(Array.from({ length: 300 }, () => counter('parallel')));
  expect(Math.max(...results.map(({ current }) => current))).toBe(300);
});

test('a few calls do not reach the database, and none fails without it', async () => {
  const away = new Proxy({} as Context['db'], {
    get() {
      throw new Error('away');
    },
  });
  const counter = openCounter(away);
  expect(await makeCalls(counter, 'c', 650)).toBe(650);
});
