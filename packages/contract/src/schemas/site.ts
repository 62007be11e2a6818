import { z } from 'zod';
import { site as sitePaths } from '../paths/site.ts';
import { defineCalls } from './call.ts';

/** What the pages must know of how this server was set up. */
export const SiteInfo = z.object({
  supportEmail: z.string(),
  /** `test`: no payment provider is set up, and the built-in test checkout stands in. */
  payments: z.enum(['stripe', 'test']),
  /** `outbox`: mails are not sent; the administrator reads them in the portal. */
  mail: z.enum(['smtp', 'outbox']),
});
export type SiteInfo = z.output<typeof SiteInfo>;

export const site = defineCalls(sitePaths, {
  info: {
    summary: 'How this server was set up, as far as pages show it',
    reply: SiteInfo,
  },
});
