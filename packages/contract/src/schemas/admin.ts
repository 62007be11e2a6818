import { z } from 'zod';
import { admin as adminPaths } from '../paths/admin.ts';
import { PLAN_IDS, SUBSCRIPTION_STATUSES } from '../words/plans.ts';
import { defineCalls } from './call.ts';

/** A mail as the administrator sees it. */
export const Mail = z.object({
  id: z.string(),
  kind: z.string(),
  to: z.string(),
  subject: z.string(),
  /** `kept`: there is no mail server. `unknown`: the connection broke after the text was sent; it is not sent twice. */
  state: z.enum(['queued', 'sending', 'sent', 'failed', 'unknown', 'kept']),
  attempts: z.number().int(),
  lastError: z.string().nullable(),
  createdAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
});
export type Mail = z.output<typeof Mail>;

export const VectorizerStatus = z.object({
  currentMode: z.enum(['free', 'paid']),
  /** Between two requests of one caller. */
  rateLimitMs: z.number().int(),
  credentials: z.object({ freeAvailable: z.boolean(), paidAvailable: z.boolean() }),
  system: z.object({ engine: z.string(), quality: z.string() }),
});
export type VectorizerStatus = z.output<typeof VectorizerStatus>;

export const AuditEntry = z.object({
  id: z.string(),
  email: z.string(),
  /** The network address it was done from. */
  address: z.string(),
  /** `kind.deed`, e.g. `category.rename` */
  action: z.string(),
  /** What it was done to, in words. */
  subject: z.string(),
  detail: z.record(z.string(), z.unknown()).nullable(),
  createdAt: z.iso.datetime(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

/** Feedback as the administrator reads it. */
export const ReadFeedback = z.object({
  id: z.string(),
  /** The account it came from, while there is one. */
  userId: z.number().int().nullable(),
  name: z.string(),
  email: z.string(),
  feedback: z.string(),
  createdAt: z.iso.datetime(),
});
export type ReadFeedback = z.output<typeof ReadFeedback>;

export const WaitlistEntry = z.object({
  email: z.string(),
  createdAt: z.iso.datetime(),
  /** When its discount code was used. */
  redeemedAt: z.iso.datetime().nullable(),
});
export type WaitlistEntry = z.output<typeof WaitlistEntry>;

const Count = z.number().int().nonnegative();

export const Overview = z.object({
  /** A plan that is over counts as free. */
  usersByPlan: z.record(z.enum(PLAN_IDS), Count),
  activeSubscriptions: Count,
  /** The last 30 days in UTC, the oldest first. */
  signUps: z.array(z.object({ day: z.iso.date(), count: Count })),
  /** Files of accounts since the first of the month in UTC. */
  exportsThisMonth: z.object({ vectors: Count, mockups: Count }),
});
export type Overview = z.output<typeof Overview>;

export const UserEntry = z.object({
  id: z.number().int(),
  email: z.string(),
  plan: z.enum(PLAN_IDS),
  status: z.enum(SUBSCRIPTION_STATUSES),
  createdAt: z.iso.datetime(),
  /** To the hour; null where they are signed in nowhere. */
  lastSeenAt: z.iso.datetime().nullable(),
});
export type UserEntry = z.output<typeof UserEntry>;

/** Where a list goes on: the `next` of the page before. */
const Before = z.string().max(400).optional();

export const admin = defineCalls(adminPaths, {
  vectorizerStatus: {
    summary: 'Which tier of the vectorizer traces, its pace, and which tiers have credentials',
    reply: VectorizerStatus,
  },
  toggleVectorizer: {
    summary: 'Switches to the other tier of the vectorizer',
    reply: z.object({ message: z.string() }),
  },
  audit: {
    summary: 'What administrators did, newest first, 50 at a time; and which kinds of actions there are',
    query: z.object({ before: Before, kind: z.string().max(50).optional() }),
    reply: z.object({ entries: z.array(AuditEntry), kinds: z.array(z.string()), next: z.string().nullable() }),
  },
  feedback: {
    summary: 'What people wrote, newest first, 50 at a time',
    query: z.object({ before: Before }),
    reply: z.object({ feedback: z.array(ReadFeedback), next: z.string().nullable() }),
  },
  waitlist: {
    summary: 'Who is on the waitlist, newest first, 50 at a time',
    query: z.object({ before: Before }),
    reply: z.object({ total: Count, entries: z.array(WaitlistEntry), next: z.string().nullable() }),
  },
  overview: {
    summary: 'How many accounts, subscriptions, sign-ups and files there are',
    reply: Overview,
  },
  users: {
    summary: 'Accounts by the beginning of their address, newest first, 50 at a time',
    query: z.object({ email: z.string().max(254).optional(), before: z.coerce.number().int().optional() }),
    reply: z.object({ users: z.array(UserEntry), next: z.number().int().nullable() }),
  },
  mails: {
    summary: 'The newest mails, newest first, 50 at a time',
    query: z.object({ before: Before }),
    reply: z.object({ mails: z.array(Mail), next: z.string().nullable() }),
  },
  mail: {
    summary: 'One mail with its text',
    params: z.object({ id: z.string().max(100) }),
    reply: Mail.extend({ text: z.string(), html: z.string() }),
  },
  resendMail: {
    summary: 'Sends a failed, doubtful or kept mail again',
    params: z.object({ id: z.string().max(100) }),
    reply: Mail,
  },
});
