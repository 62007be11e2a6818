import { FractionRect, MachineMode } from '@markwright/scene';
import { z } from 'zod';
import { catalogue as cataloguePaths } from '../paths/catalogue.ts';
import { isVisible, MAX_NAME, toCategoryName, toLabel } from '../words/labels.ts';
import { BULK_UPLOAD, MATERIALS } from '../words/products.ts';
import { defineCalls } from './call.ts';

/** `WxH` in inches: the product's print area. */
export const Dimensions = z.string().regex(/^\d{1,4}(\.\d{1,3})?x\d{1,4}(\.\d{1,3})?$/);

/** The picture at a smaller size. The same width comes in several media types, the one to prefer first. */
export const Thumbnail = z.object({
  /** In its own pixels. */
  width: z.number().int().positive(),
  mediaType: z.enum(['image/avif', 'image/webp', 'image/jpeg', 'image/png']),
  url: z.string(),
});
export type Thumbnail = z.output<typeof Thumbnail>;

export const Product = z.object({
  id: z.string(),
  productId: z.string(),
  name: z.string(),
  category: z.string(),
  subCategory: z.string().default(''),
  mockupImageUrl: z.string(),
  /**
   * From small to large: at most 104 pixels a side, for lists; at most 960, where the picture is larger. None for a
   * drawing that ships.
   */
  thumbnails: z.array(Thumbnail).default([]),
  dimensions: Dimensions,
  printArea: FractionRect,
  /** Width over height of the picture. */
  pictureAspect: z.number().positive(),
  material: z.string(),
  markColor: z.string(),
  machines: z.array(MachineMode),
});
export type Product = z.output<typeof Product>;

export const BaseCategory = z.object({ id: z.string(), name: z.string(), description: z.string() });
export type BaseCategory = z.output<typeof BaseCategory>;

const Label = z.string().max(1_000).transform(toLabel);
const Name = Label.pipe(
  z.string().max(MAX_NAME, `Names may be up to ${MAX_NAME} characters long.`).refine(isVisible, 'Please enter a name.'),
);
const CategoryName = z
  .string()
  .max(1_000)
  .transform(toCategoryName)
  .pipe(
    z
      .string()
      .max(MAX_NAME, `Names may be up to ${MAX_NAME} characters long.`)
      .refine(isVisible, 'Please enter a category.'),
  );

/** A value as it is, or as the JSON a form field carries it in. */
const inForm = <T extends z.core.$ZodType>(schema: T) =>
  z.union([
    schema,
    z
      .string()
      .transform((text, context): unknown => {
        try {
          return JSON.parse(text);
        } catch {
          context.addIssue({ code: 'custom', message: 'This is no JSON.' });
          return z.NEVER;
        }
      })
      .pipe(schema),
  ]);

