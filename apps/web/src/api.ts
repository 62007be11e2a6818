/** The site's client, and the defaults of its query cache. */
import type { Endpoint } from '@markwright/contract/paths/endpoint';
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { calls as contract } from '@markwright/contract/schemas';
import { QueryClient, type QueryFunction } from '@tanstack/react-query';
import { type Client, createClient } from './client.ts';
import { callEndpoint } from './endpointCall.ts';
import { createRequest, readJson, statusOf, tryAgain } from './request.ts';
import { readToken } from './token.ts';

/** Cookies are always sent, and the bearer token when there is one. */
const request = createRequest({
  credentials: 'include',
  headers(): Record<string, string> {
    const token = readToken();
    return token ? { authorization: `Bearer ${token}` } : {};
  },
});

type Contract = typeof contract;
type SiteCalls = Pick<Contract, keyof typeof siteCalls>;

export const api = createClient<SiteCalls>(siteCalls, { request, call: callEndpoint });

/** Returns the calls of one more group, for the pages that make them. */
export function createCalls<Group extends keyof Contract>(
  group: Group,
  endpoints: Readonly<Record<keyof Contract[Group], Endpoint>>,
): Client<Contract>[Group] {
  const groups = { [group]: endpoints } as unknown as Parameters<typeof createClient<Pick<Contract, Group>>>[0];
  const client: Client<Pick<Contract, Group>> = createClient(groups, { request, call: callEndpoint });
  return client[group] as unknown as Client<Contract>[Group];
}

/** Reads the first element of the query key with GET. `on401` decides if a missing sign-in is an answer or an error. */
export function queryFn<T>(options: { on401: 'returnNull' | 'throw' }): QueryFunction<T | null> {
  return async ({ queryKey, signal }) => {
    const read = async () => readJson(await request('GET', String(queryKey[0]), undefined, { signal }), signal);
    try {
      return (await tryAgain(read, { signal })) as T;
    } catch (error) {
      if (options.on401 === 'returnNull' && statusOf(error) === 401) return null;
      throw error;
    }
  };
}

/**
 * Creates a client without retries, expiry, refetches on focus and polling: data changes when the person does
 * something.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: queryFn({ on401: 'throw' }),
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchInterval: false,
      },
      mutations: { retry: false },
    },
  });
}
