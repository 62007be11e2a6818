/**
 * The products of a studio: the base products of the categories that the company has on, its own products, and the
 * blanks of this device.
 */
import { calls } from '@markwright/contract/paths';
import type { Company, CompanyProduct, Product } from '@markwright/contract/schemas';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { statusOf } from '../request.ts';
import { onTokenChange, readToken } from '../token.ts';
import { type DeviceBlank, listDeviceBlanks } from './deviceBlanks.ts';

const BASE_PRODUCTS = [calls.catalogue.products.path];
export const COMPANY = [calls.company.settings.path];
export const OWN_PRODUCTS = [calls.company.products.path];
const SHOWN_PRODUCTS = ['products shown'];

/** Returns the query for the products of the signed-in account; for a guest, all base products. */
export const shownProducts = (client: QueryClient) =>
  queryOptions<readonly Product[]>({ queryKey: SHOWN_PRODUCTS, queryFn: () => loadShown(client) });

async function loadShown(client: QueryClient): Promise<readonly Product[]> {
  const baseProducts = client.fetchQuery<Product[]>({ queryKey: BASE_PRODUCTS });
  const [products, company, blanks] = await Promise.all([
    baseProducts,
    readToken() === null ? undefined : loadCompany(client),
    listDeviceBlanks(),
  ]);
  if (!company) return [...blanks.map(({ product }) => product), ...products];
  const [{ enabledBaseCategories }, own] = company;
  const enabledCategories = new Set(enabledBaseCategories);
  return [...joinBlanks(own, blanks), ...products.filter(({ category }) => enabledCategories.has(category))];
}

/**
 * A blank of the device that became a product of the company is listed once. It keeps the id that it had on the device,
 * so that designs from before find it.
 */
function joinBlanks(own: readonly CompanyProduct[], blanks: readonly DeviceBlank[]): readonly Product[] {
  const deviceIds = new Map(blanks.map(({ id, sentAs }) => [sentAs, id]));
  const ownIds = new Set(own.map(({ id }) => id));
  return [
    ...own.map((product) => ({ ...product, id: deviceIds.get(product.id) ?? product.id })),
    ...blanks.filter(({ sentAs }) => !sentAs || !ownIds.has(sentAs)).map(({ product }) => product),
  ];
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

/** Reads the company's settings and products, and the blanks of the device, again after one of them has changed. */
export async function refreshCompany(client: QueryClient): Promise<void> {
  await Promise.all([COMPANY, OWN_PRODUCTS, SHOWN_PRODUCTS].map((queryKey) => client.invalidateQueries({ queryKey })));
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/**
 * Calls the listener after another account has signed in, which may see other products, and after `refreshCompany`.
 * Returns a function that unsubscribes.
 */
export function onShownChange(listener: () => void): () => void {
  listeners.add(listener);
  // Code that changes the token clears the query cache right after it, so the listener runs after both.
  const stop = onTokenChange(() => queueMicrotask(listener));
  return () => {
    listeners.delete(listener);
    stop();
  };
}
