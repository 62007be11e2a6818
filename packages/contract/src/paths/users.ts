import type { Endpoints } from './endpoint.ts';

const takeout = ['state', 'filename', 'url', 'sizeBytes', 'deletedAt'] as const;

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
  startTakeout: { method: 'POST', path: '/api/users/export', access: 'user', returns: takeout },
  findTakeout: { method: 'GET', path: '/api/users/export', access: 'user', returns: takeout },
  removeTakeout: { method: 'DELETE', path: '/api/users/export', access: 'user', returns: ['ok'] },
  deleteAccount: { method: 'POST', path: '/api/users/delete-account', access: 'user', returns: ['ok'] },
} as const satisfies Endpoints;
