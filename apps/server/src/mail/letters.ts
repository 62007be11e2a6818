/** What our mails say. */
import type { Plan } from '@markwright/contract';
import type { Deps } from '../deps.ts';
import type { Letter } from './mail.ts';

const plain = (kind: string, to: string, subject: string, text: string): Letter => ({
  kind,
  to,
  subject,
  text,
  html: '',
});

export const verifyLetter = (deps: Deps, to: string, token: string): Letter =>
  plain('verify', to, 'Please confirm your address', `${deps.origin}/verify-email#token=${token}`);

export const welcomeLetter = (deps: Deps, to: string): Letter => plain('welcome', to, 'Welcome', deps.origin);

export const resetLetter = (deps: Deps, to: string, token: string): Letter =>
  plain('reset', to, 'Set a new password', `${deps.origin}/password-reset?token=${token}`);

export const passwordChangedLetter = (deps: Deps, to: string): Letter =>
  plain('passwordChanged', to, 'Your password was changed', deps.origin);

export const receiptLetter = (
  deps: Deps,
  to: string,
  receipt: { plan: Plan; paidCents: number; periodStart: Date; periodEnd: Date; key: string },
): Letter => ({ ...plain('receipt', to, `Your ${receipt.plan.name} plan`, deps.origin), key: receipt.key });

export const waitlistLetter = (_deps: Deps, to: string, code: string): Letter => ({
  ...plain('waitlist', to, 'Your place on the waitlist', code),
  key: `waitlist ${to}`,
});

export const feedbackLetter = (
  deps: Deps,
  said: { id: string; name: string; email: string; replyTo: string | undefined; feedback: string },
): Letter => ({ ...plain('feedback', deps.config.supportEmail, 'Feedback', said.feedback), replyTo: said.replyTo });
