import { CUTOUT_STAGES } from '../words/cutout.ts';
import { ENGRAVE_STAGES } from '../words/engravings.ts';
import { MAX_UPLOAD_BYTES } from '../words/pictures.ts';
import { TRACE_STAGES } from '../words/traceSettings.ts';
import type { Endpoints } from './endpoint.ts';

const designFields = [
  'id',
  'filename',
  'colorMode',
  'width',
  'height',
  'originalFileUrl',
  'backgroundRemovedUrl',
  'vectorizedSvgUrl',
  'createdAt',
] as const;

export const designs = {
  upload: {
    method: 'POST',
    path: '/api/designs/upload',
    access: 'anyone',
    scope: 'designs:write',
    file: { field: 'file', maxBytes: MAX_UPLOAD_BYTES },
    isKeyed: true,
    stages: [],
    returns: designFields,
  },
  vectorize: {
    method: 'POST',
    path: '/api/designs/vectorize',
    access: 'anyone',
    scope: 'files:make',
    stages: TRACE_STAGES,
    repeats: true,
    returns: ['vectorizedSvgUrl'],
  },
  generatePreview: {
    method: 'POST',
    path: '/api/designs/generate-preview',
    access: 'anyone',
    stages: TRACE_STAGES,
    repeats: true,
    returns: ['previewUrl', 'width', 'height'],
  },
  engrave: {
    method: 'POST',
    path: '/api/designs/engrave',
    access: 'anyone',
    scope: 'files:make',
    stages: ENGRAVE_STAGES,
    repeats: true,
    returns: ['url', 'dpi', 'widthPx', 'heightPx', 'meanTone'],
  },
  removeBackground: {
    method: 'POST',
    path: '/api/designs/remove-background',
    access: 'anyone',
    stages: CUTOUT_STAGES,
    repeats: true,
    returns: ['backgroundRemovedUrl', 'modelUsed'],
  },
  readBackground: {
    method: 'GET',
    path: '/api/designs/:id/background',
    access: 'anyone',
    returns: ['edgeShift', 'feather', 'strokes'],
  },
  restoreBackground: {
    method: 'POST',
    path: '/api/designs/restore-background',
    access: 'anyone',
    repeats: true,
    returns: designFields,
  },
  get: { method: 'GET', path: '/api/designs/:id', access: 'anyone', scope: 'designs:read', returns: designFields },
  list: { method: 'GET', path: '/api/designs', access: 'anyone', scope: 'designs:read', returns: 'list' },
} as const satisfies Endpoints;
