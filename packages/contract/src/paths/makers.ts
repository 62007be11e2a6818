import { MAX_UPLOAD_BYTES } from '../words/pictures.ts';
import type { Endpoints } from './endpoint.ts';

export const makers = {
  places: { method: 'GET', path: '/api/places', access: 'anyone' },
  nearestPlace: { method: 'GET', path: '/api/places/nearest', access: 'anyone' },
  find: { method: 'GET', path: '/api/makers', access: 'anyone' },
  show: { method: 'GET', path: '/api/makers/:id', access: 'anyone' },
  write: { method: 'POST', path: '/api/makers/:id/messages', access: 'anyone' },
  own: { method: 'GET', path: '/api/maker', access: 'user' },
  save: { method: 'PUT', path: '/api/maker', access: 'user' },
  unlist: { method: 'DELETE', path: '/api/maker/listing', access: 'user' },
  addPhoto: {
    method: 'POST',
    path: '/api/maker/photos',
    access: 'user',
    file: { field: 'photo', maxBytes: MAX_UPLOAD_BYTES },
  },
  deletePhoto: { method: 'DELETE', path: '/api/maker/photos/:id', access: 'user' },
  adminList: { method: 'GET', path: '/api/admin/makers', access: 'admin' },
  hide: { method: 'POST', path: '/api/admin/makers/:id/hide', access: 'admin' },
  unhide: { method: 'POST', path: '/api/admin/makers/:id/unhide', access: 'admin' },
} as const satisfies Endpoints;
