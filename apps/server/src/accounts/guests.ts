import type { Context } from '../platform/context.ts';
import { networkOf } from '../platform/network.ts';
import type { Guest } from '../platform/ownership.ts';
import { guests } from './tables.ts';

/** Creates the row of a guest who is about to own something. */
export async function ensureGuest(context: Context, guest: Guest): Promise<void> {
  await context.db
    .insert(guests)
    .values({ id: guest.guestId, address: networkOf(guest.address), createdAt: context.now() })
    .onConflictDoNothing();
}
