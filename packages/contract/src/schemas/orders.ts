/** Orders of a shop's customers: the ordered thing, the customer, the maker and the state. */
import { MachineMode } from '@markwright/scene';
import { z } from 'zod';
import { orderCalls as orderCallsPaths } from '../paths/orders.ts';
import { messages } from '../words/messages.ts';
import {
  MAX_ORDER_WORDS,
  MAX_TOGETHER,
  ORDER_ROLES,
  ORDER_STATUSES,
  ORDER_STEPS,
  PROOF_STATES,
} from '../words/orders.ts';
import { CURRENCIES, PAYERS } from '../words/shop.ts';
import { MAX_QUANTITY } from '../words/widget.ts';
import { Batch } from './batches.ts';
import { defineCalls } from './call.ts';
import { PlaceOnMap } from './shop.ts';
import { IdParams, labelOf, StorableText } from './text.ts';
import { OrderPiece, OrderPieces } from './widget.ts';

const tooLongMessage = (length: number) => `Please keep it under ${length} characters.`;
const OrderText = StorableText.max(MAX_ORDER_WORDS, tooLongMessage(MAX_ORDER_WORDS));

/** The contact data of the customer. Fields that were left out are empty. */
export const OrderContact = z.object({
  name: labelOf(120, {
    tooLong: 'Please keep the name under 120 characters.',
    missing: 'Please say what you are called.',
  }),
  email: z.string().max(300, messages.invalidEmail),
  phone: StorableText.max(40, tooLongMessage(40)).default(''),
  address: StorableText.max(500, tooLongMessage(500)).default(''),
  note: OrderText.default(''),
});
export type OrderContact = z.output<typeof OrderContact>;

const Size = z.object({ widthMm: z.number(), heightMm: z.number() });

/** The ordered thing, in the words and measures of the moment of the order. */
export const OrderedThing = z.object({
  productName: z.string(),
  machine: MachineMode,
  area: Size.describe('The area of the product that may be marked.'),
  design: Size.nullable().describe('The size of the placed picture. Null without one.'),
  otherDesigns: z.array(Size).optional().describe('The sizes of more placed pictures. Absent without more than one.'),
  texts: z.array(Size.extend({ text: z.string(), font: z.string() })),
  pieces: z
    .array(OrderPiece)
    .optional()
    .describe('The pieces with the words on each, every one once. Absent where all are alike.'),
});
export type OrderedThing = z.output<typeof OrderedThing>;

const Price = {
  quantity: z.number().int(),
  currency: z.enum(CURRENCIES),
  unitPriceCents: z.number().int().nullable().describe('Null when the price is agreed on by mail.'),
  totalCents: z.number().int().nullable(),
};

/** An order as lists show it. */
export const OrderSummary = z.object({
  id: z.string(),
  number: z.string().describe('For example `7KQM-2D4P`.'),
  role: z.enum(ORDER_ROLES),
  shopName: z.string(),
  makerName: z.string().nullable().describe('Null when the shop makes the order itself.'),
  customerName: z.string().describe('Empty for a maker who has not accepted the order.'),
  productName: z.string(),
  machine: MachineMode,
  ...Price,
  status: z.enum(ORDER_STATUSES),
  proof: z.enum(PROOF_STATES),
  isWaiting: z.boolean().describe('True when the order waits for this account.'),
  pictureUrl: z.string(),
  createdAt: z.iso.datetime(),
});
export type OrderSummary = z.output<typeof OrderSummary>;

export const OrderEvent = z.object({
  kind: z.string().describe('`created`, a status, `routed`, `returned`, `taken`, `approved`, `change` or `file`.'),
  actor: z.enum(['customer', 'shop', 'maker', 'server']),
  words: z.string().describe('What the actor wrote, such as a reason or the requested change. Empty without words.'),
  createdAt: z.iso.datetime(),
});
export type OrderEvent = z.output<typeof OrderEvent>;

