/** The jobs of the shared queue that this server runs in its processes, whichever server asked for them. */
import { AppError } from '../platform/errors.ts';
import type { JobTable } from '../platform/ports/mediaJobs.ts';
import { type Lane, PoisonJobError } from '../platform/ports/mediaPool.ts';
import type { QueueTools } from './jobAsks.ts';
import { packPart, unpackPart } from './jobBytes.ts';
import type { ProcessPool } from './pool.ts';
import type { JobRun, SharedQueue } from './sharedQueue.ts';
import type { JobOutcome } from './tables.ts';
import { cannotProcess } from './workerProcess.ts';

const REPORT_PAUSE_MS = 200;

/** The runs of one server. */
export interface JobRuns {
  readonly size: number;
  /** Claims jobs that this server can do while processes are free. Of several calls at once, one works. */
  fill(): Promise<void>;
  /** Lists the lanes of which a job of this server may begin here at once: nobody else waits for the process. */
  freeLanes(): Lane[];
  /** Ends a run that nobody waits for. */
  cancel(id: string): void;
  /** Renews the leases of this server, and ends the runs that it has lost. */
  renew(): Promise<void>;
  /** Lets the running jobs end within the time, and puts the others back into the queue. */
  close(graceMs?: number): Promise<void>;
}

interface OwnRun {
  readonly run: number;
  readonly abortion: AbortController;
}

/** The reason of a run that nobody waits for, or that another server has taken over. */
class NobodyWaits extends Error {}

/** `listNeeds` lists what this server has for jobs, as they name it. */
export function createRuns<Jobs extends JobTable<Jobs>>(
  { queue, files, attempt, spans }: QueueTools,
  processes: ProcessPool<Jobs>,
  listNeeds: () => Promise<readonly string[]>,
): JobRuns {
  const runs = new Map<string, OwnRun>();
  const performances = new Set<Promise<void>>();
  let filling: Promise<void> | undefined;
  let mustFillAgain = false;
  let isClosing = false;
  /** Jobs that are claimed, and not in their process yet. */
  let preparing = 0;
  /** True while others wait: a job of this server goes behind them. */
  let hasBacklog = false;

  async function fillOnce(): Promise<void> {
    for (;;) {
      const lanes = isClosing ? [] : processes.freeLanes(preparing);
      if (lanes.length === 0) return;
      const needs = await listNeeds();
      const job = needs.length > 0 ? await attempt(() => queue.claim(lanes, needs)) : undefined;
      hasBacklog = job !== undefined;
      if (!job) return;
      preparing++;
      const performance = performInTrace(job).finally(() => performances.delete(performance));
      performances.add(performance);
    }
  }

  async function fillWhileNeeded(): Promise<void> {
    while (mustFillAgain) {
      mustFillAgain = false;
      await fillOnce();
    }
  }

  const performInTrace = (job: JobRun): Promise<void> =>
    spans.root(`media ${job.name}`, { 'markwright.run': job.run }, () => perform(job), job.traceParent);

  /** Runs a claimed job, and says how it ended. Does not throw. */
  async function perform(job: JobRun): Promise<void> {
    const abortion = new AbortController();
    runs.set(job.id, { run: job.run, abortion });
    let costMs = 0;
    let lastReportMs = Number.NEGATIVE_INFINITY;
    try {
      const input = await unpackPart(files, job.id, 'input', job.input).finally(() => preparing--);
      const options = {
        caller: { ...job.caller, payers: [] },
        ...{ signal: abortion.signal, debtMs: job.debtMs, processorLimitMs: job.processorLimitMs },
        onProcessorTime(processorMs: number) {
          costMs = processorMs;
        },
        onProgress(progress: Parameters<SharedQueue['report']>[1]) {
          if (performance.now() - lastReportMs < REPORT_PAUSE_MS) return;
          lastReportMs = performance.now();
          void attempt(() => queue.report(job, progress));
        },
      };
      const result = await processes.run(job.name as keyof Jobs & string, input as never, options);
      const output = await packPart(files, job.id, `output-${job.run}`, result);
      await attempt(() => queue.finish(job, { outcome: { kind: 'done' }, output, costMs }));
    } catch (error) {
      // Another server does the jobs that this one cannot end before it stops.
      if (isClosing && !abortion.signal.aborted) await attempt(() => queue.giveBack(job));
      else await attempt(() => queue.finish(job, { outcome: toOutcome(error), output: undefined, costMs }));
    } finally {
      if (runs.get(job.id)?.run === job.run) runs.delete(job.id);
    }
  }

  return {
    get size() {
      return runs.size;
    },
    fill() {
      mustFillAgain = true;
      filling ??= fillWhileNeeded().finally(() => {
        filling = undefined;
      });
      return filling;
    },
    // A process that a claim has its eye on is not free.
    freeLanes: () => (hasBacklog || isClosing ? [] : processes.freeLanes(preparing + (filling ? 1 : 0))),
    cancel: (id) => runs.get(id)?.abortion.abort(new NobodyWaits()),
    async renew() {
      const before = [...runs];
      const valid = await attempt(() => queue.renew());
      for (const [id, own] of valid ? before : []) {
        if (!valid!.some((one) => one.id === id && one.run === own.run)) own.abortion.abort(new NobodyWaits());
      }
    },
    async close(graceMs) {
      isClosing = true;
      await processes.close(graceMs);
      await filling;
      await Promise.all(performances);
    },
  };
}

function toOutcome(error: unknown): JobOutcome {
  const { code, message } = error instanceof AppError ? error : cannotProcess();
  return { kind: 'failed', code, message, isPoison: error instanceof PoisonJobError };
}
