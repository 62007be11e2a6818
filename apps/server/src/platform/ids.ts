import { randomBytes } from 'node:crypto';

/** Returns a new id that nobody can guess: 128 random bits as 22 characters of a-z A-Z 0-9 - _. */
export function newId(): string {
  return randomBytes(16).toString('base64url');
}
