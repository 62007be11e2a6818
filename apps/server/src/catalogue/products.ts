/** The shared catalogue: base products and their categories. */
import {
  type AdminProduct,
  type BaseCategory,
  catalogue,
  type Product,
  type ProductsQuery,
  toCategoryName,
  WHOLE_LIST,
} from '@markwright/contract';
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { isUniqueViolation } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { StoredPicture } from '../platform/ports/mediaJobs.ts';
import { type SharedReply, shareReply } from '../platform/replies.ts';
import { loadAtRevision } from './cache.ts';
import { readDrawnBlank } from './drawnBlanks.ts';
import { isPaged, readProductsPage } from './pages.ts';
import { publicAddressOf, thumbnailsOf } from './pictures.ts';
import { type SeedProduct, seedCategories, seedProducts } from './seed/products.ts';
import { compareNames } from './sorting.ts';
import { categories, type DrawnProduct, products, type SeededKind, seededItems } from './tables.ts';
import { baseOf, drawingOf, withAddresses } from './variants.ts';

export type ProductRow = typeof products.$inferSelect;

/**
 * Inserts the categories and products that ship with this version and were never inserted before. Changes and deletions
 * by an administrator stay. Safe to run in several processes at once. Four statements for a new catalogue, however
 * large it is.
 */
export async function seedCatalogue(context: Context): Promise<void> {
  const { db } = context;
  const seededRows = await db.select().from(seededItems);
  const seededKeys = new Set(seededRows.map(({ kind, name }) => `${kind} ${name}`));
  const newCategories = seedCategories
    .map(({ name, description }) => ({ name: toCategoryName(name), description }))
    .filter(({ name }) => !seededKeys.has(`category ${name}`));
  const newProducts = seedProducts
    .filter(({ productId }) => !seededKeys.has(`product ${productId}`))
    .map((seed) => ({ ...seed, category: toCategoryName(seed.category) }));

  const rowOf = <Seed>(seed: Seed) => ({ id: newId(), ...seed, createdAt: context.now() });
  // The category of a product may have been renamed or deleted; a product needs one.
  const categoryRows = [...newCategories, ...newProducts.map(({ category }) => ({ name: category }))].map(rowOf);
  // Every drawing is 1200 x 1200.
  const productRows = newProducts.map((seed) => rowOf({ ...seed, pictureAspect: 1 }));
  if (categoryRows.length > 0) await db.insert(categories).values(categoryRows).onConflictDoNothing();
  if (productRows.length > 0) await db.insert(products).values(productRows).onConflictDoNothing();
  const newItems = [
    ...newCategories.map(({ name }) => ({ kind: 'category' as const, name })),
    ...newProducts.map(({ productId }) => ({ kind: 'product' as const, name: productId })),
    ...newProducts.filter(isRound).map(({ productId }) => ({ kind: 'surface' as const, name: productId })),
    ...newProducts.map(({ productId }) => ({ kind: 'size source' as const, name: productId })),
    ...newProducts.filter(isVaried).map(({ productId }) => ({ kind: 'variants' as const, name: productId })),
  ];
  if (newItems.length > 0) await db.insert(seededItems).values(newItems).onConflictDoNothing();

  const isWithout = (kind: SeededKind, { productId }: SeedProduct) =>
    seededKeys.has(`product ${productId}`) && !seededKeys.has(`${kind} ${productId}`);
  for (const seed of seedProducts) {
    if (isRound(seed) && isWithout('surface', seed)) await setShippedSurface(context, seed);
    if (isWithout('size source', seed)) await setShippedSource(context, seed);
    if (isVaried(seed) && isWithout('variants', seed)) await setShippedVariants(context, seed);
  }
}

const isRound = ({ surface }: Pick<SeedProduct, 'surface'>): boolean => surface !== undefined;

/**
 * Sets the surface of a product that an earlier version inserted as flat, once. It does nothing where an administrator
 * has changed the picture or the size.
 */
async function setShippedSurface({ db }: Context, seed: SeedProduct): Promise<void> {
  const { productId: name, surface } = seed;
  await db
    .update(products)
    .set({ surface })
    .where(and(isAsShipped(seed), sql`${products.surface} = '{"kind":"flat"}'::jsonb`));
  await db.insert(seededItems).values({ kind: 'surface', name }).onConflictDoNothing();
}

