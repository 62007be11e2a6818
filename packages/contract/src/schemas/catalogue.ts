import { MACHINE_MODES, MachineMode } from '@markwright/scene';
import { z } from 'zod';
import { catalogue as cataloguePaths } from '../paths/catalogue.ts';
import { isVisible, MAX_NAME, MAX_SIZE_SOURCE, toCategoryName, toLabel } from '../words/labels.ts';
import { BULK_UPLOAD, DEFAULT_DIMENSIONS, MATERIALS, PRODUCTS_PAGE, WHOLE_LIST } from '../words/products.ts';
import { BlankSurface, Dimensions, ProductPrintArea, Variants } from './blank.ts';
import { defineCalls } from './call.ts';
import { labelOf, StorableText } from './text.ts';

/** The picture at a smaller size. Each width exists in several media types, the preferred one first. */
export const Thumbnail = z.object({
  width: z.number().int().positive().describe('In the thumbnail’s own pixels.'),
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
  thumbnails: z
    .array(Thumbnail)
    .default([])
    .describe(
      'From small to large: at most 104 pixels a side for lists, then at most 960 where the picture ' +
        'is larger. Empty for the drawings that ship with the product.',
    ),
  dimensions: Dimensions,
  printArea: ProductPrintArea,
  pictureAspect: z.number().positive().describe('The picture’s width divided by its height.'),
  material: z.string(),
  markColor: z.string(),
  machines: z.array(MachineMode),
  surface: BlankSurface.default({ kind: 'flat' }),
  variants: Variants.default({ colors: [], sizes: [] }),
  sizeSource: z
    .string()
    .optional()
    .describe('Where the size comes from, as shown after “Blank size”: a standard, a data sheet. Absent: nobody said.'),
});
export type Product = z.output<typeof Product>;

/** Asks for a page of a list of products. */
export const ProductsQuery = z.object({
  search: StorableText.max(100)
    .optional()
    .describe('Words of name, category, sub-category or material, or their beginnings.'),
  after: z.string().max(100).optional().describe('The id of the last product of the page before.'),
  ids: z
    .string()
    .regex(/^[\w.-]{1,100}(,[\w.-]{1,100}){0,99}$/, 'Up to 100 ids, with commas between them.')
    .optional()
    .describe('Only these products, by `id` or `productId`.'),
});
export type ProductsQuery = z.output<typeof ProductsQuery>;

/** The sentence on length and pages in the descriptions of lists of products. */
export const inPages =
  `A list of more than ${WHOLE_LIST} products, or one that \`search\`, \`after\` or \`ids\` asks for, comes in pages of ` +
  `${PRODUCTS_PAGE}, ordered by category and name; a shorter page is the last.`;
export const pageErrors = { 400: '`after` is no product of the list.' } as const;

export const BaseCategory = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  productCount: z.number().int(),
});
export type BaseCategory = z.output<typeof BaseCategory>;

const Label = z.string().max(1_000).transform(toLabel);
const Name = labelOf(MAX_NAME, { missing: 'Please enter a name.' });
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

/** Accepts a value as it is, or as the JSON in a form field. Says what is wrong with the value itself. */
const inForm = <T extends z.core.$ZodType>(schema: T) =>
  z.union(
    [
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
    ],
    { error: ({ code, errors, input }) => (code === 'invalid_union' ? innermost(errors, input) : undefined) },
  );

/** Returns the sentence about the way in which a value came: as it is, or as JSON. */
function innermost(ways: readonly (readonly z.core.$ZodIssue[])[], input: unknown): string | undefined {
  return ways[typeof input === 'string' ? 1 : 0]?.[0]?.message;
}

