import type { Endpoints } from './endpoint.ts';

export const feedback = {
  send: { method: 'POST', path: '/api/send-feedback', access: 'anyone', returns: ['ok'] },
  joinWaitlist: { method: 'POST', path: '/api/waitlist', access: 'anyone', returns: ['ok'] },
} as const satisfies Endpoints;
