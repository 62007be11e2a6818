/** Failures of an S3 service, by canned replies. `apps/server/test/s3.test.ts` works with a real one. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { S3Settings } from '../config.ts';
import type { FileStore } from './files.ts';
import { openS3Files } from './s3Files.ts';

interface Request {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}
type Handler = (request: Request, reply: ServerResponse, attempt: number) => void;

/** Answers the requests of a test, and remembers them. */
let handler: Handler;
let requests: Request[];
let settings: S3Settings;
const log = pino({ level: 'silent' });
const service = createServer(async (message, reply) => {
  const request = { line: `${message.method} ${message.url}`, headers: message.headers, body: await buffer(message) };
  requests.push(request);
  handler(request, reply, requests.length);
});
const stores: { close(): void }[] = [];

beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  settings = {
    endpoint: new URL(`http://127.0.0.1:${port}`),
    bucket: 'studio',
    region: 'us-east-1',
    prefix: 'here/',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    forcePathStyle: true,
  };
});
beforeEach(() => {
  requests = [];
});
afterAll(() => {
  for (const store of stores) store.close();
  service.closeAllConnections();
  service.close();
});

const answer = (status: number, body = '', headers: Record<string, string> = {}): Handler => {
  return (_request, reply) => void reply.writeHead(status, { 'content-length': body.length, ...headers }).end(body);
};
const refuse = (status: number, code: string): Handler =>
  answer(status, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`, {
    'content-type': 'application/xml',
  });

async function open(limits?: Parameters<typeof openS3Files>[2]): Promise<FileStore> {
  handler = answer(200);
  const files = await openS3Files(settings, log, limits);
  stores.push(files);
  requests = [];
  return files;
}

async function listAll(files: FileStore): Promise<void> {
  for await (const _ of files.list(''));
}

const bytes = Buffer.from('a picture');
const AWAY = { code: 'unavailable', status: 503, retryAfterSeconds: 3, message: expect.stringContaining('files') };
const FULL = { code: 'storageFull', status: 507 };

test('an upload carries its length and SHA-256, and goes to one key as a whole', async () => {
  const files = await open();
  await files.put('designs/a/upload.png', bytes, 'image/png');
  expect(requests).toHaveLength(1);
  const [{ line, headers, body }] = requests as [Request];
  expect(line).toMatch(/^PUT \/studio\/here\/designs\/a\/upload\.png/);
  expect(headers).toMatchObject({
    'content-length': String(bytes.length),
    'content-type': 'image/png',
    'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
  });
  expect(body).toEqual(bytes);
});

test('files are deleted together, with the checksum that services ask for', async () => {
  const files = await open();
  handler = answer(200, '<DeleteResult/>', { 'content-type': 'application/xml' });
  await files.deleteMany(Array.from({ length: 1_200 }, (_, i) => `a/${i}.png`));
  expect(requests.map(({ line }) => line.split('=')[0])).toEqual(Array(2).fill('POST /studio/?delete'));
  for (const { headers, body } of requests) {
    expect(headers['content-md5']).toBe(createHash('md5').update(body).digest('base64'));
  }
  await files.deleteMany([]);
  expect(requests).toHaveLength(2);
});

test('lists what one reply does not hold, without the objects of others', async () => {
  const files = await open();
  const contents = (...keys: string[]) =>
    keys.map(
      (key) =>
        `<Contents><Key>${key}</Key><Size>7</Size><LastModified>2026-11-28T12:00:00.000Z</LastModified></Contents>`,
    );
  const page = (keys: string[], next: string) =>
    `<ListBucketResult>${contents(...keys).join('')}<IsTruncated>${next !== ''}</IsTruncated>${next}</ListBucketResult>`;
  const pages = [
    page(['here/a/1.png', 'here/.markwright/installation'], '<NextContinuationToken>more</NextContinuationToken>'),
    page(['here/a/2.png', 'here/a/notes.txt'], ''),
  ];
  handler = (request, reply, attempt) =>
    answer(200, pages[attempt - 1], { 'content-type': 'application/xml' })(request, reply, attempt);
  const listing: unknown[] = [];
  for await (const file of files.list('a/')) listing.push(file);
  const modifiedAt = new Date('2026-11-28T12:00:00Z');
  expect(listing).toEqual([1, 2].map((i) => ({ key: `a/${i}.png`, sizeBytes: 7, modifiedAt })));
  expect(requests.map(({ line }) => new URLSearchParams(line.split('?')[1]).get('continuation-token'))).toEqual([
    null,
    'more',
  ]);
  expect(new URLSearchParams(requests[0]!.line.split('?')[1]).get('prefix')).toBe('here/a/');
});

describe('a failure of the service', () => {
  test('that passes is not noticed', async () => {
    const files = await open();
    handler = (...call) => (call[2] < 3 ? refuse(503, 'SlowDown') : answer(200))(...call);
    await files.put('a.png', bytes, 'image/png');
    expect(requests).toHaveLength(3);
  });

  test.each([
    [500, 'InternalError', AWAY, 3],
    [503, 'SlowDown', AWAY, 3],
    [403, 'AccessDenied', AWAY, 1],
    [404, 'NoSuchBucket', AWAY, 1],
    [507, 'XMinioStorageFull', FULL, undefined],
    [403, 'QuotaExceeded', FULL, 1],
  ])(
    'that stays (%i %s) is one for the person, after a few attempts',
    { tags: ['detail'] },
    async (status, code, refusal, attempts) => {
      const files = await open();
      handler = refuse(status, code);
      await expect(files.put('a.png', bytes, 'image/png')).rejects.toMatchObject(refusal);
      if (attempts) expect(requests).toHaveLength(attempts);
      await expect(files.get('a.png')).rejects.toMatchObject(refusal);
      await expect(listAll(files)).rejects.toMatchObject(refusal);
    },
  );

  test('is not taken for a missing file', async () => {
    const files = await open();
    handler = refuse(404, 'NoSuchKey');
    expect(await files.get('a.png')).toBeUndefined();
    handler = answer(404);
    expect(await files.has('a.png')).toBe(false);
    expect(await files.stat('a.png')).toBeUndefined();
  });

  test('that deletes only some files is an error', async () => {
    const files = await open();
    const xml = '<DeleteResult><Error><Key>here/b.png</Key><Code>InternalError</Code></Error></DeleteResult>';
    handler = answer(200, xml, { 'content-type': 'application/xml' });
    await expect(files.deleteMany(['a.png', 'b.png'])).rejects.toMatchObject(AWAY);
  });

  test('that gives no answer ends in time', { tags: ['detail'] }, async () => {
    const files = await open({ operationMs: 400, silenceMs: 100 });
    handler = () => {};
    await expect(files.put('a.png', bytes, 'image/png')).rejects.toMatchObject(AWAY);
    await expect(files.get('a.png')).rejects.toMatchObject(AWAY);
    await expect(files.has('a.png')).rejects.toMatchObject(AWAY);
    await expect(files.check()).rejects.toMatchObject(AWAY);
  });
});

describe('content that ends too early', () => {
  const cut: Handler = (_request, reply) => {
    reply.writeHead(200, { 'content-length': bytes.length });
    reply.write(bytes.subarray(0, 4), () => reply.destroy());
  };

  test('is read once more', async () => {
    const files = await open();
    handler = (...call) => (call[2] === 1 ? cut : answer(200, bytes.toString()))(...call);
    expect(Buffer.from((await files.get('a.png'))!.bytes)).toEqual(bytes);
    expect(requests).toHaveLength(2);
  });

  test('is never passed on as whole', async () => {
    const files = await open();
    handler = cut;
    await expect(files.get('a.png')).rejects.toMatchObject(AWAY);
    const file = await files.open('a.png');
    expect(file!.sizeBytes).toBe(bytes.length);
    await expect(file!.stream.toArray()).rejects.toMatchObject(AWAY);
  });

  test('is given up when nothing more comes', async () => {
    const files = await open({ operationMs: 60_000, silenceMs: 100 });
    handler = (_request, reply) => {
      reply.writeHead(200, { 'content-length': bytes.length });
      reply.write(bytes.subarray(0, 4));
    };
    const file = await files.open('a.png');
    await expect(file!.stream.toArray()).rejects.toMatchObject(AWAY);
  });
});

test('a service without conditional writes gets the id of the installation too', async () => {
  const files = await open();
  handler = (request, ...rest) =>
    (request.headers['if-none-match'] ? refuse(501, 'NotImplemented') : answer(200))(request, ...rest);
  await files.writeInstallation('ours');
  expect(requests.at(-1)).toMatchObject({ line: expect.stringMatching(/^PUT .*\.markwright\/installation/) });
  expect(requests.at(-1)!.headers['if-none-match']).toBeUndefined();
  handler = refuse(412, 'PreconditionFailed');
  await files.writeInstallation('ours');
});

describe('the start', () => {
  const start = async (changes: Partial<S3Settings> = {}) =>
    openS3Files({ ...settings, ...changes }, log, { operationMs: 20_000, silenceMs: 10_000 });

  test.each([
    [404, {}, /There is no bucket studio at http:.*S3_BUCKET/],
    [403, {}, /refuses the keys for the bucket studio.*S3_ACCESS_KEY_ID/],
    [400, { 'x-amz-bucket-region': 'eu-central-1' }, /Set S3_REGION to eu-central-1\.$/],
  ])('says what is wrong with status %i', async (status, headers, sentence) => {
    handler = answer(status, '', headers as Record<string, string>);
    await expect(start()).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(sentence) });
  });

  test('says that nothing answers', async () => {
    await expect(start({ endpoint: new URL('http://127.0.0.1:1') })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/http:\/\/127\.0\.0\.1:1 does not answer .*Check S3_ENDPOINT/),
    });
  });
});
