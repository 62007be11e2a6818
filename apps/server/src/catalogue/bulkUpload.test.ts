import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { AdminProduct, BulkUpload } from '@markwright/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { listText, repetitions } from '../../test/campaign.ts';
import { absentDatabaseError, createTestApp, type TestApp } from '../../test/server.ts';
import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { MediaPool } from '../platform/ports/mediaPool.ts';
import { auditTrail } from '../platform/tables.ts';
import { bulkUpload } from './bulkUpload.ts';
import { categories, products } from './tables.ts';

interface FileToSend {
  readonly path?: string;
  readonly bytes: Uint8Array;
  readonly filename?: string;
}

let server: TestApp;
let admin: { authorization: string };
let png: Buffer;
/** Replaces the workers where a test does not need pictures. */
let media: MediaPool['run'] | undefined;
/** A folder that contains only the data folder. */
let surroundings: string;
beforeAll(async () => {
  surroundings = await mkdtemp(join(tmpdir(), 'markwright-bulk-'));
  vi.stubEnv('TMPDIR', surroundings);
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  const pool = server.context.media;
  const run = pool.run.bind(pool);
  Object.assign(pool, { run: (...input: Parameters<MediaPool['run']>) => (media ?? run)(...input) });
  admin = await signInAdmin(server);
  png = await sharp({ create: { width: 24, height: 24, channels: 3, background: '#30a060' } })
    .png()
    .toBuffer();
});
afterAll(async () => {
  await server.close();
  vi.unstubAllEnvs();
  await rm(surroundings, { recursive: true });
});
beforeEach(async () => {
  media = undefined;
  const { db, files } = server.context;
  await db.delete(products);
  await db.delete(categories);
  await db.delete(auditTrail);
  for await (const { key } of files.list('products/')) await files.delete(key);
});

async function send(files: readonly FileToSend[], order: 'pairs' | 'paths first' | 'paths last' = 'pairs') {
  const form = new FormData();
  const addPath = ({ path }: FileToSend) => path !== undefined && form.append('paths', path);
  if (order === 'paths first') files.forEach(addPath);
  for (const file of files) {
    form.append('files', new Blob([new Uint8Array(file.bytes)]), file.filename ?? 'x.png');
    if (order === 'pairs') addPath(file);
  }
  if (order === 'paths last') files.forEach(addPath);
  const encodedForm = new Response(form);
  return server.app.inject({
    method: 'POST',
    url: '/api/admin/products/bulk-upload',
    payload: Buffer.from(await encodedForm.arrayBuffer()),
    headers: { ...admin, 'content-type': encodedForm.headers.get('content-type')! },
  });
}
const upload = async (files: readonly FileToSend[], order?: Parameters<typeof send>[1]) => {
  const answer = await send(files, order);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<BulkUpload>();
};
const listProducts = async () =>
  (await server.app.inject({ url: '/api/admin/products', headers: admin })).json<AdminProduct[]>();
const listPlaces = async () =>
  (await listProducts())
    .map(({ business, category, subCategory, name }) => [business, category, subCategory, name].join(' | '))
    .sort();
const incoming = () => readdirSync(join(server.context.config.dataDir, 'incoming'));

const folder = (): FileToSend[] => [
  { path: 'loose.png', bytes: png },
  { path: 'Mugs/white.png', bytes: png },
  { path: 'Acme/Kitchen/walnut.png', bytes: png },
  { path: 'Acme/Mugs/Ceramic/Small/blue.png', bytes: png },
];
const expected = [
  ' | Custom |  | loose',
  ' | Mugs |  | white',
  'Acme | Cutting Boards/ Serving Trays |  | walnut',
  'Acme | Mugs | Ceramic / Small | blue',
];

