/** The share of the storage that an actor's files fill. */
import { messages } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import type { Context } from '../platform/context.ts';
import type { Actor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { ownerOf } from '../platform/ownership.ts';
import type { Keeper } from '../platform/storage.ts';
import { findSubscription } from './allowances.ts';

/**
 * Returns who pays for a file of an actor. A guest and an account without a verified address fill the share of their
 * network, because both can be made in any number. On a local site without a mail server an account needs no verified
 * address. The administrator has no limit.
 */
export async function keeperOf(context: Context, actor: Actor): Promise<Keeper> {
  const { networkBytes, planBytes, needsVerifiedAddress } = context.config.storage;
  const owner = ownerOf(actor);
  const payer = `network:${networkOf(actor.address)}`;
  if (actor.kind === 'guest') return { owner, payer, limitBytes: networkBytes, refusal: messages.networkStorageFull };
  if (actor.isAdmin) return { owner, payer: owner };
  const [row] = await context.db
    .select({ verifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, actor.id));
  if (needsVerifiedAddress && !row?.verifiedAt)
    return { owner, payer, limitBytes: networkBytes, refusal: messages.unverifiedStorageFull };
  const { plan } = await findSubscription(context, actor.id);
  return { owner, payer: owner, limitBytes: planBytes[plan], refusal: messages.accountStorageFull };
}
