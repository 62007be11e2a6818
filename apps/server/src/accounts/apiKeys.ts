/** API keys: secrets by which an account's programs make the calls of chosen scopes. Only their hashes are stored. */
import {
  API_KEY_PREFIX,
  type ApiKey,
  type ApiScope,
  apiScopes,
  type CallBody,
  type CallReply,
  type calls,
  MAX_API_KEYS,
} from '@markwright/contract';
import { and, desc, eq, isNull, lt, or } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Db, Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { KeyAccount, UserActor } from '../platform/mount.ts';
import { recordSecurityEvent } from '../platform/securityEvents.ts';
import { hashToken, newToken } from '../platform/tokens.ts';
import { changeAsOwner, type OwnerProof, verifyCurrentPassword } from './ownerProof.ts';
import { apiKeys, users } from './tables.ts';

type NewKey = CallReply<typeof calls.apiKeys.create>;
type KeyRow = typeof apiKeys.$inferSelect;

const MINUTE_MS = 60_000;
const noKey = () => new AppError('notFound', 'This key does not exist any more.');

function createSecret() {
  const key = `${API_KEY_PREFIX}${newToken()}`;
  return { key, stored: { hash: hashToken(key), hint: key.slice(-4) } };
}

/** Lists the keys of the account, the newest first. */
export async function listApiKeys({ db }: Context, actor: UserActor): Promise<ApiKey[]> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.userId, actor.id))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  return rows.map(toApiKey);
}

/** Creates a key and returns it, this once. Throws as `changeAsOwner`, and conflict beyond the number of keys. */
export async function createApiKey(
  context: Context,
  actor: UserActor,
  { name, scopes, ...proof }: CallBody<typeof calls.apiKeys.create>,
): Promise<NewKey> {
  return withProof(context, actor, proof, async (tx) => {
    if ((await tx.$count(apiKeys, eq(apiKeys.userId, actor.id))) >= MAX_API_KEYS) {
      throw new AppError('conflict', `An account can have ${MAX_API_KEYS} keys. Please revoke one first.`);
    }
    const { key, stored } = createSecret();
    const values = { id: newId(), userId: actor.id, name, scopes, ...stored, createdAt: context.now() };
    const [row] = await tx.insert(apiKeys).values(values).returning();
    await recordChange(context, tx, actor, 'apiKeyCreated', row!);
    return { ...toApiKey(row!), key };
  });
}

/** Replaces a key and returns the new one, this once. Throws as `changeAsOwner`, and notFound. */
export async function rotateApiKey(context: Context, actor: UserActor, id: string, proof: OwnerProof): Promise<NewKey> {
  return withProof(context, actor, proof, async (tx) => {
    const { key, stored } = createSecret();
    const [row] = await tx
      .update(apiKeys)
      .set({ ...stored, createdAt: context.now(), lastUsedAt: null })
      .where(isOwn(actor, id))
      .returning();
    if (!row) throw noKey();
    await recordChange(context, tx, actor, 'apiKeyRotated', row);
    return { ...toApiKey(row), key };
  });
}

/** Ends a key. Throws notFound, also for somebody else's. */
export async function revokeApiKey(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  return context.db.transaction(async (tx) => {
    const [row] = await tx.delete(apiKeys).where(isOwn(actor, id)).returning();
    if (!row) throw noKey();
    await recordChange(context, tx, actor, 'apiKeyRevoked', row);
    return { ok: true };
  });
}

/** Ends every key of an account that somebody else may have used. */
export async function endApiKeys(writer: Pick<Db, 'delete'>, userId: number): Promise<void> {
  await writer.delete(apiKeys).where(eq(apiKeys.userId, userId));
}

/** Returns the account of a key with the key's scopes; undefined for one that is unknown or was revoked. */
export async function findApiKey(context: Context, key: string): Promise<KeyAccount | undefined> {
  const now = context.now();
  const [row] = await context.db
    .select({
      keyId: apiKeys.id,
      scopes: apiKeys.scopes,
      lastUsedAt: apiKeys.lastUsedAt,
      id: users.id,
      email: users.email,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.hash, hashToken(key)));
  if (!row) return undefined;
  const { lastUsedAt, ...account } = row;
  const aMinuteAgo = new Date(now.getTime() - MINUTE_MS);
  if (lastUsedAt === null || lastUsedAt < aMinuteAgo) {
    const isOlder = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, aMinuteAgo));
    await context.db
      .update(apiKeys)
      .set({ lastUsedAt: now })
      .where(and(eq(apiKeys.id, row.keyId), isOlder));
  }
  return account;
}

const isOwn = (actor: UserActor, id: string) => and(eq(apiKeys.userId, actor.id), eq(apiKeys.id, id));

async function withProof<T>(
  context: Context,
  actor: UserActor,
  { password, code }: OwnerProof,
  change: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const passwordHash = await verifyCurrentPassword(context, actor, password);
  return changeAsOwner(context, actor, { passwordHash, code }, change);
}

async function recordChange(
  context: Context,
  tx: Transaction,
  { id: userId, email, address }: UserActor,
  action: 'apiKeyCreated' | 'apiKeyRotated' | 'apiKeyRevoked',
  { id, scopes }: KeyRow,
): Promise<void> {
  const detail = { key: id, scopes: scopes.join(' ') };
  await recordSecurityEvent(context, tx, { kind: 'key', action, userId, email, address, detail });
}

/** A scope of an earlier version opens nothing, and is not shown. */
const knownScopes = (scopes: readonly string[]): ApiScope[] => apiScopes.filter((scope) => scopes.includes(scope));

const toApiKey = ({ id, name, scopes, hint, createdAt, lastUsedAt }: KeyRow): ApiKey => ({
  ...{ id, name, scopes: knownScopes(scopes), hint },
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
