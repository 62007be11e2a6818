/**
 * Heavy work in child processes that can be killed: a native decoder that hangs ends with SIGKILL, which a thread would
 * ignore. One job at a time in a process. `jobQueue.ts` decides which job is next, `workers.ts` keeps the
 * processes running, `workerProcess.ts` runs one of them by the states of `workerState.ts`.
 */
import type { Logger } from 'pino';
import { AppError, isErrorCode } from '../platform/errors.ts';
import type { JobTable } from '../platform/ports/mediaJobs.ts';
import type { Lane, Pool } from '../platform/ports/mediaPool.ts';
import { createJobQueue, type JobQueue, type QueuedCaller } from './jobQueue.ts';
import { cannotProcess, type PoolJob, type PoolRunOptions, type WorkerReply } from './workerProcess.ts';
import { jobOf } from './workerState.ts';
import { createWorkers, type Workers, type WorkersSettings } from './workers.ts';

type Limits = 'processorLimitMs' | 'memoryLimitBytes' | 'standstillMs' | 'startLimitMs' | 'restartPauseMs';

export interface PoolSettings extends Omit<WorkersSettings, Limits> {
  /** Processor time that ends a job; 15 s when absent. A job may have a limit of its own. */
  readonly processorLimitMs?: number;
  readonly memoryLimitBytes?: number;
  /** A job that uses no processor time and reports nothing for this long is ended. */
  readonly standstillMs?: number;
  /** Processor time that ends the start of a process; 30 s when absent. */
  readonly startLimitMs?: number;
  /** The waiting jobs of one lane. */
  readonly queueLimit?: number;
  /** The waiting and the running jobs of one caller. */
  readonly callerLimit?: number;
  /** The longest wait of a job for a process, in ms. Most callers disconnect before. */
  readonly waitLimitMs?: number;
  readonly restartPauseMs?: number;
  /** Called when a process has become free and no job waits for it. */
  readonly onFree?: () => void;
  /** Processes start when a job waits for one, and end after this long without any. When absent, they always run. */
  readonly idleMs?: number;
}

/** A job, its caller as the queue knows it, and what ends its waiting and its listening. */
interface QueuedJob extends PoolJob {
  readonly caller: QueuedCaller;
  /** The last reported place in the queue. */
  place?: number;
  readonly onAbort: () => void;
  queueTimeout?: NodeJS.Timeout;
  /** True after its process was killed by the system: it runs a second time, and no third one. */
  isSecondRun: boolean;
}

/** A pool of this server's own processes. */
export interface ProcessPool<Jobs extends JobTable<Jobs>> extends Pool<Jobs, PoolRunOptions> {
  /**
   * Lists the lanes of which a job would begin at once, or with the start of a process, first the one that is next,
   * while `reserve` of the free processes are spoken for.
   */
  freeLanes(reserve?: number): Lane[];
}

const RETRY_AFTER_SECONDS = 5;
const tryAgain = { retryAfterSeconds: RETRY_AFTER_SECONDS };
export const stopping = () =>
  new AppError('unavailable', 'The server is stopping. Please try again in a moment.', tryAgain);

/** The limits of waiting jobs, as in `PoolSettings`. */
export const QUEUE_LIMITS = { queueLimit: 50, callerLimit: 3, waitLimitMs: 5 * 60_000 };

/** Counts the processes that may take jobs, and those that run one. */
function countStates({ all }: Workers): { readonly ready: number; readonly running: number } {
  const states = [...all].map(({ state }) => state);
  return {
    ready: states.filter(({ name }) => name === 'idle' || name === 'busy').length,
    running: states.filter(jobOf).length,
  };
}

/** Counts the processes that would begin a job at once, and with `idleMs` those that would start for one. */
const countFree = ({ all, room }: Workers, idleMs: number | undefined): number =>
  [...all].filter(({ state }) => state.name === 'idle').length + (idleMs === undefined ? 0 : room);

/**
 * Starts the processes at once, so that the first job does not wait for one; with `idleMs`, with the first job.
 *
 * Over 120 lines: the decisions lie in files of their own, and this is their wiring, one event after another.
 */
