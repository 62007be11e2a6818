/** Servers that run models for each other, on one database: each with a folder and a process of its own, or without. */
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { modelWorkerProgram } from '../../test/builtServer.ts';
import { withCut } from '../../test/cutOff.ts';
import { createDatabase } from '../../test/server.ts';
import { tinyModel } from '../../test/tinyModel.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { type FileStore, openDiskFiles } from '../platform/files.ts';
import { loadOnce } from '../platform/loadOnce.ts';
import { openNotifications } from '../platform/notifications.ts';
import type { BackgroundModels } from '../platform/ports/backgroundModels.ts';
import type { RunOptions } from '../platform/ports/mediaPool.ts';
import { openBackgroundModels } from './models.ts';

let ownDatabase: Awaited<ReturnType<typeof createDatabase>>;
let database: Database;
let folder: string;
let files: FileStore;
beforeAll(async () => {
  ownDatabase = await createDatabase();
  const longLimits = { query_timeout: 60_000, connectionTimeoutMillis: 60_000 };
  database = openDatabase({ ...ownDatabase.connection, ...longLimits }, () => {});
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'markwright-models-'));
  files = await openDiskFiles(join(folder, 'files'));
});
const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
  await database.query('delete from media_jobs; delete from model_offers');
  await rm(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await database.close();
  await ownDatabase.drop();
});

const soon = { timeout: 60_000, interval: 5 };
const small = tinyModel({ side: 1024 });
/** A second of work for each layer. */
const slow = (layers: number) => tinyModel({ side: 1024, layers });

interface ServerSettings {
  /** The files of its folder. */
  readonly holds?: Readonly<Record<string, Uint8Array>>;
  /** True for a server that runs no models. */
  readonly onlyAsks?: boolean;
}

async function openServer({ holds = {}, onlyAsks = false }: ServerSettings) {
  const ownFolder = await mkdtemp(join(folder, 'server-'));
  const put = async (name: string, bytes: Uint8Array) => {
    await writeFile(join(ownFolder, name), bytes);
    // No two servers have got it at the same time.
    await utimes(join(ownFolder, name), 1_000_000, 1_000_000 + closings.length);
  };
  for (const [name, bytes] of Object.entries(holds)) await put(name, bytes);
  const costs: number[] = [];
  let begin = (): void => {};
  const beginning = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const { db, cut } = withCut(database.db);
  const log = pino({ level: 'silent' });
  const notifications = openNotifications(ownDatabase.connection, log);
  const models: BackgroundModels = await openBackgroundModels({
    ...{ folder: ownFolder, modelPath: undefined, workers: 2, log },
    // Notes what a caller is charged.
    meter: (pool) => ({
      ...pool,
      run: (job, input, options) => pool.run(job, input, { ...options, onProcessorTime: (ms) => costs.push(ms) }),
    }),
    pool: onlyAsks ? undefined : modelWorkerProgram,
    common: { db, files, listen: notifications.listen, limits: { lookMs: 20 } },
  });
  const close = loadOnce(async () => {
    await models.close();
    await notifications.close();
  });
  closings.push(close);
  return {
    ...{ models, costs, cut, close, put, beginning },
    /** Waits until it finds this model. */
    finds: (name: string) =>
      vi.waitFor(async () => {
        const model = await models.find('isnet');
        expect(model?.name).toBe(name);
        return model!;
      }, soon),
    /** Segments a square whose right half is lighter. Returns the first and the last share of the mask. */
    async segment(
      model: NonNullable<Awaited<ReturnType<BackgroundModels['find']>>>,
      options: Partial<RunOptions> = {},
    ) {
      const { side } = model;
      const rgb = new Uint8Array(3 * side * side).map((_, i) => (Math.floor(i / 3) % side < side / 2 ? 120 : 130));
      const masks = await models.segment(
        model,
        { kind: 'plain', square: { side, rgb } },
        { caller: { name: 'ann', lane: 'account', payers: [] }, onProgress: begin, ...options },
      );
      const shares = masks && inflateSync(masks[0]!);
      return shares && [shares[0], shares.at(-1)];
    },
  };
}
const countRows = async (): Promise<number> =>
  Number((await database.query('select count(*) as n from media_jobs')).rows[0].n);

