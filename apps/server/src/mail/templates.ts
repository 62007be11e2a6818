/** Mail templates. Every link begins with the origin that the operator set up, never with a caller's input. */
import {
  ADMIN_ROLES,
  type AdminRole,
  type Plan,
  plans,
  WAITLIST_CODE_YEARS,
  WAITLIST_OFFER,
} from '@markwright/contract';
import type { Context } from '../platform/context.ts';
import { renderMail } from './layout.ts';
import type { MailMessage } from './mail.ts';

/** The token of a secret link, and its expiry. */
interface TokenLink {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Contains the link that verifies an address. */
export function verifyMail(context: Context, to: string, { token, expiresAt }: TokenLink): MailMessage {
  return {
    kind: 'verify',
    to,
    subject: 'Confirm your address',
    secretUntil: expiresAt,
    ...renderMail({
      heading: 'Confirm your address',
      paragraphs: [
        'You opened a Markwright account with this address. Confirm it, and receipts and password links are sure to reach you.',
      ],
      button: { label: 'Confirm address', url: `${context.origin}/verify-email#token=${token}` },
      closing: ['The link is good for three days. Your profile sends a new one at any time.'],
      why: `You get this because ${to} was used to sign up at ${siteName(context)}. If that was not you, ignore it.`,
    }),
  };
}

/** Goes out once, when the address has been verified. */
export function welcomeMail(context: Context, to: string): MailMessage {
  const { free, starter } = plans;
  return {
    kind: 'welcome',
    to,
    subject: 'Welcome to the workshop',
    ...renderMail({
      heading: 'Your bench is clear',
      paragraphs: [
        'Start with the worst picture a customer ever sent you. Pick the blank it goes on, upload it, and look at the outline we draw: closed paths, at the size you will cut.',
        `A free account makes ${free.mockups} mockups a month, with our watermark. Files for the machine come with a plan, from ${dollars(starter.priceCents)} a month.`,
      ],
      button: { label: 'Open the studio', url: `${context.origin}/studio` },
      closing: [`Something in your way? Write to ${context.config.supportEmail}. A person reads it.`],
      why: `You get this once, because ${to} was confirmed at ${siteName(context)}.`,
    }),
  };
}

/** Returns the address of the page that sets a new password. The token stands where no server sees it. */
export const resetUrl = ({ origin }: Pick<Context, 'origin'>, token: string): string =>
  `${origin}/password-reset#token=${token}`;

/** Contains the link that sets a new password. */
export function resetMail(context: Context, to: string, { token, expiresAt }: TokenLink): MailMessage {
  return {
    kind: 'reset',
    to,
    subject: 'Set a new password',
    secretUntil: expiresAt,
    ...renderMail({
      heading: 'Set a new password',
      paragraphs: [
        'Here is the link you asked for. It works once, within 30 minutes. Setting a new password signs you out everywhere.',
      ],
      button: { label: 'Set password', url: resetUrl(context, token) },
      closing: ['You did not ask for it? Then nothing has changed: your password stays as it is.'],
      why: `You get this because a new password was asked for at ${siteName(context)} for ${to}.`,
    }),
  };
}

/** Goes out after every change of the password. */
export function passwordChangedMail(context: Context, to: string): MailMessage {
  const now = context.now();
  return {
    kind: 'passwordChanged',
    to,
    subject: 'Your password was changed',
    ...renderMail({
      heading: 'Your password was changed',
      paragraphs: [
        `It happened on ${day(now)} at ${now.toISOString().slice(11, 16)} UTC. Other places you were signed in at have been signed out.`,
        'If it was you, there is nothing to do. If it was not, take your account back now:',
      ],
      button: { label: 'Set another password', url: `${context.origin}/password-reset` },
      closing: [`Then tell us at ${context.config.supportEmail}.`],
      why: `You get this whenever the password of ${to} changes at ${siteName(context)}.`,
    }),
  };
}

/** Contains the link that makes an account an administrator. */
export function invitationMail(
  context: Context,
  to: string,
  { token, expiresAt, role, invitedBy }: TokenLink & { readonly role: AdminRole; readonly invitedBy: string },
): MailMessage {
  const { name, text } = ADMIN_ROLES[role];
  return {
    kind: 'invitation',
    to,
    subject: `You are invited to help run ${siteName(context)}`,
    secretUntil: expiresAt,
    ...renderMail({
      heading: 'You are invited to the Admin Portal',
      paragraphs: [`${invitedBy} asks you to help run ${siteName(context)}.`],
      facts: [
        ['Role', name],
        ['It includes', text],
      ],
      button: { label: 'See the invitation', url: `${context.origin}/invitation#token=${token}` },
      closing: ['The link works once, within seven days, for an account with this address.'],
      why: `You get this because ${invitedBy} wrote your address into the portal of ${siteName(context)}.`,
    }),
  };
}

const secondFactorWords = {
  on: ['Your second factor is on', 'From now on, signing in asks for a code of your authenticator app.'],
  off: ['Your second factor is off', 'From now on, signing in asks for your password alone.'],
  recoveryCodesRenewed: ['You have new recovery codes', 'The recovery codes from before do not work any more.'],
} as const;

/** Goes out after every change of the second factor. */
export function secondFactorMail(context: Context, to: string, change: keyof typeof secondFactorWords): MailMessage {
  const [heading, text] = secondFactorWords[change];
  return secondFactorNotice(context, to, heading, text);
}

/** Goes out when a recovery code was used, and says how many are left. */
export function recoveryCodeMail(context: Context, to: string, leftCount: number): MailMessage {
  const left = leftCount === 1 ? '1 recovery code is left.' : `${leftCount} recovery codes are left.`;
  const text = `It stood in for your authenticator app, and does not work again. ${left} Your profile makes new ones.`;
  return secondFactorNotice(context, to, 'A recovery code was used', text);
}

function secondFactorNotice(context: Context, to: string, heading: string, text: string): MailMessage {
  const now = context.now();
  return {
    kind: 'secondFactor',
    to,
    subject: heading,
    ...renderMail({
      heading,
      paragraphs: [
        `It happened on ${day(now)} at ${now.toISOString().slice(11, 16)} UTC. ${text}`,
        'If it was you, there is nothing to do. If it was not, take your account back now:',
      ],
      button: { label: 'Set another password', url: `${context.origin}/password-reset` },
      closing: [`Then tell us at ${context.config.supportEmail}.`],
      why: `You get this whenever the second factor of ${to} changes or a recovery code is used at ${siteName(context)}.`,
    }),
  };
}

/** Goes out for each payment. `key` identifies the payment. */
export function receiptMail(
  context: Context,
  to: string,
  receipt: { plan: Plan; paidCents: number; periodStart: Date; periodEnd: Date; key: string },
): MailMessage {
  const { plan, paidCents, periodStart, periodEnd, key } = receipt;
  const takenOff = plan.priceCents - paidCents;
  const isTest = context.payments.kind === 'test';
  return {
    kind: 'receipt',
    to,
    key,
    subject: `${isTest ? 'Test receipt' : 'Receipt'}: ${plan.name}, ${dollars(paidCents)}`,
    ...renderMail({
      heading: isTest ? `A test receipt over ${dollars(paidCents)}` : `We received ${dollars(paidCents)}. Thank you.`,
      paragraphs: [
        `${plan.name} gives you ${plan.vectors} production exports and ${plan.mockups} mockups until ${day(periodEnd)}.`,
        ...(isTest ? ['This server takes no payments yet: the checkout was a test, and no money moved.'] : []),
      ],
      facts: [
        ['Plan', plan.name],
        ['Price', `${dollars(plan.priceCents)} a month`],
        ...(takenOff > 0 ? [['Taken off', `−${dollars(takenOff)}`] as const] : []),
        ['Paid', dollars(paidCents)],
        ['Period', `${day(periodStart)} to ${day(periodEnd)}`],
        ['Renews', day(periodEnd)],
      ],
      button: { label: 'See your plan', url: `${context.origin}/profile/plan` },
      closing: ['Change or cancel there at any time. A canceled plan runs to the end of its period.'],
      why: `You get a receipt for every payment of ${to} at ${siteName(context)}.`,
    }),
  };
}

/** Goes out once for an address on the waitlist. */
export function waitlistMail(context: Context, to: string, code: string): MailMessage {
  const { percentOff, months } = WAITLIST_OFFER;
  return {
    kind: 'waitlist',
    to,
    key: `waitlist ${to}`,
    subject: 'You are on the list. Here is your code',
    ...renderMail({
      heading: 'You are on the list',
      paragraphs: [
        `This code takes ${percentOff}% off any plan for your first ${months} months. It works once, within ${WAITLIST_CODE_YEARS} years.`,
      ],
      code,
      button: { label: 'See the plans', url: `${context.origin}/plans` },
      closing: [
        `What do you make, and on which machine? Tell us at ${context.origin}/feedback: it decides what we build next.`,
      ],
      why: `You get this once, because ${to} was put on the waitlist at ${siteName(context)}. If that was not you, ignore it: no other mail follows.`,
    }),
  };
}

/** Goes to the support mailbox. `replyTo` is a validated address. */
export function feedbackMail(
  context: Context,
  entry: {
    id: string;
    name: string;
    email: string;
    userId: number | null;
    replyTo: string | undefined;
    feedback: string;
  },
): MailMessage {
  const { id, name, email, userId, replyTo, feedback } = entry;
  return {
    kind: 'feedback',
    to: context.config.supportEmail,
    replyTo,
    key: `feedback ${id}`,
    subject: `Feedback from ${name}`,
    ...renderMail({
      heading: `Feedback from ${name}`,
      paragraphs: [],
      quote: feedback,
      facts: [
        ['Email', email],
        ['Account', userId === null ? 'not signed in' : `number ${userId}`],
      ],
      why: replyTo
        ? `Sent from the feedback page of ${siteName(context)}. An answer goes to ${replyTo}.`
        : `Sent from the feedback page of ${siteName(context)}, without an address to answer to.`,
    }),
  };
}

/**
 * Goes to a maker, from somebody who found the page. `replyTo` is a validated address; the other text comes from a
 * stranger.
 */
export function makerMessageMail(
  context: Context,
  to: string,
  letter: { id: string; name: string; replyTo: string; message: string; designLink: string; maker: string },
): MailMessage {
  const { id, name, replyTo, message, designLink, maker } = letter;
  // Only links to this site stay links.
  const isOurs = designLink.startsWith(`${context.origin}/`);
  return {
    kind: 'makerMessage',
    to,
    replyTo,
    key: `maker message ${id}`,
    subject: `${withoutLinks(name)} wrote to ${maker}`,
    ...renderMail({
      heading: 'Somebody found your page',
      paragraphs: [`${withoutLinks(name)} wrote to ${maker}. Answer this mail, and your answer goes to them.`],
      quote: withoutLinks(message),
      facts: [
        ['From', withoutLinks(name)],
        ['Answer to', replyTo],
        ...(designLink ? [['Design', isOurs ? designLink : withoutLinks(designLink)] as const] : []),
      ],
      closing: [
        'Links in a stranger’s words are written with [.], so that none is opened by mistake. Your own address was not shown.',
      ],
      why: `You get this because your page is listed among the local makers of ${siteName(context)}. Your profile takes it out at any time.`,
    }),
  };
}

/**
 * Returns text in which no mail program finds a link: `https[:]//shop[.]example`. Mail addresses stay readable the same
 * way.
 */
export function withoutLinks(text: string): string {
  return text.replace(/(\w):(?=\/\/)/g, '$1[:]').replace(/(?<=[\p{L}\p{N}-])\.(?=[\p{L}\p{N}])/gu, '[.]');
}

const siteName = (context: Context): string => new URL(context.origin).host;

/** Formats cents: `$19.50`, and `$9` for whole dollars. */
const dollars = (cents: number): string => `$${(cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)}`;

/** One formatter for all mails: to create one takes longer than to write the mail. */
const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a date in UTC: `21 Nov 2026`. */
const day = (date: Date): string => dayFormat.format(date);
