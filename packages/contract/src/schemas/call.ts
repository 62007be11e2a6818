/** The second half of a call: its schemas and its documentation. Both halves together are a `Call`. */
import type { z } from 'zod';
import type { Endpoint, Endpoints, PathParameter } from '../paths/endpoint.ts';

/** A schema made with Zod or with Zod Mini. */
type Schema<Output = unknown> = z.core.$ZodType<Output>;

export interface CallSchemas {
  /** A few words in the imperative, for the list of calls in OpenAPI. */
  readonly summary: string;
  /** Plain sentences that say what the call does and returns. */
  readonly description: string;
  /** The parameters in the path. */
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly reply: Schema;
  /** Bodies as programs send them, by name. A function, because writing one may need the scene. */
  readonly examples?: () => Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  /** A reply as programs get it. */
  readonly replyExample?: unknown;
  /**
   * The error answers of this call alone, with the reason of each. Those that many calls share are in the server's
   * OpenAPI writer.
   */
  readonly errors?: Readonly<Partial<Record<ErrorStatus, string>>>;
}

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503 | 507;

export type Call = Endpoint & CallSchemas;

/**
 * The schemas an endpoint needs: one for exactly the parameters of its path, and one for a reply with the fields that
 * it says it returns.
 */
type SchemasFor<E extends Endpoint> = CallSchemas & {
  readonly reply: E['returns'] extends readonly (infer Field extends string)[]
    ? Schema<Readonly<Record<Field, unknown>> | null>
    : Schema<readonly unknown[]>;
} & ([PathParameter<E['path']>] extends [never]
    ? { readonly params?: never }
    : { readonly params: z.ZodObject<Record<PathParameter<E['path']>, z.ZodType>> });

/**
 * Joins the two halves of a group of calls. An endpoint without schemas does not compile, nor do schemas without an
 * endpoint.
 */
export function defineCalls<const E extends Endpoints, S extends { readonly [Name in keyof E]: SchemasFor<E[Name]> }>(
  endpoints: E,
  schemas: S & { readonly [Name in Exclude<keyof S, keyof E>]: never },
): { readonly [Name in keyof E]: E[Name] & S[Name] } {
  const join = (name: string) => ({ ...endpoints[name], ...(schemas as Record<string, CallSchemas>)[name] });
  return Object.fromEntries(Object.keys(endpoints).map((name) => [name, join(name)])) as never;
}

type Input<T> = T extends Schema ? z.input<T> : undefined;
type Output<T> = T extends Schema ? z.output<T> : undefined;
/** The type of each part of a call: `…Input` is what the caller passes, the others are what the receiver gets. */
export type CallBodyInput<C extends Call> = Input<C['body']>;
export type CallBody<C extends Call> = Output<C['body']>;
export type CallParams<C extends Call> = Output<C['params']>;
export type CallQuery<C extends Call> = Output<C['query']>;
export type CallReply<C extends Call> = z.output<C['reply']>;
export type CallReplyInput<C extends Call> = z.input<C['reply']>;
export type CallStage<C extends Call> = C extends { readonly stages: readonly (infer Stage)[] } ? Stage : never;
