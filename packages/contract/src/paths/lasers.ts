import { LASER_LIMITS } from '../words/lasers.ts';
import type { Endpoints } from './endpoint.ts';

const laserFields = ['id', 'name', 'entries'] as const;

export const laserCalls = {
  list: { method: 'GET', path: '/api/company/lasers', access: 'user', scope: 'files:make', returns: 'list' },
  add: { method: 'POST', path: '/api/company/lasers', access: 'user', returns: laserFields },
  change: { method: 'PUT', path: '/api/company/lasers/:id', access: 'user', returns: laserFields },
  remove: { method: 'DELETE', path: '/api/company/lasers/:id', access: 'user', returns: ['ok'] },
  readLibrary: {
    method: 'POST',
    path: '/api/company/lasers/library',
    access: 'user',
    file: { field: 'library', maxBytes: LASER_LIMITS.libraryBytes },
    returns: ['name', 'entries'],
  },
} as const satisfies Endpoints;