export function createPool<Jobs extends JobTable<Jobs>>(settings: PoolSettings): ProcessPool<Jobs> {
  const { log, size, idleMs } = settings;
  const { queueLimit, callerLimit, waitLimitMs } = { ...QUEUE_LIMITS, ...settings };
  const { processorLimitMs = 15_000, memoryLimitBytes = 512 * 2 ** 20, standstillMs = 60_000 } = settings;
  const { startLimitMs = 30_000, restartPauseMs = 1_000 } = settings;
  const queue = createJobQueue<QueuedJob>({ size, queueLimit, callerLimit });
  const counts = { done: 0, failed: 0, killed: 0 };
  let idleTimer: NodeJS.Timeout | undefined;
  let onIdle: (() => void) | undefined;
  const workers = createWorkers(
    { ...settings, processorLimitMs, memoryLimitBytes, standstillMs, startLimitMs, restartPauseMs },
    {
      isNeeded: () => idleMs === undefined || queue.length > 0,
      onReady: () => dispatch(),
      onReply(job, reply, costMs) {
        release(job as QueuedJob, costMs);
        if (reply.kind === 'done') {
          counts.done++;
          job.resolve(reply.output as never);
        } else {
          counts.failed++;
          job.reject(toError(reply, job.name, log));
        }
        dispatch();
      },
      onKill: () => void counts.killed++,
      onBroken(poolJob, { reason, isKilledBySystem }, costMs) {
        const job = poolJob as QueuedJob;
        release(job, costMs);
        // One that ended its process by itself would break the next one as well.
        const runsAgain = isKilledBySystem && !job.isSecondRun && !workers.isClosing;
        if (runsAgain && !job.options.signal?.aborted) return add(Object.assign(job, { isSecondRun: true }));
        counts.failed++;
        job.reject(reason);
        dispatch(); // a process that was kept free of this lane may take the next job
      },
      onExit: () => (idleMs === undefined ? onIdle?.() : dispatch()),
    },
  );

  const isIdle = (): boolean => [...workers.all].every(({ state }) => !jobOf(state));

  /** Assigns waiting jobs to idle processes. */
  function dispatch(): void {
    for (const worker of workers.all) {
      if (worker.state.name !== 'idle') continue;
      const job = queue.take();
      if (!job) break;
      clearTimeout(job.queueTimeout);
      if (job.place) job.options.onPlace?.(0);
      worker.run(job);
    }
    reportPlaces(queue);
    retireWhenIdle();
    onIdle?.();
    if (queue.length === 0 && countFree(workers, idleMs) > 0) settings.onFree?.();
  }

  /** Ends the processes after a time without jobs, because idle ones hold memory. */
  function retireWhenIdle(): void {
    clearTimeout(idleTimer);
    if (idleMs === undefined || queue.length > 0 || !isIdle()) return;
    idleTimer = setTimeout(() => {
      for (const worker of workers.all) if (!jobOf(worker.state)) worker.retire('retired');
    }, idleMs);
    idleTimer.unref();
  }

  function release(job: QueuedJob, costMs: number): void {
    job.options.signal?.removeEventListener('abort', job.onAbort);
    queue.release(job.caller, costMs);
    job.options.onProcessorTime?.(costMs);
  }

  /** Ends a waiting job. Returns false when it already runs. */
  function dequeue(job: QueuedJob, reason: unknown): boolean {
    if (!queue.dequeue(job.caller, job)) return false;
    clearTimeout(job.queueTimeout);
    job.options.signal?.removeEventListener('abort', job.onAbort);
    job.reject(reason);
    reportPlaces(queue);
    return true;
  }

  function enqueue(
    name: string,
    input: unknown,
    options: PoolRunOptions,
    ends: Pick<PoolJob, 'resolve' | 'reject'>,
  ): void {
    const { signal, debtMs = 0 } = options;
    const caller = { name: options.caller.name, lane: options.caller.lane, debtMs };
    const job: QueuedJob = {
      ...{ name, input, options, caller, ...ends, isSecondRun: false },
      onAbort() {
        if (dequeue(job, signal?.reason)) return;
        for (const worker of workers.all) if (jobOf(worker.state) === job) worker.kill(signal?.reason);
      },
    };
    add(job);
  }

  function add(job: QueuedJob): void {
    const outcome = queue.add(job.caller, job);
    if (outcome !== 'added') {
      job.reject(outcome === 'callerIsFull' ? callerIsFull(callerLimit) : queueIsFull());
      return;
    }
    const { signal } = job.options;
    signal?.addEventListener('abort', job.onAbort, { once: true });
    job.queueTimeout = setTimeout(() => dequeue(job, waitedTooLong()), waitLimitMs);
    dispatch();
    if (queue.length > 0) workers.startOne();
  }

  return {
    run: (name, input, options) =>
      new Promise((resolve, reject) => {
        if (options.signal?.aborted) reject(options.signal.reason);
        else if (workers.isClosing) reject(stopping());
        else enqueue(name, input, options, { resolve, reject });
      }),
    freeLanes: (reserve = 0) =>
      !workers.isClosing && queue.length === 0 && countFree(workers, idleMs) > reserve ? queue.openLanes(reserve) : [],
    stats: () => ({ size, ...countStates(workers), queued: queue.length, ...counts }),
    async close(graceMs = 0) {
      workers.stopStarting();
      clearTimeout(idleTimer);
      for (const job of queue.drain()) {
        clearTimeout(job.queueTimeout);
        job.options.signal?.removeEventListener('abort', job.onAbort);
        job.reject(stopping());
      }
      if (graceMs > 0 && !isIdle()) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, graceMs);
          onIdle = () => {
            if (!isIdle()) return;
            clearTimeout(timer);
            resolve();
          };
        });
      }
      await workers.end(stopping());
    },
  };
}

/** Reports the places that have changed. */
function reportPlaces(queue: JobQueue<QueuedJob>): void {
  for (const [job, place] of queue.places()) {
    if (place === job.place) continue;
    job.place = place;
    job.options.onPlace?.(place);
  }
}

/**
 * Returns the AppError that a job threw. Anything else that it threw is a bug: it is logged, and the caller reads a
 * plain sentence.
 */
function toError(reply: WorkerReply & { kind: 'failed' }, job: string, log: Logger): AppError {
  if (isErrorCode(reply.code)) return new AppError(reply.code, reply.message);
  log.error({ job, stack: reply.stack ?? reply.message }, 'a media job failed');
  return cannotProcess();
}

export const callerIsFull = (limit: number) =>
  new AppError('tooMany', `You already have ${limit} pictures in work. Please wait until one is done.`, tryAgain);
export const queueIsFull = () =>
  new AppError('tooMany', 'Many pictures are in work at this moment. Please try again in a few seconds.', tryAgain);
export const waitedTooLong = () =>
  new AppError('unavailable', 'No picture can be worked on just now. Please try again in a moment.', tryAgain);
