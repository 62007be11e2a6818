/** The share of the storage that an actor's files fill. */
import { messages } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { roleOf } from '../accounts/sessions.ts';
import { users } from '../accounts/tables.ts';
import type { Context } from '../platform/context.ts';
import type { Actor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { ownerOf } from '../platform/ownership.ts';
import type { Keeper } from '../platform/storage.ts';
import { findSubscription } from './allowances.ts';

/**
 * Returns the bytes that an account may store: those of its plan, infinitely many for an administrator, and undefined
 * for an account that must verify its address first. On a local site without a mail server no account needs that.
 */
export async function storageLimitOf(context: Context, userId: number): Promise<number | undefined> {
  const { planBytes, needsVerifiedAddress } = context.config.storage;
  const [row] = await context.db
    .select({ verifiedAt: users.emailVerifiedAt, storedRole: users.adminRole })
    .from(users)
    .where(eq(users.id, userId));
  if (!row) return undefined;
  if (roleOf(userId, row.storedRole)) return Number.POSITIVE_INFINITY;
  if (needsVerifiedAddress && !row.verifiedAt) return undefined;
  return planBytes[(await findSubscription(context, userId)).plan];
}

/**
 * Returns who pays for a file of an actor. A guest and an account without a verified address fill the share of their
 * network, because both can be made in any number.
 */
export async function keeperOf(context: Context, actor: Actor): Promise<Keeper> {
  const { networkBytes } = context.config.storage;
  const owner = ownerOf(actor);
  const payer = `network:${networkOf(actor.address)}`;
  if (actor.kind === 'guest') return { owner, payer, limitBytes: networkBytes, refusal: messages.networkStorageFull };
  const limitBytes = await storageLimitOf(context, actor.id);
  if (limitBytes === undefined)
    return { owner, payer, limitBytes: networkBytes, refusal: messages.unverifiedStorageFull };
  if (limitBytes === Number.POSITIVE_INFINITY) return { owner, payer: owner };
  const isLargest = limitBytes >= Math.max(...Object.values(context.config.storage.planBytes));
  const refusal = isLargest ? messages.largestStorageFull : messages.accountStorageFull;
  return { owner, payer: owner, limitBytes, refusal };
}
