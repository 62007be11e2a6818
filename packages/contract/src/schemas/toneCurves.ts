/** Tone curves of a shop: what each material shows of what is burnt. */
import { ENGRAVING_INTERVAL_MM } from '@markwright/scene';
import { z } from 'zod';
import { toneCurveCalls as toneCurvePaths } from '../paths/toneCurves.ts';
import { TONE_CURVE } from '../words/engravings.ts';
import { MATERIALS } from '../words/products.ts';
import { defineCalls } from './call.ts';
import { rasterMethods } from './engravings.ts';

const Curve = z
  .array(z.number().min(TONE_CURVE.min).max(TONE_CURVE.max))
  .length(TONE_CURVE.steps, `A tone curve has ${TONE_CURVE.steps} numbers, one for each patch of the test card.`)
  .refine((curve) => curve[0] !== curve.at(-1), 'The last patch must look different from the first one, which is bare.')
  .readonly()
  .describe(
    'The lightness of each patch of the test card, from bare (patch 1) to all burnt (patch 20), in any even measure, ' +
      'such as the levels of a scan.',
  );

export const MaterialToneCurve = z.object({
  material: z.enum(MATERIALS),
  curve: Curve,
  isTypical: z.boolean().describe('True for a model of a common blank, which nobody has measured.'),
  marksLight: z.boolean().describe('The marks of a common blank are lighter than its surface.'),
  intervalMm: z.number().describe('Where to start with the pitch of the lines.'),
});
export type MaterialToneCurve = z.output<typeof MaterialToneCurve>;

const MaterialParams = z.object({ material: z.enum(MATERIALS) });

export const toneCurveCalls = defineCalls(toneCurvePaths, {
  list: {
    summary: 'List the tone curves',
    description:
      'Returns the tone curve of each material: the one that the account’s shop measured, or else a typical one. ' +
      'Photographs are engraved by it.',
    reply: z.array(MaterialToneCurve),
  },
  change: {
    summary: 'Change a tone curve',
    description: 'Stores what the shop measured on a material. Engravings are made by it from then on.',
    params: MaterialParams,
    body: z.object({ curve: Curve }),
    replyExample: {
      ...{ material: 'slate', isTypical: false, marksLight: true, intervalMm: 0.1 },
      curve: [61, 66, 72, 79, 86, 94, 102, 109, 117, 124, 131, 138, 145, 151, 157, 163, 168, 174, 179, 184],
    },
    reply: MaterialToneCurve,
  },
  reset: {
    summary: 'Use the typical tone curve again',
    description: 'Deletes what the shop measured on a material, and returns the typical curve.',
    params: MaterialParams,
    reply: MaterialToneCurve,
  },
  card: {
    summary: 'Make a test card',
    description:
      'Makes a PNG with 20 patches in two rows, from bare to all burnt, each under its number. Burn it without any other ' +
      'change, scan it, and store the lightness of each patch as the material’s tone curve.',
    query: z.object({
      intervalMm: z.coerce
        .number()
        .min(ENGRAVING_INTERVAL_MM.min)
        .max(ENGRAVING_INTERVAL_MM.max)
        .default(TONE_CURVE.cardIntervalMm)
        .describe('The pitch of the laser’s lines.'),
      method: z.enum(rasterMethods).default(TONE_CURVE.cardMethod).describe('As the pictures will be engraved.'),
    }),
    reply: z.object({
      url: z.string().describe('A PNG that names its dpi: black is burnt, white is bare.'),
      filename: z.string(),
      dpi: z.number(),
      widthPx: z.number().int(),
      heightPx: z.number().int(),
      widthMm: z.number(),
      heightMm: z.number(),
    }),
  },
});
