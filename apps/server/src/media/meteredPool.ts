/**
 * A pool whose callers pay: processor time is counted for everyone who asked for it, also for a job that failed or was
 * given up. Whoever has used up a budget waits, and a job that failed for what it needs is not tried again.
 */
import type { Logger } from 'pino';
import { version } from '../../package.json';
import type { Context } from '../platform/context.ts';
import { findPlaceReport } from '../platform/placeReports.ts';
import type { JobTable } from '../platform/ports/mediaJobs.ts';
import { type Lane, type Payer, PoisonJobError, type Pool } from '../platform/ports/mediaPool.ts';
import { type Budget, chargeBudgets, readDebt } from '../platform/rateLimit.ts';
import { findFailure, rememberFailure, toJobKey } from './failedJobs.ts';
import type { PoolRunOptions } from './workerProcess.ts';

export interface MeterSettings extends Pick<Context, 'db' | 'now'> {
  readonly log: Logger;
  /** Seconds of processor time in ten minutes, for each kind of payer; 0 sets no limit. */
  readonly budgetSeconds: Readonly<Record<Payer['kind'], number>>;
}

/** Puts the meter around a pool. `processorLimitMs` ends jobs by lane; the pool's own limit does when it is absent. */
export type Meter = <Jobs extends JobTable<Jobs>>(
  pool: Pool<Jobs, PoolRunOptions>,
  processorLimitMs?: Readonly<Record<Lane, number>>,
) => Pool<Jobs>;

const WINDOW_MS = 10 * 60 * 1000;
/** A job that failed for what it needs is charged as often: a person has one such picture, an attacker has many. */
const PENALTY = 4;

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
      // Another version of the program may work on what this one failed at.
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

  /** Logs a failure to write the cost down. The job's result is returned all the same. */
  function warn(error: unknown): void {
    log.warn({ err: error }, 'the cost of a media job could not be noted');
  }
}
