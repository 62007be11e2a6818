import type { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeStorage } from '../test/fakeStorage.ts';
import { createQueryClient } from './api.ts';
import { createSessionActions, watchToken } from './session.tsx';
import { onTokenChange, readToken, writeToken } from './token.ts';

const user = {
  id: 7,
  email: 'ann@example.com',
  username: 'ann',
  createdAt: '2026-01-01T00:00:00.000Z',
  subscriptionPlan: 'free',
  subscriptionStatus: 'inactive',
  isAdmin: false,
};
const credentials = { email: user.email, password: 'secret1' };

/** A server that knows one token and counts what it is asked. */
let paths: string[];
let goodToken: string;
let loginReply: object;
let isReachable: boolean;
let window: EventTarget;
let queryClient: QueryClient;

beforeEach(() => {
  paths = [];
  goodToken = 'good';
  loginReply = { token: goodToken };
  isReachable = true;
  window = new EventTarget();
  queryClient = createQueryClient();
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    paths.push(url);
    if (!isReachable) throw new TypeError('Failed to fetch');
    if (url === '/api/auth/login') return Response.json(loginReply);
    if (url === '/api/auth/login/code') return Response.json({ token: goodToken });
    const isKnown = headers.authorization === `Bearer ${goodToken}`;
    if (!isKnown) return Response.json({ message: 'Please sign in.' }, { status: 401 });
    return url === '/api/auth/me' ? Response.json(user) : Response.json({ ok: true });
  });
});
afterEach(() => {
  writeToken(null);
  vi.unstubAllGlobals();
});

const me = () => queryClient.getQueryData(['/api/auth/me']);
/** Dispatches the event of a browser when another tab writes to the same storage. */
function writeInAnotherTab(token: string | null) {
  if (token === null) localStorage.removeItem('authToken');
  else localStorage.setItem('authToken', token);
  window.dispatchEvent(Object.assign(new Event('storage'), { key: 'authToken' }));
}

describe('session', () => {
  it('stores the token under authToken and asks who it belongs to', async () => {
    await createSessionActions(queryClient).login(credentials);
    expect(localStorage.getItem('authToken')).toBe('good');
    expect(me()).toEqual(user);
  });

  it('stores nothing when signing in fails', async () => {
    isReachable = false;
    await expect(createSessionActions(queryClient).login(credentials)).rejects.toMatchObject({
      name: 'NetworkError',
      cause: expect.any(TypeError),
    });
    expect(readToken()).toBeNull();
  });

  it('stores nothing before the second factor is given, and the token after it', async () => {
    loginReply = { pendingToken: 'half way' };
    const session = createSessionActions(queryClient);
    expect(await session.login(credentials)).toBe('half way');
    expect([readToken(), localStorage.getItem('authToken')]).toEqual([null, null]);
    await session.completeLogin({ pendingToken: 'half way', code: '123456' });
    expect(readToken()).toBe('good');
    expect(me()).toEqual(user);
  });

  it('refuses a reply to the sign-in without any token', async () => {
    loginReply = { name: 'a captive portal' };
    await expect(createSessionActions(queryClient).login(credentials)).rejects.toThrow('has no token');
    expect(readToken()).toBeNull();
  });

  it('forgets token and cache on logout, also without a network', async () => {
    const session = createSessionActions(queryClient);
    await session.login(credentials);
    queryClient.setQueryData(['/api/designs'], ['mine']);
    isReachable = false;
    await session.logout();
    expect(readToken()).toBeNull();
    expect(me()).toBeUndefined();
    expect(queryClient.getQueryData(['/api/designs'])).toBeUndefined();
    expect(paths.at(-1)).toBe('/api/auth/logout');
  });

  it('asks for the account only with a token', () => {
    watchToken(queryClient)();
    expect(paths).toEqual([]);
  });

  it('drops a token the server refuses, and keeps it when the server cannot be reached', async () => {
    writeToken('old');
    isReachable = false;
    const stop = watchToken(queryClient);
    await expect.poll(() => queryClient.getQueryState(['/api/auth/me'])?.status).toBe('error');
    expect(readToken()).toBe('old');
    stop();

    isReachable = true;
    const stopAgain = watchToken(queryClient);
    await expect.poll(readToken).toBeNull();
    stopAgain();
  });

  it('refetches the account when another tab signs in, out, or as somebody else', async () => {
    const stop = watchToken(queryClient);
    writeInAnotherTab('good');
    await expect.poll(me).toEqual(user);

    const before = paths.length;
    goodToken = 'better';
    writeInAnotherTab('better');
    await expect.poll(() => paths.length).toBeGreaterThan(before);
    expect(readToken()).toBe('better');
    stop();
  });

  it('does not take the answer for an earlier token as the answer for the one that replaced it', async () => {
    writeToken('old');
    const stop = watchToken(queryClient);
    writeInAnotherTab('good');
    await expect.poll(me).toEqual(user);
    expect(readToken()).toBe('good');
    stop();
  });

  it('tells listeners about this tab, another tab and a cleared storage, and about nothing else', () => {
    const listener = vi.fn();
    const stop = onTokenChange(listener);
    writeToken('a');
    writeInAnotherTab('b');
    window.dispatchEvent(Object.assign(new Event('storage'), { key: null }));
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'something-else' }));
    stop();
    writeToken('c');
    expect(listener).toHaveBeenCalledTimes(3);
  });
});
