/** The host's calls that run for the design machine. Each has a number, can be aborted, and answers with an event. */
import type { DesignEvent } from './designStates.ts';

export interface HostJobs {
  /** Opens a job. Returns the signal that `abort` sets. */
  open(jobId: number): AbortSignal;
  close(jobId: number): void;
  abort(jobId: number): void;
  /** Runs a job and sends its answer, or its failure. */
  run(jobId: number, work: (signal: AbortSignal) => Promise<DesignEvent>): Promise<void>;
}

export function createHostJobs(send: (event: DesignEvent) => Promise<unknown>): HostJobs {
  const controllers = new Map<number, AbortController>();

  function open(jobId: number): AbortSignal {
    const controller = new AbortController();
    controllers.set(jobId, controller);
    return controller.signal;
  }

  return {
    open,
    close: (jobId) => void controllers.delete(jobId),
    abort: (jobId) => controllers.get(jobId)?.abort(),
    async run(jobId, work) {
      let answer: DesignEvent;
      try {
        answer = await work(open(jobId));
      } catch (error) {
        answer = { type: 'failed', jobId, error };
      } finally {
        controllers.delete(jobId);
      }
      await send(answer);
    },
  };
}
