/**
 * The one way to the server: a client made from the contract, and what the query cache needs.
 *
 * Cookies are always sent, the bearer token when there is one. A non-OK answer throws an Error whose message is the
 * status, a colon, a space and the raw body (or the status text when the body is empty).
 */
import type { Call, CallBodyInput, CallQuery, CallReply } from '@markwright/contract/schemas';
import { calls } from '@markwright/contract/schemas';
import { QueryClient, type QueryFunction } from '@tanstack/react-query';
import type { z } from 'zod';
import { readToken } from './token.ts';

type Part<C extends Call, K extends keyof Call, T> = C[K] extends z.ZodType | { readonly field: string }
  ? T
  : Record<never, never>;
type CallInput<C extends Call> = Part<
  C,
  'body',
  C extends { file: object } | { files: object } ? unknown : { body: CallBodyInput<C> }
> &
  Part<C, 'file', FileInput<C> & { body?: CallBodyInput<C> }> &
  Part<C, 'files', { files: readonly File[]; body?: CallBodyInput<C> }> &
  Part<C, 'params', { params: Record<string, string | number> }> &
  Part<C, 'query', { query?: Partial<CallQuery<C>> }>;
type FileInput<C extends Call> = C extends { file: { isOptional: true } }
  ? { file?: File | undefined }
  : { file: File };
type NeedsInput<C extends Call> = C extends { body: z.ZodType } | { params: z.ZodType } ? true : false;
interface Options {
  readonly signal?: AbortSignal | undefined;
  /** The request goes on when the page is left; its body may then have 64 kB at most. */
  readonly keepalive?: boolean | undefined;
  readonly accept?: string | undefined;
}

type CallFunction<C extends Call> =
  NeedsInput<C> extends true
    ? (input: CallInput<C>, options?: Options) => Promise<CallReply<C>>
    : (input?: CallInput<C>, options?: Options) => Promise<CallReply<C>>;
export type Client<G> = {
  readonly [Group in keyof G]: {
    readonly [Name in keyof G[Group]]: G[Group][Name] extends Call ? CallFunction<G[Group][Name]> : never;
  };
};

interface AnyInput {
  readonly params?: Record<string, string | number>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly file?: File;
  readonly files?: readonly File[];
}

/** Makes `client.group.name(input)` for every call there is. Replies are checked against the contract. */
export function createClient<G extends Record<string, Record<string, Call>>>(groups: G): Client<G> {
  const clientOf = (group: Record<string, Call>) =>
    Object.fromEntries(
      Object.entries(group).map(([name, spec]) => [
        name,
        async (input: AnyInput = {}, options: Options = {}) => {
          const response = await request(spec.method, toUrl(spec.path, input), toPayload(spec, input), options);
          return spec.reply.parse(await response.json());
        },
      ]),
    );
  return Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, clientOf(group)])) as Client<G>;
}

export const api = createClient(calls);

/** Sends one request and throws on a non-OK answer. JSON unless `data` is form data. */
export async function request(
  method: string,
  url: string,
  data?: unknown,
  { signal, keepalive, accept }: Options = {},
): Promise<Response> {
  const headers: Record<string, string> = {};
  const token = readToken();
  if (token) headers.authorization = `Bearer ${token}`;
  if (accept) headers.accept = accept;
  const isForm = data instanceof FormData;
  if (data !== undefined && !isForm) headers['content-type'] = 'application/json';

  const response = await fetch(url, {
    method,
    headers,
    credentials: 'include',
    ...(data !== undefined && { body: isForm ? data : JSON.stringify(data) }),
    ...(signal && { signal }),
    ...(keepalive && { keepalive }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${(await response.text()) || response.statusText}`);
  return response;
}

/** The status an error of `request` carries, or undefined when the server never answered. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && /^(\d{3}): /.exec(error.message)?.[1];
  return status ? Number(status) : undefined;
}

/** The sentence to show for an error: the server's own `message` when it sent one. */
export function messageOf(error: unknown, fallback = 'Something went wrong. Please try again.'): string {
  if (!(error instanceof Error)) return fallback;
  if (statusOf(error) === undefined)
    return isNetworkError(error) ? 'The server cannot be reached right now.' : fallback;
  const body = error.message.slice('000: '.length);
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    if (typeof message === 'string' && message) return message;
  } catch {
    // Not our server's JSON: a proxy's page, say. Its body is no sentence for a person.
  }
  return fallback;
}

/** `fetch` rejects with a TypeError when there is no answer at all. */
function isNetworkError(error: Error): boolean {
  return error instanceof TypeError;
}

/** The default read: a GET of the key's first element. `on401` decides whether a missing sign-in is an answer or an error. */
export function queryFn<T>(options: { on401: 'returnNull' | 'throw' }): QueryFunction<T | null> {
  return async ({ queryKey, signal }) => {
    try {
      return (await (await request('GET', String(queryKey[0]), undefined, { signal })).json()) as T;
    } catch (error) {
      if (options.on401 === 'returnNull' && statusOf(error) === 401) return null;
      throw error;
    }
  };
}

/** No retries, never stale, no refetch on focus, no polling: data changes when the person does something. */
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

function toUrl(path: string, { params, query }: AnyInput): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params?.[name];
    if (value === undefined) throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return pairs.length
    ? `${filled}?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
    : filled;
}

function toPayload(spec: Call, { body, file, files = [] }: AnyInput): unknown {
  if (!spec.file && !spec.files) return body;
  if (spec.file && !file && !spec.file.isOptional) throw new Error(`${spec.path} needs a file`);
  const form = new FormData();
  // Fields first: a server that reads the parts in order knows them before the file arrives.
  for (const [name, value] of Object.entries((body as Record<string, unknown> | undefined) ?? {})) {
    if (spec.files && Array.isArray(value)) for (const one of value) form.append(name, String(one));
    else if (value !== undefined && value !== null)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  if (spec.file && file) form.append(spec.file.field, file);
  for (const one of files) form.append(spec.files!.field, one);
  return form;
}
