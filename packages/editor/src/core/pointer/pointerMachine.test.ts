import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ElementId } from '../document/editor.ts';
import {
  noPointers,
  type PointerMachine,
  type PointerSurroundings,
  type PressTarget,
  reducePointer,
  type StagePointerEvent,
} from './pointerMachine.ts';

const still: PointerSurroundings = { selectedIds: [], zoom: 1, pan: { x: 0, y: 0 } };
const nothing: PressTarget = { kind: 'nothing' };
const design: PressTarget = { kind: 'element', elementId: 'design', isLocked: false };
const lockedTarget: PressTarget = { kind: 'element', elementId: 'design', isLocked: true };
const rotate: PressTarget = { kind: 'grip', grip: { kind: 'rotate', elementId: 'design' } };

type Down = Extract<StagePointerEvent, { type: 'down' }>;
const down = (target: PressTarget, changes: Partial<Down> = {}): Down => ({
  type: 'down',
  pointerId: 1,
  point: { x: 10, y: 10 },
  isFinger: false,
  button: 0,
  isSpaceHeld: false,
  isAdding: false,
  target,
  ...changes,
});
const finger = (pointerId: number, x: number) => down(nothing, { pointerId, isFinger: true, point: { x, y: 0 } });
const move = (x: number, pointerId = 1): StagePointerEvent => ({
  type: 'move',
  pointerId,
  point: { x, y: 10 },
  modifiers: { shift: false, alt: false },
});
const up = (pointerId = 1): StagePointerEvent => ({ type: 'up', pointerId });
const cancel = (pointerId = 1): StagePointerEvent => ({ type: 'cancel', pointerId });

function run(around: PointerSurroundings, ...events: readonly StagePointerEvent[]) {
  let machine: PointerMachine = noPointers;
  let effects: ReturnType<typeof reducePointer>['effects'] = [];
  for (const event of events) ({ machine, effects } = reducePointer(machine, event, around));
  return { machine, state: machine.state.name, effects, kinds: effects.map(({ type }) => type) };
}

const both: readonly ElementId[] = ['design', 'text:a'];
const zoomedView = { ...still, zoom: 2 };

// What was done, from rest; the state it leads to; the effects of the last event.
const table: [string, PointerSurroundings, readonly StagePointerEvent[], string, readonly string[]][] = [
  ['a press on an element selects it', still, [down(design)], 'pressing', ['select']],
  ['a press on a selected one of several waits', { ...still, selectedIds: both }, [down(design)], 'pressing', []],
  [
    'which a click selects alone',
    { ...still, selectedIds: both },
    [down(design), up()],
    'idle',
    ['flushFrame', 'clearMarks', 'select'],
  ],
  ['a click with Shift adds', still, [down(design, { isAdding: true })], 'pressing', ['selectElements']],
  ['a press on a locked element selects and holds nothing', still, [down(lockedTarget)], 'idle', ['select']],
  ['two pixels are no drag', still, [down(design), move(12)], 'pressing', []],
  ['three are', still, [down(design), move(13)], 'dragging', ['beginGesture', 'drag']],
  ['a drag goes on', still, [down(design), move(20), move(10)], 'dragging', ['drag']],
  [
    'and ends as one undo step',
    still,
    [down(design), move(20), up()],
    'idle',
    ['flushFrame', 'clearMarks', 'commitGesture'],
  ],
  ['or as none', still, [down(design), move(20), cancel()], 'idle', ['dropFrame', 'clearMarks', 'cancelGesture']],
  ['a press on a grip selects nothing', still, [down(rotate)], 'pressing', []],
  ['the edge of the machine area selects it', still, [down({ kind: 'machineAreaEdge' })], 'idle', ['select']],
  ['a press on nothing begins a marquee', still, [down(nothing)], 'marquee', ['select']],
  ['that is drawn after three pixels', still, [down(nothing), move(12)], 'marquee', []],
  ['and then follows', still, [down(nothing), move(20), move(11)], 'marquee', ['marquee']],
  ['zoomed in, a finger on nothing pans', zoomedView, [finger(1, 0)], 'panning', ['select']],
  ['but the mouse selects', zoomedView, [down(nothing)], 'marquee', ['select']],
  ['the middle button pans over an element', still, [down(design, { button: 1 })], 'panning', []],
  ['so does Space', still, [down(design, { isSpaceHeld: true }), move(20)], 'panning', ['pan']],
  ['the right button does nothing', still, [down(design, { button: 2 })], 'idle', []],
  ['another pointer does not move what is held', still, [down(design), move(50, 2)], 'pressing', []],
  ['nor let it go', still, [down(design), up(2)], 'pressing', []],
  [
    'a second finger pinches',
    still,
    [finger(1, 0), finger(2, 100)],
    'pinching',
    ['cancelGesture', 'dropFrame', 'clearMarks'],
  ],
  ['a third changes nothing', still, [finger(1, 0), finger(2, 100), finger(3, 50)], 'pinching', []],
  ['one finger left pinches no more', still, [finger(1, 0), finger(2, 100), up(2), move(50, 1)], 'pinching', []],
  ['and the last one up ends it', still, [finger(1, 0), finger(2, 100), up(2), up(1)], 'idle', ['flushFrame']],
];

