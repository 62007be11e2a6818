import type { Endpoints } from './endpoint.ts';

const curveFields = ['material', 'curve', 'isTypical', 'marksLight', 'intervalMm'] as const;

export const toneCurveCalls = {
  list: { method: 'GET', path: '/api/company/tone-curves', access: 'user', scope: 'files:make', returns: 'list' },
  change: { method: 'PUT', path: '/api/company/tone-curves/:material', access: 'user', returns: curveFields },
  reset: { method: 'DELETE', path: '/api/company/tone-curves/:material', access: 'user', returns: curveFields },
  card: {
    method: 'GET',
    path: '/api/company/tone-curves/card',
    access: 'user',
    scope: 'files:make',
    returns: ['url', 'filename', 'dpi', 'widthPx', 'heightPx', 'widthMm', 'heightMm'],
  },
} as const satisfies Endpoints;
