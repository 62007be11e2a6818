/**
 * A pool with a budget of processor time for each caller. A failed or canceled job is charged too. A caller without
 * budget is refused for a time (a rate limit), and a job that exceeded its limit is not run again. Simultaneous callers
 * of the same job share one run.
 */
import type { Logger } from 'pino';
import { version } from '../../package.json';
import type { Context } from '../platform/context.ts';
import { findPlaceReport } from '../platform/placeReports.ts';
import type { JobTable, MediaJobs } from '../platform/ports/mediaJobs.ts';
import {
  type Lane,
  type MediaPool,
  type Payer,
  PoisonJobError,
  type Pool,
  type RunOptions,
} from '../platform/ports/mediaPool.ts';
import { type Budget, chargeBudgets, readDebt } from '../platform/rateLimit.ts';
import { findFailure, rememberFailure, toJobKey } from './failedJobs.ts';
import { isOfFirstCaller, type RunWatcher, type SharedRun, startSharedRun } from './sharedRuns.ts';
import type { PoolRunOptions } from './workerProcess.ts';

export interface MeterSettings extends Pick<Context, 'db' | 'now'> {
  readonly log: Logger;
  /** Seconds of processor time in ten minutes, for each kind of payer; 0 sets no limit. */
  readonly budgetSeconds: Readonly<Record<Payer['kind'], number>>;
}

/** Wraps a pool with the meter. `processorLimitMs` ends jobs by lane; by default the pool's own limit does. */
export type Meter = <Jobs extends JobTable<Jobs>>(
  pool: Pool<Jobs, PoolRunOptions>,
  processorLimitMs?: Readonly<Record<Lane, number>>,
) => Pool<Jobs>;

const WINDOW_MS = 10 * 60 * 1000;
/** A job that exceeded its limit is charged this many times: a person has one such picture, an attacker many. */
const PENALTY = 4;

/**
 * Creates a meter. A pool that it wraps also throws tooMany for a caller without budget, and the earlier error for a
 * job that exceeded its limit before.
 */
export function createMeter({ db, now, log, budgetSeconds }: MeterSettings): Meter {
  const context = { db, now };
  const toBudgets = (payers: readonly Payer[]): Budget[] =>
    payers.flatMap(({ kind, name }) => {
      const amount = budgetSeconds[kind] * 1000;
      return amount > 0 ? [{ key: `processor ${name}`, amount, windowMs: WINDOW_MS }] : [];
    });

  return <Jobs extends JobTable<Jobs>>(
    pool: Pool<Jobs, PoolRunOptions>,
    limits?: Readonly<Record<Lane, number>>,
  ): Pool<Jobs> => {
    /** The runs that have not ended, by lane and job: a guest's waits in another queue than an account's. */
    const runs = new Map<string, SharedRun<unknown>>();

    async function run<J extends keyof Jobs & string>(
      job: J,
      input: Jobs[J]['input'],
      options: RunOptions,
    ): Promise<Jobs[J]['output']> {
      const { caller, signal, onProgress, onPlace = findPlaceReport() } = options;
      const watcher: RunWatcher = { signal, onProgress, onPlace };
      const budgets = toBudgets(caller.payers);
      const processorLimitMs = limits && limits[caller.lane] * (options.limitFactor ?? 1);
      // Another version of the program may succeed.
      const key = await toJobKey(job, input, processorLimitMs, version);
      const runKey = `${caller.lane} ${key}`;
      // A run that ends while the database is asked may fail too late for the answer.
      const earlierRun = runs.get(runKey);
      const [debtMs, failure] = await Promise.all([readDebt(context, budgets), findFailure(context, key)]);
      signal?.throwIfAborted();
      if (failure !== undefined) throw new PoisonJobError(failure);

      const runningJob = earlierRun ?? runs.get(runKey);
      // A caller who has used less than the first one has an earlier turn of its own.
      if (runningJob && !runningJob.isAbandoned && runningJob.debtMs <= debtMs) {
        try {
          return (await runningJob.watch(watcher)) as Jobs[J]['output'];
        } catch (error) {
          if (signal?.aborted || !(runningJob.isAbandoned || isOfFirstCaller(error))) throw error;
          return run(job, input, { ...options, onPlace });
        }
      }

      const newRun = startSharedRun(debtMs, async (watchers) => {
        let costMs = 0;
        const onProcessorTime = (processorMs: number): void => {
          costMs = processorMs;
        };
        try {
          const runOptions = { ...options, ...watchers, processorLimitMs, debtMs, onProcessorTime };
          return await pool.run(job, input, runOptions);
        } catch (error) {
          if (error instanceof PoisonJobError) {
            costMs *= PENALTY;
            await rememberFailure(context, key, error.message).catch(warn);
          }
          throw error;
        } finally {
          await chargeBudgets(context, costMs > 0 ? budgets : [], costMs).catch(warn);
          if (runs.get(runKey) === newRun) runs.delete(runKey);
        }
      });
      runs.set(runKey, newRun);
      return newRun.watch(watcher);
    }

    return { ...pool, run };
  };

  /** Logs a failure to record the cost. The job's result is returned all the same. */
  function warn(error: unknown): void {
    log.warn({ err: error }, 'the cost of a media job could not be noted');
  }
}

/**
 * Meters the pool that works on people's pictures. A job of a guest may take half the processor time of an account's.
 */
export function meterMediaPool(
  pool: Pool<MediaJobs, PoolRunOptions>,
  { processorSeconds }: { readonly processorSeconds: { readonly job: number } },
  meter: Meter,
): MediaPool {
  const account = processorSeconds.job * 1000;
  return meter(pool, { account, guest: account / 2 });
}
