import type { Endpoints } from './endpoint.ts';

export const site = {
  info: {
    method: 'GET',
    path: '/api/site',
    access: 'anyone',
    returns: ['supportEmail', 'payments', 'mail', 'minPasswordLength'],
  },
} as const satisfies Endpoints;
