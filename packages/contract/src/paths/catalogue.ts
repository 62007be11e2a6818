import { MAX_UPLOAD_BYTES } from '../words/pictures.ts';
import { BULK_UPLOAD } from '../words/products.ts';
import { byCatalogueEditor, type Endpoints } from './endpoint.ts';

const categoryFields = ['id', 'name', 'description', 'productCount'] as const;
/** The fields of every product, of the catalog and of a company. */
export const productFields = [
  'id',
  'productId',
  'name',
  'category',
  'subCategory',
  'mockupImageUrl',
  'thumbnails',
  'dimensions',
  'printArea',
  'pictureAspect',
  'material',
  'markColor',
  'machines',
  'surface',
  'variants',
] as const;
const adminProductFields = [...productFields, 'business'] as const;

export const catalogue = {
  products: { method: 'GET', path: '/api/products', access: 'anyone', scope: 'designs:read', returns: 'list' },
  baseCategories: { method: 'GET', path: '/api/base-categories', access: 'anyone', returns: 'list' },
  adminCategories: { method: 'GET', path: '/api/admin/categories', ...byCatalogueEditor, returns: 'list' },
  addCategory: { method: 'POST', path: '/api/admin/categories', ...byCatalogueEditor, returns: categoryFields },
  renameCategory: { method: 'PUT', path: '/api/admin/categories/:id', ...byCatalogueEditor, returns: categoryFields },
  deleteCategory: {
    method: 'DELETE',
    path: '/api/admin/categories/:id',
    ...byCatalogueEditor,
    returns: ['deletedProducts'],
  },
  adminProducts: { method: 'GET', path: '/api/admin/products', ...byCatalogueEditor, returns: 'list' },
  addProduct: {
    method: 'POST',
    path: '/api/admin/products',
    ...byCatalogueEditor,
    file: { field: 'productImage', maxBytes: MAX_UPLOAD_BYTES },
    isKeyed: true,
    returns: adminProductFields,
  },
  editProduct: {
    method: 'PUT',
    path: '/api/admin/products/:id',
    ...byCatalogueEditor,
    file: { field: 'productImage', maxBytes: MAX_UPLOAD_BYTES, isOptional: true },
    returns: adminProductFields,
  },
  deleteProduct: { method: 'DELETE', path: '/api/admin/products/:id', ...byCatalogueEditor, returns: ['deletedCount'] },
  deleteAllProducts: {
    method: 'DELETE',
    path: '/api/admin/products/all',
    ...byCatalogueEditor,
    returns: ['deletedCount'],
  },
  bulkUpload: {
    method: 'POST',
    path: '/api/admin/products/bulk-upload',
    ...byCatalogueEditor,
    files: {
      field: 'files',
      maxFiles: BULK_UPLOAD.maxFiles,
      maxBytes: MAX_UPLOAD_BYTES,
      maxTotalBytes: BULK_UPLOAD.maxBytes,
    },
    returns: [
      'uploadedCount',
      'createdCategories',
      'skippedDuplicates',
      'skippedFiles',
      'failedCount',
      'files',
      'remaining',
    ],
  },
} as const satisfies Endpoints;
