/**
 * A shop: how a company sells. Its settings are created at the first request; its key identifies it in the embed code.
 */
import { type ShopChange, type ShopSettings, savedPictureUrl } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { findCompany, getCompany } from '../companies/companies.ts';
import { companies } from '../companies/tables.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { recordSecurityEvent } from '../platform/securityEvents.ts';
import { inCompany, inTenantScope } from '../platform/tenancy.ts';
import { newToken } from '../platform/tokens.ts';
import { toOrigin, toWebhookUrl } from './addresses.ts';
import { type ProductStart, shops } from './tables.ts';

export type ShopRow = typeof shops.$inferSelect;

/** A shop with the name and the owner of its company. */
export interface Shop extends ShopRow {
  readonly name: string;
  readonly userId: number;
}

/** Finds the shop of a key; undefined for a key that was renewed or never existed. */
export async function findShop(context: Context, key: string): Promise<Shop | undefined> {
  const [row] = await inTenantScope(context.db, { capability: key }, (tx) =>
    tx
      .select({ shop: shops, name: companies.name, userId: companies.userId })
      .from(shops)
      .innerJoin(companies, eq(companies.id, shops.companyId))
      .where(eq(shops.key, key)),
  );
  return row && { ...row.shop, name: row.name, userId: row.userId };
}

/** Returns the price of one piece of a product in the shop, in cents; null when it is agreed on by mail. */
export function unitPrice(shop: Pick<ShopRow, 'prices' | 'defaultPriceCents'>, productId: string | undefined) {
  const own = productId !== undefined && Object.hasOwn(shop.prices, productId) ? shop.prices[productId] : undefined;
  return own ?? shop.defaultPriceCents;
}

/** Returns what a product starts with in the shop; undefined where it starts empty. */
export const startOf = ({ starts }: Pick<ShopRow, 'starts'>, productId: string): ProductStart | undefined =>
  Object.hasOwn(starts, productId) ? starts[productId] : undefined;

/**
 * Sets what a product starts with; undefined: empty. Returns what it started with before. Runs in a transaction of the
 * company; the shop stays locked until its end.
 */
export async function setStart(
  context: Context,
  tx: Transaction,
  { companyId }: Pick<ShopRow, 'companyId'>,
  { productId, start }: { productId: string; start: ProductStart | undefined },
): Promise<ProductStart | undefined> {
  const isOwn = eq(shops.companyId, companyId);
  const [row] = await tx.select({ starts: shops.starts }).from(shops).where(isOwn).for('update');
  if (!row) throw accountDeleted();
  const before = startOf(row, productId);
  const { [productId]: _before, ...others } = row.starts;
  if (start && !before && Object.keys(others).length >= MAX_STARTS) {
    throw new AppError('storageFull', `Up to ${MAX_STARTS} products start with a template. Remove one to add another.`);
  }
  const starts = start ? { ...others, [productId]: start } : others;
  await tx.update(shops).set({ starts, updatedAt: context.now() }).where(isOwn);
  return before;
}

/** The most products of a shop that start with a template: their copies take room. */
const MAX_STARTS = 200;

/** Returns the actor's own shop as its widget has it. */
export async function getOwnShop(context: Context, actor: UserActor): Promise<Shop> {
  const [row, company] = [await getShop(context, actor), await getCompany(context, actor)];
  return { ...row, name: company.name, userId: actor.id };
}

/** Returns the actor's own shop, and creates it at the first request. */
async function getShop(context: Context, actor: UserActor): Promise<ShopRow> {
  const { id: companyId } = await getCompany(context, actor);
  return inCompany(context.db, companyId, async (tx) => {
    const isOwn = eq(shops.companyId, companyId);
    const [existing] = await tx.select().from(shops).where(isOwn);
    if (existing) return existing;
    const now = context.now();
    await tx.insert(shops).values({ companyId, key: newId(), createdAt: now, updatedAt: now }).onConflictDoNothing();
    const [row] = await tx.select().from(shops).where(isOwn);
    if (!row) throw accountDeleted();
    return row;
  });
}

export async function readShop(context: Context, actor: UserActor): Promise<ShopSettings> {
  return toSettings(await getShop(context, actor));
}

/** Changes the given fields, all of them or none. Throws invalid for an unusable address. */
export async function updateShop(context: Context, actor: UserActor, change: ShopChange): Promise<ShopSettings> {
  const origins = change.allowedOrigins?.map(toOrigin);
  const { webhookSecret } = await getShop(context, actor);
  return updateOwnShop(context, actor, {
    ...change,
    ...(origins && { allowedOrigins: [...new Set(origins)] }),
    ...(change.webhookUrl && {
      webhookUrl: (await toWebhookUrl(context, change.webhookUrl)).href,
      // Every webhook is signed, also before somebody requests a secret.
      webhookSecret: webhookSecret ?? newSecret(),
    }),
  });
}

/** Replaces the key of a shop. The server rejects the old key from then on. */
export async function renewKey(context: Context, actor: UserActor): Promise<ShopSettings> {
  return updateOwnShop(context, actor, { key: newId() }, 'embedKeyRenewed');
}

/** Creates a new webhook secret and returns it, this once. It signs everything sent from now on, retries included. */
export async function renewWebhookSecret(context: Context, actor: UserActor): Promise<{ secret: string }> {
  const secret = newSecret();
  await updateOwnShop(context, actor, { webhookSecret: secret }, 'webhookSecretRenewed');
  return { secret };
}

const newSecret = (): string => `mwsec_${newToken()}`;

/** Changes the actor's own shop, with the security event `renewal` where a key was renewed. */
async function updateOwnShop(
  context: Context,
  actor: UserActor,
  change: Partial<ShopRow>,
  renewal?: 'embedKeyRenewed' | 'webhookSecretRenewed',
): Promise<ShopSettings> {
  const { companyId } = await getShop(context, actor);
  const [row] = await inCompany(context.db, companyId, (tx) =>
    tx
      .update(shops)
      .set({ ...change, updatedAt: context.now() })
      .where(eq(shops.companyId, companyId))
      .returning(),
  );
  if (!row) throw accountDeleted();
  if (renewal) {
    const { id: userId, email, address } = actor;
    await recordSecurityEvent(context, context.db, { kind: 'key', action: renewal, userId, email, address });
  }
  return toSettings(row);
}

const accountDeleted = () => new AppError('unauthorized', 'Please sign in again.'); // deleted concurrently

function toSettings(row: ShopRow): ShopSettings {
  return {
    key: row.key,
    allowedOrigins: row.allowedOrigins,
    checkout: row.checkout,
    offersDtf: row.offersDtf,
    routing: row.routing,
    routedMakerId: row.routedMakerId,
    payer: row.payer,
    currency: row.currency as ShopSettings['currency'],
    defaultPriceCents: row.defaultPriceCents,
    prices: row.prices,
    starts: Object.fromEntries(
      Object.entries(row.starts).map(([productId, start]) => [
        productId,
        { ...start, previewUrl: savedPictureUrl(start.designId) },
      ]),
    ),
    place: row.place,
    webhookUrl: row.webhookUrl,
    hasWebhookSecret: row.webhookSecret !== null,
  };
}

/** Returns the settings for the takeout, without the secret; null while there are none. */
export async function takeoutShop(context: Context, actor: UserActor): Promise<object | null> {
  const company = await findCompany(context, actor);
  if (!company) return null;
  const isOwn = eq(shops.companyId, company.id);
  const [row] = await inCompany(context.db, company.id, (tx) => tx.select().from(shops).where(isOwn));
  return row ? toSettings(row) : null;
}
