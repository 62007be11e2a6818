/** What the administrator does about makers' pages: reads the list, hides one, shows it again. */
import type { AdminMaker } from '@markwright/contract';
import { desc, eq, sql } from 'drizzle-orm';
import type { Deps } from '../openContext.ts';
import { writeAudit } from '../platform/audit.ts';
import type { UserActor } from '../platform/mount.ts';
import { cutPage, isBeyond, PAGE } from '../platform/paging.ts';
import { makerPhotos, makers, users } from '../platform/schema.ts';
import { type MakerRow, notFound, placeWords } from './makers.ts';

/** All makers' pages, newest first, 50 at a time. */
export async function listAllMakers(
  deps: Deps,
  before: string | undefined,
): Promise<{ makers: AdminMaker[]; next: string | null }> {
  const rows = await selectMakers(deps)
    .where(isBeyond(makers.createdAt, makers.id, before))
    .orderBy(desc(makers.createdAt), desc(makers.id))
    .limit(PAGE + 1);
  const { page, next } = cutPage(
    rows.map((row) => ({ ...row, createdAt: row.maker.createdAt })),
    ({ maker }) => maker.id,
  );
  return { makers: page.map(toAdminMaker), next };
}

/** Keeps a page out of sight from this moment. Throws notFound. */
export function hideMaker(deps: Deps, actor: UserActor, id: string, reason: string): Promise<AdminMaker> {
  return change(
    deps,
    actor,
    id,
    { hiddenAt: deps.now(), hiddenReason: reason },
    { action: 'maker.hide', detail: { reason } },
  );
}

/** Shows a page again, where its maker lists it. Throws notFound. */
export function unhideMaker(deps: Deps, actor: UserActor, id: string): Promise<AdminMaker> {
  return change(deps, actor, id, { hiddenAt: null, hiddenReason: null }, { action: 'maker.unhide' });
}

async function change(
  deps: Deps,
  actor: UserActor,
  id: string,
  to: Pick<MakerRow, 'hiddenAt' | 'hiddenReason'>,
  deed: { action: string; detail?: Record<string, unknown> },
): Promise<AdminMaker> {
  await deps.db.transaction(async (tx) => {
    const [row] = await tx.update(makers).set(to).where(eq(makers.id, id)).returning();
    if (!row) throw notFound();
    await writeAudit(tx, actor, deps.now(), { ...deed, subject: row.name || 'a page without a name' });
  });
  const [row] = await selectMakers(deps).where(eq(makers.id, id));
  if (!row) throw notFound();
  return toAdminMaker(row);
}

const selectMakers = (deps: Deps) =>
  deps.db
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
