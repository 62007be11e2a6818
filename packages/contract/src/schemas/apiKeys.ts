/** API keys of an account, for its programs. */
import { z } from 'zod';
import { apiKeyCalls as apiKeyPaths } from '../paths/apiKeys.ts';
import { API_KEY_CALLS_A_MINUTE, API_KEY_PREFIX, apiScopes, MAX_API_KEYS } from '../words/apiKeys.ts';
import { MAX_PASSWORD_LENGTH } from '../words/passwords.ts';
import { OptionalCode, TOO_MANY_PROOFS } from './auth.ts';
import { defineCalls } from './call.ts';
import { IdParams, labelOf } from './text.ts';

const Scopes = z
  .array(z.enum(apiScopes))
  .min(1, 'Choose what the key may do.')
  .max(apiScopes.length)
  .transform((scopes) => apiScopes.filter((scope) => scopes.includes(scope)));

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(apiScopes)),
  hint: z.string().describe('The last four characters of the key.'),
  createdAt: z.iso.datetime().describe('When it was made, or rotated last.'),
  lastUsedAt: z.iso.datetime().nullable().describe('Exact to a minute. Null before the first call.'),
});
export type ApiKey = z.output<typeof ApiKey>;

const NewKey = ApiKey.extend({ key: z.string().describe(`Returned this once. It begins with \`${API_KEY_PREFIX}\`.`) });

/** The proof that a new key needs: a stolen session must not leave a key behind. */
const proof = { password: z.string().max(MAX_PASSWORD_LENGTH), code: OptionalCode };
const notThere = { 404: 'The key does not exist.' };

export const apiKeyCalls = defineCalls(apiKeyPaths, {
  list: {
    summary: 'List API keys',
    description: 'Returns the API keys of the account without the keys themselves, the newest first.',
    reply: z.array(ApiKey),
  },
  create: {
    summary: 'Create an API key',
    description:
      `Creates a key for programs and returns it, this once. They send it as \`Authorization: Bearer ${API_KEY_PREFIX}…\`. ` +
      'It opens the calls of its scopes and no others, never those of an account or of an administrator. It may make ' +
      `${API_KEY_CALLS_A_MINUTE} calls a minute. An account has up to ${MAX_API_KEYS} keys.`,
    body: z.object({
      name: labelOf(60, { missing: 'Please say what the key is for.' }),
      scopes: Scopes,
      ...proof,
    }),
    examples: () => ({
      night: {
        summary: 'A key for a program that makes files at night',
        value: { name: 'Night run', scopes: ['designs:read', 'files:make'], password: 'your password' },
      },
    }),
    reply: NewKey,
    errors: { 409: 'The account has as many keys as it may.', 429: TOO_MANY_PROOFS },
  },
  rotate: {
    summary: 'Rotate an API key',
    description: 'Replaces a key by a new one with the same name and scopes. The old one stops working at once.',
    params: IdParams,
    body: z.object(proof),
    reply: NewKey,
    errors: { ...notThere, 429: TOO_MANY_PROOFS },
  },
  revoke: {
    summary: 'Revoke an API key',
    description: 'Ends a key at once.',
    params: IdParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: notThere,
  },
});
