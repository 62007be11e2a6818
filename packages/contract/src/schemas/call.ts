/** How one call between browser and server is said: once, with its access beside its path. */
import type { z } from 'zod';

/**
 * Who may make a call. `anyone`: guests too. `user`: a signed-in account. `admin`: the administrator.
 */
export type Access = 'anyone' | 'user' | 'admin';
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Call {
  readonly method: Method;
  /** Path with `:name` parameters. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  /** A guest who is not known yet gets no cookie for it. */
  readonly keepsNoGuest?: true;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The one file field of a multipart body; its other fields are parsed by `body`. */
  readonly file?: { readonly field: string; readonly maxBytes: number; readonly isOptional?: true };
  /**
   * The repeated file field of a multipart body, kept on disk until the call has ended. Its other fields reach `body` as
   * lists. A file above `maxBytes` comes without its bytes, and fails no other one.
   */
  readonly files?: {
    readonly field: string;
    readonly maxFiles: number;
    readonly maxBytes: number;
    readonly maxTotalBytes: number;
  };
  readonly reply: z.ZodType;
  /** What a long call is at, told on the way to whoever asks for `STAGES_TYPE`. */
  readonly stages?: z.ZodEnum;
}

/**
 * Lines of JSON: `{ stage }` for each stage as it begins, and at the end `{ reply }`, or `{ status, refusal }` with what the answer would
 * have been otherwise. What is refused before the first stage is answered as ever.
 */
export const STAGES_TYPE = 'application/x-ndjson';

/** Names a call; the identity function that keeps the literal types. */
export function call<const C extends Call>(spec: C): C {
  return spec;
}

type Input<T> = T extends z.ZodType ? z.input<T> : undefined;
type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
/** What the browser passes and what the server gets, for each part of a call. */
export type CallBodyInput<C extends Call> = Input<C['body']>;
export type CallBody<C extends Call> = Output<C['body']>;
export type CallParams<C extends Call> = Output<C['params']>;
export type CallQuery<C extends Call> = Output<C['query']>;
export type CallStage<C extends Call> = C['stages'] extends z.ZodType ? z.output<C['stages']> : never;
export type CallReply<C extends Call> = z.output<C['reply']>;
export type CallReplyInput<C extends Call> = z.input<C['reply']>;
