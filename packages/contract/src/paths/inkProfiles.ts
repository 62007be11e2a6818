import { INK_PROFILE_LIMITS } from '../words/inkProfiles.ts';
import type { Endpoints } from './endpoint.ts';

export const inkProfileCalls = {
  list: { method: 'GET', path: '/api/company/ink-profiles', access: 'user', scope: 'files:make', returns: 'list' },
  add: {
    method: 'POST',
    path: '/api/company/ink-profiles',
    access: 'user',
    file: { field: 'profile', maxBytes: INK_PROFILE_LIMITS.bytes },
    isKeyed: true,
    returns: ['id', 'name', 'sizeBytes', 'createdAt'],
  },
  remove: { method: 'DELETE', path: '/api/company/ink-profiles/:id', access: 'user', returns: ['ok'] },
} as const satisfies Endpoints;
