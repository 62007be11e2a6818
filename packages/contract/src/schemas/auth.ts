import { z } from 'zod';
import { auth as authPaths } from '../paths/auth.ts';
import { messages } from '../words/messages.ts';
import { MAX_PASSWORD_LENGTH } from '../words/passwords.ts';
import { PLAN_IDS } from '../words/plans.ts';
import { ADMIN_ROLE_NAMES } from '../words/roles.ts';
import { defineCalls } from './call.ts';
import { Credentials, Email, Password } from './forms.ts';

export const AdminRoleName = z.enum(ADMIN_ROLE_NAMES);

export const User = z.object({
  id: z.number().int(),
  email: z.string(),
  username: z.string(),
  createdAt: z.iso.datetime(),
  emailVerified: z.boolean().describe('True when the person has followed the link that was mailed to the address.'),
  subscriptionPlan: z.enum(PLAN_IDS),
  subscriptionStatus: z.string().describe('`active`, `past_due` or `inactive`.'),
  isAdmin: z.boolean(),
  adminRole: AdminRoleName.nullable().describe('Null for an account without a role.'),
  needsSecondFactor: z.boolean().describe('True for an administrator who has to set up a second factor first.'),
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

/** A code of an authenticator app, six digits, or a recovery code. Spaces and hyphens do not count. */
const SecondFactorCode = z.string().min(1).max(40);
/** The code for a change that asks for one where a second factor is in use. */
export const OptionalCode = SecondFactorCode.optional().describe('Needed where a second factor is in use.');
/** The proof that a change of the second factor needs. A code of it is used up. */
const SecondFactorProof = z.object({ password: z.string().max(MAX_PASSWORD_LENGTH), code: SecondFactorCode });
/** The meaning of 429 where password and code are asked for. */
export const TOO_MANY_PROOFS = 'Too many passwords or codes were tried, or too many calls.';
const RecoveryCodesReply = z.object({
  recoveryCodes: z.array(z.string()).describe('Returned this once. Each works once.'),
});

export const SecondFactorState = z.object({
  isOn: z.boolean(),
  recoveryCodesLeft: z.number().int().nonnegative(),
});
export type SecondFactorState = z.output<typeof SecondFactorState>;

export const SecondFactorSetup = z.object({
  secret: z.string().describe('The secret in base32, for typing it in.'),
  uri: z.string().describe('The `otpauth:` address, for an app on the same device.'),
  qr: z
    .object({ path: z.string(), size: z.number().int() })
    .describe('The QR code of the address: SVG path data of its dark modules, and its modules a side.'),
});
export type SecondFactorSetup = z.output<typeof SecondFactorSetup>;

export const auth = defineCalls(authPaths, {
  me: { summary: 'Read the signed-in account', description: 'Returns the account of the bearer token.', reply: User },
  login: {
    summary: 'Sign in',
    description:
      'Returns a bearer token for the account. The artworks of this guest become the account’s. An account with a ' +
      'second factor gets a `pendingToken` instead, which `/api/auth/login/code` takes within ten minutes.',
    body: Credentials,
    reply: z.object({ token: z.string().optional(), pendingToken: z.string().optional() }),
    errors: {
      401: 'Email and password do not match an account, or the guest token is forged.',
      429: 'Too many tries for this address or account, or too many calls.',
    },
  },
  completeLogin: {
    summary: 'Complete a sign-in with the second factor',
    description:
      'Takes the pending token of a sign-in with a code of the authenticator app or a recovery code, and returns a ' +
      'bearer token. Each code works once.',
    body: z.object({ pendingToken: z.string().min(1).max(200), code: SecondFactorCode }),
    reply: TokenReply,
    errors: {
      401: 'The code is wrong or was used, or the sign-in took too long.',
      429: 'Too many codes were tried for this account, or too many calls.',
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
    body: z.object({
      currentPassword: z.string().max(MAX_PASSWORD_LENGTH),
      newPassword: Password,
      code: OptionalCode,
    }),
    reply: OkReply,
    errors: { 429: TOO_MANY_PROOFS },
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
  secondFactor: {
    summary: 'Read the state of the second factor',
    description: 'Returns whether a second factor is in use, and how many recovery codes are left.',
    reply: SecondFactorState,
  },
  setUpSecondFactor: {
    summary: 'Set up a second factor',
    description:
      'Creates a secret for an authenticator app. It is not in use before a first code confirms it; until then a new ' +
      'setup replaces it.',
    body: z.object({ password: z.string().max(MAX_PASSWORD_LENGTH) }),
    reply: SecondFactorSetup,
    errors: { 409: 'A second factor is in use.' },
  },
  confirmSecondFactor: {
    summary: 'Put the second factor in use',
    description: 'Takes a first code of the authenticator app and returns ten recovery codes.',
    body: z.object({ code: SecondFactorCode }),
    reply: RecoveryCodesReply,
    errors: { 409: 'There is no setup to confirm.', 429: 'Too many codes were tried, or too many calls.' },
  },
  renewRecoveryCodes: {
    summary: 'Replace the recovery codes',
    description: 'Returns ten new recovery codes. Those from before do not work any more.',
    body: SecondFactorProof,
    reply: RecoveryCodesReply,
    errors: { 409: 'No second factor is in use.', 429: TOO_MANY_PROOFS },
  },
  disableSecondFactor: {
    summary: 'Take the second factor out of use',
    description: 'Deletes the secret and the recovery codes, and mails a notice.',
    body: SecondFactorProof,
    reply: OkReply,
    errors: { 409: 'No second factor is in use.', 429: TOO_MANY_PROOFS },
  },
  invitation: {
    summary: 'Read an invitation',
    description: 'Returns what the token of an invitation mail offers, without using it up.',
    body: z.object({ token: MailedToken }),
    reply: z.object({ email: z.string(), role: AdminRoleName, invitedBy: z.string() }),
  },
  acceptInvitation: {
    summary: 'Accept an invitation',
    description:
      'Makes the account an administrator with the role of the invitation, which works once. Ends the other sessions ' +
      'of the account.',
    body: z.object({ token: MailedToken }),
    reply: z.object({ role: AdminRoleName }),
    errors: { 403: 'The invitation is for another address.' },
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
