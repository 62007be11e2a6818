/** A company's settings and products. The session alone decides which company. */
import { z } from 'zod';
import { company as companyPaths } from '../paths/company.ts';
import { MAX_NAME } from '../words/labels.ts';
import { messages } from '../words/messages.ts';
import { defineCalls } from './call.ts';
import { inPages, Product, ProductChanges, ProductFields, ProductsQuery, pageErrors } from './catalogue.ts';
import { IdParams, labelOf } from './text.ts';

const MAX_CATEGORIES = 2_000;

const CompanyName = labelOf(MAX_NAME, { missing: messages.companyNameRequired });

export const Company = z.object({
  companyName: z.string(),
  customProductsEnabled: z.boolean(),
  enabledBaseCategories: z
    .array(z.string())
    .describe('The names of the base categories that the company’s studio shows, in the order of the catalog.'),
  productCount: z.number().int(),
  productStorageBytes: z.number(),
  productLimit: z.number().int(),
  productStorageLimitBytes: z.number(),
});
export type Company = z.output<typeof Company>;

/** A company's own product: the fields the studio reads, and the fields for its owner. */
export const CompanyProduct = Product.extend({
  fileSize: z.number().int().describe('The stored bytes of the picture with its thumbnails.'),
  userId: z.number().int(),
  isOnProfile: z.boolean().describe('True when the product is on the company’s profile, where its customers see it.'),
});
export type CompanyProduct = z.output<typeof CompanyProduct>;

export const company = defineCalls(companyPaths, {
  settings: {
    summary: 'Read the company',
    description: 'Returns the settings of the account’s company. The first call creates them.',
    reply: Company,
  },
  updateSettings: {
    summary: 'Change the company',
    description: 'Changes the company’s name, the base categories its studio shows, or whether it has custom products.',
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
  },
  products: {
    summary: 'List the company’s products',
    description: `Returns the company’s own products by category and name. ${inPages}`,
    query: ProductsQuery,
    reply: z.array(CompanyProduct),
    errors: pageErrors,
  },
  baseProducts: {
    summary: 'List the base products that the company has on',
    description: `Returns a page of the base products in the categories that are on. ${inPages}`,
    query: ProductsQuery,
    reply: z.array(Product),
    errors: pageErrors,
  },
  addProduct: {
    summary: 'Add a product to the company',
    description: 'Adds a custom product with its picture. Custom products must be switched on.',
    // Older pages send a `userId`. It is never read: the session decides whose product it is.
    body: ProductFields,
    reply: CompanyProduct,
    errors: {
      403: 'Custom products are switched off.',
      409: 'The category has a product of this name.',
      413: 'The picture is larger than 20 MB or has more pixels than the server reads, or the space for files is full.',
      415: 'The file is not a picture the server reads.',
      422: 'The picture is damaged or too complex.',
      507: 'The company’s quota or the server’s disk is full.',
    },
  },
  editProduct: {
    summary: 'Change a product of the company',
    description: 'Changes the fields that are sent, and the picture where one is sent.',
    params: IdParams,
    body: ProductChanges,
    reply: CompanyProduct,
    errors: {
      403: 'Custom products are switched off.',
      404: 'The product does not exist.',
      409: 'The category has a product of this name.',
      413: 'The picture is larger than 20 MB or has more pixels than the server reads, or the space for files is full.',
      415: 'The file is not a picture the server reads.',
      422: 'The picture is damaged or too complex.',
      507: 'The company’s quota or the server’s disk is full.',
    },
  },
  deleteProduct: {
    summary: 'Delete a product of the company',
    description: 'Deletes a product and its pictures.',
    params: IdParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: { 404: 'The product does not exist.' },
  },
  submitToProfile: {
    summary: 'Put a product on the profile',
    description:
      'Puts a product on the company’s profile. `duplicate` is true when it, or one of its name, is there already.',
    params: IdParams,
    body: z.object({}),
    reply: z.object({ duplicate: z.boolean() }),
    errors: { 404: 'The product does not exist.' },
  },
  takeOffProfile: {
    summary: 'Take a product off the profile',
    description: 'Takes a product off the company’s profile. It stays among its products.',
    params: IdParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: { 404: 'The product does not exist.' },
  },
});
