import type { EngravedArtwork, Engraving } from '@markwright/scene';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngraveRequest, EngravingReply } from '../ports.ts';
import { artwork, createDeferred, designPlacement, newDesign, openEditor } from '../testHost.ts';
import { defaultSettings } from '../trace/traceSettings.ts';
import { createEngravingFlow, type EngravingState, SKETCH_PIXELS } from './engravingFlow.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const neutral = { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 };
const engraving: Engraving = { method: 'jarvis', intervalMm: 0.1, tone: neutral, invert: 'auto' };
const withBrightness = (brightness: number): Engraving => ({ ...engraving, tone: { ...neutral, brightness } });

function open(changes: Parameters<typeof designPlacement>[0] = { engraving }) {
  const editor = openEditor({ design: designPlacement(changes) });
  let panel = {
    design: { ...newDesign('d1'), tracePictureUrl: '/files/t.png' },
    isTraced: true,
    job: undefined as 'load' | undefined,
  };
  const calls: {
    request: EngraveRequest;
    signal: AbortSignal;
    answer: ReturnType<typeof createDeferred<EngravingReply | undefined>>;
    isReleased: boolean;
    artwork: EngravedArtwork;
    reply(): Promise<void>;
  }[] = [];
  let states: ReadonlyMap<string, EngravingState> = new Map();
  const flow = createEngravingFlow(
    editor,
    {
      engrave(request, signal) {
        const answer = createDeferred<EngravingReply | undefined>();
        signal.addEventListener('abort', () => answer.reject(signal.reason));
        const call = {
          request,
          signal,
          answer,
          isReleased: false,
          artwork: { ink: { x: 0.1, y: 0, width: 0.8, height: 1 }, children: [] },
          reply: async () => {
            const release = () => {
              call.isReleased = true;
            };
            answer.resolve({ artwork: call.artwork, meanTone: 0.4, release });
            await vi.advanceTimersByTimeAsync(0);
          },
        };
        calls.push(call);
        return answer.promise;
      },
      suggestWay: async () => undefined,
    },
    {
      readPanel: () => ({ ...panel, settings: defaultSettings('laser') }) as never,
      onStates(next) {
        states = next;
      },
    },
    () => Date.now(),
  );
  const disconnect = editor.subscribe(flow.follow);
  flow.follow();
  return {
    editor,
    flow,
    calls,
    disconnect,
    status: (id = 'design') => states.get(id)?.status,
    state: () => states.get('design'),
    shown: (id = 'design') => editor.getState().assets.engravings?.get(id),
    setPanel(changes: Partial<typeof panel>) {
      panel = { ...panel, ...changes };
      flow.follow();
    },
  };
}

test('engraves at the place of the artwork, and shows what comes back', async () => {
  const { calls, shown, status, state } = open();
  expect(calls).toHaveLength(1);
  expect(status()).toBe('working');
  const { place, surface, maxPixels } = calls[0]!.request;
  // Half of an area of 101.6 × 50.8 mm, in an artwork of 200 × 100.
  expect(place).toMatchObject({ width: 200, height: 100, opacity: 1 });
  expect(place.matrix.a).toBeCloseTo(0.254);
  expect(surface).toEqual({ material: 'slate', markColor: '#C0C0C0' });
  expect(maxPixels).toBeUndefined();
  await calls[0]!.reply();
  expect(shown()).toBe(calls[0]!.artwork);
  expect(state()).toMatchObject({ status: 'done', meanTone: 0.4 });
  // Its box is trimmed to its ink, which is no other place.
  expect(calls).toHaveLength(1);
});

test('waits for the picture, which the server makes with the first trace, and for the machine', async () => {
  const { calls, setPanel, status, editor } = open();
  await calls[0]!.reply();
  editor.dispatch({ type: 'setEngraving', id: 'design', engraving: withBrightness(5) });
  expect(calls).toHaveLength(2);
  const other = open({ engraving, designId: 'd2' });
  expect(other.calls).toHaveLength(0);
  expect(other.status()).toBe('working');
  other.setPanel({ design: { ...newDesign('d2'), tracePictureUrl: '/files/u.png' } });
  expect(other.calls).toHaveLength(1);
  editor.dispatch({ type: 'setMachine', machine: 'uv' });
  expect(status()).toBeUndefined();
  expect(calls[1]!.signal.aborted).toBe(true);
  setPanel({});
  expect(calls).toHaveLength(2);
});

test('a move makes nothing anew; a turn is made when it rests, and a flip at once', async () => {
  const { editor, calls, shown, status } = open();
  await calls[0]!.reply();
  editor.dispatch({ type: 'updateDesign', id: 'design', changes: { x: 10, y: -5 } });
  expect(calls).toHaveLength(1);
  editor.beginGesture();
  for (const angleDeg of [5, 10, 15])
    editor.updateGesture({ type: 'updateDesign', id: 'design', changes: { angleDeg } });
  expect(calls).toHaveLength(1);
  expect(status()).toBe('working');
  expect(shown()).toBe(calls[0]!.artwork);
  editor.commitGesture();
  expect(calls).toHaveLength(2);
  await calls[1]!.reply();
  expect(status()).toBe('done');
  editor.dispatch({ type: 'updateDesign', id: 'design', changes: { isFlipped: true } });
  expect(calls).toHaveLength(3);
});

