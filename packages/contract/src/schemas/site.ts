import { z } from 'zod';
import { site as sitePaths } from '../paths/site.ts';
import { defineCalls } from './call.ts';

/** The parts of the server's setup that pages show. */
export const SiteInfo = z.object({
  supportEmail: z.string(),
  payments: z
    .enum(['stripe', 'test', 'none'])
    .describe(
      '`test` means that no payment provider is set up and the built-in test checkout stands in; `none`, that ' +
        'nothing can be bought.',
    ),
  mail: z
    .enum(['smtp', 'outbox'])
    .describe('`outbox` means that mails are not sent. The administrator reads them in the portal.'),
  minPasswordLength: z.number().int().describe('The least length of a new password, in characters.'),
});
export type SiteInfo = z.output<typeof SiteInfo>;

export const site = defineCalls(sitePaths, {
  info: {
    summary: 'Read the setup of the server',
    description: 'Returns the parts of the server’s setup that pages show.',
    reply: SiteInfo,
  },
});