/** The same for where the size of a product comes from. */
async function setShippedSource({ db }: Context, seed: SeedProduct): Promise<void> {
  const { productId: name, sizeSource } = seed;
  await db
    .update(products)
    .set({ sizeSource })
    .where(and(isAsShipped(seed), eq(products.sizeSource, '')));
  await db.insert(seededItems).values({ kind: 'size source', name }).onConflictDoNothing();
}

const isVaried = ({ variants }: Pick<SeedProduct, 'variants'>): boolean => variants !== undefined;

/**
 * Gives a product of an earlier version its colors and sizes, once, and removes the products that are now colors of it:
 * their ids open it in that color. It does nothing where an administrator has changed the product, and leaves a copy
 * that was changed, or whose product has none of the colors.
 */
async function setShippedVariants({ db }: Context, seed: SeedProduct): Promise<void> {
  const { productId, name, formerName = name, variants } = seed;
  const isUntouched = and(isAsShipped(seed), sql`${products.variants} = '{"colors":[],"sizes":[]}'::jsonb`);
  await db.transaction(async (tx) => {
    const [row] = await tx.update(products).set({ variants }).where(isUntouched).returning();
    if (row) {
      const isNamed = and(eq(products.productId, productId), eq(products.name, formerName));
      // A shop may have a product of the new name already: then the old one stays.
      await tx
        .transaction((inner) => inner.update(products).set({ name }).where(isNamed))
        .catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error;
        });
      for (const { formerId, name: color } of variants?.colors ?? []) {
        if (formerId === undefined || formerId === productId) continue;
        const isCopy = and(isAsShipped({ ...seed, productId: formerId }), eq(products.name, `${name}, ${color}`));
        await tx.delete(products).where(isCopy);
      }
    }
    await tx.insert(seededItems).values({ kind: 'variants', name: productId }).onConflictDoNothing();
  });
}

const isAsShipped = ({ productId, dimensions }: SeedProduct): SQL | undefined =>
  and(eq(products.productId, productId), eq(products.dimensions, dimensions), isNull(products.pictureKey));

/**
 * Lists all base products, in the order of the shipped catalogue: the most used ones first. A shop's own categories and
 * products follow, by name.
 */
export const listProducts = (context: Context): Promise<readonly Product[]> => loadAtRevision(context, loadProducts);

async function loadProducts(context: Context): Promise<Product[]> {
  return (await orderedRows(context)).map(toProduct);
}

/** Returns true when the catalogue is too large for one answer. */
export const isLargeCatalogue = (context: Context): Promise<boolean> => loadAtRevision(context, loadIsLarge);

const loadIsLarge = async ({ db }: Context): Promise<boolean> => (await db.$count(products)) > WHOLE_LIST;

/** Returns the list of base products as everybody gets it, or a page of it. */
export async function readProductsReply(context: Context, query: ProductsQuery): Promise<SharedReply | Product[]> {
  return isPaged(query) ? readBaseProducts(context, query) : loadAtRevision(context, loadProductsReply);
}

async function loadProductsReply(context: Context): Promise<SharedReply> {
  const list = (await isLargeCatalogue(context)) ? await readBaseProducts(context, {}) : await loadProducts(context);
  return shareReply(catalogue.products, list, REVALIDATED);
}

/**
 * Reads a page of the base products, by category and name; with `categoryIds`, of these categories alone. Throws
 * invalid.
 */
export async function readBaseProducts(
  { db }: Context,
  query: ProductsQuery,
  categoryIds?: readonly string[] | null,
): Promise<Product[]> {
  const ids = query.ids?.split(',').flatMap((id) => [id, baseOf(id) ?? id]);
  const fullQuery = ids ? { ...query, ids: [...new Set(ids)].join(',') } : query;
  return (await readProductsPage(db, products, fullQuery, isInCategories(db, categoryIds))).map(toProduct);
}

function isInCategories(db: Context['db'], ids: readonly string[] | null | undefined): SQL | undefined {
  if (!ids) return undefined;
  const names = db
    .select({ name: categories.name })
    .from(categories)
    .where(inArray(categories.id, [...ids]));
  return inArray(products.category, names);
}

