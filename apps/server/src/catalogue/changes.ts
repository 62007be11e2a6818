/** The administrator's changes to the shared catalogue. Each is recorded in the audit trail in its own transaction. */
import {
  type AdminProduct,
  type BaseCategory,
  initialPrintArea,
  type ProductChanges,
  type ProductFields,
} from '@markwright/contract';
import { and, eq, ne, sql } from 'drizzle-orm';
import { writeAudit } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import { isUniqueViolation, type Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { RequestKey } from '../platform/idempotencyKey.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import type { UploadedFile } from '../platform/multipart.ts';
import { callerOf } from '../platform/ownership.ts';
import type { ProductPicture } from '../platform/ports/mediaJobs.ts';
import { makeOnce, type TakeKey } from '../platform/requestKeys.ts';
import {
  dropPicture,
  orDropPicture,
  publicAddressOf,
  type StoredPictureFields,
  storePictureFiles,
} from './pictures.ts';
import { type ProductRow, toAdminProduct } from './products.ts';
import { requireFit, withShape } from './shapes.ts';
import { categories, products } from './tables.ts';
import { readVariants } from './variants.ts';

type CategoryRow = typeof categories.$inferSelect;

/** Adds a category. Throws conflict for an existing name, in any case. */
export async function addCategory(
  context: Context,
  actor: UserActor,
  { name, description }: { name: string; description: string },
): Promise<BaseCategory> {
  return context.db.transaction(async (tx) => {
    await lockCategories(tx);
    const twin = await findCategory(tx, name);
    if (twin) throw categoryTaken(twin.name);
    const row = { id: newId(), name, description, createdAt: context.now() };
    await tx.insert(categories).values(row);
    await writeAudit(tx, actor, context.now(), { action: 'category.add', subject: name });
    return { id: row.id, name, description, productCount: 0 };
  });
}

/** Renames a category; its products follow. Throws notFound, and conflict when another one has the name. */
export async function renameCategory(
  context: Context,
  actor: UserActor,
  id: string,
  changes: { name: string; description?: string | undefined },
): Promise<BaseCategory> {
  return context.db.transaction(async (tx) => {
    await lockCategories(tx);
    const { name: before, description: oldDescription } = await getCategory(tx, id);
    const { name, description = oldDescription } = changes;
    const [twin] = await tx
      .select()
      .from(categories)
      .where(and(isCalled(name), ne(categories.id, id)));
    if (twin) throw categoryTaken(twin.name);
    await tx.update(categories).set({ name, description }).where(eq(categories.id, id));
    if (name !== before || description !== oldDescription) {
      await writeAudit(tx, actor, context.now(), { action: 'category.rename', subject: before, detail: { name } });
    }
    return { id, name, description, productCount: await tx.$count(products, eq(products.category, name)) };
  });
}

/** Deletes a category. Throws notFound, and conflict for one with products when these are not to be deleted too. */
export async function deleteCategory(
  context: Context,
  actor: UserActor,
  id: string,
  { withProducts }: { withProducts: boolean },
): Promise<{ deletedProducts: number }> {
  const deletedRows = await context.db.transaction(async (tx) => {
    const { name } = await getCategory(tx, id);
    const productCount = await tx.$count(products, eq(products.category, name));
    if (productCount > 0 && !withProducts) {
      const count = productCount === 1 ? '1 product' : `${productCount} products`;
      throw new AppError(
        'conflict',
        `“${name}” still has ${count}. Move or delete them first, or delete them with it.`,
      );
    }
    const rows = await tx.delete(products).where(eq(products.category, name)).returning({ key: products.pictureKey });
    await tx.delete(categories).where(eq(categories.id, id));
    const detail = { products: rows.length };
    await writeAudit(tx, actor, context.now(), { action: 'category.delete', subject: name, detail });
    return rows;
  });
  await removePictures(context, deletedRows);
  return { deletedProducts: deletedRows.length };
}

/**
 * Adds a product with its picture. The same sent again with its key is the same product. Throws conflict when the
 * category has one of this name.
 */
export async function addProduct(
  context: Context,
  actor: UserActor,
  fields: ProductFields,
  file: UploadedFile,
  { key, signal }: { readonly key?: RequestKey | undefined; readonly signal: AbortSignal },
): Promise<AdminProduct> {
  return makeOnce(context, actor, key, {
    make: (take) => makeProduct(context, actor, fields, file, { take, signal }),
    async find(id) {
      const [row] = await context.db.select().from(products).where(eq(products.id, id));
      return row && toAdminProduct(row);
    },
  });
}

async function makeProduct(
  context: Context,
  actor: UserActor,
  fields: ProductFields,
  file: UploadedFile,
  { take, signal }: { readonly take: TakeKey; readonly signal: AbortSignal },
): Promise<AdminProduct> {
  requireFit(fields);
  readVariants(fields.variants, { surface: fields.surface, dimensions: fields.dimensions }, publicAddressOf);
  const storedPicture = await storePictureFiles(
    context,
    'products',
    await readPicture(context, actor, file.bytes, signal),
  );
  const row = await orDropPicture(context, storedPicture, () =>
    context.db.transaction(async (tx) => {
      const { row: product } = await insertProduct(context, tx, actor, { ...fields, business: '' }, storedPicture);
      if (!product) throw productTaken(fields);
      await take(tx, product.id);
      await writeAudit(tx, actor, context.now(), {
        action: 'product.add',
        subject: product.name,
        detail: { category: product.category },
      });
      return product;
    }),
  );
  return toAdminProduct(row);
}

/**
 * Changes the given fields and, with a file, the picture. Throws notFound, and conflict when the category has another
 * product of this name.
 */
export async function editProduct(
  context: Context,
  actor: UserActor,
  id: string,
  changes: ProductChanges,
  file: UploadedFile | undefined,
  signal: AbortSignal,
): Promise<AdminProduct> {
  if ((await context.db.$count(products, eq(products.id, id))) === 0) throw noProduct();
  const storedPicture =
    file && (await storePictureFiles(context, 'products', await readPicture(context, actor, file.bytes, signal)));
  const { before, after } = await orDropPicture(context, storedPicture, () =>
    context.db.transaction(async (tx) => {
      const [row] = await tx.select().from(products).where(eq(products.id, id)).for('update');
      if (!row) throw noProduct();
      const after = { ...row, ...withoutUndefined(changes) };
      requireFit(after);
      const { variants } = changes;
      const category = await ensureCategory(context, tx, actor, changes.category);
      const [updatedRow] = await tx
        .update(products)
        .set({
          ...withoutUndefined(changes),
          ...(variants && { variants: readVariants(variants, { ...after, variants: row.variants }, publicAddressOf) }),
          ...(changes.printArea && { printArea: withShape(changes.printArea, row) }),
          category: category.name,
          ...(storedPicture && pictureColumns(storedPicture)),
        })
        .where(eq(products.id, id))
        .returning();
      const detail = { ...changesBetween(row, updatedRow!), ...(storedPicture && { picture: 'replaced' }) };
      await writeAudit(tx, actor, context.now(), { action: 'product.edit', subject: row.name, detail });
      return { before: row, after: updatedRow! };
    }),
  ).catch((error: unknown) => {
    throw isUniqueViolation(error) ? productTaken(changes) : error;
  });
  if (storedPicture) await removePictures(context, [{ key: before.pictureKey }]);
  return toAdminProduct(after);
}

/** Deletes a product with its picture. Throws notFound. */
export async function deleteProduct(context: Context, actor: UserActor, id: string): Promise<{ deletedCount: number }> {
  const deletedRow = await context.db.transaction(async (tx) => {
    const [row] = await tx.delete(products).where(eq(products.id, id)).returning();
    if (!row) throw noProduct();
    const detail = { category: row.category, productId: row.productId };
    await writeAudit(tx, actor, context.now(), { action: 'product.delete', subject: row.name, detail });
    return row;
  });
  await removePictures(context, [{ key: deletedRow.pictureKey }]);
  return { deletedCount: 1 };
}

/** Deletes every base product, all or none. The categories stay. */
export async function deleteAllProducts(context: Context, actor: UserActor): Promise<{ deletedCount: number }> {
  const deletedRows = await context.db.transaction(async (tx) => {
    const rows = await tx.delete(products).returning({ key: products.pictureKey });
    const detail = { products: rows.length };
    await writeAudit(tx, actor, context.now(), { action: 'product.deleteAll', subject: 'All base products', detail });
    return rows;
  });
  await removePictures(context, deletedRows);
  return { deletedCount: deletedRows.length };
}

/** Converts an administrator's file to a product's picture. Throws what the media job throws. */
export function readPicture(
  context: Context,
  actor: UserActor,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<ProductPicture> {
  return context.media.run('productPicture', { bytes, accept: 'strict' }, { caller: callerOf(actor), signal });
}

/**
 * Adds a product with its category, which is created when missing. `row` is undefined when the category has a product
 * of this name already: the caller must roll the transaction back then.
 */
export async function insertProduct(
  context: Context,
  tx: Transaction,
  actor: UserActor,
  fields: ProductFields & { readonly business: string },
  storedPicture: StoredPictureFields,
): Promise<{ row: ProductRow | undefined; category: { name: string; isNew: boolean } }> {
  const category = await ensureCategory(context, tx, actor, fields.category);
  const { printArea = initialPrintArea(fields.dimensions, storedPicture.pictureAspect) } = fields;
  const [row] = await tx
    .insert(products)
    .values({
      ...fields,
      id: newId(),
      productId: newProductId(fields.name),
      category: category.name,
      printArea,
      ...pictureColumns(storedPicture),
      createdAt: context.now(),
    })
    .onConflictDoNothing()
    .returning();
  return { row, category };
}

/** Finds a category by its name, in any case, and locks it until the transaction ends. Creates it when missing. */
async function ensureCategory(
  context: Context,
  tx: Transaction,
  actor: UserActor,
  name: string,
): Promise<{ name: string; isNew: boolean }> {
  const existing = await findCategory(tx, name);
  if (existing) return { name: existing.name, isNew: false };
  await lockCategories(tx);
  const category = await findCategory(tx, name);
  if (category) return { name: category.name, isNew: false };
  await tx.insert(categories).values({ id: newId(), name, createdAt: context.now() });
  await writeAudit(tx, actor, context.now(), { action: 'category.add', subject: name });
  return { name, isNew: true };
}

const isCalled = (name: string) => eq(sql`lower(${categories.name})`, sql`lower(${name})`);

/** Finds a category and locks it against deletion and renaming until the transaction ends. */
async function findCategory(tx: Transaction, name: string): Promise<CategoryRow | undefined> {
  const [row] = await tx.select().from(categories).where(isCalled(name)).for('key share');
  return row;
}

async function getCategory(tx: Transaction, id: string): Promise<CategoryRow> {
  const [row] = await tx.select().from(categories).where(eq(categories.id, id)).for('update');
  if (!row) throw new AppError('notFound', 'This category is not there any more.');
  return row;
}

/** Locks the categories until the transaction ends: names must differ in more than case, which no index checks. */
async function lockCategories(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('categories', 0))`);
}

const categoryTaken = (name: string) => new AppError('conflict', `There is a category “${name}” already.`);
const noProduct = () => new AppError('notFound', 'This product is not there any more.');
const productTaken = ({ name, category }: { name: string; category: string }) =>
  new AppError('conflict', `There is a product “${name}” in “${category}” already.`);

const pictureColumns = ({ pictureKey, pictureAspect }: StoredPictureFields) => ({ pictureKey, pictureAspect });

/** Returns a unique id, readable when the name is: `walnut-board-1f0c9a2e`. */
function newProductId(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  return `${slug || 'product'}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Returns the changes without undefined fields. */
function withoutUndefined(changes: ProductChanges): Partial<ProductRow> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Returns the new values of the changed fields, for the audit trail. */
function changesBetween(before: ProductRow, after: ProductRow): Record<string, unknown> {
  const auditedFields = [
    'name',
    'category',
    'subCategory',
    'dimensions',
    'printArea',
    'material',
    'markColor',
    'machines',
    'surface',
    'variants',
    'sizeSource',
  ] as const;
  return Object.fromEntries(
    auditedFields
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, after[name]]),
  );
}

async function removePictures(context: Context, rows: readonly { key: string | null }[]): Promise<void> {
  const keys = rows.flatMap(({ key }) => key ?? []).values();
  const remove = async (): Promise<void> => {
    for (const key of keys) await dropPicture(context, key);
  };
  await Promise.all(Array.from({ length: 8 }, remove));
}
