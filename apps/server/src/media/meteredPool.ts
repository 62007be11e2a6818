/**
 * A pool with a budget of processor time for each caller. A failed or canceled job is charged too. A caller without
 * budget is refused for a time (a rate limit), and a job that exceeded its limit is not run again.
 */
import type { Logger } from 'pino';
import { version } from '../../package.json';
import type { Context } from '../platform/context.ts';
import { findPlaceReport } from '../platform/placeReports.ts';
import type { JobTable, MediaJobs } from '../platform/ports/mediaJobs.ts';
import { type Lane, type MediaPool, type Payer, PoisonJobError, type Pool } from '../platform/ports/mediaPool.ts';
import { type Budget, chargeBudgets, readDebt } from '../platform/rateLimit.ts';
import { findFailure, rememberFailure, toJobKey } from './failedJobs.ts';
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

  return (pool, limits) => ({
    ...pool,
    async run(job, input, options) {
      const { caller, signal, onPlace = findPlaceReport() } = options;
      const budgets = toBudgets(caller.payers);
      const processorLimitMs = limits?.[caller.lane];
      // Another version of the program may succeed.
      const key = await toJobKey(job, input, processorLimitMs, version);
      const [debtMs, failure] = await Promise.all([readDebt(context, budgets), findFailure(context, key)]);
      signal?.throwIfAborted();
      if (failure !== undefined) throw new PoisonJobError(failure);

      let costMs = 0;
      const onProcessorTime = (processorMs: number): void => {
        costMs = processorMs;
      };
      try {
        return await pool.run(job, input, { ...options, onPlace, processorLimitMs, debtMs, onProcessorTime });
      } catch (error) {
        if (error instanceof PoisonJobError) {
          costMs *= PENALTY;
          await rememberFailure(context, key, error.message).catch(warn);
        }
        throw error;
      } finally {
        await chargeBudgets(context, costMs > 0 ? budgets : [], costMs).catch(warn);
      }
    },
  });

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
