import { z } from 'zod';
import { feedback as feedbackPaths } from '../paths/feedback.ts';
import { MAX_FEEDBACK_LENGTH } from '../words/feedback.ts';
import { messages } from '../words/messages.ts';
import { defineCalls } from './call.ts';
import { WaitlistRequest } from './forms.ts';
import { StorableText } from './text.ts';

export const Feedback = z.object({
  name: StorableText.max(120, 'Please keep the name under 120 characters.').describe(
    'An empty name is sent as `Anonymous`.',
  ),
  email: StorableText.max(254, messages.invalidEmail).describe('An empty address is sent as `No email provided`.'),
  feedback: StorableText.min(1, messages.feedbackRequired.description).max(
    MAX_FEEDBACK_LENGTH,
    `Please keep it under ${MAX_FEEDBACK_LENGTH} characters.`,
  ),
});
export type Feedback = z.output<typeof Feedback>;

export const feedback = defineCalls(feedbackPaths, {
  send: {
    summary: 'Send feedback',
    description: 'Stores feedback and mails it to the support address.',
    body: Feedback,
    reply: z.object({ ok: z.literal(true) }),
    errors: { 429: 'Too much feedback from this address, or too many calls.' },
  },
  joinWaitlist: {
    summary: 'Join the waitlist',
    description: 'Puts an address on the waitlist and mails its discount code. A repeated call changes nothing.',
    body: WaitlistRequest,
    reply: z.object({ ok: z.literal(true) }),
    errors: { 429: 'Too many entries from this address, or too many calls.' },
  },
});
