import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { API_ID, API_SECRET, type Fault, startVectorizerPeer, type VectorizerPeer } from '../../test/vectorizerPeer.ts';
import { createVectorizerService, type ServiceSettings } from './vectorizerService.ts';

let peer: VectorizerPeer;
beforeEach(async () => {
  peer = await startVectorizerPeer();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await peer.close();
});

const png = new Uint8Array(
  await sharp({ create: { width: 30, height: 20, channels: 3, background: '#123' } })
    .png()
    .toBuffer(),
);
const open = (changes: Partial<ServiceSettings> = {}) =>
  createVectorizerService({ id: API_ID, secret: API_SECRET, url: new URL(peer.url), restMs: 0, ...changes });
const never = new AbortController().signal;
const fields = { mode: 'production', 'processing.max_colors': '7' };
const ask = (service = open(), signal = never) => service.vectorize(png, fields, signal);
const failure = (service = open()) => ask(service).then(String, (error: unknown) => error);

test('sends a picture with its options and returns a drawing', async () => {
  expect(await ask()).toContain('<svg');
  expect(peer.calls).toEqual([{ fields, picture: { width: 30, height: 20, bytes: png } }]);
  expect(open().host).toBe(peer.host);
});

test('accepts an address with a slash at the end', async () => {
  expect(await ask(open({ url: new URL(`${peer.url}/`) }))).toContain('<svg');
});

test('sends a picture of more than a megabyte whole', async () => {
  const noise = {
    create: {
      width: 900,
      height: 700,
      channels: 3,
      background: '#fff',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  } as const;
  const large = new Uint8Array(await sharp(noise).png().toBuffer());
  expect(large.length).toBeGreaterThan(1_000_000);
  await open().vectorize(large, fields, never);
  expect(Buffer.compare(peer.calls[0]!.picture.bytes, large)).toBe(0);
});

describe('retries the service once', () => {
  test.each<[string, Fault]>([
    ['after 429, as soon as it says', { kind: 'status', status: 429, retryAfter: 1 }],
    ['after 500', { kind: 'status', status: 500 }],
    ['after 503', { kind: 'status', status: 503 }],
    ['when the connection is closed', { kind: 'silence' }],
    ['when the answer is cut off', { kind: 'cut' }],
  ])('%s', async (_name, fault) => {
    peer.breakDown({ ...fault, times: 1 });
    const began = performance.now();
    expect(await ask()).toContain('<svg');
    expect(peer.requests()).toBe(2);
    expect(performance.now() - began).toBeGreaterThan('retryAfter' in fault ? 990 : 390);
  });

  test('only once', async () => {
    peer.breakDown({ kind: 'status', status: 502 });
    expect(await failure()).toMatchObject({ name: 'ServiceFailed', message: 'The service answered 502 (code 1502).' });
    expect(peer.requests()).toBe(2);
  });

  test('unless its Retry-After is too long', async () => {
    peer.breakDown({ kind: 'status', status: 429, retryAfter: 30 });
    expect(await failure()).toMatchObject({ message: 'The service answered 429 (code 1429).' });
    expect(peer.requests()).toBe(1);
  });
});

describe('fails without a retry', () => {
  test.each<[string, Fault, string]>([
    ['without credits', { kind: 'status', status: 402 }, 'The service answered 402 (code 1402).'],
    ['with a picture it cannot read', { kind: 'status', status: 400 }, 'The service answered 400 (code 1400).'],
    [
      'with a page',
      { kind: 'body', body: '<h1>Sorry</h1>', type: 'text/html' },
      'The service answered with something that is no SVG.',
    ],
    [
      'with bytes that are no text',
      { kind: 'body', body: new Uint8Array([255, 254, 0, 200]) },
      'The answer of the service is no text.',
    ],
    [
      'with more than 20 MB',
      { kind: 'body', body: ' '.repeat(20 * 2 ** 20 + 1) },
      'The answer of the service is too large.',
    ],
  ])('%s', async (_name, fault, message) => {
    peer.breakDown(fault);
    expect(await failure()).toMatchObject({ name: 'ServiceFailed', message });
    expect(peer.requests()).toBe(1);
  });

  test('with wrong keys', async () => {
    expect(await failure(open({ secret: 'another' }))).toMatchObject({
      message: 'The service answered 401 (code 1002).',
    });
  });

  test('instead of following a redirect', async () => {
    const elsewhere = await startVectorizerPeer();
    peer.breakDown({ kind: 'redirect', to: `${elsewhere.url}/vectorize` });
    expect(await failure()).toMatchObject({ message: 'The service answered 302.' });
    expect(elsewhere.requests()).toBe(0);
    await elsewhere.close();
  });
});

test('tries a closed port twice and reports it', async () => {
  const service = open();
  await peer.close();
  expect(await failure(service)).toMatchObject({ message: 'The service cannot be reached.' });
  peer = await startVectorizerPeer();
});

test('aborts a request to a service that hangs', async () => {
  peer.breakDown({ kind: 'hang' });
  const began = performance.now();
  expect(await failure(open({ limitMs: 1_000 }))).toMatchObject({ message: 'The service took too long.' });
  expect(performance.now() - began).toBeLessThan(10_000); // the limit where none is said
  expect(peer.requests()).toBe(1);
});

test('aborts the request when the caller disconnects', async () => {
  peer.breakDown({ kind: 'hang' });
  const leaving = new AbortController();
  const reason = new Error('gone');
  const answer = ask(open(), leaving.signal).catch((error: unknown) => error);
  await expect.poll(() => peer.calls.length).toBe(1);
  leaving.abort(reason);
  expect(await answer).toBe(reason);
  await expect.poll(peer.aborted).toBe(1);
});

describe('a service that is down', () => {
  test('is not called for a while, then called again', async () => {
    const now = performance.now.bind(performance);
    let passedMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    const service = open({ restMs: 60_000 });
    peer.breakDown({ kind: 'status', status: 402, times: 1 });
    expect(await failure(service)).toMatchObject({ message: 'The service answered 402 (code 1402).' });
    expect(await failure(service)).toMatchObject({ message: 'The service has just failed and is left alone.' });
    expect(peer.requests()).toBe(1);
    passedMs = 60_000;
    expect(await ask(service)).toContain('<svg');
  });

  test('is not one that could not read a picture', async () => {
    const service = open({ restMs: 60_000 });
    peer.breakDown({ kind: 'status', status: 400, times: 1 });
    await failure(service);
    expect(await ask(service)).toContain('<svg');
  });
});

test('no error contains the keys', async () => {
  for (const status of [400, 401, 402, 500]) {
    peer.breakDown({ kind: 'status', status });
    const error = await failure();
    const text = `${error} ${JSON.stringify(error)} ${error instanceof Error ? error.stack : ''}`;
    expect(text).not.toContain(API_SECRET);
    expect(text).not.toContain(Buffer.from(`${API_ID}:${API_SECRET}`).toString('base64'));
  }
});
