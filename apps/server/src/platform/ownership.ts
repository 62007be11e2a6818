/** The owner of a row, a charge or a job: an account, or a guest. */
import type { Actor } from './mount.ts';
import { networkOf } from './network.ts';

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
 */
export const callerOf = (actor: Actor): string =>
  actor.kind === 'guest' ? networkOf(actor.address) : `user:${actor.id}`;
