/** The second half of a call: its schemas and its documentation. Both halves together are a `Call`. */
import type { z } from 'zod';
import type { Endpoint, Endpoints, PathParameter } from '../paths/endpoint.ts';

export interface CallSchemas {
  readonly summary: string;
  /** The parameters in the path. */
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly reply: z.ZodType;
}

export type Call = Endpoint & CallSchemas;

/** A path with parameters needs a schema for exactly these, and a path without them has none. */
type SchemasFor<E extends Endpoint> = CallSchemas &
  ([PathParameter<E['path']>] extends [never]
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

type Input<T> = T extends z.ZodType ? z.input<T> : undefined;
type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
/** The type of each part of a call: `…Input` is what the caller passes, the others are what the receiver gets. */
export type CallBodyInput<C extends Call> = Input<C['body']>;
export type CallBody<C extends Call> = Output<C['body']>;
export type CallParams<C extends Call> = Output<C['params']>;
export type CallQuery<C extends Call> = Output<C['query']>;
export type CallReply<C extends Call> = z.output<C['reply']>;
export type CallReplyInput<C extends Call> = z.input<C['reply']>;
export type CallStage<C extends Call> = C extends { readonly stages: readonly (infer Stage)[] } ? Stage : never;
