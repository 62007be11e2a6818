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
  emailVerified: z.boolean().describe('True when the person has followed the link that was mailed to the address.'),
  subscriptionPlan: z.enum(PLAN_IDS),
  subscriptionStatus: z.string().describe('`active`, `past_due` or `inactive`.'),
  isAdmin: z.boolean(),
});
export type User = z.output<typeof User>;

/** One session of the account. */
export const SessionInfo = z.object({
  id: z.string(),
  device: z.string().describe('The browser and system as the browser names them, for example `Firefox on Windows`.'),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  isCurrent: z.boolean(),
});
export type SessionInfo = z.output<typeof SessionInfo>;

const TokenReply = z.object({ token: z.string() });
const OkReply = z.object({ ok: z.literal(true) });
/** A sentence for the person, for example that a mail is on its way. */
const MessageReply = z.object({ message: z.string() });
/** A token from a mail: 256 random bits in base64url. The answer to a wrong token is the same as to an expired one. */
const MailedToken = z.string().min(1, messages.invalidResetLink.description).max(200);

export const auth = defineCalls(authPaths, {
  me: { summary: 'Read the signed-in account', description: 'Returns the account of the bearer token.', reply: User },
  login: {
    summary: 'Sign in',
    description: 'Returns a bearer token for the account. The artworks of this guest become the account’s.',
    body: Credentials,
    reply: TokenReply,
    errors: {
      401: 'Email and password do not match an account, or the guest token is forged.',
      429: 'Too many tries for this address or account, or too many calls.',
    },
  },
  signup: {
    summary: 'Create an account',
    description:
      'Creates an account, signs it in and mails a link that verifies the address. The artworks of ' +
      'this guest become the account’s.',
    body: Credentials,
    reply: TokenReply,
    errors: { 409: 'An account with this email exists.' },
  },
  logout: {
    summary: 'Sign out',
    description: 'Ends the session of the bearer token.',
    reply: OkReply,
  },
  changePassword: {
    summary: 'Change the password',
    description: 'Sets a new password, ends every other session and mails a notice.',
    body: z.object({ currentPassword: z.string().max(MAX_PASSWORD_LENGTH), newPassword: Password }),
    reply: OkReply,
  },
  forgotPassword: {
    summary: 'Ask for a password reset',
    description: 'Mails a reset link when the account exists. The reply is the same when it does not.',
    body: z.object({ email: Email }),
    reply: MessageReply,
  },
  resetPassword: {
    summary: 'Reset the password',
    description:
      'Sets a new password with the token of a reset mail, which is good once and for 30 minutes. Ends every session.',
    body: z.object({ token: MailedToken, password: Password }),
    reply: z.object({
      token: z.string().optional().describe('This server returns none: the person signs in with the new password.'),
    }),
  },
  verifyEmail: {
    summary: 'Verify an email address',
    description: 'Marks an address as verified with the token of a mail.',
    body: z.object({ token: MailedToken }),
    reply: z.object({ email: z.string() }),
  },
  resendVerification: {
    summary: 'Send the verification mail again',
    description: 'Mails the link that verifies the address of the account.',
    reply: MessageReply,
  },
  sessions: {
    summary: 'List sessions',
    description: 'Returns the places where the account is signed in, this one first.',
    reply: z.array(SessionInfo),
  },
  endSession: {
    summary: 'End a session',
    description: 'Signs one place out.',
    params: z.object({ id: z.string().max(100) }),
    reply: OkReply,
    errors: { 404: 'The session does not exist or has ended.' },
  },
  endOtherSessions: {
    summary: 'End the other sessions',
    description: 'Signs every other place out and returns their number.',
    reply: z.object({ ended: z.number().int() }),
  },
});
