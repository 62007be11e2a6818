/** Orders of a shop's customers: what is ordered, by whom, who makes it, what becomes of it. */
import { MachineMode } from '@markwright/scene';
import { z } from 'zod';
import { orderCalls as orderCallsPaths } from '../paths/orders.ts';
import { isVisible, toLabel } from '../words/labels.ts';
import { messages } from '../words/messages.ts';
import { MAX_ORDER_WORDS, ORDER_ROLES, ORDER_STATUSES, ORDER_STEPS, PROOF_STATES } from '../words/orders.ts';
import { CURRENCIES, PAYERS } from '../words/shop.ts';
import { MAX_QUANTITY } from '../words/widget.ts';
import { defineCalls } from './call.ts';
import { PlaceOnMap } from './shop.ts';
import { StorableText } from './text.ts';

const longest = (length: number) => `Please keep it under ${length} characters.`;
const SomeText = StorableText.max(MAX_ORDER_WORDS, longest(MAX_ORDER_WORDS));

/** How the customer is reached. What was left out is empty. */
export const OrderContact = z.object({
  name: z
    .string()
    .max(1_000)
    .transform(toLabel)
    .pipe(
      z
        .string()
        .max(120, 'Please keep the name under 120 characters.')
        .refine(isVisible, 'Please say what you are called.'),
    ),
  email: z.string().max(300, messages.invalidEmail),
  phone: StorableText.max(40, longest(40)).default(''),
  address: StorableText.max(500, longest(500)).default(''),
  note: SomeText.default(''),
});
export type OrderContact = z.output<typeof OrderContact>;

const Size = z.object({ widthMm: z.number(), heightMm: z.number() });

/** What is made, in the words and measures of the moment it was ordered. */
export const OrderedThing = z.object({
  productName: z.string(),
  machine: MachineMode,
  /** What may be marked on the product. */
  area: Size,
  /** The picture as it lies there; null without one. */
  design: Size.nullable(),
  texts: z.array(Size.extend({ text: z.string(), font: z.string() })),
});
export type OrderedThing = z.output<typeof OrderedThing>;

const Price = {
  quantity: z.number().int(),
  currency: z.enum(CURRENCIES),
  /** Null: the price is agreed on by mail. */
  unitPriceCents: z.number().int().nullable(),
  totalCents: z.number().int().nullable(),
};

/** An order as lists show it. */
export const OrderSummary = z.object({
  id: z.string(),
  /** `7KQM-2D4P` */
  number: z.string(),
  role: z.enum(ORDER_ROLES),
  shopName: z.string(),
  /** Null: the shop makes it itself. */
  makerName: z.string().nullable(),
  /** Empty for a maker who has not accepted. */
  customerName: z.string(),
  productName: z.string(),
  machine: MachineMode,
  ...Price,
  status: z.enum(ORDER_STATUSES),
  proof: z.enum(PROOF_STATES),
  /** It waits for this account to do something. */
  isWaiting: z.boolean(),
  pictureUrl: z.string(),
  createdAt: z.iso.datetime(),
});
export type OrderSummary = z.output<typeof OrderSummary>;

export const OrderEvent = z.object({
  /** `created`, a status, `routed`, `returned`, `taken`, `approved`, `change` or `file`. */
  kind: z.string(),
  actor: z.enum(['customer', 'shop', 'maker', 'server']),
  words: z.string(),
  createdAt: z.iso.datetime(),
});
export type OrderEvent = z.output<typeof OrderEvent>;

export const OrderDetail = OrderSummary.extend({
  made: OrderedThing,
  /** Null for a maker who has not accepted. */
  contact: OrderContact.nullable(),
  note: z.string(),
  place: z.string(),
  proofWords: z.string(),
  proofAt: z.iso.datetime().nullable(),
  /** Whose allowance the production file is charged to. */
  payer: z.enum(PAYERS),
  steps: z.array(z.enum(ORDER_STEPS)),
  /** The production file may be made by this account. */
  mayDownload: z.boolean(),
  events: z.array(OrderEvent),
});
export type OrderDetail = z.output<typeof OrderDetail>;

