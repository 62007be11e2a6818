/** Local makers: who makes things near a place, as they say themselves, and how to write to them. */
import { MachineMode } from '@markwright/scene';
import { z } from 'zod';
import { makers as makersPaths } from '../paths/makers.ts';
import { isVisible, toLabel } from '../words/labels.ts';
import { MAKER_LIMITS } from '../words/makers.ts';
import { defineCalls } from './call.ts';
import { Product, Thumbnail } from './catalogue.ts';
import { MakerMessage } from './forms.ts';
import { StorableText } from './text.ts';

/** A town. Its number is that of GeoNames. */
export const Town = z.object({
  id: z.string(),
  name: z.string(),
  /** A state or a province; empty where there is none. */
  region: z.string(),
  country: z.string(),
  countryCode: z.string(),
  /** Degrees. */
  lat: z.number(),
  lon: z.number(),
});
export type Town = z.output<typeof Town>;

/** Where things go from a maker. */
export const MakerDelivery = z.enum(['pickup', 'region', 'country', 'world']);
export type MakerDelivery = z.output<typeof MakerDelivery>;

export const MakerPhoto = z.object({
  id: z.string(),
  url: z.string(),
  thumbnails: z.array(Thumbnail),
  /** Width over height. */
  aspect: z.number().positive(),
});
export type MakerPhoto = z.output<typeof MakerPhoto>;

const sayings = {
  name: z.string(),
  machines: z.array(MachineMode),
  /** StorableText of `MATERIALS`, and the maker's own. */
  materials: z.array(z.string()),
  delivery: MakerDelivery.nullable(),
  turnaroundDays: z.number().int().nullable(),
};

/** A maker in a list. */
export const MakerCard = z.object({
  id: z.string(),
  ...sayings,
  place: Town,
  photo: MakerPhoto.nullable(),
  /** From where was asked to the maker's place; null when nothing was asked. */
  distanceKm: z.number().nullable(),
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
  /** To send back with a message: says when the page was opened. */
  stamp: z.string(),
});
export type Maker = z.output<typeof Maker>;

/** What the maker sees of the own page. */
export const OwnMaker = z.object({
  /** Null before anything was saved. */
  id: z.string().nullable(),
  ...sayings,
  about: z.string(),
  place: Town.nullable(),
  photos: z.array(MakerPhoto),
  isListed: z.boolean(),
  /** Why the administrator keeps it out of sight; null: it is not. */
  hiddenReason: z.string().nullable(),
});
export type OwnMaker = z.output<typeof OwnMaker>;

export const AdminMaker = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** `Lyon, Auvergne-Rhône-Alpes, France`; empty before one was chosen. */
  place: z.string(),
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
const MakerId = z.object({ id: z.string().max(64) });

/** A page as its maker writes it. What a page in the search must have is asked only of one that is listed. */
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
  /** A `Town` the search gave. */
  placeId: z.string().max(20).nullable(),
  machines: z
    .array(MachineMode)
    .max(3)
    .transform((machines) => MachineMode.options.filter((one) => machines.includes(one))),
  materials: z
    .array(label(MAKER_LIMITS.material, `A material may be up to ${MAKER_LIMITS.material} characters long.`))
    .max(MAKER_LIMITS.materials, `Please name ${MAKER_LIMITS.materials} materials at most.`)
    .transform((materials) => {
      const kept = new Map(materials.filter(isVisible).map((one) => [one.toLowerCase(), one]));
      return [...kept.values()];
    }),
  delivery: MakerDelivery.nullable(),
  turnaroundDays: z.number().int().min(1).max(MAKER_LIMITS.turnaroundDays).nullable(),
  /** All of them, in the order they are shown; absent: as they are. */
  photoIds: z.array(z.string().max(64)).max(MAKER_LIMITS.photos).optional(),
  isListed: z.boolean(),
});
export type MakerFields = z.output<typeof MakerFields>;

export const makers = defineCalls(makersPaths, {
  places: {
    summary: 'Towns whose name begins like this, at most 8; what follows a comma narrows them to a region or a country',
    query: z.object({ q: z.string().max(100) }),
    reply: z.array(Town),
  },
  nearestPlace: {
    summary: 'The town nearest to a position, which is rounded to a kilometer and kept nowhere',
    query: z.object({ lat: Lat, lon: Lon }),
    reply: Town,
  },
  find: {
    summary: 'Makers near a position, the nearest first; without one, the newest first; 24 at a time',
    query: z
      .object({
        lat: Lat.optional(),
        lon: Lon.optional(),
        km: z.coerce.number().positive().max(20_100).optional(),
        machine: z.optional(MachineMode),
        /** How many to pass over. */
        from: z.coerce.number().int().min(0).max(10_000).default(0),
      })
      .refine(({ lat, lon }) => (lat === undefined) === (lon === undefined), {
        message: 'A position is “lat” and “lon”.',
      }),
    reply: z.object({ makers: z.array(MakerCard), total: z.number().int(), next: z.number().int().nullable() }),
  },
  show: {
    summary: 'One maker’s public page',
    params: MakerId,
    query: z.object({ lat: Lat.optional(), lon: Lon.optional() }),
    reply: Maker,
  },
  write: {
    summary: 'Mails a message to a maker, whose address stays unknown',
    params: MakerId,
    body: MakerMessage,
    reply: z.object({ ok: z.literal(true) }),
  },
  own: {
    summary: 'The account’s own page as a local maker',
    reply: OwnMaker,
  },
  save: {
    summary: 'Saves the own page; one that is not listed is found by nobody',
    body: MakerFields,
    reply: OwnMaker,
  },
  unlist: {
    summary: 'Takes the own page out of the search at once; what was saved stays for another time',
    reply: OwnMaker,
  },
  addPhoto: {
    summary: 'Adds a photo to the own page, without anything the camera wrote into it',
    reply: OwnMaker,
  },
  deletePhoto: {
    summary: 'Removes a photo from the own page',
    params: MakerId,
    reply: OwnMaker,
  },
  adminList: {
    summary: 'Local makers, newest first, 50 at a time',
    query: z.object({ before: z.string().max(400).optional() }),
    reply: z.object({ makers: z.array(AdminMaker), next: z.string().nullable() }),
  },
  hide: {
    summary: 'Keeps a maker’s page out of sight, with a reason its maker reads',
    params: MakerId,
    body: z.object({
      reason: label(300, 'Please keep the reason under 300 characters.').pipe(
        z.string().refine(isVisible, 'Please give a reason. The maker reads it.'),
      ),
    }),
    reply: AdminMaker,
  },
  unhide: {
    summary: 'Shows a maker’s page again',
    params: MakerId,
    body: z.object({}),
    reply: AdminMaker,
  },
});
