import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestApp, formOf, type TestApp } from '../../test/server.ts';
import { openSharedQueue } from '../media/sharedQueue.ts';
import { openOtelSpans } from './otelSpans.ts';
import { nameOfStatement, type Spans } from './spans.ts';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

/** A receiver of traces: OTLP as JSON over HTTP. */
const requests: { path: string; secret: unknown; text: string }[] = [];
let receiver: Server;
beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    requests.push({ path: request.url!, secret: request.headers['x-secret'], text });
    response.setHeader('content-type', 'application/json').end('{}');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterEach(() => void requests.splice(0));
afterAll(() => void receiver.close());

const openSpans = (share = 1): Spans =>
  openOtelSpans(
    {
      endpoint: new URL(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/otlp`),
      headers: { 'x-secret': 'open sesame' },
      serviceName: 'the-studio',
      share,
    },
    { 'markwright.roles': 'web,media' },
  );
const listSpans = (): SentSpan[] =>
  requests.flatMap(({ text }) =>
    JSON.parse(text).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: SentSpan[] }[] }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
const valuesOf = ({ attributes }: SentSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test('an upload is one trace of request, statements, files and job, which names no person', async () => {
  const server: TestApp = await createTestApp({ spans: openSpans() });
  const ann = await server.signUp('ann.of.the.traces@example.com');
  const bytes = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#123' } })
    .png()
    .toBuffer();
  const form = await formOf({ file: { bytes, filename: 'letter-to-ben.png', mediaType: 'image/png' } });
  const headers = { ...form.headers, ...ann, traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` };
  const upload = { method: 'POST', url: '/api/designs/upload', payload: form.payload, headers } as const;
  const answer = await server.app.inject(upload);
  const { id, originalFileUrl } = answer.json<{ id: string; originalFileUrl: string }>();
  await server.app.inject({ url: originalFileUrl });
  await server.app.inject({ url: `/api/designs/${id}`, headers: ann });
  await server.app.inject({ url: '/api/health' });
  await server.app.inject({ url: '/api/orders/nothing-here', headers: ann });
  await server.close();

  expect(new Set(requests.map(({ path, secret }) => `${path} ${secret}`))).toEqual(
    new Set(['/otlp/v1/traces open sesame']),
  );
  expect(requests[0]!.text).toContain('the-studio');
  const spans = listSpans();
  const request = spans.find(({ name }) => name === 'POST /api/designs/upload')!;
  expect(request).toMatchObject({ traceId: 'ab'.repeat(16), parentSpanId: 'cd'.repeat(8) });
  expect(valuesOf(request)).toMatchObject({ 'http.route': '/api/designs/upload', 'http.response.status_code': 200 });
  const own = spans.filter(({ traceId }) => traceId === request.traceId);
  const names = own.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['media decode', 'insert designs', 'begin', 'commit', 'file put']));
  for (const part of own.filter((span) => span !== request)) {
    expect(
      own.map(({ spanId }) => spanId),
      part.name,
    ).toContain(part.parentSpanId);
  }
  expect(spans.map(({ name }) => name)).toContain('GET /api/designs/:id');
  expect(spans.map(({ name }) => name)).not.toContain('GET /api/health');

  // Nothing that says who or what: no address, token, file name, id or signature.
  const text = requests.map((request) => request.text).join('');
  for (const secret of ['ann.of', 'letter-to', ann.authorization!.slice(7), id, originalFileUrl.split('s=')[1]!]) {
    expect(text.includes(secret), secret).toBe(false);
  }
});

test('a job that another server does is a part of the trace of whoever asked', async () => {
  const asker = openSpans();
  const worker = openSpans();
  const server = await createTestApp({ spans: asker });
  const open = (name: string) =>
    openSharedQueue({ db: server.context.db, server: name, kind: 'pictures', queueLimit: 10 });
  const job = {
    name: 'decode',
    needs: 'pictures',
    caller: { name: 'a', lane: 'guest' },
    debtMs: 0,
    processorLimitMs: undefined,
  } as const;
  await asker.root('asking', {}, async () => {
    const input = new Uint8Array([1]);
    await open('asker').add({ ...job, id: 'of-a-trace', input, traceParent: asker.carry() });
  });
  const claimedJob = (await open('worker').claim(['guest'], ['pictures']))!;
  await worker.root('media decode', {}, async () => {}, claimedJob.traceParent);
  await Promise.all([server.close(), worker.close()]);
  const [askSpan, workSpan] = ['asking', 'media decode'].map((name) => listSpans().find((span) => span.name === name)!);
  expect(workSpan).toMatchObject({ traceId: askSpan!.traceId });
  // The statement that put the row there is the asker's too.
  expect(
    listSpans().some(({ name, parentSpanId }) => name === 'insert media_jobs' && parentSpanId === askSpan!.spanId),
  ).toBe(true);
  expect(workSpan!.parentSpanId).toBe(askSpan!.spanId);
});

test('of a share of 0 nothing is sent, whatever a caller says; outside of a span there are no parts', async () => {
  const none = openSpans(0);
  const span = none.open('GET /', {}, `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`);
  span.end({}, true);
  await none.close();
  const all = openSpans();
  expect(await all.part('alone', {}, async () => 7)).toBe(7);
  expect(all.carry()).toBeUndefined();
  for (const header of ['', 'nonsense', `00-${'0'.repeat(32)}-${'cd'.repeat(8)}-01`])
    all.open('own', {}, header).end({}, false);
  await all.close();
  expect(listSpans().map(({ name, parentSpanId }) => [name, parentSpanId ?? ''])).toEqual(Array(3).fill(['own', '']));
});

test('a failure is named by its kind, never by its words', async () => {
  const spans = openSpans();
  const fail = () => Promise.reject(Object.assign(new Error('ann@example.com is wrong'), { code: '23505' }));
  await expect(spans.root('job', {}, fail)).rejects.toThrow('is wrong');
  await spans.close();
  const [span] = listSpans();
  expect(span!.status.code).toBe(2);
  expect(valuesOf(span!)).toMatchObject({ 'error.type': '23505' });
  expect(requests.some(({ text }) => text.includes('ann@'))).toBe(false);
});

test.each([
  ['select "id", "email" from "users" where "id" = $1', 'select users'],
  ['insert into "designs" ("id") values ($1)', 'insert designs'],
  ['update "public"."mails" set x = 1', 'update mails'],
  [' delete from only media_jobs', 'delete media_jobs'],
  ['begin', 'begin'],
  ["select pg_notify('a', 'from somebody')", 'select'],
  ['', 'statement'],
])('%s is called %s', (text, name) => expect(nameOfStatement(text)).toBe(name));
