/** A shop's own settings and products. Whose they are the session says, and nothing else. */
import { z } from 'zod';
import { company as companyPaths } from '../paths/company.ts';
import { isVisible, MAX_NAME, toLabel } from '../words/labels.ts';
import { messages } from '../words/messages.ts';
import { defineCalls } from './call.ts';
import { Product, ProductChanges, ProductFields } from './catalogue.ts';

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

/**
 * A product of a company's own: everything the studio knows of a product, and what the owner wants to know beside it.
 */
export const CompanyProduct = Product.extend({
  /** Bytes kept of its picture, smaller sizes included. */
  fileSize: z.number().int(),
  userId: z.number().int(),
  /** Put on the company's profile, where its customers see it. */
  isOnProfile: z.boolean(),
});
export type CompanyProduct = z.output<typeof CompanyProduct>;

const ProductParams = z.object({ id: z.string().max(64) });

export const company = defineCalls(companyPaths, {
  settings: {
    summary: 'The settings of the account’s company, made when first asked for',
    reply: Company,
  },
  updateSettings: {
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
  },
  products: {
    summary: 'The company’s own products, by category and name',
    reply: z.array(CompanyProduct),
  },
  addProduct: {
    summary: 'Adds a product of the company’s own with its picture, once custom products are switched on',
    /** `userId` is sent by older pages and never read: the session says whose it is. */
    body: ProductFields,
    reply: CompanyProduct,
  },
  editProduct: {
    summary: 'Changes a product of the company, and its picture where one is sent',
    params: ProductParams,
    body: ProductChanges,
    reply: CompanyProduct,
  },
  deleteProduct: {
    summary: 'Removes a product of the company with its picture',
    params: ProductParams,
    reply: z.object({ ok: z.literal(true) }),
  },
  submitToProfile: {
    summary: 'Puts a product on the company’s profile; `duplicate` when it, or one of its name, is there already',
    params: ProductParams,
    body: z.object({}),
    reply: z.object({ duplicate: z.boolean() }),
  },
  takeOffProfile: {
    summary: 'Takes a product off the company’s profile; it stays among its products',
    params: ProductParams,
    reply: z.object({ ok: z.literal(true) }),
  },
});
