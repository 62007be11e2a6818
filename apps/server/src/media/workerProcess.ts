/** One child process of a pool: its start, its one job at a time, and the limits that end it. */
import { type ChildProcess, fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { AppError } from '../platform/errors.ts';
import type { Progress, StepLimit } from '../platform/ports/mediaJobs.ts';
import { PoisonJobError, type RunOptions } from '../platform/ports/mediaPool.ts';
import { createJobMeter, type ExceededLimit, type JobLimits, type JobMeter } from './jobMeter.ts';
import { lowerPriority } from './priority.ts';
import { hasProc, type ProcessUsage, type ReadUsage, readHeartbeats, readProc } from './processUsage.ts';
import { jobOf, nextWorkerState, type WorkerEvent, type WorkerState } from './workerState.ts';

export interface WorkerSettings {
  /** The module that the process runs: `serveJobs` with its handlers. */
  readonly entry: string;
  /** Node's own flags for it, e.g. a TypeScript loader in development. */
  readonly execArgv?: readonly string[];
  /** Its environment besides PATH and NODE_ENV. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** Processor time that ends a job which has no limit of its own. */
  readonly processorLimitMs: number;
  readonly memoryLimitBytes: number;
  readonly standstillMs: number;
  /** How usage is read: from /proc, or by heartbeats where there is none. */
  readonly usageFrom?: 'proc' | 'heartbeats' | undefined;
  /** Processor time that ends a start. */
  readonly startLimitMs: number;
}

/** The options of a job besides its caller. */
export interface PoolRunOptions extends RunOptions {
  /** Processor time that ends the job; the pool's own limit when absent. */
  readonly processorLimitMs?: number | undefined;
  /** The processor time that the caller has used of late: who used less goes first. */
  readonly debtMs?: number | undefined;
  /** Reports the job's processor time when it has ended, however it ended. */
  readonly onProcessorTime?: ((processorMs: number) => void) | undefined;
}

/** A job, and the functions that settle its promise. */
export interface PoolJob {
  readonly name: string;
  readonly input: unknown;
  readonly options: PoolRunOptions;
  readonly resolve: (output: never) => void;
  readonly reject: (error: unknown) => void;
}

/** A message from a worker process. */
export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'progress'; progress: Progress }
  /** A step of the job begins or, without a limit, ends. `usedMs` is the processor time of the process. */
  | { kind: 'step'; limit: StepLimit | undefined; usedMs: number }
  /** A part of a large field of the output, which has `sizeBytes` in all. The parts of a field come in their order. */
  | { kind: 'part'; field: string; sizeBytes: number; atByte: number; bytes: Uint8Array }
  /** The output without the fields that came in parts. */
  | { kind: 'done'; output: unknown }
  | { kind: 'failed'; code: string | undefined; message: string; stack: string | undefined };
export type WorkerReply = WorkerMessage & { kind: 'done' | 'failed' };
/** A message to a worker process. */
export type PoolMessage = { job: string; input: unknown };

interface WorkerEvents {
  onReady(): void;
  /** Called when the worker can take the next job, or is ending. `costMs` is the processor time of the job. */
  onReply(job: PoolJob, reply: WorkerReply, costMs: number): void;
  onKill(): void;
  onExit(exit: WorkerExit): void;
}

/** The end of a process. */
interface WorkerExit {
  readonly state: WorkerState<PoolJob>;
  /** True when the process ended without a kill, by this program or the system. */
  readonly isCrash: boolean;
  /** True when this program did not kill it. */
  readonly isUnexpected: boolean;
  /** The processor time of its job, and of the start of the replacement process. */
  readonly costMs: number;
  /** For the log. */
  readonly details: object;
}

/** A child process that runs one job after another. */
export interface WorkerProcess {
  readonly state: WorkerState<PoolJob>;
  /** Sends a job to an idle worker. */
  run(job: PoolJob): void;
  /**
   * Kills the process because of its job, which fails with the reason. Nothing happens when the process is ending
   * already.
   */
  kill(reason: unknown): void;
  /** Ends a process that is no longer needed; it does not count as killed. */
  retire(reason: unknown): void;
  /** Resolves when the process has ended. */
  readonly exit: Promise<void>;
}

