/** A company's own products. Every query runs inside `inCompany`: what it forgets to ask, the database refuses. */
import type { CompanyProduct } from '@markwright/contract';
import { and, asc, eq, isNotNull, ne, sql } from 'drizzle-orm';
import { deletePicture, thumbnailsOf } from '../catalogue/pictures.ts';
import type { Deps } from '../deps.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { companyProducts } from '../platform/schema.ts';
import { inCompany } from '../platform/tenancy.ts';
import { findCompany, getCompany, readSettings } from './companies.ts';

export type CompanyProductRow = typeof companyProducts.$inferSelect;

/** The company's own products, by category and name. */
export async function listOwnProducts(deps: Deps, actor: UserActor): Promise<CompanyProduct[]> {
  const { id: companyId } = await getCompany(deps, actor);
  const { category, subCategory, name } = companyProducts;
  const rows = await inCompany(deps.db, companyId, (tx) =>
    tx
      .select()
      .from(companyProducts)
      .where(eq(companyProducts.companyId, companyId))
      .orderBy(asc(category), asc(subCategory), asc(name)),
  );
  return rows.map((row) => toCompanyProduct(deps, actor, row));
}

/** The company with everything of it, for its owner to take away; null while there is none. */
export async function exportCompany(deps: Deps, actor: UserActor): Promise<object | null> {
  const company = await findCompany(deps, actor);
  if (!company) return null;
  const { companyName: name, customProductsEnabled, enabledBaseCategories } = await readSettings(deps, actor);
  const own = (await listOwnProducts(deps, actor)).map(
    ({ mockupImageUrl, userId: _owner, productId: _id, ...product }) => ({
      ...product,
      picture: `${deps.origin}${mockupImageUrl}`,
    }),
  );
  return { name, customProductsEnabled, enabledBaseCategories, createdAt: company.createdAt, products: own };
}

function toCompanyProduct(deps: Deps, actor: UserActor, row: CompanyProductRow): CompanyProduct {
  return {
    id: row.id,
    productId: row.id,
    name: row.name,
    category: row.category,
    subCategory: row.subCategory,
    mockupImageUrl: deps.urls.sign(row.pictureKey),
    thumbnails: thumbnailsOf(row, deps.urls.sign),
    dimensions: row.dimensions,
    printArea: row.printArea,
    pictureAspect: row.pictureAspect,
    material: row.material,
    markColor: row.markColor,
    machines: row.machines,
    fileSize: row.sizeBytes,
    userId: actor.id,
    isOnProfile: row.submittedAt !== null,
  };
}

/** Removes the product, then its files. Throws notFound in the same words for a foreign and a missing one. */
export async function deleteProduct(deps: Deps, actor: UserActor, id: string): Promise<{ ok: true }> {
  const { id: companyId } = await getCompany(deps, actor);
  const [row] = await inCompany(deps.db, companyId, (tx) =>
    tx.delete(companyProducts).where(isProduct(companyId, id)).returning(),
  );
  if (!row) throw notFound();
  await removeFolder(deps, row.pictureKey);
  return { ok: true };
}

/** Puts a product where the company's customers see it. `duplicate`: it is there already, or another one of its name. */
export async function submitToProfile(deps: Deps, actor: UserActor, id: string): Promise<{ duplicate: boolean }> {
  const { id: companyId } = await getCompany(deps, actor);
  return inCompany(deps.db, companyId, async (tx) => {
    await lockProducts(tx, companyId);
    const product = await readProduct(tx, companyId, id);
    if (product.submittedAt) return { duplicate: true };
    const [shown] = await tx
      .select({ id: companyProducts.id })
      .from(companyProducts)
      .where(
        and(
          eq(companyProducts.companyId, companyId),
          ne(companyProducts.id, id),
          isNotNull(companyProducts.submittedAt),
          eq(sql`lower(${companyProducts.name})`, sql`lower(${product.name})`),
        ),
      )
      .limit(1);
    if (shown) return { duplicate: true };
    await tx.update(companyProducts).set({ submittedAt: deps.now() }).where(isProduct(companyId, id));
    return { duplicate: false };
  });
}

const isProduct = (companyId: string, id: string) =>
  and(eq(companyProducts.companyId, companyId), eq(companyProducts.id, id));

async function readProduct(tx: Transaction, companyId: string, id: string): Promise<CompanyProductRow> {
  const [row] = await tx.select().from(companyProducts).where(isProduct(companyId, id));
  if (!row) throw notFound();
  return row;
}

const notFound = () => new AppError('notFound', 'This product was not found. It may have been deleted.');

/** Until the transaction ends, nobody else adds to what is counted and compared in it. */
async function lockProducts(tx: Transaction, companyId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`products of ${companyId}`}, 0))`);
}

/** Removes a picture and what was made of it. What cannot be removed now is found by the sweep. */
async function removeFolder(deps: Deps, pictureKey: string): Promise<void> {
  try {
    await deletePicture(deps, pictureKey);
  } catch (error) {
    deps.log.warn({ err: error }, 'files of a deleted product are left for the sweep');
  }
}
