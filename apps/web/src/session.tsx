/** The session: the token, the account it belongs to, and what changes when either changes. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { GuestUsage, Subscription, UsageStats, User } from '@markwright/contract/schemas';
import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { api, queryFn } from './api.ts';
import { onTokenChange, readToken, writeToken } from './token.ts';

const ME = [siteCalls.auth.me.path];
const STATS = [siteCalls.users.stats.path];
const SUBSCRIPTION = [siteCalls.billing.subscription.path];
const GUEST_USAGE = [siteCalls.users.guestUsage.path];

export interface Session {
  /** `loading` only while a stored token is being asked for its account. */
  readonly status: 'loading' | 'guest' | 'user';
  /** Set exactly when there is both a token and its account. */
  readonly user: User | undefined;
  /** Resolves with the token of a pending sign-in where a code of the second factor is to follow. */
  login(credentials: { email: string; password: string }): Promise<string | undefined>;
  /** Completes a pending sign-in with a code. */
  completeLogin(attempt: { pendingToken: string; code: string }): Promise<void>;
  signup(credentials: { email: string; password: string }): Promise<undefined>;
  logout(): Promise<void>;
}

/** Returns the token while the prerendered page is hydrated: it was rendered for nobody. */
const nobody = () => null;

export function useSession(): Session {
  const client = useQueryClient();
  const token = useSyncExternalStore(onTokenChange, readToken, nobody);
  const me = useQuery<User | null>({
    queryKey: ME,
    queryFn: queryFn<User>({ on401: 'returnNull' }),
    enabled: false, // `watchToken` asks: once per token, whoever changed it
  });
  const user = token !== null ? (me.data ?? undefined) : undefined;
  const status = user ? 'user' : token !== null && me.isPending ? 'loading' : 'guest';
  return useMemo(() => ({ status, user, ...createSessionActions(client) }), [status, user, client]);
}

/** Returns the functions that sign in and out. */
export function createSessionActions(
  client: QueryClient,
): Pick<Session, 'login' | 'completeLogin' | 'signup' | 'logout'> {
  return {
    async login(credentials) {
      const { token, pendingToken } = await api.auth.login({ body: credentials });
      if (pendingToken !== undefined) return pendingToken;
      if (token === undefined) throw new Error('The reply to the sign-in has no token.');
      enter(client, token);
      await loadMe(client);
      return undefined;
    },
    async completeLogin(attempt) {
      enter(client, (await api.auth.completeLogin({ body: attempt })).token);
      await loadMe(client);
    },
    async signup(credentials) {
      enter(client, (await api.auth.signup({ body: credentials })).token);
      await loadMe(client);
      return undefined;
    },
    async logout() {
      // The server forgets the session when it hears of it; the browser does so in any case.
      const request = readToken() === null ? undefined : api.auth.logout().catch(() => undefined);
      writeToken(null);
      client.clear();
      await request;
    },
  };
}

/** Goes on with another token, or with none. The account it belongs to is asked for by `watchToken`. */
export function enter(client: QueryClient, token: string | null): void {
  client.clear(); // what one saw is not what the other sees
  writeToken(token);
}

/** Asks who the token belongs to. A refused token is dropped, unless it was replaced meanwhile; no network keeps it. */
export async function loadMe(client: QueryClient): Promise<void> {
  const token = readToken();
  if (token === null) return;
  await client.cancelQueries({ queryKey: ME }); // an answer under way may be for the token before
  const user = await client
    .fetchQuery<User | null>({ queryKey: ME, queryFn: queryFn<User>({ on401: 'returnNull' }), staleTime: 0 })
    .catch(() => undefined);
  if (user === null && readToken() === token) writeToken(null);
}

/** Keeps the cache true to the token: refetches after a change in another tab. Mounted once, by the app. */
export function useTokenWatch(): void {
  const client = useQueryClient();
  useEffect(() => watchToken(client), [client]);
}

export function watchToken(client: QueryClient): () => void {
  let lastToken = readToken();
  void loadMe(client);
  return onTokenChange(() => {
    const token = readToken();
    if (token === lastToken) return;
    lastToken = token;
    void client.invalidateQueries();
    void loadMe(client);
  });
}

export interface Allowance {
  readonly stats: UsageStats | undefined;
  readonly guest: GuestUsage | undefined;
}

/** Reads this month's allowance from the server: the account's numbers or the visitor's. */
export function useAllowance(session: Session): Allowance {
  const stats = useQuery<UsageStats>({ queryKey: STATS, enabled: session.status === 'user' });
  const guest = useQuery<GuestUsage>({ queryKey: GUEST_USAGE, enabled: session.status === 'guest' });
  const newToken = stats.data?.jwtToken;
  useEffect(() => {
    if (newToken) writeToken(newToken);
  }, [newToken]);
  return { stats: stats.data, guest: guest.data };
}

/** Asks for the allowance again after something was made. */
export function refreshAllowance(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: STATS });
  void client.invalidateQueries({ queryKey: GUEST_USAGE });
}

/** Queries the account's plan, its status and its end. Enabled only while somebody is signed in. */
export function useSubscription(session: Session): UseQueryResult<Subscription> {
  return useQuery<Subscription>({ queryKey: SUBSCRIPTION, enabled: session.status === 'user' });
}

/** Asks again for the account, its plan and its allowance: after something was bought, changed or ended. */
export function refreshAccount(client: QueryClient): void {
  void loadMe(client);
  void client.invalidateQueries({ queryKey: SUBSCRIPTION });
  refreshAllowance(client);
}