test('while a setting is moved there are sketches, of the newest setting, and the dots when it rests', async () => {
  const { editor, calls, status, state } = open();
  await calls[0]!.reply();
  editor.beginGesture();
  const move = (brightness: number) =>
    editor.updateGesture({ type: 'setEngraving', id: 'design', engraving: withBrightness(brightness) });
  for (const brightness of [10, 20, 30]) move(brightness);
  expect(calls).toHaveLength(2);
  expect(calls[1]!.request.maxPixels).toBe(SKETCH_PIXELS);
  await calls[1]!.reply();
  expect(calls[2]!.request).toMatchObject({ engraving: withBrightness(30), maxPixels: SKETCH_PIXELS });
  await calls[2]!.reply();
  expect(calls).toHaveLength(3);
  expect(state()?.status).toBe('working');
  editor.commitGesture();
  expect(calls[3]!.request).toMatchObject({ engraving: withBrightness(30) });
  expect(calls[3]!.request.maxPixels).toBeUndefined();
  await calls[3]!.reply();
  expect(status()).toBe('done');
  expect(calls).toHaveLength(4);
  // All of it is one step.
  editor.undo();
  expect(calls[4]!.request.engraving).toEqual(engraving);
});

test('an engraving that takes long is aborted for a newer one, and a quick one is awaited', async () => {
  const { editor, calls } = open();
  const set = (brightness: number) =>
    editor.dispatch({ type: 'setEngraving', id: 'design', engraving: withBrightness(brightness) });
  await vi.advanceTimersByTimeAsync(100);
  set(1);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  set(2);
  expect(calls[0]!.signal.aborted).toBe(true);
  expect(calls[1]!.request.engraving).toEqual(withBrightness(2));
});

test('pictures are let go of a moment after others took their place, and when nothing is engraved', async () => {
  const { editor, calls, shown } = open();
  await calls[0]!.reply();
  editor.dispatch({ type: 'setEngraving', id: 'design', engraving: withBrightness(10) });
  await calls[1]!.reply();
  expect(calls[0]!.isReleased).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls.map(({ isReleased }) => isReleased)).toEqual([true, false]);
  editor.dispatch({ type: 'setEngraving', id: 'design', engraving: undefined });
  expect(shown()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls[1]!.isReleased).toBe(true);
});

test('dots of another frame are not shown, and an engraving that arrives for one is let go of', async () => {
  const { editor, calls, shown } = open();
  await calls[0]!.reply();
  editor.setArtwork('design', { ...artwork, width: 400, height: 200 });
  expect(shown()).toBeUndefined();
  expect(calls[1]!.request.place.width).toBe(400);
  editor.setArtwork('design', { ...artwork, width: 600, height: 300 });
  await calls[1]!.reply();
  expect(calls[1]!.isReleased).toBe(true);
  expect(shown()).toBeUndefined();
  await calls[2]!.reply();
  expect(shown()).toBe(calls[2]!.artwork);
});

test('a refusal is told in its sentence, once for each request', async () => {
  const { editor, calls, state } = open();
  calls[0]!.answer.reject(new Error('Choose a larger interval.'));
  await vi.advanceTimersByTimeAsync(0);
  expect(state()).toMatchObject({ status: 'failed', failure: 'Choose a larger interval.' });
  editor.dispatch({ type: 'updateDesign', id: 'design', changes: { x: 3 } });
  expect(calls).toHaveLength(1);
  editor.dispatch({ type: 'setEngraving', id: 'design', engraving: { ...engraving, intervalMm: 0.2 } });
  expect(calls).toHaveLength(2);
});

test('a large engraving is sketched first', async () => {
  const { calls, status } = open({ engraving: { ...engraving, intervalMm: 0.05 }, size: 400 });
  expect(calls[0]!.request.maxPixels).toBe(SKETCH_PIXELS);
  await calls[0]!.reply();
  expect(status()).toBe('working');
  expect(calls[1]!.request.maxPixels).toBeUndefined();
});

test('an engraving that no stage can show stays a sketch, and says how much is in its file', async () => {
  const { calls, state } = open({ engraving: { ...engraving, intervalMm: 0.05 }, size: 450 });
  expect(calls[0]!.request.maxPixels).toBe(SKETCH_PIXELS);
  await calls[0]!.reply();
  expect(calls).toHaveLength(1);
  expect(state()).toEqual({ status: 'done', meanTone: 0.4, sketchedMillions: 42 });
});

test('of several artworks the active one comes first, and each is made', async () => {
  const { editor, calls, status, shown } = open();
  const copy = designPlacement({ id: 'second', engraving, x: 20 });
  const { composition, assets } = editor.getState();
  editor.setAssets({ artworks: new Map(assets.artworks).set('second', artwork) });
  editor.load({ ...composition, elements: [...composition.elements, copy] });
  await calls[0]!.reply();
  expect(calls).toHaveLength(2);
  await calls[1]!.reply();
  expect([status('design'), status('second')]).toEqual(['done', 'done']);
  expect(shown('second')).toBe(calls[1]!.artwork);
});