export const OrderDetail = OrderSummary.extend({
  made: OrderedThing.describe('The ordered thing, as it was when ordered.'),
  contact: OrderContact.nullable().describe('Null for a maker who has not accepted the order.'),
  note: z.string().describe('The note that the customer sent with the order.'),
  place: z.string().describe('The customer’s town with its region and country. Empty when they entered none.'),
  proofWords: z.string().describe('The change that the customer asks for. Empty without one.'),
  proofAt: z.iso.datetime().nullable(),
  payer: z.enum(PAYERS).describe('The side whose allowance pays for the production file.'),
  steps: z.array(z.enum(ORDER_STEPS)).describe('The steps that this account may take with the order now.'),
  mayDownload: z.boolean().describe('True when this account may make the production file.'),
  receipt: z
    .object({
      filename: z.string(),
      widthMm: z.number(),
      heightMm: z.number(),
      sizeBytes: z.number().int().nullable().describe('Null for a package that was not downloaded yet.'),
      sha256: z.string().nullable(),
      madeAt: z.iso.datetime(),
    })
    .nullable()
    .describe('The production file that was given out last, or the package that holds it. Null before the first.'),
  batch: Batch.nullable().describe(
    'The package that holds its pieces, for the account that makes it. Null without one.',
  ),
  events: z.array(OrderEvent),
});
export type OrderDetail = z.output<typeof OrderDetail>;

/** Orders that wait to be made and share product, color, size and machine. */
export const OrderGroup = z.object({
  productName: z.string(),
  machine: MachineMode,
  orders: z.array(
    z.object({
      id: z.string(),
      number: z.string(),
      quantity: z.number().int(),
      files: z.number().int().describe('The different pieces, a file each.'),
      customerName: z.string(),
      pictureUrl: z.string(),
    }),
  ),
});
export type OrderGroup = z.output<typeof OrderGroup>;

/** An order as its customer sees it. */
export const Proof = z.object({
  number: z.string(),
  shopName: z.string(),
  makerName: z.string().nullable(),
  made: OrderedThing.describe('The ordered thing, as it was when ordered.'),
  ...Price,
  status: z.enum(ORDER_STATUSES),
  proof: z.enum(PROOF_STATES),
  proofAt: z.iso.datetime().nullable(),
  proofWords: z.string().describe('The change that the customer asked for. Empty without one.'),
  declinedBecause: z.string().describe('The reason of the one who declined the order.'),
  mayAnswer: z.boolean(),
  pictureUrl: z.string(),
  pictureSize: Size.describe('The true size of what the whole picture shows.'),
  createdAt: z.iso.datetime(),
});
export type Proof = z.output<typeof Proof>;

export const Delivery = z.object({
  id: z.string(),
  event: z.string().describe('`order.created`, `order.proof` or `order.status`.'),
  orderNumber: z.string().nullable(),
  state: z.enum(['queued', 'sent', 'failed']),
  attempts: z.number().int(),
  answered: z.number().int().nullable().describe('The last status of the shop’s server, for example 200.'),
  lastError: z.string().nullable(),
  nextTryAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
});
export type Delivery = z.output<typeof Delivery>;

/** Arrives in a mail and is sent in a body, so that no logged address holds it. */
const token = z.string().max(100);

