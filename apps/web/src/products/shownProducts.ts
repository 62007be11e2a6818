/** The products of a studio: the base products of the categories that the company has on, and its own products. */
import { calls } from '@markwright/contract/paths';
import type { Company, CompanyProduct, Product } from '@markwright/contract/schemas';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { statusOf } from '../request.ts';
import { onTokenChange, readToken } from '../token.ts';

const BASE_PRODUCTS = [calls.catalogue.products.path];
export const COMPANY = [calls.company.settings.path];
export const OWN_PRODUCTS = [calls.company.products.path];
const SHOWN_PRODUCTS = ['products shown'];

/** Returns the query for the products of the signed-in account; for a guest, all base products. */
export const shownProducts = (client: QueryClient) =>
  queryOptions<readonly Product[]>({ queryKey: SHOWN_PRODUCTS, queryFn: () => loadShown(client) });

async function loadShown(client: QueryClient): Promise<readonly Product[]> {
  const baseProducts = client.fetchQuery<Product[]>({ queryKey: BASE_PRODUCTS });
  const [products, company] = await Promise.all([baseProducts, readToken() === null ? undefined : loadCompany(client)]);
  if (!company) return products;
  const [{ enabledBaseCategories }, own] = company;
  const enabledCategories = new Set(enabledBaseCategories);
  return [...own, ...products.filter(({ category }) => enabledCategories.has(category))];
}

/** Returns undefined when the session has ended: its holder is then a guest. */
async function loadCompany(client: QueryClient): Promise<[Company, CompanyProduct[]] | undefined> {
  try {
    return await Promise.all([
      client.fetchQuery<Company>({ queryKey: COMPANY }),
      client.fetchQuery<CompanyProduct[]>({ queryKey: OWN_PRODUCTS }),
    ]);
  } catch (error) {
    if (statusOf(error) === 401) return undefined;
    throw error;
  }
}

/** Reads base products and categories again, after one of them has changed. */
export async function refreshCatalogue(client: QueryClient): Promise<void> {
  const keys = [BASE_PRODUCTS, SHOWN_PRODUCTS, [calls.catalogue.baseCategories.path]];
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Reads the company's settings and products again, after one of them has changed. */
export async function refreshCompany(client: QueryClient): Promise<void> {
  await Promise.all([COMPANY, OWN_PRODUCTS, SHOWN_PRODUCTS].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/**
 * Calls the listener after another account has signed in, which may see other products. Returns a function that
 * unsubscribes.
 */
export const onShownChange = (listener: () => void): (() => void) =>
  // Code that changes the token clears the query cache right after it, so the listener runs after both.
  onTokenChange(() => queueMicrotask(listener));
