/** Ownership of designs: a design belongs to one account or one guest. */
import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import type { Guest } from '../platform/ownership.ts';
import type { RateLimit } from '../platform/rateLimit.ts';
import { changeOwner } from '../platform/storage.ts';
import { designs } from './tables.ts';

export type DesignRow = typeof designs.$inferSelect;

/** Returns the condition that every query for designs has. */
export const isOwnedBy = (actor: Actor) =>
  actor.kind === 'guest' ? eq(designs.guestId, actor.guestId) : eq(designs.userId, actor.id);

/** Returns the actor's own design. Throws notFound, in the same words for another owner's design and a missing one. */
export async function getDesign(context: Context, actor: Actor, designId: string): Promise<DesignRow> {
  return (await getDesigns(context, actor, [designId])).get(designId)!;
}

/** Returns the actor's own designs by id. Throws notFound when any of them is missing or belongs to another owner. */
export async function getDesigns(
  context: Context,
  actor: Actor,
  designIds: readonly string[],
): Promise<ReadonlyMap<string, DesignRow>> {
  const byId = await findDesigns(context, actor, designIds);
  if (designIds.some((id) => !byId.has(id))) {
    throw new AppError('notFound', 'This design was not found. Please upload it again.');
  }
  return byId;
}

/** Returns those of the designs that are the actor's own, by id. */
export async function findDesigns(
  context: Context,
  actor: Actor,
  designIds: readonly string[],
): Promise<ReadonlyMap<string, DesignRow>> {
  if (designIds.length === 0) return new Map();
  const rows = await context.db
    .select()
    .from(designs)
    .where(and(inArray(designs.id, [...designIds]), isOwnedBy(actor)));
  for (const row of rows) await recordOpening(context, row);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Records that a design was opened, at most once a day. */
async function recordOpening(context: Context, { id, openedAt }: DesignRow): Promise<void> {
  const now = context.now();
  if (now.getTime() - openedAt.getTime() < DAY_MS) return;
  await context.db.update(designs).set({ openedAt: now }).where(eq(designs.id, id));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Assigns a guest's designs to the account that the guest signs in to. */
export async function adoptDesigns(context: Context, guestId: string, userId: number): Promise<void> {
  await context.db.update(designs).set({ userId, guestId: null }).where(eq(designs.guestId, guestId));
  await changeOwner(context.db, `guest:${guestId}`, `user:${userId}`);
}

/**
 * Returns the rate limit of the guests of one network, by the hour. Guests are counted by network, because they can
 * drop their cookie and with it the quota. A refused request is not charged, but costs the server as much.
 */
export const guestLimit = (what: 'upload' | 'cutout' | 'finish', { address }: Guest): RateLimit => ({
  key: `${what} ${networkOf(address)}`,
  limit: 300,
  windowMs: 60 * 60 * 1000,
});
