import { z } from 'zod';
import { admin as adminPaths } from '../paths/admin.ts';
import { PLAN_IDS, SUBSCRIPTION_STATUSES } from '../words/plans.ts';
import { SECURITY_EVENT_KINDS, type SecurityEventKind } from '../words/securityEvents.ts';
import { AdminRoleName } from './auth.ts';
import { defineCalls } from './call.ts';
import { Email } from './forms.ts';

/** A mail as the administrator sees it. */
export const Mail = z.object({
  id: z.string(),
  kind: z.string(),
  to: z.string(),
  subject: z.string(),
  state: z
    .enum(['queued', 'sending', 'sent', 'failed', 'unknown', 'kept'])
    .describe(
      '`kept` means that no mail server is set up. `unknown` means that the connection broke after ' +
        'the text was sent; such a mail is not sent twice.',
    ),
  attempts: z.number().int(),
  lastError: z.string().nullable(),
  createdAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
});
export type Mail = z.output<typeof Mail>;

export const VectorizerStatus = z.object({
  currentMode: z.enum(['free', 'paid']),
  rateLimitMs: z.number().int().describe('The shortest time between two requests of one caller.'),
  credentials: z.object({ freeAvailable: z.boolean(), paidAvailable: z.boolean() }),
  system: z.object({ engine: z.string(), quality: z.string() }),
});
export type VectorizerStatus = z.output<typeof VectorizerStatus>;

