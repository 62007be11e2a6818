/** Signed URLs of stored files: nobody can guess them, and they expire. */
import { createHmac, timingSafeEqual } from 'node:crypto';

interface SignOptions {
  /** How long the address is valid at least. Default one day. */
  readonly ttlMs?: number;
  /** Makes the browser save the file under this name instead of showing it. */
  readonly downloadName?: string;
}

/** Signs and checks the addresses of stored files. */
export interface SignedUrls {
  /** Returns `/files/<key>?e=…&s=…`. It stays the same for up to an hour, so that a browser's cache works. */
  sign(key: string, options?: SignOptions): string;
  /** Returns true when the signature is right and the address has not expired. Compares signatures in constant time. */
  isValid(parts: { key: string; e: string; d?: string | undefined; s: string }): boolean;
}

const HOUR_MS = 3_600_000;

/** Signs with the first secret, and accepts what any of them signed. */
export function createSignedUrls(secrets: readonly [Buffer, ...Buffer[]], now: () => Date): SignedUrls {
  const signature = (secret: Buffer, key: string, e: string, d: string | undefined): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([key, e, d ?? null]))
      .digest();

  return {
    sign(key, { ttlMs = 24 * HOUR_MS, downloadName: requestedName } = {}) {
      const downloadName = requestedName?.replace(/\p{Surrogate}/gu, '\ufffd'); // half a character fits in no address
      const e = String(Math.ceil((now().getTime() + ttlMs) / HOUR_MS) * 3600); // seconds
      const query = new URLSearchParams({ e, s: signature(secrets[0], key, e, downloadName).toString('base64url') });
      if (downloadName !== undefined) query.set('d', downloadName);
      return `/files/${key}?${query}`;
    },
    isValid({ key, e, d, s }) {
      if (!/^\d{1,12}$/.test(e) || Number(e) * 1000 <= now().getTime()) return false;
      const signatureBytes = Buffer.from(s, 'base64url');
      return secrets.some((secret) => {
        const right = signature(secret, key, e, d);
        return signatureBytes.length === right.length && timingSafeEqual(signatureBytes, right);
      });
    },
  };
}
