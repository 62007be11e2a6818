/** The client for the server's calls, made from the contract. The site and the widget each make one. */
import { type Endpoint, PROGRESS_STREAM_TYPE } from '@markwright/contract/paths/endpoint';
import type { Call, CallBodyInput, CallQuery, CallReply, CallStage } from '@markwright/contract/schemas';
import { readProgressStream } from './progressStream.ts';
import { ApiError, NetworkError, type RequestOptions, readJson, type SendRequest } from './request.ts';

type Calls = Readonly<Record<string, Readonly<Record<string, Call>>>>;
type EndpointsOf<G> = {
  readonly [Group in keyof G]: { readonly [Name in keyof G[Group]]: Endpoint };
};

export interface ClientOptions {
  readonly request: SendRequest;
  /** Returns the error to reject with instead of the client's own. Not asked about a request that was aborted. */
  toError?(error: unknown): Error;
}

/**
 * Makes `client.group.name(input, options)` for every endpoint. The types come from the contract's schemas:
 * `createClient<typeof calls>(endpoints, …)` with `import type { calls }`.
 */
export function createClient<G extends Calls>(groups: EndpointsOf<G>, { request, toError }: ClientOptions): Client<G> {
  const functionOf =
    (endpoint: Endpoint) =>
    (input: AnyInput = {}, callOptions: AnyOptions = {}) =>
      run(endpoint, input, callOptions, request).catch((error: unknown) => {
        throw toError && !callOptions.signal?.aborted ? toError(error) : error;
      });
  const clientOf = (endpoints: Readonly<Record<string, Endpoint>>) => mapValues(endpoints, functionOf);
  return mapValues(groups as Record<string, Record<string, Endpoint>>, clientOf) as Client<G>;
}

async function run(
  endpoint: Endpoint,
  input: AnyInput,
  { onStage, ...options }: AnyOptions,
  request: SendRequest,
): Promise<unknown> {
  const accept = onStage && PROGRESS_STREAM_TYPE;
  const response = await request(endpoint.method, toUrl(endpoint.path, input), toPayload(endpoint, input), {
    ...options,
    accept,
  });
  const isStream = onStage && response.headers.get('content-type')?.startsWith(PROGRESS_STREAM_TYPE);
  if (!isStream || !response.body) return checkReply(endpoint, await readJson(response, options.signal));
  for await (const line of readProgressStream(response.body, options.signal)) {
    if (line.reply !== undefined) return checkReply(endpoint, line.reply);
    if (line.refusal !== undefined) throw new ApiError(line.status ?? 500, JSON.stringify(line.refusal));
    // A newer server may have stages that this page does not know.
    if (endpoint.stages?.some((stage) => stage === line.stage)) onStage(line.stage as string);
  }
  throw new NetworkError();
}

/**
 * Throws where a reply is not a list, or lacks a field, that the endpoint says it returns. Its types are not checked.
 */
function checkReply({ method, path, returns }: Endpoint, reply: unknown): unknown {
  const isGood =
    returns === 'list'
      ? Array.isArray(reply)
      : returns.every((field) => (reply as Record<string, unknown> | null)?.[field] !== undefined);
  if (!isGood) throw new Error(`The reply of ${method} ${path} lacks ${returns === 'list' ? 'its list' : 'a field'}.`);
  return reply;
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

function toPayload({ path, ...endpoint }: Endpoint, { body, file, files = [] }: AnyInput): unknown {
  if (!endpoint.file && !endpoint.files) return body;
  if (endpoint.file && !file && !endpoint.file.isOptional) throw new Error(`${path} needs a file`);
  const form = new FormData();
  // Fields first: a server that reads the parts in order knows them before the file arrives.
  for (const [name, value] of Object.entries((body as Record<string, unknown> | undefined) ?? {})) {
    if (endpoint.files && Array.isArray(value)) for (const one of value) form.append(name, String(one));
    else if (value !== undefined && value !== null)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  if (endpoint.file && file) form.append(endpoint.file.field, file);
  for (const one of files) form.append(endpoint.files!.field, one);
  return form;
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

interface AnyInput {
  readonly params?: Record<string, string | number>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly file?: File;
  readonly files?: readonly File[];
}
interface AnyOptions extends RequestOptions {
  readonly onStage?: ((stage: string) => void) | undefined;
}

type If<Condition, T> = [Condition] extends [true] ? T : unknown;
type Has<C extends Call, Part extends keyof Call> = C extends Record<Part, object> ? true : false;
type FileInput<C extends Call> = C extends { file: { isOptional: true } }
  ? { file?: File | undefined }
  : { file: File };
type BodyInput<C extends Call> = C extends { file: object } | { files: object }
  ? { body?: CallBodyInput<C> }
  : { body: CallBodyInput<C> };
type CallInput<C extends Call> = If<Has<C, 'body'>, BodyInput<C>> &
  If<Has<C, 'file'>, FileInput<C>> &
  If<Has<C, 'files'>, { files: readonly File[] }> &
  If<Has<C, 'params'>, { params: Record<string, string | number> }> &
  If<Has<C, 'query'>, { query?: Partial<CallQuery<C>> }>;
type CallOptions<C extends Call> = RequestOptions &
  If<Has<C, 'stages'>, { readonly onStage?: (stage: CallStage<C>) => void }>;

type CallFunction<C extends Call> = C extends { body: object } | { params: object }
  ? (input: CallInput<C>, options?: CallOptions<C>) => Promise<CallReply<C>>
  : (input?: CallInput<C>, options?: CallOptions<C>) => Promise<CallReply<C>>;
export type Client<G extends Calls> = {
  readonly [Group in keyof G]: { readonly [Name in keyof G[Group]]: CallFunction<G[Group][Name]> };
};
