import { afterEach, expect, it, vi } from 'vitest';
import { loadUntilThere } from './lazyPart.ts';

afterEach(() => vi.unstubAllGlobals());

const failing = (failures: number) => {
  let tries = 0;
  return async () => {
    tries++;
    if (tries <= failures) throw new Error('Failed to fetch');
    return `part ${tries}`;
  };
};

it('tries again until the code comes, and waits longer each time', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  const waits: number[] = [];
  const missing = vi.fn();
  const part = await loadUntilThere(failing(7), async (ms) => void waits.push(ms), missing);
  expect(part).toBe('part 8');
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(missing).not.toHaveBeenCalled();
});

it('says once that a part is missing, when the second try fails on a device that is online', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const missing = vi.fn();
  const calls: number[] = [];
  await loadUntilThere(failing(4), async () => void calls.push(missing.mock.calls.length), missing);
  expect(calls).toEqual([0, 1, 1, 1]);
});

it('loads once where the code comes at once', async () => {
  const wait = vi.fn();
  expect(await loadUntilThere(failing(0), wait)).toBe('part 1');
  expect(wait).not.toHaveBeenCalled();
});

it('ends its wait after the page is gone', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', vi.fn());
  vi.stubGlobal('navigator', { onLine: false });
  const part = loadUntilThere(failing(1));
  await vi.advanceTimersByTimeAsync(0);
  vi.unstubAllGlobals();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await part).toBe('part 2');
  vi.useRealTimers();
});
