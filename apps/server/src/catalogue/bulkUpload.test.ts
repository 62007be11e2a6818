import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { AdminProduct, BulkUpload } from '@markwright/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listText } from '../../test/campaign.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { ensureAdmin } from '../accounts/accounts.ts';
import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { MediaPool } from '../platform/ports/mediaPool.ts';
import { auditTrail } from '../platform/tables.ts';
import { bulkUpload } from './bulkUpload.ts';
import { categories, products } from './tables.ts';

interface Sent {
  readonly path?: string;
  readonly bytes: Uint8Array;
  readonly filename?: string;
}

let server: TestApp;
let admin: { authorization: string };
let png: Buffer;
/** Stands in for the workers where a test is about anything but pictures. */
let media: MediaPool['run'] | undefined;
/** The folder that the data folder is alone in. */
let surroundings: string;
beforeAll(async () => {
  surroundings = await mkdtemp(join(tmpdir(), 'markwright-bulk-'));
  vi.stubEnv('TMPDIR', surroundings);
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  const pool = server.context.media;
  const run = pool.run.bind(pool);
  Object.assign(pool, { run: (...input: Parameters<MediaPool['run']>) => (media ?? run)(...input) });
  await ensureAdmin(server.context);
  const payload = { email: server.context.config.adminEmail, password: 'the-workshop-key' };
  const { token } = (await server.app.inject({ method: 'POST', url: '/api/auth/login', payload })).json();
  admin = { authorization: `Bearer ${token}` };
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
  for await (const key of files.list('products/')) await files.delete(key);
});

async function send(files: readonly Sent[], order: 'pairs' | 'paths first' | 'paths last' = 'pairs') {
  const form = new FormData();
  const addPath = ({ path }: Sent) => path !== undefined && form.append('paths', path);
  if (order === 'paths first') files.forEach(addPath);
  for (const file of files) {
    form.append('files', new Blob([new Uint8Array(file.bytes)]), file.filename ?? 'x.png');
    if (order === 'pairs') addPath(file);
  }
  if (order === 'paths last') files.forEach(addPath);
  const encoded = new Response(form);
  return server.app.inject({
    method: 'POST',
    url: '/api/admin/products/bulk-upload',
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { ...admin, 'content-type': encoded.headers.get('content-type')! },
  });
}
const upload = async (files: readonly Sent[], order?: Parameters<typeof send>[1]) => {
  const answer = await send(files, order);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<BulkUpload>();
};
const listed = async () =>
  (await server.app.inject({ url: '/api/admin/products', headers: admin })).json<AdminProduct[]>();
const placed = async () =>
  (await listed())
    .map(({ business, category, subCategory, name }) => [business, category, subCategory, name].join(' | '))
    .sort();
const incoming = () => readdirSync(join(server.context.config.dataDir, 'incoming'));

