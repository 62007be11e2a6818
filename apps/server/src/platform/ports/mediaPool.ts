/** The port for heavy work in child processes. Adapter: `media/pool.ts`. */
import type { JobTable, MediaJobs, Progress } from './mediaJobs.ts';

export interface RunOptions {
  /** The caller: shares of the pool are counted by this. */
  readonly caller: string;
  /** Ends the job, and its process. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

interface PoolStats {
  readonly size: number;
  /** Processes that are idle or run a job. */
  readonly ready: number;
  readonly running: number;
  readonly queued: number;
  /** Jobs by their outcome, since the start. */
  readonly done: number;
  readonly failed: number;
  readonly killed: number;
}

export interface Pool<Jobs extends JobTable<Jobs>> {
  /**
   * Runs a job in a child process. Throws the job's AppError; unprocessable when it took too long or too much memory,
   * or crashed its process; tooMany when the queue or the caller's share is full; unavailable when no process took it
   * in time; the signal's reason when aborted.
   */
  run<J extends keyof Jobs & string>(job: J, input: Jobs[J]['input'], options: RunOptions): Promise<Jobs[J]['output']>;
  stats(): PoolStats;
  /** Accepts no more jobs, lets the running ones end within the time, then ends every process. */
  close(graceMs?: number): Promise<void>;
}
export type MediaPool = Pool<MediaJobs>;
