/**
 * Heavy work in child processes that can be killed: a native decoder that hangs ends with SIGKILL, which a thread would
 * ignore. One job at a time in a process. `jobQueue.ts` decides which job is next, `workers.ts` keeps the
 * processes running, `workerProcess.ts` runs one of them by the states of `workerState.ts`.
 */
import type { Logger } from 'pino';
import { AppError, isErrorCode } from '../platform/errors.ts';
import type { JobTable } from '../platform/ports/mediaJobs.ts';
import type { Pool, RunOptions } from '../platform/ports/mediaPool.ts';
import { createJobQueue } from './jobQueue.ts';
import { cannotProcess, type PoolJob, type WorkerReply } from './workerProcess.ts';
import { jobOf } from './workerState.ts';
import { createWorkers, type WorkersSettings } from './workers.ts';

type Limits = 'timeLimitMs' | 'memoryLimitBytes' | 'startLimitMs' | 'restartPauseMs';

export interface PoolSettings extends Omit<WorkersSettings, Limits> {
  readonly timeLimitMs?: number;
  readonly memoryLimitBytes?: number;
  readonly startLimitMs?: number;
  readonly queueLimit?: number;
  readonly callerLimit?: number;
  /** How long a job waits for a process, at most. */
  readonly waitLimitMs?: number;
  readonly restartPauseMs?: number;
  /** Processes start when a job waits for one, and end after this long without any. When absent, they always run. */
  readonly idleMs?: number;
}

/** A job and what ends its waiting and its listening. */
interface QueuedJob extends PoolJob {
  readonly onAbort: () => void;
  queueTimeout?: NodeJS.Timeout;
}

const RETRY_AFTER_SECONDS = 5;
const tryAgain = { retryAfterSeconds: RETRY_AFTER_SECONDS };
const stopping = () => new AppError('unavailable', 'The server is stopping. Please try again in a moment.', tryAgain);

/**
 * Starts the processes at once, so that the first job does not wait for one; with `idleMs`, with the first job.
 *
 * Over 120 lines: the decisions lie in files of their own, and this is their wiring, one event after another.
 */
export function createPool<Jobs extends JobTable<Jobs>>(settings: PoolSettings): Pool<Jobs> {
  const { log, size, queueLimit = 50, callerLimit = 3, waitLimitMs = 30_000, idleMs } = settings;
  const { timeLimitMs = 15_000, memoryLimitBytes = 512 * 2 ** 20 } = settings;
  const { startLimitMs = 30_000, restartPauseMs = 1_000 } = settings;
  const queue = createJobQueue<QueuedJob>({ queueLimit, callerLimit });
  const counts = { done: 0, failed: 0, killed: 0 };
  let idleTimer: NodeJS.Timeout | undefined;
  let onIdle: (() => void) | undefined;
  const workers = createWorkers(
    { ...settings, timeLimitMs, memoryLimitBytes, startLimitMs, restartPauseMs },
    {
      isNeeded: () => idleMs === undefined || queue.length > 0,
      onReady: () => dispatch(),
      onReply(job, reply) {
        release(job as QueuedJob);
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
      onBroken(job, reason) {
        // Never tried again: what broke one process would break the next.
        release(job as QueuedJob);
        counts.failed++;
        job.reject(reason);
      },
      onExit: () => onIdle?.(),
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
      worker.run(job);
    }
    retireWhenIdle();
    onIdle?.();
  }

  /** Ends the processes when nobody has asked for anything for a while, because idle ones hold memory. */
  function retireWhenIdle(): void {
    clearTimeout(idleTimer);
    if (idleMs === undefined || queue.length > 0 || !isIdle()) return;
    idleTimer = setTimeout(() => {
      for (const worker of workers.all) if (!jobOf(worker.state)) worker.retire('retired');
    }, idleMs);
    idleTimer.unref();
  }

  function release(job: QueuedJob): void {
    job.options.signal?.removeEventListener('abort', job.onAbort);
    queue.release(job.options.caller);
  }

  /** Ends a job that waits. Returns false when it runs already. */
  function dequeue(job: QueuedJob, reason: unknown): boolean {
    if (!queue.dequeue(job.options.caller, job)) return false;
    clearTimeout(job.queueTimeout);
    job.options.signal?.removeEventListener('abort', job.onAbort);
    job.reject(reason);
    return true;
  }

  function enqueue(name: string, input: unknown, options: RunOptions, ends: Pick<PoolJob, 'resolve' | 'reject'>): void {
    const { caller, signal } = options;
    const job: QueuedJob = {
      ...{ name, input, options, ...ends },
      onAbort() {
        if (dequeue(job, signal?.reason)) return;
        for (const worker of workers.all) if (jobOf(worker.state) === job) worker.kill(signal?.reason);
      },
    };
    const outcome = queue.add(caller, job);
    if (outcome !== 'added') {
      job.reject(outcome === 'callerIsFull' ? callerIsFull(callerLimit) : queueIsFull());
      return;
    }
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
    stats() {
      const states = [...workers.all].map(({ state }) => state);
      return {
        size,
        ready: states.filter(({ name }) => name === 'idle' || name === 'busy').length,
        running: states.filter(jobOf).length,
        queued: queue.length,
        ...counts,
      };
    },
    async close(graceMs = 0) {
      workers.stopStarting();
      clearTimeout(idleTimer);
      for (let job = queue.take(); job; job = queue.take()) {
        clearTimeout(job.queueTimeout);
        release(job);
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

/**
 * Returns the AppError that a job threw. Anything else that it threw is a bug: it is logged, and the caller reads a
 * plain sentence.
 */
function toError(reply: WorkerReply & { kind: 'failed' }, job: string, log: Logger): AppError {
  if (isErrorCode(reply.code)) return new AppError(reply.code, reply.message);
  log.error({ job, stack: reply.stack ?? reply.message }, 'a media job failed');
  return cannotProcess();
}

const callerIsFull = (limit: number) =>
  new AppError('tooMany', `You already have ${limit} pictures in work. Please wait until one is done.`, tryAgain);
const queueIsFull = () =>
  new AppError('tooMany', 'Many pictures are in work at this moment. Please try again in a few seconds.', tryAgain);
const waitedTooLong = () =>
  new AppError('unavailable', 'No picture can be worked on just now. Please try again in a moment.', tryAgain);
