import type { Call } from '@markwright/contract/schemas';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createClient } from './client.ts';
import { callEndpoint } from './endpointCall.ts';
import { onPause } from './pauses.ts';
import { onPlace } from './placeInLine.ts';
import { ApiError, createRequest, messageOf, NetworkError, statusOf } from './request.ts';

const call = <const C extends Omit<Call, 'description'>>(spec: C) => ({ description: '', ...spec });

const calls = {
  things: {
    all: call({
      method: 'GET',
      path: '/api/things',
      access: 'anyone',
      summary: 'All things',
      returns: 'list',
      reply: z.array(z.string()),
    }),
    remove: call({
      method: 'DELETE',
      path: '/api/things/:id',
      access: 'user',
      summary: 'Removes a thing',
      params: z.object({ id: z.string() }),
      returns: [],
      reply: z.object({ id: z.string() }).nullable(),
    }),
    one: call({
      method: 'GET',
      path: '/api/things/:id',
      access: 'anyone',
      summary: 'One thing',
      params: z.object({ id: z.string() }),
      query: z.object({ size: z.number().optional() }),
      returns: ['id'],
      reply: z.object({ id: z.string() }),
    }),
    make: call({
      method: 'POST',
      path: '/api/things',
      access: 'user',
      summary: 'Makes a thing',
      body: z.object({ name: z.string() }),
      returns: ['id'],
      reply: z.object({ id: z.string() }),
    }),
    keep: call({
      method: 'POST',
      path: '/api/things/kept',
      access: 'user',
      summary: 'Makes a thing by a key',
      repeats: true,
      body: z.object({ key: z.string() }),
      returns: ['id'],
      reply: z.object({ id: z.string() }),
    }),
    upload: call({
      method: 'POST',
      path: '/api/things/picture',
      access: 'user',
      summary: 'Gives a thing a picture',
      body: z.object({ name: z.string() }),
      file: { field: 'picture', maxBytes: 10 },
      returns: ['id'],
      reply: z.object({ id: z.string() }),
    }),
    add: call({
      method: 'POST',
      path: '/api/things/pictures/new',
      access: 'user',
      summary: 'Makes a thing of a picture',
      isKeyed: true,
      body: z.object({}),
      file: { field: 'picture', maxBytes: 10 },
      returns: ['id'],
      reply: z.object({ id: z.string() }),
      stages: [],
    }),
    translate: call({
      method: 'POST',
      path: '/api/things/translate',
      access: 'user',
      summary: 'Translates a thing',
      body: z.object({}),
      returns: ['id'],
      reply: z.object({ id: z.string() }),
      stages: ['reading', 'writing'],
    }),
    uploadMany: call({
      method: 'POST',
      path: '/api/things/pictures',
      access: 'user',
      summary: 'Makes a thing of each picture',
      body: z.object({ paths: z.array(z.string()) }),
      files: { field: 'files', maxFiles: 2, maxBytes: 10, maxTotalBytes: 20 },
      returns: ['id'],
      reply: z.object({ id: z.string() }),
    }),
  },
};

const request = createRequest({ credentials: 'omit', headers: () => ({ 'x-caller': 'me' }) });
const client = createClient<typeof calls>(calls, { request, call: callEndpoint });

let requests: { url: string; init: RequestInit }[];
let answer: () => Response | Promise<Response>;

