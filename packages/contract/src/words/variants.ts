/** The colors and sizes of a product: which of them a composition has chosen, and the product that they make. */
import type { FractionRect, Variant } from '@markwright/scene';
import { parseDimensions } from './products.ts';

/** A color in which a product is sold. Absent fields are the product's. */
export interface ProductColor {
  readonly name: string;
  /** Of its swatch, as #rrggbb. */
  readonly color: string;
  readonly markColor?: string | undefined;
  readonly material?: string | undefined;
  /** Where its picture is: its address in replies, its key on the server. */
  readonly picture?: string | undefined;
  /** The id of the product that this color was before it became one of several. */
  readonly formerId?: string | undefined;
}

/** A size in which a product is sold; `dimensions` as a product has them. Absent: the product's. */
export interface ProductSize {
  readonly name: string;
  readonly dimensions?: string | undefined;
}

/** The fields of a product that its colors and sizes decide on. */
export interface VariedProduct {
  readonly productId: string;
  readonly name: string;
  readonly dimensions: string;
  readonly printArea: FractionRect;
  readonly pictureAspect: number;
  readonly material: string;
  readonly markColor: string;
  /** Absent for a product that was stored before there were any. */
  readonly variants?: { readonly colors: readonly ProductColor[]; readonly sizes: readonly ProductSize[] } | undefined;
}

export interface ChosenVariant {
  readonly color?: ProductColor | undefined;
  readonly size?: ProductSize | undefined;
}

/** The fields of a composition that choose its product, color and size. */
export interface ProductChoice {
  readonly productId?: string | undefined;
  readonly variant?: Variant | undefined;
}

/** Returns the product with an id, its own or that of one of its colors before; undefined where there is none. */
export function findById<T extends Pick<VariedProduct, 'productId' | 'variants'> & { readonly id?: string }>(
  products: readonly T[],
  id: string | null | undefined,
): T | undefined {
  if (id === null || id === undefined) return undefined;
  return (
    products.find((product) => product.productId === id || product.id === id) ??
    products.find(({ variants }) => variants?.colors.some(({ formerId }) => formerId === id))
  );
}

/** Returns all ids that name a product: its own, and those of the products that became its colors. */
export const idsOf = ({ productId, variants }: Pick<VariedProduct, 'productId' | 'variants'>): readonly string[] => [
  ...new Set([productId, ...(variants?.colors ?? []).flatMap(({ formerId }) => formerId ?? [])]),
];

/**
 * Returns the color and the size that a composition has chosen, and in `missing` what the product does not have, as a
 * sentence. A composition that names no color has the one whose product it named before there were colors.
 */
export function chosenVariant(
  { name, variants }: Pick<VariedProduct, 'name' | 'variants'>,
  { productId, variant }: ProductChoice,
): ChosenVariant & { readonly missing?: string | undefined } {
  const colors = variants?.colors ?? [];
  const color = variant?.color
    ? byName(colors, variant.color)
    : colors.find(({ formerId }) => formerId !== undefined && formerId === productId);
  const size = variant?.size ? byName(variants?.sizes ?? [], variant.size) : undefined;
  const missing =
    variant?.color && !color
      ? `There is no color “${variant.color}” of “${name}”. Please choose another one.`
      : variant?.size && !size
        ? `There is no size “${variant.size}” of “${name}”. Please choose another one.`
        : undefined;
  return { color, size, missing };
}

const byName = <T extends { readonly name: string }>(list: readonly T[], name: string): T | undefined =>
  list.find((one) => one.name === name) ?? list.find((one) => one.name.toLowerCase() === name.toLowerCase());

/**
 * Returns what somebody gets who chooses a product and says nothing else: the color and the size that are the product
 * as it is, or the first ones. Undefined for a product without any.
 */
export function usualVariant({ productId, variants }: Pick<VariedProduct, 'productId' | 'variants'>) {
  const { colors = [], sizes = [] } = variants ?? {};
  const color = colors.find(({ formerId }) => formerId === productId) ?? colors.find(isPlain) ?? colors[0];
  const size = sizes.find(({ dimensions }) => dimensions === undefined) ?? sizes[0];
  return toVariant({ color, size });
}

const isPlain = ({ picture, markColor, material }: ProductColor): boolean => !picture && !markColor && !material;

/** Returns the names of a color and a size, as a composition has them; undefined without any. */
export const toVariant = ({ color, size }: ChosenVariant): Variant | undefined =>
  color || size ? { ...(color && { color: color.name }), ...(size && { size: size.name }) } : undefined;

/**
 * Returns a product in a color and a size: its name says both, and it has their print area, material and mark. The
 * print area of a size of another shape is the largest of that shape within the product's, around the same middle. The
 * picture is the caller's business. The very same product where nothing was chosen.
 */
export function withVariant<T extends VariedProduct>(product: T, { color, size }: ChosenVariant): T {
  if (!color && !size) return product;
  const names = [product.name, color?.name, size?.name].filter((name) => name !== undefined);
  const { dimensions = product.dimensions } = size ?? {};
  return {
    ...product,
    name: names.join(', '),
    dimensions,
    printArea: { ...product.printArea, ...toShape(product, dimensions) },
    material: color?.material ?? product.material,
    markColor: color?.markColor ?? product.markColor,
  };
}

/** Sides that differ by less are the same shape: dimensions are rounded. */
const SAME_SHAPE = 0.005;

function toShape({ printArea, pictureAspect }: VariedProduct, dimensions: string): FractionRect {
  const { x, y, width, height } = printArea;
  const { widthInches, heightInches } = parseDimensions(dimensions);
  const aspect = widthInches / heightInches / pictureAspect;
  if (Math.abs(width / height / aspect - 1) < SAME_SHAPE) return { x, y, width, height };
  const size = { width: Math.min(width, height * aspect), height: Math.min(height, width / aspect) };
  return { x: x + (width - size.width) / 2, y: y + (height - size.height) / 2, ...size };
}
