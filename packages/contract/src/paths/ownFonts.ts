import { OWN_FONT_LIMITS } from '../words/ownFonts.ts';
import type { Endpoints } from './endpoint.ts';

const fontFields = ['id', 'name', 'letters', 'sizeBytes', 'url', 'createdAt'] as const;

export const ownFontCalls = {
  list: { method: 'GET', path: '/api/company/fonts', access: 'user', scope: 'designs:read', returns: 'list' },
  add: {
    method: 'POST',
    path: '/api/company/fonts',
    access: 'user',
    file: { field: 'font', maxBytes: OWN_FONT_LIMITS.bytes },
    returns: fontFields,
  },
  rename: { method: 'PUT', path: '/api/company/fonts/:id', access: 'user', returns: fontFields },
  remove: { method: 'DELETE', path: '/api/company/fonts/:id', access: 'user', returns: ['ok'] },
} as const satisfies Endpoints;
