/**
 * The products of a studio: the base products of the categories that the company has on, its own products, and the
 * blanks of this device. Of a large catalogue it has the first pages and what was found in it.
 */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { Company, CompanyProduct, Product } from '@markwright/contract/schemas';
import { idsOf } from '@markwright/contract/words';
import type { ProductFinder } from '@markwright/editor';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { statusOf } from '../request.ts';
import { onTokenChange, readToken } from '../token.ts';
import { hasWords, toSearchWords } from '../ui/search.ts';
import { type DeviceBlank, listDeviceBlanks } from './deviceBlanks.ts';
import { nextOf, type ReadPage, readList } from './productLists.ts';

const BASE_PRODUCTS = [siteCalls.catalogue.products.path];
export const COMPANY = [siteCalls.company.settings.path];
const OWN_PRODUCTS = [siteCalls.company.products.path];
const SHOWN_PRODUCTS = ['products shown'];

/** The query for the base products: all of them, or the first pages of a large catalogue. */
const baseProducts = queryOptions({
  queryKey: BASE_PRODUCTS,
  queryFn: ({ signal }) => readList((after) => api.catalogue.products({ query: { after } }, { signal }), 1),
});

/** The query for the products of the company itself. */
export const ownProducts = queryOptions<readonly CompanyProduct[]>({
  queryKey: OWN_PRODUCTS,
  queryFn: async ({ signal }) =>
    (await readList((after) => api.company.products({ query: { after } }, { signal }))).products,
});

/** Returns the query for the products of the signed-in account; for a guest, all base products. */
export const shownProducts = (client: QueryClient) =>
  queryOptions<readonly Product[]>({ queryKey: SHOWN_PRODUCTS, queryFn: () => loadShown(client) });

async function loadShown(client: QueryClient): Promise<readonly Product[]> {
  const [base, company, blanks] = await Promise.all([
    client.fetchQuery(baseProducts),
    readToken() === null ? undefined : loadCompany(client),
    listDeviceBlanks(),
  ]);
  const isLarge = !base.isWhole;
  if (!company) {
    const local = blanks.map(({ product }) => product);
    finders.set(client, isLarge ? createFinder(client, local, readOfAll) : undefined);
    return [...local, ...base.products];
  }
  const [{ enabledBaseCategories }, own] = company;
  const local = joinBlanks(own, blanks);
  finders.set(client, isLarge ? createFinder(client, local, readOfCompany) : undefined);
  const enabledCategories = new Set(enabledBaseCategories);
  const onProducts = isLarge
    ? (await readList((after) => readOfCompany({ after }), 1)).products
    : base.products.filter(({ category }) => enabledCategories.has(category));
  return [...local, ...onProducts];
}

type ReadBase = (
  query: NonNullable<Parameters<typeof api.catalogue.products>[0]>['query'],
) => ReturnType<ReadPage<Product>>;
const readOfAll: ReadBase = (query) => api.catalogue.products({ query: query ?? {} });
const readOfCompany: ReadBase = (query) => api.company.baseProducts({ query: query ?? {} });

const finders = new WeakMap<QueryClient, ProductFinder | undefined>();

/** Returns what finds products in a large catalogue; undefined where `shownProducts` has all of it, or nothing yet. */
export const finderOf = (client: QueryClient): ProductFinder | undefined => finders.get(client);

/** `local` are the products that do not come from the base catalogue: they are here as a whole. */
function createFinder(client: QueryClient, local: readonly Product[], read: ReadBase): ProductFinder {
  const readShown = () => client.getQueryData<readonly Product[]>(SHOWN_PRODUCTS) ?? [];
  /** From now on, these are among the products that are shown. */
  function add(more: readonly Product[]): void {
    const ids = new Set(readShown().map(({ id }) => id));
    const fresh = more.filter(({ id }) => !ids.has(id));
    if (fresh.length > 0) client.setQueryData<readonly Product[]>(SHOWN_PRODUCTS, [...readShown(), ...fresh]);
  }
  /** Those that are not there are not asked for again. */
  const triedIds = new Set<string>();
  return {
    async search(text, after) {
      const page = await read({ search: text.slice(0, MAX_SEARCH), after });
      add(page);
      const words = toSearchWords(text);
      const hits = after === undefined ? local.filter((product) => isHit(product, words)) : [];
      return { products: [...hits, ...page], next: nextOf(page) };
    },
    async find(ids) {
      const knownIds = new Set(readShown().flatMap((product) => [product.id, ...idsOf(product)]));
      const newIds = ids.filter((id) => !knownIds.has(id) && !triedIds.has(id) && isId(id)).slice(0, MAX_IDS);
      if (newIds.length > 0) add(await read({ ids: newIds.join(',') }));
      for (const id of newIds) triedIds.add(id);
      return readShown();
    },
  };
}

const MAX_SEARCH = 100;
const MAX_IDS = 100;
const isId = (id: string): boolean => /^[\w.-]{1,100}$/.test(id);

const isHit = ({ name, category, subCategory, material }: Product, words: readonly string[]): boolean =>
  hasWords(words, [name, category, subCategory, material]);

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
async function loadCompany(client: QueryClient): Promise<[Company, readonly CompanyProduct[]] | undefined> {
  try {
    return await Promise.all([client.fetchQuery<Company>({ queryKey: COMPANY }), client.fetchQuery(ownProducts)]);
  } catch (error) {
    if (statusOf(error) === 401) return undefined;
    throw error;
  }
}

/** Reads base products and categories again, after one of them has changed. */
export async function refreshCatalogue(client: QueryClient): Promise<void> {
  const keys = [BASE_PRODUCTS, SHOWN_PRODUCTS, [siteCalls.catalogue.baseCategories.path]];
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
