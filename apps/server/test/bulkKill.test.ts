/**
 * Kills the real server during a bulk upload: existing products are complete, and uploading the folder again completes
 * it.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdminProduct, BulkUpload } from '@markwright/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { stressTest } from './campaign.ts';
import { putDatabase } from './dataFolder.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

const KILLS = 2;
const FILES = 60;
const AT_ONCE = 20;
const PASSWORD = 'the-workshop-key';
const ADMIN = 'admin@example.com';

let dataDir: string;
let server: ServerProcess;
let headers: { authorization: string };
// In a hook: where the tests are skipped, so is what would remove the folder.
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'markwright-bulk-kill-'));
  putDatabase(dataDir);
});
afterAll(async () => {
  await server?.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

stressTest(
  'a folder whose upload was killed is complete when it is sent again',
  async () => {
    const png = await sharp({ create: { width: 120, height: 90, channels: 4, background: '#30a06080' } })
      .png()
      .toBuffer();
    const folder = Array.from({ length: FILES }, (_, i) => ({ path: `Acme/Mugs ${i % 3}/mug ${i}.png`, bytes: png }));
    await start();
    const shippedCount = (await list()).length;
    for (let kill = 0; kill < KILLS; kill++) {
      const before = (await list()).length;
      // More files each time, and never all: however late the kill comes, some are missing.
      const upload = sendAll(folder.slice(0, 40 + 15 * kill)).catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error; // fetch's error for a broken connection
      });
      const some = async () => expect((await list()).length).toBeGreaterThanOrEqual(before + 6);
      await Promise.race([upload, vi.waitFor(some, { timeout: 120_000, interval: 100 })]);
      await server.end('SIGKILL');
      await upload;
      await start();
      expect(incoming()).toEqual([]);
      await checkWhole();
    }
    const there = (await list()).length - shippedCount;
    expect(there).toBeGreaterThanOrEqual(6 * KILLS);
    expect(there).toBeLessThan(FILES);
    const { uploaded, duplicates } = await sendAll(folder);
    expect([uploaded, duplicates]).toEqual([FILES - there, there]);
    expect((await list()).length).toBe(shippedCount + FILES);
    await checkWhole();
    expect(incoming()).toEqual([]);
    console.log(`bulk kill test: ${KILLS} kills, ${there} products before the last run, ${FILES} after it`);
  },
  600_000,
);

async function start(): Promise<void> {
  server = await startServerProcess(dataDir, { WORKERS: '2', ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD });
  const answer = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ email: ADMIN, password: PASSWORD }),
    headers: { 'content-type': 'application/json' },
  });
  headers = { authorization: `Bearer ${((await answer.json()) as { token: string }).token}` };
}

const list = async (): Promise<AdminProduct[]> =>
  (await (await fetch(`${server.url}/api/admin/products`, { headers })).json()) as AdminProduct[];

/** Expects every product once, with every size of its picture readable. */
async function checkWhole(): Promise<void> {
  const own = (await list()).filter(({ business }) => business === 'Acme');
  expect(new Set(own.map(({ category, name }) => `${category}/${name}`)).size).toBe(own.length);
  for (const { mockupImageUrl, thumbnails } of own) {
    expect(thumbnails).toHaveLength(3); // the sizes for lists only: the picture is smaller than a stage
    for (const url of [mockupImageUrl, ...thumbnails.map(({ url }) => url)]) {
      const answer = await fetch(`${server.url}${url}`);
      expect(answer.status, url).toBe(200);
      await sharp(await answer.arrayBuffer()).stats();
    }
  }
}

async function sendAll(folder: readonly { path: string; bytes: Uint8Array }[]) {
  const counts = { uploaded: 0, duplicates: 0 };
  const queue = [...folder];
  while (queue.length > 0) {
    const batch = queue.splice(0, AT_ONCE);
    const form = new FormData();
    for (const { path, bytes } of batch) {
      form.append('files', new Blob([new Uint8Array(bytes)]), 'file.png');
      form.append('paths', path);
    }
    const answer = await fetch(`${server.url}/api/admin/products/bulk-upload`, { method: 'POST', body: form, headers });
    expect(answer.status).toBe(200);
    const { uploadedCount, skippedDuplicates, failedCount, remaining } = (await answer.json()) as BulkUpload;
    expect(failedCount).toBe(0);
    counts.uploaded += uploadedCount;
    counts.duplicates += skippedDuplicates;
    queue.unshift(...remaining.map((index) => batch[index]!));
  }
  return counts;
}

function incoming(): string[] {
  const folder = join(dataDir, 'incoming');
  return existsSync(folder) ? readdirSync(folder) : [];
}
