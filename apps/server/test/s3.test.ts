/** Files on a real S3 service: the store, and a server on it while the service fails. Runs with TEST_TIER=stress. */
import pino from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { S3Settings } from '../src/config.ts';
import type { FileStore } from '../src/platform/files.ts';
import { openS3Files } from '../src/platform/s3Files.ts';
import { describeFileStore } from './fileStore.ts';
import { hasS3, openWire, S3_WAIT_MS, type S3Server, startS3, type Wire } from './s3Server.ts';
import { createTestApp, formOf, type TestApp } from './server.ts';

const log = pino({ level: 'silent' });
const PATIENT = { operationMs: 60_000, silenceMs: 30_000 };
const SHORT = { operationMs: 1_500, silenceMs: 500 };
const AWAY = { code: 'unavailable', retryAfterSeconds: 3 };
let service: S3Server;
let wire: Wire;
const endings: (() => void)[] = [];

async function open(settings: S3Settings, limits = PATIENT): Promise<FileStore> {
  const files = await openS3Files(settings, log, limits);
  endings.push(files.close);
  return files;
}

async function listKeys(files: Pick<FileStore, 'list'>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list('')) keys.push(key);
  return keys;
}

describe.runIf(hasS3)('a real S3 service', () => {
  beforeAll(async () => {
    service = await startS3();
    wire = await openWire();
  }, S3_WAIT_MS);
  afterAll(() => {
    for (const end of endings) end();
    wire?.close();
    service?.stop();
  });

  describeFileStore('S3', async () => open(service.newStore()));

  test('stores of different prefixes do not see each other', async () => {
    const settings = service.newStore();
    const outer = await open(settings);
    const inner = await open({ ...settings, prefix: `${settings.prefix}inner/` });
    await inner.put('a/x.png', new Uint8Array([1]), 'image/png');
    await inner.writeInstallation('inner');
    expect(await outer.get('a/x.png')).toBeUndefined();
    expect(await outer.readInstallation()).toBeUndefined();
    expect(await listKeys(inner)).toEqual(['a/x.png']);
  });

  test.each<[string, Partial<S3Settings>, RegExp]>([
    ['another secret', { credentials: { accessKeyId: 'mwaccess', secretAccessKey: 'wrong' } }, /refuses the keys/],
    ['an unknown key', { credentials: { accessKeyId: 'nobody', secretAccessKey: 'wrong' } }, /refuses the keys/],
    ['a bucket that is not there', { bucket: 'nowhere' }, /There is no bucket nowhere/],
  ])('refuses the start with %s', async (_case, changes, sentence) => {
    await expect(open({ ...service.newStore(), ...changes })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(sentence),
    });
  });

  test('an upload that is cut off leaves nothing, and not the half of a file in place of a whole one', async () => {
    const settings = service.newStore(wire.endpoint);
    const files = await open(settings);
    const old = new Uint8Array(1_000_000).fill(1);
    await files.put('a/old.png', old, 'image/png');
    wire.fail({ cut: 'up', afterBytes: 500_000 });
    for (const key of ['a/new.png', 'a/old.png']) {
      await expect(files.put(key, new Uint8Array(2_000_000).fill(2), 'image/png')).rejects.toMatchObject(AWAY);
    }
    wire.fail('not');
    expect(await files.get('a/new.png')).toBeUndefined();
    expect(Buffer.compare((await files.get('a/old.png'))!.bytes, old)).toBe(0);
  });

  test('a download that is cut off is an error, and never half a file', async () => {
    const files = await open(service.newStore(wire.endpoint));
    await files.put('a/x.png', new Uint8Array(2_000_000), 'image/png');
    wire.fail({ cut: 'down', afterBytes: 500_000 });
    await expect(files.get('a/x.png')).rejects.toMatchObject(AWAY);
    const { stream } = (await files.open('a/x.png'))!;
    await expect(stream.toArray()).rejects.toMatchObject(AWAY);
    wire.fail('not');
    expect((await files.get('a/x.png'))?.bytes).toHaveLength(2_000_000);
  });

  test.each(['refuse', 'freeze'] as const)(
    'a service that begins to %s is away, and used again after it',
    async (how) => {
      const settings = service.newStore(wire.endpoint);
      const files = await open(settings, SHORT);
      const patientFiles = await open(settings);
      await patientFiles.put('a/x.png', new Uint8Array([1]), 'image/png');
      wire.fail(how);
      const works = [
        () => files.put('a/y.png', new Uint8Array([1]), 'image/png'),
        () => files.get('a/x.png'),
        () => files.has('a/x.png'),
        () => files.deleteMany(['a/x.png']),
        () => listKeys(files),
        () => files.check(),
      ];
      for (const work of works) await expect(work()).rejects.toMatchObject(AWAY);
      wire.fail('not');
      expect((await patientFiles.get('a/x.png'))?.bytes).toEqual(new Uint8Array([1]));
    },
  );

  describe('a server on it', () => {
    let server: TestApp;
    let picture: Buffer;
    beforeAll(async () => {
      server = await createTestApp({ files: await open(service.newStore(wire.endpoint)) });
      picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#35c' } })
        .png()
        .toBuffer();
    });
    afterAll(() => server.close());

    const upload = async (headers: Record<string, string>) => {
      const form = await formOf({ file: { bytes: picture, filename: 'a.png', mediaType: 'image/png' } });
      const url = '/api/designs/upload';
      return server.app.inject({ method: 'POST', url, ...form, headers: { ...form.headers, ...headers } });
    };

    test('stores, serves, traces and deletes a design', async () => {
      const ann = await server.signUp();
      const design = (await upload(ann)).json();
      const file = await server.app.inject(design.originalFileUrl);
      expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'image/png']);
      expect(file.rawPayload.length).toBe(Number(file.headers['content-length']));
      const trace = await server.app.inject({
        method: 'POST',
        url: '/api/designs/vectorize',
        headers: ann,
        payload: { designId: design.id, settings: {} },
      });
      expect(trace.statusCode).toBe(200);
      const keys = await listKeys(server.context.files);
      expect(keys.some((key) => key.includes('/trace-'))).toBe(true);
      await server.context.files.deleteFolder(`designs/${design.id}/`);
      expect(await listKeys(server.context.files)).toEqual([]);
    });

    test('answers 503 about its files while the service is away, and goes on otherwise', async () => {
      const ann = await server.signUp();
      const design = (await upload(ann)).json();
      wire.fail('refuse');
      const refusal = await upload(ann);
      expect([refusal.statusCode, refusal.headers['retry-after']]).toEqual([503, '3']);
      expect(refusal.json().message).toBe('The studio cannot reach its files just now. Please try again in a moment.');
      expect((await server.app.inject(design.originalFileUrl)).statusCode).toBe(503);
      expect((await server.app.inject({ url: '/api/auth/me', headers: ann })).statusCode).toBe(200);
      expect((await server.app.inject({ url: '/api/products' })).statusCode).toBe(200);
      const designs = await server.app.inject({ url: '/api/designs', headers: ann });
      expect(designs.json()).toHaveLength(1);
      wire.fail('not');
      expect((await upload(ann)).statusCode).toBe(200);
      expect((await server.app.inject(design.originalFileUrl)).statusCode).toBe(200);
    });
  });
});
