/**
 * What the widget in a shop's page asks. Its guest is told apart by a header, because a frame of another site has no
 * cookie.
 */
import { MachineMode, SavedComposition } from '@markwright/scene';
import { z } from 'zod';
import { widget as widgetPaths } from '../paths/widget.ts';
import { MAX_QUANTITY } from '../words/widget.ts';
import { defineCalls } from './call.ts';
import { Product } from './catalogue.ts';
import { Design } from './designs.ts';

/** Names a shop in addresses; anybody may know it. */
const ShopKey = z.string().regex(/^[\w-]{8,64}$/, 'This shop is not known.');

export const WidgetShop = z.object({
  name: z.string(),
  /** Orders are taken in the widget itself. */
  checkout: z.boolean(),
  /** ISO 4217. */
  currency: z.string(),
});
export type WidgetShop = z.output<typeof WidgetShop>;

/** A product as a shop offers it. Null: it names no price. */
export const OfferedProduct = Product.extend({ unitPriceCents: z.number().int().min(0).nullable() });
export type OfferedProduct = z.output<typeof OfferedProduct>;

/** What a cart shows of a saved design. Without a price the three last fields are null, or the last two. */
export const PriceLine = z.object({
  productName: z.string(),
  machine: MachineMode,
  quantity: z.number().int().min(1).max(MAX_QUANTITY),
  currency: z.string().nullable(),
  unitPriceCents: z.number().int().min(0).nullable(),
  totalCents: z.number().int().min(0).nullable(),
});
export type PriceLine = z.output<typeof PriceLine>;

/**
 * An arrangement as it was saved: it never changes, saving again makes another one. Whoever knows its id may see it and
 * open a copy.
 */
export const SavedDesign = z.object({
  designId: z.string(),
  /** A path: the picture may stand in any page. */
  previewUrl: z.string(),
  line: PriceLine,
});
export type SavedDesign = z.output<typeof SavedDesign>;

const One = z.object({ id: z.string().max(64) });

export const widget = defineCalls(widgetPaths, {
  start: {
    summary: 'Begins a visit of the widget: a guest for its memory, and the shop it stands in',
    body: z.object({ shop: ShopKey.optional() }),
    reply: z.object({ guestToken: z.string(), shop: WidgetShop.nullable() }),
  },
  products: {
    summary: 'The products a shop offers, its own first; without a shop, the base products',
    query: z.object({ shop: ShopKey.optional() }),
    reply: z.array(OfferedProduct),
  },
  save: {
    summary: 'Saves an arrangement with its artwork and a picture of it, for a cart line',
    body: z.object({
      shop: ShopKey.optional(),
      composition: SavedComposition,
      quantity: z.number().int().min(1).max(MAX_QUANTITY).default(1),
    }),
    reply: SavedDesign,
  },
  get: {
    summary: 'What a cart shows of a saved design',
    params: One,
    reply: SavedDesign,
  },
  open: {
    summary: 'Opens a saved design to be changed: its artwork becomes a design of the caller',
    params: One,
    body: z.object({}),
    reply: SavedDesign.extend({
      composition: SavedComposition,
      /** The caller's copy of the artwork; null for texts alone. */
      design: Design.nullable(),
    }),
  },
});
