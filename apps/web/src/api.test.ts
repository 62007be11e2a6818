import type { Call } from '@markwright/contract/schemas';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { fakeStorage } from '../test/fakeStorage.ts';
import { createClient, createQueryClient, messageOf, queryFn, request, statusOf } from './api.ts';
import { writeToken } from './token.ts';

const call = <const C extends Call>(spec: C): C => spec;

const client = createClient({
  things: {
    one: call({
      method: 'GET',
      path: '/api/things/:id',
      access: 'anyone',
      summary: 'One thing',
      params: z.object({ id: z.string() }),
      query: z.object({ size: z.number().optional() }),
      reply: z.object({ id: z.string() }),
    }),
    make: call({
      method: 'POST',
      path: '/api/things',
      access: 'user',
      summary: 'Makes a thing',
      body: z.object({ name: z.string() }),
      reply: z.object({ id: z.string() }),
    }),
    upload: call({
      method: 'POST',
      path: '/api/things/picture',
      access: 'user',
      summary: 'Gives a thing a picture',
      body: z.object({ name: z.string() }),
      file: { field: 'picture', maxBytes: 10 },
      reply: z.object({ id: z.string() }),
    }),
    uploadMany: call({
      method: 'POST',
      path: '/api/things/pictures',
      access: 'user',
      summary: 'Makes a thing of each picture',
      body: z.object({ paths: z.array(z.string()) }),
      files: { field: 'files', maxFiles: 2, maxBytes: 10, maxTotalBytes: 20 },
      reply: z.object({ id: z.string() }),
    }),
  },
});

let sent: { url: string; init: RequestInit }[];
let answer: () => Response;

beforeEach(() => {
  sent = [];
  answer = () => Response.json({ id: 'a' });
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push({ url, init });
    return answer();
  });
});
afterEach(() => {
  writeToken(null);
  vi.unstubAllGlobals();
});

describe('client', () => {
  it('fills and escapes path parameters and leaves out empty query values', async () => {
    await client.things.one({ params: { id: 'a/b ?' }, query: { size: 3 } });
    await client.things.one({ params: { id: 'x' }, query: { size: undefined } });
    expect(sent.map(({ url }) => url)).toEqual(['/api/things/a%2Fb%20%3F?size=3', '/api/things/x']);
  });

  it('sends JSON with its type, cookies, and no bearer without a token', async () => {
    await client.things.make({ body: { name: 'n' } });
    const { init } = sent[0]!;
    expect(init).toMatchObject({ method: 'POST', credentials: 'include', body: '{"name":"n"}' });
    expect(init.headers).toEqual({ 'content-type': 'application/json' });
  });

  it('sends the stored token as bearer', async () => {
    writeToken('secret');
    await client.things.make({ body: { name: 'n' } });
    expect(sent[0]!.init.headers).toMatchObject({ authorization: 'Bearer secret' });
  });

  it('sends files as form data and lets the browser write the content type', async () => {
    const file = new File(['x'], 'x.png', { type: 'image/png' });
    await client.things.upload({ file, body: { name: 'n' } });
    const form = sent[0]!.init.body as FormData;
    expect([...form.keys()]).toEqual(['name', 'picture']);
    expect((form.get('picture') as File).name).toBe('x.png');
    expect(sent[0]!.init.headers).not.toHaveProperty('content-type');
  });

  it('sends many files, and a list as a field for each entry', async () => {
    const files = ['a.png', 'b.png'].map((name) => new File(['x'], name, { type: 'image/png' }));
    await client.things.uploadMany({ files, body: { paths: ['Mugs/a.png', 'Mugs/b.png'] } });
    const form = sent[0]!.init.body as FormData;
    expect(form.getAll('paths')).toEqual(['Mugs/a.png', 'Mugs/b.png']);
    expect(form.getAll('files').map((file) => (file as File).name)).toEqual(['a.png', 'b.png']);
  });

  it('hands the abort signal on', async () => {
    const { signal } = new AbortController();
    await client.things.make({ body: { name: 'n' } }, { signal });
    expect(sent[0]!.init.signal).toBe(signal);
  });

  it('refuses a reply that is not what the contract says', async () => {
    answer = () => Response.json({ name: 'no id' });
    await expect(client.things.make({ body: { name: 'n' } })).rejects.toThrow();
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

  it.each([
    [new Error('400: {"message":"Say something."}'), 400, 'Say something.'],
    [new Error('502: <html>Bad gateway</html>'), 502, 'fallback'],
    [new Error('500: {"message":""}'), 500, 'fallback'],
    [new Error('500: null'), 500, 'fallback'],
    [new Error('Something inside'), undefined, 'fallback'],
    [new TypeError('Failed to fetch'), undefined, 'The server cannot be reached right now.'],
    ['not even an error', undefined, 'fallback'],
  ])('%s has status %s and reads %s', (error, status, message) => {
    expect(statusOf(error)).toBe(status);
    expect(messageOf(error, 'fallback')).toBe(message);
  });
});

describe('query defaults', () => {
  it('read the first element of the key with GET', async () => {
    expect(await createQueryClient().fetchQuery({ queryKey: ['/api/things', 'more'] })).toEqual({ id: 'a' });
    expect(sent[0]).toMatchObject({ url: '/api/things', init: { method: 'GET' } });
  });

  it('never retry, never grow stale, never poll', async () => {
    answer = () => new Response('', { status: 500, statusText: 'Oops' });
    const queryClient = createQueryClient();
    await expect(queryClient.fetchQuery({ queryKey: ['/api/things'] })).rejects.toThrow('500: Oops');
    expect(sent).toHaveLength(1);
    expect(queryClient.getDefaultOptions().queries).toMatchObject({
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchInterval: false,
    });
  });

  it('throw on 401, or answer null where asked to', async () => {
    answer = () => new Response('', { status: 401, statusText: 'Unauthorized' });
    const queryClient = createQueryClient();
    await expect(queryClient.fetchQuery({ queryKey: ['/api/me'] })).rejects.toThrow('401: Unauthorized');
    const nullable = queryFn({ on401: 'returnNull' });
    expect(await queryClient.fetchQuery({ queryKey: ['/api/me2'], queryFn: nullable })).toBeNull();
    answer = () => new Response('', { status: 403, statusText: 'Forbidden' });
    await expect(queryClient.fetchQuery({ queryKey: ['/api/me3'], queryFn: nullable })).rejects.toThrow('403');
  });
});
