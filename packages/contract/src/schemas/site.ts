import { z } from 'zod';
import { call } from './call.ts';

/** What the pages must know of how this server was set up. */
export const SiteInfo = z.object({
  supportEmail: z.string(),
  /** `test`: no payment provider is set up, and the built-in test checkout stands in. */
  payments: z.enum(['stripe', 'test']),
  /** `outbox`: mails are not sent; the administrator reads them in the portal. */
  mail: z.enum(['smtp', 'outbox']),
});
export type SiteInfo = z.output<typeof SiteInfo>;

export const site = {
  info: call({
    method: 'GET',
    path: '/api/site',
    access: 'anyone',
    summary: 'How this server was set up, as far as pages show it',
    reply: SiteInfo,
  }),
};
