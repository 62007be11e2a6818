/** The administrator's view of makers' pages: lists, hides and shows them again. */
import type { AdminMaker } from '@markwright/contract';
import { desc, eq, sql } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import { writeAudit } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import type { UserActor } from '../platform/mount.ts';
import { cutPage, isBeyond, PAGE } from '../platform/paging.ts';
import { type MakerRow, notFound, placeWords } from './makers.ts';
import { makerPhotos, makers } from './tables.ts';

/** Lists all makers' pages, newest first, 50 at a time. */
export async function listAllMakers(
  context: Context,
  before: string | undefined,
): Promise<{ makers: AdminMaker[]; next: string | null }> {
  const rows = await selectMakers(context)
    .where(isBeyond(makers.createdAt, makers.id, before))
    .orderBy(desc(makers.createdAt), desc(makers.id))
    .limit(PAGE + 1);
  const { page, next } = cutPage(
    rows.map((row) => ({ ...row, createdAt: row.maker.createdAt })),
    ({ maker }) => maker.id,
  );
  return { makers: page.map(toAdminMaker), next };
}

/** Hides a page immediately. Throws notFound. */
export function hideMaker(context: Context, actor: UserActor, id: string, reason: string): Promise<AdminMaker> {
  return updateMaker(
    context,
    actor,
    id,
    { hiddenAt: context.now(), hiddenReason: reason },
    { action: 'maker.hide', detail: { reason } },
  );
}

/** Shows a page again, if its maker lists it. Throws notFound. */
export function unhideMaker(context: Context, actor: UserActor, id: string): Promise<AdminMaker> {
  return updateMaker(context, actor, id, { hiddenAt: null, hiddenReason: null }, { action: 'maker.unhide' });
}

async function updateMaker(
  context: Context,
  actor: UserActor,
  id: string,
  changes: Pick<MakerRow, 'hiddenAt' | 'hiddenReason'>,
  entry: { action: string; detail?: Record<string, unknown> },
): Promise<AdminMaker> {
  await context.db.transaction(async (tx) => {
    const [row] = await tx.update(makers).set(changes).where(eq(makers.id, id)).returning();
    if (!row) throw notFound();
    await writeAudit(tx, actor, context.now(), { ...entry, subject: row.name || 'a page without a name' });
  });
  const [row] = await selectMakers(context).where(eq(makers.id, id));
  if (!row) throw notFound();
  return toAdminMaker(row);
}

const selectMakers = (context: Context) =>
  context.db
    .select({
      maker: makers,
      email: users.email,
      photos: sql<number>`(select count(*)::int from ${makerPhotos} where ${makerPhotos.userId} = ${makers.userId})`,
    })
    .from(makers)
    .innerJoin(users, eq(users.id, makers.userId));

function toAdminMaker({ maker, email, photos }: { maker: MakerRow; email: string; photos: number }): AdminMaker {
  const { id, name, place, isListed, hiddenAt, hiddenReason, createdAt } = maker;
  return {
    id,
    name,
    email,
    place: placeWords(place),
    isListed,
    photos,
    hiddenAt: hiddenAt?.toISOString() ?? null,
    hiddenReason,
    createdAt: createdAt.toISOString(),
  };
}
