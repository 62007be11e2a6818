import { MAX_STROKES } from '@markwright/contract/words';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CutoutEvent,
  type CutoutMachine,
  isChanged,
  isReady,
  reduceCutout,
  startCutout,
} from './cutoutMachine.ts';

const picture = { width: 1, height: 1, data: new Uint8Array(4) };
const pictures = { original: picture, cutout: picture };
const stroke = { mode: 'erase' as const, radius: 0.02, points: [0.5, 0.5] };
const wish = { edgeShift: 0, feather: 0, strokes: [] };

function run(isRemoved: boolean, ...events: readonly CutoutEvent[]) {
  let state = startCutout(isRemoved);
  let effects: ReturnType<typeof reduceCutout>['effects'] = [];
  for (const event of events) ({ state, effects } = reduceCutout(state, event));
  return { state, effects };
}
const openEvents: readonly CutoutEvent[] = [
  { type: 'open' },
  { type: 'backgroundRead', id: 1, wish },
  { type: 'cutOut', id: 2, pictures },
];
const closedState = { isClosed: true, wait: undefined };

describe('the window that removes a background', () => {
  test('reads how the background was removed, then shows the cut-out', () => {
    expect(run(false, { type: 'open' })).toMatchObject({
      state: { wait: 'open' },
      effects: [{ type: 'readBackground', id: 1 }],
    });
    const read = run(false, ...openEvents.slice(0, 2));
    expect(read).toMatchObject({ state: { wait: 'cutOut' }, effects: [{ type: 'cutOut', id: 2 }] });
    expect(run(true, ...openEvents.slice(0, 2)).state.wait).toBe('open');
    expect(isReady(run(false, ...openEvents).state)).toBe(true);
  });

  test('closes when opening is canceled, and stays open when a later question is canceled', () => {
    expect(run(false, { type: 'open' }, { type: 'leave' })).toMatchObject({
      state: closedState,
      effects: [{ type: 'cancel' }, { type: 'close' }],
    });
    expect(run(false, ...openEvents.slice(0, 2), { type: 'cutOut', id: 2, pictures: undefined }).state).toMatchObject(
      closedState,
    );
    const keepRun = run(false, ...openEvents, { type: 'keep' }, { type: 'leave' });
    expect(keepRun).toMatchObject({ state: { isClosed: false, wait: 'keep' }, effects: [{ type: 'cancel' }] });
    const stagedEvents: readonly CutoutEvent[] = [...openEvents, { type: 'stage', stage: 'writing' }];
    expect(run(false, ...stagedEvents, { type: 'keep' }).state.stage).toBeUndefined();
    const back = run(false, ...openEvents, { type: 'keep' }, { type: 'changed', id: 3, isDone: false });
    expect(isReady(back.state)).toBe(true);
  });

  test('asks before painted strokes are lost', () => {
    const paintEvents: readonly CutoutEvent[] = [...openEvents, { type: 'paint', stroke }];
    expect(run(false, ...paintEvents, { type: 'leave' }).state).toMatchObject({ isLeaving: true, isClosed: false });
    expect(run(false, ...paintEvents, { type: 'leave' }, { type: 'stay' }).state.isLeaving).toBe(false);
    expect(run(false, ...paintEvents, { type: 'leave' }, { type: 'leave' }).state).toMatchObject(closedState);
    expect(run(false, ...openEvents, { type: 'leave' }).state).toMatchObject(closedState);
  });

  test('reverts the enclosed areas when they cannot be cut out again', () => {
    const clearEvents: readonly CutoutEvent[] = [...openEvents, { type: 'clearEnclosed', clearEnclosed: true }];
    expect(run(false, ...clearEvents).state).toMatchObject({ wait: 'cutOut', settings: { clearEnclosed: true } });
    const refusal = run(false, ...clearEvents, { type: 'failed', id: 3, error: new Error('It is not plain.') });
    expect(refusal.state).toMatchObject({ failure: 'It is not plain.', settings: { clearEnclosed: undefined } });
    const cancellation = run(false, ...clearEvents, { type: 'cutOut', id: 3, pictures: undefined });
    expect(cancellation.state).toMatchObject({ isClosed: false, settings: { clearEnclosed: undefined } });
  });

  test('closes and asks for an account when the free mockups are used up', () => {
    const error = Object.assign(new Error('All used up.'), { status: 402 });
    expect(run(false, ...openEvents, { type: 'keep' }, { type: 'failed', id: 3, error })).toMatchObject({
      state: closedState,
      effects: [{ type: 'close' }, { type: 'requireAccount', sentence: 'All used up.' }],
    });
  });

  test('keeps an unchanged cut-out without asking the server', () => {
    expect(run(true, ...openEvents, { type: 'keep' }).effects).toEqual([{ type: 'close' }]);
    expect(run(false, ...openEvents, { type: 'keep' }).effects).toMatchObject([{ type: 'remove' }]);
  });

  test('undoes and redoes strokes, and drops undone strokes with the next one', () => {
    const paintEvents: readonly CutoutEvent[] = [...openEvents, { type: 'paint', stroke }];
    const undoRun = run(false, ...paintEvents, { type: 'undo' });
    expect(undoRun.state).toMatchObject({ settings: { strokes: [] }, redoStrokes: [stroke] });
    expect(isChanged(undoRun.state)).toBe(false);
    expect(run(false, ...paintEvents, { type: 'undo' }, { type: 'redo' }).state.settings.strokes).toEqual([stroke]);
    expect(run(false, ...paintEvents, { type: 'undo' }, { type: 'paint', stroke }).state.redoStrokes).toEqual([]);
  });

  test('paints no more strokes than the server takes', () => {
    const strokes = Array.from({ length: MAX_STROKES + 1 }, (): CutoutEvent => ({ type: 'paint', stroke }));
    const { state } = run(false, ...openEvents, ...strokes);
    expect(state.settings.strokes).toHaveLength(MAX_STROKES);
    expect(state.failure).toMatch(/as much as the brush can paint/);
  });
});