test.each(['pairs', 'paths first', 'paths last'] as const)(
  'creates products from a folder, sent as %s',
  async (order) => {
    const answer = await upload(folder(), order);
    expect(answer).toMatchObject({
      uploadedCount: 4,
      createdCategories: ['Custom', 'Cutting Boards/ Serving Trays', 'Mugs'],
      skippedDuplicates: 0,
      failedCount: 0,
      remaining: [],
    });
    expect(await listPlaces()).toEqual(expected);
    for (const { mockupImageUrl, dimensions, printArea } of await listProducts()) {
      expect((await server.app.inject({ url: mockupImageUrl })).statusCode).toBe(200);
      expect([dimensions, printArea]).toEqual(['1x1', { x: 0, y: 0, width: 1, height: 1 }]);
    }
    expect((await server.context.db.select().from(auditTrail)).map(({ action }) => action).sort()).toEqual([
      ...Array(3).fill('category.add'),
      ...Array(4).fill('product.upload'),
    ]);
    expect(incoming()).toEqual([]);

    // The same folder again, and in another case: nothing new.
    const otherCase = folder().map((file) => ({
      ...file,
      path: file.path!.toUpperCase().replace('KITCHEN', 'Kitchen'),
    }));
    expect(await upload([...folder(), ...otherCase])).toMatchObject({
      uploadedCount: 0,
      createdCategories: [],
      skippedDuplicates: 8,
    });
    expect(await listPlaces()).toEqual(expected);
  },
);

test('skips files that are no pictures and reports broken ones, and neither stops the others', async () => {
  const answer = await upload([
    { path: 'Mugs/readme.txt', bytes: Buffer.from('hello') },
    { path: 'Mugs/a.png', bytes: png },
    { path: 'Mugs/moving.gif', bytes: await sharp(png).gif().toBuffer() },
    { path: 'Mugs/cut.png', bytes: png.subarray(0, png.length - 30) },
    { path: 'Mugs/huge.png', bytes: Buffer.concat([png, Buffer.alloc(20 * 2 ** 20)]) },
    { path: 'Mugs/.DS_Store', bytes: Buffer.from('x') },
    { path: '../../etc/passwd.png', bytes: png },
    { path: 'Mugs/empty.png', bytes: Buffer.alloc(0) },
    { path: 'Mugs/photo.txt', bytes: await sharp(png).jpeg().toBuffer() },
    { bytes: png, filename: 'no path.png' },
  ]);
  expect(answer.files.map(({ status, message }) => [status, message ?? ''].join(' '))).toEqual([
    'skipped This file is not a JPG, PNG or SVG picture.',
    'uploaded ',
    'skipped This file is not a JPG, PNG or SVG picture.',
    'failed This picture is damaged and could not be read.',
    'failed Pictures may be up to 20 MB.',
    'skipped This is a hidden file.',
    'skipped This path leaves the folder that was chosen.',
    'skipped This file is not a JPG, PNG or SVG picture.',
    'uploaded ',
    'uploaded ',
  ]);
  // Without a path, the last file is named by its own file name.
  expect(await listPlaces()).toEqual([' | Custom |  | no path', ' | Mugs |  | a', ' | Mugs |  | photo']);
  expect(answer).toMatchObject({ uploadedCount: 3, skippedFiles: 5, failedCount: 2, remaining: [] });
  expect(incoming()).toEqual([]);
});

test('a products.csv says sizes and surfaces, and with a wrong line nothing is stored', async () => {
  const table = (text: string) => ({ path: 'Blanks/products.csv', bytes: Buffer.from(text), filename: 'products.csv' });
  const pictures = [
    { path: 'Blanks/white.png', bytes: png },
    { path: 'Blanks/plain.png', bytes: png },
  ];
  const refusal = await send([...pictures, table('file,diameter\nwhite,none\nplain,wide')]);
  expect([refusal.statusCode, refusal.json<{ message: string }>().message]).toEqual([
    400,
    'products.csv, line 2, column “diameter”: “none” is no length. Write 73, 73 mm or 2.9 in. (1 more)',
  ]);
  expect(await listProducts()).toEqual([]);
  expect(incoming()).toEqual([]);

  // Rows of files that other requests bring are no fault.
  const rows = 'file,width,height,material,machines,diameter\nwhite,56,140,ceramic,sublimation,82\nother.png,,,,,';
  const answer = await upload([table(rows), ...pictures]);
  expect(answer.files.map(({ index, status }) => [index, status])).toEqual([
    [1, 'uploaded'],
    [2, 'uploaded'],
  ]);
  const [plain, white] = (await listProducts()).sort((a, b) => a.name.localeCompare(b.name));
  expect(white).toMatchObject({
    ...{ dimensions: '2.205x5.512', material: 'ceramic', machines: ['sublimation'] },
    surface: { kind: 'cylinder', diameterMm: 82 },
  });
  expect(plain).toMatchObject({ dimensions: '1x1', material: 'other', surface: { kind: 'flat' } });
});