const folder = (): Sent[] => [
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

test.each(['pairs', 'paths first', 'paths last'] as const)('a folder becomes products, sent as %s', async (order) => {
  const answer = await upload(folder(), order);
  expect(answer).toMatchObject({
    uploadedCount: 4,
    createdCategories: ['Custom', 'Cutting Boards/ Serving Trays', 'Mugs'],
    skippedDuplicates: 0,
    failedCount: 0,
    remaining: [],
  });
  expect(await placed()).toEqual(expected);
  for (const { mockupImageUrl } of await listed()) {
    expect((await server.app.inject({ url: mockupImageUrl })).statusCode).toBe(200);
  }
  expect((await server.context.db.select().from(auditTrail)).map(({ action }) => action).sort()).toEqual([
    ...Array(3).fill('category.add'),
    ...Array(4).fill('product.upload'),
  ]);
  expect(incoming()).toEqual([]);

  // The same folder again, and in another case: nothing new.
  const shouted = folder().map((file) => ({ ...file, path: file.path!.toUpperCase().replace('KITCHEN', 'Kitchen') }));
  expect(await upload([...folder(), ...shouted])).toMatchObject({
    uploadedCount: 0,
    createdCategories: [],
    skippedDuplicates: 8,
  });
  expect(await placed()).toEqual(expected);
});

test('what is no picture is skipped, what is broken is told of, and neither stops the others', async () => {
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
  // A path that is missing leaves the last file without one: it is called by its own name.
  expect(await placed()).toEqual([' | Custom |  | no path', ' | Mugs |  | a', ' | Mugs |  | photo']);
  expect(answer).toMatchObject({ uploadedCount: 3, skippedFiles: 5, failedCount: 2, remaining: [] });
  expect(incoming()).toEqual([]);
});

test('two uploads of one folder at the same moment make each product once, and keep no picture too many', async () => {
  const files = Array.from({ length: 12 }, (_, i) => ({ path: `Mugs ${i % 3}/mug ${i}.png`, bytes: Uint8Array.of(i) }));
  // Each picture is ready when both uploads have asked for it: neither has seen the other's product by then.
  const asked = new Map<number, () => void>();
  media = (async (_job: string, { bytes }: { bytes: Uint8Array }) => {
    const other = asked.get(bytes[0]!);
    if (other) other();
    else await new Promise<void>((resolve) => asked.set(bytes[0]!, resolve));
    return { width: 1, height: 1, files: [{ name: 'picture-1.png', mediaType: 'image/png', bytes: png }] };
  }) as never;
  const answers = await Promise.all([upload(files), upload(files)]);
  const sum = (name: 'uploadedCount' | 'skippedDuplicates' | 'failedCount') =>
    answers.reduce((total, answer) => total + answer[name], 0);
  expect([sum('uploadedCount'), sum('skippedDuplicates'), sum('failedCount')]).toEqual([12, 12, 0]);
  expect(answers.flatMap(({ createdCategories }) => createdCategories).sort()).toEqual(['Mugs 0', 'Mugs 1', 'Mugs 2']);
  expect(await listed()).toHaveLength(12);
  expect(await server.context.db.$count(auditTrail)).toBe(15);
  const folders = new Set<string>();
  for await (const key of server.context.files.list('products/')) folders.add(key.split('/')[1]!);
  expect(folders.size).toBe(12);
});

test('while another upload of one’s own is under way, what finds no worker comes again', async () => {
  const files = Array.from({ length: 12 }, (_, i) => ({ path: `Mugs/mug ${i}.png`, bytes: png }));
  const answers = await Promise.all([upload(files), upload(files.toReversed())]);
  for (const { failedCount } of answers) expect(failedCount).toBe(0);
  for (let left = files; left.length > 0; ) {
    const { remaining } = await upload(left);
    expect(remaining.length).toBeLessThan(left.length);
    left = remaining.map((index) => left[index]!);
  }
  expect(await listed()).toHaveLength(12);
});

test('too many files, too many bytes and broken bodies are refused, and nothing of them is kept', async () => {
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
  expect([await listed(), incoming()]).toEqual([[], []]);
});

describe('in the time a request has', () => {
  const picture = (): never =>
    ({ width: 1, height: 1, files: [{ name: 'picture-1.png', mediaType: 'image/png', bytes: png }] }) as never;
  const files = Array.from({ length: 6 }, (_, i) => ({ path: `Mugs/${i}.png`, bytes: png }));

  test('what is not reached is named, and comes with the next request', async () => {
    let calls = 0;
    media = (async () => {
      if (++calls > 4) throw new AppError('tooMany', 'Many pictures are in work at this moment.');
      return picture();
    }) as never;
    const first = await upload(files);
    expect(first.uploadedCount).toBe(4);
    expect(first.remaining).toEqual([4, 5]);
    media = (async () => picture()) as never;
    const rest = await upload(first.remaining.map((index) => files[index]!));
    expect([rest.uploadedCount, rest.remaining]).toEqual([2, []]);
  });

  const spooled = files.map((_, index) => ({ index, filename: 'x.png', read: async () => png }));
  const paths = files.map(({ path }) => path);
  const actor = { kind: 'user', id: 1, email: 'a@b.c', isAdmin: true, sessionId: '', address: '::1' } as const;
  const { signal } = new AbortController();

  test('whose files were 13 seconds on their way, two are added all the same', async () => {
    media = (async () => picture()) as never;
    const late = { actor, files: spooled, paths, elapsedMs: 13_000, signal };
    expect(await bulkUpload(server.context, late)).toMatchObject({ uploadedCount: 2, remaining: [2, 3, 4, 5] });
  });

  test('a picture that takes all of it is given up, and one that began late comes again', async () => {
    let begun = 0;
    // The first one is quick, the next two never end.
    media = (async (_job: string, _input: object, options: { signal: AbortSignal }) => {
      if (begun++ === 0) return picture();
      return new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason)));
    }) as never;
    const started = performance.now();
    const answer = await bulkUpload(server.context, { actor, files: spooled, paths, elapsedMs: 11_500, signal });
    expect(performance.now() - started).toBeLessThan(14_500); // a whole request's time; it has three seconds
    // Two are read at once: either may be the one that is quick.
    expect(answer.files.map(({ status, message }) => `${status}: ${message}`).sort()).toEqual([
      'failed: This picture took too long.',
      'uploaded: undefined',
    ]);
    expect(answer.remaining).toEqual([2, 3, 4, 5]);
  });

  test('a database that goes away is waited for by the next request, and nothing goes on behind the answer', async () => {
    media = (async () => picture()) as never;
    let stored = 0;
    const db: Db = Object.create(server.context.db);
    db.transaction = async (work) => {
      if (++stored > 2) throw new Error('Query read timeout');
      return server.context.db.transaction(work);
    };
    const context: Context = Object.create(server.context, { db: { value: db } });
    const sent = { actor, files: spooled, paths, elapsedMs: 0, signal };
    const answer = await bulkUpload(context, sent);
    expect(answer).toMatchObject({ uploadedCount: 2, failedCount: 0 });
    expect(answer.remaining).toHaveLength(4);
    await expect(bulkUpload(context, sent)).resolves.toMatchObject({ skippedDuplicates: 2 });

    let looked = 0;
    const faulty = spooled.map((file) => ({ ...file, read: () => Promise.reject(new Error(`a bug ${++looked}`)) }));
    await server.context.db.delete(products);
    await expect(bulkUpload(server.context, { ...sent, files: faulty })).rejects.toThrow('a bug');
    expect(looked).toBeLessThanOrEqual(2);
  });

  test('a server that cannot begin any file says so', async () => {
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
    ].flatMap(linesOf),
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
  /** The data folder without the pictures' own, which are random. */
  const elsewhere = () =>
    readdirSync(server.context.config.dataDir, { recursive: true })
      .map(String)
      .filter((name) => !/^files(\/products(\/[\w-]{22}(\/picture-1\.png)?)?)?$/.test(name))
      .sort();

  test('whatever they are, nothing lies anywhere but in the store, and nothing is a 5xx', async () => {
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
    let uploaded = 0;
    // As many as a busy machine, too, is done with in one request.
    for (let i = 0; i < every.length; i += 20) {
      const batch = every.slice(i, i + 20);
      const answer = await send(batch);
      expect(answer.statusCode, answer.body).toBe(200);
      const { uploadedCount, skippedFiles, skippedDuplicates, failedCount, remaining } = answer.json<BulkUpload>();
      expect([uploadedCount + skippedFiles + skippedDuplicates, failedCount, remaining]).toEqual([batch.length, 0, []]);
      uploaded += uploadedCount;
    }
    expect(uploaded).toBeGreaterThan(5);
    expect(elsewhere()).toEqual(before);
    expect(readdirSync(surroundings)).toEqual([basename(server.context.config.dataDir)]);
    console.log(`T25: ${every.length} names and paths, ${uploaded} products`);
    for (const { name, category, mockupImageUrl } of await listed()) {
      expect(`${name}${category}`).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/u);
      expect(mockupImageUrl).toMatch(/^\/products\/[\w-]{22}\/picture-1\.png$/);
    }
  });
});
