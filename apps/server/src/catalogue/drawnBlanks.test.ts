import { readFile } from 'node:fs/promises';
import { MOCKUP_PX } from '@markwright/scene';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { rasterize } from '../media/rasterize.ts';
import type { Context } from '../platform/context.ts';
import type { MediaPool } from '../platform/ports/mediaPool.ts';
import { SITE } from '../platform/storage.ts';
import { drawnPicturePath, readDrawnBlank } from './drawnBlanks.ts';

const BLANK = 'mug-11oz-white';
let server: TestApp;
let jobs: string[];
let context: Context;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  jobs = [];
  for (const key of await listStored()) await server.context.files.delete(key);
  context = startServer();
});

/** Returns the context of a server that has just started on the same files, and records its media jobs. */
function startServer(changes: Partial<MediaPool> = {}): Context {
  const pool = server.context.media;
  const run: MediaPool['run'] = (job, input, options) => {
    jobs.push(job);
    return pool.run(job, input, options);
  };
  return { ...server.context, media: { ...pool, run, ...changes } };
}
async function listStored(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of server.context.files.list('blanks/')) keys.push(key);
  return keys;
}

test('a blank is rasterized once for twenty simultaneous mockups, all later ones and the next server', async () => {
  const pictures = await Promise.all(Array.from({ length: 20 }, () => readDrawnBlank(context, BLANK)));
  const later = await readDrawnBlank(context, BLANK);
  const elsewhere = await readDrawnBlank(startServer(), BLANK);
  for (const { bytes, mediaType } of [...pictures, later, elsewhere]) {
    expect(mediaType).toBe('image/png');
    expect(Buffer.compare(bytes, pictures[0]!.bytes)).toBe(0);
  }
  expect(jobs).toEqual(['rasterize']);
  const { width, height, hasAlpha } = await sharp(later.bytes).metadata();
  expect([width, height, hasAlpha]).toEqual([MOCKUP_PX, MOCKUP_PX, true]);
});

test('the picture of another version is replaced', async () => {
  await server.context.files.put(`blanks/${BLANK}/old.png`, new Uint8Array([1]), 'image/png', SITE);
  await readDrawnBlank(context, BLANK);
  expect(await listStored()).toEqual([expect.stringMatching(/^blanks\/mug-11oz-white\/[0-9a-f]{32}\.png$/)]);
});

test('a failure is not kept, and a picture that cannot be stored is returned all the same', async () => {
  const broken = startServer({ run: () => Promise.reject(new Error('The pool is full.')) });
  await expect(readDrawnBlank(broken, BLANK)).rejects.toThrow('The pool is full.');
  const files = { ...context.files, put: () => Promise.reject(new Error('The disk is full.')) };
  const { bytes } = await readDrawnBlank({ ...context, files }, BLANK);
  expect((await sharp(bytes).metadata()).width).toBe(MOCKUP_PX);
  expect(await listStored()).toEqual([]);
});

test('looks in a mockup as the drawing itself does', { tags: ['detail'] }, async () => {
  const place = async (href: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${MOCKUP_PX}" height="${MOCKUP_PX}" viewBox="0 0 100 100"><image href="${href}" width="100" height="100" preserveAspectRatio="none"/></svg>`;
    const { png } = await rasterize({ svg, widthPx: MOCKUP_PX, background: '#ffffff' });
    return sharp(png).removeAlpha().raw().toBuffer();
  };
  const drawing = await readFile(drawnPicturePath(BLANK));
  const { bytes } = await readDrawnBlank(context, BLANK);
  const before = await place(`data:image/svg+xml;base64,${drawing.toString('base64')}`);
  const after = await place(`data:image/png;base64,${Buffer.from(bytes).toString('base64')}`);
  let changedCount = 0;
  for (let i = 0; i < before.length; i++) if (Math.abs(before[i]! - after[i]!) > 2) changedCount++;
  expect(changedCount).toBeLessThan(before.length / 10_000);
});
