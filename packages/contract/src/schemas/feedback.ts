import { z } from 'zod';
import { feedback as feedbackPaths } from '../paths/feedback.ts';
import { MAX_FEEDBACK_LENGTH } from '../words/feedback.ts';
import { messages } from '../words/messages.ts';
import { defineCalls } from './call.ts';
import { WaitlistRequest } from './forms.ts';
import { StorableText } from './text.ts';

export const Feedback = z.object({
  /** Empty is sent as `Anonymous`. */
  name: StorableText.max(120, 'Please keep the name under 120 characters.'),
  /** Empty is sent as `No email provided`. */
  email: StorableText.max(254, messages.invalidEmail),
  feedback: StorableText.min(1, messages.feedbackRequired.description).max(
    MAX_FEEDBACK_LENGTH,
    `Please keep it under ${MAX_FEEDBACK_LENGTH} characters.`,
  ),
});
export type Feedback = z.output<typeof Feedback>;

export const feedback = defineCalls(feedbackPaths, {
  send: {
    summary: 'Stores feedback and mails it to the support mailbox',
    body: Feedback,
    reply: z.object({ ok: z.literal(true) }),
  },
  joinWaitlist: {
    summary: 'Puts an address on the waitlist and mails its discount code; twice is once',
    body: WaitlistRequest,
    reply: z.object({ ok: z.literal(true) }),
  },
});
