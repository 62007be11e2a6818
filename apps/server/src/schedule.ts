/** What the server does by itself. Of any number of servers one does it at a time. */
import { sweepMailedTokens } from './accounts/mailedTokens.ts';
import { MAIL_RESET, mailReset } from './accounts/passwordChange.ts';
import { sweepSessions } from './accounts/sessions.ts';
import { sweepUsage } from './allowances/allowances.ts';
import { compareSubscriptions, sweepPayments } from './billing/subscriptions.ts';
import { sweepPictures } from './catalogue/pictures.ts';
import { sweepCompositions } from './compositions/compositions.ts';
import { sweepGuestDesigns, sweepOrphanFiles } from './designs/designs.ts';
import { sweepExports } from './exports/renderJob.ts';
import { SEND_MAILS } from './mail/mail.ts';
import { sendMails, sweepMails } from './mail/sending.ts';
import type { Deps } from './openContext.ts';
import { SEND_WEBHOOKS, sendWebhooks, sweepDeliveries } from './orders/webhooks.ts';
import type { Job } from './platform/jobs.ts';
import { sweepForgotten } from './platform/orphans.ts';
import { sweepThrottles } from './platform/rateLimit.ts';
import { sweepSavedDesigns } from './savedDesigns/savedDesigns.ts';
import { sweepTurns } from './tracing/tracePacing.ts';

const sweeps = [
  sweepUsage,
  sweepSessions,
  sweepMailedTokens,
  sweepThrottles,
  sweepTurns,
  sweepPayments,
  sweepMails,
  sweepDeliveries,
  sweepExports,
  sweepGuestDesigns,
  sweepCompositions,
  sweepSavedDesigns,
  sweepOrphanFiles,
  sweepPictures,
  sweepForgotten,
  compareSubscriptions,
];

export function backgroundJobs(deps: Deps): Job[] {
  return [
    { name: 'housekeeping', schedule: '0 * * * *', limitSeconds: 3_000, run: () => sweepAll(deps) },
    { name: MAIL_RESET, parallel: 2, run: (data) => mailReset(deps, data) },
    {
      name: SEND_MAILS,
      schedule: '* * * * *', // what waits for its next try
      parallel: 4,
      retries: 0,
      run: (_data, signal) => sendMails(deps, signal),
    },
    {
      name: SEND_WEBHOOKS,
      schedule: '* * * * *',
      parallel: 2,
      retries: 0,
      run: (_data, signal) => sendWebhooks(deps, signal),
    },
  ];
}

/** Clears away what has to be. A sweep that fails stops no other one; the next hour tries it again. */
async function sweepAll(deps: Deps): Promise<void> {
  for (const sweep of sweeps) {
    await sweep(deps).catch((error: unknown) => deps.log.error({ err: error, sweep: sweep.name }, 'a sweep failed'));
  }
}
