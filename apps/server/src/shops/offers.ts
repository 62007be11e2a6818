/** What a shop offers in its widget: its own products on its profile, and the base categories it has switched on. */
import type { OfferedProduct, Product, WidgetShop } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { listCategories, listProducts } from '../catalogue/products.ts';
import type { DrawnProduct } from '../catalogue/tables.ts';
import { findCompanyProduct, findProduct, listShownProducts } from '../companies/products.ts';
import { companies } from '../companies/tables.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { findShop, type Shop, unitPrice } from './shops.ts';

/** Finds the shop of a key; undefined without a key. Throws notFound for an unknown key. */
export async function getShop(context: Context, key: string | undefined): Promise<Shop | undefined> {
  if (key === undefined) return undefined;
  const shop = await findShop(context, key);
  if (!shop) throw new AppError('notFound', 'This shop is not open any more.');
  return shop;
}

/** Returns the part of a shop that customers may see. */
export const toWidgetShop = ({ name, checkout, currency }: Shop): WidgetShop => ({ name, checkout, currency });

/** Without a shop: every base product, and no prices. */
export async function listOffers(context: Context, shop: Shop | undefined): Promise<OfferedProduct[]> {
  const offered = shop ? await listShopProducts(context, shop) : await listProducts(context);
  return offered.map((product) => ({
    ...product,
    unitPriceCents: shop ? unitPrice(shop, product.productId) : null,
  }));
}

async function listShopProducts(context: Context, { companyId }: Shop): Promise<Product[]> {
  const [company] = await context.db.select().from(companies).where(eq(companies.id, companyId));
  const own = await listShownProducts(context, companyId);
  const base = await listProducts(context);
  const enabled = company?.enabledCategories && new Set(company.enabledCategories);
  if (!enabled) return [...own, ...base];
  const names = new Set((await listCategories(context)).filter(({ id }) => enabled.has(id)).map(({ name }) => name));
  return [...own, ...base.filter(({ category }) => names.has(category))];
}

/** A product that is offered, as it is drawn; undefined when it is not offered. */
export async function findOffer(
  context: Context,
  actor: Actor,
  shop: Shop | undefined,
  productId: string,
): Promise<{ product: DrawnProduct; unitPriceCents: number | null } | undefined> {
  const offer = (await listOffers(context, shop)).find((offered) => offered.productId === productId);
  if (!offer) return undefined;
  const product =
    (shop && (await findCompanyProduct(context, shop.companyId, productId))) ??
    (await findProduct(context, actor, productId));
  return product && { product, unitPriceCents: offer.unitPriceCents };
}
