import type { Endpoints } from './endpoint.ts';

const keyFields = ['id', 'name', 'scopes', 'hint', 'createdAt', 'lastUsedAt'] as const;

/** No key opens these: they have no scope. */
export const apiKeyCalls = {
  list: { method: 'GET', path: '/api/auth/api-keys', access: 'user', returns: 'list' },
  create: { method: 'POST', path: '/api/auth/api-keys', access: 'user', returns: [...keyFields, 'key'] },
  rotate: { method: 'POST', path: '/api/auth/api-keys/:id/rotate', access: 'user', returns: [...keyFields, 'key'] },
  revoke: { method: 'DELETE', path: '/api/auth/api-keys/:id', access: 'user', returns: ['ok'] },
} as const satisfies Endpoints;
