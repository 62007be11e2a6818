import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAppLoader, type IdleWindow, whenIdle } from './appLoader.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FILES = ['/assets/index.js', '/assets/react.js'];

function fakeHost() {
  const host = {
    isReachable: true,
    fetch: vi.fn(async (_file: string) => {
      if (!host.isReachable) throw new TypeError('Failed to fetch');
      return { ok: true };
    }),
    importModule: vi.fn(async (_file: string) => undefined),
    now: () => Date.now(),
  };
  return host;
}

describe('createAppLoader', () => {
  it('imports the app once, when all its files have arrived', async () => {
    const host = fakeHost();
    const loader = createAppLoader(FILES, host);
    loader.load();
    loader.load();
    expect(host.importModule).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(0);
    loader.load();
    expect(host.fetch.mock.calls).toEqual([['/assets/index.js'], ['/assets/react.js']]);
    expect(host.importModule.mock.calls).toEqual([['/assets/index.js']]);
    expect(loader.isLoaded()).toBe(true);
  });

  it('tries again after a failure, with growing pauses', async () => {
    const host = fakeHost();
    host.isReachable = false;
    const loader = createAppLoader(FILES, host);
    loader.load();
    await vi.advanceTimersByTimeAsync(600_000);
    const tries = host.fetch.mock.calls.length / FILES.length;
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(20);
    expect(host.importModule).not.toHaveBeenCalled();
    host.isReachable = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(loader.isLoaded()).toBe(true);
  });

  it('tries again with the next press after a second, but not with each of many presses', async () => {
    const host = fakeHost();
    host.isReachable = false;
    const loader = createAppLoader(FILES, host);
    loader.load();
    await vi.advanceTimersByTimeAsync(10);
    host.fetch.mockClear();
    for (let i = 0; i < 100; i++) loader.load();
    expect(host.fetch).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    host.isReachable = true;
    loader.load();
    await vi.advanceTimersByTimeAsync(0);
    expect(loader.isLoaded()).toBe(true);
  });

  it('takes an answer with an error status for a failure', async () => {
    const host = fakeHost();
    host.fetch.mockResolvedValueOnce({ ok: false });
    const loader = createAppLoader(FILES, host);
    loader.load();
    await vi.advanceTimersByTimeAsync(0);
    expect(loader.isLoaded()).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(loader.isLoaded()).toBe(true);
  });

  it('tries again when the app throws while it starts', async () => {
    const host = fakeHost();
    host.importModule.mockRejectedValueOnce(new Error('broken'));
    const loader = createAppLoader(FILES, host);
    loader.load();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(loader.isLoaded()).toBe(true);
  });
});

describe('whenIdle', () => {
  function fakeWindow(readyState: string, idle: IdleWindow['requestIdleCallback']) {
    const page = new EventTarget();
    const window: IdleWindow = {
      document: { readyState },
      ...(idle && { requestIdleCallback: idle }),
      setTimeout: (work, delayMs) => setTimeout(work, delayMs),
      addEventListener: (type, listener, options) => page.addEventListener(type, listener, options),
    };
    return { window, load: () => page.dispatchEvent(new Event('load')) };
  }
  /** Imitates a browser that is never idle: calls back when the time is up, and never without a limit. */
  const neverIdle: IdleWindow['requestIdleCallback'] = (work, { timeout }) => setTimeout(work, timeout);

  it('starts in the first idle moment after the page has loaded', () => {
    const start = vi.fn();
    const { window, load } = fakeWindow('interactive', (work) => work());
    whenIdle(window, start);
    expect(start).not.toHaveBeenCalled();
    load();
    expect(start).toHaveBeenCalledOnce();
  });

  it('starts in a browser that is never idle', async () => {
    const start = vi.fn();
    whenIdle(fakeWindow('complete', neverIdle).window, start);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(start).toHaveBeenCalled();
  });

  it('starts on a page that never finishes loading', async () => {
    const start = vi.fn();
    whenIdle(fakeWindow('loading', neverIdle).window, start);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(start).toHaveBeenCalled();
  });

  it('starts in a browser without idle callbacks', async () => {
    const start = vi.fn();
    whenIdle(fakeWindow('complete', undefined).window, start);
    await vi.advanceTimersByTimeAsync(500);
    expect(start).toHaveBeenCalledOnce();
  });
});
