import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeStorage } from '../test/fakeStorage.ts';
import { api, createQueryClient, queryFn } from './api.ts';
import { messageOf } from './request.ts';
import { writeToken } from './token.ts';

let requests: { url: string; init: RequestInit }[];
let answer: () => Response;

beforeEach(() => {
  requests = [];
  answer = () => Response.json({ id: 'a' });
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    return answer();
  });
});
afterEach(() => {
  writeToken(null);
  vi.unstubAllGlobals();
});

describe('api', () => {
  const credentials = { email: 'a@example.com', password: 'secret' };

  it('sends cookies, and no bearer without a token', async () => {
    answer = () => Response.json({ token: 't' });
    await api.auth.login({ body: credentials });
    expect(requests[0]).toMatchObject({ url: '/api/auth/login', init: { method: 'POST', credentials: 'include' } });
    expect(requests[0]!.init.headers).toEqual({ 'content-type': 'application/json' });
  });

  it('sends the stored token as bearer', async () => {
    writeToken('secret');
    answer = () => Response.json({ token: 't' });
    await api.auth.login({ body: credentials });
    expect(requests[0]!.init.headers).toMatchObject({ authorization: 'Bearer secret' });
  });

  it('refuses a reply that is not what the contract says', async () => {
    answer = () => Response.json({ name: 'no token' });
    const error = await api.auth.signup({ body: credentials }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(messageOf(error, 'Nothing was changed.')).toBe('Nothing was changed.');
  });
});

describe('query defaults', () => {
  it('read the first element of the key with GET', async () => {
    expect(await createQueryClient().fetchQuery({ queryKey: ['/api/things', 'more'] })).toEqual({ id: 'a' });
    expect(requests[0]).toMatchObject({ url: '/api/things', init: { method: 'GET' } });
  });

  it('never retry, never grow stale, never poll', async () => {
    answer = () => new Response('', { status: 500, statusText: 'Oops' });
    const queryClient = createQueryClient();
    await expect(queryClient.fetchQuery({ queryKey: ['/api/things'] })).rejects.toThrow('500: Oops');
    expect(requests).toHaveLength(1);
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
