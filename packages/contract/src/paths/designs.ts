import { CUTOUT_STAGES } from '../words/cutout.ts';
import { MAX_UPLOAD_BYTES } from '../words/pictures.ts';
import type { Endpoints } from './endpoint.ts';

export const designs = {
  upload: {
    method: 'POST',
    path: '/api/designs/upload',
    access: 'anyone',
    file: { field: 'file', maxBytes: MAX_UPLOAD_BYTES },
  },
  vectorize: { method: 'POST', path: '/api/designs/vectorize', access: 'anyone' },
  generatePreview: { method: 'POST', path: '/api/designs/generate-preview', access: 'anyone' },
  removeBackground: { method: 'POST', path: '/api/designs/remove-background', access: 'anyone', stages: CUTOUT_STAGES },
  readBackground: { method: 'GET', path: '/api/designs/:id/background', access: 'anyone' },
  restoreBackground: { method: 'POST', path: '/api/designs/restore-background', access: 'anyone' },
  get: { method: 'GET', path: '/api/designs/:id', access: 'anyone' },
  list: { method: 'GET', path: '/api/designs', access: 'anyone' },
} as const satisfies Endpoints;
