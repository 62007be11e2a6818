import { MAX_COMPOSITION_PICTURE_BYTES } from '../words/compositions.ts';
import type { Endpoints } from './endpoint.ts';

const compositionFields = ['id', 'name', 'productId', 'pictureUrl', 'revision', 'createdAt', 'updatedAt'] as const;

export const compositions = {
  list: {
    method: 'GET',
    path: '/api/compositions',
    access: 'user',
    scope: 'designs:read',
    returns: ['compositions', 'next'],
  },
  get: {
    method: 'GET',
    path: '/api/compositions/:id',
    access: 'user',
    scope: 'designs:read',
    returns: [...compositionFields, 'composition'],
  },
  create: {
    method: 'POST',
    path: '/api/compositions',
    access: 'user',
    scope: 'designs:write',
    repeats: true,
    returns: compositionFields,
  },
  save: {
    method: 'PUT',
    path: '/api/compositions/:id',
    access: 'user',
    scope: 'designs:write',
    returns: compositionFields,
  },
  rename: { method: 'POST', path: '/api/compositions/:id/rename', access: 'user', returns: compositionFields },
  duplicate: {
    method: 'POST',
    path: '/api/compositions/:id/duplicate',
    access: 'user',
    repeats: true,
    returns: compositionFields,
  },
  setPicture: {
    method: 'POST',
    path: '/api/compositions/:id/picture',
    access: 'user',
    file: { field: 'picture', maxBytes: MAX_COMPOSITION_PICTURE_BYTES },
    repeats: true,
    returns: compositionFields,
  },
  remove: { method: 'DELETE', path: '/api/compositions/:id', access: 'user', returns: ['ok'] },
  restore: { method: 'POST', path: '/api/compositions/:id/restore', access: 'user', returns: compositionFields },
} as const satisfies Endpoints;
