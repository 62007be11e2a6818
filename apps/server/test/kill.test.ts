/**
 * Kills the real server at random moments under load, and checks after each restart everything that it had
 * acknowledged. The client's journal is authoritative. A call that was cut off is unknown: it is repeated until it is
 * answered, and then everything must add up. `KILL_CYCLES` sets another number of rounds, `TEST_SEED` repeats a run.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Design, UsageStats } from '@markwright/contract';
import sharp from 'sharp';
import { afterAll, expect, test, vi } from 'vitest';
import { createRandom, repetitions, seed } from './campaign.ts';
import { putDatabase } from './dataFolder.ts';
import { isAlive } from './machine.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

const CYCLES = Number(process.env.KILL_CYCLES ?? repetitions(1, 12));
const PASSWORD = 'the-workshop-key';
const ADMIN = 'admin@example.com';
const SIDE_PX = 48;

const dataDir = mkdtempSync(join(tmpdir(), 'markwright-kill-'));
putDatabase(dataDir);
let server: ServerProcess | undefined;
afterAll(async () => {
  await server?.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

/** The acknowledged data, which the client must find again. */
const journal = {
  /** By the account that uploaded them: one account for each cycle, so that each fits in one list. */
  designs: new Map<string, Map<string, [number, number, number]>>(),
  exports: new Map<string, string>(),
  accounts: new Set<string>(),
};
/** Uploads that were sent with their key and not answered, by account. */
const unknownUploads: { email: string; key: string; png: Buffer; color: [number, number, number] }[] = [];
/** Exports that were sent and not answered. */
const unknown = new Set<string>();
let count = 0;

const random = createRandom(seed);
let token = '';

test.runIf(process.platform === 'linux')(
  `${CYCLES} kills lose nothing that was acknowledged`,
  { tags: ['detail'], timeout: 300_000 + CYCLES * 100_000 },
  async () => {
    const starts: number[] = [];
    for (let cycle = 0; cycle <= CYCLES; cycle++) {
      server = await startServerProcess(dataDir, { WORKERS: '2', ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD });
      starts.push(Math.round(server.startMs));
      token = (await post<{ token: string }>('/api/auth/login', { email: ADMIN, password: PASSWORD }, '')).token;
      await checkJournal();
      if (cycle === CYCLES) break;

      const processes = server.children();
      expect(processes.length).toBeGreaterThanOrEqual(3); // the database and two workers
      const controller = new AbortController();
      const load = Promise.all([uploads(controller.signal, cycle), exportsOf(controller.signal), signUp()]);
      await Promise.race([load, momentOfKill(cycle)]);
      await server.end('SIGKILL');
      // Every third time the database is killed with its owner.
      if (cycle % 3 === 2) process.kill(databasePid(), 'SIGKILL');
      controller.abort();
      await load;
      // Workers notice that their server is gone, even during a job.
      const workers = processes.filter((pid) => pid !== databasePid());
      await vi.waitFor(() => expect(workers.filter(isAlive)).toEqual([]), { timeout: 30_000, interval: 50 });
    }

    const uploadCount = [...journal.designs.values()].reduce((sum, { size }) => sum + size, 0);
    console.log(
      `kill test: seed ${seed}, ${CYCLES} kills, ${uploadCount} uploads, ${journal.exports.size} exports,`,
      `${journal.accounts.size} sign-ups, 0 lost; start ms: ${starts.join(' ')}`,
    );
    expect(uploadCount).toBeGreaterThan(CYCLES);
    expect(journal.exports.size).toBeGreaterThan(CYCLES);

    const database = databasePid();
    const last = server!.children();
    expect(await server!.end('SIGTERM')).toBe(0);
    expect(last.filter(isAlive)).toEqual([]);
    expect(isAlive(database)).toBe(false);
    expect(readdirSync(dataDir, { recursive: true }).filter((name) => String(name).endsWith('.part'))).toEqual([]);
  },
);

/**
 * Waits for the moment of a kill. In every second round the kill may come from the first call on; in the others it
 * comes after some calls of each kind, however slow the machine is.
 */
async function momentOfKill(cycle: number): Promise<void> {
  if (cycle % 2 === 0) {
    const exportsBefore = journal.exports.size;
    const enough = 3 + Math.floor(random() * 4);
    await vi.waitFor(
      () => {
        expect(journal.designs.get(uploaderOf(cycle))?.size).toBeGreaterThanOrEqual(enough);
        expect(journal.exports.size).toBeGreaterThanOrEqual(exportsBefore + 3);
      },
      { timeout: 60_000, interval: 5 },
    );
  }
  await new Promise((resolve) => setTimeout(resolve, 20 + random() * (cycle % 2 ? 1_500 : 300)));
}

