import { expect, test } from 'vitest';
import { MAX_TRIES, retryDelayMs } from './outbox.ts';

test('delays double from a minute up to four hours, and the last attempt comes a day after the first', () => {
  const minutes = Array.from({ length: MAX_TRIES - 1 }, (_, i) => retryDelayMs(i + 1) / 60_000);
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240, 240, 240]);
  const hours = minutes.reduce((sum, pause) => sum + pause) / 60;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThan(25);
});
