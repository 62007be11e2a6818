import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createJobQueue } from './jobQueue.ts';

const takeAll = (queue: ReturnType<typeof createJobQueue<string>>): string[] => {
  const order: string[] = [];
  for (let job = queue.take(); job !== undefined; job = queue.take()) order.push(job);
  return order;
};

describe('the job queue', () => {
  test('takes one job of each caller in turn', () => {
    const queue = createJobQueue<string>({ queueLimit: 10, callerLimit: 10 });
    for (const job of ['ann 1', 'ann 2', 'ann 3', 'bob 1', 'cleo 1', 'bob 2']) queue.add(job.split(' ')[0]!, job);
    expect(takeAll(queue)).toEqual(['ann 1', 'bob 1', 'cleo 1', 'ann 2', 'bob 2', 'ann 3']);
    expect(queue.length).toBe(0);
  });

  test('counts a caller’s share over waiting and running jobs, until it is released', () => {
    const queue = createJobQueue<string>({ queueLimit: 10, callerLimit: 2 });
    expect([queue.add('ann', 'a'), queue.add('ann', 'b'), queue.add('ann', 'c')]).toEqual([
      'added',
      'added',
      'callerIsFull',
    ]);
    queue.take();
    expect(queue.add('ann', 'c')).toBe('callerIsFull');
    queue.release('ann');
    expect(queue.add('ann', 'c')).toBe('added');
  });

  test('refuses a job when the queue is full, without using the caller’s share', () => {
    const queue = createJobQueue<string>({ queueLimit: 1, callerLimit: 2 });
    queue.add('ann', 'a');
    expect([queue.add('bob', 'b'), queue.add('bob', 'c'), queue.add('bob', 'd')]).toEqual(Array(3).fill('queueIsFull'));
  });

  test('removes a waiting job and keeps the order of the others', () => {
    const queue = createJobQueue<string>({ queueLimit: 10, callerLimit: 3 });
    for (const job of ['ann 1', 'ann 2', 'bob 1']) queue.add(job.split(' ')[0]!, job);
    expect(queue.dequeue('ann', 'ann 1')).toBe(true);
    expect(queue.dequeue('ann', 'ann 1')).toBe(false);
    expect(takeAll(queue)).toEqual(['ann 2', 'bob 1']);
    expect(queue.dequeue('bob', 'bob 1')).toBe(false); // it runs
  });

  test('never loses a job, and no caller waits for more than one job of each other caller', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('ann', 'bob', 'cleo'), { maxLength: 40 }), (callers) => {
        const queue = createJobQueue<string>({ queueLimit: 100, callerLimit: 100 });
        const jobs = callers.map((caller, i) => `${caller} ${i}`);
        for (const job of jobs) queue.add(job.split(' ')[0]!, job);
        expect(queue.length).toBe(jobs.length);
        const order = takeAll(queue);
        expect([...order].sort()).toEqual([...jobs].sort());
        for (const caller of new Set(callers)) {
          const places = order.flatMap((job, i) => (job.startsWith(caller) ? [i] : []));
          const first = places[0] ?? 0;
          expect(first).toBeLessThan(new Set(callers).size);
          places.forEach((place, i) => {
            if (i > 0) expect(place - places[i - 1]!).toBeLessThanOrEqual(new Set(callers).size);
          });
        }
      }),
    );
  });
});
