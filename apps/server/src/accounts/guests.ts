import type { Guest } from '../designs/ownDesigns.ts';
import type { Deps } from '../openContext.ts';
import { networkOf } from '../platform/network.ts';
import { guests } from '../platform/schema.ts';

/** Makes sure that a guest who is about to own something has a row. */
export async function ensureGuest(deps: Deps, guest: Guest): Promise<void> {
  await deps.db
    .insert(guests)
    .values({ id: guest.guestId, address: networkOf(guest.address), createdAt: deps.now() })
    .onConflictDoNothing();
}
