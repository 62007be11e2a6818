import { createHash, randomBytes } from 'node:crypto';

/** Returns a new secret that proves something by itself: 256 random bits as 43 characters of a-z A-Z 0-9 - _. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the stored form of a token, with which a reader of the database can do nothing. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
