import { z } from 'zod';
import { users as usersPaths } from '../paths/users.ts';
import { MAX_PASSWORD_LENGTH } from '../words/passwords.ts';
import { OptionalCode, TOO_MANY_PROOFS } from './auth.ts';
import { defineCalls } from './call.ts';

export const UsageStats = z.object({
  vectorsUsed: z.number().int(),
  vectorsLimit: z.number().int(),
  mockupsUsed: z.number().int(),
  mockupsLimit: z.number().int(),
  nextResetDate: z.iso.datetime().describe('The first moment of the next period, when the counters start again.'),
  jwtToken: z.string().optional().describe('A fresh token when the current one expires soon.'),
});
export type UsageStats = z.output<typeof UsageStats>;

export const GuestUsage = z.object({ mockupsGenerated: z.number().int(), mockupsLimit: z.number().int() });
export type GuestUsage = z.output<typeof GuestUsage>;

export const Takeout = z.object({
  state: z
    .enum(['none', 'waiting', 'making', 'done', 'failed'])
    .describe('`none` when nobody asked for it, or when its time was over.'),
  filename: z.string().nullable(),
  url: z.string().nullable().describe('Where the file is, once it is done.'),
  sizeBytes: z.number().int().nullable(),
  deletedAt: z.iso.datetime().nullable().describe('When the file is deleted.'),
});
export type Takeout = z.output<typeof Takeout>;

export const users = defineCalls(usersPaths, {
  stats: {
    summary: 'Read the allowances',
    description: 'Returns the used and the allowed files of the account in this period.',
    reply: UsageStats,
  },
  guestUsage: {
    summary: 'Read the guest’s allowance',
    description: 'Returns the mockups that this visitor without an account has used this month.',
    reply: GuestUsage,
  },
  startTakeout: {
    summary: 'Take out all data',
    description:
      'Begins to put everything that is stored about the account into a JSON file. While one is being made, there is ' +
      'no second one. The file is kept for a day.',
    reply: Takeout,
  },
  findTakeout: {
    summary: 'Read how far the takeout is',
    description: 'Returns the address of the file once it is done.',
    reply: Takeout,
  },
  removeTakeout: {
    summary: 'Delete the takeout',
    description: 'Ends the work on it, and deletes the file.',
    reply: z.object({ ok: z.literal(true) }),
  },
  deleteAccount: {
    summary: 'Delete the account',
    description:
      'Ends the subscription and deletes the account with everything that belongs to it. Needs the password.',
    body: z.object({ password: z.string().max(MAX_PASSWORD_LENGTH), code: OptionalCode }),
    reply: z.object({ ok: z.literal(true) }),
    errors: { 403: 'The administrator’s account cannot be deleted.', 429: TOO_MANY_PROOFS },
  },
});
