import { z } from 'zod';
import { call } from './call.ts';

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

export const admin = {
  vectorizerStatus: call({
    method: 'GET',
    path: '/api/admin/vectorizer-status',
    access: 'admin',
    summary: 'Which tier of the vectorizer traces, its pace, and which tiers have credentials',
    reply: VectorizerStatus,
  }),
  toggleVectorizer: call({
    method: 'POST',
    path: '/api/admin/toggle-vectorizer',
    access: 'admin',
    summary: 'Switches to the other tier of the vectorizer',
    reply: z.object({ message: z.string() }),
  }),
  mails: call({
    method: 'GET',
    path: '/api/admin/mails',
    access: 'admin',
    summary: 'The newest mails, newest first, 50 at a time',
    query: z.object({ before: z.string().max(100).optional() }),
    reply: z.object({ mails: z.array(Mail), next: z.string().nullable() }),
  }),
  mail: call({
    method: 'GET',
    path: '/api/admin/mails/:id',
    access: 'admin',
    summary: 'One mail with its text',
    params: z.object({ id: z.string().max(100) }),
    reply: Mail.extend({ text: z.string(), html: z.string() }),
  }),
  resendMail: call({
    method: 'POST',
    path: '/api/admin/mails/:id/send',
    access: 'admin',
    summary: 'Sends a failed, doubtful or kept mail again',
    params: z.object({ id: z.string().max(100) }),
    reply: Mail,
  }),
};
