/** The products in a shop's widget: its own products on its profile, and the base categories that it has enabled. */
import {
  findById,
  type OfferedProduct,
  PRODUCTS_PAGE,
  type Product,
  type ProductsQuery,
  type WidgetShop,
  widget,
} from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { loadAtRevision } from '../catalogue/cache.ts';
import { isPaged } from '../catalogue/pages.ts';
import { isLargeCatalogue, listCategories, listProducts, readBaseProducts } from '../catalogue/products.ts';
import type { DrawnProduct } from '../catalogue/tables.ts';
import { findCompanyProduct, findProduct, listShownProducts, readShownProducts } from '../companies/products.ts';
import { companies } from '../companies/tables.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { type SharedReply, shareReply } from '../platform/replies.ts';
import { findShop, type Shop, startOf, unitPrice } from './shops.ts';

/** Finds the shop of a key; undefined without a key. Throws notFound for an unknown key. */
export async function getShop(context: Context, key: string | undefined): Promise<Shop | undefined> {
  if (key === undefined) return undefined;
  const shop = await findShop(context, key);
  if (!shop) throw new AppError('notFound', 'This shop is not open any more.');
  return shop;
}

/** Returns the part of a shop that customers may see. */
export const toWidgetShop = ({ name, checkout, currency, offersDtf }: Shop): WidgetShop => ({
  name,
  checkout,
  currency,
  offersDtf,
});

/** Returns the base products as the widget without a shop gets them. */
export const readBaseOffersReply = (context: Context): Promise<SharedReply> =>
  loadAtRevision(context, loadBaseOffersReply);

async function loadBaseOffersReply(context: Context): Promise<SharedReply> {
  return shareReply(widget.products, await listOffers(context, undefined), 'private, no-store');
}

/**
 * Lists the products of a shop with their prices, its own first, or a page of them. Without a shop: base products, and
 * no prices. Throws invalid.
 */
export async function listOffers(
  context: Context,
  shop: Shop | undefined,
  query: ProductsQuery = {},
): Promise<OfferedProduct[]> {
  const wholeList = isPaged(query) ? undefined : await readShortList(context, shop);
  const products = wholeList ?? (await readPage(context, shop, query));
  return products.map((product) => ({
    ...product,
    unitPriceCents: shop ? unitPrice(shop, product.productId) : null,
    ...templateOf(shop, product),
  }));
}

function templateOf(shop: Shop | undefined, { productId }: Product): { templateId?: string } {
  const start = shop && startOf(shop, productId);
  return start ? { templateId: start.designId } : {};
}

/** Returns undefined when the list is too long for one answer. */
async function readShortList(context: Context, shop: Shop | undefined): Promise<readonly Product[] | undefined> {
  if (await isLargeCatalogue(context)) return undefined;
  const base = await listProducts(context);
  if (!shop) return base;
  const own = await listShownProducts(context, shop.companyId);
  if (!own) return undefined;
  const enabledCategories = await readEnabledCategories(context, shop);
  const enabledIds = enabledCategories && new Set(enabledCategories);
  if (!enabledIds) return [...own, ...base];
  const names = new Set((await listCategories(context)).filter(({ id }) => enabledIds.has(id)).map(({ name }) => name));
  return [...own, ...base.filter(({ category }) => names.has(category))];
}

/** Reads a page of the shop's own products, and goes on with base products after the last of them. */
async function readPage(context: Context, shop: Shop | undefined, query: ProductsQuery): Promise<Product[]> {
  if (!shop) return readBaseProducts(context, query);
  const { after, ...rest } = query;
  const isAmongOwn = after === undefined || (await findCompanyProduct(context, shop.companyId, after)) !== undefined;
  const own = isAmongOwn ? await readShownProducts(context, shop.companyId, query) : [];
  if (own.length === PRODUCTS_PAGE) return own;
  const enabledCategories = await readEnabledCategories(context, shop);
  const base = await readBaseProducts(context, isAmongOwn ? rest : query, enabledCategories);
  return [...own, ...base].slice(0, PRODUCTS_PAGE);
}

async function readEnabledCategories(context: Context, { companyId }: Shop): Promise<string[] | null> {
  const [company] = await context.db.select().from(companies).where(eq(companies.id, companyId));
  return company?.enabledCategories ?? null;
}

/** Finds a product of the shop, ready to be drawn; undefined when the shop does not offer it. */
export async function findOffer(
  context: Context,
  actor: Actor,
  shop: Shop | undefined,
  productId: string,
): Promise<{ product: DrawnProduct; offer: OfferedProduct } | undefined> {
  if (productId.includes(',')) return undefined;
  const offers = await listOffers(context, shop, { ids: productId });
  const offer = findById(offers, productId);
  if (!offer) return undefined;
  const product =
    (shop && (await findCompanyProduct(context, shop.companyId, productId))) ??
    (await findProduct(context, actor, productId));
  return product && { product, offer };
}
