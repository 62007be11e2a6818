import type { Endpoints } from './endpoint.ts';

export const feedback = {
  send: { method: 'POST', path: '/api/send-feedback', access: 'anyone' },
  joinWaitlist: { method: 'POST', path: '/api/waitlist', access: 'anyone' },
} as const satisfies Endpoints;
