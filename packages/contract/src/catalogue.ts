import { FractionRect, MachineMode } from '@markwright/scene';
import { z } from 'zod';
import { call } from './call.ts';

/** `WxH` in inches: the product's print area. */
export const Dimensions = z.string().regex(/^\d{1,4}(\.\d{1,3})?x\d{1,4}(\.\d{1,3})?$/);

/** Reads `'2.4x5.5'` as inches. */
export function parseDimensions(dimensions: string): { widthInches: number; heightInches: number } {
  const [width, height] = dimensions.split('x').map(Number);
  return { widthInches: width || 1, heightInches: height || 1 };
}

export const Product = z.object({
  id: z.string(),
  productId: z.string(),
  name: z.string(),
  category: z.string(),
  mockupImageUrl: z.string(),
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

/** Address of the tileable picture of brushed steel that marks of bare metal are shown with. */
export const BRUSHED_PICTURE = '/api/overlay/brushed-nickel.png';

export const catalogue = {
  products: call({
    method: 'GET',
    path: '/api/products',
    access: 'anyone',
    summary: 'All base products',
    reply: z.array(Product),
  }),
  baseCategories: call({
    method: 'GET',
    path: '/api/base-categories',
    access: 'anyone',
    summary: 'All base categories',
    reply: z.array(BaseCategory),
  }),
};
