/** Local makers: their own public pages, the search for makers near a place, and messages to them. */
import { MACHINE_MODES, MachineMode } from '@markwright/scene';
import { z } from 'zod';
import { makers as makersPaths } from '../paths/makers.ts';
import { isVisible, toLabel } from '../words/labels.ts';
import { MAKER_LIMITS } from '../words/makers.ts';
import { defineCalls } from './call.ts';
import { Product, Thumbnail } from './catalogue.ts';
import { MakerMessage } from './forms.ts';
import { IdParams, StorableText } from './text.ts';

/** A town. Its id is the one of GeoNames. */
export const Town = z.object({
  id: z.string(),
  name: z.string(),
  region: z.string().describe('A state or province. Empty where there is none.'),
  country: z.string(),
  countryCode: z.string(),
  lat: z.number().describe('In degrees.'),
  lon: z.number(),
});
export type Town = z.output<typeof Town>;

/** The area to which a maker delivers. */
export const MakerDelivery = z.enum(['pickup', 'region', 'country', 'world']);
export type MakerDelivery = z.output<typeof MakerDelivery>;

export const MakerPhoto = z.object({
  id: z.string(),
  url: z.string(),
  thumbnails: z.array(Thumbnail),
  aspect: z.number().positive().describe('Width divided by height.'),
});
export type MakerPhoto = z.output<typeof MakerPhoto>;

const profileFields = {
  name: z.string(),
  machines: z.array(MachineMode),
  materials: z.array(z.string()).describe('Materials of the catalog, and the maker’s own words.'),
  delivery: MakerDelivery.nullable(),
  turnaroundDays: z.number().int().nullable(),
};

/** A maker in a list. */
export const MakerCard = z.object({
  id: z.string(),
  ...profileFields,
  place: Town,
  photo: MakerPhoto.nullable(),
  distanceKm: z.number().nullable().describe('The distance from the position of the search. Null without a position.'),
});
export type MakerCard = z.output<typeof MakerCard>;

export const MakerProduct = Product.pick({
  id: true,
  name: true,
  category: true,
  mockupImageUrl: true,
  thumbnails: true,
  dimensions: true,
  pictureAspect: true,
  material: true,
  machines: true,
});
export type MakerProduct = z.output<typeof MakerProduct>;

/** A maker's public page. */
export const Maker = MakerCard.extend({
  about: z.string(),
  photos: z.array(MakerPhoto),
  products: z.array(MakerProduct),
  stamp: z.string().describe('Says when the page was opened. A message to the maker sends it back.'),
});
export type Maker = z.output<typeof Maker>;

/** A maker's page as its owner sees it. */
export const OwnMaker = z.object({
  id: z.string().nullable().describe('Null before the page was saved for the first time.'),
  ...profileFields,
  about: z.string(),
  place: Town.nullable(),
  photos: z.array(MakerPhoto),
  isListed: z.boolean(),
  hiddenReason: z
    .string()
    .nullable()
    .describe('The reason why the administrator has hidden the page. Null when it is not hidden.'),
});
export type OwnMaker = z.output<typeof OwnMaker>;

export const AdminMaker = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  place: z
    .string()
    .describe('For example `Lyon, Auvergne-Rhône-Alpes, France`. Empty before the maker has chosen one.'),
  isListed: z.boolean(),
  photos: z.number().int(),
  hiddenAt: z.iso.datetime().nullable(),
  hiddenReason: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type AdminMaker = z.output<typeof AdminMaker>;

const label = (limit: number, tooLong: string) =>
  z.string().max(1_000).transform(toLabel).pipe(z.string().max(limit, tooLong));
const Lat = z.coerce.number().min(-90).max(90);
const Lon = z.coerce.number().min(-180).max(180);

/** A page as its maker edits it. Only a listed page must have everything that the search needs. */
export const MakerFields = z.object({
  name: label(MAKER_LIMITS.name, `Names may be up to ${MAKER_LIMITS.name} characters long.`),
  about: z
    .string()
    .transform((text) =>
      text
        .replace(/\p{Bidi_Control}/gu, '')
        .replace(/\r\n?/g, '\n')
        .replace(/\n{3,}/g, '\n\n'),
    )
    .pipe(StorableText.max(MAKER_LIMITS.about, `Please keep it under ${MAKER_LIMITS.about} characters.`)),
  placeId: z.string().max(20).nullable().describe('The id of a town that the search returned.'),
  machines: z
    .array(MachineMode)
    .max(MACHINE_MODES.length)
    .transform((machines) => MachineMode.options.filter((one) => machines.includes(one))),
  materials: z
    .array(label(MAKER_LIMITS.material, `A material may be up to ${MAKER_LIMITS.material} characters long.`))
    .max(MAKER_LIMITS.materials, `Please name ${MAKER_LIMITS.materials} materials at most.`)
    .transform((materials) => {
      const byLowerCase = new Map(materials.filter(isVisible).map((one) => [one.toLowerCase(), one]));
      return [...byLowerCase.values()];
    }),
  delivery: MakerDelivery.nullable(),
  turnaroundDays: z.number().int().min(1).max(MAKER_LIMITS.turnaroundDays).nullable(),
  photoIds: z
    .array(z.string().max(64))
    .max(MAKER_LIMITS.photos)
    .optional()
    .describe('The ids of all photos, in the order to show them. When absent, the order stays.'),
  isListed: z.boolean(),
});
export type MakerFields = z.output<typeof MakerFields>;

