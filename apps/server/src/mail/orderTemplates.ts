/**
 * Templates of mails about orders. Text from strangers contains no links, and a maker who has not accepted an order
 * does not see its customer.
 */
import type { OrderContact, OrderedThing, OrderStatus, ProofState, ShopSettings } from '@markwright/contract';
import type { Context } from '../platform/context.ts';
import { renderMail } from './layout.ts';
import type { MailMessage } from './mail.ts';
import { withoutLinks } from './templates.ts';

/** An order as mails describe it. */
export interface MailedOrder {
  readonly id: string;
  readonly number: string;
  readonly shopName: string;
  /** Null: the shop makes it itself. */
  readonly makerName: string | null;
  readonly item: OrderedThing;
  readonly proof: ProofState;
  readonly contact: OrderContact;
  readonly place: string;
  readonly quantity: number;
  readonly currency: ShopSettings['currency'];
  readonly unitPriceCents: number | null;
  readonly totalCents: number | null;
}

/** The longest time that a mail in the outbox keeps the customer's secret link. */
const LINK_MS = 90 * 24 * 60 * 60 * 1000;
const secretUntil = (context: Context): Date => new Date(context.now().getTime() + LINK_MS);

const machines = { laser: 'laser', uv: 'UV print', sublimation: 'sublimation', dtf: 'DTF transfer' } as const;
const shopOf = ({ shopName }: MailedOrder): string => withoutLinks(shopName) || 'the shop';
const siteName = (context: Context): string => new URL(context.origin).host;
const pieces = ({ quantity, item }: MailedOrder): string => `${quantity} × ${withoutLinks(item.productName)}`;

function facts(mailedOrder: MailedOrder): [string, string][] {
  const { number, item, currency, totalCents } = mailedOrder;
  return [
    ['Order', number],
    ['What', `${pieces(mailedOrder)}, ${machines[item.machine]}${item.pieces ? ', different words on each' : ''}`],
    ['Price', totalCents === null ? 'agreed on by mail' : money(totalCents, currency)],
  ];
}

/** A mail names so many pieces at most: the page of the order has all. */
const MOST_PIECES = 20;

/** The words of the pieces. They are a stranger's, so they go to shop and maker alone. */
function pieceFacts({ item: { pieces = [] } }: MailedOrder): [string, string][] {
  if (pieces.length === 0) return [];
  const lines = pieces
    .slice(0, MOST_PIECES)
    .map(
      ({ words, quantity }) => `${quantity} × ${withoutLinks(Object.values(words).join(' · ')).replace(/\s+/g, ' ')}`,
    );
  const others = pieces.length > MOST_PIECES ? [`and ${pieces.length - MOST_PIECES} more`] : [];
  return [['Words', [...lines, ...others].join(', ')]];
}

function contactFacts({ contact, place }: MailedOrder): [string, string][] {
  const { name, email, phone, address, note } = contact;
  const all: [string, string][] = [
    ['Customer', withoutLinks(name)],
    ['Email', email],
    ['Phone', withoutLinks(phone)],
    ['Address', withoutLinks(address).replace(/\s*\n\s*/g, ', ')],
    ['Place', place],
    ['Note', withoutLinks(note)],
  ];
  return all.filter(([, value]) => value !== '');
}

const money = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);

/** The page of an order for its shop and its maker. */
export const orderPage = (context: Context, { id }: Pick<MailedOrder, 'id'>): string =>
  `${context.origin}/orders?order=${id}`;

/** Goes to the customer, once. `link` opens the proof. */
export function orderPlacedMail(context: Context, to: string, mailedOrder: MailedOrder, link: string): MailMessage {
  return {
    kind: 'orderPlaced',
    to,
    key: `order ${mailedOrder.id} placed`,
    subject: `Your order ${mailedOrder.number}: please look at the proof`,
    secretUntil: secretUntil(context),
    ...renderMail({
      heading: 'Look it over, then it is made',
      paragraphs: [
        `${shopOf(mailedOrder)} has your order. The proof shows what will be made, at its true size. Nothing is made before you approve it.`,
      ],
      facts: [
        ...facts(mailedOrder),
        ...(mailedOrder.makerName ? [['Made by', withoutLinks(mailedOrder.makerName)] as const] : []),
      ],
      button: { label: 'Look at the proof', url: link },
      closing: ['Keep this mail: its link is yours alone, and shows your order as long as the shop keeps it.'],
      why: `You get this because ${to} was given with an order at ${siteName(context)}. If that was not you, ignore it: nothing is made.`,
    }),
  };
}

/** Goes to a maker with the request to make an order. */
export function orderToMakeMail(context: Context, to: string, mailedOrder: MailedOrder): MailMessage {
  return {
    kind: 'orderToMake',
    to,
    subject: `New order ${mailedOrder.number}: ${pieces(mailedOrder)}`,
    ...renderMail({
      heading: 'An order for your machine',
      paragraphs: [
        `${shopOf(mailedOrder)} asks you to make this. Accept it to see who it is for, or decline and somebody else is asked.`,
      ],
      facts: [
        ...facts(mailedOrder),
        ...pieceFacts(mailedOrder),
        ...(mailedOrder.place ? [['For', mailedOrder.place] as const] : []),
      ],
      button: { label: 'Look at the order', url: orderPage(context, mailedOrder) },
      why: `You get this because you make things for shops at ${siteName(context)}.`,
    }),
  };
}