describe('a member of a group that is selected alone', () => {
  const alone: PointerSurroundings = { ...still, selectedIds: ['design'], memberId: 'design' };

  test('stays so while it is pressed and dragged', () => {
    expect(run(alone, down(design)).effects).toEqual([]);
    const { effects } = run(alone, down(design), move(30));
    expect(effects[0]).toMatchObject({ type: 'beginGesture', grip: { kind: 'move', elementIds: ['design'] } });
  });

  test('leads back to its group by a press elsewhere', () => {
    expect(run(alone, down(nothing)).effects).toEqual([{ type: 'select', selection: 'design' }]);
    expect(run({ ...alone, memberId: undefined }, down(nothing)).effects).toEqual([
      { type: 'select', selection: undefined },
    ]);
  });
});

describe('pointers on the stage', () => {
  test.each(table)('%s', (_title, around, events, state, kinds) => {
    const after = run(around, ...events);
    expect(after.state).toBe(state);
    expect(after.kinds).toEqual(kinds);
  });

  test('moves every selected element in a drag', () => {
    const { machine } = run({ ...still, selectedIds: ['text:a'] }, down(design, { isAdding: true }));
    expect(machine.state).toMatchObject({ grip: { kind: 'move', elementIds: ['text:a', 'design'] } });
  });

  test('moves copies when Alt is held as a drag begins, and not when it is pressed later', () => {
    const withAlt = (x: number) => ({ ...move(x), modifiers: { shift: false, alt: true } }) as StagePointerEvent;
    expect(run(still, down(design), withAlt(20)).effects[0]).toMatchObject({ type: 'beginGesture', isCopying: true });
    expect(run(still, down(rotate), withAlt(20)).effects[0]).toMatchObject({ isCopying: false });
    expect(run(still, down(design), move(20), withAlt(30)).kinds).toEqual(['drag']);
  });

  test('keeps the selection in a marquee only when it adds', () => {
    const around = { ...still, selectedIds: both };
    expect(run(around, down(nothing)).machine.state).toMatchObject({ base: [] });
    expect(run(around, down(nothing, { isAdding: true })).machine.state).toMatchObject({ base: both });
  });

  test('a pinch zooms by how far the fingers go apart, within its range, about their middle', () => {
    const pinch = (x: number, zoom = 1) => run({ ...still, zoom }, finger(1, 0), finger(2, 100), move(x, 2)).effects[0];
    expect(pinch(200)).toMatchObject({ type: 'pinch', zoom: expect.closeTo(2, 2), middle: { x: 100 } });
    expect(pinch(5000)).toMatchObject({ zoom: 32 });
    expect(pinch(1, 0.5)).toMatchObject({ zoom: 0.1 });
  });
});

describe('any sequence of pointers', () => {
  const pointers = fc.nat({ max: 3 });
  const events: fc.Arbitrary<StagePointerEvent> = fc.oneof(
    fc
      .record({
        pointerId: pointers,
        x: fc.nat({ max: 40 }),
        isFinger: fc.boolean(),
        button: fc.nat({ max: 2 }),
        isAdding: fc.boolean(),
        target: fc.constantFrom<PressTarget>(nothing, design, lockedTarget, rotate, { kind: 'machineAreaEdge' }),
      })
      .map(({ x, target, ...changes }) => down(target, { ...changes, point: { x, y: 10 } })),
    fc.record({ x: fc.nat({ max: 40 }), pointerId: pointers }).map(({ x, pointerId }) => move(x, pointerId)),
    pointers.map(up),
    pointers.map(cancel),
  );
  const surroundings = fc.record({
    selectedIds: fc.constantFrom<readonly ElementId[]>([], ['design'], both),
    zoom: fc.constantFrom(1, 2),
    pan: fc.constant({ x: 0, y: 0 }),
  });
  const sequence = fc.array(fc.tuple(events, surroundings), { maxLength: 50 });

  test('is idle once every pointer is up or canceled', () => {
    fc.assert(
      fc.property(sequence, fc.constantFrom(up, cancel), (steps, end) => {
        let machine = noPointers;
        for (const [event, around] of steps) machine = reducePointer(machine, event, around).machine;
        for (const pointerId of [0, 1, 2, 3]) machine = reducePointer(machine, end(pointerId), still).machine;
        expect(machine.state.name).toBe('idle');
        expect(machine.fingers.size).toBe(0);
      }),
    );
  });

  test('ends each gesture it begins, once, and draws one only while it runs', () => {
    fc.assert(
      fc.property(sequence, (steps) => {
        let machine = noPointers;
        let isGesturing = false;
        for (const [event, around] of steps) {
          const step = reducePointer(machine, event, around);
          machine = step.machine;
          for (const { type } of step.effects) {
            if (type === 'beginGesture') {
              expect(isGesturing).toBe(false);
              isGesturing = true;
            }
            if (type === 'commitGesture' || type === 'drag') expect(isGesturing).toBe(true);
            if (type === 'commitGesture' || type === 'cancelGesture') isGesturing = false;
          }
          expect(isGesturing).toBe(machine.state.name === 'dragging');
        }
      }),
    );
  });
});
