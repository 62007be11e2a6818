import { z } from 'zod';
import { users as usersPaths } from '../paths/users.ts';
import { MAX_PASSWORD_LENGTH } from '../words/passwords.ts';
import { defineCalls } from './call.ts';

export const UsageStats = z.object({
  vectorsUsed: z.number().int(),
  vectorsLimit: z.number().int(),
  mockupsUsed: z.number().int(),
  mockupsLimit: z.number().int(),
  /** First moment of the next period, when the counters start again. */
  nextResetDate: z.iso.datetime(),
  /** A fresh token when the current one nears its end. */
  jwtToken: z.string().optional(),
});
export type UsageStats = z.output<typeof UsageStats>;

export const GuestUsage = z.object({ mockupsGenerated: z.number().int(), mockupsLimit: z.number().int() });
export type GuestUsage = z.output<typeof GuestUsage>;

export const users = defineCalls(usersPaths, {
  stats: {
    summary: 'What the account has used this period',
    reply: UsageStats,
  },
  guestUsage: {
    summary: 'What this visitor without an account has used this month',
    reply: GuestUsage,
  },
  exportData: {
    summary: 'Everything kept about the account, to take away',
    reply: z.record(z.string(), z.unknown()),
  },
  deleteAccount: {
    summary: 'Ends the subscription and removes the account with everything of it; asks for the password',
    body: z.object({ password: z.string().max(MAX_PASSWORD_LENGTH) }),
    reply: z.object({ ok: z.literal(true) }),
  },
});
