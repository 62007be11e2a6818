/**
 * Decides when a job has to end, from readings of what its process has used. The job is judged by its own processor
 * time, so a busy machine fails no picture. It knows no processes and no clock.
 */
import type { StepLimit } from '../platform/ports/mediaJobs.ts';
import type { ProcessUsage } from './processUsage.ts';

/** The limits of one job. */
export interface JobLimits {
  /** Processor time of the job. */
  readonly processorMs: number;
  /** Resident memory of its process. */
  readonly memoryBytes: number;
  /** A job that reports nothing and uses next to no processor time for this long stands still. */
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
  noteProgress(nowMs: number): void;
}

/** An idle process uses less than this; a working one gets more even on a busy machine. */
const IDLE_MS = 100;

/** Starts to measure a job. `startMs` is the processor time that its process had used before. */
export function createJobMeter(limits: JobLimits, startMs: number, nowMs: number): JobMeter {
  let processorMs = 0;
  let active = { processorMs, atMs: nowMs };
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
      if (processorMs - active.processorMs >= IDLE_MS) active = { processorMs, atMs: readAtMs };
      if (processorMs > stepEndMs) return 'step';
      if (processorMs > limits.processorMs) return 'processor';
      if (usage.residentBytes > limits.memoryBytes) return 'memory';
      return readAtMs - active.atMs > limits.standstillMs ? 'standstill' : undefined;
    },
    noteProgress(reportedAtMs) {
      active = { processorMs, atMs: reportedAtMs };
    },
  };
}
