/** The calls about the background of the design. A call and a trace block each other. */
import type { Design } from '@markwright/contract/schemas';
import { type CutoutStage, messages } from '@markwright/contract/words';
import type { Backgrounds, BackgroundWish, LoadedDesign, Ports } from '../ports.ts';
import type { DesignEvent, DesignMachine } from './designStates.ts';
import type { HostJobs } from './hostJobs.ts';
import type { ReducerRunner } from './reducerRunner.ts';

/**
 * Traces wait while a call runs. Each resolves with undefined when it was canceled or there is no design, and rejects
 * with a sentence for the caller.
 */
export interface BackgroundCalls {
  /** Reads how the background of the design was removed. */
  readBackground(): Promise<BackgroundWish | undefined>;
  /** Returns the address of the automatic cut-out, to be looked at. Changes nothing. */
  cutOut(clearEnclosed: boolean | undefined, onStage: (stage: CutoutStage) => void): Promise<string | undefined>;
  /** Removes the background. What is left is traced after that: `waitUntilStored` resolves then. */
  removeBackground(wish: BackgroundWish, onStage?: (stage: CutoutStage) => void): Promise<Design | undefined>;
  /** Brings the original back, and traces it after that. */
  restoreBackground(): Promise<Design | undefined>;
}

interface Runtime {
  readonly ports: Pick<Ports, 'backgrounds'>;
  readonly machine: ReducerRunner<DesignMachine, DesignEvent>;
  readonly jobs: HostJobs;
  /** Resolves when no setting waits to be stored. */
  waitUntilStored(): Promise<void>;
}

type BackgroundWork<T> = (backgrounds: Backgrounds, design: Design, signal: AbortSignal) => Promise<T>;

export function createBackgroundCalls({ ports, machine, jobs, waitUntilStored }: Runtime): BackgroundCalls {
  async function call<T>(work: BackgroundWork<T>): Promise<T | undefined> {
    await waitUntilStored();
    const { design, job } = machine.getState().panel;
    const { backgrounds } = ports;
    if (!design || !backgrounds || job) return undefined;
    void machine.send({ type: 'openBackground' });
    const jobId = machine.getState().lastJobId;
    const signal = jobs.open(jobId);
    try {
      const answer = await work(backgrounds, design, signal);
      return signal.aborted ? undefined : answer;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      jobs.close(jobId);
      void machine.send({ type: 'closeBackground', jobId });
    }
  }

  async function changePicture(title: string, work: BackgroundWork<LoadedDesign>): Promise<Design | undefined> {
    const reply = await call(work);
    if (reply) void machine.send({ type: 'pictureChanged', design: reply, title });
    return reply?.design;
  }

  return {
    readBackground: () => call((backgrounds, { id }, signal) => backgrounds.read(id, signal)),
    cutOut: (clearEnclosed, onStage) =>
      call((backgrounds, { id }, signal) => backgrounds.cutOut(id, clearEnclosed, { signal, onStage })),
    removeBackground: (wish, onStage = () => {}) =>
      changePicture(messages.backgroundRemoved, (backgrounds, { id }, signal) =>
        backgrounds.remove(id, wish, { signal, onStage }),
      ),
    restoreBackground: () =>
      changePicture('Original restored', (backgrounds, { id }, signal) => backgrounds.restore(id, signal)),
  };
}