const READING_MS = 250;
/** The shortest time between two readings, ms. They come closer together as a job nears a limit. */
const SHORTEST_READING_MS = 20;
const HEAP_MB = 384;
const STDERR_TAIL = 4_000;
/** The channel on which a process sends its heartbeats. */
const HEARTBEAT_FD = 4;

export const cannotProcess = () => new AppError('unprocessable', 'This file could not be processed.');

/** Starts a process. Throws what `fork` throws when the system has no room for one. */
export function startWorker(settings: WorkerSettings, events: WorkerEvents): WorkerProcess {
  const { log, memoryLimitBytes, standstillMs, startLimitMs, usageFrom = hasProc ? 'proc' : 'heartbeats' } = settings;
  const child = forkChild(settings, usageFrom);
  lowerPriority(child.pid);
  const readUsage: ReadUsage =
    usageFrom === 'proc' ? () => readProc(child.pid) : readHeartbeats(child.stdio[HEARTBEAT_FD] as Readable);
  let state: WorkerState<PoolJob> = { name: 'starting' };
  let timer = watchStart();
  let stderrTail = '';
  let meter: JobMeter | undefined;
  /** The parts of the running job's output that have arrived. */
  let parts: Record<string, Uint8Array> = {};
  /** Processor time of the process: what its start took, and what it had used before its next job. */
  let startMs = 0;
  let usedMs = 0;

  const apply = (event: WorkerEvent<PoolJob>): void => {
    state = nextWorkerState(state, event);
  };
  const end = (reason: unknown, onEnd?: () => void): void => {
    if (state.name === 'ending') return;
    apply({ kind: 'killed', reason });
    onEnd?.();
    child.kill('SIGKILL');
  };
  const kill = (reason: unknown): void => end(reason, events.onKill);

  /** Kills a process whose start exceeds a limit. The first heartbeat may never come, so no reading is waited for. */
  function watchStart(): NodeJS.Timeout {
    const limits: JobLimits = { processorMs: startLimitMs, memoryBytes: memoryLimitBytes, standstillMs };
    const startMeter = createJobMeter(limits, 0, performance.now());
    let newest: ProcessUsage = { processorMs: 0, residentBytes: 0, waitMs: 0 };
    return setInterval(() => {
      void readUsage().then((usage) => {
        newest = usage ?? newest;
      });
      const limit = startMeter.read(newest, performance.now());
      if (!limit || child.killed) return;
      log.error({ limit, processorMs: newest.processorMs }, 'a media worker does not start');
      child.kill('SIGKILL');
    }, READING_MS);
  }

  async function becomeReady(): Promise<void> {
    const usage = await readUsage();
    if (state.name !== 'starting') return;
    startMs = usedMs = usage?.processorMs ?? 0;
    apply({ kind: 'ready' });
    clearTimeout(timer);
    events.onReady();
  }

  async function checkLimits(job: PoolJob, limits: JobLimits): Promise<void> {
    const usage = await readUsage();
    const limit = usage && jobOf(state) === job ? meter?.read(usage, performance.now()) : undefined;
    if (limit) kill(toError(limit, limits, meter?.step));
    else if (meter && jobOf(state) === job) scheduleReading(job, limits, meter);
  }

  /** Reads again before the job can exceed a limit: a thread uses no more processor time than passes on the clock. */
  function scheduleReading(job: PoolJob, limits: JobLimits, { remainingMs }: JobMeter): void {
    clearTimeout(timer);
    const delayMs = Math.min(READING_MS, Math.max(SHORTEST_READING_MS, remainingMs));
    timer = setTimeout(() => void checkLimits(job, limits), delayMs);
  }

  /**
   * Ends a job with its reply. Memory that a job left behind counts against the next one's limit, so a process that
   * keeps half of the limit is replaced.
   */
  async function finish(job: PoolJob, reply: WorkerReply): Promise<void> {
    clearTimeout(timer);
    const usage = await readUsage();
    if (jobOf(state) !== job) return; // the process broke meanwhile, and `onExit` failed the job
    apply({ kind: 'finished' });
    if (usage) meter?.read(usage, performance.now());
    usedMs = usage?.processorMs ?? usedMs;
    if (usage && usage.residentBytes >= memoryLimitBytes / 2) end('retired');
    events.onReply(job, reply, meter?.processorMs ?? 0);
  }

  child.stderr?.on('data', (data: Buffer) => {
    stderrTail = (stderrTail + data.toString()).slice(-STDERR_TAIL);
  });
  child.on('message', (message: WorkerMessage) => {
    if (state.name === 'ending') return; // sent before it was killed
    if (message.kind === 'ready') {
      void becomeReady();
      return;
    }
    const job = jobOf(state);
    if (!job) return;
    if (message.kind === 'progress') {
      meter?.noteProgress();
      job.options.onProgress?.(message.progress);
    } else if (message.kind === 'step') meter?.setStep(message.limit, message.usedMs);
    else if (message.kind === 'part') {
      meter?.noteProgress();
      parts[message.field] ??= new Uint8Array(message.sizeBytes);
      parts[message.field]!.set(message.bytes, message.atByte);
    } else void finish(job, message.kind === 'done' ? withParts(message, parts) : message);
  });
  child.on('error', (error) => log.error({ err: error }, 'a media worker cannot be reached'));
  const exit = new Promise<void>((resolve) => {
    // 'close' follows 'exit' and the end of stderr; a process that could not start gives no 'exit'.
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      events.onExit({
        state,
        isUnexpected: state.name !== 'ending',
        // A system that is out of memory kills with SIGKILL, which is not the picture's fault.
        isCrash: state.name !== 'ending' && signal !== 'SIGKILL' && signal !== 'SIGTERM',
        costMs: (meter?.processorMs ?? 0) + startMs,
        details: { code, signal, job: jobOf(state)?.name, stderrTail: stderrTail.trim() || undefined },
      });
      resolve();
    });
  });

  return {
    get state() {
      return state;
    },
    run(job) {
      apply({ kind: 'assigned', job });
      parts = {};
      const processorMs = job.options.processorLimitMs ?? settings.processorLimitMs;
      const limits: JobLimits = { processorMs, memoryBytes: memoryLimitBytes, standstillMs };
      meter = createJobMeter(limits, usedMs, performance.now());
      scheduleReading(job, limits, meter);
      child.send({ job: job.name, input: job.input } satisfies PoolMessage, (error) => {
        if (error) kill(cannotProcess());
      });
    },
    kill,
    retire: (reason) => end(reason),
    exit,
  };
}

