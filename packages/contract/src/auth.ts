import { z } from 'zod';
import { call } from './call.ts';
import { messages } from './messages.ts';
import { PlanId } from './plans.ts';

export const MIN_PASSWORD_LENGTH = 6;

/** What the login and sign-up forms check, on both sides. */
export const Credentials = z.object({
  email: z.email(messages.invalidEmail).max(254, messages.invalidEmail),
  password: z
    .string()
    .min(MIN_PASSWORD_LENGTH, messages.shortPassword)
    .max(128, 'Password must be at most 128 characters'),
});
export type Credentials = z.output<typeof Credentials>;

export const User = z.object({
  id: z.number().int(),
  email: z.string(),
  username: z.string(),
  createdAt: z.iso.datetime(),
  subscriptionPlan: PlanId,
  subscriptionStatus: z.string(),
  isAdmin: z.boolean(),
});
export type User = z.output<typeof User>;

const Token = z.object({ token: z.string() });

export const auth = {
  me: call({ method: 'GET', path: '/api/auth/me', access: 'user', summary: 'The signed-in account', reply: User }),
  login: call({
    method: 'POST',
    path: '/api/auth/login',
    access: 'anyone',
    summary: 'Signs in',
    body: Credentials,
    reply: Token,
  }),
  signup: call({
    method: 'POST',
    path: '/api/auth/signup',
    access: 'anyone',
    summary: 'Creates an account and signs in',
    body: Credentials,
    reply: Token,
  }),
  logout: call({
    method: 'POST',
    path: '/api/auth/logout',
    access: 'user',
    summary: 'Ends this session',
    reply: z.object({ ok: z.literal(true) }),
  }),
};
