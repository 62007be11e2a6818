import { expect, test } from 'vitest';
import { noSpans } from '../platform/spans.ts';
import { createAsks, type QueueTools } from './jobAsks.ts';
import type { SharedQueue } from './sharedQueue.ts';

/** A queue with one job that waits. `answer` lets the oldest look that is still open have its rows. */
function openQueueOfOne() {
  const looks: (() => void)[] = [];
  let id = '';
  const queue: Pick<SharedQueue, 'add' | 'readStates' | 'remove'> = {
    async add(job) {
      id = job.id;
      return true;
    },
    async readStates() {
      await new Promise<void>((resolve) => looks.push(resolve));
      return new Map([[id, { state: 'waiting', isLost: false, place: 1 }]]);
    },
    async remove() {},
  };
  const tools = { queue, files: undefined, attempt: (work: () => unknown) => work(), spans: noSpans };
  return {
    tools: tools as unknown as QueueTools,
    jobId: () => id,
    answer: () => looks.shift()!(),
  };
}

test('rows that were read before a job began do not put it back into the line', async () => {
  const { tools, jobId, answer } = openQueueOfOne();
  const asks = createAsks(tools, 60_000);
  const places: number[] = [];
  const caller = { name: 'ann', lane: 'account' as const, payers: [] };
  const result = asks.ask({ name: 'work', needs: 'pictures', input: 1 }, { caller, onPlace: (p) => places.push(p) });
  result.catch(() => {});
  await expect.poll(jobId).not.toBe('');

  const look = asks.look();
  answer();
  await look;
  const lateLook = asks.look();
  asks.hear({ kind: 'begun', id: jobId() });
  answer();
  await lateLook;
  expect(places).toEqual([1, 0]);

  asks.close();
  await expect(result).rejects.toMatchObject({ code: 'unavailable' });
});
