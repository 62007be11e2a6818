/** The port for heavy work in child processes. Adapters: `media/pool.ts`, and `media/meteredPool.ts` around it. */
import { AppError } from '../errors.ts';
import type { JobTable, MediaJobs, Progress } from './mediaJobs.ts';

/** Guests and accounts wait in lanes of their own. */
export type Lane = 'guest' | 'account';

/** The caller of a job. */
export interface Caller {
  /** Turns and shares are counted by this. */
  readonly name: string;
  readonly lane: Lane;
  /** The payers of the processor time; the budget of each depends on its kind. Empty for the operator's own work. */
  readonly payers: readonly Payer[];
}
/** A holder of a budget of processor time. */
export interface Payer {
  readonly kind: 'guest' | 'network' | 'account';
  readonly name: string;
}

/** The options of one job. */
export interface RunOptions {
  readonly caller: Caller;
  /** Ends the job, and its process. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Reports the job's place while it waits, 1 for the next one, and 0 when a job that waited begins. */
  readonly onPlace?: ((place: number) => void) | undefined;
  /** How many times as much processor time as usual the job may take; 1 when absent. For work of a known size. */
  readonly limitFactor?: number | undefined;
}

/** Pixels of an engraving for which a job may take as long again: usually they take 1 to 4 s of processor time. */
const PIXELS_FOR_LIMIT = 25_000_000;

/** Returns the factor for the limit of a job that engraves this many pixels. */
export const engravingLimitFactor = (pixels: number): number => 1 + Math.floor(pixels / PIXELS_FOR_LIMIT);

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

/** Child processes that run jobs, each caller in turn. */
export interface Pool<Jobs extends JobTable<Jobs>, Options = RunOptions> {
  /**
   * Runs a job in a child process. Throws the job's AppError; a PoisonJobError when it took too much processor time or
   * memory, or crashed its process; tooMany when the queue or the caller's share is full or the caller has used up a
   * budget; unavailable when no process took it in time; the signal's reason when aborted.
   */
  run<J extends keyof Jobs & string>(job: J, input: Jobs[J]['input'], options: Options): Promise<Jobs[J]['output']>;
  stats(): PoolStats;
  /** Accepts no more jobs, lets the running ones end within the time, then ends every process. */
  close(graceMs?: number): Promise<void>;
}
export type MediaPool = Pool<MediaJobs>;

/** A picture that no process can work on, whoever sends it and however idle the machine is. */
export class PoisonJobError extends AppError {
  constructor(message: string) {
    super('unprocessable', message);
    this.name = 'PoisonJobError';
  }
}
