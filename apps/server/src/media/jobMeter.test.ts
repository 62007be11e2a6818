import { describe, expect, test } from 'vitest';
import { createJobMeter } from './jobMeter.ts';

const limits = { processorMs: 15_000, memoryBytes: 1_000, standstillMs: 60_000 };
const start = () => createJobMeter(limits, 400, 0);
const usage = (processorMs: number, residentBytes = 500) => ({ processorMs, residentBytes });

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

  test('ends a job that uses no processor time and reports nothing', () => {
    const meter = start();
    expect(meter.read(usage(450), 60_000)).toBeUndefined();
    expect(meter.read(usage(450), 60_001)).toBe('standstill');
  });

  test('lets a job go on that reports progress or uses processor time', () => {
    const meter = start();
    meter.noteProgress(50_000);
    expect(meter.read(usage(450), 110_000)).toBeUndefined();
    expect(meter.read(usage(550), 110_001)).toBeUndefined();
    expect(meter.read(usage(550), 170_001)).toBeUndefined();
    expect(meter.read(usage(550), 170_002)).toBe('standstill');
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
