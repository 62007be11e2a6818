/** The form of a blank: its surface, the shape of its print area, and the variants it is sold in. */
import { type AreaShape, isAreaPath, KEEP_OUT_REASONS, type PrintArea } from '@markwright/scene';
import type { PlacedSurface } from '@markwright/scene/surface';
import { z } from 'zod';
import { BLANK_LIMITS } from '../words/blanks.ts';
import { isVisible, toLabel } from '../words/labels.ts';
import { MATERIALS } from '../words/products.ts';

/** The product's print area as `WxH` in inches. */
export const Dimensions = z.string().regex(/^\d{1,4}(\.\d{1,3})?x\d{1,4}(\.\d{1,3})?$/);

const { diameterMm, heightMm, axisMm, focusMm, radiusMm } = BLANK_LIMITS;
const mm = ({ min, max }: { readonly min: number; readonly max: number }) => z.number().min(min).max(max);

const roundFields = {
  axis: z
    .enum(['upright', 'level'])
    .optional()
    .describe('How the axis lies in the picture: level for a pen that lies on its side. Absent: upright.'),
  axisMm: mm(axisMm)
    .optional()
    .describe(
      'How far right of the middle of the print area the axis lies in the picture, in mm; below it for a level axis. ' +
        'Absent: in it.',
    ),
  arcMm: mm(BLANK_LIMITS.arcMm)
    .optional()
    .describe('How much of the circumference can be marked, in mm at the middle of the print area. Absent: all of it.'),
  focusMm: mm(focusMm)
    .optional()
    .describe('How far below its focus the laser still marks, in mm, for a laser without a rotary.'),
};

/** The surface of a blank. The print area's dimensions are measured along it. */
export const BlankSurface = z
  .discriminatedUnion(
    'kind',
    [
      z.object({ kind: z.literal('flat') }),
      z.object({ kind: z.literal('cylinder'), diameterMm: mm(diameterMm), ...roundFields }),
      z.object({
        kind: z.literal('cone'),
        topDiameterMm: mm(diameterMm),
        bottomDiameterMm: mm(diameterMm),
        heightMm: mm(heightMm).describe(
          'From the place of the top diameter down to that of the bottom diameter, in mm.',
        ),
        middleMm: mm(BLANK_LIMITS.middleMm)
          .optional()
          .describe(
            'How far the middle of the print area lies below the place of the top diameter, in mm. Absent: half of the ' +
              'height.',
          ),
        ...roundFields,
      }),
    ],
    { error: 'A surface is flat, a cylinder or a cone.' },
  )
  .refine((surface) => surface.kind !== 'cone' || (surface.middleMm ?? 0) <= surface.heightMm, {
    error: 'The middle of the print area must lie between the two diameters of the cone.',
  });
export type BlankSurface = z.output<typeof BlankSurface>;

const share = z.number().min(0).max(1);

/** A part of the print area that is never marked. */
const KeepOut = z
  .object({
    kind: z.enum(['rectangle', 'ellipse']),
    x: share,
    y: share,
    width: z.number().positive().max(1),
    height: z.number().positive().max(1),
    reason: z.enum(KEEP_OUT_REASONS).default('other'),
  })
  .refine(({ x, y, width, height }) => x + width <= 1.0001 && y + height <= 1.0001, {
    error: 'What is kept free must lie within the print area.',
  })
  .describe('In fractions of the print area’s rectangle.');

const keepOuts = z
  .array(KeepOut)
  .max(BLANK_LIMITS.keepOuts, `Up to ${BLANK_LIMITS.keepOuts} parts of a print area can be kept free.`)
  .readonly()
  .optional();

const AreaPath = z
  .string()
  .max(BLANK_LIMITS.pathLength, `The outline of a print area may be up to ${BLANK_LIMITS.pathLength} characters long.`)
  .refine(isAreaPath, {
    error:
      'The outline of a print area is path data of the commands M, L, C and Z in fractions of its rectangle, from 0 to 1.',
  });

export const PrintAreaShape = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('rectangle'), keepOuts }),
    z.object({ kind: z.literal('rounded'), radiusMm: mm(radiusMm), keepOuts }),
    z.object({ kind: z.literal('circle'), keepOuts }),
    z.object({ kind: z.literal('ellipse'), keepOuts }),
    z.object({ kind: z.literal('outline'), d: AreaPath, keepOuts }),
  ],
  { error: 'The shape of a print area is a rectangle, rounded, a circle, an ellipse or an outline.' },
);

/** The print area: a rectangle of the picture, and the shape of what can be marked in it. */
export const ProductPrintArea = z.object({
  x: share,
  y: share,
  width: z.number().positive().max(1),
  height: z.number().positive().max(1),
  shape: PrintAreaShape.optional().describe('Absent: all of the rectangle can be marked.'),
});

const Label = z
  .string()
  .max(1_000)
  .transform(toLabel)
  .pipe(
    z
      .string()
      .max(BLANK_LIMITS.labelLength, `The name of a variant may be up to ${BLANK_LIMITS.labelLength} characters long.`)
      .refine(isVisible, 'Please name each variant.'),
  );
const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'A color is written as #rrggbb.');

const isEachOnce = (items: readonly { readonly name: string }[]) =>
  new Set(items.map(({ name }) => name.toLowerCase())).size === items.length;

/** The colors and sizes in which one product is sold. */
export const Variants = z.object({
  colors: z
    .array(
      z.object({
        name: Label,
        color: Color.describe('Of the blank, for its swatch.'),
        markColor: Color.optional().describe('Of a laser’s mark on it. Absent: the product’s.'),
        material: z.enum(MATERIALS).optional().describe('Of the blank in this color. Absent: the product’s.'),
        picture: z
          .string()
          .max(1_000)
          .optional()
          .describe(
            'The address of its own picture. Absent: the product’s picture. In a change it is the address that the ' +
              'product has: no other one is taken.',
          ),
        formerId: z
          .string()
          .max(64)
          .optional()
          .describe('The id of the product that this color was before. The server says it; it is never changed.'),
      }),
    )
    .max(BLANK_LIMITS.colors, `A product may have up to ${BLANK_LIMITS.colors} colors.`)
    .refine(isEachOnce, 'Each color needs a name of its own.')
    .default([]),
  sizes: z
    .array(
      z.object({
        name: Label,
        dimensions: Dimensions.optional().describe('Of its print area. Absent: the product’s.'),
      }),
    )
    .max(BLANK_LIMITS.sizes, `A product may have up to ${BLANK_LIMITS.sizes} sizes.`)
    .refine(isEachOnce, 'Each size needs a name of its own.')
    .default([]),
});
export type Variants = z.output<typeof Variants>;

// A type error here means that the schemas and the scene no longer have the same shapes.
BlankSurface satisfies z.ZodType<PlacedSurface>;
PrintAreaShape satisfies z.ZodType<AreaShape>;
ProductPrintArea satisfies z.ZodType<PrintArea>;
