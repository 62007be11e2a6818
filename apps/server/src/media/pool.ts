/**
 * Heavy work in child processes that can be killed: a native decoder that hangs ends with SIGKILL, which a thread would
 * ignore. One job at a time in a process; waiting jobs are taken from each caller in turn.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { AppError, isErrorCode } from '../platform/errors.ts';
import type { JobTable, Progress } from '../platform/ports/mediaJobs.ts';
import type { Pool, RunOptions } from '../platform/ports/mediaPool.ts';

export interface PoolSettings {
  /** The module the processes run: `serveJobs` with its handlers. */
  readonly entry: string;
  /** Node's own flags for it, e.g. a TypeScript loader in development. */
  readonly execArgv?: readonly string[];
  /** What it finds in its environment besides PATH and NODE_ENV. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly size: number;
  readonly log: Logger;
  readonly timeLimitMs?: number;
  readonly memoryLimitBytes?: number;
  readonly queueLimit?: number;
  readonly callerLimit?: number;
  /** How long a job waits for a process, at most. */
  readonly waitLimitMs?: number;
  /** A process that has not said by then that it is ready is changed for another one. */
  readonly startLimitMs?: number;
  /** The first pause before a process that did not start is tried again. */
  readonly restartPauseMs?: number;
  /** Processes start when a job waits for one, and end after so long without any; absent: they are always there. */
  readonly idleMs?: number;
}

interface Job {
  readonly name: string;
  readonly input: unknown;
  readonly options: RunOptions;
  readonly resolve: (output: never) => void;
  readonly reject: (error: unknown) => void;
}

interface Worker {
  readonly child: ChildProcess;
  isReady: boolean;
  job: Job | undefined;
  /** Why we killed it, when we did. */
  verdict: unknown;
  timers: NodeJS.Timeout[];
}

/** What a process says back. */
export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'done'; output: unknown }
  | { kind: 'failed'; code: string | undefined; message: string; stack: string | undefined };
export type PoolMessage = { job: string; input: unknown };

const MEMORY_CHECK_MS = 250;
const HEAP_MB = 384;
/** Before a process that did not even start is tried again; twice as long after each further failure. */
const RESTART_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