const field = {
  subCategory: Label.pipe(z.string().max(MAX_NAME, `Names may be up to ${MAX_NAME} characters long.`)),
  dimensions: Dimensions.refine((dimensions) => dimensions.split('x').every((side) => Number(side) >= 0.1), {
    error: 'The print area must be at least 0.1 inch wide and high.',
  }),
  printArea: inForm(FractionRect).refine(({ x, y, width, height }) => x + width <= 1.0001 && y + height <= 1.0001, {
    error: 'The print area must lie within the picture.',
  }),
  material: z.enum(MATERIALS),
  /** Of a laser's mark. */
  markColor: z.string().regex(/^#[0-9a-fA-F]{6}$/),
  machines: inForm(z.array(MachineMode).min(1).max(3)).transform((machines) => [...new Set(machines)]),
};

/** What is said about a product with its picture, by the administrator and by companies alike. */
export const ProductFields = z.object({
  name: Name,
  category: CategoryName,
  subCategory: field.subCategory.default(''),
  dimensions: field.dimensions.default('1x1'),
  /** Absent: `initialPrintArea`. */
  printArea: field.printArea.optional(),
  material: field.material.default('other'),
  markColor: field.markColor.default('#2b2b2b'),
  machines: field.machines.default(['laser', 'uv', 'sublimation']),
});
export type ProductFields = z.output<typeof ProductFields>;

/** What is changed of a product; what is absent stays as it is. */
export const ProductChanges = z.object({
  name: Name,
  category: CategoryName,
  subCategory: field.subCategory.optional(),
  dimensions: field.dimensions.optional(),
  printArea: field.printArea.optional(),
  material: field.material.optional(),
  markColor: field.markColor.optional(),
  machines: field.machines.optional(),
});
export type ProductChanges = z.output<typeof ProductChanges>;

export const AdminCategory = BaseCategory.extend({ productCount: z.number().int() });
export type AdminCategory = z.output<typeof AdminCategory>;

/** A base product as the administrator sees it: with the business it was filed under in a bulk upload. */
export const AdminProduct = Product.extend({ business: z.string() });
export type AdminProduct = z.output<typeof AdminProduct>;

/** What became of one file of a bulk upload. `index`: its place in the request. */
export const BulkFile = z.object({
  index: z.number().int(),
  path: z.string(),
  /**
   * `skipped`: no PNG, JPG or SVG, or no product can be called by its path. `failed`: a picture that could not be used.
   */
  status: z.enum(['uploaded', 'duplicate', 'skipped', 'failed']),
  /** Why it was skipped or failed, in a sentence. */
  message: z.string().optional(),
  category: z.string().optional(),
  productId: z.string().optional(),
});
export type BulkFile = z.output<typeof BulkFile>;

export const BulkUpload = z.object({
  uploadedCount: z.number().int(),
  /** Their names. */
  createdCategories: z.array(z.string()),
  skippedDuplicates: z.number().int(),
  skippedFiles: z.number().int(),
  failedCount: z.number().int(),
  /** In the order of the request. */
  files: z.array(BulkFile),
  /**
   * Places of the files that were not reached in the 12 seconds a request works: send them again. Never all of them.
   */
  remaining: z.array(z.number().int()),
});
export type BulkUpload = z.output<typeof BulkUpload>;

const ById = z.object({ id: z.string().regex(/^[\w-]{1,100}$/) });
const Description = Label.pipe(z.string().max(500, 'A description may be up to 500 characters long.'));

export const catalogue = defineCalls(cataloguePaths, {
  products: {
    summary: 'All base products',
    reply: z.array(Product),
  },
  baseCategories: {
    summary: 'All base categories',
    reply: z.array(BaseCategory),
  },
  adminCategories: {
    summary: 'All base categories with how many products each has',
    reply: z.array(AdminCategory),
  },
  addCategory: {
    summary: 'Adds a base category',
    body: z.object({ name: CategoryName, description: Description.default('') }),
    reply: AdminCategory,
  },
  renameCategory: {
    summary: 'Renames a base category; its products follow',
    params: ById,
    body: z.object({ name: CategoryName, description: Description.optional() }),
    reply: AdminCategory,
  },
  deleteCategory: {
    summary: 'Deletes a base category; one with products only when told to delete them too',
    params: ById,
    query: z.object({ withProducts: z.enum(['true', 'false']).default('false') }),
    reply: z.object({ deletedProducts: z.number().int() }),
  },
  adminProducts: {
    summary: 'All base products',
    reply: z.array(AdminProduct),
  },
  addProduct: {
    summary: 'Adds a base product; its category is made where there is none',
    body: ProductFields,
    reply: AdminProduct,
  },
  editProduct: {
    summary: 'Changes a base product, and its picture where one is sent',
    params: ById,
    body: ProductChanges,
    reply: AdminProduct,
  },
  deleteProduct: {
    summary: 'Deletes a base product',
    params: ById,
    reply: z.object({ deletedCount: z.number().int() }),
  },
  deleteAllProducts: {
    summary: 'Deletes every base product',
    reply: z.object({ deletedCount: z.number().int() }),
  },
  bulkUpload: {
    summary: 'Adds a product for each PNG, JPG or SVG of a folder; what is there already is skipped',
    /** One path for each file, in the order of the files; a file without one is called by its own name. */
    body: z.object({ paths: z.array(z.string()).max(BULK_UPLOAD.maxFiles).default([]) }),
    reply: BulkUpload,
  },
});
