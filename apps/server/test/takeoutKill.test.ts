/**
 * Kills the real server while it writes the takeout of a large account: afterward the file is made anew, whole, with
 * everything once, and no part of an earlier try is left. `TEST_SEED` repeats a run.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Takeout } from '@markwright/contract';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { createRandom, seed, stressTest } from './campaign.ts';
import { putDatabase } from './dataFolder.ts';
import { fillAccount } from './largeAccount.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

/** About 115 MB, in parts of 4. */
const SIZE = { designs: 2_000, compositions: 1_000, orders: 500 };
const PARTS = 28;
const KILLS = 3;
/** The lease of a killed server's takeout is a minute, and it is looked for once a minute. */
const WAIT_MS = 300_000;

let dataDir: string;
let server: ServerProcess;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'markwright-takeout-kill-'));
  putDatabase(dataDir);
});
afterAll(async () => {
  await server?.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

stressTest(
  `a takeout is made whole over ${KILLS} kills`,
  async () => {
    const random = createRandom(seed);
    await start();
    const person = { email: 'ada@example.com', password: 'walnut-board' };
    const { token } = await call<{ token: string }>('/api/auth/signup', { body: person });
    const { id } = await call<{ id: number }>('/api/auth/me', { token });
    await call('/api/company/shop', { token }); // its first settings create the company
    await fillAccount(dataDir, id, SIZE);
    const find = () => call<Takeout>('/api/users/export', { token });

    await call('/api/users/export', { token, method: 'POST' });
    const moments: number[] = [];
    for (let kill = 1; kill <= KILLS; kill++) {
      const goal = 1 + Math.floor(random() * (PARTS - 8));
      const before = listParts();
      // Parts of the try before are written again, so that only their time tells which is newer.
      await waitUntil(() => expect(countNewer(before)).toBeGreaterThanOrEqual(goal));
      await server.end('SIGKILL');
      moments.push(goal);
      await start();
      expect((await find()).state).toBe('making');
    }
    await waitUntil(async () => expect((await find()).state).toBe('done'));

    const { url, sizeBytes } = await find();
    const bytes = new Uint8Array(await (await fetch(server.url + url)).arrayBuffer());
    expect(bytes.length).toBe(sizeBytes);
    const takeout = JSON.parse(new TextDecoder().decode(bytes));
    /** Counts the things of a list, and those of them that differ. */
    const count = (section: string, key: string): number[] => {
      const keys: unknown[] = takeout[section].map((thing: Record<string, unknown>) => thing[key]);
      return [keys.length, new Set(keys).size];
    };
    expect(count('designs', 'id')).toEqual([SIZE.designs, SIZE.designs]);
    expect(count('compositions', 'id')).toEqual([SIZE.compositions, SIZE.compositions]);
    expect(count('savedDesigns', 'id')).toEqual([SIZE.orders, SIZE.orders]);
    expect(count('orders', 'number')).toEqual([SIZE.orders, SIZE.orders]);
    console.log(`takeout kill test: seed ${seed}, kills after ${moments.join(', ')} parts`);
  },
  KILLS * WAIT_MS,
);

const waitUntil = (check: () => unknown) => vi.waitFor(check, { timeout: WAIT_MS, interval: 20 });

/** Returns the parts on the disk, with the times of their last changes in ms. */
function listParts(): Map<string, number> {
  const folder = join(dataDir, 'files', 'takeouts');
  if (!existsSync(folder)) return new Map();
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return new Map(paths.filter((path) => path.endsWith('.json')).map((path) => [path, statSync(path).mtimeMs]));
}

const countNewer = (before: ReadonlyMap<string, number>): number =>
  [...listParts()].filter(([path, changedAt]) => before.get(path) !== changedAt).length;

async function start(): Promise<void> {
  server = await startServerProcess(dataDir, { WORKERS: '1' });
}

async function call<T>(
  path: string,
  { token, body, method = body ? 'POST' : 'GET' }: { token?: string; body?: object; method?: string },
): Promise<T> {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}
