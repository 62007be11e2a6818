/**
 * Lets simultaneous callers of the same job share one run, so that the same bytes sent five times at once are worked on
 * once. The run goes on while one of its callers is left. Only the first one waits in the queue and pays.
 */
import { AppError } from '../platform/errors.ts';
import type { Progress } from '../platform/ports/mediaJobs.ts';
import type { RunOptions } from '../platform/ports/mediaPool.ts';

/** The listeners of one caller of a run, and the signal that is aborted when the caller leaves. */
export type RunWatcher = Pick<RunOptions, 'signal' | 'onPlace' | 'onProgress'>;

/** A run that callers may join until it has ended. */
export interface SharedRun<Output> {
  /** The processor time that the first caller had used of late, by which the queue orders callers. */
  readonly debtMs: number;
  /** True when every caller has left. */
  readonly isAbandoned: boolean;
  /** Returns the run's result. Throws its error, or the signal's reason for a caller who leaves. */
  watch(watcher: RunWatcher): Promise<Output>;
}

/** Starts a run. Its work gets a signal that is aborted when the last caller has left. */
export function startSharedRun<Output>(
  debtMs: number,
  work: (run: Required<RunWatcher>) => Promise<Output>,
): SharedRun<Output> {
  const abandonment = new AbortController();
  const watchers = new Set<RunWatcher>();
  let place: number | undefined;
  let progress: Progress | undefined;
  const result = work({
    signal: abandonment.signal,
    onPlace(newPlace) {
      place = newPlace;
      for (const { onPlace } of watchers) onPlace?.(newPlace);
    },
    onProgress(newProgress) {
      progress = newProgress;
      for (const { onProgress } of watchers) onProgress?.(newProgress);
    },
  });

  return {
    debtMs,
    get isAbandoned() {
      return abandonment.signal.aborted;
    },
    async watch(watcher) {
      const { signal, onPlace, onProgress } = watcher;
      watchers.add(watcher);
      if (place !== undefined) onPlace?.(place);
      if (progress !== undefined) onProgress?.(progress);
      if (!signal) return result;
      let onAbort = (): void => {};
      const departure = new Promise<never>((_, reject) => {
        onAbort = () => {
          watchers.delete(watcher);
          // The last caller waits until the work has ended and is paid for. It ends with the same reason.
          if (watchers.size === 0) abandonment.abort(signal.reason);
          else reject(signal.reason);
        };
      });
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        return await Promise.race([result, departure]);
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/**
 * True for an error that says something about the first caller or the moment, and nothing about the job: those who
 * joined the run try for themselves then.
 */
export function isOfFirstCaller(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'tooMany' || error.code === 'unavailable');
}
