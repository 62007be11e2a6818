/**
 * Makes takeouts in the background. A server takes a lease on one for a minute, and renews it. After a crash the lease
 * ends, and any server makes the takeout anew. It is written in parts, so that none is in memory as a whole.
 */
import { setImmediate } from 'node:timers/promises';
import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { roleOf } from '../accounts/sessions.ts';
import { users } from '../accounts/tables.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseDown } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { SITE } from '../platform/storage.ts';
import { takeouts } from './tables.ts';
import { readSections } from './takeout.ts';
import { type TakeoutRow, takeoutFolder, takeoutPartKey } from './takeouts.ts';

const LEASE_MS = 60_000;
const RENEW_MS = 20_000;
const PART_BYTES = 4 * 2 ** 20;

/** Makes takeouts, one after the other, until none is due. Any number of callers may do so at once. */
export async function makeTakeouts(
  context: Context,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  while (!signal.aborted) {
    const takeout = await claim(context);
    if (!takeout) return;
    await make(context, takeout, signal);
  }
}

/** Takes the one that waits longest. Returns undefined when none is due. */
async function claim(context: Context): Promise<TakeoutRow | undefined> {
  const now = context.now();
  const next = context.db
    .select({ id: takeouts.id })
    .from(takeouts)
    .where(and(inArray(takeouts.state, ['waiting', 'making']), lte(takeouts.dueAt, now)))
    .orderBy(takeouts.dueAt)
    .limit(1)
    .for('update', { skipLocked: true });
  const [takeout] = await context.db
    .update(takeouts)
    .set({ state: 'making', holder: newId(), dueAt: new Date(now.getTime() + LEASE_MS) })
    .where(sql`${takeouts.id} = (${next})`)
    .returning();
  return takeout;
}

/** Thrown when a takeout was deleted, or is made by somebody else by now. */
class TakeoutGone extends Error {}

/** Changes a takeout that is held, and holds it on. Throws TakeoutGone. */
async function update(context: Context, { id, holder }: TakeoutRow, changes: Partial<TakeoutRow>): Promise<void> {
  const dueAt = new Date(context.now().getTime() + LEASE_MS);
  const rows = await context.db
    .update(takeouts)
    .set({ dueAt, ...changes })
    .where(and(eq(takeouts.id, id), eq(takeouts.holder, holder)))
    .returning({ id: takeouts.id });
  if (rows.length === 0) throw new TakeoutGone();
}

async function make(context: Context, takeout: TakeoutRow, stop: AbortSignal): Promise<void> {
  const loss = new AbortController();
  const renew = setInterval(() => {
    update(context, takeout, {}).catch((error: unknown) => error instanceof TakeoutGone && loss.abort(error));
  }, RENEW_MS);
  try {
    const size = await write(context, takeout, AbortSignal.any([stop, loss.signal]));
    await update(context, takeout, { ...size, state: 'done', holder: '' });
  } catch (error) {
    await end(context, takeout, error, stop);
  } finally {
    clearInterval(renew);
  }
}

/** Decides what follows from an error. Throws it while the database is away: the lease ends by itself. */
async function end(context: Context, takeout: TakeoutRow, error: unknown, stop: AbortSignal): Promise<void> {
  if (isDatabaseDown(error)) throw error;
  const changes = stop.aborted
    ? ({ state: 'waiting', dueAt: context.now(), holder: '' } as const)
    : ({ state: 'failed', holder: '' } as const);
  const isGone = await update(context, takeout, changes).then(
    () => false,
    (failure: unknown) => {
      if (failure instanceof TakeoutGone) return true;
      throw failure;
    },
  );
  if (!isGone && !stop.aborted) context.log.error({ err: error, takeout: takeout.id }, 'a takeout failed');
  // Another server may make it by now: its files stay.
  const [row] = await context.db.select({ state: takeouts.state }).from(takeouts).where(eq(takeouts.id, takeout.id));
  if (row === undefined || row.state === 'failed') await context.files.deleteFolder(takeoutFolder(takeout.id));
}

/** Writes the file in parts. Returns their number and their size together. */
async function write(
  context: Context,
  takeout: TakeoutRow,
  signal: AbortSignal,
): Promise<Pick<TakeoutRow, 'parts' | 'sizeBytes'>> {
  let [parts, sizeBytes] = [0, 0];
  let texts: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    signal.throwIfAborted();
    const bytes = new TextEncoder().encode(texts.join(''));
    await context.files.put(takeoutPartKey(takeout.id, parts), bytes, 'application/json', SITE);
    [texts, length] = [[], 0];
    parts++;
    sizeBytes += bytes.length;
    await update(context, takeout, {});
  };
  for await (const text of toJson(context, await findActor(context, takeout))) {
    texts.push(text);
    length += text.length;
    if (length >= PART_BYTES) await flush();
  }
  await flush();
  return { parts, sizeBytes };
}

/** Writes the sections as one JSON object, with indents for the person who opens it. */
async function* toJson(context: Context, actor: UserActor): AsyncGenerator<string> {
  let separator = '{';
  for await (const [name, value] of readSections(context, actor)) {
    yield `${separator}\n  ${JSON.stringify(name)}: `;
    separator = ',';
    if (isList(value)) yield* toList(value);
    else yield indent(JSON.stringify(value, null, 2), '  ');
  }
  yield '\n}\n';
}

type List = Iterable<unknown> | AsyncIterable<unknown>;

const isList = (value: unknown): value is List =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && Symbol.asyncIterator in value);

async function* toList(things: List): AsyncGenerator<string> {
  let separator = '[';
  for await (const thing of things) {
    yield `${separator}\n    ${indent(JSON.stringify(thing, null, 2), '    ')}`;
    separator = ',';
    // Other work gets its turn.
    await setImmediate();
  }
  yield separator === '[' ? '[]' : '\n  ]';
}

/** Text in JSON holds no line breaks of its own. */
const indent = (json: string, by: string): string => json.replaceAll('\n', `\n${by}`);

/** Finds the account that a takeout is made for. */
async function findActor(context: Context, { userId, address }: TakeoutRow): Promise<UserActor> {
  const [user] = await context.db
    .select({ email: users.email, role: users.adminRole })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) throw new TakeoutGone();
  const isAdmin = roleOf(userId, user.role) !== undefined;
  return { kind: 'user', id: userId, email: user.email, isAdmin, sessionId: '', address };
}
