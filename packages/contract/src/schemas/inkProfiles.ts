/** A shop's own ICC profiles, by which files for ink get their four colors. */
import { z } from 'zod';
import { inkProfileCalls as inkProfilePaths } from '../paths/inkProfiles.ts';
import { INK_PROFILE_LIMITS } from '../words/inkProfiles.ts';
import { defineCalls } from './call.ts';
import { IdParams } from './text.ts';

export const InkProfile = z.object({
  id: z.string(),
  name: z.string().describe('As the profile calls itself, or else the name of its file.'),
  sizeBytes: z.number().int(),
  createdAt: z.iso.datetime(),
});
export type InkProfile = z.output<typeof InkProfile>;

export const inkProfileCalls = defineCalls(inkProfilePaths, {
  list: {
    summary: 'List the shop’s ICC profiles',
    description: 'Returns the ICC profiles of the account’s company, the first one added first.',
    reply: z.array(InkProfile),
  },
  add: {
    summary: 'Add an ICC profile',
    description:
      'Adds a CMYK output profile, checked by its bytes and by a trial. A PDF or TIFF is made by it when its id is in the ' +
      `option \`profile\`. A shop has up to ${INK_PROFILE_LIMITS.profiles}.`,
    body: z.object({}),
    reply: InkProfile,
    errors: {
      409: 'The shop has as many profiles as it may.',
      413: 'The file is larger than 4 MB, or the caller’s space for files is full.',
      422: 'The file is no CMYK output profile, or is broken.',
      507: 'The server’s disk is full.',
    },
  },
  remove: {
    summary: 'Delete an ICC profile',
    description: 'Deletes a profile. Files that were made by it stay.',
    params: IdParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: { 404: 'The profile does not exist.' },
  },
});