/** Goes to the shop, for every order. `hasNoMaker`: the shop routes orders to makers, and none was found. */
export function shopOrderMail(
  context: Context,
  to: string,
  mailedOrder: MailedOrder,
  { hasNoMaker }: { hasNoMaker: boolean },
): MailMessage {
  const assignment = mailedOrder.makerName
    ? `It went to ${withoutLinks(mailedOrder.makerName)}. You hear from us if they decline.`
    : hasNoMaker
      ? 'We found no maker for it, so it is yours: accept it, or tell the customer that you cannot make it.'
      : 'It is yours to make.';
  return {
    kind: 'shopOrder',
    to,
    replyTo: mailedOrder.contact.email,
    key: `order ${mailedOrder.id} shop`,
    subject: `Order ${mailedOrder.number} came in: ${pieces(mailedOrder)}`,
    ...renderMail({
      heading: 'A customer ordered',
      paragraphs: [`${assignment} The customer was sent the proof to approve.`],
      facts: [...facts(mailedOrder), ...pieceFacts(mailedOrder), ...contactFacts(mailedOrder)],
      button: { label: 'Look at the order', url: orderPage(context, mailedOrder) },
      closing: ['Answer this mail, and your answer goes to the customer.'],
      why: `You get this because your shop takes orders at ${siteName(context)}. Your profile switches that off.`,
    }),
  };
}

/** Goes to the shop when a maker has declined or no longer exists, and nobody else can make the order. */
export function orderReturnedMail(
  context: Context,
  to: string,
  mailedOrder: MailedOrder,
  maker: string,
  words: string,
): MailMessage {
  return {
    kind: 'orderReturned',
    to,
    subject: `Order ${mailedOrder.number} came back to you`,
    ...renderMail({
      heading: 'This order is yours now',
      paragraphs: [
        `${withoutLinks(maker) || 'Its maker'} will not make it, and there is nobody else to ask. Make it yourself, or decline it and the customer is told.`,
      ],
      ...(words && { quote: withoutLinks(words) }),
      facts: [...facts(mailedOrder), ...pieceFacts(mailedOrder), ...contactFacts(mailedOrder)],
      button: { label: 'Look at the order', url: orderPage(context, mailedOrder) },
      why: `You get this because your shop takes orders at ${siteName(context)}.`,
    }),
  };
}

/** Goes to a maker when the shop takes an order back. */
export function orderTakenBackMail(context: Context, to: string, mailedOrder: MailedOrder, words: string): MailMessage {
  return {
    kind: 'orderTakenBack',
    to,
    subject: `Order ${mailedOrder.number} is not yours to make any more`,
    ...renderMail({
      heading: 'The shop took it back',
      paragraphs: [`${shopOf(mailedOrder)} makes this order itself. Please do not make it.`],
      ...(words && { quote: withoutLinks(words) }),
      facts: facts(mailedOrder),
      why: `You get this because the order was with you at ${siteName(context)}.`,
    }),
  };
}

const statusTexts: Record<
  Exclude<OrderStatus, 'new'>,
  (mailedOrder: MailedOrder) => { subject: string; heading: string; text: string }
> = {
  accepted: (mailedOrder) => ({
    subject: `Order ${mailedOrder.number} was accepted`,
    heading: 'Your order was accepted',
    text: `${mailedOrder.makerName ? withoutLinks(mailedOrder.makerName) : shopOf(mailedOrder)} ${mailedOrder.proof === 'approved' ? 'makes it next.' : 'will make it as soon as you have approved the proof.'}`,
  }),
  made: ({ number }) => ({
    subject: `Order ${number} is made`,
    heading: 'It is made',
    text: 'Your order is finished and leaves the workshop next.',
  }),
  sent: ({ number }) => ({
    subject: `Order ${number} is on its way`,
    heading: 'It is on its way',
    text: 'Your order has left the workshop.',
  }),
  declined: ({ number }) => ({
    subject: `Order ${number} cannot be made`,
    heading: 'This order cannot be made',
    text: 'The shop had to decline your order. Nothing is made, and nothing is owed for it.',
  }),
};

/** Goes to the customer when the status of the order changes. */
export function orderStatusMail(
  context: Context,
  to: string,
  mailedOrder: MailedOrder,
  { status, words, link }: { status: OrderStatus; words: string; link: string },
): MailMessage {
  const { subject, heading, text } = statusTexts[status === 'new' ? 'accepted' : status](mailedOrder);
  return {
    kind: 'orderStatus',
    to,
    subject,
    secretUntil: secretUntil(context),
    ...renderMail({
      heading,
      paragraphs: [text],
      ...(words && { quote: withoutLinks(words) }),
      facts: facts(mailedOrder),
      button: { label: 'See your order', url: link },
      why: `You get this because ${to} was given with an order at ${siteName(context)}.`,
    }),
  };
}

/** Goes to the maker, when the customer has approved or requests a change. */
export function proofAnsweredMail(
  context: Context,
  to: string,
  mailedOrder: MailedOrder,
  { proof, words }: { proof: 'approved' | 'change'; words: string },
): MailMessage {
  const isApproved = proof === 'approved';
  return {
    kind: 'proofAnswered',
    to,
    subject: isApproved
      ? `Order ${mailedOrder.number}: the proof is approved`
      : `Order ${mailedOrder.number}: a change is asked for`,
    ...renderMail({
      heading: isApproved ? 'Approved: it can be made' : 'The customer wants it otherwise',
      paragraphs: [
        isApproved
          ? 'The customer has approved the proof. The production file is with the order.'
          : 'An order’s design never changes. Settle it with the customer: they approve it as it is, or order it anew and you decline this one.',
      ],
      ...(!isApproved && { quote: withoutLinks(words) }),
      facts: facts(mailedOrder),
      button: { label: 'Look at the order', url: orderPage(context, mailedOrder) },
      why: `You get this because the order is with you at ${siteName(context)}.`,
    }),
  };
}
