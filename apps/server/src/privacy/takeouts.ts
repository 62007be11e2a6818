/** Takeouts as files: one for each account, asked for, downloaded and deleted. `takeoutRun.ts` makes them. */
import { Readable } from 'node:stream';
import type { Takeout } from '@markwright/contract';
import { eq, lt } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { attachment, SignedQuery } from '../platform/fileRoutes.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { sweepOrphansOf } from '../platform/orphans.ts';
import { takeouts } from './tables.ts';

/** The background job that makes them. */
export const MAKE_TAKEOUTS = 'make-takeouts';

/** As long as the addresses in the file are valid. */
const KEEP_MS = 24 * 60 * 60 * 1000;
const FOLDER = 'takeouts/';

export type TakeoutRow = typeof takeouts.$inferSelect;

export const takeoutFolder = (id: string): string => `${FOLDER}${id}/`;
/** Returns the key of a part, from 0. */
export const takeoutPartKey = (id: string, part: number): string =>
  `${takeoutFolder(id)}${String(part).padStart(5, '0')}.json`;
/** The key that the address of the file is signed for. No file lies there: its parts are sent one after the other. */
const fileKey = (id: string): string => `${FOLDER}${id}.json`;

/** Asks for a takeout. While one is being made, that is the one; an older file is replaced. */
export async function startTakeout(context: Context, actor: UserActor): Promise<Takeout> {
  const now = context.now();
  const { row, replaced: oldId } = await context.db.transaction(async (tx) => {
    const isOwn = eq(takeouts.userId, actor.id);
    const [before] = await tx.select().from(takeouts).where(isOwn).for('update');
    if (before && (before.state === 'waiting' || before.state === 'making'))
      return { row: before, replaced: undefined };
    if (before) await tx.delete(takeouts).where(isOwn);
    const values = { id: newId(), userId: actor.id, address: actor.address, dueAt: now, createdAt: now };
    const [newRow] = await tx
      .insert(takeouts)
      .values({ ...values, state: 'waiting' })
      .onConflictDoNothing()
      .returning();
    if (newRow) await context.jobs.send(tx, MAKE_TAKEOUTS);
    return { row: newRow ?? (await tx.select().from(takeouts).where(isOwn))[0]!, replaced: before?.id };
  });
  if (oldId !== undefined) await context.files.deleteFolder(takeoutFolder(oldId));
  return toTakeout(context, row);
}

export async function findTakeout(context: Context, actor: UserActor): Promise<Takeout> {
  const [row] = await context.db.select().from(takeouts).where(eq(takeouts.userId, actor.id));
  return toTakeout(context, row);
}

/** Deletes the takeout. Who makes it finds it gone and stops. */
export async function removeTakeout(context: Context, actor: UserActor): Promise<{ ok: true }> {
  const [row] = await context.db.delete(takeouts).where(eq(takeouts.userId, actor.id)).returning();
  if (row) await context.files.deleteFolder(takeoutFolder(row.id));
  return { ok: true };
}

const deletedAt = ({ createdAt }: TakeoutRow): Date => new Date(createdAt.getTime() + KEEP_MS);
const filenameOf = ({ createdAt }: TakeoutRow): string =>
  `markwright-my-data-${createdAt.toISOString().slice(0, 10)}.json`;

function toTakeout(context: Context, row: TakeoutRow | undefined): Takeout {
  if (!row || deletedAt(row) <= context.now()) {
    return { state: 'none', filename: null, url: null, sizeBytes: null, deletedAt: null };
  }
  const isDone = row.state === 'done';
  const filename = filenameOf(row);
  return {
    state: row.state,
    filename,
    url: isDone ? context.urls.sign(fileKey(row.id), { downloadName: filename }) : null,
    sizeBytes: isDone ? row.sizeBytes : null,
    deletedAt: deletedAt(row).toISOString(),
  };
}

/** Mounts the signed address of takeouts. It is beside those of stored files, and answered as they are. */
export function takeoutFileRoute(app: FastifyInstance, context: Context): void {
  app.get('/files/takeouts/:name', async (request, reply) => {
    const id = /^([\w-]{1,64})\.json$/.exec((request.params as { name: string }).name)?.[1];
    const query = SignedQuery.safeParse(request.query);
    if (id === undefined || !query.success || !context.urls.isValid({ key: fileKey(id), ...query.data })) {
      throw new AppError('notFound', 'This file is not there, or its address has ended.');
    }
    const [row] = await context.db.select().from(takeouts).where(eq(takeouts.id, id));
    if (row?.state !== 'done' || deletedAt(row) <= context.now()) {
      throw new AppError('notFound', 'This file is not there any more.');
    }
    reply.headers({
      'content-type': 'application/json; charset=utf-8',
      'content-length': row.sizeBytes,
      'content-disposition': attachment(filenameOf(row)),
      'cache-control': 'private, no-store',
    });
    return reply.send(Readable.from(readParts(context, row), { objectMode: false }));
  });
}

/** Throws when a part is missing. The connection then breaks off: half a file must not look like a whole one. */
async function* readParts(context: Context, { id, parts }: TakeoutRow): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < parts; part++) {
    const file = await context.files.get(takeoutPartKey(id, part));
    if (!file) throw new Error(`The part ${part} of the takeout ${id} is missing.`);
    yield file.bytes;
  }
}

/** Returns the folders of an account's takeout, for its deletion. */
export async function listTakeoutFolders(tx: Transaction, userId: number): Promise<string[]> {
  const rows = await tx.select({ id: takeouts.id }).from(takeouts).where(eq(takeouts.userId, userId));
  return rows.map(({ id }) => takeoutFolder(id));
}

/** Deletes takeouts after their day, and files of takeouts without a row. */
export async function sweepTakeouts(context: Context): Promise<void> {
  const longAgo = new Date(context.now().getTime() - KEEP_MS);
  const old = await context.db.delete(takeouts).where(lt(takeouts.createdAt, longAgo)).returning({ id: takeouts.id });
  for (const { id } of old) await context.files.deleteFolder(takeoutFolder(id));
  await sweepOrphansOf(context, FOLDER, takeouts);
}
