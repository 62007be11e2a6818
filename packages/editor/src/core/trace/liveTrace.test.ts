import type { Artwork } from '@markwright/scene';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { artwork, createDeferred, newDesign } from '../testHost.ts';
import { createLiveTrace, type LiveTraceRequest, type TraceProgress } from './liveTrace.ts';
import { defaultSettings } from './traceSettings.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const request = (despeckle: number): LiveTraceRequest => ({
  design: newDesign('d1'),
  settings: { ...defaultSettings('laser'), despeckle },
  machine: 'laser',
});

function open() {
  const traces: {
    despeckle: number | undefined;
    isRough: boolean;
    signal: AbortSignal;
    progress(fraction: number): void;
    answer: ReturnType<typeof createDeferred<Artwork | undefined>>;
  }[] = [];
  const artworks: Artwork[] = [];
  const progress: (TraceProgress | undefined)[] = [];
  let unavailable = 0;
  const live = createLiveTrace(
    (_design, { settings: { despeckle } }, { signal, isRough, onProgress }) => {
      const answer = createDeferred<Artwork | undefined>();
      signal.addEventListener('abort', () => answer.reject(signal.reason));
      traces.push({
        despeckle,
        isRough,
        signal,
        answer,
        progress: (fraction) => onProgress({ stage: 'curves', fraction }),
      });
      return answer.promise;
    },
    {
      onArtwork: (next) => artworks.push(next),
      onProgress: (step) => progress.push(step),
      onUnavailable: () => unavailable++,
    },
    () => Date.now(),
  );
  return { live, traces, artworks, progress, isUnavailable: () => unavailable > 0 };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('traces only the newest of the settings that arrive during a quick trace, after it', async () => {
  const { live, traces, artworks } = open();
  for (const despeckle of [1, 2, 3, 4]) live.show(request(despeckle));
  expect(traces.map(({ despeckle }) => despeckle)).toEqual([1]);
  await pass(100);
  live.show(request(5));
  traces[0]!.answer.resolve(artwork);
  await pass(0);
  expect(artworks).toHaveLength(1);
  expect(traces.map(({ despeckle }) => despeckle)).toEqual([1, 5]);
});

test('aborts a slow trace for newer settings and never shows it', async () => {
  const { live, traces, artworks } = open();
  live.show(request(1));
  await pass(151);
  live.show(request(2));
  await pass(0);
  expect(traces[0]!.signal.aborted).toBe(true);
  expect(traces.map(({ despeckle }) => despeckle)).toEqual([1, 2]);
  traces[0]!.answer.resolve({ ...artwork, width: 1 });
  traces[1]!.answer.resolve(artwork);
  await pass(0);
  expect(artworks).toEqual([artwork]);
});

test('shows a sketch first, then the exact trace once the hand rests, unless newer settings arrive', async () => {
  const { live, traces, artworks } = open();
  live.show(request(1));
  traces[0]!.answer.resolve({ ...artwork, width: 1 });
  await pass(149);
  expect(traces.map(({ isRough }) => isRough)).toEqual([true]);
  await pass(1);
  expect(traces.map(({ isRough }) => isRough)).toEqual([true, false]);
  traces[1]!.answer.resolve(artwork);
  await pass(1000);
  expect(artworks.map(({ width }) => width)).toEqual([1, artwork.width]);
  expect(traces).toHaveLength(2);

  live.show(request(2));
  traces[2]!.answer.resolve(artwork);
  await pass(160);
  live.show(request(3));
  await pass(0);
  expect(traces[3]).toMatchObject({ despeckle: 2, isRough: false });
  expect(traces[3]!.signal.aborted).toBe(true);
  expect(traces[4]).toMatchObject({ despeckle: 3, isRough: true });

  traces[4]!.answer.resolve(artwork);
  await pass(100);
  live.show(request(4));
  await pass(100);
  expect(traces.at(-1)).toMatchObject({ despeckle: 4, isRough: true });
});

test('reports progress only of a trace that takes longer than a quarter of a second', async () => {
  const { live, traces, progress } = open();
  live.show(request(1));
  traces[0]!.progress(0.3);
  await pass(200);
  traces[0]!.answer.resolve(artwork);
  await pass(500);
  expect(progress).toEqual([]);

  live.show(request(2));
  await pass(0); // the finishing of the first is given up
  traces[2]!.progress(0.3);
  await pass(260);
  traces[2]!.progress(0.6);
  traces[2]!.answer.resolve(artwork);
  await pass(0);
  expect(progress.map((step) => step?.fraction)).toEqual([0.3, 0.6, undefined]);
});

test('shows nothing of a stopped trace, and starts no other', async () => {
  const { live, traces, artworks, isUnavailable } = open();
  live.show(request(1));
  live.show(request(2));
  live.stop();
  await pass(500);
  expect(traces).toHaveLength(1);
  expect(artworks).toEqual([]);
  expect(isUnavailable()).toBe(false);
});

test('shows nothing while warming up, except what is requested meanwhile', async () => {
  const { live, traces, artworks } = open();
  live.warmUp(request(1));
  live.show(request(2));
  traces[0]!.answer.resolve(artwork);
  await pass(0);
  expect(artworks).toEqual([]);
  traces[1]!.answer.resolve(artwork);
  await pass(0);
  expect(artworks).toEqual([artwork]);
});

test.each([
  ['gives nothing', (answer: { resolve(value: undefined): void }) => answer.resolve(undefined)],
  ['fails', (answer: { reject(error: unknown): void }) => answer.reject(new Error('no memory'))],
])('reports a device as unable that %s', async (_name, end) => {
  const { live, traces, isUnavailable } = open();
  live.show(request(1));
  end(traces[0]!.answer);
  await pass(0);
  expect(isUnavailable()).toBe(true);
});
