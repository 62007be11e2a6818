/** A shop's own settings and products. Whose they are the session says, and nothing else. */
import { z } from 'zod';
import { isVisible, MAX_NAME, toLabel } from '../words/labels.ts';
import { messages } from '../words/messages.ts';
import { call } from './call.ts';
import { Product, ProductChanges, ProductFields } from './catalogue.ts';
import { MAX_UPLOAD_BYTES } from './designs.ts';

/** What one company may keep: pictures are counted with everything made of them. */
export const COMPANY_QUOTA = { products: 5_000, bytes: 2 * 2 ** 30 } as const;
const MAX_CATEGORIES = 2_000;

const CompanyName = z
  .string()
  .max(1_000)
  .transform(toLabel)
  .pipe(
    z
      .string()
      .max(MAX_NAME, `Names may be up to ${MAX_NAME} characters long.`)
      .refine(isVisible, messages.companyNameRequired),
  );

export const Company = z.object({
  companyName: z.string(),
  customProductsEnabled: z.boolean(),
  /** Names of the base categories its studio shows, in the order of the catalogue. */
  enabledBaseCategories: z.array(z.string()),
  productCount: z.number().int(),
  productStorageBytes: z.number(),
  productLimit: z.number().int(),
  productStorageLimitBytes: z.number(),
});
export type Company = z.output<typeof Company>;

/** A product of a company's own: everything the studio knows of a product, and what the owner wants to know beside it. */
export const CompanyProduct = Product.extend({
  /** Bytes kept of its picture, smaller sizes included. */
  fileSize: z.number().int(),
  userId: z.number().int(),
  /** Put on the company's profile, where its customers see it. */
  isOnProfile: z.boolean(),
});
export type CompanyProduct = z.output<typeof CompanyProduct>;

/** The picture of a product: whatever image it is, the bytes decide. */
const productImage = { field: 'productImage', maxBytes: MAX_UPLOAD_BYTES, isOptional: true } as const;
const ProductParams = z.object({ id: z.string().max(64) });

export const company = {
  settings: call({
    method: 'GET',
    path: '/api/company',
    access: 'user',
    summary: 'The settings of the account’s company, made when first asked for',
    reply: Company,
  }),
  updateSettings: call({
    method: 'PUT',
    path: '/api/company',
    access: 'user',
    summary: 'Changes the company’s name, the base categories its studio shows, or whether it has custom products',
    body: z
      .object({
        enabledBaseCategories: z.array(z.string().max(255)).max(MAX_CATEGORIES).optional(),
        customProductsEnabled: z.boolean().optional(),
        companyName: CompanyName.optional(),
      })
      .refine((changes) => Object.values(changes).some((change) => change !== undefined), {
        message: 'Say what is to change: “enabledBaseCategories”, “customProductsEnabled” or “companyName”.',
      }),
    reply: Company,
  }),
  products: call({
    method: 'GET',
    path: '/api/company/products',
    access: 'user',
    summary: 'The company’s own products, by category and name',
    reply: z.array(CompanyProduct),
  }),
  addProduct: call({
    method: 'POST',
    path: '/api/company/products',
    access: 'user',
    summary: 'Adds a product of the company’s own with its picture, once custom products are switched on',
    /** `userId` is sent by older pages and never read: the session says whose it is. */
    body: ProductFields,
    file: productImage,
    reply: CompanyProduct,
  }),
  editProduct: call({
    method: 'PUT',
    path: '/api/company/products/:id',
    access: 'user',
    summary: 'Changes a product of the company, and its picture where one is sent',
    params: ProductParams,
    body: ProductChanges,
    file: productImage,
    reply: CompanyProduct,
  }),
  deleteProduct: call({
    method: 'DELETE',
    path: '/api/company/products/:id',
    access: 'user',
    summary: 'Removes a product of the company with its picture',
    params: ProductParams,
    reply: z.object({ ok: z.literal(true) }),
  }),
  submitToProfile: call({
    method: 'POST',
    path: '/api/company/products/:id/submit-to-profile',
    access: 'user',
    summary: 'Puts a product on the company’s profile; `duplicate` when it, or one of its name, is there already',
    params: ProductParams,
    body: z.object({}),
    reply: z.object({ duplicate: z.boolean() }),
  }),
  takeOffProfile: call({
    method: 'DELETE',
    path: '/api/company/products/:id/submit-to-profile',
    access: 'user',
    summary: 'Takes a product off the company’s profile; it stays among its products',
    params: ProductParams,
    reply: z.object({ ok: z.literal(true) }),
  }),
};
