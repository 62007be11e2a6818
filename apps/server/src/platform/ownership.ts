/** The owner of a row, a charge or a job: an account, or a guest. */
import type { Actor } from './mount.ts';
import { networkOf } from './network.ts';
import type { Caller } from './ports/mediaPool.ts';

export type Guest = Extract<Actor, { kind: 'guest' }>;

/** Returns the columns that make a row the actor's. */
export function ownerColumns(actor: Actor): { userId: number } | { guestId: string } {
  return actor.kind === 'guest' ? { guestId: actor.guestId } : { userId: actor.id };
}

/** Returns the key of an actor in the ledger and in the pacing of traces. */
export const ownerOf = (actor: Actor): string =>
  actor.kind === 'guest' ? `guest:${actor.guestId}` : `user:${actor.id}`;

/**
 * Returns the caller to whom the media pool counts a job. Guests count by network, because they can drop their cookie.
 * An administrator's work is the operator's own, and nobody pays for it.
 */
export function callerOf(actor: Actor): Caller {
  const owner = ownerOf(actor);
  if (actor.kind === 'user') {
    return { name: owner, lane: 'account', payers: actor.isAdmin ? [] : [{ kind: 'account', name: owner }] };
  }
  const network = networkOf(actor.address);
  const payers = [
    { kind: 'guest', name: owner },
    { kind: 'network', name: network },
  ] as const;
  return { name: network, lane: 'guest', payers };
}
