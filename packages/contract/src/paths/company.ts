import { MAX_UPLOAD_BYTES } from '../words/pictures.ts';
import type { Endpoints } from './endpoint.ts';

/** Every image format is taken; the bytes decide. */
const productImage = { field: 'productImage', maxBytes: MAX_UPLOAD_BYTES, isOptional: true } as const;

export const company = {
  settings: { method: 'GET', path: '/api/company', access: 'user' },
  updateSettings: { method: 'PUT', path: '/api/company', access: 'user' },
  products: { method: 'GET', path: '/api/company/products', access: 'user' },
  addProduct: { method: 'POST', path: '/api/company/products', access: 'user', file: productImage },
  editProduct: { method: 'PUT', path: '/api/company/products/:id', access: 'user', file: productImage },
  deleteProduct: { method: 'DELETE', path: '/api/company/products/:id', access: 'user' },
  submitToProfile: { method: 'POST', path: '/api/company/products/:id/submit-to-profile', access: 'user' },
  takeOffProfile: { method: 'DELETE', path: '/api/company/products/:id/submit-to-profile', access: 'user' },
} as const satisfies Endpoints;
