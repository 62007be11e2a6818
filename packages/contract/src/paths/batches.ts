import type { Endpoints } from './endpoint.ts';

export const batchFields = [
  ...(['id', 'state', 'pieces', 'sheets', 'done', 'leftOut', 'exports'] as const),
  ...(['problem', 'filename', 'url', 'createdAt', 'deletedAt'] as const),
] as const;

export const batchCalls = {
  create: {
    method: 'POST',
    path: '/api/batches',
    access: 'user',
    scope: 'files:make',
    stages: ['checking'],
    repeats: true,
    returns: batchFields,
  },
  proof: {
    method: 'POST',
    path: '/api/batches/proof',
    access: 'user',
    scope: 'files:make',
    stages: ['checking', 'drawing'],
    returns: ['url', 'filename', 'pieces'],
    repeats: true,
  },
  list: { method: 'GET', path: '/api/batches', access: 'user', scope: 'files:make', returns: ['batches'] },
  find: { method: 'GET', path: '/api/batches/:id', access: 'user', scope: 'files:make', returns: batchFields },
  remove: { method: 'DELETE', path: '/api/batches/:id', access: 'user', scope: 'files:make', returns: ['ok'] },
} as const satisfies Endpoints;
