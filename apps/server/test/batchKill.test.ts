/**
 * Kills the real server five times while it makes the pieces of a long list: afterward every row is there once, and
 * the list is charged once. `BATCH_ROWS` sets another length, `TEST_SEED` repeats a run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Batch, exportsForBatch, type UsageStats } from '@markwright/contract';
import { emptyComposition, newText, saveComposition } from '@markwright/scene';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { createRandom, seed, stressTest } from './campaign.ts';
import { putDatabase } from './dataFolder.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

/** By default as many pieces as the largest plan has exports for in a month. */
const ROWS = Number(process.env.BATCH_ROWS ?? 7_500);
const KILLS = 5;
/** Rows of the same name have the same file. */
const NAMES = 97;
const PASSWORD = 'the-workshop-key';
const ADMIN = 'admin@example.com';
/** More than an hour for all rows. */
const WAIT_MS = 60_000 + 600 * ROWS;

let dataDir: string;
let server: ServerProcess;
let headers: Record<string, string>;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'markwright-batch-kill-'));
  putDatabase(dataDir);
});
afterAll(async () => {
  await server?.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

stressTest(
  `a list of ${ROWS} rows is made whole over ${KILLS} kills, no row twice, for one charge`,
  async () => {
    const random = createRandom(seed);
    await start();
    const composition = saveComposition({ ...emptyComposition, elements: [{ ...newText('name'), text: '{Name}' }] });
    const rows = Array.from({ length: ROWS }, (_, i) => [nameOf(i)]);
    const fit = { widthsMm: { 'text:name': 80 } };
    const request = { composition, format: 'svg', columns: ['Name'], rows, fit };
    const { id } = await call<Batch>('/api/batches', request);
    const find = () => call<Batch>(`/api/batches/${id}`);

    const moments: number[] = [];
    let before = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      const goal = Math.floor(((kill - 0.5 + random()) * ROWS) / (KILLS + 2));
      // What was made stays made. After a kill nobody makes pieces until the lease of the killed server ends.
      await waitUntil(async () => expect((await find()).done).toBeGreaterThan(Math.max(before, goal)));
      before = (await find()).done;
      await server.end('SIGKILL');
      moments.push(before);
      await start();
      expect((await find()).done).toBeGreaterThanOrEqual(before);
    }
    await waitUntil(async () => expect((await find()).state).toBe('done'));
    const batch = await find();
    expect(batch).toMatchObject({ done: ROWS, pieces: ROWS, leftOut: [] });

    const answer = await fetch(server.url + batch.url);
    const archive = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    const numbers = Object.keys(archive).flatMap((name) => /^(\d+)_/.exec(name)?.[1] ?? []);
    expect(numbers.map(Number).sort((a, b) => a - b)).toEqual(rows.map((_, i) => i + 1));
    const files = new Map(numbers.map((number, at) => [Number(number), Object.values(archive)[at]!]));
    const different = new Set<string>();
    for (let i = 0; i < ROWS; i++) {
      const text = new TextDecoder().decode(files.get(i + 1));
      expect(text).toMatch(/^<(\?xml|svg)[\s\S]*<path[\s\S]*<\/svg>\s*$/);
      if (i < NAMES) different.add(text);
      else expect(text === new TextDecoder().decode(files.get((i % NAMES) + 1)), `row ${i + 1}`).toBe(true);
    }
    expect(different.size).toBe(Math.min(ROWS, NAMES));
    // Each row is in the list once, too.
    const csv = new TextDecoder().decode(archive['rows.csv']).trim().split(/\r?\n/);
    expect(csv).toHaveLength(ROWS + 1);
    expect((await call<UsageStats>('/api/users/stats')).vectorsUsed).toBe(exportsForBatch(ROWS, undefined));
    console.log(`batch kill test: seed ${seed}, ${ROWS} rows, kills after ${moments.join(', ')} pieces`);
  },
  KILLS * WAIT_MS,
);

/** As many slots as a bed has, so that the sheets of 10,000 rows are no more than the exports of the largest plan. */
const SLOTS = { columns: 8, rows: 5 };
const JIG_ROWS = Number(process.env.BATCH_ROWS ?? 10_000);

stressTest(
  `a list of ${JIG_ROWS} rows on jigs is made whole over ${KILLS} kills, no row twice, for a charge a sheet`,
  async () => {
    const random = createRandom(seed);
    await server?.end('SIGTERM'); // that of the test before
    await start();
    const { vectorsUsed: usedBefore } = await call<UsageStats>('/api/users/stats');
    const composition = saveComposition({ ...emptyComposition, elements: [{ ...newText('name'), text: '{Name}' }] });
    const rows = Array.from({ length: JIG_ROWS }, (_, i) => [nameOf(i)]);
    const layout = { kind: 'jig', bedWidthMm: 900, bedHeightMm: 600, pitchXMm: 105, pitchYMm: 105, ...SLOTS };
    const place = { offsetXMm: 10, offsetYMm: 10 };
    const fit = { widthsMm: { 'text:name': 80 } };
    const request = { composition, format: 'svg', columns: ['Name'], rows, fit, layout: { ...layout, ...place } };
    const { id } = await call<Batch>('/api/batches', request);
    const find = () => call<Batch>(`/api/batches/${id}`);
    const onSheet = SLOTS.columns * SLOTS.rows;
    const sheetCount = Math.ceil(JIG_ROWS / onSheet);

    const moments: number[] = [];
    for (let kill = 1; kill <= KILLS; kill++) {
      const goal = Math.floor(((kill - 0.5 + random()) * sheetCount) / (KILLS + 2));
      await waitUntil(async () => expect((await find()).done).toBeGreaterThan(Math.max(moments.at(-1) ?? 0, goal)));
      moments.push((await find()).done);
      await server.end('SIGKILL');
      await start();
      expect((await find()).done).toBeGreaterThanOrEqual(moments.at(-1)!);
    }
    await waitUntil(async () => expect((await find()).state).toBe('done'));
    const batch = await find();
    expect(batch).toMatchObject({ pieces: JIG_ROWS, leftOut: [] });

    const answer = await fetch(server.url + batch.url);
    const archive = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    const sheets = Object.keys(archive).filter((name) => /^sheet_\d+\.svg$/.test(name));
    expect(sheets).toHaveLength(sheetCount);
    const texts = sheets.sort().map((name) => new TextDecoder().decode(archive[name]));
    for (const [at, text] of texts.entries()) {
      expect(text).toMatch(/^<(\?xml|svg)[\s\S]*<path[\s\S]*<\/svg>\s*$/);
      // Names come again after so many rows, and with them whole sheets.
      const last = at === sheetCount - 1 && JIG_ROWS % onSheet > 0;
      if (at >= NAMES && !last) expect(text === texts[at - NAMES], sheets[at]).toBe(true);
    }
    const csv = new TextDecoder().decode(archive['rows.csv']).trim().split(/\r?\n/).slice(1);
    expect(csv).toHaveLength(JIG_ROWS);
    const slots = csv.map((line) => line.split(',').slice(2, 4).join());
    expect(new Set(slots).size).toBe(JIG_ROWS);
    expect((await call<UsageStats>('/api/users/stats')).vectorsUsed - usedBefore).toBe(sheetCount);
    console.log(`batch kill test: seed ${seed}, ${JIG_ROWS} rows on jigs, kills after ${moments.join(', ')} sheets`);
  },
  KILLS * WAIT_MS,
);

const nameOf = (i: number): string => `Piece ${i % NAMES}`;

const waitUntil = (check: () => Promise<void>) => vi.waitFor(check, { timeout: WAIT_MS, interval: 100 });

async function start(): Promise<void> {
  server = await startServerProcess(dataDir, { WORKERS: '2', ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD });
  headers = {};
  const { token } = await call<{ token: string }>('/api/auth/login', { email: ADMIN, password: PASSWORD });
  headers = { authorization: `Bearer ${token}` };
}

async function call<T>(path: string, body?: object): Promise<T> {
  const answer = await fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}
