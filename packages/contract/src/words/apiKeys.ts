/** API keys: what programs of an account may do. */

/** The beginning of every key, by which people and secret scanners know one. */
export const API_KEY_PREFIX = 'mwkey_';
/** A key may make this number of calls a minute. */
export const API_KEY_CALLS_A_MINUTE = 120;
export const MAX_API_KEYS = 20;

/** What each scope permits, for the person who makes a key. */
export const API_SCOPES = {
  'designs:read': 'Read my designs, their pictures and the catalog',
  'designs:write': 'Upload pictures, and save designs',
  'files:make': 'Make files, which count as exports, and list those that were made',
} as const;
export type ApiScope = keyof typeof API_SCOPES;
export const apiScopes = Object.keys(API_SCOPES) as readonly ApiScope[];
