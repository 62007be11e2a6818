/**
 * Decides when a job has to end, from readings of what its process has used. The job is judged by its own processor
 * time, so a busy machine fails no picture. It knows no processes and no clock.
 */
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

export type ExceededLimit = 'processor' | 'memory' | 'standstill';

/** The measurement of one running job. */
export interface JobMeter {
  /** The processor time and memory of the job by the newest reading. */
  readonly processorMs: number;
  /** Takes a reading. Returns the limit that the job has exceeded; undefined when there is none. */
  read(usage: ProcessUsage, nowMs: number): ExceededLimit | undefined;
  /** Notes that the job reported progress. */
  noteProgress(nowMs: number): void;
}

/** An idle process uses less than this; a working one gets more even on a busy machine. */
const IDLE_MS = 100;

/** Starts to measure a job. `startMs` is the processor time that its process had used before. */
export function createJobMeter(limits: JobLimits, startMs: number, nowMs: number): JobMeter {
  let processorMs = 0;
  let active = { processorMs, atMs: nowMs };
  return {
    get processorMs() {
      return processorMs;
    },
    read(usage, readAtMs) {
      processorMs = Math.max(processorMs, usage.processorMs - startMs);
      if (processorMs - active.processorMs >= IDLE_MS) active = { processorMs, atMs: readAtMs };
      if (processorMs > limits.processorMs) return 'processor';
      if (usage.residentBytes > limits.memoryBytes) return 'memory';
      return readAtMs - active.atMs > limits.standstillMs ? 'standstill' : undefined;
    },
    noteProgress(reportedAtMs) {
      active = { processorMs, atMs: reportedAtMs };
    },
  };
}
