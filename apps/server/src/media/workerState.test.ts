import { describe, expect, test } from 'vitest';
import { nextWorkerState, restartPauseMs, type WorkerEvent, type WorkerState } from './workerState.ts';

const after = (...events: WorkerEvent<string>[]): WorkerState<string> =>
  events.reduce<WorkerState<string>>(nextWorkerState, { name: 'starting' });
const ready = { kind: 'ready' } as const;
const assignment = { kind: 'assigned', job: 'trace' } as const;
const finish = { kind: 'finished' } as const;
const kill = (reason: string) => ({ kind: 'killed', reason }) as const;

describe('a worker', () => {
  test('starts, takes one job after another, and is idle between them', () => {
    expect(after(ready)).toEqual({ name: 'idle' });
    expect(after(ready, assignment)).toEqual({ name: 'busy', job: 'trace' });
    expect(after(ready, assignment, finish)).toEqual({ name: 'idle' });
    expect(after(ready, assignment, finish, assignment)).toEqual({ name: 'busy', job: 'trace' });
  });

  test('takes no job before it is ready, and no second one', () => {
    expect(after(assignment)).toEqual({ name: 'starting' });
    expect(after(ready, assignment, { kind: 'assigned', job: 'draw' })).toEqual({ name: 'busy', job: 'trace' });
  });

  test('keeps its job and the first reason when it is killed', () => {
    const ending = { name: 'ending', job: 'trace', killReason: 'too long', wasReady: true };
    expect(after(ready, assignment, kill('too long'))).toEqual(ending);
    expect(after(ready, assignment, kill('too long'), kill('too large'))).toEqual(ending);
    expect(after(ready, assignment, kill('too long'), ready)).toEqual(ending);
  });

  test('counts a job as done when its reply was on its way at the kill', () => {
    expect(after(ready, assignment, kill('gone'), finish)).toMatchObject({ name: 'ending', job: undefined });
  });

  test('tells if it was ever ready, because a worker that did not start is not restarted at once', () => {
    expect(after(kill('idle'))).toMatchObject({ wasReady: false, job: undefined });
    expect(after(ready, kill('idle'))).toMatchObject({ wasReady: true, job: undefined });
  });
});

test('the delay before a restart doubles with each round of failures, up to half a minute', () => {
  expect([0, 1, 2, 3, 4, 5].map((failures) => restartPauseMs(failures, 2, 1_000))).toEqual([
    1_000, 1_000, 2_000, 2_000, 4_000, 4_000,
  ]);
  expect(restartPauseMs(1_000, 2, 1_000)).toBe(30_000);
});
