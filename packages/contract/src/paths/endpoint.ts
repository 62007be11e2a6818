/** The first half of a call: its method, path, access and upload, as plain data. */

import type { ApiScope } from '../words/apiKeys.ts';
import type { AdminRole } from '../words/roles.ts';

/** The callers of a call. `anyone` includes guests, `user` is a signed-in account, `admin` is an administrator. */
export type Access = 'anyone' | 'user' | 'admin';
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Endpoint {
  readonly method: Method;
  /** Parameters are written `:name`. */
  readonly path: `/api/${string}`;
  readonly access: Access;
  /** The roles that may make a call of access `admin`. Without them nobody may. */
  readonly roles?: readonly AdminRole[];
  /** The scope of the API keys that may make the call. Without one, no key may. */
  readonly scope?: ApiScope;
  /** The server gives a new guest no cookie for this call. */
  readonly keepsNoGuest?: true;
  /** The only file field of a multipart body. The schema of the body parses its other fields. */
  readonly file?: { readonly field: string; readonly maxBytes: number; readonly isOptional?: true };
  /**
   * The repeated file field of a multipart body. The server stores the files on disk until the call has ended. The
   * other fields reach the schema of the body as lists. A file over `maxBytes` arrives without its bytes and does not
   * fail the others.
   */
  readonly files?: {
    readonly field: string;
    readonly maxFiles: number;
    readonly maxBytes: number;
    readonly maxTotalBytes: number;
  };
  /**
   * The fields that every reply has, for a client that knows no schema; `list` when the reply is an array. Empty when a
   * reply may lack every field.
   */
  readonly returns: 'list' | readonly string[];
  /**
   * The call sent twice has the effect of one: its body has an idempotency key, or replaces something as a whole. A
   * client whose connection broke sends it again. Every GET may be sent again without this.
   */
  readonly repeats?: true;
  /**
   * The call makes something, and takes a key of its sender in the header `IDEMPOTENCY_HEADER`: the same request with
   * the same key makes it once, for a day. A client whose connection broke sends it again with the same key.
   */
  readonly isKeyed?: true;
  /**
   * The stages of a long call, or none. A caller that accepts `PROGRESS_STREAM_TYPE` receives a line when each begins,
   * and its place while it waits. Its call may take minutes on a busy server, where any other call ends after 20 s.
   */
  readonly stages?: readonly string[];
}

/** The header with the key of a request to a call that is keyed: 8 to 64 letters, digits, hyphens or underscores. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

/** The access of calls for administrators, by the roles that may make them. */
export const byOwner = { access: 'admin', roles: ['owner'] } as const;
export const bySupport = { access: 'admin', roles: ['owner', 'support'] } as const;
export const byCatalogueEditor = { access: 'admin', roles: ['owner', 'catalogue'] } as const;

/** The calls of one group, by name. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/**
 * The media type of a progress stream: newline-delimited JSON. A line is `{ stage }` when a stage begins, `{ place }`
 * when the call waits and its place changes (1 is next, 0 when it begins after it waited), or empty, to keep the
 * connection alive. The last line is `{ reply }`, or `{ status, refusal, retryAfter }` with the status, the body and,
 * where there is one, the seconds to wait that the answer would have had otherwise. A call that fails before its first
 * line is answered without a stream.
 */
export const PROGRESS_STREAM_TYPE = 'application/x-ndjson';

/** The names of the parameters in a path: `'id'` for `/api/designs/:id/background`. */
export type PathParameter<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameter<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
