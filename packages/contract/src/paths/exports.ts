import type { Endpoints } from './endpoint.ts';

export const exportCalls = {
  mockup: { method: 'POST', path: '/api/exports/mockup', access: 'user' },
  customSvg: { method: 'POST', path: '/api/exports/custom-svg', access: 'user' },
  recordVector: { method: 'POST', path: '/api/exports/record-vector', access: 'user' },
  recordMockup: { method: 'POST', path: '/api/exports/record-mockup', access: 'anyone' },
} as const satisfies Endpoints;
