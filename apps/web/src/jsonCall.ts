/** Calls of endpoints with JSON in and out, which is all that the widget needs before a product is chosen. */
import type { Endpoint } from '@markwright/contract/paths/endpoint';
import { type RequestOptions, readJson, type SendRequest, tryAgain } from './request.ts';

export interface CallInput {
  readonly params?: Record<string, string | number>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly file?: File;
  readonly files?: readonly File[];
}
export interface CallOptions extends RequestOptions {
  readonly onStage?: ((stage: string) => void) | undefined;
}

/** Makes one call, and returns the reply of the server. */
export type CallEndpoint = (
  request: SendRequest,
  endpoint: Endpoint,
  input: CallInput,
  options: CallOptions,
) => Promise<unknown>;

/** Calls an endpoint that takes no files and has no stages. */
export const callWithJson: CallEndpoint = async (request, endpoint, input, options) => {
  const send = async () => {
    const response = await request(endpoint.method, toUrl(endpoint.path, input), input.body, options);
    return checkReply(endpoint, await readJson(response, options.signal));
  };
  return isRepeatable(endpoint) ? tryAgain(send, options) : send();
};

/** Returns true when the call sent twice has the effect of one. A keyed call has, with one key for both. */
export const isRepeatable = ({ method, repeats, isKeyed }: Endpoint): boolean =>
  method === 'GET' || repeats === true || isKeyed === true;

/** Returns the address of a call. Throws when the path has a parameter that the input lacks. */
export function toUrl(path: string, { params, query }: CallInput): string {
  const url = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params?.[name];
    if (value === undefined) throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return pairs.length ? `${url}?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}` : url;
}

/**
 * Throws where a reply is not a list, or lacks a field, that the endpoint says it returns. Its types are not checked.
 */
export function checkReply({ method, path, returns }: Endpoint, reply: unknown): unknown {
  const isGood =
    returns === 'list'
      ? Array.isArray(reply)
      : returns.every((field) => (reply as Record<string, unknown> | null)?.[field] !== undefined);
  if (!isGood) throw new Error(`The reply of ${method} ${path} lacks ${returns === 'list' ? 'its list' : 'a field'}.`);
  return reply;
}