test('two simultaneous uploads of one folder create each product once, and leave no extra picture', async () => {
  const files = Array.from({ length: 12 }, (_, i) => ({ path: `Mugs ${i % 3}/mug ${i}.png`, bytes: Uint8Array.of(i) }));
  // Each picture is ready when both uploads have requested it: neither has seen the other's product then.
  const waiting = new Map<number, () => void>();
  media = (async (_job: string, { bytes }: { bytes: Uint8Array }) => {
    const other = waiting.get(bytes[0]!);
    if (other) other();
    else await new Promise<void>((resolve) => waiting.set(bytes[0]!, resolve));
    return { width: 1, height: 1, files: [{ name: 'picture-1.png', mediaType: 'image/png', bytes: png }] };
  }) as never;
  const answers = await Promise.all([upload(files), upload(files)]);
  const sum = (name: 'uploadedCount' | 'skippedDuplicates' | 'failedCount') =>
    answers.reduce((total, answer) => total + answer[name], 0);
  expect([sum('uploadedCount'), sum('skippedDuplicates'), sum('failedCount')]).toEqual([12, 12, 0]);
  expect(answers.flatMap(({ createdCategories }) => createdCategories).sort()).toEqual(['Mugs 0', 'Mugs 1', 'Mugs 2']);
  expect(await listProducts()).toHaveLength(12);
  expect(await server.context.db.$count(auditTrail)).toBe(15);
  const folders = new Set<string>();
  for await (const { key } of server.context.files.list('products/')) folders.add(key.split('/')[1]!);
  expect(folders.size).toBe(12);
});

test('files that find no worker during another own upload are remaining', async () => {
  const files = Array.from({ length: 12 }, (_, i) => ({ path: `Mugs/mug ${i}.png`, bytes: png }));
  const answers = await Promise.all([upload(files), upload(files.toReversed())]);
  for (const { failedCount } of answers) expect(failedCount).toBe(0);
  for (let left = files; left.length > 0; ) {
    const { remaining } = await upload(left);
    expect(remaining.length).toBeLessThan(left.length);
    left = remaining.map((index) => left[index]!);
  }
  expect(await listProducts()).toHaveLength(12);
});

test('rejects too many files, too many bytes and broken bodies, and stores nothing', async () => {
  const many = Array.from({ length: 101 }, (_, i) => ({ path: `Mugs/${i}.png`, bytes: png }));
  expect((await send(many)).statusCode).toBe(413);
  const headers = { ...admin, 'content-type': 'multipart/form-data; boundary=x' };
  const url = '/api/admin/products/bulk-upload';
  const start = '--x\r\ncontent-disposition: form-data; name="files"; filename="a.png"\r\n\r\nabc';
  for (const payload of [start, '--x', 'nonsense']) {
    expect((await server.app.inject({ method: 'POST', url, headers, payload })).statusCode, payload).toBe(400);
  }
  const tooMuch = { ...headers, 'content-length': String(300 * 2 ** 20) };
  expect((await server.app.inject({ method: 'POST', url, headers: tooMuch, payload: '' })).statusCode).toBe(413);
  expect((await server.app.inject({ method: 'POST', url, headers: admin, payload: { paths: [] } })).statusCode).toBe(
    415,
  );
  expect([await listProducts(), incoming()]).toEqual([[], []]);
});

