import { z } from 'zod';
import { messages } from '../words/messages.ts';
import { call } from './call.ts';
import { Words } from './text.ts';

export const MAX_FEEDBACK_LENGTH = 5000;

export const Feedback = z.object({
  /** Empty is sent as `Anonymous`. */
  name: Words.max(120, 'Please keep the name under 120 characters.'),
  /** Empty is sent as `No email provided`. */
  email: Words.max(254, messages.invalidEmail),
  feedback: Words.min(1, messages.feedbackRequired.description).max(
    MAX_FEEDBACK_LENGTH,
    `Please keep it under ${MAX_FEEDBACK_LENGTH} characters.`,
  ),
});
export type Feedback = z.output<typeof Feedback>;
export const NO_NAME = 'Anonymous';
export const NO_EMAIL = 'No email provided';

/** The page checks it too, before it sends anything. */
export const WaitlistRequest = z.object({ email: z.email(messages.invalidEmail).max(254, messages.invalidEmail) });

export const feedback = {
  send: call({
    method: 'POST',
    path: '/api/send-feedback',
    access: 'anyone',
    summary: 'Stores feedback and mails it to the support mailbox',
    body: Feedback,
    reply: z.object({ ok: z.literal(true) }),
  }),
  joinWaitlist: call({
    method: 'POST',
    path: '/api/waitlist',
    access: 'anyone',
    summary: 'Puts an address on the waitlist and mails its discount code; twice is once',
    body: WaitlistRequest,
    reply: z.object({ ok: z.literal(true) }),
  }),
};
