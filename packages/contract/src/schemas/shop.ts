/** How a company sells: where its widget may stand, who makes what is ordered, what it costs, who is told. */
import { z } from 'zod';
import { shop as shopPaths } from '../paths/shop.ts';
import { CURRENCIES, MAX_ORIGINS, MAX_PRICE_CENTS, PAYERS, ROUTINGS } from '../words/shop.ts';
import { defineCalls } from './call.ts';
import { StorableText } from './text.ts';

const MAX_PRICES = 5_000;

/** A place on the map, as the list of places names it. */
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

export const ShopSettings = z.object({
  /** Stands in the embed code; not a secret. */
  key: z.string(),
  allowedOrigins: z.array(z.string()),
  checkout: z.boolean(),
  /** Who makes what is ordered: the shop itself, one maker it chose, or the nearest one who can. */
  routing: z.enum(ROUTINGS),
  /** The chosen maker's public id. */
  routedMakerId: z.string().nullable(),
  /** Whose allowance a production file is charged to. */
  payer: z.enum(PAYERS),
  currency: z.enum(CURRENCIES),
  /** Null: the price is agreed on by mail. */
  defaultPriceCents: z.number().int().nullable(),
  /** Cents by product id. */
  prices: z.record(z.string(), z.number().int()),
  place: PlaceOnMap.nullable(),
  webhookUrl: z.string().nullable(),
  hasWebhookSecret: z.boolean(),
});
export type ShopSettings = z.output<typeof ShopSettings>;

export const ShopChange = z.object({
  allowedOrigins: z.array(z.string().max(300)).max(MAX_ORIGINS, `At most ${MAX_ORIGINS} pages.`).optional(),
  checkout: z.boolean().optional(),
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
    summary: 'How the account’s shop sells, made when first asked for',
    reply: ShopSettings,
  },
  update: {
    summary: 'Changes what is named of how the shop sells',
    body: ShopChange,
    reply: ShopSettings,
  },
  renewKey: {
    summary: 'Gives the embed code another key; codes with the one before stop working',
    body: z.object({}),
    reply: ShopSettings,
  },
  renewWebhookSecret: {
    summary: 'Makes the secret that signs webhooks anew and tells it this once',
    body: z.object({}),
    reply: z.object({ secret: z.string() }),
  },
});
