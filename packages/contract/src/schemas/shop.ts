/** The sales settings of a company: the sites that may frame its widget, the maker, the prices and the webhook. */
import { z } from 'zod';
import { shop as shopPaths } from '../paths/shop.ts';
import { CURRENCIES, MAX_ORIGINS, MAX_PRICE_CENTS, PAYERS, ROUTINGS } from '../words/shop.ts';
import { defineCalls } from './call.ts';
import { IdParams, StorableText } from './text.ts';

const MAX_PRICES = 5_000;

/** A place on the map, in the words of the list of towns. */
export const PlaceOnMap = z.object({
  name: StorableText.min(1).max(120),
  region: StorableText.max(120).default(''),
  country: StorableText.max(120).default(''),
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
});
export type PlaceOnMap = z.output<typeof PlaceOnMap>;

const Cents = z
  .number()
  .int('A price is in whole cents.')
  .min(0, 'A price cannot be below nothing.')
  .max(MAX_PRICE_CENTS, `A price may be up to ${MAX_PRICE_CENTS / 100}.`);

/** The template that a product starts with in the widget: a copy of what it was when it was chosen. */
const ProductStart = z.object({
  designId: z.string().describe('The saved design that holds the copy.'),
  name: z.string().describe('The name of the template at that time.'),
  productName: z.string(),
  previewUrl: z.string(),
});
export type ProductStart = z.output<typeof ProductStart>;

export const ShopSettings = z.object({
  key: z.string().describe('The shop’s key in the embed code. It is not a secret.'),
  allowedOrigins: z.array(z.string()),
  checkout: z.boolean(),
  offersDtf: z.boolean().describe('True when the widget offers DTF transfers too.'),
  routing: z
    .enum(ROUTINGS)
    .describe(
      'Who makes an order: the shop itself (`own`), one maker it chose (`maker`), or the nearest ' +
        'maker who can (`nearest`).',
    ),
  routedMakerId: z.string().nullable().describe('The public id of the chosen maker.'),
  payer: z.enum(PAYERS).describe('The side whose allowance pays for a production file.'),
  currency: z.enum(CURRENCIES),
  defaultPriceCents: z.number().int().nullable().describe('Null when the price is agreed on by mail.'),
  prices: z.record(z.string(), z.number().int()).describe('Prices in cents by product id.'),
  starts: z.record(z.string(), ProductStart).describe('The templates that products start with, by product id.'),
  place: PlaceOnMap.nullable(),
  webhookUrl: z.string().nullable(),
  hasWebhookSecret: z.boolean(),
});
export type ShopSettings = z.output<typeof ShopSettings>;

export const ShopChange = z.object({
  allowedOrigins: z.array(z.string().max(300)).max(MAX_ORIGINS, `At most ${MAX_ORIGINS} pages.`).optional(),
  checkout: z.boolean().optional(),
  offersDtf: z.boolean().optional(),
  routing: z.enum(ROUTINGS).optional(),
  routedMakerId: z.string().max(64).nullish(),
  payer: z.enum(PAYERS).optional(),
  currency: z.enum(CURRENCIES).optional(),
  defaultPriceCents: Cents.nullish(),
  prices: z
    .record(z.string().min(1).max(64), Cents)
    .refine((prices) => Object.keys(prices).length <= MAX_PRICES, `At most ${MAX_PRICES} prices.`)
    .optional(),
  place: PlaceOnMap.nullish(),
  webhookUrl: z
    .string()
    .trim()
    .max(500, 'Please keep the address under 500 characters.')
    .nullish()
    .transform((url) => (url === '' ? null : url)),
});
export type ShopChange = z.output<typeof ShopChange>;

export const shop = defineCalls(shopPaths, {
  settings: {
    summary: 'Read the shop',
    description: 'Returns the settings of the account’s shop. The first call creates them.',
    reply: ShopSettings,
  },
  update: {
    summary: 'Change the shop',
    description: 'Changes the settings that are sent.',
    body: ShopChange,
    reply: ShopSettings,
  },
  addStart: {
    summary: 'Start a product with a template',
    description:
      'Copies a template of the account’s library: its product starts with it in the widget, and customers change ' +
      'what is open in it alone. Takes the place of the template that the product started with.',
    body: z.object({ entryId: z.string().max(64) }),
    reply: ShopSettings,
    errors: {
      404: 'The template does not exist, it belongs to someone else, or the shop does not offer its product.',
      413: 'The account’s space for files is full.',
      422: 'The template cannot be made as it is: the message says why.',
      429: 'Too many designs were saved, or too many calls were made.',
      507: 'The server’s disk is full.',
    },
  },
  removeStart: {
    summary: 'Start a product empty again',
    description: 'The product of this id starts empty. Designs that were made with the template stay valid.',
    params: IdParams,
    reply: ShopSettings,
  },
  renewKey: {
    summary: 'Renew the shop’s key',
    description: 'Gives the embed code a new key. Embed codes with the old key stop working.',
    body: z.object({}),
    reply: ShopSettings,
  },
  renewWebhookSecret: {
    summary: 'Renew the webhook secret',
    description: 'Makes a new secret that signs webhooks. It is returned only this once.',
    body: z.object({}),
    reply: z.object({ secret: z.string() }),
  },
});