export const makers = defineCalls(makersPaths, {
  places: {
    summary: 'Search towns',
    description:
      'Returns at most 8 towns whose name begins with `q`. Text after a comma narrows them to a region or a country.',
    query: z.object({ q: z.string().max(100) }),
    reply: z.array(Town),
  },
  nearestPlace: {
    summary: 'Find the nearest town',
    description: 'Returns the town nearest to a position. The position is rounded to a kilometer and not stored.',
    query: z.object({ lat: Lat, lon: Lon }),
    reply: Town,
  },
  find: {
    summary: 'Search makers',
    description:
      'Returns makers near a position, the nearest first, or the newest makers without a position. 24 a page.',
    query: z
      .object({
        lat: Lat.optional(),
        lon: Lon.optional(),
        km: z.coerce.number().positive().max(20_100).optional(),
        machine: z.optional(MachineMode),
        from: z.coerce.number().int().min(0).max(10_000).default(0).describe('The number of results to skip.'),
      })
      .refine(({ lat, lon }) => (lat === undefined) === (lon === undefined), {
        message: 'A position is “lat” and “lon”.',
      }),
    reply: z.object({ makers: z.array(MakerCard), total: z.number().int(), next: z.number().int().nullable() }),
  },
  show: {
    summary: 'Read a maker’s page',
    description: 'Returns the public page of one maker.',
    params: IdParams,
    query: z.object({ lat: Lat.optional(), lon: Lon.optional() }),
    reply: Maker,
    errors: { 404: 'No such maker is listed.' },
  },
  write: {
    summary: 'Write to a maker',
    description: 'Mails a message to a maker. The maker’s address stays unknown to the sender.',
    params: IdParams,
    body: MakerMessage,
    reply: z.object({ ok: z.literal(true) }),
    errors: { 404: 'No such maker is listed.', 429: 'Too many messages, or too many calls.' },
  },
  own: {
    summary: 'Read the own maker page',
    description: 'Returns the account’s page as a local maker.',
    reply: OwnMaker,
  },
  save: {
    summary: 'Save the own maker page',
    description: 'Saves the account’s page. The search finds it only when it is listed.',
    body: MakerFields,
    reply: OwnMaker,
    errors: { 403: 'The account’s email is not verified.', 409: 'The photos have changed in the meantime.' },
  },
  unlist: {
    summary: 'Unlist the own maker page',
    description: 'Takes the page out of the search at once. Everything saved stays.',
    reply: OwnMaker,
  },
  addPhoto: {
    summary: 'Add a photo',
    description: 'Adds a photo to the own page, without the metadata of the camera.',
    reply: OwnMaker,
    errors: {
      409: 'The page has as many photos as it may show.',
      413: 'The picture is larger than 20 MB or has more pixels than the server reads, or the space for files is full.',
      415: 'The file is not a photo.',
      422: 'The picture is damaged or too complex.',
      507: 'The server’s disk is full.',
    },
  },
  deletePhoto: {
    summary: 'Delete a photo',
    description: 'Deletes a photo of the own page.',
    params: IdParams,
    reply: OwnMaker,
    errors: { 404: 'The photo does not exist.' },
  },
  adminList: {
    summary: 'List makers for administration',
    description: 'Returns local makers, the newest first, 50 a page.',
    query: z.object({ before: z.string().max(400).optional() }),
    reply: z.object({ makers: z.array(AdminMaker), next: z.string().nullable() }),
  },
  hide: {
    summary: 'Hide a maker',
    description: 'Hides a maker’s page. The maker reads the reason.',
    params: IdParams,
    body: z.object({
      reason: label(300, 'Please keep the reason under 300 characters.').pipe(
        z.string().refine(isVisible, 'Please give a reason. The maker reads it.'),
      ),
    }),
    reply: AdminMaker,
    errors: { 404: 'The maker does not exist.' },
  },
  unhide: {
    summary: 'Show a hidden maker',
    description: 'Shows a hidden page again.',
    params: IdParams,
    body: z.object({}),
    reply: AdminMaker,
    errors: { 404: 'The maker does not exist.' },
  },
});
