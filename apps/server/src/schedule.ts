/** The scheduled jobs. One server at a time runs a job. */
import { sweepInvitations } from './accounts/administrators.ts';
import { sweepMailedTokens } from './accounts/mailedTokens.ts';
import { MAIL_RESET, mailReset } from './accounts/passwordChange.ts';
import { sweepSessions } from './accounts/sessions.ts';
import { sweepUsage } from './allowances/allowances.ts';
import { compareSubscriptions, sweepPayments } from './billing/subscriptions.ts';
import { sweepPictures } from './catalogue/pictures.ts';
import { sweepInkProfiles } from './companies/inkProfiles.ts';
import { sweepOwnFonts } from './companies/ownFonts.ts';
import { sweepCompanyPictures } from './companies/products.ts';
import { sweepCompositionFiles, sweepCompositions } from './compositions/compositions.ts';
import { sweepDesignFiles, sweepGuestDesigns, sweepGuests } from './designs/designs.ts';
import { MAKE_BATCHES, sweepBatches } from './exports/batches.ts';
import { makeBatches } from './exports/batchRun.ts';
import { sweepExports } from './exports/madeFiles.ts';
import { sweepGuestFeedback, sweepWaitlist } from './feedback/feedback.ts';
import { sweepLibrary, sweepLibraryFiles } from './library/library.ts';
import { SEND_MAILS } from './mail/mail.ts';
import { sendMails, sweepMails } from './mail/sending.ts';
import { sweepMakerPhotos } from './makers/makers.ts';
import { sweepFailedJobs } from './media/failedJobs.ts';
import { sweepJobParts } from './media/jobBytes.ts';
import { SEND_WEBHOOKS, sendWebhooks, sweepDeliveries } from './orders/webhooks.ts';
import { sweepAuditTrail } from './platform/audit.ts';
import type { Context } from './platform/context.ts';
import { checkInstallation } from './platform/installation.ts';
import type { Job } from './platform/jobs.ts';
import { sweepUnfinishedFiles } from './platform/orphans.ts';
import { sweepRateLimits } from './platform/rateLimit.ts';
import { sweepRequestKeys } from './platform/requestKeys.ts';
import { sweepSecurityEvents } from './platform/securityEvents.ts';
import { makeTakeouts } from './privacy/takeoutRun.ts';
import { MAKE_TAKEOUTS, sweepTakeouts } from './privacy/takeouts.ts';
import { sweepSavedDesigns } from './savedDesigns/savedDesigns.ts';
import { warnOfFullStorage } from './storage/readers.ts';
import { sweepStorage } from './storage/sweep.ts';

/** Sweeps of rows, and of half-written files, which belong to nobody. */
const sweeps = [
  sweepUsage,
  sweepSessions,
  sweepMailedTokens,
  sweepInvitations,
  sweepRateLimits,
  sweepRequestKeys,
  sweepSecurityEvents,
  sweepAuditTrail,
  sweepFailedJobs,
  sweepPayments,
  sweepMails,
  sweepWaitlist,
  sweepGuestFeedback,
  sweepDeliveries,
  sweepGuests,
  sweepUnfinishedFiles,
  compareSubscriptions,
];

/** Sweeps that delete files, of their own or of rows that are gone. */
const fileSweeps = [
  sweepExports,
  sweepBatches,
  sweepTakeouts,
  sweepGuestDesigns,
  sweepCompositions,
  sweepLibrary,
  sweepSavedDesigns,
  sweepDesignFiles,
  sweepCompositionFiles,
  sweepLibraryFiles,
  sweepPictures,
  sweepCompanyPictures,
  sweepInkProfiles,
  sweepOwnFonts,
  sweepMakerPhotos,
  sweepJobParts,
  sweepStorage,
  warnOfFullStorage,
];

/** Lists the background jobs of a server. */
export function backgroundJobs(context: Context): Job[] {
  return [
    {
      name: 'housekeeping', // the stored name of the queue: the hourly sweeps
      each: 'hour',
      limitSeconds: 3_000,
      run: (_data, signal) => sweepAll(context, signal),
    },
    { name: MAIL_RESET, parallel: 2, run: (data) => mailReset(context, data) },
    {
      name: SEND_MAILS,
      each: 'minute', // for mails that wait for their next attempt
      parallel: 4,
      retries: 0, // the outbox retries
      run: (_data, signal) => sendMails(context, signal),
    },
    {
      name: SEND_WEBHOOKS,
      each: 'minute',
      parallel: 2,
      retries: 0, // as for mails
      run: (_data, signal) => sendWebhooks(context, signal),
    },
    {
      name: MAKE_BATCHES,
      each: 'minute', // for batches that wait, and those of a server that died
      parallel: 2,
      limitSeconds: 3_600, // a run ends itself after some minutes
      retries: 0, // the rows say what is due
      run: (_data, signal) => makeBatches(context, signal),
    },
    {
      name: MAKE_TAKEOUTS,
      each: 'minute', // for those of a server that died
      limitSeconds: 1_800,
      retries: 0, // as for batches
      run: (_data, signal) => makeTakeouts(context, signal),
    },
  ];
}

/** Runs all sweeps; those of files only while the files belong to this database. */
async function sweepAll(context: Context, signal: AbortSignal): Promise<void> {
  await runSweeps(context, sweeps, signal);
  if (signal.aborted) return;
  try {
    await checkInstallation(context.db, context.files);
  } catch (error) {
    context.log.error({ err: error }, 'no file is swept');
    return;
  }
  await runSweeps(context, fileSweeps, signal);
}

/**
 * Runs sweeps. One that fails does not stop the others; it is tried again in the next hour. When the server stops, no
 * further sweep begins: the database is closed soon.
 */
async function runSweeps(
  context: Context,
  all: readonly ((context: Context) => Promise<void>)[],
  signal: AbortSignal,
): Promise<void> {
  for (const sweep of all) {
    if (signal.aborted) return;
    await sweep(context).catch((error: unknown) => {
      const fields = { err: error, sweep: sweep.name };
      if (signal.aborted) context.log.info(fields, 'a sweep was broken off by the stop');
      else context.log.error(fields, 'a sweep failed');
    });
  }
}
