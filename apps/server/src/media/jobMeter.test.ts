import { describe, expect, test } from 'vitest';
import { createJobMeter } from './jobMeter.ts';

const limits = { processorMs: 15_000, memoryBytes: 1_000, standstillMs: 60_000 };
const start = () => createJobMeter(limits, 400, 0);
const usage = (processorMs: number, residentBytes = 500, waitMs = 0) => ({ processorMs, residentBytes, waitMs });

describe('the meter of a job', () => {
  test('lets a job run for 1,000 s while it gets 2 s of processor time', () => {
    const meter = start();
    // A busy machine gives this process 1 ms of every 500 ms.
    for (let second = 1; second <= 2_000; second++) {
      expect(meter.read(usage(400 + second), second * 1_000 * 0.5)).toBeUndefined();
    }
    expect(meter.processorMs).toBe(2_000);
  });

  test('ends a job by its own processor time, without what its process used before', () => {
    const meter = start();
    expect(meter.read(usage(15_400), 1_000)).toBeUndefined();
    expect(meter.read(usage(15_410), 1_250)).toBe('processor');
  });

  test('ends a job by the memory of its process', () => {
    expect(start().read(usage(500, 1_001), 250)).toBe('memory');
  });

  /**
   * Reads the same usage four times a second for 70 s, and returns the second in which the job exceeds a limit. It
   * waits for a processor in a share of the time.
   */
  function readOn(meter: ReturnType<typeof start>, processorMs: number, fromSecond: number, share = 0) {
    for (let ms = 250; ms <= 70_000; ms += 250) {
      if (meter.read(usage(processorMs, 500, ms * share), fromSecond * 1_000 + ms)) return fromSecond + ms / 1_000;
    }
    return undefined;
  }

  test('ends a job that uses no processor time and reports nothing', () => {
    expect(readOn(start(), 450, 0)).toBe(60.25);
  });

  test('lets a job go on that reports progress or uses processor time', () => {
    const meter = start();
    meter.read(usage(450), 50_000);
    meter.noteProgress();
    expect(meter.read(usage(550), 50_250)).toBeUndefined();
    expect(readOn(meter, 550, 50.25)).toBe(110.5);
  });

  test('does not count time in which it waits for a processor that others have', () => {
    expect(readOn(start(), 450, 0, 0.5)).toBeUndefined();
    expect(readOn(start(), 450, 0, 0.1)).toBe(66.75);
  });

  test('does not count time in which nothing was read, as on a machine that was paused', () => {
    const meter = start();
    expect(meter.read(usage(450), 10 * 60_000)).toBeUndefined();
    expect(readOn(meter, 450, 600)).toBe(659.25);
  });

  test('ends a step by the processor time of the step alone', () => {
    const meter = start();
    const limit = { processorMs: 1_800, refusal: 'Too slow.' };
    meter.read(usage(3_400), 250);
    meter.setStep(limit, 3_500);
    expect(meter).toMatchObject({ step: limit, remainingMs: 1_800 });
    expect(meter.read(usage(5_300), 500)).toBeUndefined();
    expect(meter.remainingMs).toBe(0);
    expect(meter.read(usage(5_310), 750)).toBe('step');
    meter.setStep(undefined, 5_320);
    expect(meter.read(usage(9_000), 1_000)).toBeUndefined();
    expect(meter.remainingMs).toBe(6_400);
    // The limit of the job holds in a step, too.
    meter.setStep(limit, 15_000);
    expect(meter.remainingMs).toBe(400);
    expect(meter.read(usage(15_410), 1_250)).toBe('processor');
  });

  test('keeps the highest reading', () => {
    const meter = start();
    meter.read(usage(1_400), 250);
    meter.read(usage(0), 500);
    expect(meter.processorMs).toBe(1_000);
  });
});
