import type { Framing, MachineMode, Straightening } from '@markwright/scene';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { artwork, newDesign } from '../testHost.ts';
import { reduceDesign, startDesignMachine } from './designMachine.ts';
import type { DesignEffect, DesignEvent, DesignMachine, Surroundings } from './designStates.ts';

const onProduct = (designId?: string, machine: MachineMode = 'laser'): Surroundings => ({
  machine,
  artworkId: 'design',
  placement: designId === undefined ? undefined : { designId, isLocked: false },
  area: { widthMm: 100, heightMm: 50 },
  hasLiveTrace: true,
});
const file = new File(['x'], 'logo.png', { type: 'image/png' });

/** Reduces one event after the other; the last entry of each row is what the editor says by then. */
function run(...rows: readonly (readonly [DesignEvent, Surroundings])[]) {
  let state = startDesignMachine('laser');
  let effects: readonly DesignEffect[] = [];
  for (const [event, around] of rows) ({ state, effects } = reduceDesign(state, event, around));
  return { state, panel: state.panel, effects, kinds: effects.map(({ type }) => type) };
}
const untilUpload = [
  [{ type: 'upload', file }, onProduct()],
  [{ type: 'uploaded', jobId: 1, design: newDesign('d1') }, onProduct('d1')],
] as const;
const untilTrace = [...untilUpload, [{ type: 'traced', jobId: 2, artwork }, onProduct('d1')]] as const;

describe('the design machine, event by event', () => {
  test('an upload that arrives is placed, selected, reported and traced', () => {
    const { panel, kinds } = run(...untilUpload);
    expect(panel).toMatchObject({ status: 'success', job: 'vectorize', isTraced: false });
    expect(kinds.filter((kind) => kind !== 'stopLive')).toEqual([
      'showArtwork',
      'dispatch',
      'selectDesign',
      'notify',
      'vectorize',
    ]);
  });

  test('shows a moved setting live without a call to the server', () => {
    const { panel, kinds } = run(...untilTrace, [
      { type: 'changeSettings', changes: { despeckle: 3 } },
      onProduct('d1'),
    ]);
    expect(panel).toMatchObject({ isStale: true, job: undefined });
    expect(kinds).toEqual(['showLive']);
  });

  test('a setting that is let go is stored after a moment, by a job that a newer setting cancels', () => {
    const untilMove = [
      ...untilTrace,
      [{ type: 'changeSettings', changes: { despeckle: 3 } }, onProduct('d1')],
    ] as const;
    const afterKeep = run(...untilMove, [{ type: 'keepSettings' }, onProduct('d1')]);
    expect(afterKeep.kinds).toEqual(['startStoreTimer']);
    const afterStore = run(...untilMove, [{ type: 'store' }, onProduct('d1')]);
    expect(afterStore.panel.job).toBe('store');
    const newer = run(
      ...untilMove,
      [{ type: 'store' }, onProduct('d1')],
      [{ type: 'changeSettings', changes: { despeckle: 4 } }, onProduct('d1')],
    );
    expect(newer.effects).toMatchObject([{ type: 'abort', jobId: 3 }, { type: 'showLive' }]);
    expect(newer.panel.job).toBeUndefined();
  });

  test('a failed job says why and ends; 402 asks for an account', () => {
    const failWith = (error: unknown) => run(...untilUpload, [{ type: 'failed', jobId: 2, error }, onProduct('d1')]);
    expect(failWith(new Error('Too large.'))).toMatchObject({
      panel: { job: undefined, failure: 'Too large.' },
      kinds: ['notify'],
    });
    expect(failWith(Object.assign(new Error('Used up.'), { status: 402 })).kinds).toEqual(['requireAccount']);
  });

  test('another machine brings its own colors and a new trace', () => {
    const { panel, effects } = run(...untilTrace, [{ type: 'editorChanged' }, onProduct('d1', 'uv')]);
    expect(panel.settings).toMatchObject({ colorMode: 'color', shapeStacking: 'stacked' });
    expect(effects.at(-1)).toMatchObject({ type: 'vectorize', request: { machine: 'uv' } });
  });

  test('an editor change that concerns no design changes nothing', () => {
    const before = run(...untilTrace).state;
    const after = reduceDesign(before, { type: 'editorChanged' }, onProduct('d1'));
    expect(after).toEqual({ state: before, effects: [] });
    expect(after.state).toBe(before);
  });
});

