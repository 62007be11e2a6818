import type { Endpoints } from './endpoint.ts';

export const users = {
  stats: { method: 'GET', path: '/api/users/stats', access: 'user' },
  guestUsage: { method: 'GET', path: '/api/users/guest-usage', access: 'anyone' },
  exportData: { method: 'GET', path: '/api/users/export', access: 'user' },
  deleteAccount: { method: 'POST', path: '/api/users/delete-account', access: 'user' },
} as const satisfies Endpoints;
