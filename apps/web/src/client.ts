/** The client for the server's calls, made from the contract. The site and the widget each make their own. */
import type { Endpoint } from '@markwright/contract/paths/endpoint';
import type { Call, CallBodyInput, CallQuery, CallReply, CallStage } from '@markwright/contract/schemas';
import type { CallInput as AnyInput, CallOptions as AnyOptions, CallEndpoint } from './jsonCall.ts';
import type { RequestOptions, SendRequest } from './request.ts';

type Calls = Readonly<Record<string, Readonly<Record<string, Call>>>>;
type EndpointsOf<G> = {
  readonly [Group in keyof G]: { readonly [Name in keyof G[Group]]: Endpoint };
};

export interface ClientOptions {
  readonly request: SendRequest;
  /** `callEndpoint`, or the smaller `callWithJson` where no endpoint takes files or has stages. */
  readonly call: CallEndpoint;
  /** Returns the error to reject with instead of the client's own. Not asked about a request that was aborted. */
  toError?(error: unknown): Error;
}

/**
 * Makes `client.group.name(input, options)` for every endpoint. The types come from the contract's schemas:
 * `createClient<typeof calls>(endpoints, …)` with `import type { calls }`.
 */
export function createClient<G extends Calls>(
  groups: EndpointsOf<G>,
  { request, call, toError }: ClientOptions,
): Client<G> {
  const functionOf =
    (endpoint: Endpoint) =>
    (input: AnyInput = {}, callOptions: AnyOptions = {}) =>
      call(request, endpoint, input, callOptions).catch((error: unknown) => {
        throw toError && !callOptions.signal?.aborted ? toError(error) : error;
      });
  const clientOf = (endpoints: Readonly<Record<string, Endpoint>>) => mapValues(endpoints, functionOf);
  return mapValues(groups as Record<string, Record<string, Endpoint>>, clientOf) as Client<G>;
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
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
