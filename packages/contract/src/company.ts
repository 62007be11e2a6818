/** A shop's own settings and products. Whose they are the session says, and nothing else. */
import { z } from 'zod';
import { call } from './call.ts';
import { Product } from './catalogue.ts';
import { messages } from './messages.ts';

/** What one company may keep: pictures are counted with everything made of them. */
export const COMPANY_QUOTA = { products: 5_000, bytes: 2 * 2 ** 30 } as const;
const MAX_CATEGORIES = 2_000;

/** What a person may write on a label: one line, 1 to 120 characters, without what cannot be seen. */
const Label = z.string().transform((text) => text.replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ').trim());
const CompanyName = Label.pipe(
  z.string().min(1, messages.companyNameRequired).max(120, 'A company’s name may be up to 120 characters.'),
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
  subCategory: z.string(),
  /** Bytes kept of its picture, smaller sizes included. */
  fileSize: z.number().int(),
  userId: z.number().int(),
  /** Put on the company's profile, where its customers see it. */
  isOnProfile: z.boolean(),
});
export type CompanyProduct = z.output<typeof CompanyProduct>;

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
};
