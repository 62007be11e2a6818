import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Context } from './context.ts';
import { createOutbox, MAX_TRIES, type OutboxRow, retryDelayMs } from './outbox.ts';
import { rateLimits } from './tables.ts';

test('delays double from a minute up to four hours, and the last attempt comes a day after the first', () => {
  const minutes = Array.from({ length: MAX_TRIES - 1 }, (_, i) => retryDelayMs(i + 1) / 60_000);
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240, 240, 240]);
  const hours = minutes.reduce((sum, pause) => sum + pause) / 60;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThan(25);
});

test('a run looks again when a lane gets free while it looks for the next row', async () => {
  const rows: OutboxRow[] = [
    { id: 'first', attempts: 1 },
    { id: 'second', attempts: 1 },
  ];
  const sentIds: string[] = [];
  let claimCount = 0;
  let letFirstEnd = () => {};
  const firstMayEnd = new Promise<void>((resolve) => {
    letFirstEnd = resolve;
  });
  const table = rateLimits as never;
  const outbox = createOutbox<OutboxRow, { state: 'sent' }>({
    table,
    lanes: { column: rateLimits.key, of: () => 'the shop' },
    leaseMs: 60_000,
    recordMs: 0,
    async withAccess(_context, row) {
      if (row) return undefined as never;
      // The second claim passes over the busy lane, and its answer comes after the lane got free.
      if (++claimCount === 2) {
        letFirstEnd();
        await endOfTurn();
        return undefined as never;
      }
      return rows.shift() as never;
    },
    async deliver(_context, { id }) {
      if (id === 'first') await firstMayEnd;
      sentIds.push(id);
      return { state: 'sent' };
    },
  });
  await outbox.sendDue({ now: () => new Date() } as Context);
  expect(sentIds).toEqual(['first', 'second']);
});
