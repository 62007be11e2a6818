import { TRACE_STAGES } from '../words/traceSettings.ts';
import type { Endpoints } from './endpoint.ts';

export const exportCalls = {
  mockup: {
    method: 'POST',
    path: '/api/exports/mockup',
    access: 'user',
    scope: 'files:make',
    stages: TRACE_STAGES,
    repeats: true,
    returns: ['url', 'filename'],
  },
  customSvg: {
    method: 'POST',
    path: '/api/exports/custom-svg',
    access: 'user',
    scope: 'files:make',
    stages: TRACE_STAGES,
    repeats: true,
    returns: ['url', 'filename'],
  },
  file: {
    method: 'POST',
    path: '/api/exports/file',
    access: 'user',
    scope: 'files:make',
    stages: TRACE_STAGES,
    repeats: true,
    returns: ['url', 'filename', 'sha256', 'report'],
  },
  recordVector: { method: 'POST', path: '/api/exports/record-vector', access: 'user', returns: ['recorded'] },
  recordMockup: { method: 'POST', path: '/api/exports/record-mockup', access: 'anyone', returns: ['recorded'] },
} as const satisfies Endpoints;
