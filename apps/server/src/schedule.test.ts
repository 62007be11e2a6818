import { expect, test } from 'vitest';
import type { Context } from './platform/context.ts';
import { backgroundJobs } from './schedule.ts';

test('no sweep begins after the server was asked to stop', async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  let queries = 0;
  const log = {
    info: (_fields: object, text: string) => lines.push(text),
    error: (_fields: object, text: string) => lines.push(text),
  };
  const context = {
    log,
    now: () => new Date(),
    get db(): never {
      queries++;
      stop.abort();
      throw new Error('Cannot use a pool after calling end on the pool');
    },
  } as unknown as Context;
  const [sweepJob] = backgroundJobs(context);
  await sweepJob!.run({}, stop.signal);
  expect([queries, lines]).toEqual([1, ['a sweep was broken off by the stop']]);
});
