/**
 * Decides when a job, or the start of a process, has to end, from readings of what the process has used. It is judged
 * by its own processor time, so a busy machine fails no picture. It knows no processes and no clock.
 */
import type { StepLimit } from '../platform/ports/mediaJobs.ts';
import type { ProcessUsage } from './processUsage.ts';

/** The limits of one job. */
export interface JobLimits {
  /** Processor time of the job. */
  readonly processorMs: number;
  /** Resident memory of its process. */
  readonly memoryBytes: number;
  /**
   * A job that reports nothing and uses next to no processor time for this long stands still. Time in which it waits
   * for a processor does not count, nor time in which the server could not read.
   */
  readonly standstillMs: number;
}

export type ExceededLimit = 'processor' | 'memory' | 'standstill' | 'step';

/** The measurement of one running job. */
export interface JobMeter {
  /** The processor time and memory of the job by the newest reading. */
  readonly processorMs: number;
  /** Takes a reading. Returns the limit that the job has exceeded; undefined when there is none. */
  read(usage: ProcessUsage, nowMs: number): ExceededLimit | undefined;
  /** Processor time that is left until a limit, by the newest reading. */
  readonly remainingMs: number;
  /** The limit of the running step; undefined when the job runs without one. */
  readonly step: StepLimit | undefined;
  /** Begins a step, at the processor time that the process has used; ends it when there is no limit. */
  setStep(limit: StepLimit | undefined, usedMs: number): void;
  /** Notes that the job reported progress. */
  noteProgress(): void;
}

/** An idle process uses less than this. */
const IDLE_MS = 100;
/** A longer gap between readings says that the server stood still too, as on a machine that was paused. */
const LONGEST_GAP_MS = 1_000;

/** Starts to measure a job. `startMs` is the processor time that its process had used before. */
export function createJobMeter(limits: JobLimits, startMs: number, nowMs: number): JobMeter {
  let processorMs = 0;
  let readMs = nowMs;
  let waitMs = 0;
  /** The last sign of work: the processor time and the wait of then, and how long the clock has run since. */
  let active = { processorMs, waitMs };
  let sinceMs = 0;
  const noteActivity = (): void => {
    active = { processorMs, waitMs };
    sinceMs = 0;
  };
  let step: StepLimit | undefined;
  /** The processor time of the job at which the step exceeds its limit. */
  let stepEndMs = Infinity;
  return {
    get processorMs() {
      return processorMs;
    },
    get remainingMs() {
      return Math.min(limits.processorMs, stepEndMs) - processorMs;
    },
    get step() {
      return step;
    },
    setStep(limit, usedMs) {
      step = limit;
      processorMs = Math.max(processorMs, usedMs - startMs);
      stepEndMs = limit ? processorMs + limit.processorMs : Infinity;
    },
    read(usage, readAtMs) {
      processorMs = Math.max(processorMs, usage.processorMs - startMs);
      sinceMs += Math.min(readAtMs - readMs, LONGEST_GAP_MS);
      readMs = readAtMs;
      waitMs = usage.waitMs;
      if (processorMs - active.processorMs >= IDLE_MS) noteActivity();
      if (processorMs > stepEndMs) return 'step';
      if (processorMs > limits.processorMs) return 'processor';
      if (usage.residentBytes > limits.memoryBytes) return 'memory';
      return sinceMs - (waitMs - active.waitMs) > limits.standstillMs ? 'standstill' : undefined;
    },
    noteProgress: noteActivity,
  };
}
