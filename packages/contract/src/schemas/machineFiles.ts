/** What a machine's file can be, and what is said about it. */
import { SavedComposition } from '@markwright/scene';
import { z } from 'zod';

export const FileFormat = z.enum([
  'svg',
  'lbrn2',
  'xcs',
  'dxf',
  'pdf',
  'png',
  'tiff',
  'plt',
  'package',
  'sheet',
  'paperTest',
]);
export type FileFormat = z.output<typeof FileFormat>;

/** SVG is written for a program; a PDF and a TIFF name their inks for one. */
export const FilePreset = z.enum([
  'lightburn',
  'glowforge',
  'xtool',
  'hairline',
  'cricut',
  'generic',
  'versaWorks',
  'customGateway',
]);
export type FilePreset = z.output<typeof FilePreset>;

const spotName = z
  .string()
  .regex(/^[\x20-\x7e]{1,64}$/, 'The name of an ink has 1 to 64 plain characters.')
  .describe('The exact name that the printer’s program knows.');

export const FileOptions = z.object({
  white: z
    .enum(['underColor', 'flood', 'underWhite', 'none'])
    .optional()
    .describe(
      'The white underbase of a UV or DTF print: under everything that is printed (the default), over the whole area, under ' +
        'white marks alone, or none.',
    ),
  chokeMm: z
    .number()
    .min(0.1)
    .max(0.3)
    .optional()
    .describe('How far the white ends inside the colors; 0.2 by default.'),
  colors: z
    .enum(['sRGB', 'CMYK'])
    .optional()
    .describe('The colors of a PDF: CMYK (the default of UV prints), or sRGB.'),
  profile: z
    .string()
    .max(64)
    .optional()
    .describe('The id of the shop’s ICC profile by which colors become CMYK; a generic one by default.'),
  bleedMm: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .describe(
      'The bleed of a PDF or PNG, which continues the design as its mirror image; 3 by default for sublimation.',
    ),
  laser: z
    .string()
    .max(64)
    .optional()
    .describe(
      'The id of the shop’s laser whose speeds and powers a LightBurn project has. Without it, the shop’s only laser; ' +
        'of several none, and every layer has placeholders.',
    ),
  kerfMm: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'The width of a laser’s beam, for which closed cuts make up: outer ones grow by half of it, holes shrink.',
    ),
  isMirrored: z.boolean().optional().describe('Turns the design over; the default for sublimation alone.'),
  taper: z
    .enum(['rotary', 'sheet'])
    .optional()
    .describe(
      'Makes up for a tapered blank, so that rows come out as long and as level as they are drawn. `rotary`: widths are ' +
        'scaled for a rotary set to the diameter in the middle of the print area. `sheet`: rows are bent for a sheet ' +
        'that is laid round the blank. Any other blank stays as it is drawn. Absent: nothing is made up for.',
    ),
  spots: z
    .object({ white: spotName, gloss: spotName, cut: spotName, score: spotName })
    .partial()
    .optional()
    .describe('Names of inks that differ from those of the preset.'),
});
export type FileOptions = z.output<typeof FileOptions>;

export const FileRequest = z.object({
  composition: SavedComposition,
  format: FileFormat,
  preset: FilePreset.optional(),
  options: FileOptions.prefault({}),
});
export type FileRequest = z.output<typeof FileRequest>;

export const FileReport = z.object({
  widthMm: z.number(),
  heightMm: z.number(),
  isMirrored: z.boolean().describe('True for a file that is turned over already.'),
  colors: z.string().nullable().describe('The color space of the file; null for outlines alone.'),
  taper: z
    .object({ kind: z.enum(['rotary', 'sheet']), diameterMm: z.number() })
    .optional()
    .describe('Of a file that makes up for a tapered blank: for what, and the diameter that a rotary is set to.'),
  layers: z.array(
    z.object({
      id: z.string(),
      kind: z
        .enum(['raster', 'engrave', 'score', 'cut', 'guide', 'color', 'white', 'gloss'])
        .describe('`raster` is a photograph in dots.'),
      areaMm2: z.number().nullable().describe('Of a layer that is filled with one color.'),
      lengthMm: z.number().nullable().describe('Of a layer whose lines are followed.'),
      contours: z.number().int(),
      openEnds: z.number().int(),
    }),
  ),
  settings: z
    .object({
      laser: z.string().nullable().describe('The name of the laser that they are for.'),
      material: z.string().nullable(),
      layers: z.array(
        z.object({
          id: z.string(),
          isPlaceholder: z.boolean().describe('True for a layer without settings of the shop. It says SET POWER.'),
        }),
      ),
    })
    .optional()
    .describe('Of a LightBurn project: the layers that have the shop’s speeds and powers.'),
  findings: z.array(
    z.object({ kind: z.string(), elementId: z.string(), count: z.number().int(), lengthMm: z.number() }),
  ),
  files: z
    .array(z.object({ filename: z.string(), sha256: z.string(), sizeBytes: z.number().int() }))
    .optional()
    .describe('The files in a package.'),
});
export type FileReport = z.output<typeof FileReport>;
