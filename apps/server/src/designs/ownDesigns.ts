/** Whose a design is: the account's or the guest's, and nobody else's. */
import { and, eq } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import type { Guest } from '../platform/ownership.ts';
import type { RateLimit } from '../platform/rateLimit.ts';
import { designs } from './tables.ts';

export type DesignRow = typeof designs.$inferSelect;

/** The condition every query for designs carries. */
export const isOwnedBy = (actor: Actor) =>
  actor.kind === 'guest' ? eq(designs.guestId, actor.guestId) : eq(designs.userId, actor.id);

/** The actor's own design. Throws notFound in the same words for a foreign and a missing one. */
export async function getDesign(context: Context, actor: Actor, designId: string): Promise<DesignRow> {
  const [row] = await context.db
    .select()
    .from(designs)
    .where(and(eq(designs.id, designId), isOwnedBy(actor)));
  if (!row) throw new AppError('notFound', 'This design was not found. Please upload it again.');
  return row;
}

/** Assigns a guest's designs to the account that the guest signs in to. */
export async function adoptDesigns(context: Context, guestId: string, userId: number): Promise<void> {
  await context.db.update(designs).set({ userId, guestId: null }).where(eq(designs.guestId, guestId));
}

/**
 * Returns the limit on what the guests of one network may start in an hour. Guests are counted by network: they can
 * drop their cookie, and with it the quota. What is refused is not charged, but costs the server as much.
 */
export const guestLimit = (what: 'upload' | 'cutout' | 'finish', { address }: Guest): RateLimit => ({
  key: `${what} ${networkOf(address)}`,
  limit: 300,
  windowMs: 60 * 60 * 1000,
});
