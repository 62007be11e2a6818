/** Deleting an account, with everything that belongs to it. */
import { and, eq, notInArray } from 'drizzle-orm';
import { changeAsOwner, checkOwnerProof, type OwnerProof, verifyCurrentPassword } from '../accounts/ownerProof.ts';
import { ADMIN_ID } from '../accounts/sessions.ts';
import { users } from '../accounts/tables.ts';
import { usage } from '../allowances/tables.ts';
import { subscriptions } from '../billing/tables.ts';
import { companies, companyFonts, companyInkProfiles } from '../companies/tables.ts';
import { compositions } from '../compositions/tables.ts';
import { designs } from '../designs/tables.ts';
import { listBatchFolders } from '../exports/batches.ts';
import { listMadeKeys } from '../exports/madeFiles.ts';
import { feedback } from '../feedback/tables.ts';
import { libraryEntries } from '../library/tables.ts';
import { mails } from '../mail/tables.ts';
import { makers } from '../makers/tables.ts';
import { giveBackOrders } from '../orders/orders.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { ownerOf } from '../platform/ownership.ts';
import { recordSecurityEvent } from '../platform/securityEvents.ts';
import { withinTenantScope } from '../platform/tenancy.ts';
import { savedDesigns } from '../savedDesigns/tables.ts';
import { isMailOfAccount } from './takeout.ts';
import { listTakeoutFolders } from './takeouts.ts';

/**
 * Ends the account's subscription at the provider, then deletes the account with everything that belongs to it, then
 * its files. Throws invalid for a wrong password or code, forbidden for the administrator, unavailable when the
 * subscription cannot be ended, and conflict when another plan was begun meanwhile. Nothing is deleted then, and a code
 * stays unused.
 */
export async function deleteAccount(
  context: Context,
  actor: UserActor,
  { password, code }: OwnerProof,
): Promise<{ ok: true }> {
  if (actor.id === ADMIN_ID) throw new AppError('forbidden', 'The administrator’s account cannot be deleted.');
  const passwordHash = await verifyCurrentPassword(context, actor, password);
  const proof = { passwordHash, code };
  await checkOwnerProof(context, actor, proof);
  // Before the transaction: the provider may take seconds to answer, and no row is to be locked so long. When the
  // account cannot be deleted after that, a second try ends the subscription again, which changes nothing.
  const endedCustomer = await endSubscription(context, actor.id);
  // The lock that is held here prevents new designs, compositions, library entries, companies, maker's pages, sessions
  // and tokens.
  const { folders, keys } = await changeAsOwner(context, actor, proof, async (tx) => {
    await refuseOtherCustomer(tx, actor.id, endedCustomer);
    const designRows = await tx.select({ id: designs.id }).from(designs).where(eq(designs.userId, actor.id));
    const compositionRows = await tx
      .select({ id: compositions.id })
      .from(compositions)
      .where(eq(compositions.userId, actor.id));
    const entryRows = await tx
      .select({ id: libraryEntries.id })
      .from(libraryEntries)
      .where(eq(libraryEntries.userId, actor.id));
    const [company] = await tx.select({ id: companies.id }).from(companies).where(eq(companies.userId, actor.id));
    const ofCompany = eq(savedDesigns.companyId, company?.id ?? '');
    const savedRows = await withinTenantScope(tx, { company: company?.id }, () =>
      tx.select({ id: savedDesigns.id }).from(savedDesigns).where(ofCompany),
    );
    const profileRows = await withinTenantScope(tx, { company: company?.id }, () =>
      tx
        .select({ id: companyInkProfiles.id })
        .from(companyInkProfiles)
        .where(eq(companyInkProfiles.companyId, company?.id ?? '')),
    );
    const fontRows = await withinTenantScope(tx, { company: company?.id }, () =>
      tx
        .select({ id: companyFonts.id })
        .from(companyFonts)
        .where(eq(companyFonts.companyId, company?.id ?? '')),
    );
    const [maker] = await tx.select({ id: makers.id }).from(makers).where(eq(makers.userId, actor.id));
    const keys = await listMadeKeys(tx, actor.id);
    const batchFolders = await listBatchFolders(tx, actor.id);
    const takeoutFolders = await listTakeoutFolders(tx, actor.id);
    await giveBackOrders(context, tx, actor.id);
    await tx.delete(feedback).where(eq(feedback.userId, actor.id));
    await tx.delete(usage).where(eq(usage.owner, ownerOf(actor)));
    // Queued mails are still sent: the owner must hear of a changed password, whatever its thief does next.
    await tx.delete(mails).where(and(isMailOfAccount(actor.email), notInArray(mails.state, ['queued', 'sending'])));
    const { id: userId, email, address } = actor;
    await recordSecurityEvent(context, tx, { kind: 'account', action: 'deleted', userId, email, address });
    await tx.delete(users).where(eq(users.id, actor.id)); // the remaining rows are deleted by cascade
    const folders = [
      ...designRows.map(({ id }) => `designs/${id}/`),
      ...compositionRows.map(({ id }) => `compositions/${id}/`),
      ...entryRows.map(({ id }) => `library/${id}/`),
      ...batchFolders,
      ...takeoutFolders,
      ...(company ? [`companies/${company.id}/`] : []),
      ...savedRows.map(({ id }) => `saved/${id}/`),
      ...profileRows.map(({ id }) => `profiles/${id}/`),
      ...fontRows.map(({ id }) => `fonts/${id}/`),
      ...(maker ? [`makers/${maker.id}/`] : []),
    ];
    return { folders, keys };
  });
  await removeFiles(context, folders, keys);
  return { ok: true };
}

/** Ends the account's subscription and returns its customer at the provider; undefined when it never had one. */
async function endSubscription(context: Context, userId: number): Promise<string | undefined> {
  const [subscription] = await context.db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  if (!subscription) return undefined;
  if (subscription.provider === context.payments.kind) {
    await context.payments.endSubscriptions(subscription.customerId);
  } else if (subscription.provider !== 'test' && subscription.status !== 'inactive') {
    // The provider's keys were removed from the settings: the card would still be charged.
    throw new AppError('unavailable', 'Your subscription cannot be ended just now. Please write to our support.');
  }
  return subscription.customerId;
}

/**
 * Throws conflict when the account has another customer than the one whose subscriptions were ended: somebody began to
 * buy a plan in another tab, and the card would be charged without an account. The lock prevents it from now on.
 */
async function refuseOtherCustomer(tx: Transaction, userId: number, endedCustomer: string | undefined): Promise<void> {
  const [subscription] = await tx
    .select({ customerId: subscriptions.customerId })
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId))
    .for('update');
  if (subscription?.customerId === endedCustomer) return;
  throw new AppError('conflict', 'A plan was begun for this account just now. Please try again.');
}

/** Deletes the files. The sweep for orphaned files finds what cannot be deleted now. */
async function removeFiles(context: Context, folders: readonly string[], keys: readonly string[]): Promise<void> {
  try {
    await context.files.deleteMany(keys);
    for (const folder of folders) await context.files.deleteFolder(folder);
  } catch (error) {
    context.log.warn({ err: error }, 'files of a deleted account are left for the sweep');
  }
}
