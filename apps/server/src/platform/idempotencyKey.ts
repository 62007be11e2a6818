/** Reads the idempotency key of a request. What is done with it, `requestKeys.ts` says. */
import { createHash } from 'node:crypto';
import { AppError } from './errors.ts';
import type { UploadedFile } from './multipart.ts';

/** The key that a caller gave a request. */
export interface RequestKey {
  readonly call: string;
  readonly key: string;
  /** The SHA-256 of what was sent, so that another request with the same key is told apart. */
  readonly digest: string;
}

/** 8 to 64 characters. A random UUID, or 128 random bits as hex, cannot be used twice by accident. */
const KEY_FORM = /^[\w-]{8,64}$/;

/**
 * Reads the key of a request; undefined without one. Costs a hash of the body, 1 ms for each 500 kB or so, off the
 * event loop. Throws invalid.
 */
export async function readRequestKey(
  header: string | string[] | undefined,
  request: {
    readonly call: string;
    readonly body: unknown;
    readonly file: UploadedFile | undefined;
  },
): Promise<RequestKey | undefined> {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !KEY_FORM.test(header)) {
    throw new AppError('invalid', 'The header Idempotency-Key has 8 to 64 letters, digits, hyphens or underscores.');
  }
  const { call, body, file } = request;
  const fileHash = await crypto.subtle.digest('SHA-256', new Uint8Array(file?.bytes ?? []));
  const digest = createHash('sha256')
    .update(JSON.stringify([body ?? null, file?.filename ?? null]))
    .update(new Uint8Array(fileHash))
    .digest('hex');
  return { call, key: header, digest };
}
