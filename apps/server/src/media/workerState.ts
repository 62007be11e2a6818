/**
 * The life of a worker process as a state machine, without the process.
 *
 *     starting ──ready──▶ idle ──assigned──▶ busy
 *        │                 │ ◀──finished──── │
 *        └───────killed────┴─────killed──────┴──▶ ending
 *
 * A process in `ending` was sent SIGKILL. Its job fails when the process is gone, with the first reason it was killed
 * for.
 */
export type WorkerState<J> =
  | { readonly name: 'starting' }
  | { readonly name: 'idle' }
  | { readonly name: 'busy'; readonly job: J }
  | {
      readonly name: 'ending';
      /** The job that the process was running. */
      readonly job: J | undefined;
      readonly killReason: unknown;
      /** True when it had reported that it was ready. */
      readonly wasReady: boolean;
    };

export type WorkerEvent<J> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'assigned'; readonly job: J }
  | { readonly kind: 'finished' }
  | { readonly kind: 'killed'; readonly reason: unknown };

/** Returns the state after an event. An event that does not fit the state changes nothing. */
export function nextWorkerState<J>(state: WorkerState<J>, event: WorkerEvent<J>): WorkerState<J> {
  switch (event.kind) {
    case 'ready':
      return state.name === 'starting' ? { name: 'idle' } : state;
    case 'assigned':
      return state.name === 'idle' ? { name: 'busy', job: event.job } : state;
    case 'finished':
      if (state.name === 'busy') return { name: 'idle' };
      // Its reply was under way when it was killed: the job is done.
      return state.name === 'ending' ? { ...state, job: undefined } : state;
    case 'killed':
      if (state.name === 'ending') return state;
      return { name: 'ending', job: jobOf(state), killReason: event.reason, wasReady: state.name !== 'starting' };
  }
}

/** Returns the job that a worker runs. */
export const jobOf = <J>(state: WorkerState<J>): J | undefined => ('job' in state ? state.job : undefined);

const LONGEST_PAUSE_MS = 30_000;

/**
 * Returns how long to wait before a process that did not start is tried again: twice as long after each further
 * failure, 30 seconds at most. Processes fail together, so as many failures as there are processes count once.
 */
export function restartPauseMs(failedStarts: number, size: number, firstPauseMs: number): number {
  const rounds = Math.floor(failedStarts / size);
  return Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** Math.min(rounds, 10));
}
