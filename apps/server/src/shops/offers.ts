/** The products in a shop's widget: its own products on its profile, and the base categories that it has enabled. */
import { type OfferedProduct, type Product, type WidgetShop, widget } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { loadAtRevision } from '../catalogue/cache.ts';
import { listCategories, listProducts } from '../catalogue/products.ts';
import type { DrawnProduct } from '../catalogue/tables.ts';
import { findCompanyProduct, findProduct, listShownProducts } from '../companies/products.ts';
import { companies } from '../companies/tables.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { type SharedReply, shareReply } from '../platform/replies.ts';
import { findShop, type Shop, unitPrice } from './shops.ts';

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

/** Lists the products of a shop with their prices. Without a shop: every base product, and no prices. */
export async function listOffers(context: Context, shop: Shop | undefined): Promise<OfferedProduct[]> {
  const products = shop ? await listShopProducts(context, shop) : await listProducts(context);
  return products.map((product) => ({
    ...product,
    unitPriceCents: shop ? unitPrice(shop, product.productId) : null,
  }));
}

async function listShopProducts(context: Context, { companyId }: Shop): Promise<Product[]> {
  const [company] = await context.db.select().from(companies).where(eq(companies.id, companyId));
  const own = await listShownProducts(context, companyId);
  const base = await listProducts(context);
  const enabledIds = company?.enabledCategories && new Set(company.enabledCategories);
  if (!enabledIds) return [...own, ...base];
  const names = new Set((await listCategories(context)).filter(({ id }) => enabledIds.has(id)).map(({ name }) => name));
  return [...own, ...base.filter(({ category }) => names.has(category))];
}

/** Finds a product of the shop, ready to be drawn; undefined when the shop does not offer it. */
export async function findOffer(
  context: Context,
  actor: Actor,
  shop: Shop | undefined,
  productId: string,
): Promise<{ product: DrawnProduct; unitPriceCents: number | null } | undefined> {
  const offer = (await listOffers(context, shop)).find((candidate) => candidate.productId === productId);
  if (!offer) return undefined;
  const product =
    (shop && (await findCompanyProduct(context, shop.companyId, productId))) ??
    (await findProduct(context, actor, productId));
  return product && { product, unitPriceCents: offer.unitPriceCents };
}
