/** What a program sends to have a design engraved, and what it gets. */
import {
  ENGRAVING_INTERVAL_MM,
  ENGRAVING_METHODS,
  ENGRAVING_TONE,
  FractionRect,
  type HalftoneMethod,
  isHalftone,
  Straightening,
} from '@markwright/scene';
import { z } from 'zod';
import { ENGRAVE_WIDTH_MM } from '../words/engravings.ts';
import { MATERIALS } from '../words/products.ts';

export type RasterMethod = Exclude<(typeof ENGRAVING_METHODS)[number], HalftoneMethod>;
/** The methods that give a raster. */
export const rasterMethods = ENGRAVING_METHODS.filter((method): method is RasterMethod => !isHalftone(method));

const toneValue = (name: keyof typeof ENGRAVING_TONE, description: string) => {
  const { min, max, neutral } = ENGRAVING_TONE[name];
  return z.number().min(min).max(max).default(neutral).describe(`${min} to ${max}. ${description}`);
};

const EngraveTone = z.object({
  brightness: toneValue('brightness', 'More than 0 lightens.'),
  contrast: toneValue('contrast', 'More than 0 parts light and dark.'),
  gamma: toneValue('gamma', 'More than 1 lightens the middle tones, and leaves black and white.'),
  localContrast: toneValue('localContrast', 'Makes detail of light and of dark parts stronger.'),
  sharpen: toneValue('sharpen', 'Makes edges stronger, by one pixel of the engraving.'),
});

export const EngraveRequest = z.object({
  designId: z.string().max(64),
  widthMm: z
    .number()
    .min(ENGRAVE_WIDTH_MM.min)
    .max(ENGRAVE_WIDTH_MM.max)
    .describe('The true width of the framed picture. The height follows from its proportions.'),
  intervalMm: z
    .number()
    .min(ENGRAVING_INTERVAL_MM.min)
    .max(ENGRAVING_INTERVAL_MM.max)
    .describe('The pitch of the laser’s lines, and the size of a pixel: 25.4 / `intervalMm` dpi.'),
  method: z
    .enum(rasterMethods)
    .describe('A dither in black and white, or `gray` for a machine that controls its power for each pixel.'),
  tone: EngraveTone.prefault({}).describe(
    'Changes of the tones before they are engraved, in this order: local contrast, gamma, brightness and contrast, ' +
      'sharpening. The defaults leave every tone as it is.',
  ),
  invert: z
    .union([z.boolean(), z.literal('auto')])
    .default('auto')
    .describe('Engraves the negative. `auto`: where the marks of `material` are light; without a material, never.'),
  material: z
    .enum(MATERIALS)
    .optional()
    .describe(
      'Engraves by the tone curve of this material: the one that the account’s shop measured, or else a typical one. ' +
        'When absent, tones are shares of burnt area.',
    ),
  straighten: z
    .optional(Straightening)
    .describe(
      'Straightens the picture before it is cropped, as for a trace. A straightened picture has at most 2.5 megapixels.',
    ),
  crop: z.optional(FractionRect).describe('The part that is engraved, in fractions of the straightened picture.'),
});
export type EngraveRequest = z.output<typeof EngraveRequest>;

export const EngraveReply = z.object({
  url: z
    .string()
    .describe('A PNG with 1 bit for each pixel, or 8 bits of gray: black is burnt, white is bare. It names its dpi.'),
  dpi: z.number().describe('25.4 / `intervalMm`.'),
  widthPx: z.number().int(),
  heightPx: z.number().int(),
  meanTone: z.number().min(0).max(1).describe('The share of the picture that is burnt, from 0 to 1.'),
});
