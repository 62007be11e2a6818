import type { Endpoints } from './endpoint.ts';

export const users = {
  stats: {
    method: 'GET',
    path: '/api/users/stats',
    access: 'user',
    returns: ['vectorsUsed', 'vectorsLimit', 'mockupsUsed', 'mockupsLimit', 'nextResetDate'],
  },
  guestUsage: {
    method: 'GET',
    path: '/api/users/guest-usage',
    access: 'anyone',
    returns: ['mockupsGenerated', 'mockupsLimit'],
  },
  takeoutData: { method: 'GET', path: '/api/users/export', access: 'user', returns: [] },
  deleteAccount: { method: 'POST', path: '/api/users/delete-account', access: 'user', returns: ['ok'] },
} as const satisfies Endpoints;
