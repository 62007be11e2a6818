import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import type { Call } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { CALL_LIMITS, type CallLimits } from './callLimits.ts';
import { createHttp } from './http.ts';
import { mount } from './mount.ts';
import { findPlaceReport } from './placeReports.ts';

const trace = {
  method: 'POST',
  path: '/api/trace',
  access: 'anyone',
  summary: '',
  description: '',
  stages: ['tracing'],
  returns: [],
  reply: z.object({ ok: z.boolean() }),
} as const satisfies Call;
const asStream = { accept: 'application/x-ndjson' };

let server: TestApp;
let app: FastifyInstance;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());
afterEach(() => app.close());

type Work = (signal: AbortSignal, report: (stage: 'tracing') => void) => Promise<void>;

/** Opens an app whose one call does this work. */
async function open(callLimits: Partial<CallLimits>, work: Work): Promise<void> {
  app = await createHttp(
    server.context,
    {
      findUser: async () => undefined,
      findKey: async () => undefined,
      findAllowedOrigins: async () => undefined,
      countMails: async () => ({}),
    },
    { cookieSecrets: [Buffer.alloc(32, 7)], callsAMinute: 100_000, callLimits },
  );
  mount(app, server.context, trace, async ({ signal, report }) => {
    await work(signal, report);
    return { ok: true };
  });
}
const post = (headers: Record<string, string> = {}) => app.inject({ method: 'POST', url: '/api/trace', headers });
const endOf = (signal: AbortSignal) => once(signal, 'abort').then(() => signal.throwIfAborted());

const busy = 'The studio is busy just now. Please try again in a moment.';

test('ends a call at its deadline with 503, and its work by the signal', async () => {
  expect(CALL_LIMITS.callMs).toBe(20_000);
  let isEnded = false;
  await open({ callMs: 50 }, async (signal) => {
    await endOf(signal).finally(() => {
      isEnded = true;
    });
  });
  const answer = await post();
  expect([answer.statusCode, answer.json().message, answer.headers['retry-after']]).toEqual([503, busy, '10']);
  expect(isEnded).toBe(true);
});

test('answers 503 for work that does not hear the signal', async () => {
  await open({ callMs: 50, graceMs: 20 }, () => new Promise(() => {}));
  expect((await post()).statusCode).toBe(503);
});

test('leaves a streamed call more time, and ends it too', async () => {
  await open({ callMs: 1, streamMs: 80 }, async (signal, report) => {
    report('tracing');
    await endOf(signal);
  });
  const answer = await post(asStream);
  const [first, last] = answer.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answer.statusCode).toBe(200);
  expect(first).toEqual({ stage: 'tracing' });
  expect(last).toMatchObject({ status: 503, refusal: { message: busy } });
});

test('streams the place of work that waits', async () => {
  await open({}, async (_signal, report) => {
    const reportPlace = findPlaceReport();
    for (const place of [3, 1, 0]) reportPlace?.(place);
    report('tracing');
  });
  expect(
    (await post(asStream)).body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([{ place: 3 }, { place: 1 }, { place: 0 }, { stage: 'tracing' }, { reply: { ok: true } }]);
});

test('reports no place to a caller without a stream', async () => {
  let report: unknown = 'none yet';
  await open({}, async () => {
    report = findPlaceReport();
  });
  expect([(await post()).json(), report]).toEqual([{ ok: true }, undefined]);
});

test('ends the work of a caller who goes away', async () => {
  const closing = new Promise<unknown>((resolve) => {
    void open({}, async (signal) => {
      await once(signal, 'abort');
      resolve(signal.reason);
    }).then(async () => {
      await app.listen({ host: '127.0.0.1', port: 0 });
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
      socket.write('POST /api/trace HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n');
      setTimeout(() => socket.destroy(), 100);
    });
  });
  expect(await closing).toMatchObject({ message: 'The caller went away.' });
});

test('cuts the connection of a caller who reads too slowly', async () => {
  await open({ sendMs: 50, slowestBytesPerSecond: 2 ** 30 }, async () => {});
  const size = 64 * 2 ** 20; // more than the system buffers
  app.get('/large', (_request, reply) =>
    reply.header('content-length', size).send(
      Readable.from(
        (function* () {
          for (let offset = 0; offset < size; offset += 2 ** 16) yield Buffer.alloc(2 ** 16);
        })(),
        { objectMode: false },
      ),
    ),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}); // cut off
  socket.pause();
  socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  const [connection] = await once(app.server, 'connection');
  await once(connection, 'close');
  socket.destroy();
});
