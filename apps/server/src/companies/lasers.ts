/** A shop's lasers: the speeds and powers that its LightBurn projects have, by material and operation. */
import { type CallReplyInput, LASER_LIMITS, type Laser, type LaserChange, type laserCalls } from '@markwright/contract';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import type { UploadedFile } from '../platform/multipart.ts';
import { callerOf } from '../platform/ownership.ts';
import type { LaserPowers } from '../platform/ports/mediaJobs.ts';
import { inCompany } from '../platform/tenancy.ts';
import { findCompany, getCompany } from './companies.ts';
import { companyLasers } from './tables.ts';

const laserColumns = { id: companyLasers.id, name: companyLasers.name, entries: companyLasers.entries };
const noLaser = () => new AppError('notFound', 'This laser is not among those of your shop. Please choose again.');

/** Lists the lasers of the actor's company, the first one made first. */
export async function listLasers(context: Context, actor: UserActor): Promise<Laser[]> {
  const company = await findCompany(context, actor);
  if (!company) return [];
  return inCompany(context.db, company.id, (tx) =>
    tx
      .select(laserColumns)
      .from(companyLasers)
      .where(eq(companyLasers.companyId, company.id))
      .orderBy(asc(companyLasers.createdAt), asc(companyLasers.id)),
  );
}

/** Adds a laser. Throws conflict when the company has as many as it may. */
export async function addLaser(context: Context, actor: UserActor, { name, entries }: LaserChange): Promise<Laser> {
  const { id: companyId } = await getCompany(context, actor);
  return inCompany(context.db, companyId, async (tx) => {
    // One after the other: simultaneous calls would each count the same lasers.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`lasers ${companyId}`}, 0))`);
    const laserCount = await tx.$count(companyLasers, eq(companyLasers.companyId, companyId));
    if (laserCount >= LASER_LIMITS.lasers) {
      throw new AppError('conflict', `A shop can have ${LASER_LIMITS.lasers} lasers. Please delete one first.`);
    }
    const laser = { id: newId(), name, entries };
    await tx.insert(companyLasers).values({ companyId, ...laser, createdAt: context.now() });
    return laser;
  });
}

/** Replaces name and settings of a laser. Throws notFound, also for another company's. */
export async function changeLaser(
  context: Context,
  actor: UserActor,
  id: string,
  { name, entries }: LaserChange,
): Promise<Laser> {
  const company = await findCompany(context, actor);
  if (!company) throw noLaser();
  const [laser] = await inCompany(context.db, company.id, (tx) =>
    tx
      .update(companyLasers)
      .set({ name, entries })
      .where(and(eq(companyLasers.companyId, company.id), eq(companyLasers.id, id)))
      .returning(laserColumns),
  );
  if (!laser) throw noLaser();
  return laser;
}

/** Deletes a laser. Throws notFound, also for another company's. */
export async function removeLaser(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  const company = await findCompany(context, actor);
  if (!company) throw noLaser();
  const rows = await inCompany(context.db, company.id, (tx) =>
    tx
      .delete(companyLasers)
      .where(and(eq(companyLasers.companyId, company.id), eq(companyLasers.id, id)))
      .returning({ id: companyLasers.id }),
  );
  if (rows.length === 0) throw noLaser();
  return { ok: true };
}

/** Reads an uploaded material library in a child process. Throws unprocessable for a file that is none. */
export async function readLibrary(
  context: Context,
  actor: UserActor,
  { bytes }: UploadedFile,
  signal: AbortSignal,
): Promise<CallReplyInput<typeof laserCalls.readLibrary>> {
  const { name, entries } = await context.media.run('materialLibrary', { bytes }, { caller: callerOf(actor), signal });
  return { name, entries: entries.map((entry) => ({ ...entry, thicknessMm: entry.thicknessMm ?? null })) };
}

/**
 * Returns the settings of a laser for a material: of the laser with this id, or else of the company's only one.
 * Undefined where several could be meant, or none is. Throws notFound for an id that is not one of the company's.
 */
export async function findLaserPowers(
  context: Context,
  actor: UserActor,
  laserId: string | undefined,
  material: string | undefined,
): Promise<LaserPowers | undefined> {
  const lasers = await listLasers(context, actor);
  const laser = laserId === undefined && lasers.length === 1 ? lasers[0] : lasers.find(({ id }) => id === laserId);
  if (laserId !== undefined && !laser) throw noLaser();
  if (!laser) return undefined;
  const settings = laser.entries.flatMap(({ operation, settings, ...entry }) =>
    entry.material === material ? [{ operation, settings }] : [],
  );
  return { laser: laser.name, settings };
}
