/** A shop's settings: its name, the base categories in its studio, and whether it has products of its own. */
import { COMPANY_QUOTA, type Company, toCategoryName } from '@markwright/contract';
import { eq, sql } from 'drizzle-orm';
import { listCategories } from '../catalogue/products.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { inCompany } from '../platform/tenancy.ts';
import { companies, companyProducts } from './tables.ts';

export type CompanyRow = typeof companies.$inferSelect;

/**
 * Returns the actor's company, and creates it at the first call. Only the session decides which company it is. Throws
 * unauthorized when the account was deleted concurrently.
 */
export async function getCompany(context: Context, actor: UserActor): Promise<CompanyRow> {
  const existing = await findCompany(context, actor);
  if (existing) return existing;
  const company = { id: newId(), userId: actor.id, createdAt: context.now() };
  await context.db.insert(companies).values(company).onConflictDoNothing();
  const [row] = await context.db.select().from(companies).where(eq(companies.userId, actor.id));
  if (!row) throw new AppError('unauthorized', 'Please sign in again.'); // deleted concurrently
  return row;
}

/** Returns the actor's company; undefined before it was created. */
export async function findCompany(context: Context, actor: UserActor): Promise<CompanyRow | undefined> {
  const [row] = await context.db.select().from(companies).where(eq(companies.userId, actor.id));
  return row;
}

export async function readSettings(context: Context, actor: UserActor): Promise<Company> {
  return toCompany(context, await getCompany(context, actor));
}

/** The fields to change; absent ones stay. */
export interface SettingsChange {
  readonly companyName?: string | undefined;
  readonly customProductsEnabled?: boolean | undefined;
  /** Names of base categories. Naming all of them includes later ones. */
  readonly enabledBaseCategories?: readonly string[] | undefined;
}

/** Changes the given fields, all of them or none. Throws invalid for a category that is not in the catalogue. */
export async function updateSettings(context: Context, actor: UserActor, change: SettingsChange): Promise<Company> {
  const { companyName: name, customProductsEnabled, enabledBaseCategories } = change;
  const { id } = await getCompany(context, actor);
  const enabledCategories = enabledBaseCategories && (await toCategoryIds(context, enabledBaseCategories));
  const [row] = await context.db
    .update(companies)
    .set({ name, customProductsEnabled, enabledCategories })
    .where(eq(companies.id, id))
    .returning();
  if (!row) throw new AppError('unauthorized', 'Please sign in again.');
  return toCompany(context, row);
}

/** Returns the ids of categories; null for all of them. */
async function toCategoryIds(context: Context, names: readonly string[]): Promise<string[] | null> {
  const idOfName = new Map((await listCategories(context)).map(({ id, name }) => [name, id]));
  const ids = new Set<string>();
  for (const name of names) {
    const id = idOfName.get(name) ?? idOfName.get(toCategoryName(name));
    if (id === undefined) {
      const label = name.slice(0, 80);
      throw new AppError('invalid', `There is no base category “${label}” any more. Please reload the page.`);
    }
    ids.add(id);
  }
  return ids.size === idOfName.size ? null : [...ids];
}

async function toCompany(context: Context, row: CompanyRow): Promise<Company> {
  const allCategories = await listCategories(context);
  const enabledIds = row.enabledCategories && new Set(row.enabledCategories);
  const total = await inCompany(context.db, row.id, (tx) => countProducts(tx, row.id));
  return {
    companyName: row.name,
    customProductsEnabled: row.customProductsEnabled,
    enabledBaseCategories: allCategories
      .filter(({ id }) => enabledIds === null || enabledIds.has(id))
      .map(({ name }) => name),
    productCount: total.products,
    productStorageBytes: total.bytes,
    productLimit: COMPANY_QUOTA.products,
    productStorageLimitBytes: COMPANY_QUOTA.bytes,
  };
}

/** Counts a company's products and their bytes. Call it inside `inCompany`. */
export async function countProducts(tx: Transaction, companyId: string): Promise<{ products: number; bytes: number }> {
  const [total] = await tx
    .select({
      products: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(${companyProducts.sizeBytes}), 0)::float8`,
    })
    .from(companyProducts)
    .where(eq(companyProducts.companyId, companyId));
  return total ?? { products: 0, bytes: 0 };
}
