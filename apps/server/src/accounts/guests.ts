import type { Context } from '../platform/context.ts';
import { networkOf } from '../platform/network.ts';
import type { Guest } from '../platform/ownership.ts';
import { guests } from './tables.ts';

/** Creates the row of a guest who is about to own something, or keeps it from the sweep for another 30 days. */
export async function ensureGuest(context: Context, guest: Guest): Promise<void> {
  const now = context.now();
  await context.db
    .insert(guests)
    .values({ id: guest.guestId, address: networkOf(guest.address), seenAt: now, createdAt: now })
    .onConflictDoUpdate({ target: guests.id, set: { seenAt: now } });
}
