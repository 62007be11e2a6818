import type { Guest } from '../designs/ownDesigns.ts';
import type { Context } from '../platform/context.ts';
import { networkOf } from '../platform/network.ts';
import { guests } from '../platform/schema.ts';

/** Makes sure that a guest who is about to own something has a row. */
export async function ensureGuest(context: Context, guest: Guest): Promise<void> {
  await context.db
    .insert(guests)
    .values({ id: guest.guestId, address: networkOf(guest.address), createdAt: context.now() })
    .onConflictDoNothing();
}
