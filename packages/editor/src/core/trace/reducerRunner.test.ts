import { expect, test } from 'vitest';
import { createReducerRunner, type ReducerRunner } from './reducerRunner.ts';

/** Counts up to a number by sending itself the next event. */
function countTo(limit: number, perform: (send: (event: number) => Promise<unknown>, effect: number) => unknown) {
  const states: (readonly number[])[] = [];
  const runner: ReducerRunner<readonly number[], number> = createReducerRunner<readonly number[], number, number>([], {
    reduce: (state, event) => ({ state: [...state, event], effects: event < limit ? [event + 1] : [] }),
    onState: (state) => void states.push(state),
    perform: (effect) => perform(runner.send, effect),
  });
  return { runner, states };
}

test('takes an event of an effect after the effects of the event before', async () => {
  const { runner, states } = countTo(3, (send, effect) => send(effect));
  await runner.send(1);
  expect(runner.getState()).toEqual([1, 2, 3]);
  expect(states).toEqual([[1], [1, 2], [1, 2, 3]]);
});

test('resolves when the work of the effects is done', async () => {
  let isDone = false;
  const { runner } = countTo(2, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    isDone = true;
  });
  await runner.send(1);
  expect(isDone).toBe(true);
});
