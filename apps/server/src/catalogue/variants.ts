/** The colors and sizes of products: what a composition has chosen, and what a change of them may say. */
import {
  chosenVariant,
  findById,
  type ProductChoice,
  type ProductSize,
  type Variants,
  withVariant,
} from '@markwright/contract';
import { AppError } from '../platform/errors.ts';
import { type SeedProduct, seedProducts } from './seed/products.ts';
import { requireFit } from './shapes.ts';
import type { DrawnProduct } from './tables.ts';

/** Returns a product in the color and size of a composition. Throws invalid for one that it does not have. */
export function inVariant<T extends DrawnProduct>(product: T, choice: ProductChoice): T {
  const { missing, ...chosen } = chosenVariant(product, choice);
  if (missing) throw new AppError('invalid', missing);
  if (!chosen.color && !chosen.size) return product;
  const pictureKey = chosen.color?.picture;
  return { ...withVariant(product, chosen), ...(pictureKey && { pictureKey }) };
}

/** Returns the variants with the addresses of their pictures in place of the keys. */
export const withAddresses = (variants: Variants, addressOf: (key: string) => string): Variants => ({
  ...variants,
  colors: variants.colors.map((color) => (color.picture ? { ...color, picture: addressOf(color.picture) } : color)),
});

/**
 * Returns the variants that somebody sent, with the keys of their pictures: those that the product has. Throws invalid
 * for any other picture or former id, because only the server says these, and for a size that does not fit round the
 * product.
 */
export function readVariants(
  next: Variants,
  product: Parameters<typeof requireFit>[0] & { readonly variants?: Variants },
  addressOf: (key: string) => string,
): Variants {
  for (const { dimensions } of next.sizes as readonly ProductSize[]) {
    if (dimensions) requireFit({ surface: product.surface, dimensions });
  }
  const before = product.variants?.colors ?? [];
  const pathOf = (address: string) => address.replace(/\?.*/, '');
  const keys = new Map(before.flatMap(({ picture }) => (picture ? [[pathOf(addressOf(picture)), picture]] : [])));
  const formerIds = new Set(before.map(({ formerId }) => formerId));
  const colors = next.colors.map((color) => {
    const picture = color.picture && keys.get(pathOf(color.picture));
    if (color.picture && !picture)
      throw new AppError('invalid', `The picture of “${color.name}” is not the product’s.`);
    if (color.formerId && !formerIds.has(color.formerId)) {
      throw new AppError('invalid', `The earlier product of “${color.name}” is not known.`);
    }
    return picture ? { ...color, picture } : color;
  });
  return { ...next, colors };
}

const drawing = /^products\/([a-z0-9-]+)\.svg$/;

/**
 * Returns the name of the drawing that the key of a picture is: `products/<name>.svg` ships with the product. Undefined
 * for an uploaded picture.
 */
export const drawingOf = (key: string): string | undefined => drawing.exec(key)?.[1];

const bases = new Map(
  seedProducts.flatMap(({ productId, variants }) =>
    (variants?.colors ?? []).flatMap(({ formerId }) => (formerId ? [[formerId, productId] as const] : [])),
  ),
);

/** Returns the id of the product that a product of an earlier version became a color of; undefined for any other. */
export function baseOf(formerId: string): string | undefined {
  const base = bases.get(formerId);
  return base === formerId ? undefined : base;
}

/** Returns a shipped product by its id, or in the color that had the id before; undefined for any other id. */
export function findSeed(id: string): (SeedProduct & { readonly pictureAspect: number }) | undefined {
  const seed = findById(seedProducts, id);
  return seed && withVariant({ ...seed, pictureAspect: 1 }, chosenVariant(seed, { productId: id }));
}
