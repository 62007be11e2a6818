/** A shop's lasers: the speeds and powers of each, by material and operation. */
import {
  type LaserSettingName,
  laserOperations,
  laserSettingRanges,
  type SettingRange,
  type LaserSettings as Settings,
} from '@markwright/scene';
import { z } from 'zod';
import { laserCalls as laserPaths } from '../paths/lasers.ts';
import { toLabel } from '../words/labels.ts';
import { LASER_LIMITS, laserOperationNames } from '../words/lasers.ts';
import { MATERIALS } from '../words/products.ts';
import { defineCalls } from './call.ts';
import { IdParams, labelOf } from './text.ts';

const toNumber = ({ least, most, isWhole }: SettingRange) => {
  const number = z.number().min(least).max(most);
  return (isWhole ? number.int() : number).optional();
};
const settingFields = Object.fromEntries(
  Object.entries(laserSettingRanges).map(([name, range]) => [name, toNumber(range)]),
) as Record<LaserSettingName, ReturnType<typeof toNumber>>;

/** Settings by the names of LightBurn's files. Unknown ones are left out. */
const LaserSettingsFields = z
  .object(settingFields)
  .describe(
    'By the names and in the units of LightBurn: powers in %, speed in mm/s, interval and kerf in mm, angles in ' +
      'degrees, frequency in Hz.',
  );

const LaserEntry = z.object({
  material: z.enum(MATERIALS),
  operation: z.enum(laserOperations),
  source: z
    .string()
    .max(500)
    .transform(toLabel)
    .default('')
    .describe('Where the settings come from, such as the entry of a library; empty for those that were typed in.'),
  settings: LaserSettingsFields.refine(
    ({ speed, maxPower }: Settings) => speed !== undefined && maxPower !== undefined,
    'Settings have at least a speed and a power.',
  ),
});
export type LaserEntry = z.output<typeof LaserEntry>;

const LaserChange = z.object({
  name: labelOf(LASER_LIMITS.nameLength, { missing: 'Please give the laser a name.' }),
  entries: z
    .array(LaserEntry)
    .max(LASER_LIMITS.entries)
    .superRefine((entries, context) => {
      const keys = entries.map(({ material, operation }) => `${material} ${operation}`);
      const twice = entries.find((_entry, i) => keys.indexOf(keys[i]!) !== i);
      if (!twice) return;
      const message = `“${laserOperationNames[twice.operation]}” stands twice for one material.`;
      context.addIssue({ code: 'custom', message });
    }),
});
export type LaserChange = z.output<typeof LaserChange>;

export const Laser = z.object({ id: z.string(), name: z.string(), entries: z.array(LaserEntry) });
export type Laser = z.output<typeof Laser>;

const LibraryEntry = z.object({
  material: z.string().describe('As the library has it.'),
  thicknessMm: z.number().nullable(),
  description: z.string(),
  operation: z
    .enum(['engrave', 'line', 'engraveAndLine', 'picture'])
    .describe('`line` cuts or scores: libraries do not tell them apart.'),
  settings: LaserSettingsFields,
});
export type LibraryEntry = z.output<typeof LibraryEntry>;

const notThere = { 404: 'The laser does not exist.' };

export const laserCalls = defineCalls(laserPaths, {
  list: {
    summary: 'List the shop’s lasers',
    description: 'Returns the lasers of the account’s company with their speeds and powers, the first one made first.',
    reply: z.array(Laser),
  },
  add: {
    summary: 'Add a laser',
    description: `Adds a laser with its settings by material and operation. A shop has up to ${LASER_LIMITS.lasers}.`,
    body: LaserChange,
    reply: Laser,
    errors: { 409: 'The shop has as many lasers as it may.' },
  },
  change: {
    summary: 'Change a laser',
    description: 'Replaces the name and all settings of a laser. LightBurn projects have them from then on.',
    params: IdParams,
    body: LaserChange,
    reply: Laser,
    errors: notThere,
  },
  remove: {
    summary: 'Delete a laser',
    description: 'Deletes a laser with its settings.',
    params: IdParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: notThere,
  },
  readLibrary: {
    summary: 'Read a material library',
    description:
      'Reads a LightBurn material library (`.clb`) and returns its entries. Nothing is stored: the caller chooses which ' +
      'entry is for which material and operation.',
    body: z.object({}),
    reply: z.object({ name: z.string(), entries: z.array(LibraryEntry) }),
    errors: {
      413: 'The file is larger than 2 MB.',
      422: 'The file is no material library, is broken, or has a setting that no machine has.',
    },
  },
});
