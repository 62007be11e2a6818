import { MAX_UPLOAD_BYTES } from '../words/pictures.ts';
import { productFields } from './catalogue.ts';
import type { Endpoints } from './endpoint.ts';

/** Every image format is accepted; the bytes decide. */
const productImage = { field: 'productImage', maxBytes: MAX_UPLOAD_BYTES, isOptional: true } as const;

const settingsFields = [
  'companyName',
  'customProductsEnabled',
  'enabledBaseCategories',
  'productCount',
  'productStorageBytes',
  'productLimit',
  'productStorageLimitBytes',
] as const;
const ownProductFields = [...productFields, 'fileSize', 'userId', 'isOnProfile'] as const;

export const company = {
  settings: { method: 'GET', path: '/api/company', access: 'user', returns: settingsFields },
  updateSettings: { method: 'PUT', path: '/api/company', access: 'user', returns: settingsFields },
  products: { method: 'GET', path: '/api/company/products', access: 'user', returns: 'list' },
  baseProducts: { method: 'GET', path: '/api/company/base-products', access: 'user', returns: 'list' },
  addProduct: {
    method: 'POST',
    path: '/api/company/products',
    access: 'user',
    file: productImage,
    isKeyed: true,
    returns: ownProductFields,
  },
  editProduct: {
    method: 'PUT',
    path: '/api/company/products/:id',
    access: 'user',
    file: productImage,
    returns: ownProductFields,
  },
  deleteProduct: { method: 'DELETE', path: '/api/company/products/:id', access: 'user', returns: ['ok'] },
  submitToProfile: {
    method: 'POST',
    path: '/api/company/products/:id/submit-to-profile',
    access: 'user',
    returns: ['duplicate'],
  },
  takeOffProfile: {
    method: 'DELETE',
    path: '/api/company/products/:id/submit-to-profile',
    access: 'user',
    returns: ['ok'],
  },
} as const satisfies Endpoints;