const field = {
  subCategory: Label.pipe(z.string().max(MAX_NAME, `Names may be up to ${MAX_NAME} characters long.`)),
  dimensions: Dimensions.refine((dimensions) => dimensions.split('x').every((side) => Number(side) >= 0.1), {
    error: 'The print area must be at least 0.1 inch wide and high.',
  }),
  printArea: inForm(ProductPrintArea).refine(({ x, y, width, height }) => x + width <= 1.0001 && y + height <= 1.0001, {
    error: 'The print area must lie within the picture.',
  }),
  material: z.enum(MATERIALS),
  markColor: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .describe('The color of a laser’s mark on the product.'),
  machines: inForm(z.array(MachineMode).min(1).max(MACHINE_MODES.length)).transform((machines) => [
    ...new Set(machines),
  ]),
  surface: inForm(BlankSurface),
  variants: inForm(Variants),
  sizeSource: Label.pipe(
    z.string().max(MAX_SIZE_SOURCE, `Where a size comes from may be said in up to ${MAX_SIZE_SOURCE} characters.`),
  ).describe('Where the size comes from, in a few words: “the maker’s data sheet”. Empty: not said.'),
};

/** The fields of a new product, for the administrator and for companies alike. */
export const ProductFields = z.object({
  name: Name,
  category: CategoryName,
  subCategory: field.subCategory.default(''),
  dimensions: field.dimensions.default(DEFAULT_DIMENSIONS),
  printArea: field.printArea
    .optional()
    .describe(
      'When absent, the area lies in the middle of the picture and has the shape of the dimensions. With dimensions ' +
        'of 1x1 it is the whole picture, as far as that is square.',
    ),
  material: field.material.default('other'),
  markColor: field.markColor.default('#2b2b2b'),
  machines: field.machines.default(['laser', 'uv', 'sublimation']),
  surface: field.surface.default({ kind: 'flat' }),
  variants: field.variants.default({ colors: [], sizes: [] }),
  sizeSource: field.sizeSource.default(''),
});
export type ProductFields = z.output<typeof ProductFields>;

/** The changes of a product. Absent fields stay as they are; so does the shape of a print area that is sent without. */
export const ProductChanges = z.object({
  name: Name,
  category: CategoryName,
  subCategory: field.subCategory.optional(),
  dimensions: field.dimensions.optional(),
  printArea: field.printArea.optional(),
  material: field.material.optional(),
  markColor: field.markColor.optional(),
  machines: field.machines.optional(),
  surface: field.surface.optional(),
  variants: field.variants.optional(),
  sizeSource: field.sizeSource.optional(),
});
export type ProductChanges = z.output<typeof ProductChanges>;

/** A base product as the administrator sees it, with the business of its bulk upload. */
export const AdminProduct = Product.extend({ business: z.string() });
export type AdminProduct = z.output<typeof AdminProduct>;

/** The result for one file of a bulk upload. `index` is its position in the request. */
export const BulkFile = z.object({
  index: z.number().int(),
  path: z.string(),
  status: z
    .enum(['uploaded', 'duplicate', 'skipped', 'failed'])
    .describe(
      '`skipped` means that the file is no PNG, JPG or SVG, or that its path names no product. ' +
        '`failed` means that the picture could not be used.',
    ),
  message: z.string().optional().describe('The reason why the file was skipped or failed, as a sentence.'),
  category: z.string().optional(),
  productId: z.string().optional(),
});
export type BulkFile = z.output<typeof BulkFile>;

export const BulkUpload = z.object({
  uploadedCount: z.number().int(),
  createdCategories: z.array(z.string()).describe('The names of the categories.'),
  skippedDuplicates: z.number().int(),
  skippedFiles: z.number().int(),
  failedCount: z.number().int(),
  files: z.array(BulkFile).describe('In the order of the request.'),
  remaining: z
    .array(z.number().int())
    .describe(
      'The positions of the files that were not reached within the 12 seconds of one request. Send ' +
        'them again. At least one file is always reached.',
    ),
});
export type BulkUpload = z.output<typeof BulkUpload>;

const IdParams = z.object({ id: z.string().regex(/^[\w-]{1,100}$/) });
const Description = Label.pipe(z.string().max(500, 'A description may be up to 500 characters long.'));