describe('any order of commands and answers', () => {
  const ids = fc.nat({ max: 8 });
  const events: fc.Arbitrary<CutoutEvent> = fc.oneof(
    fc.constantFrom<CutoutEvent>(
      { type: 'open' },
      { type: 'keep' },
      { type: 'restore' },
      { type: 'stay' },
      { type: 'undo' },
      { type: 'redo' },
      { type: 'paint', stroke },
      { type: 'adjust', changes: { feather: 2 } },
      { type: 'clearEnclosed', clearEnclosed: true },
    ),
    ids.map((id): CutoutEvent => ({ type: 'backgroundRead', id, wish })),
    ids.map((id): CutoutEvent => ({ type: 'cutOut', id, pictures })),
    fc.record({ id: ids, isDone: fc.boolean() }).map((answer): CutoutEvent => ({ type: 'changed', ...answer })),
    ids.map((id): CutoutEvent => ({ type: 'failed', id, error: new Error('no') })),
  );
  const visit = (check: (state: CutoutMachine, event: CutoutEvent) => void) =>
    fc.assert(
      fc.property(fc.boolean(), fc.array(events, { maxLength: 40 }), (isRemoved, steps) => {
        let { state } = reduceCutout(startCutout(isRemoved), { type: 'open' });
        for (const event of steps) {
          check(state, event);
          ({ state } = reduceCutout(state, event));
        }
      }),
    );

  test('waits exactly while a question is open', () => {
    visit(({ wait, question }) => expect(wait !== undefined).toBe(question !== undefined));
  });

  test('ignores answers to earlier questions', () => {
    visit((state, event) => {
      if (!('id' in event) || event.id === state.question?.id) return;
      expect(reduceCutout(state, event)).toEqual({ state, effects: [] });
    });
  });

  test('closes within two attempts to leave', () => {
    visit((state) => {
      let left = { ...state };
      if (left.question && left.pictures)
        left = reduceCutout(left, { type: 'failed', id: left.question.id, error: 0 }).state;
      for (let i = 0; i < 2; i++) left = reduceCutout(left, { type: 'leave' }).state;
      expect(left.isClosed).toBe(true);
    });
  });
});