/** Lists the same products, each with its business. */
export async function listAdminProducts(context: Context, query: ProductsQuery): Promise<AdminProduct[]> {
  const isWhole = !isPaged(query) && !(await isLargeCatalogue(context));
  return (isWhole ? await orderedRows(context) : await readProductsPage(context.db, products, query)).map(
    toAdminProduct,
  );
}

async function orderedRows(context: Context): Promise<ProductRow[]> {
  const rows = await context.db.select().from(products).orderBy(asc(products.id));
  return rows
    .map((row) => ({ row, place: [rankOf(categoryRanks, row.category), rankOf(productRanks, row.productId)] as const }))
    .sort(
      (a, b) =>
        a.place[0] - b.place[0] ||
        compareNames(a.row.category, b.row.category) ||
        a.place[1] - b.place[1] ||
        compareNames(a.row.name, b.row.name),
    )
    .map(({ row }) => row);
}

/** Returns a product with the fields that only the portal shows. */
export const toAdminProduct = (row: ProductRow): AdminProduct => ({ ...toProduct(row), business: row.business });

function toProduct(row: ProductRow): Product {
  const { pictureKey, pictureAspect } = row;
  return {
    id: row.id,
    productId: row.productId,
    name: row.name,
    category: row.category,
    subCategory: row.subCategory,
    mockupImageUrl: pictureKey === null ? `/products/${row.productId}.svg` : publicAddressOf(pictureKey),
    thumbnails: pictureKey === null ? [] : thumbnailsOf({ pictureKey, pictureAspect }, publicAddressOf),
    dimensions: row.dimensions,
    printArea: row.printArea,
    pictureAspect,
    material: row.material,
    markColor: row.markColor,
    machines: row.machines,
    surface: row.surface,
    variants: withAddresses(row.variants, publicAddressOf),
    ...(row.sizeSource && { sizeSource: row.sizeSource }),
  };
}

const categoryRanks = new Map(seedCategories.map(({ name }, index) => [toCategoryName(name), index]));
const productRanks = new Map(seedProducts.map(({ productId }, index) => [productId, index]));
const rankOf = (ranks: ReadonlyMap<string, number>, name: string): number => ranks.get(name) ?? ranks.size;

/** Lists the base categories by name, each with the number of its products. */
export const listCategories = (context: Context): Promise<readonly BaseCategory[]> =>
  loadAtRevision(context, loadCategories);

async function loadCategories(context: Context): Promise<BaseCategory[]> {
  const { id, name, description } = categories;
  const all = await context.db
    .select({ id, name, description, productCount: sql<number>`count(${products.id})::int` })
    .from(categories)
    .leftJoin(products, eq(products.category, name))
    .groupBy(id);
  return all.sort((a, b) => compareNames(a.name, b.name));
}

/** Returns the list of base categories as everybody gets it. */
export const readCategoriesReply = (context: Context): Promise<SharedReply> =>
  loadAtRevision(context, loadCategoriesReply);

async function loadCategoriesReply(context: Context): Promise<SharedReply> {
  return shareReply(catalogue.baseCategories, await loadCategories(context), REVALIDATED);
}

/** The catalogue is the same for everybody: shared caches may keep it, and revalidate it each time. */
const REVALIDATED = 'public, no-cache';

/** Finds a base product by the id in a composition, also by that of a product that became one of its colors. */
export async function findBaseProduct(context: Context, productId: string): Promise<DrawnProduct | undefined> {
  const [base] = await context.db.select().from(products).where(eq(products.productId, productId));
  const baseId = baseOf(productId);
  return base ?? (baseId === undefined ? undefined : findBaseProduct(context, baseId));
}

/** Reads a product's picture for a mockup. Throws notFound when it was deleted or replaced concurrently. */
export async function readProductPicture(
  context: Context,
  product: Pick<ProductRow, 'productId' | 'pictureKey'>,
): Promise<StoredPicture> {
  const drawing = product.pictureKey === null ? product.productId : drawingOf(product.pictureKey);
  if (drawing !== undefined || product.pictureKey === null) return readDrawnBlank(context, drawing!);
  const file = await context.files.get(product.pictureKey);
  // Deleted or replaced concurrently.
  if (!file) throw new AppError('notFound', 'This product is not in the catalogue.');
  return file;
}
