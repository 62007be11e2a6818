import { MAX_UPLOAD_BYTES } from '../words/pictures.ts';
import { BULK_UPLOAD } from '../words/products.ts';
import type { Endpoints } from './endpoint.ts';

export const catalogue = {
  products: { method: 'GET', path: '/api/products', access: 'anyone' },
  baseCategories: { method: 'GET', path: '/api/base-categories', access: 'anyone' },
  adminCategories: { method: 'GET', path: '/api/admin/categories', access: 'admin' },
  addCategory: { method: 'POST', path: '/api/admin/categories', access: 'admin' },
  renameCategory: { method: 'PUT', path: '/api/admin/categories/:id', access: 'admin' },
  deleteCategory: { method: 'DELETE', path: '/api/admin/categories/:id', access: 'admin' },
  adminProducts: { method: 'GET', path: '/api/admin/products', access: 'admin' },
  addProduct: {
    method: 'POST',
    path: '/api/admin/products',
    access: 'admin',
    file: { field: 'productImage', maxBytes: MAX_UPLOAD_BYTES },
  },
  editProduct: {
    method: 'PUT',
    path: '/api/admin/products/:id',
    access: 'admin',
    file: { field: 'productImage', maxBytes: MAX_UPLOAD_BYTES, isOptional: true },
  },
  deleteProduct: { method: 'DELETE', path: '/api/admin/products/:id', access: 'admin' },
  deleteAllProducts: { method: 'DELETE', path: '/api/admin/products/all', access: 'admin' },
  bulkUpload: {
    method: 'POST',
    path: '/api/admin/products/bulk-upload',
    access: 'admin',
    files: {
      field: 'files',
      maxFiles: BULK_UPLOAD.maxFiles,
      maxBytes: MAX_UPLOAD_BYTES,
      maxTotalBytes: BULK_UPLOAD.maxBytes,
    },
  },
} as const satisfies Endpoints;
