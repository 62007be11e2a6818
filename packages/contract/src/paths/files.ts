import type { Endpoints } from './endpoint.ts';

export const fileCalls = {
  list: { method: 'GET', path: '/api/files', access: 'user', scope: 'files:make', returns: ['files', 'next'] },
  remove: { method: 'DELETE', path: '/api/files/:id', access: 'user', returns: ['ok'] },
} as const satisfies Endpoints;
