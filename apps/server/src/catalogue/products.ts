/** The shared catalogue: base products and their categories. */
import { readFile } from 'node:fs/promises';
import type { BaseCategory, Product } from '@markwright/contract';
import { readSvg } from '@markwright/scene';
import { asc, eq } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import type { StoredPicture } from '../media/jobs.ts';
import { newId } from '../platform/ids.ts';
import { categories, products, seeded } from '../platform/schema.ts';
import { findSiteFolders } from '../platform/site.ts';
import { seedCategories, seedProducts } from './seed/products.ts';

export type ProductRow = typeof products.$inferSelect;

/** Short names people give categories, and what they are called here. */
const categoryNames: Readonly<Record<string, string>> = {
  Kitchen: 'Cutting Boards/ Serving Trays',
  Knives: 'Foldable Rescue Knives',
  'Pie Pans': 'Pie Pan Toppers',
  'Brass Keychains': 'Keychains - Brass',
};

/** The name a category is kept under. */
export function toCategoryName(name: string): string {
  const trimmed = name.trim().replace(/\s+/g, ' ');
  return Object.hasOwn(categoryNames, trimmed) ? categoryNames[trimmed]! : trimmed;
}

/**
 * Puts in the categories and products that ship with this version and were never put in before. What an administrator
 * changed or deleted since stays as it is. Safe to run in several processes at once.
 */
export async function seedCatalogue(deps: Deps): Promise<void> {
  const createdAt = deps.now();
  const rows = await deps.db.select().from(seeded);
  const known = new Set(rows.map(({ kind, name }) => `${kind} ${name}`));
  for (const { name: given, description } of seedCategories) {
    const name = toCategoryName(given);
    if (known.has(`category ${name}`)) continue;
    await deps.db.insert(categories).values({ id: newId(), name, description, createdAt }).onConflictDoNothing();
    await markSeeded(deps, 'category', name);
  }
  for (const seed of seedProducts) {
    if (known.has(`product ${seed.productId}`)) continue;
    const { width, height } = readSvg(await readFile(seedPicturePath(seed.productId), 'utf8'));
    const category = toCategoryName(seed.category);
    // Its category may have been renamed or deleted since; a product cannot stand without one.
    await deps.db.insert(categories).values({ id: newId(), name: category, createdAt }).onConflictDoNothing();
    await deps.db
      .insert(products)
      .values({ id: newId(), ...seed, category, pictureAspect: width / height, createdAt })
      .onConflictDoNothing();
    await markSeeded(deps, 'product', seed.productId);
  }
}

async function markSeeded(deps: Deps, kind: 'category' | 'product', name: string): Promise<void> {
  await deps.db.insert(seeded).values({ kind, name }).onConflictDoNothing();
}

const seedPicturePath = (productId: string): string => `${findSiteFolders().productPictures}/${productId}.svg`;

/**
 * All base products, in the order the shipped catalogue has: what makers use most comes first. Categories and products of
 * a shop's own follow, by name.
 */
export async function listProducts(deps: Deps): Promise<Product[]> {
  const rows = await deps.db.select().from(products).orderBy(asc(products.category), asc(products.name));
  const ordered = rows
    .map((row) => ({ row, place: [rankOf(categoryRanks, row.category), rankOf(productRanks, row.productId)] as const }))
    .sort((a, b) => a.place[0] - b.place[0] || compareNames(a.row.category, b.row.category) || a.place[1] - b.place[1])
    .map(({ row }) => row);
  return ordered.map((row) => ({
    id: row.id,
    productId: row.productId,
    name: row.name,
    category: row.category,
    mockupImageUrl: row.pictureKey === null ? `/products/${row.productId}.svg` : deps.urls.sign(row.pictureKey),
    dimensions: row.dimensions,
    printArea: row.printArea,
    pictureAspect: row.pictureAspect,
    material: row.material,
    markColor: row.markColor,
    machines: row.machines,
  }));
}

const categoryRanks = new Map(seedCategories.map(({ name }, index) => [toCategoryName(name), index]));
const productRanks = new Map(seedProducts.map(({ productId }, index) => [productId, index]));
const rankOf = (ranks: ReadonlyMap<string, number>, name: string): number => ranks.get(name) ?? ranks.size;
const compareNames = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export async function listCategories(deps: Deps): Promise<BaseCategory[]> {
  const { id, name, description } = categories;
  return deps.db.select({ id, name, description }).from(categories).orderBy(asc(name));
}

/** A product by the id that compositions carry. */
export async function findProduct(deps: Deps, productId: string): Promise<ProductRow | undefined> {
  const [row] = await deps.db.select().from(products).where(eq(products.productId, productId));
  return row;
}

/** A product's picture, to be drawn into a mockup. */
export async function readProductPicture(deps: Deps, product: ProductRow): Promise<StoredPicture> {
  if (product.pictureKey === null) {
    return { bytes: await readFile(seedPicturePath(product.productId)), mediaType: 'image/svg+xml' };
  }
  const file = await deps.files.get(product.pictureKey);
  if (!file) throw new Error(`The picture of product ${product.productId} is missing: ${product.pictureKey}`);
  return file;
}
