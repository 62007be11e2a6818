/** One child process of a pool: its start, its one job at a time, and the limits that end it. */
import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { AppError } from '../platform/errors.ts';
import type { Progress } from '../platform/ports/mediaJobs.ts';
import type { RunOptions } from '../platform/ports/mediaPool.ts';
import { jobOf, nextWorkerState, type WorkerEvent, type WorkerState } from './workerState.ts';

export interface WorkerSettings {
  /** The module that the process runs: `serveJobs` with its handlers. */
  readonly entry: string;
  /** Node's own flags for it, e.g. a TypeScript loader in development. */
  readonly execArgv?: readonly string[];
  /** Its environment besides PATH and NODE_ENV. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly timeLimitMs: number;
  readonly memoryLimitBytes: number;
  /** A process that has not reported by then that it is ready is killed. */
  readonly startLimitMs: number;
}

export interface PoolJob {
  readonly name: string;
  readonly input: unknown;
  readonly options: RunOptions;
  readonly resolve: (output: never) => void;
  readonly reject: (error: unknown) => void;
}

/** What a process sends back. */
export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'done'; output: unknown }
  | { kind: 'failed'; code: string | undefined; message: string; stack: string | undefined };
export type WorkerReply = WorkerMessage & { kind: 'done' | 'failed' };
/** What a process is sent. */
export type PoolMessage = { job: string; input: unknown };

interface WorkerEvents {
  onReady(): void;
  /** The worker can take the next job, or is ending. */
  onReply(job: PoolJob, reply: WorkerReply): void;
  onKill(): void;
  /** The process is gone. `isUnexpected`: nobody killed it. */
  onExit(exit: { readonly state: WorkerState<PoolJob>; readonly isUnexpected: boolean }, details: object): void;
}

export interface WorkerProcess {
  readonly state: WorkerState<PoolJob>;
  /** Sends a job to an idle worker. */
  run(job: PoolJob): void;
  /**
   * Kills the process because of its job, which fails with the reason. Nothing happens when the process is ending
   * already.
   */
  kill(reason: unknown): void;
  /** Ends a process that nobody needs any more; it does not count as killed. */
  retire(reason: unknown): void;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
}

const MEMORY_CHECK_MS = 250;
const HEAP_MB = 384;
const STDERR_TAIL = 4_000;

export const cannotProcess = () => new AppError('unprocessable', 'This picture could not be processed.');

/** Starts a process. Throws what `fork` throws when the system has no room for one. */
export function startWorker(settings: WorkerSettings, events: WorkerEvents): WorkerProcess {
  const { log, timeLimitMs, memoryLimitBytes, startLimitMs } = settings;
  const child = forkChild(settings);
  let state: WorkerState<PoolJob> = { name: 'starting' };
  let timers: NodeJS.Timeout[] = [setTimeout(() => child.kill('SIGKILL'), startLimitMs)];
  let stderrTail = '';

  const apply = (event: WorkerEvent<PoolJob>): void => {
    state = nextWorkerState(state, event);
  };
  const stopTimers = (): void => {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  };
  const end = (reason: unknown, onEnd?: () => void): void => {
    if (state.name === 'ending') return;
    apply({ kind: 'killed', reason });
    onEnd?.();
    child.kill('SIGKILL');
  };
  const kill = (reason: unknown): void => end(reason, events.onKill);

  async function checkMemory(job: PoolJob): Promise<void> {
    const bytes = await residentBytes(child.pid);
    if (bytes > memoryLimitBytes && jobOf(state) === job) {
      kill(new AppError('unprocessable', 'This picture needs more memory than there is for one picture.'));
    }
  }

  /**
   * Memory that a job left behind counts against the next one's limit, so a process that keeps half of it is replaced.
   */
  async function finish(job: PoolJob, reply: WorkerReply): Promise<void> {
    stopTimers();
    const bytes = await residentBytes(child.pid);
    if (jobOf(state) !== job) return; // the process broke meanwhile, and `onExit` failed the job
    apply({ kind: 'finished' });
    if (bytes >= memoryLimitBytes / 2) end('retired');
    events.onReply(job, reply);
  }

  child.stderr?.on('data', (data: Buffer) => {
    stderrTail = (stderrTail + data.toString()).slice(-STDERR_TAIL);
  });
  child.on('message', (message: WorkerMessage) => {
    if (state.name === 'ending') return; // sent before it was killed
    if (message.kind === 'ready') {
      apply({ kind: 'ready' });
      stopTimers();
      events.onReady();
      return;
    }
    const job = jobOf(state);
    if (!job) return;
    if (message.kind === 'progress') job.options.onProgress?.(message.progress);
    else void finish(job, message);
  });
  child.on('error', (error) => log.error({ err: error }, 'a media worker cannot be reached'));
  const exited = new Promise<void>((resolve) => {
    // 'close' follows 'exit' and the end of stderr; a process that could not start gives no 'exit'.
    child.once('close', (code, signal) => {
      stopTimers();
      const details = { code, signal, job: jobOf(state)?.name, complaint: stderrTail.trim() || undefined };
      events.onExit({ state, isUnexpected: state.name !== 'ending' }, details);
      resolve();
    });
  });

  return {
    get state() {
      return state;
    },
    run(job) {
      apply({ kind: 'assigned', job });
      const seconds = timeLimitMs / 1000;
      const tooLong = new AppError('unprocessable', `This picture took too long: more than ${seconds} seconds.`);
      timers = [
        setTimeout(() => kill(tooLong), timeLimitMs),
        setInterval(() => void checkMemory(job), MEMORY_CHECK_MS),
      ];
      child.send({ job: job.name, input: job.input } satisfies PoolMessage, (error) => {
        if (error) kill(cannotProcess());
      });
    },
    kill,
    retire: (reason) => end(reason),
    exited,
  };
}

function forkChild({ entry, execArgv = [], environment }: WorkerSettings): ChildProcess {
  return fork(entry, [], {
    execArgv: [...execArgv, `--max-old-space-size=${HEAP_MB}`],
    serialization: 'advanced',
    // Signals of the terminal are for the server, which ends its workers itself.
    detached: true,
    // A stranger's picture is read there, so the process gets none of the server's settings.
    env: { ...environment, PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Returns a process's resident memory. Elsewhere than on Linux it returns 0, and only the heap flag limits memory. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
