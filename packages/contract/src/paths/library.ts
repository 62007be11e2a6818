import { MAX_COMPOSITION_PICTURE_BYTES } from '../words/compositions.ts';
import type { Endpoints } from './endpoint.ts';

const entryFields = ['id', 'kind', 'name', 'openParts', 'widthMm', 'heightMm', 'pictureUrl', 'createdAt'] as const;

export const library = {
  list: {
    method: 'GET',
    path: '/api/library',
    access: 'user',
    scope: 'designs:read',
    returns: ['entries', 'next'],
  },
  get: {
    method: 'GET',
    path: '/api/library/:id',
    access: 'user',
    scope: 'designs:read',
    returns: [...entryFields, 'area', 'composition'],
  },
  create: {
    method: 'POST',
    path: '/api/library',
    access: 'user',
    scope: 'designs:write',
    repeats: true,
    returns: entryFields,
  },
  rename: { method: 'POST', path: '/api/library/:id/rename', access: 'user', returns: entryFields },
  setPicture: {
    method: 'POST',
    path: '/api/library/:id/picture',
    access: 'user',
    file: { field: 'picture', maxBytes: MAX_COMPOSITION_PICTURE_BYTES },
    repeats: true,
    returns: entryFields,
  },
  remove: { method: 'DELETE', path: '/api/library/:id', access: 'user', returns: ['ok'] },
  restore: { method: 'POST', path: '/api/library/:id/restore', access: 'user', returns: entryFields },
} as const satisfies Endpoints;
