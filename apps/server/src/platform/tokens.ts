import { createHash, randomBytes } from 'node:crypto';

/** A new secret that proves something by itself: 256 random bits as 43 characters of a-z A-Z 0-9 - _. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token: whoever reads the database cannot use it. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
