/**
 * Uploads a folder of 2,000 files of mixed kinds as administrator, 50 at a time, and the same folder once more.
 * Measures the new products, the longest request, and the memory of the server's process and of its workers.
 */
import type { BulkUpload } from '@markwright/contract/schemas';
import sharp from 'sharp';
import { childrenOf, residentMb, withBuiltServer } from './builtStudio.ts';

const FILES = Number(process.env.BULK_FILES ?? 2_000);
const AT_ONCE = 50;
const LONGEST_MS = 16_000;
const MEMORY_MB = 1_024;
const ADMIN = { email: 'admin@example.com', password: 'the-workshop-key' };

interface Upload {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isProduct: boolean;
}

/** 4000 x 3000 pixels. */
const photograph = await sharp({
  create: {
    width: 4_000,
    height: 3_000,
    channels: 3,
    background: '#806040',
    noise: { type: 'gaussian', mean: 128, sigma: 30 },
  },
})
  .blur(2)
  .jpeg({ quality: 85 })
  .toBuffer();
const folder = await Promise.all(Array.from({ length: FILES }, (_, i) => makeFile(i)));
const products = folder.filter(({ isProduct }) => isProduct).length;
const megabytes = folder.reduce((sum, { bytes }) => sum + bytes.length, 0) / 2 ** 20;
console.log(`${FILES} files, ${megabytes.toFixed(0)} MB, ${products} of them pictures that can be used`);

let isMet = true;
await withBuiltServer(
  async (url, pid) => {
    const { token } = (await (
      await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        body: JSON.stringify(ADMIN),
        headers: { 'content-type': 'application/json' },
      })
    ).json()) as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    const peaks = { server: 0, workers: 0 };
    const watch = setInterval(() => {
      peaks.server = Math.max(peaks.server, residentMb(pid));
      peaks.workers = Math.max(peaks.workers, ...childrenOf(pid).map(residentMb));
    }, 100);

    const first = await uploadAll(url, headers, folder);
    const again = await uploadAll(url, headers, folder);
    clearInterval(watch);
    const catalogue = (await (await fetch(`${url}/api/admin/products`, { headers })).json()) as object[];
    const newProducts = first.uploaded;
    isMet =
      newProducts === products &&
      again.uploaded === 0 &&
      // The catalogue also holds the products that ship with the server.
      catalogue.length > products &&
      Math.max(first.longestMs, again.longestMs) < LONGEST_MS &&
      peaks.server < MEMORY_MB;
    for (const [name, { requests, seconds, uploaded, duplicates, skipped, failed, longestMs }] of [
      ['first time', first],
      ['once more', again],
    ] as const) {
      console.log(
        `${name}: ${seconds.toFixed(0)} s in ${requests} requests, the longest ${(longestMs / 1000).toFixed(1)} s;`,
        `${uploaded} uploaded, ${duplicates} duplicates, ${skipped} skipped, ${failed} failed`,
      );
    }
    console.log(`memory at most: server ${peaks.server.toFixed(0)} MB, a child ${peaks.workers.toFixed(0)} MB`);
  },
  { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
);
console.log(`${isMet ? 'bar met' : 'BAR MISSED'}: all of them, no request over 16 s, the server below 1 GB`);
process.exitCode = isMet ? 0 : 1;

/** Uploads all files in batches, and the `remaining` ones of each answer again. */
async function uploadAll(url: string, headers: Record<string, string>, files: readonly Upload[]) {
  const startTime = performance.now();
  const counts = { requests: 0, uploaded: 0, duplicates: 0, skipped: 0, failed: 0, longestMs: 0, seconds: 0 };
  const queue = [...files];
  while (queue.length > 0) {
    const batch = queue.splice(0, AT_ONCE);
    const form = new FormData();
    for (const { path } of batch) form.append('paths', path);
    for (const { bytes } of batch) form.append('files', new Blob([new Uint8Array(bytes)]), 'file');
    const since = performance.now();
    const answer = await fetch(`${url}/api/admin/products/bulk-upload`, { method: 'POST', body: form, headers });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const result = (await answer.json()) as BulkUpload;
    counts.longestMs = Math.max(counts.longestMs, performance.now() - since);
    counts.requests++;
    counts.uploaded += result.uploadedCount;
    counts.duplicates += result.skippedDuplicates;
    counts.skipped += result.skippedFiles;
    counts.failed += result.failedCount;
    queue.unshift(...result.remaining.map((index) => batch[index]!));
  }
  counts.seconds = (performance.now() - startTime) / 1000;
  return counts;
}

/**
 * Makes file `i`: every tenth is no picture, every twentieth is broken, every fiftieth is a photograph of 12
 * megapixels.
 */
async function makeFile(i: number): Promise<Upload> {
  const place = ['', 'Mugs/', 'Acme/Trays/', 'Acme/Signs/Slate/'][i % 4]!;
  const background = { r: (i * 37) % 256, g: (i * 91) % 256, b: (i * 53) % 256 };
  const plain = sharp({ create: { width: 60 + (i % 7) * 60, height: 60 + (i % 5) * 60, channels: 3, background } });
  const pathWith = (extension: string) => `${place}product ${i}.${extension}`;
  if (i % 20 === 3) return { path: pathWith('txt'), bytes: Buffer.from(`notes ${i}`), isProduct: false };
  if (i % 20 === 7) return { path: pathWith('gif'), bytes: await plain.gif().toBuffer(), isProduct: false };
  if (i % 20 === 11) {
    const whole = await plain.png().toBuffer();
    return { path: pathWith('png'), bytes: whole.subarray(0, whole.length / 2), isProduct: false };
  }
  if (i % 50 === 5) return { path: pathWith('jpg'), bytes: photograph, isProduct: true };
  if (i % 5 === 1) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 60"><path d="M0 0H${20 + (i % 60)}V60Z"/></svg>`;
    return { path: pathWith('svg'), bytes: Buffer.from(svg), isProduct: true };
  }
  if (i % 5 === 2) return { path: pathWith('jpg'), bytes: await plain.jpeg().toBuffer(), isProduct: true };
  const clear = plain.ensureAlpha(0.6);
  return { path: pathWith('png'), bytes: await (i % 2 ? clear : plain).png().toBuffer(), isProduct: true };
}
