/**
 * Calls of the widget in a shop's page. A header identifies its guest, because a frame of another site has no cookie.
 */
import { MachineMode, SavedComposition } from '@markwright/scene';
import { z } from 'zod';
import { widget as widgetPaths } from '../paths/widget.ts';
import { isStorable, NOT_STORABLE } from '../words/labels.ts';
import { MAX_PIECES, MAX_QUANTITY } from '../words/widget.ts';
import { defineCalls } from './call.ts';
import { inPages, Product, ProductsQuery, pageErrors } from './catalogue.ts';
import { Design } from './designs.ts';
import { IdParams, StorableText } from './text.ts';

/** The shop's key in addresses. It is not a secret. */
const ShopKey = z.string().regex(/^[\w-]{8,64}$/, 'This shop is not known.');

export const WidgetShop = z.object({
  name: z.string(),
  checkout: z.boolean().describe('True when the widget itself takes orders.'),
  currency: z.string().describe('ISO 4217 code.'),
  offersDtf: z.boolean().describe('True when DTF transfers can be chosen beside the other machines.'),
});
export type WidgetShop = z.output<typeof WidgetShop>;

/** A product as a shop offers it. The price is null when the shop names none. */
export const OfferedProduct = Product.extend({
  unitPriceCents: z.number().int().min(0).nullable(),
  templateId: z
    .string()
    .optional()
    .describe('The saved design that it starts with. Only what is open in it can be changed. Absent: it starts empty.'),
});
export type OfferedProduct = z.output<typeof OfferedProduct>;

/** One piece of an order with its own words. The names of columns are alike without case, spaces and hyphens. */
export const OrderPiece = z.object({
  words: z
    .record(
      z.string().max(80, 'The name of a column has at most 80 characters.').refine(isStorable, NOT_STORABLE),
      StorableText.pipe(z.string().max(2_000, 'The words of a piece have at most 2,000 characters.')),
    )
    .describe('By column: `{placeholders}` of the design, or `Text`, or `Text 1` and so on by its texts from below.'),
  quantity: z.number().int().min(1).max(MAX_QUANTITY),
});
export type OrderPiece = z.output<typeof OrderPiece>;

export const OrderPieces = z
  .array(OrderPiece)
  .min(1)
  .max(MAX_PIECES, `At most ${MAX_PIECES} pieces have words of their own.`);

/** A saved design as a cart shows it. Without a price the last three fields are null, or the last two. */
export const PriceLine = z.object({
  productName: z.string(),
  machine: MachineMode,
  quantity: z.number().int().min(1).max(MAX_QUANTITY),
  currency: z.string().nullable(),
  unitPriceCents: z.number().int().min(0).nullable(),
  totalCents: z.number().int().min(0).nullable(),
  pieces: z.array(OrderPiece).optional().describe('Absent where all pieces are alike.'),
});
export type PriceLine = z.output<typeof PriceLine>;

/**
 * A saved design. It never changes; saving again makes another one. Whoever knows its id may see it and open a copy.
 */
export const SavedDesign = z.object({
  designId: z.string(),
  previewUrl: z.string().describe('A path. Any page may show the picture.'),
  line: PriceLine,
});
export type SavedDesign = z.output<typeof SavedDesign>;

export const widget = defineCalls(widgetPaths, {
  start: {
    summary: 'Start a visit of the widget',
    description: 'Returns a guest token for the widget’s memory, and the shop it stands in.',
    body: z.object({ shop: ShopKey.optional() }),
    reply: z.object({ guestToken: z.string(), shop: WidgetShop.nullable() }),
    errors: { 404: 'The shop is closed.' },
  },
  products: {
    summary: 'List a shop’s products',
    description: `Returns the products that a shop offers, its own first. Without a shop, returns the base products. ${inPages}`,
    query: ProductsQuery.extend({ shop: ShopKey.optional() }),
    reply: z.array(OfferedProduct),
    errors: { 404: 'The shop is closed.', ...pageErrors },
  },
  save: {
    summary: 'Save a design for a cart',
    description:
      'Saves a composition with its artwork and a picture, for a cart line. Each call makes a new saved design.',
    body: z.object({
      shop: ShopKey.optional(),
      composition: SavedComposition,
      quantity: z.number().int().min(1).max(MAX_QUANTITY).default(1),
      pieces: OrderPieces.optional().describe('Pieces with different words; their quantities add up to `quantity`.'),
      templateId: z
        .string()
        .max(64)
        .optional()
        .describe('The saved design that it started with. A product with one takes nothing else.'),
    }),
    reply: SavedDesign,
    errors: {
      400: 'The body is invalid, or a fixed part of the template was changed: the message says which.',
      404: 'The shop, the product or the design does not exist.',
      413: 'The caller’s space for files is full.',
      422: 'The design has no trace yet, or cannot be drawn, or a piece cannot be made. The message names its row.',
      429: 'Too many designs were saved, or too many calls were made.',
      507: 'The server’s disk is full.',
    },
  },
  get: {
    summary: 'Read a saved design',
    description: 'Returns a saved design as a cart shows it.',
    params: IdParams,
    reply: SavedDesign,
    errors: { 404: 'The design is not stored any more.' },
  },
  open: {
    summary: 'Open a saved design',
    description: 'Opens a saved design for changes. Its artwork is copied into a design of the caller.',
    params: IdParams,
    body: z.object({}),
    reply: SavedDesign.extend({
      composition: SavedComposition,
      design: Design.nullable().describe('The caller’s copy of the artwork. Null for a design of texts alone.'),
      template: z
        .object({ id: z.string(), composition: SavedComposition })
        .nullable()
        .describe('What it started with, showing the caller’s copies. Null for a design that started empty.'),
    }),
    errors: {
      404: 'The design is not stored any more.',
      413: 'The caller’s space for files is full.',
      429: 'Too many designs were opened, or too many calls were made.',
      507: 'The server’s disk is full.',
    },
  },
});
