import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEngraver } from './engraver.ts';
import { findMask } from './masks.ts';
import type { FromWorker, ToWorker } from './messages.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Worker', class {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type EngraverWorker = ReturnType<NonNullable<Parameters<typeof createEngraver>[0]>>;

function open() {
  const workers: { questions: ToWorker[]; isEnded: boolean; answer(message: FromWorker): void }[] = [];
  const engraver = createEngraver(() => {
    const worker: EngraverWorker = {
      onmessage: null,
      onerror: null,
      postMessage: (question: ToWorker) => void record.questions.push(question),
      terminate: () => {
        record.isEnded = true;
      },
    };
    const record = {
      questions: [] as ToWorker[],
      isEnded: false,
      answer: (data: FromWorker) => worker.onmessage?.call(worker as Worker, { data } as MessageEvent<FromWorker>),
    };
    workers.push(record);
    return worker;
  });
  const design = { tracePictureUrl: '/files/t.png' } as never;
  const ask = (controller = new AbortController()) => {
    const { signal } = controller;
    const request = {
      design,
      framing: {},
      engraving: { method: 'jarvis', intervalMm: 0.1, invert: 'auto' } as never,
      place: { width: 1, height: 1, opacity: 1, matrix: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 } },
      surface: { material: 'slate' },
    };
    const reply = engraver.engrave(request, signal);
    reply.catch(() => undefined);
    return { reply, controller };
  };
  return { engraver, workers, ask };
}

const raster = {
  kind: 'raster',
  href: '',
  width: 1,
  height: 1,
  matrix: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 },
  intervalMm: 0.1,
  opacity: 1,
  dotGain: 0,
} as const;
const answerOf = (id: number): FromWorker => ({
  kind: 'engraved',
  id,
  artwork: { ink: undefined, children: [raster] },
  mask: new Uint8Array([1, 2, 3]),
  meanTone: 0.3,
});

test('a mask gets an address, which is let go of', async () => {
  const { ask, workers } = open();
  const { reply } = ask();
  workers[0]!.answer(answerOf(1));
  const { artwork, meanTone, release } = (await reply)!;
  const [child] = artwork.children;
  const href = child?.kind === 'raster' ? child.href : '';
  expect(href).toMatch(/^blob:/);
  expect(meanTone).toBe(0.3);
  expect(findMask(href)?.size).toBe(3);
  release();
  expect(findMask(href)).toBeUndefined();
});

test('one question is with the worker; one that is aborted while it waits is never asked', async () => {
  const { ask, workers } = open();
  const first = ask();
  const second = ask();
  const third = ask();
  second.controller.abort();
  await expect(second.reply).rejects.toThrow();
  expect(workers[0]!.questions.map(({ id }) => id)).toEqual([1]);
  workers[0]!.answer(answerOf(1));
  await first.reply;
  expect(workers[0]!.questions.map(({ id }) => id)).toEqual([1, 3]);
  workers[0]!.answer({ kind: 'refused', id: 3, sentence: 'Choose a larger interval.' });
  await expect(third.reply).rejects.toThrow('Choose a larger interval.');
});

test('an aborted question may finish; one that takes longer ends with its worker', async () => {
  const { ask, workers } = open();
  const quick = ask();
  quick.controller.abort();
  await expect(quick.reply).rejects.toThrow();
  const next = ask();
  workers[0]!.answer(answerOf(1));
  workers[0]!.answer(answerOf(2));
  expect(await next.reply).toBeDefined();
  expect(workers).toHaveLength(1);

  const slow = ask();
  slow.controller.abort();
  const last = ask();
  await vi.advanceTimersByTimeAsync(1000);
  expect(workers[0]!.isEnded).toBe(true);
  workers[1]!.answer(answerOf(4));
  expect(await last.reply).toBeDefined();
});

test('a device that cannot read the picture answers with nothing, and an idle worker is closed', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const { ask, workers } = open();
  const { reply } = ask();
  workers[0]!.answer({ kind: 'unable', id: 1, reason: 'no PNG' });
  expect(await reply).toBeUndefined();
  expect(warn).toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(workers[0]!.isEnded).toBe(true);
  warn.mockRestore();
});