export const AuditEntry = z.object({
  id: z.string(),
  email: z.string(),
  address: z.string().describe('The network address of the administrator.'),
  action: z.string().describe('The kind of thing and the action, for example `category.rename`.'),
  subject: z.string().describe('The name of the thing that was changed.'),
  detail: z.record(z.string(), z.unknown()).nullable(),
  createdAt: z.iso.datetime(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

const kindNames = Object.keys(SECURITY_EVENT_KINDS) as [SecurityEventKind, ...SecurityEventKind[]];

export const SecurityEventEntry = z.object({
  id: z.string(),
  kind: z.enum(kindNames),
  action: z.string().describe('What happened, for example `wrongPassword`.'),
  userId: z.number().int().nullable().describe('Null for an address that has no account.'),
  email: z.string(),
  address: z.string().describe('The network address of the caller. Empty where nobody called.'),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
  createdAt: z.iso.datetime(),
});
export type SecurityEventEntry = z.output<typeof SecurityEventEntry>;

/** Feedback as the administrator reads it. */
export const ReadFeedback = z.object({
  id: z.string(),
  userId: z.number().int().nullable().describe('The account of the sender. Null for a guest or a deleted account.'),
  name: z.string(),
  email: z.string(),
  feedback: z.string(),
  createdAt: z.iso.datetime(),
});
export type ReadFeedback = z.output<typeof ReadFeedback>;

export const WaitlistEntry = z.object({
  email: z.string(),
  createdAt: z.iso.datetime(),
  redeemedAt: z.iso.datetime().nullable().describe('The time the discount code was used. Null before that.'),
});
export type WaitlistEntry = z.output<typeof WaitlistEntry>;

const Count = z.number().int().nonnegative();

export const Overview = z.object({
  usersByPlan: z.record(z.enum(PLAN_IDS), Count).describe('A plan that has ended counts as free.'),
  activeSubscriptions: Count,
  signUps: z
    .array(z.object({ day: z.iso.date(), count: Count }))
    .describe('The last 30 days in UTC, the oldest first.'),
  exportsThisMonth: z
    .object({ vectors: Count, mockups: Count })
    .describe('The files that accounts made since the first of the month in UTC.'),
});
export type Overview = z.output<typeof Overview>;

export const UserEntry = z.object({
  id: z.number().int(),
  email: z.string(),
  plan: z.enum(PLAN_IDS),
  status: z.enum(SUBSCRIPTION_STATUSES),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().nullable().describe('To the hour. Null when the account has no session.'),
});
export type UserEntry = z.output<typeof UserEntry>;

export const StorageGauge = z.object({
  name: z.enum(['disk', 'total', 'guests', 'cache']),
  usedBytes: Count,
  limitBytes: Count,
  isNearlyFull: z.boolean().describe('True from 80 % on. The cache is never: it makes its own room.'),
});
export type StorageGauge = z.output<typeof StorageGauge>;

export const StorageOverview = z.object({
  freeBytes: Count.nullable().describe('What is free on the disk; null where the files are not on a disk.'),
  gauges: z.array(StorageGauge).describe('Everything that has a limit.'),
  kinds: z
    .array(z.object({ kind: z.string(), bytes: Count, files: Count }))
    .describe('The stored files by their kind, the largest first.'),
});
export type StorageOverview = z.output<typeof StorageOverview>;

export const StorageOwner = z.object({
  kind: z.enum(['account', 'network', 'site', 'cache']),
  name: z.string().describe('The address of an account, or the network of guests and unverified accounts.'),
  bytes: Count,
  files: Count,
});
export type StorageOwner = z.output<typeof StorageOwner>;

/** The cursor of a page: the `next` of the page before. */
const Cursor = z.string().max(400).optional();

export const AdministratorEntry = z.object({
  id: z.number().int(),
  email: z.string(),
  role: AdminRoleName,
  hasSecondFactor: z.boolean(),
  lastSeenAt: z.iso.datetime().nullable().describe('To the hour. Null when the account has no session.'),
});
export type AdministratorEntry = z.output<typeof AdministratorEntry>;

export const InvitationEntry = z.object({
  id: z.string(),
  email: z.string(),
  role: AdminRoleName,
  invitedBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type InvitationEntry = z.output<typeof InvitationEntry>;

const AccountId = z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) });
const Done = z.object({ ok: z.literal(true) });

export const admin = defineCalls(adminPaths, {
  vectorizerStatus: {
    summary: 'Read the state of the vectorizer',
    description: 'Returns the tier that traces, its pace, and the tiers that have credentials.',
    reply: VectorizerStatus,
  },
  toggleVectorizer: {
    summary: 'Switch the tier of the vectorizer',
    description: 'Switches between the built-in engine and the paid service. The audit trail records it.',
    reply: z.object({ message: z.string() }),
    errors: { 409: 'The paid tier has no credentials.' },
  },
  audit: {
    summary: 'List the actions of administrators',
    description: 'Returns the newest entries first, 50 a page, with the kinds of actions that exist.',
    query: z.object({ before: Cursor, kind: z.string().max(50).optional() }),
    reply: z.object({ entries: z.array(AuditEntry), kinds: z.array(z.string()), next: z.string().nullable() }),
  },
  administrators: {
    summary: 'List administrators',
    description: 'Returns the administrators with their roles, and the open invitations.',
    reply: z.object({ administrators: z.array(AdministratorEntry), invitations: z.array(InvitationEntry) }),
  },
  changeRole: {
    summary: 'Change the role of an administrator',
    description: 'Sets the role, from the next call of that person on. The first account stays an owner.',
    params: AccountId,
    body: z.object({ role: AdminRoleName }),
    reply: Done,
    errors: { 404: 'The account is no administrator.' },
  },
  removeAdministrator: {
    summary: 'Take the role of an administrator away',
    description: 'The account stays. The first account stays an owner.',
    params: AccountId,
    reply: Done,
    errors: { 404: 'The account is no administrator.' },
  },
  invite: {
    summary: 'Invite an administrator',
    description:
      'Mails a link that gives the account with this address a role, once and within seven days. A second invitation ' +
      'to an address replaces the first one.',
    body: z.object({ email: Email, role: AdminRoleName }),
    reply: Done,
    errors: { 409: 'The account is an administrator already.' },
  },
  withdrawInvitation: {
    summary: 'Take an invitation back',
    description: 'The link in its mail does not work any more.',
    params: z.object({ id: z.string().max(100) }),
    reply: Done,
    errors: { 404: 'The invitation is no longer open.' },
  },
  securityEvents: {
    summary: 'List security events',
    description:
      'Returns sign-ins, refusals and changes of accounts in the last 90 days, the newest first, 50 a page. `account` ' +
      'is the beginning of an address.',
    query: z.object({
      before: Cursor,
      kind: z.enum(kindNames).optional(),
      account: z.string().max(254).optional(),
    }),
    reply: z.object({ events: z.array(SecurityEventEntry), next: z.string().nullable() }),
  },
  feedback: {
    summary: 'List feedback',
    description: 'Returns the newest feedback first, 50 entries a page.',
    query: z.object({ before: Cursor }),
    reply: z.object({ feedback: z.array(ReadFeedback), next: z.string().nullable() }),
  },
  waitlist: {
    summary: 'List the waitlist',
    description: 'Returns the newest entries first, 50 a page, with the total.',
    query: z.object({ before: Cursor }),
    reply: z.object({ total: Count, entries: z.array(WaitlistEntry), next: z.string().nullable() }),
  },
  overview: {
    summary: 'Count accounts, subscriptions, sign-ups and files',
    description: 'Returns the numbers of the portal’s first page.',
    reply: Overview,
  },
  users: {
    summary: 'List accounts',
    description: 'Returns the accounts whose address begins with `email`, the newest first, 50 a page.',
    query: z.object({ email: z.string().max(254).optional(), before: z.coerce.number().int().optional() }),
    reply: z.object({ users: z.array(UserEntry), next: z.number().int().nullable() }),
  },
  endSessions: {
    summary: 'End the sessions of an account',
    description:
      'Signs an account out everywhere but in the session of this call, and returns the number of places. Only an ' +
      'owner may do it to an administrator.',
    params: AccountId,
    reply: z.object({ ended: Count }),
    errors: { 404: 'There is no such account.' },
  },
  storage: {
    summary: 'Read how full the storage is',
    description: 'Returns the free space, everything that has a limit, and the stored files by their kind.',
    reply: StorageOverview,
  },
  storageOwners: {
    summary: 'List who fills the storage',
    description: 'Returns accounts and networks, the largest first, 50 a page.',
    query: z.object({ before: Cursor }),
    reply: z.object({ owners: z.array(StorageOwner), next: z.string().nullable() }),
  },
  mails: {
    summary: 'List mails',
    description: 'Returns the newest mails first, 50 a page, without their text.',
    query: z.object({ before: Cursor }),
    reply: z.object({ mails: z.array(Mail), next: z.string().nullable() }),
  },
  mail: {
    summary: 'Read one mail',
    description: 'Returns a mail with its text and HTML.',
    params: z.object({ id: z.string().max(100) }),
    reply: Mail.extend({ text: z.string(), html: z.string() }),
    errors: { 404: 'There is no such mail.' },
  },
  resendMail: {
    summary: 'Send a mail again',
    description: 'Queues a mail that failed, that may not have arrived, or that was kept for lack of a mail server.',
    params: z.object({ id: z.string().max(100) }),
    reply: Mail,
    errors: {
      404: 'There is no such mail.',
      409: 'The mail was sent, is on its way, holds an expired link, or there is no mail server.',
    },
  },
});