function withParts(reply: WorkerReply & { kind: 'done' }, parts: Readonly<Record<string, Uint8Array>>): WorkerReply {
  return Object.keys(parts).length > 0 ? { kind: 'done', output: { ...(reply.output as object), ...parts } } : reply;
}

/** Returns the error of a job that exceeded a limit. A standstill may be the machine's fault and not the picture's. */
function toError(limit: ExceededLimit, { processorMs }: JobLimits, step: StepLimit | undefined): AppError {
  switch (limit) {
    case 'step':
      return new PoisonJobError(step!.refusal);
    case 'processor':
      return new PoisonJobError(`This picture took too long: more than ${processorMs / 1000} seconds of work.`);
    case 'memory':
      return new PoisonJobError('This picture needs more memory than there is for one picture.');
    case 'standstill':
      return cannotProcess();
  }
}

function forkChild(
  { entry, execArgv = [], environment }: WorkerSettings,
  usageFrom: WorkerSettings['usageFrom'],
): ChildProcess {
  const hasHeartbeats = usageFrom === 'heartbeats';
  return fork(entry, [], {
    execArgv: [...execArgv, `--max-old-space-size=${HEAP_MB}`],
    serialization: 'advanced',
    // Signals of the terminal reach only the server, which ends its workers itself.
    detached: true,
    // The process reads untrusted pictures, so it gets none of the server's settings.
    env: {
      ...environment,
      PATH: process.env.PATH,
      NODE_ENV: process.env.NODE_ENV,
      ...(hasHeartbeats && { HEARTBEAT_FD: String(HEARTBEAT_FD) }),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...(hasHeartbeats ? (['pipe'] as const) : [])],
  });
}
