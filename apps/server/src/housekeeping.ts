/** What has to be cleared away from time to time. Any number of processes may do it. */
import { sweepMailedTokens } from './accounts/mailedTokens.ts';
import { sweepSessions } from './accounts/sessions.ts';
import { sweepThrottles } from './accounts/throttle.ts';
import { sweepUsage } from './billing/allowances.ts';
import { compareSubscriptions, sweepPayments } from './billing/subscriptions.ts';
import type { Deps } from './deps.ts';
import { sweepGuestDesigns, sweepOrphanFiles } from './designs/designs.ts';
import { sweepExports } from './exports/compositions.ts';

const HOUR_MS = 3_600_000;
const sweeps = [
  sweepUsage,
  sweepSessions,
  sweepMailedTokens,
  sweepThrottles,
  sweepPayments,
  sweepExports,
  sweepGuestDesigns,
  sweepOrphanFiles,
  compareSubscriptions,
];

/** Sweeps now and every hour. Gives what stops it, after the sweep that runs. */
export function startHousekeeping(deps: Deps): () => Promise<void> {
  let running = sweepAll(deps);
  const timer = setInterval(() => {
    running = sweepAll(deps);
  }, HOUR_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function sweepAll(deps: Deps): Promise<void> {
  for (const sweep of sweeps) {
    await sweep(deps).catch((error: unknown) => deps.log.error({ err: error, sweep: sweep.name }, 'a sweep failed'));
  }
}