export const catalogue = defineCalls(cataloguePaths, {
  products: {
    summary: 'List the base products',
    description: `Returns every product of the catalog. ${inPages}`,
    query: ProductsQuery,
    reply: z.array(Product),
    errors: pageErrors,
  },
  baseCategories: {
    summary: 'List the base categories',
    description: 'Returns every category of the catalog, with the number of its products.',
    reply: z.array(BaseCategory),
  },
  adminCategories: {
    summary: 'List the base categories with counts',
    description: 'Returns every category with the number of its products.',
    reply: z.array(BaseCategory),
  },
  addCategory: {
    summary: 'Add a base category',
    description: 'Adds a category to the catalog.',
    body: z.object({ name: CategoryName, description: Description.default('') }),
    reply: BaseCategory,
    errors: { 409: 'A category of this name exists.' },
  },
  renameCategory: {
    summary: 'Rename a base category',
    description: 'Changes the name of a category, and its description where one is given. Its products follow.',
    params: IdParams,
    body: z.object({ name: CategoryName, description: Description.optional() }),
    reply: BaseCategory,
    errors: { 404: 'The category does not exist.', 409: 'A category of this name exists.' },
  },
  deleteCategory: {
    summary: 'Delete a base category',
    description: 'Deletes a category. One with products is deleted only with `withProducts=true`, together with them.',
    params: IdParams,
    query: z.object({ withProducts: z.enum(['true', 'false']).default('false') }),
    reply: z.object({ deletedProducts: z.number().int() }),
    errors: { 404: 'The category does not exist.', 409: 'The category has products.' },
  },
  adminProducts: {
    summary: 'List the base products for administration',
    description: `Returns every product of the catalog with the business it was filed under. ${inPages}`,
    query: ProductsQuery,
    reply: z.array(AdminProduct),
    errors: pageErrors,
  },
  addProduct: {
    summary: 'Add a base product',
    description: 'Adds a product with its picture. A category that does not exist is created.',
    body: ProductFields,
    reply: AdminProduct,
    errors: {
      409: 'The category has a product of this name.',
      413: 'The picture is larger than 20 MB or has more pixels than the server reads.',
      415: 'The file is not a picture the server reads.',
      422: 'The picture is damaged or too complex.',
      507: 'The server’s disk is full.',
    },
  },
  editProduct: {
    summary: 'Change a base product',
    description: 'Changes the fields that are sent, and the picture where one is sent.',
    params: IdParams,
    body: ProductChanges,
    reply: AdminProduct,
    errors: {
      404: 'The product does not exist.',
      409: 'The category has a product of this name.',
      413: 'The picture is larger than 20 MB or has more pixels than the server reads.',
      415: 'The file is not a picture the server reads.',
      422: 'The picture is damaged or too complex.',
      507: 'The server’s disk is full.',
    },
  },
  deleteProduct: {
    summary: 'Delete a base product',
    description: 'Deletes a product and its pictures.',
    params: IdParams,
    reply: z.object({ deletedCount: z.number().int() }),
    errors: { 404: 'The product does not exist.' },
  },
  deleteAllProducts: {
    summary: 'Delete all base products',
    description: 'Deletes every product of the catalog.',
    reply: z.object({ deletedCount: z.number().int() }),
  },
  bulkUpload: {
    summary: 'Upload a folder of products',
    description:
      'Adds a product for each PNG, JPG or SVG of a folder. Products that exist are skipped. The ' +
      'reply names what became of each file. A file `products.csv` among them is no product: its columns say the size, ' +
      'material, machines and surface of the pictures that its column `file` names. With a wrong line nothing is added.',
    body: z.object({
      paths: z
        .array(z.string())
        .max(BULK_UPLOAD.maxFiles)
        .default([])
        .describe('One path for each file, in the order of the files. A file without one is called by its own name.'),
    }),
    reply: BulkUpload,
    errors: { 413: 'More than 100 files or 200 MB were sent.', 507: 'The server’s disk is full.' },
  },
});