beforeEach(() => {
  requests = [];
  answer = () => Response.json({ id: 'a' });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('client', () => {
  it('fills and escapes path parameters and leaves out empty query values', async () => {
    await client.things.one({ params: { id: 'a/b ?' }, query: { size: 3 } });
    await client.things.one({ params: { id: 'x' }, query: { size: undefined } });
    expect(requests.map(({ url }) => url)).toEqual(['/api/things/a%2Fb%20%3F?size=3', '/api/things/x']);
  });

  it('sends JSON with its type, and the credentials and headers of its transport', async () => {
    await client.things.make({ body: { name: 'n' } });
    const { init } = requests[0]!;
    expect(init).toMatchObject({ method: 'POST', credentials: 'omit', body: '{"name":"n"}' });
    expect(init.headers).toEqual({ 'x-caller': 'me', 'content-type': 'application/json' });
  });

  it('sends files as form data and lets the browser write the content type', async () => {
    const file = new File(['x'], 'x.png', { type: 'image/png' });
    await client.things.upload({ file, body: { name: 'n' } });
    const form = requests[0]!.init.body as FormData;
    expect([...form.keys()]).toEqual(['name', 'picture']);
    expect((form.get('picture') as File).name).toBe('x.png');
    expect(requests[0]!.init.headers).not.toHaveProperty('content-type');
  });

  it('sends many files, and a list as a field for each entry', async () => {
    const files = ['a.png', 'b.png'].map((name) => new File(['x'], name, { type: 'image/png' }));
    await client.things.uploadMany({ files, body: { paths: ['Mugs/a.png', 'Mugs/b.png'] } });
    const form = requests[0]!.init.body as FormData;
    expect(form.getAll('paths')).toEqual(['Mugs/a.png', 'Mugs/b.png']);
    expect(form.getAll('files').map((file) => (file as File).name)).toEqual(['a.png', 'b.png']);
  });

  it('hands the abort signal on', async () => {
    const { signal } = new AbortController();
    await client.things.make({ body: { name: 'n' } }, { signal });
    expect(requests[0]!.init.signal).toBe(signal);
  });

  it.each([{ name: 'no id' }, { id: undefined }, [], [{ id: 'a' }], 'text', 5, null])(
    'refuses the reply %j, which lacks a field that the endpoint returns',
    async (reply) => {
      answer = () => Response.json(reply);
      await expect(client.things.make({ body: { name: 'n' } })).rejects.toThrow(
        'The reply of POST /api/things lacks a field.',
      );
    },
  );

  it('refuses a reply that is not the list it should be', async () => {
    answer = () => Response.json({ 0: 'a', length: 1 });
    await expect(client.things.all()).rejects.toThrow('The reply of GET /api/things lacks its list.');
    answer = () => Response.json([]);
    expect(await client.things.all()).toEqual([]);
  });

  it('accepts null as a reply that may lack every field', async () => {
    answer = () => Response.json(null);
    expect(await client.things.remove({ params: { id: 'a' } })).toBeNull();
  });

  it('says in plain words that an answer is not JSON', async () => {
    answer = () => new Response('<html>Log in to this hotel</html>');
    await expect(client.things.make({ body: { name: 'n' } })).rejects.toThrow(/is not JSON/);
  });

  it('rejects with the error that toError returns, but not when the request was aborted', async () => {
    const toError = vi.fn(() => new Error('In other words.'));
    const clientWithSentences = createClient<typeof calls>(calls, { request, call: callEndpoint, toError });
    answer = () => new Response('', { status: 404, statusText: 'Not Found' });
    await expect(clientWithSentences.things.make({ body: { name: 'n' } })).rejects.toThrow('In other words.');
    expect(toError).toHaveBeenCalledExactlyOnceWith(new ApiError(404, 'Not Found'));

    const abortError = new DOMException('Aborted', 'AbortError');
    answer = () => Promise.reject(abortError);
    const options = { signal: AbortSignal.abort() };
    await expect(clientWithSentences.things.make({ body: { name: 'n' } }, options)).rejects.toBe(abortError);
    expect(toError).toHaveBeenCalledOnce();
  });
});

describe('progress stream', () => {
  const type = 'application/x-ndjson';
  const lines = (...all: object[]) =>
    new Response(all.map((line) => `${JSON.stringify(line)}\n`).join(''), { headers: { 'content-type': type } });
  const translate = (onStage = vi.fn()) => client.things.translate({ body: {} }, { onStage });

  it('is requested for calls that may take long, also when nobody listens to the stages', async () => {
    await client.things.make({ body: { name: 'n' } });
    await client.things.translate({ body: {} });
    await translate();
    expect(requests.map(({ init }) => (init.headers as Record<string, string>).accept)).toEqual([
      undefined,
      type,
      type,
    ]);
  });

  it('reports the place of a call that waits, and its end', async () => {
    const hear = vi.fn();
    const unsubscribe = onPlace(hear);
    answer = () => lines({ place: 2 }, { place: 1 }, {}, { place: 0 }, { stage: 'reading' }, { reply: { id: 'a' } });
    expect(await client.things.translate({ body: {} })).toEqual({ id: 'a' });
    answer = () => lines({ place: 3 }, { status: 503, refusal: { message: 'No.' } });
    await expect(client.things.translate({ body: {} })).rejects.toBeInstanceOf(ApiError);
    unsubscribe();
    expect(hear.mock.calls.flat()).toEqual([2, 1, 0, 3, 0]);
  });

  it('reports the stages it knows and resolves with the reply', async () => {
    answer = () =>
      lines({ stage: 'reading' }, { stage: 'of a later version' }, { stage: 'writing' }, { reply: { id: 'a' } });
    const onStage = vi.fn();
    expect(await translate(onStage)).toEqual({ id: 'a' });
    expect(onStage.mock.calls).toEqual([['reading'], ['writing']]);
  });

  it('rejects as the call would have without it', async () => {
    answer = () => lines({ stage: 'reading' }, { status: 422, refusal: { message: 'No.' } });
    const error = await translate().catch((reason: unknown) => reason);
    expect([statusOf(error), messageOf(error)]).toEqual([422, 'No.']);
  });

  it('that ends before the reply is a broken connection', async () => {
    answer = () => lines({ stage: 'reading' });
    await expect(translate()).rejects.toBeInstanceOf(NetworkError);
  });

  it('of a server that answers in one piece is understood, too', async () => {
    expect(await translate()).toEqual({ id: 'a' });
  });
});

describe('errors', () => {
  it('are the status, a colon, a space and the raw body', async () => {
    answer = () => new Response('{"message":"No."}', { status: 409 });
    await expect(request('GET', '/x')).rejects.toThrow(/^409: \{"message":"No\."\}$/);
  });

  it('fall back to the status text for an empty body', async () => {
    answer = () => new Response('', { status: 503, statusText: 'Service Unavailable' });
    await expect(request('GET', '/x')).rejects.toThrow(/^503: Service Unavailable$/);
  });

  it('carry status and body', async () => {
    answer = () => new Response('{"message":"No."}', { status: 409 });
    const error = await request('GET', '/x').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, body: '{"message":"No."}' });
  });

  it('are network errors when there is no answer, or only half of one', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(request('GET', '/x')).rejects.toBeInstanceOf(NetworkError);
    const broken = () =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }));
    answer = broken;
    await expect(client.things.make({ body: { name: 'n' } })).rejects.toBeInstanceOf(NetworkError);
  });

  it.each([
    [new ApiError(400, '{"message":"Say something."}'), 400, 'Say something.'],
    [new ApiError(502, '<html>Bad gateway</html>'), 502, 'fallback'],
    [new ApiError(500, '{"message":""}'), 500, 'fallback'],
    [new ApiError(500, 'null'), 500, 'fallback'],
    [new Error('Something inside'), undefined, 'fallback'],
    [new Error('400: {"message":"Not of the server."}'), undefined, 'fallback'],
    [new TypeError('Something inside'), undefined, 'fallback'],
    [new NetworkError(), undefined, 'The server cannot be reached right now.'],
    ['not even an error', undefined, 'fallback'],
  ])('%s has status %s and reads %s', (error, status, message) => {
    expect(statusOf(error)).toBe(status);
    expect(messageOf(error, 'fallback')).toBe(message);
  });
});