export const orderCalls = defineCalls(orderCallsPaths, {
  place: {
    summary: 'Place an order',
    description:
      'Orders a saved design from the shop it was saved in. A repeated call with the same key makes no second order.',
    body: z.object({
      key: z
        .string()
        .regex(/^[\w-]{16,64}$/)
        .describe('The idempotency key: random, made by the page.'),
      shop: z.string().max(64),
      designId: z.string().max(64),
      quantity: z
        .number()
        .int('How many is a whole number.')
        .min(1, 'Order one at least.')
        .max(MAX_QUANTITY, `Order ${MAX_QUANTITY} at most.`),
      pieces: OrderPieces.optional().describe('Pieces with different words; their quantities add up to `quantity`.'),
      contact: OrderContact,
      place: PlaceOnMap.nullish(),
    }),
    reply: z.object({ number: z.string(), shopName: z.string(), email: z.string(), ...Price }),
    errors: {
      403: 'The shop takes no orders, or another site’s page made the call.',
      404: 'The shop is closed, or the design is not stored any more.',
      422: 'A piece cannot be made. The message names its row.',
      429: 'Too many orders, or too many calls.',
    },
  },
  proof: {
    summary: 'Read a proof',
    description: 'Returns an order as its customer sees it, by the token of a mail’s link.',
    body: z.object({ token }),
    reply: Proof,
    errors: { 404: 'The token opens no order.' },
  },
  answerProof: {
    summary: 'Answer a proof',
    description: 'Approves the proof of an order, or asks for a change in words.',
    body: z.object({ token, answer: z.enum(['approve', 'change']), words: OrderText.default('') }),
    reply: Proof,
    errors: { 404: 'The token opens no order.', 409: 'The proof cannot be answered any more.' },
  },
  proofPieces: {
    summary: 'Draw the pieces of a proof',
    description: 'Draws every piece of an order with different words into a PDF, by the token of a mail’s link.',
    body: z.object({ token }),
    reply: z.object({ url: z.string(), filename: z.string() }),
    errors: { 404: 'The token opens no order.', 422: 'All pieces of this order are alike.' },
  },
  list: {
    summary: 'List orders',
    description: 'Returns the orders of the account’s shop and the orders it makes, the newest first, 50 a page.',
    query: z.object({
      before: z.string().max(400).optional(),
      status: z.enum(ORDER_STATUSES).optional(),
      role: z.enum(ORDER_ROLES).optional(),
    }),
    reply: z.object({ orders: z.array(OrderSummary), next: z.string().nullable() }),
  },
  count: {
    summary: 'Count waiting orders',
    description: 'Returns if the account has orders at all, and how many wait for it.',
    reply: z.object({ hasOrders: z.boolean(), waiting: z.number().int() }),
  },
  get: {
    summary: 'Read an order',
    description: 'Returns one order, for its shop and for its maker.',
    params: IdParams,
    reply: OrderDetail,
    errors: { 404: 'The order does not exist, or this account has no part in it.' },
  },
  groups: {
    summary: 'List orders that can be made together',
    description:
      'Returns groups of two or more approved orders that this account is to make, for the same product and machine, ' +
      'and of which no file was made. The oldest orders come first.',
    reply: z.object({ groups: z.array(OrderGroup) }),
  },
  makeTogether: {
    summary: 'Make orders together',
    description:
      'Makes one package of all pieces of approved orders for the same product and machine, in the background, as a ' +
      'batch: a file for each different piece, `rows.csv` with the numbers of the orders, and a job sheet. An order ' +
      'with different words on its pieces is made so, too, alone. 25 started files are one production export of the ' +
      'account that pays for the order. The same orders again are the same batch.',
    body: z.object({
      orders: z
        .array(z.string().max(64))
        .min(1, 'Choose an order at least.')
        .max(MAX_TOGETHER, `At most ${MAX_TOGETHER} orders are made together.`),
    }),
    reply: Batch,
    errors: {
      402: 'The allowance of the month has too little left.',
      403: 'An order is not approved, or this account does not make it.',
      404: 'An order does not exist, or this account has no part in it.',
      409: 'A file of an order was made already. The message names it.',
      422: 'The orders are not for the same product and machine.',
    },
  },
  pieces: {
    summary: 'Draw the pieces of an order',
    description: 'Draws every piece of an order with different words into a PDF, for its shop and its maker.',
    params: IdParams,
    body: z.object({}),
    reply: z.object({ url: z.string(), filename: z.string() }),
    errors: {
      404: 'The order does not exist, or this account has no part in it.',
      422: 'All pieces of this order are alike.',
    },
  },
  step: {
    summary: 'Move an order on',
    description:
      'Accepts or declines an order, marks it as made or sent, or takes it back from a maker. Null ' +
      'when the account has no part in the order any more.',
    params: IdParams,
    body: z.object({ step: z.enum(ORDER_STEPS), words: OrderText.default('') }),
    reply: OrderDetail.nullable(),
    errors: {
      404: 'The order does not exist, or this account has no part in it.',
      409: 'The order has moved on in the meantime, or waits for its customer.',
    },
  },
  file: {
    summary: 'Make the production file of an order',
    description:
      'Makes the production file of an approved order whose pieces are alike for its maker, or the job sheet that goes with it: a page ' +
      'with a code that opens the order, and the hash of the file. It is charged once, to the allowance that the ' +
      'shop chose.',
    params: IdParams,
    body: z.object({
      format: z.enum(['svg', 'sheet']).default('svg').describe('`sheet` is the job sheet, a PDF.'),
    }),
    reply: z.object({ url: z.string(), filename: z.string() }),
    errors: {
      402: 'The allowance of the month is used up.',
      403: 'The order is not approved, or this account does not make it.',
      404: 'The order does not exist, or this account has no part in it.',
      409: 'The order is in a package with its pieces.',
      413: 'The caller’s space for files is full.',
      422: 'The design cannot be drawn.',
      507: 'The server’s disk is full.',
    },
  },
  deliveries: {
    summary: 'List webhook deliveries',
    description: 'Returns the newest 50 deliveries to the shop’s webhook.',
    reply: z.object({ deliveries: z.array(Delivery) }),
  },
  sendAgain: {
    summary: 'Send a webhook again',
    description: 'Queues a delivery to the shop’s webhook again.',
    params: IdParams,
    body: z.object({}),
    reply: z.object({ ok: z.literal(true) }),
    errors: { 404: 'The delivery is not stored any more.' },
  },
});
