import { z } from 'zod';
import { auth as authPaths } from '../paths/auth.ts';
import { messages } from '../words/messages.ts';
import { MAX_PASSWORD_LENGTH } from '../words/passwords.ts';
import { PLAN_IDS } from '../words/plans.ts';
import { defineCalls } from './call.ts';
import { Credentials, Email, Password } from './forms.ts';

export const User = z.object({
  id: z.number().int(),
  email: z.string(),
  username: z.string(),
  createdAt: z.iso.datetime(),
  /** Whether the person has followed the link we sent to the address. */
  emailVerified: z.boolean(),
  subscriptionPlan: z.enum(PLAN_IDS),
  /** `active`, or anything else: see `SubscriptionStatus`. */
  subscriptionStatus: z.string(),
  isAdmin: z.boolean(),
});
export type User = z.output<typeof User>;

/** One place the account is signed in. */
export const SessionInfo = z.object({
  id: z.string(),
  /** `Firefox on Windows`, as far as the browser says. */
  device: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  isCurrent: z.boolean(),
});
export type SessionInfo = z.output<typeof SessionInfo>;

const Token = z.object({ token: z.string() });
const Done = z.object({ ok: z.literal(true) });
/** Sentences for the person, e.g. that a mail is on its way. */
const Said = z.object({ message: z.string() });
/** A token out of a mail: 256 random bits in base64url. A wrong one is answered like an outdated one. */
const MailedToken = z.string().min(1, messages.invalidResetLink.description).max(200);

export const auth = defineCalls(authPaths, {
  me: { summary: 'The signed-in account', reply: User },
  login: {
    summary: 'Signs in',
    body: Credentials,
    reply: Token,
  },
  signup: {
    summary: 'Creates an account and signs in; a mail asks to verify the address',
    body: Credentials,
    reply: Token,
  },
  logout: {
    summary: 'Ends this session',
    reply: Done,
  },
  changePassword: {
    summary: 'Sets a new password and ends every other session; a mail tells of it',
    body: z.object({ currentPassword: z.string().max(MAX_PASSWORD_LENGTH), newPassword: Password }),
    reply: Done,
  },
  forgotPassword: {
    summary: 'Mails a reset link when there is such an account; the answer is the same when there is not',
    body: z.object({ email: Email }),
    reply: Said,
  },
  resetPassword: {
    summary: 'Sets a new password with a token from a mail: once, within 30 minutes. Ends every session',
    body: z.object({ token: MailedToken, password: Password }),
    /** Our server gives no token: the person signs in with the new password. A page must cope with one. */
    reply: z.object({ token: z.string().optional() }),
  },
  verifyEmail: {
    summary: 'Marks an address as verified with a token from a mail',
    body: z.object({ token: MailedToken }),
    reply: z.object({ email: z.string() }),
  },
  resendVerification: {
    summary: 'Mails the link that verifies the address once more',
    reply: Said,
  },
  sessions: {
    summary: 'Where the account is signed in, this place first',
    reply: z.array(SessionInfo),
  },
  endSession: {
    summary: 'Signs one place out',
    params: z.object({ id: z.string().max(100) }),
    reply: Done,
  },
  endOtherSessions: {
    summary: 'Signs every other place out',
    reply: z.object({ ended: z.number().int() }),
  },
});
