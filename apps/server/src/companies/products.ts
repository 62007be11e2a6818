/**
 * A company's own products. Every query runs inside `inCompany`, so the database rejects what a query forgets to
 * filter.
 */
import {
  COMPANY_QUOTA,
  type CompanyProduct,
  initialPrintArea,
  messages,
  middlePrintArea,
  type Product,
  type ProductChanges,
  type ProductFields,
  type ProductsQuery,
  parseDimensions,
  WHOLE_LIST,
} from '@markwright/contract';
import type { PrintArea } from '@markwright/scene';
import { and, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import { keeperOf } from '../allowances/storageShare.ts';
import { isPaged, readProductsPage } from '../catalogue/pages.ts';
import {
  dropPicture,
  orDropPicture,
  type StoredPictureFields,
  storePictureFiles,
  sweepPictureFolder,
  thumbnailsOf,
} from '../catalogue/pictures.ts';
import { findBaseProduct, readBaseProducts } from '../catalogue/products.ts';
import { requireFit, withShape } from '../catalogue/shapes.ts';
import { compareByCategory } from '../catalogue/sorting.ts';
import type { DrawnProduct } from '../catalogue/tables.ts';
import { readVariants, withAddresses } from '../catalogue/variants.ts';
import type { Context } from '../platform/context.ts';
import { isUniqueViolation, type Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { RequestKey } from '../platform/idempotencyKey.ts';
import { newId } from '../platform/ids.ts';
import type { Actor, UserActor } from '../platform/mount.ts';
import type { UploadedFile } from '../platform/multipart.ts';
import { callerOf } from '../platform/ownership.ts';
import { makeOnce, type TakeKey } from '../platform/requestKeys.ts';
import { inCompany, withinTenantScope } from '../platform/tenancy.ts';
import { countProducts, findCompany, getCompany, readSettings } from './companies.ts';
import { companyProducts } from './tables.ts';

type CompanyProductRow = typeof companyProducts.$inferSelect;

/** Lists the company's own products, by category and name, or a page of them. Throws invalid. */
export async function listOwnProducts(
  context: Context,
  actor: UserActor,
  query: ProductsQuery = {},
): Promise<CompanyProduct[]> {
  const { id: companyId } = await getCompany(context, actor);
  const isOwn = eq(companyProducts.companyId, companyId);
  const wholeList = isPaged(query) ? undefined : await readShortList(context, companyId, isOwn);
  const rows = wholeList ?? (await readPage(context, companyId, query, isOwn));
  return rows.map((row) => toCompanyProduct(context, actor, row));
}

/** Reads the products of a company that meet a condition; undefined when they are too many for one answer. */
async function readShortList(
  { db }: Context,
  companyId: string,
  condition: SQL | undefined,
): Promise<CompanyProductRow[] | undefined> {
  const rows = await inCompany(db, companyId, (tx) =>
    tx
      .select()
      .from(companyProducts)
      .where(condition)
      .limit(WHOLE_LIST + 1),
  );
  return rows.length > WHOLE_LIST ? undefined : rows.sort(compareByCategory);
}

const readPage = (
  { db }: Context,
  companyId: string,
  query: ProductsQuery,
  condition: SQL | undefined,
): Promise<CompanyProductRow[]> =>
  inCompany(db, companyId, (tx) => readProductsPage(tx, companyProducts, query, condition));

/** Reads a page of the base products in the categories that the company has on. Throws invalid. */
export async function listBaseProducts(context: Context, actor: UserActor, query: ProductsQuery): Promise<Product[]> {
  const { enabledCategories } = await getCompany(context, actor);
  return readBaseProducts(context, query, enabledCategories);
}

/** Returns the company and its products for the takeout; null while there is none. */
export async function takeoutCompany(context: Context, actor: UserActor): Promise<object | null> {
  const company = await findCompany(context, actor);
  if (!company) return null;
  const { companyName: name, customProductsEnabled, enabledBaseCategories } = await readSettings(context, actor);
  const rows = await inCompany(context.db, company.id, (tx) =>
    tx.select().from(companyProducts).where(eq(companyProducts.companyId, company.id)),
  );
  const own = rows
    .sort(compareByCategory)
    .map((row) => toCompanyProduct(context, actor, row))
    .map(({ mockupImageUrl, userId: _owner, productId: _id, ...product }) => ({
      ...product,
      picture: `${context.origin}${mockupImageUrl}`,
    }));
  return { name, customProductsEnabled, enabledBaseCategories, createdAt: company.createdAt, products: own };
}

/** Lists the products on a company's profile, for its customers; undefined when they are too many for one answer. */
export async function listShownProducts(context: Context, companyId: string): Promise<Product[] | undefined> {
  return (await readShortList(context, companyId, isShownOf(companyId)))?.map((row) => toProduct(context, row));
}

/** Reads a page of them. Throws invalid. */
export async function readShownProducts(context: Context, companyId: string, query: ProductsQuery): Promise<Product[]> {
  return (await readPage(context, companyId, query, isShownOf(companyId))).map((row) => toProduct(context, row));
}

const isShownOf = (companyId: string) =>
  and(eq(companyProducts.companyId, companyId), isNotNull(companyProducts.submittedAt));

/**
 * Finds a product by the id in a composition: a base product for everybody, a company's own product only for that
 * company.
 */
export async function findProduct(
  context: Context,
  actor: Actor,
  productId: string,
): Promise<DrawnProduct | undefined> {
  const base = await findBaseProduct(context, productId);
  if (base || actor.kind === 'guest') return base;
  const company = await findCompany(context, actor);
  return company && findCompanyProduct(context, company.id, productId);
}

/** Finds a company's own product by the id in a composition. */
export async function findCompanyProduct(
  context: Context,
  companyId: string,
  productId: string,
): Promise<DrawnProduct | undefined> {
  const [own] = await inCompany(context.db, companyId, (tx) =>
    tx
      .select()
      .from(companyProducts)
      .where(and(eq(companyProducts.companyId, companyId), eq(companyProducts.id, productId))),
  );
  return own && { ...own, productId: own.id };
}

function toProduct(context: Context, row: CompanyProductRow): Product {
  return {
    id: row.id,
    productId: row.id,
    name: row.name,
    category: row.category,
    subCategory: row.subCategory,
    mockupImageUrl: context.urls.sign(row.pictureKey),
    thumbnails: thumbnailsOf(row, context.urls.sign),
    dimensions: row.dimensions,
    printArea: row.printArea,
    pictureAspect: row.pictureAspect,
    material: row.material,
    markColor: row.markColor,
    machines: row.machines,
    surface: row.surface,
    variants: withAddresses(row.variants, context.urls.sign),
    ...(row.sizeSource && { sizeSource: row.sizeSource }),
  };
}

function toCompanyProduct(context: Context, actor: UserActor, row: CompanyProductRow): CompanyProduct {
  return {
    ...toProduct(context, row),
    fileSize: row.sizeBytes,
    userId: actor.id,
    isOnProfile: row.submittedAt !== null,
  };
}

/**
 * Adds a product with its picture. Stores the file first and the row second. Throws forbidden while custom products are
 * off, conflict for an existing name, storageFull beyond the quota, and what `productPicture` throws. The same sent
 * again with its key is the same product.
 */
export async function addProduct(
  context: Context,
  actor: UserActor,
  fields: ProductFields,
  file: Pick<UploadedFile, 'bytes'> | undefined,
  { key, signal }: { readonly key?: RequestKey | undefined; readonly signal: AbortSignal },
): Promise<CompanyProduct> {
  return makeOnce(context, actor, key, {
    make: (take) => makeProduct(context, actor, fields, file, { take, signal }),
    async find(id) {
      const { id: companyId } = await getCompany(context, actor);
      const [row] = await inCompany(context.db, companyId, (tx) =>
        tx.select().from(companyProducts).where(isProduct(companyId, id)),
      );
      return row && toCompanyProduct(context, actor, row);
    },
  });
}

async function makeProduct(
  context: Context,
  actor: UserActor,
  { printArea, ...fields }: ProductFields,
  file: Pick<UploadedFile, 'bytes'> | undefined,
  { take, signal }: { readonly take: TakeKey; readonly signal: AbortSignal },
): Promise<CompanyProduct> {
  if (!file) throw new AppError('invalid', messages.imageRequired);
  const { id: companyId, customProductsEnabled } = await getCompany(context, actor);
  if (!customProductsEnabled) throw new AppError('forbidden', messages.customProductsOff);
  requireFit(fields);
  const { surface, dimensions } = fields;
  readVariants(fields.variants, { surface, dimensions }, context.urls.sign);
  // Checked before the picture is processed, and again after.
  await inCompany(context.db, companyId, async (tx) => {
    await checkQuota(tx, companyId, { products: 1, bytes: file.bytes.length });
    const [same] = await tx.select({ id: companyProducts.id }).from(companyProducts).where(isNamed(companyId, fields));
    if (same) throw nameConflict(fields);
  });

  const id = newId();
  const begin = (tx: Transaction) => take(tx, id);
  return withPicture(context, actor, { companyId, bytes: file.bytes, signal, begin }, async (tx, picture) => {
    await checkQuota(tx, companyId, { products: 1, bytes: picture.sizeBytes });
    const area = printArea
      ? toCalibration(printArea, { ...fields, ...picture })
      : initialPrintArea(fields.dimensions, picture.pictureAspect);
    const values = { companyId, id, ...fields, ...picture, printArea: area, createdAt: context.now() };
    const [row] = await tx.insert(companyProducts).values(values).onConflictDoNothing().returning();
    if (!row) throw nameConflict(fields);
    return row;
  });
}

/**
 * Changes the given fields of a product; a new picture replaces the old one. Throws notFound, and what `addProduct`
 * throws.
 */
export async function editProduct(
  context: Context,
  actor: UserActor,
  id: string,
  changes: ProductChanges,
  file: Pick<UploadedFile, 'bytes'> | undefined,
  signal: AbortSignal,
): Promise<CompanyProduct> {
  const { id: companyId } = await getCompany(context, actor);
  const before = await inCompany(context.db, companyId, (tx) => readProduct(tx, companyId, id));
  let oldPictureKey: string | undefined;
  const change = async (tx: Transaction, picture: StoredPictureFields | undefined): Promise<CompanyProductRow> => {
    const product = await readProduct(tx, companyId, id);
    if (picture) {
      await checkQuota(tx, companyId, { products: 0, bytes: picture.sizeBytes - product.sizeBytes });
      oldPictureKey = product.pictureKey;
    }
    const after = { ...product, ...changes, ...picture };
    requireFit(after);
    const variants =
      changes.variants && readVariants(changes.variants, { ...after, variants: product.variants }, context.urls.sign);
    const printArea = changes.printArea
      ? toCalibration(withShape(changes.printArea, product), after)
      : areaAfter(product, after);
    const [row] = await tx
      .update(companyProducts)
      .set({ ...changes, ...picture, printArea, ...(variants && { variants }) })
      .where(isProduct(companyId, id))
      .returning();
    return row!;
  };

  try {
    const product = file
      ? await withPicture(context, actor, { companyId, bytes: file.bytes, signal }, change)
      : await inCompany(context.db, companyId, async (tx) => {
          await lockProducts(tx, companyId);
          return toCompanyProduct(context, actor, await change(tx, undefined));
        });
    if (oldPictureKey !== undefined) await dropPicture(context, oldPictureKey);
    return product;
  } catch (error) {
    if (isUniqueViolation(error)) throw nameConflict({ ...before, ...changes });
    throw error;
  }
}

type Calibration = Pick<CompanyProductRow, 'dimensions' | 'pictureAspect'>;

/**
 * Returns an area that was drawn on a picture with rounded sides in exactly the shape of the dimensions, when it
 * deviates by up to 2 percent.
 */
function toCalibration(printArea: PrintArea, { dimensions, pictureAspect }: Calibration): PrintArea {
  const { widthInches, heightInches } = parseDimensions(dimensions);
  const height = (printArea.width * pictureAspect * heightInches) / widthInches;
  if (height > 1 || Math.abs(height / printArea.height - 1) > 0.02) return printArea;
  return { ...printArea, height, y: Math.min(printArea.y, 1 - height) };
}

/**
 * Keeps a drawn area while it still has the shape of the dimensions. Otherwise returns one in the middle of the
 * picture, or the initial one where nobody has drawn any.
 */
function areaAfter(before: CompanyProductRow, after: Calibration) {
  const { printArea } = before;
  if (before.dimensions === after.dimensions && before.pictureAspect === after.pictureAspect) return printArea;
  const { widthInches, heightInches } = parseDimensions(after.dimensions);
  const shape = (printArea.width * after.pictureAspect) / printArea.height;
  const isFitting = Math.abs(shape / (widthInches / heightInches) - 1) < 0.005;
  if (isFitting) return printArea;
  const startArea = isInitial(before) ? initialPrintArea : middlePrintArea;
  return { ...printArea, ...startArea(after.dimensions, after.pictureAspect) };
}

function isInitial({ printArea, dimensions, pictureAspect }: CompanyProductRow): boolean {
  const initial = initialPrintArea(dimensions, pictureAspect);
  return (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(printArea[side] - initial[side]) < 0.005);
}

interface PictureUpload {
  readonly companyId: string;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
  /** The first thing in the transaction, outside of the company's scope. */
  begin?(tx: Transaction): Promise<void>;
}

/** Stores a picture for the row that `work` writes. Deletes the picture when no row was written. */
async function withPicture(
  context: Context,
  actor: UserActor,
  { companyId, bytes, signal, begin }: PictureUpload,
  work: (tx: Transaction, storedPicture: StoredPictureFields) => Promise<CompanyProductRow>,
): Promise<CompanyProduct> {
  const picture = await context.media.run(
    'productPicture',
    { bytes, accept: 'any' },
    { caller: callerOf(actor), signal },
  );
  const storedPicture = await storePictureFiles(
    context,
    `companies/${companyId}`,
    picture,
    await keeperOf(context, actor),
  );
  const row = await orDropPicture(context, storedPicture, () =>
    context.db.transaction(async (tx) => {
      await begin?.(tx);
      return withinTenantScope(tx, { company: companyId }, async () => {
        await lockProducts(tx, companyId);
        return work(tx, storedPicture);
      });
    }),
  );
  return toCompanyProduct(context, actor, row);
}

/** Throws storageFull when the addition exceeds the company's quota. */
async function checkQuota(
  tx: Transaction,
  companyId: string,
  more: { products: number; bytes: number },
): Promise<void> {
  const total = await countProducts(tx, companyId);
  if (more.products > 0 && total.products + more.products > COMPANY_QUOTA.products) {
    throw new AppError('storageFull', messages.productQuotaFull);
  }
  if (more.bytes > 0 && total.bytes + more.bytes > COMPANY_QUOTA.bytes) {
    throw new AppError('storageFull', messages.productStorageFull);
  }
}

/** Deletes the product, then its files. Throws notFound with the same message for somebody else's and a missing one. */
export async function deleteProduct(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  const { id: companyId } = await getCompany(context, actor);
  const [row] = await inCompany(context.db, companyId, (tx) =>
    tx.delete(companyProducts).where(isProduct(companyId, id)).returning(),
  );
  if (!row) throw notFound();
  await dropPicture(context, row.pictureKey);
  return { ok: true };
}

/**
 * Puts a product on the profile, where the company's customers see it. `duplicate`: this product, or another one of its
 * name, is there already.
 */
export async function submitToProfile(context: Context, actor: UserActor, id: string): Promise<{ duplicate: boolean }> {
  const { id: companyId } = await getCompany(context, actor);
  return inCompany(context.db, companyId, async (tx) => {
    await lockProducts(tx, companyId);
    const product = await readProduct(tx, companyId, id);
    if (product.submittedAt) return { duplicate: true };
    const [namesake] = await tx
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
    if (namesake) return { duplicate: true };
    await tx.update(companyProducts).set({ submittedAt: context.now() }).where(isProduct(companyId, id));
    return { duplicate: false };
  });
}

/**
 * Takes a product off the profile; it stays among the company's products. Does nothing when it is not on the profile.
 * Throws notFound.
 */
export async function takeOffProfile(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  const { id: companyId } = await getCompany(context, actor);
  return inCompany(context.db, companyId, async (tx) => {
    await readProduct(tx, companyId, id);
    await tx.update(companyProducts).set({ submittedAt: null }).where(isProduct(companyId, id));
    return { ok: true };
  });
}

const isProduct = (companyId: string, id: string) =>
  and(eq(companyProducts.companyId, companyId), eq(companyProducts.id, id));

async function readProduct(tx: Transaction, companyId: string, id: string): Promise<CompanyProductRow> {
  const [row] = await tx.select().from(companyProducts).where(isProduct(companyId, id));
  if (!row) throw notFound();
  return row;
}

type ProductName = Pick<CompanyProductRow, 'name' | 'category' | 'subCategory'>;

/** Matches products of the same name in the same category, whatever the case. */
const isNamed = (companyId: string, { name, category, subCategory }: ProductName) =>
  and(
    eq(companyProducts.companyId, companyId),
    eq(sql`lower(${companyProducts.category})`, sql`lower(${category})`),
    eq(sql`lower(${companyProducts.subCategory})`, sql`lower(${subCategory})`),
    eq(sql`lower(${companyProducts.name})`, sql`lower(${name})`),
  );

const nameConflict = ({ name, category, subCategory }: ProductName) =>
  new AppError(
    'conflict',
    `There is a product called “${name}” in ${[category, subCategory].filter(Boolean).join(' / ')} already.`,
  );

const notFound = () => new AppError('notFound', 'This product was not found. It may have been deleted.');

/** Locks a company's products until the transaction ends, because the transaction counts and compares them. */
async function lockProducts(tx: Transaction, companyId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`products of ${companyId}`}, 0))`);
}

/** Deletes pictures without a company's product. */
export async function sweepCompanyPictures(context: Context): Promise<void> {
  const key = companyProducts.pictureKey;
  await sweepPictureFolder(context, 'companies/', key, (isOwned) =>
    inCompany(context.db, '*', (tx) => tx.select({ key }).from(companyProducts).where(isOwned)),
  );
}