/** Starts the processes at once, so that the first job does not wait for one; with `idleMs`, with the first job. */
export function createPool<Jobs extends JobTable<Jobs>>(settings: PoolSettings): Pool<Jobs> {
  const {
    log,
    size,
    timeLimitMs = 15_000,
    memoryLimitBytes = 512 * 2 ** 20,
    queueLimit = 50,
    callerLimit = 3,
    waitLimitMs = 30_000,
    startLimitMs = 30_000,
    restartPauseMs = RESTART_PAUSE_MS,
    idleMs,
  } = settings;
  const workers = new Set<Worker>();
  /** Callers in the order of their turns, each with its waiting jobs. */
  const waiting = new Map<string, Job[]>();
  /** Waiting and running jobs of each caller. */
  const shares = new Map<string, number>();
  /** What stops listening to a running job's signal. */
  const ends = new Map<Job, () => void>();
  const counts = { queued: 0, done: 0, failed: 0, killed: 0 };
  let isClosing = false;
  let noticeIdle: (() => void) | undefined;
  const pauses = new Set<NodeJS.Timeout>();
  /** Waiting jobs, each with what ends its waiting. */
  const patience = new Map<Job, NodeJS.Timeout>();
  let failedStarts = 0;
  let idling: NodeJS.Timeout | undefined;

  function start(): void {
    if (isClosing || workers.size >= size) return;
    if (idleMs !== undefined && counts.queued === 0) return;
    let child: ChildProcess;
    try {
      child = fork(settings.entry, [], {
        execArgv: [...(settings.execArgv ?? []), `--max-old-space-size=${HEAP_MB}`],
        serialization: 'advanced',
        // Signals of the terminal are for the server, which ends its workers itself.
        detached: true,
        // A stranger's picture is read there: nothing of the server's settings is.
        env: { ...settings.environment, PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
    } catch (error) {
      log.error({ err: error }, 'a media worker could not be started');
      pause();
      return;
    }
    const tooSlow = setTimeout(() => child.kill('SIGKILL'), startLimitMs);
    const worker: Worker = { child, isReady: false, job: undefined, verdict: undefined, timers: [tooSlow] };
    workers.add(worker);
    let complaint = '';
    child.stderr?.on('data', (data: Buffer) => {
      complaint = (complaint + data.toString()).slice(-4_000);
    });
    child.on('message', (message: WorkerMessage) => hear(worker, message));
    child.on('error', (error) => log.error({ err: error }, 'a media worker cannot be reached'));
    // 'close' follows 'exit' and the end of stderr; a process that could not start gives no 'exit'.
    child.once('close', (code, signal) => replace(worker, code, signal, complaint));
  }

  function hear(worker: Worker, message: WorkerMessage): void {
    if (worker.verdict) return; // what a condemned process still says
    if (message.kind === 'ready') {
      worker.isReady = true;
      stopTimers(worker);
      failedStarts = 0;
      next();
      return;
    }
    const { job } = worker;
    if (!job) return;
    if (message.kind === 'progress') {
      job.options.onProgress?.(message.progress);
      return;
    }
    stopTimers(worker);
    void finish(worker, job, message);
  }

  /** What a job left behind counts against the next one's limit: a process that kept half of it gets none, and is changed for a fresh one. */
  async function finish(worker: Worker, job: Job, message: WorkerMessage & { kind: 'done' | 'failed' }): Promise<void> {
    const bytes = await residentBytes(worker.child.pid);
    if (worker.job !== job) return; // it broke meanwhile, and was told of
    release(worker, job);
    if (bytes >= memoryLimitBytes / 2) retire(worker);
    if (message.kind === 'done') {
      counts.done++;
      job.resolve(message.output as never);
    } else {
      counts.failed++;
      job.reject(toError(job, message));
    }
    next();
  }

  function toError(
    job: Job,
    failure: { code: string | undefined; message: string; stack: string | undefined },
  ): AppError {
    if (isErrorCode(failure.code)) return new AppError(failure.code, failure.message);
    log.error({ job: job.name, stack: failure.stack ?? failure.message }, 'a media job failed');
    return new AppError('unprocessable', 'This picture could not be processed.');
  }

  function replace(worker: Worker, code: number | null, signal: string | null, complaint: string): void {
    workers.delete(worker);
    stopTimers(worker);
    const { job } = worker;
    if (job) {
      // Never tried again: what broke one process would break the next.
      release(worker, job);
      counts.failed++;
      job.reject(worker.verdict ?? new AppError('unprocessable', 'This picture could not be processed.'));
    }
    if (!worker.verdict && !isClosing) {
      log.error({ code, signal, job: job?.name, complaint: complaint.trim() || undefined }, 'a media worker broke');
    }
    if (worker.isReady || isClosing) start();
    else pause(); // it did not even start: do not spin
    noticeIdle?.();
  }

  function pause(): void {
    // Processes fail together: a round of them counts once.
    const rounds = Math.floor(failedStarts++ / size);
    const timer = setTimeout(
      () => {
        pauses.delete(timer);
        start();
      },
      Math.min(LONGEST_PAUSE_MS, restartPauseMs * 2 ** Math.min(rounds, 10)),
    );
    pauses.add(timer);
  }

  /** Ends a process now. Its job is refused with the verdict when the process is gone. */
  function kill(worker: Worker, verdict: unknown): void {
    if (worker.verdict) return;
    worker.verdict = verdict;
    counts.killed++;
    worker.child.kill('SIGKILL');
  }

  /** Gives free processes their jobs: one from each caller in turn. */
  function next(): void {
    for (const worker of workers) {
      if (!worker.isReady || worker.job || worker.verdict) continue;
      const job = takeWaiting();
      if (!job) break;
      runIn(worker, job);
    }
    restWhenIdle();
    noticeIdle?.();
  }

  /** Gives back what waiting processes hold when nobody has asked for anything for a while. */
  function restWhenIdle(): void {
    clearTimeout(idling);
    if (idleMs === undefined || counts.queued > 0 || [...workers].some((worker) => worker.job)) return;
    idling = setTimeout(() => {
      for (const worker of workers) retire(worker);
    }, idleMs);
    idling.unref();
  }

  function takeWaiting(): Job | undefined {
    const [turn] = waiting;
    if (!turn) return undefined;
    const [caller, jobs] = turn;
    const job = jobs.shift();
    waiting.delete(caller);
    if (jobs.length > 0) waiting.set(caller, jobs); // to the end of the line
    if (job) {
      counts.queued--;
      clearTimeout(patience.get(job));
      patience.delete(job);
    }
    return job;
  }

  function runIn(worker: Worker, job: Job): void {
    worker.job = job;
    const { signal } = job.options;
    const tooLong = new AppError(
      'unprocessable',
      `This picture took too long: more than ${timeLimitMs / 1000} seconds.`,
    );
    const onAbort = (): void => kill(worker, signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const deadline = setTimeout(() => kill(worker, tooLong), timeLimitMs);
    const watch = setInterval(() => void checkMemory(worker, job), MEMORY_CHECK_MS);
    worker.timers = [deadline, watch];
    worker.child.send({ job: job.name, input: job.input } satisfies PoolMessage, (error) => {
      if (error) kill(worker, new AppError('unprocessable', 'This picture could not be processed.'));
    });
    ends.set(job, () => signal?.removeEventListener('abort', onAbort));
  }

  function release(worker: Worker, job: Job): void {
    worker.job = undefined;
    stopTimers(worker);
    ends.get(job)?.();
    ends.delete(job);
    giveBackShare(job);
  }

  function stopTimers(worker: Worker): void {
    for (const timer of worker.timers) clearTimeout(timer);
    worker.timers = [];
  }

  function giveBackShare({ options: { caller } }: Job): void {
    const left = (shares.get(caller) ?? 1) - 1;
    if (left > 0) shares.set(caller, left);
    else shares.delete(caller);
  }

  async function checkMemory(worker: Worker, job: Job): Promise<void> {
    const bytes = await residentBytes(worker.child.pid);
    if (bytes > memoryLimitBytes && worker.job === job) {
      kill(worker, new AppError('unprocessable', 'This picture needs more memory than there is for one picture.'));
    }
  }

  function retire(worker: Worker): void {
    if (worker.job || worker.verdict) return;
    worker.verdict = 'retired';
    worker.child.kill('SIGKILL');
  }

  for (let i = 0; i < size; i++) start();

  return {
    run(name, input, options) {
      return new Promise((resolve, reject) => {
        const { caller, signal } = options;
        const share = shares.get(caller) ?? 0;
        if (signal?.aborted) return reject(signal.reason);
        if (isClosing)
          return reject(
            new AppError('unavailable', 'The server is stopping. Please try again in a moment.', {
              retryAfterSeconds: RETRY_AFTER_SECONDS,
            }),
          );
        if (share >= callerLimit) {
          return reject(
            new AppError(
              'tooMany',
              `You already have ${callerLimit} pictures in work. Please wait until one is done.`,
              {
                retryAfterSeconds: RETRY_AFTER_SECONDS,
              },
            ),
          );
        }
        if (counts.queued >= queueLimit) {
          return reject(
            new AppError('tooMany', 'Many pictures are in work at this moment. Please try again in a few seconds.', {
              retryAfterSeconds: RETRY_AFTER_SECONDS,
            }),
          );
        }
        const job: Job = { name, input, options, resolve, reject };
        shares.set(caller, share + 1);
        counts.queued++;
        const line = waiting.get(caller);
        if (line) line.push(job);
        else waiting.set(caller, [job]);
        signal?.addEventListener('abort', () => leaveLine(job, signal.reason), { once: true });
        const tooBusy = new AppError(
          'unavailable',
          'No picture can be worked on just now. Please try again in a moment.',
          {
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          },
        );
        patience.set(
          job,
          setTimeout(() => leaveLine(job, tooBusy), waitLimitMs),
        );
        next();
        if (counts.queued > 0 && pauses.size === 0) start();
      });
    },
    stats() {
      const all = [...workers];
      return {
        size,
        ready: all.filter((worker) => worker.isReady && !worker.verdict).length,
        running: all.filter((worker) => worker.job).length,
        ...counts,
      };
    },
    async close(graceMs = 0) {
      isClosing = true;
      clearTimeout(idling);
      for (const timer of pauses) clearTimeout(timer);
      const stopping = new AppError('unavailable', 'The server is stopping. Please try again in a moment.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
      for (let job = takeWaiting(); job; job = takeWaiting()) {
        giveBackShare(job);
        job.reject(stopping);
      }
      const isIdle = (): boolean => [...workers].every((worker) => !worker.job);
      if (graceMs > 0 && !isIdle()) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, graceMs);
          noticeIdle = () => {
            if (!isIdle()) return;
            clearTimeout(timer);
            resolve();
          };
        });
      }
      await Promise.all(
        [...workers].map((worker) => {
          const gone = new Promise<void>((resolve) => worker.child.once('close', () => resolve()));
          if (worker.child.exitCode === null && worker.child.signalCode === null) {
            worker.verdict ??= stopping;
            worker.child.kill('SIGKILL');
          }
          return gone;
        }),
      );
    },
  };

  function leaveLine(job: Job, reason: unknown): void {
    const { caller } = job.options;
    const line = waiting.get(caller);
    const place = line?.indexOf(job) ?? -1;
    if (!line || place < 0) return; // it runs already, or is done
    line.splice(place, 1);
    if (line.length === 0) waiting.delete(caller);
    counts.queued--;
    clearTimeout(patience.get(job));
    patience.delete(job);
    giveBackShare(job);
    job.reject(reason);
  }
}

/** Resident memory of a process. Elsewhere than on Linux only the heap flag holds: 0. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
