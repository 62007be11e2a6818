import { MAX_UPLOAD_BYTES } from '../words/pictures.ts';
import { bySupport, type Endpoints } from './endpoint.ts';

const profileFields = ['id', 'name', 'machines', 'materials', 'delivery', 'turnaroundDays'] as const;
const ownPageFields = [...profileFields, 'about', 'place', 'photos', 'isListed', 'hiddenReason'] as const;
const adminPageFields = [
  'id',
  'name',
  'email',
  'place',
  'isListed',
  'photos',
  'hiddenAt',
  'hiddenReason',
  'createdAt',
] as const;

export const makers = {
  places: { method: 'GET', path: '/api/places', access: 'anyone', returns: 'list' },
  nearestPlace: {
    method: 'GET',
    path: '/api/places/nearest',
    access: 'anyone',
    returns: ['id', 'name', 'region', 'country', 'countryCode', 'lat', 'lon'],
  },
  find: { method: 'GET', path: '/api/makers', access: 'anyone', returns: ['makers', 'total', 'next'] },
  show: {
    method: 'GET',
    path: '/api/makers/:id',
    access: 'anyone',
    returns: [...profileFields, 'place', 'photo', 'distanceKm', 'about', 'photos', 'products', 'stamp'],
  },
  write: { method: 'POST', path: '/api/makers/:id/messages', access: 'anyone', returns: ['ok'] },
  own: { method: 'GET', path: '/api/maker', access: 'user', returns: ownPageFields },
  save: { method: 'PUT', path: '/api/maker', access: 'user', returns: ownPageFields },
  unlist: { method: 'DELETE', path: '/api/maker/listing', access: 'user', returns: ownPageFields },
  addPhoto: {
    method: 'POST',
    path: '/api/maker/photos',
    access: 'user',
    file: { field: 'photo', maxBytes: MAX_UPLOAD_BYTES },
    isKeyed: true,
    returns: ownPageFields,
  },
  deletePhoto: { method: 'DELETE', path: '/api/maker/photos/:id', access: 'user', returns: ownPageFields },
  adminList: { method: 'GET', path: '/api/admin/makers', ...bySupport, returns: ['makers', 'next'] },
  hide: { method: 'POST', path: '/api/admin/makers/:id/hide', ...bySupport, returns: adminPageFields },
  unhide: { method: 'POST', path: '/api/admin/makers/:id/unhide', ...bySupport, returns: adminPageFields },
} as const satisfies Endpoints;