async function checkJournal(): Promise<void> {
  // The unknown exports first: repeating one gives one reply and one charge, whatever happened to the first attempt.
  for (const word of unknown) await makeExport(word);

  // An upload that is sent again with its key is one design, stored or not at the first time.
  for (const { email, key, png, color } of unknownUploads.splice(0)) {
    const { token: bearer } = await post<{ token: string }>('/api/auth/login', { email, password: PASSWORD }, '');
    const { id } = await upload(png, key, bearer);
    journal.designs.get(email)!.set(id, color);
  }

  for (const [email, colors] of journal.designs) await checkDesigns(email, colors);

  for (const [word, url] of journal.exports) {
    const svg = new TextDecoder().decode(await getBytes(url));
    expect(svg.startsWith('<svg') || svg.startsWith('<?xml'), word).toBe(true);
    expect(svg.trimEnd().endsWith('</svg>'), word).toBe(true);
  }
  const { vectorsUsed } = await get<UsageStats>('/api/users/stats');
  expect(vectorsUsed).toBe(journal.exports.size);

  for (const email of [...journal.accounts].slice(-3)) {
    expect((await post<{ token: string }>('/api/auth/login', { email, password: PASSWORD }, '')).token).toBeTruthy();
  }
}

/** Expects an account to have the pictures that the client knows of, stored completely, and no others. */
async function checkDesigns(email: string, colors: ReadonlyMap<string, [number, number, number]>): Promise<void> {
  const { token: bearer } = await post<{ token: string }>('/api/auth/login', { email, password: PASSWORD }, '');
  const designsById = new Map((await send<Design[]>('/api/designs', {}, bearer)).map((design) => [design.id, design]));
  for (const [id, color] of colors) {
    const design = designsById.get(id);
    expect(design, `design ${id}`).toMatchObject({ width: SIDE_PX, height: SIDE_PX });
    const { data, info } = await sharp(await getBytes(design!.originalFileUrl))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([SIDE_PX, SIDE_PX]);
    expect([
      ...new Set(Array.from({ length: data.length / 3 }, (_, i) => data.subarray(i * 3, i * 3 + 3).join())),
    ]).toEqual([color.join()]);
  }
  // None that the client does not know of: nothing was stored twice.
  expect([...designsById.keys()].filter((id) => !colors.has(id))).toEqual([]);
}

const uploaderOf = (cycle: number): string => `uploader${cycle}@example.com`;

async function uploads(signal: AbortSignal, cycle: number): Promise<void> {
  const email = uploaderOf(cycle);
  const account = await orUndefined(() =>
    post<{ token: string }>('/api/auth/signup', { email, password: PASSWORD }, ''),
  );
  if (!account) return;
  const designs = new Map<string, [number, number, number]>();
  journal.designs.set(email, designs);
  while (!signal.aborted) {
    const color: [number, number, number] = [byte(), byte(), byte()];
    const [r, g, b] = color;
    const png = await sharp({ create: { width: SIDE_PX, height: SIDE_PX, channels: 3, background: { r, g, b } } })
      .png()
      .toBuffer();
    const key = `upload-${++count}`;
    const design = await orUndefined(() => upload(png, key, account.token));
    if (!design) {
      unknownUploads.push({ email, key, png, color });
      return;
    }
    designs.set(design.id, color);
  }
}

function upload(png: Buffer, key: string, bearer: string): Promise<Design> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'picture.png');
  const init = { method: 'POST', body: form, headers: { 'idempotency-key': key } };
  return send<Design>('/api/designs/upload', init, bearer);
}

async function exportsOf(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const word = `word ${++count}`;
    unknown.add(word);
    if (!(await orUndefined(() => makeExport(word)))) return;
    // Making it again, in parallel, is not charged again.
    if (count % 3 === 0) await orUndefined(() => Promise.all([makeExport(word), makeExport(word)]));
  }
}

async function makeExport(word: string): Promise<string> {
  const composition = {
    version: 0,
    data: { machine: 'laser', productId: 'mug-11oz-white', texts: [{ id: 'a', text: word }] },
  };
  const { vectorizedSvgUrl } = await post<{ vectorizedSvgUrl: string }>('/api/designs/vectorize', {
    settings: { mode: 'vectorize' },
    composition,
  });
  journal.exports.set(word, vectorizedSvgUrl);
  unknown.delete(word);
  return vectorizedSvgUrl;
}

async function signUp(): Promise<void> {
  const email = `maker${++count}@example.com`;
  const answer = await orUndefined(() =>
    post<{ token: string }>('/api/auth/signup', { email, password: PASSWORD }, ''),
  );
  if (answer) journal.accounts.add(email);
}

/** Returns the reply, or undefined when the connection was cut. Throws for an error reply. */
async function orUndefined<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError) return undefined; // fetch's error for a broken connection
    throw error;
  }
}

const get = <T>(path: string): Promise<T> => send<T>(path, {});
const post = <T>(path: string, body: unknown, bearer = token): Promise<T> =>
  send<T>(
    path,
    { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    bearer,
  );

async function send<T>(path: string, init: RequestInit, bearer = token): Promise<T> {
  const headers = {
    ...(init.headers as Record<string, string>),
    ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
  };
  const answer = await fetch(`${server!.url}${path}`, { ...init, headers });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

async function getBytes(url: string): Promise<Uint8Array> {
  const answer = await fetch(`${server!.url}${url}`);
  expect(answer.status, url).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

function databasePid(): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

function byte(): number {
  return Math.floor(random() * 256);
}
