/** Keeps a number of worker processes running, and replaces those that end. */
import { PoisonJobError } from '../platform/ports/mediaPool.ts';
import {
  cannotProcess,
  type PoolJob,
  startWorker,
  type WorkerProcess,
  type WorkerReply,
  type WorkerSettings,
} from './workerProcess.ts';
import { jobOf, restartPauseMs } from './workerState.ts';

export interface WorkersSettings extends WorkerSettings {
  readonly size: number;
  /** The first pause before a process that did not start is tried again. */
  readonly restartPauseMs: number;
}

/** Why a process ended before its job was done. */
interface BrokenBy {
  readonly reason: unknown;
  /** True when neither this program nor the process itself ended it, as where memory is short. */
  readonly isKilledBySystem: boolean;
}

interface WorkersEvents {
  /** Returns false while no process has to run. */
  isNeeded(): boolean;
  onReady(): void;
  onReply(job: PoolJob, reply: WorkerReply, costMs: number): void;
  onKill(): void;
  /** Called when a process ended before its job was done. `costMs` is the processor time that the job used. */
  onBroken(job: PoolJob, cause: BrokenBy, costMs: number): void;
  onExit(): void;
}

/** All processes of a pool. */
export interface Workers {
  readonly all: ReadonlySet<WorkerProcess>;
  readonly isClosing: boolean;
  /** The number of processes that `startOne` would start. */
  readonly room: number;
  /** Starts one more process where there is room for one, unless a start that failed is about to be repeated. */
  startOne(): void;
  /** Starts no further process. */
  stopStarting(): void;
  /** Ends every process. Jobs that run are broken for this reason. */
  end(reason: unknown): Promise<void>;
}

/** Starts as many processes as are needed. */
export function createWorkers(settings: WorkersSettings, events: WorkersEvents): Workers {
  const { log, size } = settings;
  const all = new Set<WorkerProcess>();
  const restarts = new Set<NodeJS.Timeout>();
  let failedStarts = 0;
  let isClosing = false;

  function start(): void {
    if (isClosing || all.size >= size || !events.isNeeded()) return;
    try {
      const worker = startWorker(settings, {
        onReady() {
          failedStarts = 0;
          events.onReady();
        },
        onReply: events.onReply,
        onKill: events.onKill,
        onExit: ({ state, isUnexpected, isCrash, costMs, details }) => {
          all.delete(worker);
          const job = jobOf(state);
          const { message } = cannotProcess();
          const reason = isCrash ? new PoisonJobError(message) : cannotProcess();
          const isKilledBySystem = isUnexpected && !isCrash;
          if (job) {
            const cause = { reason: state.name === 'ending' ? state.killReason : reason, isKilledBySystem };
            events.onBroken(job, cause, costMs);
          }
          if (isUnexpected && !isClosing) log.error(details, 'a media worker broke');
          const wasReady = state.name === 'ending' ? state.wasReady : state.name !== 'starting';
          if (wasReady || isClosing) start();
          else restartLater(); // it did not even start: do not spin
          events.onExit();
        },
      });
      all.add(worker);
    } catch (error) {
      log.error({ err: error }, 'a media worker could not be started');
      restartLater();
    }
  }

  function restartLater(): void {
    const pauseMs = restartPauseMs(failedStarts++, size, settings.restartPauseMs);
    const timer = setTimeout(() => {
      restarts.delete(timer);
      start();
    }, pauseMs);
    restarts.add(timer);
  }

  for (let i = 0; i < size; i++) start();

  return {
    all,
    get isClosing() {
      return isClosing;
    },
    get room() {
      return isClosing || restarts.size > 0 ? 0 : size - all.size;
    },
    startOne() {
      if (restarts.size === 0) start();
    },
    stopStarting() {
      isClosing = true;
      for (const timer of restarts) clearTimeout(timer);
    },
    async end(reason) {
      for (const worker of all) worker.retire(reason);
      await Promise.all([...all].map((worker) => worker.exit));
    },
  };
}
