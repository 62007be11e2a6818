import { MAX_COMPOSITION_PICTURE_BYTES } from '../words/compositions.ts';
import type { Endpoints } from './endpoint.ts';

export const compositions = {
  list: { method: 'GET', path: '/api/compositions', access: 'user' },
  get: { method: 'GET', path: '/api/compositions/:id', access: 'user' },
  create: { method: 'POST', path: '/api/compositions', access: 'user' },
  save: { method: 'PUT', path: '/api/compositions/:id', access: 'user' },
  rename: { method: 'POST', path: '/api/compositions/:id/rename', access: 'user' },
  duplicate: { method: 'POST', path: '/api/compositions/:id/duplicate', access: 'user' },
  setPicture: {
    method: 'POST',
    path: '/api/compositions/:id/picture',
    access: 'user',
    file: { field: 'picture', maxBytes: MAX_COMPOSITION_PICTURE_BYTES },
  },
  remove: { method: 'DELETE', path: '/api/compositions/:id', access: 'user' },
  restore: { method: 'POST', path: '/api/compositions/:id/restore', access: 'user' },
} as const satisfies Endpoints;
