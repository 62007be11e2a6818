import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createJobQueue, type JobQueueSettings } from './jobQueue.ts';

const open = (settings: Partial<JobQueueSettings> = {}) =>
  createJobQueue<string>({ size: 1_000, queueLimit: 10, callerLimit: 10, ...settings });
const account = (name: string, debtMs = 0) => ({ name, lane: 'account', debtMs }) as const;
const guest = (name: string, debtMs = 0) => ({ name, lane: 'guest', debtMs }) as const;

const takeAll = (queue: ReturnType<typeof open>): string[] => {
  const order: string[] = [];
  for (let job = queue.take(); job !== undefined; job = queue.take()) order.push(job);
  return order;
};
/** Adds jobs named `caller number`. */
const addAll = (
  queue: ReturnType<typeof open>,
  caller: typeof account | typeof guest,
  jobs: readonly string[],
): void => {
  for (const job of jobs) queue.add(caller(job.split(' ')[0]!), job);
};

describe('the job queue', () => {
  test('takes one job of each caller in turn', () => {
    const queue = open();
    addAll(queue, account, ['ann 1', 'ann 2', 'ann 3', 'bob 1', 'cleo 1', 'bob 2']);
    expect(takeAll(queue)).toEqual(['ann 1', 'bob 1', 'cleo 1', 'ann 2', 'bob 2', 'ann 3']);
    expect(queue.length).toBe(0);
  });

  test('counts a caller’s share over waiting and running jobs, until it is released', () => {
    const queue = open({ callerLimit: 2 });
    const add = (job: string) => queue.add(account('ann'), job);
    expect([add('a'), add('b'), add('c')]).toEqual(['added', 'added', 'callerIsFull']);
    queue.take();
    expect(add('c')).toBe('callerIsFull');
    queue.release(account('ann'), 0);
    expect(add('c')).toBe('added');
  });

  test('refuses a job when its lane is full, without using the caller’s share', () => {
    const queue = open({ queueLimit: 1, callerLimit: 2 });
    queue.add(guest('ann'), 'a');
    const add = (job: string) => queue.add(guest('bob'), job);
    expect([add('b'), add('c'), add('d')]).toEqual(Array(3).fill('queueIsFull'));
    expect(queue.add(account('cleo'), 'e')).toBe('added');
  });

  test('removes a waiting job and keeps the order of the others', () => {
    const queue = open({ callerLimit: 3 });
    addAll(queue, account, ['ann 1', 'ann 2', 'bob 1']);
    expect(queue.dequeue(account('ann'), 'ann 1')).toBe(true);
    expect(queue.dequeue(account('ann'), 'ann 1')).toBe(false);
    expect(takeAll(queue)).toEqual(['ann 2', 'bob 1']);
    expect(queue.dequeue(account('bob'), 'bob 1')).toBe(false); // it runs
  });

  test('takes first the job of the caller who has used the least processor time', () => {
    const queue = open();
    queue.add(guest('burner', 60_000), 'burner 1');
    queue.add(guest('ann', 1_500), 'ann 1');
    queue.add(guest('new'), 'new 1');
    expect(takeAll(queue)).toEqual(['new 1', 'ann 1', 'burner 1']);
  });

  test('counts the cost of a job against the caller’s other waiting jobs', () => {
    const queue = open({ size: 2 });
    addAll(queue, guest, ['burner 1', 'burner 2', 'burner 3', 'ann 1']);
    expect(queue.take()).toBe('burner 1');
    queue.release(guest('burner'), 8_000);
    queue.add(guest('bob', 3_000), 'bob 1');
    expect([...queue.places()]).toEqual([
      ['ann 1', 1],
      ['bob 1', 2],
      ['burner 2', 3],
      ['burner 3', 4],
    ]);
    const order = [];
    for (let job = queue.take(); job; job = queue.take()) {
      order.push(job);
      queue.release(guest(job.split(' ')[0]!), 100);
    }
    expect(order).toEqual(['ann 1', 'bob 1', 'burner 2', 'burner 3']);
  });

  test('lets guests hold all processes but one', () => {
    const queue = open({ size: 3 });
    addAll(queue, guest, ['ann 1', 'bob 1', 'cleo 1']);
    expect(takeAll(queue)).toEqual(['ann 1', 'bob 1']);
    queue.add(account('dan'), 'dan 1');
    expect(queue.take()).toBe('dan 1');
    queue.release(guest('ann'), 10);
    expect(queue.take()).toBe('cleo 1');
  });

  test('lets accounts hold all processes when no guest waits, and then alternates', () => {
    const queue = open({ size: 2 });
    addAll(queue, account, ['dan 1', 'eve 1', 'dan 2', 'eve 2']);
    expect([queue.take(), queue.take()]).toEqual(['dan 1', 'eve 1']);
    addAll(queue, guest, ['ann 1', 'ann 2']);
    queue.release(account('dan'), 10);
    expect(queue.take()).toBe('ann 1');
    queue.release(account('eve'), 10);
    expect(queue.take()).toBe('dan 2');
    queue.release(guest('ann'), 10);
    expect(queue.take()).toBe('ann 2');
  });

  test('takes accounts first when there is one process', () => {
    const queue = open({ size: 1 });
    addAll(queue, guest, ['ann 1']);
    addAll(queue, account, ['dan 1']);
    expect(queue.take()).toBe('dan 1');
    queue.release(account('dan'), 10);
    expect(queue.take()).toBe('ann 1');
  });

  test('drains the waiting jobs and keeps the shares of running ones', () => {
    const queue = open({ callerLimit: 2 });
    addAll(queue, account, ['dan 1', 'dan 2']);
    queue.take();
    addAll(queue, guest, ['ann 1']);
    expect(queue.drain()).toEqual(['dan 2', 'ann 1']);
    expect([queue.length, queue.take()]).toEqual([0, undefined]);
    addAll(queue, account, ['dan 3', 'dan 4']);
    expect(queue.length).toBe(1);
  });

  const callers = fc.array(fc.constantFrom('ann', 'bob', 'cleo'), { maxLength: 40 });

  test('never loses a job, and no caller waits for more than one job of each other caller', () => {
    fc.assert(
      fc.property(callers, (names) => {
        const queue = open({ queueLimit: 100, callerLimit: 100 });
        const jobs = names.map((caller, i) => `${caller} ${i}`);
        addAll(queue, account, jobs);
        expect(queue.length).toBe(jobs.length);
        const order = takeAll(queue);
        expect([...order].sort()).toEqual([...jobs].sort());
        for (const caller of new Set(names)) {
          const turns = order.flatMap((job, i) => (job.startsWith(caller) ? [i] : []));
          const first = turns[0] ?? 0;
          expect(first).toBeLessThan(new Set(names).size);
          turns.forEach((turn, i) => {
            if (i > 0) expect(turn - turns[i - 1]!).toBeLessThanOrEqual(new Set(names).size);
          });
        }
      }),
    );
  });

  test('reports places in the order in which the jobs are taken', () => {
    fc.assert(
      fc.property(
        callers,
        fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 3, maxLength: 3 }),
        (names, debts) => {
          const queue = open({ queueLimit: 100, callerLimit: 100 });
          const debtOf = (name: string) => debts[['ann', 'bob', 'cleo'].indexOf(name)]!;
          for (const [i, name] of names.entries()) queue.add(guest(name, debtOf(name)), `${name} ${i}`);
          const places = queue.places();
          expect([...places.values()]).toEqual(names.map((_, i) => i + 1));
          expect(takeAll(queue)).toEqual([...places.keys()]);
        },
      ),
    );
  });
});