test('a server without the file and without a process finds the model of another one, which runs it', async () => {
  const web = await openServer({ onlyAsks: true });
  expect(await web.models.find('isnet')).toBeUndefined();
  const worker = await openServer({ holds: { 'isnet.onnx': small } });
  const model = await web.finds('isnet');
  expect(await web.segment(model)).toEqual([0, 50]);
  expect([web.costs.length, worker.costs.length]).toEqual([1, 0]);
  await vi.waitFor(async () => expect(await countRows()).toBe(0), soon);
  // The same bytes are the same model on every server, whenever they came there; other bytes are another one.
  const second = await openServer({ holds: { 'isnet.onnx': small, 'u2net.onnx': tinyModel({ side: 320 }) } });
  expect((await second.models.find('isnet'))!.id).toBe(model.id);
  await second.put('isnet.onnx', slow(1));
  expect((await second.models.find('isnet'))!.id).not.toBe(model.id);
  // A server that stops takes its offers back.
  await worker.close();
  await second.close();
  expect(await web.models.find('isnet')).toBeUndefined();
});

test('a server with another file leaves the job to the one that has it', async () => {
  const web = await openServer({ onlyAsks: true });
  const other = await openServer({ holds: { 'u2net.onnx': tinyModel({ side: 320 }) } });
  const worker = await openServer({ holds: { 'isnet.onnx': small } });
  const model = await web.finds('isnet');
  await worker.close(); // the one that is there cannot do it
  const places: number[] = [];
  const answer = web.segment(model, { onPlace: (place) => places.push(place) });
  await vi.waitFor(() => expect(places).toEqual([1]), soon);
  // Asked itself, it also lets another server do what it has no file for.
  const own = other.segment(model);
  await vi.waitFor(async () => expect(await countRows()).toBe(2), soon);
  await openServer({ holds: { 'isnet.onnx': small } });
  expect(await Promise.all([answer, own])).toEqual([
    [0, 50],
    [0, 50],
  ]);
});

test('a server that dies in the middle is replaced by another one, and the caller pays once', async () => {
  const web = await openServer({ onlyAsks: true });
  const dead = await openServer({ holds: { 'isnet.onnx': slow(8) } });
  const answer = web.segment(await web.finds('isnet'));
  await web.beginning;
  dead.cut(true);
  await database.query(`update media_jobs set holder_lease_until = now() - interval '1 second'`);
  await openServer({ holds: { 'isnet.onnx': slow(8) } });
  expect(await answer).toEqual([0, 0]);
  expect(web.costs).toHaveLength(1);
  const costMs = web.costs[0];
  dead.cut(false);
  await dead.close();
  expect(web.costs).toEqual([costMs]);
});

test('whoever leaves ends the run of another server, and pays for what it took', async () => {
  const web = await openServer({ onlyAsks: true });
  const worker = await openServer({ holds: { 'isnet.onnx': slow(8) } });
  const leave = new AbortController();
  const answer = web.segment(await web.finds('isnet'), { signal: leave.signal });
  await web.beginning;
  leave.abort(new Error('left'));
  await expect(answer).rejects.toThrow('left');
  expect(web.costs).toHaveLength(1);
  expect(web.costs[0]).toBeLessThan(20_000); // of 40 s
  // Its next process is free for the next one.
  await worker.put('isnet.onnx', small);
  expect(await worker.segment((await worker.models.find('isnet'))!)).toEqual([0, 50]);
});

test('a server whose file is broken withdraws it, and another one answers', async () => {
  const web = await openServer({ onlyAsks: true });
  await openServer({ holds: { 'isnet.onnx': Buffer.from('no model at all') } });
  const broken = await web.finds('isnet');
  expect(await web.segment(broken)).toBeUndefined();
  expect(await web.models.find('isnet')).toBeUndefined();
  await openServer({ holds: { 'u2net.onnx': tinyModel({ side: 320 }) } });
  expect(await web.segment(await web.finds('u2net'))).toEqual([0, 255]);
});
