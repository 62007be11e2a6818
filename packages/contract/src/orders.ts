/** Orders of a shop's customers: what is ordered, by whom, what becomes of it. */
import { z } from 'zod';

export const ORDER_STATUSES = ['new', 'accepted', 'made', 'sent', 'declined'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** How the customer is reached. */
export const OrderContact = z.object({
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  address: z.string(),
  note: z.string(),
});
export type OrderContact = z.output<typeof OrderContact>;

const Size = z.object({ widthMm: z.number(), heightMm: z.number() });

/** What is made, in the words and measures of the moment it was ordered. */
export const OrderedThing = z.object({
  productName: z.string(),
  productId: z.string().nullable(),
  machine: z.enum(['laser', 'uv', 'sublimation']),
  /** What may be marked on the product. */
  area: Size,
  /** The picture as it lies there; null without one. */
  design: Size.extend({ filename: z.string() }).nullable(),
  texts: z.array(Size.extend({ text: z.string(), font: z.string() })),
});
export type OrderedThing = z.output<typeof OrderedThing>;