describe('what may be repeated', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const lose = () => Promise.reject(new TypeError('Failed to fetch'));
  const answerWith = (status: number) => () => new Response('', { status });
  const busy = (seconds: string) => () => new Response('', { status: 503, headers: { 'retry-after': seconds } });

  /** Answers the attempts one after another, then with success. Returns the outcome and the number of attempts. */
  async function attempt(work: () => Promise<unknown>, ...answers: (() => Response | Promise<Response>)[]) {
    const rest = [...answers];
    answer = () => (rest.shift() ?? (() => Response.json({ id: 'a' })))();
    const outcome = work().then(
      () => 'done',
      (error: Error) => error.name,
    );
    await vi.runAllTimersAsync();
    return [await outcome, requests.length];
  }
  const get = () => client.things.one({ params: { id: 'x' } });
  const make = () => client.things.make({ body: { name: 'n' } });
  const makeByKey = () => client.things.keep({ body: { key: 'k' } });

  it.each([
    ['a lost connection', [lose, lose]],
    ['a proxy that lost its server', [answerWith(502), answerWith(504)]],
    ['a server that says when to come back', [busy('3'), lose]],
  ])('is tried again after %s, and nothing else is', async (_, answers) => {
    expect(await attempt(get, ...answers)).toEqual(['done', 3]);
    requests.length = 0;
    expect(await attempt(makeByKey, ...answers)).toEqual(['done', 3]);
    requests.length = 0;
    const [outcome, count] = await attempt(make, ...answers);
    expect([outcome, count]).toEqual([answers[0] === lose ? 'NetworkError' : 'ApiError', 1]);
  });

  it('fails after three attempts, and at once where another one does not help', async () => {
    expect(await attempt(get, lose, lose, lose)).toEqual(['NetworkError', 3]);
    for (const hopeless of [answerWith(500), answerWith(503), answerWith(404), busy('60')]) {
      requests.length = 0;
      expect(await attempt(get, hopeless)).toEqual(['ApiError', 1]);
    }
  });

  it('is not tried again when it was given up in between', async () => {
    answer = lose;
    const controller = new AbortController();
    const outcome = client.things
      .one({ params: { id: 'x' } }, { signal: controller.signal })
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    controller.abort();
    expect(await outcome).toMatchObject({ name: 'AbortError' });
    await vi.runAllTimersAsync();
    expect(requests).toHaveLength(1);
  });

  const cut = () =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }));
  const cutStream = () => new Response('{"place":1}\n', { headers: { 'content-type': 'application/x-ndjson' } });

  it('is tried again when its answer breaks off, and an upload keeps its key', async () => {
    expect(await attempt(get, cut, cut)).toEqual(['done', 3]);
    const keysOf = () => requests.map(({ init }) => new Headers(init.headers).get('idempotency-key'));
    expect(keysOf()).toEqual([null, null, null]);
    const file = new File(['x'], 'x.png', { type: 'image/png' });
    const add = () => client.things.add({ file });
    requests.length = 0;
    expect(await attempt(add, lose, cutStream)).toEqual(['done', 3]);
    expect(keysOf()[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keysOf()).size).toBe(1);
    expect(requests.map(({ init }) => (init.body as FormData).get('picture'))).toEqual([file, file, file]);
    expect(await attempt(add)).toEqual(['done', 4]);
    expect(new Set(keysOf()).size).toBe(2);
  });

  it('says that it waits when the pause is long enough to be noticed, until the answer is there', async () => {
    const hear = vi.fn();
    const unsubscribe = onPause(hear);
    await attempt(get, lose);
    expect(hear).not.toHaveBeenCalled();
    await attempt(get, lose, lose);
    await attempt(get, lose, lose, lose);
    unsubscribe();
    expect(hear.mock.calls.flat()).toEqual([true, false, true, false]);
  });

  it('is not tried again when the page is left', async () => {
    const leave = () => client.things.keep({ body: { key: 'k' } }, { keepalive: true });
    expect(await attempt(leave, lose)).toEqual(['NetworkError', 1]);
  });
});
