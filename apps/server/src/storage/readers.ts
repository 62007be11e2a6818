/** The administrator's figures of the storage, and the warning when it is nearly full. */
import { NEARLY_FULL, type StorageGauge, type StorageOverview, type StorageOwner } from '@markwright/contract';
import { and, asc, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { PAGE } from '../platform/paging.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import { storageTotals } from '../platform/tables.ts';

/** Reads how full everything is that has a limit, and what is stored by kind, the largest first. */
export async function readStorage(context: Context): Promise<StorageOverview> {
  const rows = await context.db
    .select()
    .from(storageTotals)
    .where(inArray(storageTotals.scope, ['kind', 'pool']));
  const kinds = rows
    .filter(({ scope, files }) => scope === 'kind' && files > 0)
    .map(({ name, bytes, files }) => ({ kind: name, bytes, files }))
    .sort((a, b) => b.bytes - a.bytes);
  const poolBytes = (pool: string) => rows.find(({ scope, name }) => scope === 'pool' && name === pool)?.bytes ?? 0;
  const { totalBytes, guestsBytes, cacheBytes } = context.config.storage;
  const disk = await context.files.space();
  const gauges = [
    ...(disk ? [toGauge('disk', disk.totalBytes - disk.freeBytes, disk.totalBytes)] : []),
    ...(totalBytes === undefined ? [] : [toGauge('total', poolBytes('all'), totalBytes)]),
    toGauge('guests', poolBytes('guests'), guestsBytes),
    // The cache fills its room by itself.
    { ...toGauge('cache', kinds.find(({ kind }) => kind === 'cache')?.bytes ?? 0, cacheBytes), isNearlyFull: false },
  ];
  return { freeBytes: disk?.freeBytes ?? null, gauges, kinds };
}

const toGauge = (name: StorageGauge['name'], usedBytes: number, limitBytes: number): StorageGauge => ({
  name,
  usedBytes,
  limitBytes,
  isNearlyFull: usedBytes >= NEARLY_FULL * limitBytes,
});

/** Lists who fills the storage, the largest first, 50 at a time. `before` is the `next` of the page before. */
export async function readStorageOwners(
  context: Context,
  before: string | undefined,
): Promise<{ owners: StorageOwner[]; next: string | null }> {
  const rows = await context.db
    .select()
    .from(storageTotals)
    .where(and(eq(storageTotals.scope, 'payer'), gt(storageTotals.files, 0), isAfter(before)))
    .orderBy(sql`${storageTotals.bytes} desc nulls last`, asc(storageTotals.name))
    .limit(PAGE + 1);
  const page = rows.slice(0, PAGE);
  const emails = await findEmails(context, page);
  const last = page.at(-1);
  return {
    owners: page.map(({ name, bytes, files }) => ({ ...toOwner(name, emails), bytes, files })),
    next: last && rows.length > PAGE ? `${last.bytes}.${Buffer.from(last.name).toString('base64url')}` : null,
  };
}

function isAfter(place: string | undefined): SQL | undefined {
  if (place === undefined) return undefined;
  const [, bytes, encodedName = ''] = /^(\d{1,15})\.([\w-]{1,350})$/.exec(place) ?? [];
  const name = Buffer.from(encodedName, 'base64url').toString();
  if (bytes === undefined || !/^[!-~]+$/.test(name)) {
    throw new AppError('invalid', 'The list cannot go on from there. Please load it again.');
  }
  const isSmaller = sql`${storageTotals.bytes} < ${Number(bytes)}`;
  return or(isSmaller, and(eq(storageTotals.bytes, Number(bytes)), gt(storageTotals.name, name)));
}

async function findEmails(context: Context, page: readonly { name: string }[]): Promise<ReadonlyMap<string, string>> {
  const ids = page.flatMap(({ name }) => (name.startsWith('user:') ? [Number(name.slice('user:'.length))] : []));
  if (ids.length === 0) return new Map();
  const rows = await context.db.select({ id: users.id, email: users.email }).from(users).where(inArray(users.id, ids));
  return new Map(rows.map(({ id, email }) => [`user:${id}`, email]));
}

function toOwner(name: string, emails: ReadonlyMap<string, string>): Pick<StorageOwner, 'kind' | 'name'> {
  if (name.startsWith('user:')) return { kind: 'account', name: emails.get(name) ?? 'a deleted account' };
  if (name === EARLIER_GUESTS) return { kind: 'network', name: 'Networks of earlier guests' };
  if (name.startsWith('network:')) return { kind: 'network', name: name.slice('network:'.length) };
  return { kind: name === 'cache' ? 'cache' : 'site', name };
}

const EARLIER_GUESTS = 'network:earlier';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Writes to the log what is nearly full, once a day for as long as it lasts. */
export async function warnOfFullStorage(context: Context): Promise<void> {
  const { gauges } = await readStorage(context);
  for (const { name, usedBytes, limitBytes, isNearlyFull } of gauges) {
    if (!isNearlyFull) continue;
    const isFirstToday = await enforceRateLimits(context, [
      { key: `storage warning ${name}`, limit: 1, windowMs: DAY_MS },
    ]).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'tooMany') return false;
        throw error;
      },
    );
    if (isFirstToday) context.log.warn({ storage: name, usedBytes, limitBytes }, 'the storage is nearly full');
  }
}