describe('the time limit of a request', () => {
  const picture = (): never =>
    ({ width: 1, height: 1, files: [{ name: 'picture-1.png', mediaType: 'image/png', bytes: png }] }) as never;
  const files = Array.from({ length: 6 }, (_, i) => ({ path: `Mugs/${i}.png`, bytes: png }));

  test('remaining files are named, and come with the next request', async () => {
    // By the file, not by the call: files are read at the same time, and come in any order.
    const numberedFiles = files.map(({ path }, i) => ({ path, bytes: Buffer.concat([png, Uint8Array.of(i)]) }));
    media = (async (_job: string, { bytes }: { bytes: Uint8Array }) => {
      if (bytes.at(-1)! >= 4) throw new AppError('tooMany', 'Many pictures are in work at this moment.');
      return picture();
    }) as never;
    const first = await upload(numberedFiles);
    expect(first.uploadedCount).toBe(4);
    expect(first.remaining).toEqual([4, 5]);
    media = (async () => picture()) as never;
    const rest = await upload(first.remaining.map((index) => files[index]!));
    expect([rest.uploadedCount, rest.remaining]).toEqual([2, []]);
  });

  const spooledFiles = files.map((_, index) => ({ index, filename: 'x.png', read: async () => png }));
  const paths = files.map(({ path }) => path);
  const actor = { kind: 'user', id: 1, email: 'a@b.c', isAdmin: true, sessionId: '', address: '::1' } as const;
  const { signal } = new AbortController();

  test('adds two files even when the upload itself took 13 seconds', async () => {
    media = (async () => picture()) as never;
    const late = { actor, files: spooledFiles, paths, elapsedMs: 13_000, signal };
    expect(await bulkUpload(server.context, late)).toMatchObject({ uploadedCount: 2, remaining: [2, 3, 4, 5] });
  });

  test('a picture that takes all of it is given up, and one that began late comes again', async () => {
    // The test aborts the time limit itself, so that the speed of the machine does not matter.
    const deadline = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
    let starts = 0;
    // The first one is quick, the others never end.
    media = (async (_job: string, _input: object, options: { signal: AbortSignal }) => {
      if (starts++ === 0) return picture();
      options.signal.throwIfAborted();
      return new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason)));
    }) as never;
    const upload = bulkUpload(server.context, { actor, files: spooledFiles, paths, elapsedMs: 11_500, signal });
    await expect.poll(async () => [starts >= 2, await server.context.db.$count(products)]).toEqual([true, 1]);
    deadline.abort(new DOMException('The time is over.', 'TimeoutError'));
    const answer = await upload;
    expect(timeout.mock.calls).toEqual([[3_000]]); // the rest of the request's 14.5 seconds
    timeout.mockRestore();
    // Two are read at once: either may be the one that is quick.
    expect(answer.files.map(({ status, message }) => `${status}: ${message}`).sort()).toEqual([
      'failed: The studio was too busy for this picture. Please upload it again.',
      'uploaded: undefined',
    ]);
    expect(answer.remaining).toEqual([2, 3, 4, 5]);
  });

  test('a database failure leaves files for the next request, and nothing runs on after the reply', async () => {
    media = (async () => picture()) as never;
    const absence = await absentDatabaseError();
    let transactions = 0;
    const db: Db = Object.create(server.context.db);
    db.transaction = async (work) => {
      if (++transactions > 2) throw absence;
      return server.context.db.transaction(work);
    };
    const context: Context = Object.create(server.context, { db: { value: db } });
    const request = { actor, files: spooledFiles, paths, elapsedMs: 0, signal };
    const answer = await bulkUpload(context, request);
    expect(answer).toMatchObject({ uploadedCount: 2, failedCount: 0 });
    expect(answer.remaining).toHaveLength(4);
    // Files are added in any order: only those that were added are certain to need no transaction the next time.
    const addedFiles = spooledFiles.filter(({ index }) => !answer.remaining.includes(index));
    expect(await bulkUpload(context, { ...request, files: addedFiles })).toMatchObject({ skippedDuplicates: 2 });

    let reads = 0;
    const faulty = spooledFiles.map((file) => ({ ...file, read: () => Promise.reject(new Error(`a bug ${++reads}`)) }));
    await server.context.db.delete(products);
    await expect(bulkUpload(server.context, { ...request, files: faulty })).rejects.toThrow('a bug');
    expect(reads).toBeLessThanOrEqual(2);
  });

  test('answers 503 when no file can begin', async () => {
    media = (async () => {
      throw new AppError('unavailable', 'No picture can be worked on just now.', { retryAfterSeconds: 5 });
    }) as never;
    const answer = await send(files);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  });
});