// Whole visits: commands of a person, changes of the editor, and answers of the host in any order.
const straighten: Straightening = {
  corners: [
    { x: 0.1, y: 0 },
    { x: 1, y: 0.1 },
    { x: 0.9, y: 1 },
    { x: 0, y: 0.9 },
  ],
  aspect: 2,
};
const framings: Framing[] = [
  {},
  { crop: { x: 0, y: 0, width: 0.5, height: 1 } },
  { crop: { x: 0.25, y: 0, width: 0.5, height: 0.5 } },
  { straighten },
  { straighten, crop: { x: 0.25, y: 0, width: 0.5, height: 0.5 } },
];
const answers = ['uploaded', 'traced', 'loaded', 'missing', 'failed'] as const;
const moves = fc.oneof(
  fc.constantFrom<DesignEvent>(
    { type: 'upload', file },
    { type: 'remove' },
    { type: 'cancel' },
    { type: 'keepSettings' },
    { type: 'store' },
    { type: 'warmUp' },
    { type: 'retrace' },
    { type: 'undoPreview' },
    { type: 'openBackground' },
    { type: 'liveUnavailable' },
    { type: 'changeSettings', changes: { despeckle: 3 } },
    { type: 'changeSettings', changes: { colorMode: 'color', palette: undefined } },
    { type: 'frame', framing: framings[1]! },
    { type: 'frame', framing: framings[4]! },
  ),
  fc.record({
    designId: fc.constantFrom(undefined, 'd1', 'd2'),
    framing: fc.constantFrom(...framings),
    machine: fc.constantFrom<MachineMode>('laser', 'uv'),
  }),
  fc.record({ answer: fc.constantFrom(...answers), back: fc.nat({ max: 3 }) }),
);

function toAnswer(answer: (typeof answers)[number], jobId: number): DesignEvent {
  const design = newDesign(`d${1 + (jobId % 2)}`);
  if (answer === 'uploaded') return { type: 'uploaded', jobId, design };
  if (answer === 'traced') return { type: 'traced', jobId, artwork };
  if (answer === 'loaded') return { type: 'loaded', jobId, design: { design, artwork } };
  if (answer === 'missing') return { type: 'loaded', jobId, design: undefined };
  return { type: 'failed', jobId, error: new Error('It did not work.') };
}

const fits = (state: DesignMachine, answer: (typeof answers)[number]) => {
  const kind = state.running?.kind;
  if (answer === 'failed') return kind !== 'removeBackground';
  if (answer === 'uploaded') return kind === 'upload';
  if (answer === 'traced') return kind === 'vectorize' || kind === 'store' || kind === 'preview';
  return kind === 'load';
};

describe('the design machine, over any visit', () => {
  const visit = (check: (state: DesignMachine, around: Surroundings) => void) =>
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 60 }), (steps) => {
        let state = startDesignMachine('laser');
        let around = onProduct();
        const open = new Set<number>();
        for (const step of steps) {
          let event: DesignEvent;
          if ('answer' in step) {
            const jobId = state.lastJobId - step.back;
            const isCurrent = jobId === state.running?.id;
            if (isCurrent && !fits(state, step.answer)) continue;
            event = toAnswer(step.answer, jobId);
            const transition = reduceDesign(state, event, around);
            // A stale answer never wins.
            if (!isCurrent) {
              expect(transition.state).toBe(state);
              expect(transition.effects).toEqual([]);
            }
            open.delete(jobId);
          } else if ('type' in step) event = step;
          else {
            const { designId, framing, machine } = step;
            around = {
              ...around,
              machine,
              placement: designId === undefined ? undefined : { designId, ...framing, isLocked: false },
            };
            event = { type: 'editorChanged' };
          }
          const before = state.lastJobId;
          const { state: next, effects } = reduceDesign(state, event, around);
          for (let id = before + 1; id <= next.lastJobId; id++) open.add(id);
          for (const effect of effects) if (effect.type === 'abort') open.delete(effect.jobId);
          state = next;
          // Of all jobs that were started, only the running one is neither answered nor aborted.
          expect([...open]).toEqual(state.running ? [state.running.id] : []);
          check(state, around);
        }
      }),
      { numRuns: 400 },
    );

  test('one job runs at a time, and the panel names it', () => {
    visit(({ running, panel }) => {
      expect(panel.status === 'uploading').toBe(running?.kind === 'upload');
      expect(panel.job).toBe(running?.kind === 'upload' ? undefined : running?.kind);
    });
  });

  test('leaves no running job after a cancel', () => {
    visit((state, around) => {
      const { state: after } = reduceDesign(state, { type: 'cancel' }, around);
      expect(after.running).toBeUndefined();
      expect(after.isStorePending).toBe(false);
      expect(after.panel.job).toBeUndefined();
      expect(after.panel.status).not.toBe('uploading');
    });
  });

  test('ends every failed job and keeps the trace before it', () => {
    visit((state, around) => {
      const { running } = state;
      if (!running || running.kind === 'removeBackground') return;
      const failure = { type: 'failed', jobId: running.id, error: new Error('It did not work.') } as const;
      const { state: after } = reduceDesign(state, failure, around);
      expect(after.running).toBeUndefined();
      expect(after.storedSettings).toEqual(state.storedSettings);
    });
  });

  test('calls a panel stale exactly when it differs from the stored trace', () => {
    visit(({ panel, storedSettings }) => {
      expect(panel.isTraced).toBe(panel.design !== undefined && storedSettings !== undefined);
      if (panel.design && !storedSettings) expect(panel.isStale).toBe(true);
      if (!panel.design) expect(panel.isStale).toBe(false);
    });
  });
});