/** What the customer sees of an order. */
export const Proof = z.object({
  number: z.string(),
  shopName: z.string(),
  makerName: z.string().nullable(),
  made: OrderedThing,
  ...Price,
  status: z.enum(ORDER_STATUSES),
  proof: z.enum(PROOF_STATES),
  proofAt: z.iso.datetime().nullable(),
  proofWords: z.string(),
  /** Said by who declined it. */
  declinedBecause: z.string(),
  mayAnswer: z.boolean(),
  pictureUrl: z.string(),
  createdAt: z.iso.datetime(),
});
export type Proof = z.output<typeof Proof>;

export const Delivery = z.object({
  id: z.string(),
  event: z.string(),
  orderNumber: z.string().nullable(),
  state: z.enum(['queued', 'sent', 'failed']),
  attempts: z.number().int(),
  /** What the shop's server answered last, e.g. 200. */
  answered: z.number().int().nullable(),
  lastError: z.string().nullable(),
  nextTryAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
});
export type Delivery = z.output<typeof Delivery>;

const One = z.object({ id: z.string().max(64) });
/** Comes in a mail and goes in a body: no address that is written down anywhere holds it. */
const token = z.string().max(100);

export const orderCalls = defineCalls(orderCallsPaths, {
  place: {
    summary: 'Orders a saved design from the shop it was saved in; the same key again makes no second order',
    body: z.object({
      /** Random, made by the page. */
      key: z.string().regex(/^[\w-]{16,64}$/),
      shop: z.string().max(64),
      designId: z.string().max(64),
      quantity: z
        .number()
        .int('How many is a whole number.')
        .min(1, 'Order one at least.')
        .max(MAX_QUANTITY, `Order ${MAX_QUANTITY} at most.`),
      contact: OrderContact,
      place: PlaceOnMap.nullish(),
    }),
    reply: z.object({ number: z.string(), shopName: z.string(), email: z.string(), ...Price }),
  },
  proof: {
    summary: 'What the customer sees of an order, by the token of a mail’s link',
    body: z.object({ token }),
    reply: Proof,
  },
  answerProof: {
    summary: 'Approves an order’s proof, or asks for a change in words',
    body: z.object({ token, answer: z.enum(['approve', 'change']), words: SomeText.default('') }),
    reply: Proof,
  },
  list: {
    summary: 'The orders of the account’s shop and those it is to make, newest first, 50 at a time',
    query: z.object({
      before: z.string().max(400).optional(),
      status: z.enum(ORDER_STATUSES).optional(),
      role: z.enum(ORDER_ROLES).optional(),
    }),
    reply: z.object({ orders: z.array(OrderSummary), next: z.string().nullable() }),
  },
  count: {
    summary: 'Whether the account has to do with orders at all, and how many wait for it',
    reply: z.object({ hasOrders: z.boolean(), waiting: z.number().int() }),
  },
  get: {
    summary: 'One order, for the shop it was placed in and for who makes it',
    params: One,
    reply: OrderDetail,
  },
  step: {
    summary:
      'Accepts or declines an order, says that it was made or sent, or takes it back; 409 when it moved on meanwhile',
    params: One,
    body: z.object({ step: z.enum(ORDER_STEPS), words: SomeText.default('') }),
    reply: OrderDetail.nullable(),
  },
  file: {
    summary: 'Makes the production file of an approved order for who makes it; charged once, as the shop settled',
    params: One,
    body: z.object({}),
    reply: z.object({ url: z.string(), filename: z.string() }),
  },
  deliveries: {
    summary: 'What was told to the shop’s webhook last, the newest 50',
    reply: z.object({ deliveries: z.array(Delivery) }),
  },
  sendAgain: {
    summary: 'Tells the shop’s webhook something again',
    params: One,
    body: z.object({}),
    reply: z.object({ ok: z.literal(true) }),
  },
});