describe('T25: names and paths are labels', () => {
  const linesOf = (list: string): string[] => {
    const text = listText(list);
    if (!text) return [];
    return list.endsWith('.json') ? (JSON.parse(text) as string[]) : text.split('\n');
  };
  const hostile = [
    ...[
      'fuzzdb-invalid-filenames-linux.txt',
      'fuzzdb-invalid-filenames-microsoft.txt',
      'fuzzdb-path-traversal-windows.txt',
      'patt-directory-traversal.txt',
      'fuzzdb-upload-bypass-generic.txt',
      'blns.json',
    ]
      .flatMap(linesOf)
      .filter((_, i) => i % repetitions(8, 1) === 0),
    '../../../../etc/passwd',
    '..\\..\\..\\windows\\win.ini',
    '/etc/passwd',
    'C:\\boot.ini',
    '\\\\server\\share\\x',
    '\\\\?\\C:\\x',
    '%2e%2e%2f%2e%2e%2fx',
    '%252e%252e%252fx',
    '..%c0%afx',
    'a\0.png',
    'CON',
    'nul.png',
    'aux/prn/com1.png',
    'x'.repeat(5_000),
    `${'d/'.repeat(200)}x.png`,
    '\u202egnp.exe',
    'Cafe\u0301.png',
    '\ud800.png',
  ];
  /** Lists the data folder without the folders of pictures, which are random. */
  const elsewhere = () =>
    readdirSync(server.context.config.dataDir, { recursive: true })
      .map(String)
      .filter((name) => !/^files(\/products(\/[\w-]{22}(\/picture-1\.png)?)?)?$/.test(name))
      .sort();

  test('hostile names write no file outside of the store, and cause no 5xx', { tags: ['detail'] }, async () => {
    media = (async () => ({
      width: 1,
      height: 1,
      files: [{ name: 'picture-1.png', mediaType: 'image/png', bytes: new Uint8Array([1]) }],
    })) as never;
    await upload([{ path: 'Mugs/first.png', bytes: png }]);
    const before = elsewhere();
    const every = hostile.flatMap((line) => [
      { path: line, bytes: png, filename: line },
      { path: `Mugs/${line}/mug.png`, bytes: png },
    ]);
    let productCount = 0;
    for (let i = 0; i < every.length; i += 20) {
      // A busy machine leaves files for the next request.
      for (let batch = every.slice(i, i + 20); batch.length > 0; ) {
        const answer = await send(batch);
        expect(answer.statusCode, answer.body).toBe(200);
        const { uploadedCount, skippedFiles, skippedDuplicates, failedCount, remaining } = answer.json<BulkUpload>();
        const doneCount = uploadedCount + skippedFiles + skippedDuplicates;
        expect([doneCount + remaining.length, failedCount]).toEqual([batch.length, 0]);
        expect(doneCount).toBeGreaterThan(0);
        productCount += uploadedCount;
        batch = remaining.map((index) => batch[index]!);
      }
    }
    expect(productCount).toBeGreaterThan(5);
    expect(elsewhere()).toEqual(before);
    expect(readdirSync(surroundings)).toEqual([basename(server.context.config.dataDir)]);
    console.log(`T25: ${every.length} names and paths, ${productCount} products`);
    for (const { name, category, mockupImageUrl } of await listProducts()) {
      expect(`${name}${category}`).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/u);
      expect(mockupImageUrl).toMatch(/^\/products\/[\w-]{22}\/picture-1\.png$/);
    }
  });
});
