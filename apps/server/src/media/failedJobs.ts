/**
 * Stores the jobs that exceeded their limits, so that the same bytes with the same options are refused at once, for
 * every caller and on every server. A row costs its sender seconds of a budget, so there are never many.
 */
import { createHash, webcrypto } from 'node:crypto';
import { and, eq, gt, lt } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { failedJobs } from './tables.ts';

type JobsContext = Pick<Context, 'db' | 'now'>;

/** A job may run again after this time: the machine may have been the cause, or an update of a library may help. */
const REMEMBER_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the key of a job: a hash of its input with all nested bytes, and of `rest`, the other things that decide its
 * outcome. Bytes are hashed on another thread.
 */
export async function toJobKey(job: string, input: unknown, ...rest: readonly unknown[]): Promise<string> {
  const bytes: Uint8Array[] = [];
  const withoutBytes = (value: unknown): unknown => {
    if (!(value instanceof Uint8Array)) return value;
    bytes.push(value);
    return { byteLength: value.byteLength };
  };
  // Bytes are taken out of what holds them: a Buffer would be written as a list of numbers before it comes here itself.
  // That took a quarter of the main thread's work while guests traced.
  const text = JSON.stringify([job, input, ...rest], (_key, value: unknown) => {
    if (Array.isArray(value)) return value.map(withoutBytes);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutBytes(part)]));
  });
  const digests = await Promise.all(
    bytes.map((part) => webcrypto.subtle.digest('SHA-256', part as Uint8Array<ArrayBuffer>)),
  );
  const hash = createHash('sha256').update(text);
  for (const digest of digests) hash.update(new Uint8Array(digest));
  return hash.digest('hex');
}

/** Returns the sentence with which a job failed; undefined when it did not fail. */
export async function findFailure({ db, now }: JobsContext, key: string): Promise<string | undefined> {
  const isRemembered = and(eq(failedJobs.key, key), gt(failedJobs.endsAt, now()));
  const [row] = await db.select({ message: failedJobs.message }).from(failedJobs).where(isRemembered);
  return row?.message;
}

/** Remembers for a day that a job failed with this sentence. */
export async function rememberFailure({ db, now }: JobsContext, key: string, message: string): Promise<void> {
  const row = { message, endsAt: new Date(now().getTime() + REMEMBER_MS) };
  await db
    .insert(failedJobs)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: failedJobs.key, set: row });
}

/** Deletes failures that are older than a day. */
export async function sweepFailedJobs({ db, now }: JobsContext): Promise<void> {
  await db.delete(failedJobs).where(lt(failedJobs.endsAt, now()));
}
