import {
  ENGRAVING_INTERVAL_MM,
  FractionRect,
  HALFTONE_ANGLE,
  HALFTONE_COURSES,
  HALFTONE_DOTS,
  HALFTONE_GAP_MM,
  HALFTONE_METHODS,
  HALFTONE_PITCH_MM,
  MACHINE_MODES,
  SavedComposition,
  Straightening,
} from '@markwright/scene';
import { z } from 'zod';
import { designs as designsPaths } from '../paths/designs.ts';
import { BRUSH_RADIUS, MAX_EDGE_SHIFT, MAX_FEATHER, MAX_STROKE_POINTS, MAX_STROKES } from '../words/cutout.ts';
import {
  HALFTONE_DEFAULTS,
  HALFTONE_TRACE_DEFAULTS,
  HALFTONE_WIDTH_MM,
  LIGHT_CHOICES,
  MAX_PALETTE_EDITS,
  PREVIEW_DEFAULTS,
  VECTORIZE_DEFAULTS,
} from '../words/traceSettings.ts';
import { defineCalls } from './call.ts';
import { EngraveReply, EngraveRequest } from './engravings.ts';
import { IdParams } from './text.ts';

/** `monochrome` is an older word for `grayscale`. */
export const ColorMode = z
  .enum(['black', 'grayscale', 'stainless', 'color', 'monochrome'])
  .transform((mode) => (mode === 'monochrome' ? 'grayscale' : mode));
export type ColorMode = z.output<typeof ColorMode>;

const Hex = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'A color is written like #1a2b3c.')
  .toLowerCase();

/** A color of the trace and the paint that replaces it. Null leaves the color out. */
export const PaletteEdit = z.object({ color: Hex, paint: Hex.nullable() });
export type PaletteEdit = z.output<typeof PaletteEdit>;

const millimeters = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.number().min(min).max(max).optional();

export const VectorizeSettings = z.object({
  quality: z.enum(['high', 'medium', 'low']).default(VECTORIZE_DEFAULTS.quality),
  colorMode: ColorMode.default(VECTORIZE_DEFAULTS.colorMode),
  drawStyle: z
    .enum(['fill_shapes', 'stroke_shapes', 'stroke_edges', 'centerline', ...HALFTONE_METHODS])
    .default(VECTORIZE_DEFAULTS.drawStyle)
    .describe(
      '`stroke_shapes` draws the outline of each shape, `stroke_edges` each border between two shapes ' +
        'once, `centerline` the middle of drawn lines. `halftone_lines`, `halftone_dots`, `hatch` and `stipple` draw the ' +
        'tones of a picture in black, as closed outlines that a laser fills: lines of varying width, dots on a grid, ' +
        'crossing lines, dots without a grid. Of the other settings, these take the framing, `brightness`, `contrast` ' +
        'and those from `widthMm` on.',
    ),
  shapeStacking: z.enum(['cutouts', 'stacked']).default(VECTORIZE_DEFAULTS.shapeStacking),
  groupBy: z.enum(['color', 'shape', 'none']).default(VECTORIZE_DEFAULTS.groupBy),
  laserMode: z
    .enum(['outline', 'detailed'])
    .default(VECTORIZE_DEFAULTS.laserMode)
    .describe('`outline` draws only the lines that a laser follows, each once. `detailed` draws tonal regions.'),
  mode: z
    .enum(['preview', 'vectorize'])
    .default(VECTORIZE_DEFAULTS.mode)
    .describe('`preview` traces for the screen. `vectorize` makes a production file and charges for it.'),
  machineType: z.enum(MACHINE_MODES).optional(),
  paletteSize: z.number().int().min(2).max(256).optional(),
  despeckle: z.number().int().min(0).max(10).optional(),
  cutout: z.boolean().optional(),
  gradients: z
    .boolean()
    .default(VECTORIZE_DEFAULTS.gradients)
    .describe(
      'Draws smooth ramps as gradients for machines that print. A laser has no gradients and gets bands of even tone.',
    ),
  simplify: z
    .number()
    .int()
    .min(0)
    .max(100)
    .default(VECTORIZE_DEFAULTS.simplify)
    .describe('From 0, as exact as the picture, to 100, with as few nodes as possible.'),
  straighten: z
    .optional(Straightening)
    .describe(
      'Straightens the picture before it is cropped and traced. `corners` are those of a convex quadrilateral, in ' +
        'fractions of the picture, clockwise from the top left. It becomes the whole picture, with `aspect` as its ' +
        'width over height. Corners may lie outside of the picture: the colors of its border go on there. Not for an ' +
        'SVG. When absent, the picture is traced as it is.',
    ),
  crop: z
    .optional(FractionRect)
    .describe(
      'The part of the picture that is traced, in fractions of the straightened picture, at least 8 pixels wide and ' +
        'high. When absent, the whole picture is traced.',
    ),
  brightness: z.number().int().min(-100).max(100).default(VECTORIZE_DEFAULTS.brightness),
  contrast: z.number().int().min(-100).max(100).default(VECTORIZE_DEFAULTS.contrast),
  threshold: z
    .number()
    .int()
    .min(1)
    .max(99)
    .optional()
    .describe(
      'For one ink only: everything darker than this percentage of white is ink. When absent, the ' +
        'tracer finds the threshold.',
    ),
  light: z
    .enum(LIGHT_CHOICES)
    .optional()
    .describe(
      'Of a picture that a camera took of a drawing: `out` takes light, shadows, paper and its texture out before the ' +
        'colors are found, `automatic` where the picture shows that it is one, and `kept` traces them. `kept` when ' +
        'absent, as for traces from before there was this setting; the studio asks for `automatic`. Not for an SVG.',
    ),
  regular: z
    .boolean()
    .optional()
    .describe(
      'Makes symmetric outlines exactly symmetric, and outlines that repeat exactly equal, where the picture shows them ' +
        'to be so within its noise; what is only nearly symmetric stays. False when absent. Not for an SVG.',
    ),
  palette: z
    .array(PaletteEdit)
    .max(MAX_PALETTE_EDITS)
    .readonly()
    .optional()
    .describe(
      'Edits of the colors of the trace that the other settings give. Colors with the same paint are ' +
        'joined. A trace in one ink has no palette.',
    ),
  widthMm: millimeters(HALFTONE_WIDTH_MM).describe(
    `Of a halftone, as all that follows: the true width of the framed picture, ${HALFTONE_TRACE_DEFAULTS.widthMm} mm ` +
      'when absent. In a composition it is the width there.',
  ),
  pitchMm: millimeters(HALFTONE_PITCH_MM).describe(
    `From one line or dot to the next, ${HALFTONE_DEFAULTS.pitchMm} mm when absent; of \`stipple\` the size of a dot, ` +
      `${HALFTONE_DEFAULTS.stippleMm} mm when absent.`,
  ),
  angleDeg: z
    .number()
    .min(HALFTONE_ANGLE.min)
    .max(HALFTONE_ANGLE.max)
    .optional()
    .describe(`Of lines or of the grid, clockwise; ${HALFTONE_DEFAULTS.angleDeg} when absent.`),
  beamMm: millimeters(ENGRAVING_INTERVAL_MM).describe(
    `The width of the laser’s beam: nothing is thinner. ${HALFTONE_TRACE_DEFAULTS.beamMm} mm when absent.`,
  ),
  gapMm: millimeters(HALFTONE_GAP_MM).describe(
    'The least distance between two outlines. When absent they may touch, and black is solid; dots of `stipple` never ' +
      'touch.',
  ),
  course: z
    .enum(HALFTONE_COURSES)
    .optional()
    .describe(
      'The way that `halftone_lines` run: `straight`, `rings` around the middle, or `form`, along what the picture ' +
        'shows. `straight` when absent.',
    ),
  dots: z.enum(HALFTONE_DOTS).optional().describe('The shape of `halftone_dots`, `round` when absent.'),
  invert: z
    .boolean()
    .optional()
    .describe('Draws the light parts of the picture, for a material that marks light. False when absent.'),
});
export type VectorizeSettings = z.output<typeof VectorizeSettings>;

/** The settings of a trace without the defaults: one that a call leaves out is absent. */
export const PartialVectorizeSettings = z.object(
  Object.fromEntries(Object.entries(VectorizeSettings.shape).map(([name, field]) => [name, withoutDefault(field)])),
) as unknown as z.ZodType<Partial<VectorizeSettings>, z.input<typeof VectorizeSettings>>;
export type PartialVectorizeSettings = z.output<typeof PartialVectorizeSettings>;

/** Returns an optional field. OpenAPI still names its default. */
function withoutDefault(field: z.ZodType): z.ZodType {
  if (!(field instanceof z.ZodDefault)) return field;
  const { description, def } = field;
  return (field.unwrap() as z.ZodType)
    .optional()
    .meta({ ...(description && { description }), default: def.defaultValue });
}

/**
 * In a reply: the paid vectorizer failed and the built-in engine traced instead. The file is good and costs the same.
 */
export const FellBack = z.boolean().optional();

export const PreviewSettings = z.object({
  paletteSize: z.number().int().min(2).max(256).default(PREVIEW_DEFAULTS.paletteSize),
  despeckle: z.number().int().min(0).max(10).default(PREVIEW_DEFAULTS.despeckle),
  cutout: z.boolean().default(PREVIEW_DEFAULTS.cutout),
  colorMode: ColorMode.optional(),
  mode: z.literal('preview').default(PREVIEW_DEFAULTS.mode),
});
export type PreviewSettings = z.output<typeof PreviewSettings>;

/** A brush stroke over a cut-out. `keep` restores the original, `erase` removes it. */
export const BrushStroke = z.object({
  mode: z.enum(['keep', 'erase']),
  radius: z.number().min(BRUSH_RADIUS.min).max(BRUSH_RADIUS.max),
  points: z
    .array(z.number().min(-1).max(2))
    .min(2)
    .max(2 * MAX_STROKE_POINTS)
    .refine(({ length }) => length % 2 === 0, 'A point has two numbers.')
    .describe('x, y, x, y … in widths and heights of the picture. A single point is a dab.'),
});
export type BrushStroke = z.output<typeof BrushStroke>;

const countPoints = (strokes: readonly BrushStroke[]) =>
  strokes.reduce((sum, { points }) => sum + points.length / 2, 0);

/** The manual edits of an automatic cut-out, in the order they apply. */
export const CutoutFinish = z.object({
  edgeShift: z
    .number()
    .min(-MAX_EDGE_SHIFT)
    .max(MAX_EDGE_SHIFT)
    .default(0)
    .describe('The distance the edge moves outwards, or inwards below 0, in thousandths of the picture’s longer side.'),
  feather: z
    .number()
    .min(0)
    .max(MAX_FEATHER)
    .default(0)
    .describe('The distance over which the edge fades to both sides, in thousandths of the picture’s longer side.'),
  strokes: z
    .array(BrushStroke)
    .max(MAX_STROKES, `The brush may paint ${MAX_STROKES} strokes.`)
    .refine((strokes) => countPoints(strokes) <= MAX_STROKE_POINTS, 'These strokes are too long. Undo some of them.')
    .default([]),
});
export type CutoutFinish = z.output<typeof CutoutFinish>;

/**
 * The options of removing a background. The result is always a PNG with every pixel of the picture; `format` and
 * `quality` are accepted for compatibility. `model` is the model to ask where one is needed. A server that has only
 * another model asks that one.
 */
export const BackgroundOptions = z.object({
  model: z.enum(['u2net', 'isnet']).default('u2net'),
  format: z.literal('png').default('png'),
  quality: z.number().int().min(1).max(100).default(95),
  clearEnclosed: z
    .boolean()
    .optional()
    .describe(
      'Also removes enclosed areas that look like the background, for example the inside of a ring. ' +
        'When absent, the server decides by the picture.',
    ),
  ...CutoutFinish.shape,
  isTrial: z
    .boolean()
    .default(false)
    .describe('Returns the automatic cut-out for a look and leaves the design as it is.'),
});
export type BackgroundOptions = z.output<typeof BackgroundOptions>;

/**
 * The method that separated the object from the background. `classical` uses the border of the picture and no model;
 * `custom` is the operator's own model.
 */
export const ModelUsed = z.enum(['classical', 'isnet', 'u2net', 'custom']);
export type ModelUsed = z.output<typeof ModelUsed>;

export const Design = z.object({
  id: z.string(),
  filename: z.string(),
  colorMode: z.string(),
  width: z.number().positive().describe('In pixels of the picture, or in SVG user units.'),
  height: z.number().positive(),
  widthMm: z
    .number()
    .positive()
    .optional()
    .describe(
      'The true width, when the file says it: a DXF or LightBurn file, or an SVG with a width in mm, cm, in, pt or pc. ' +
        'A studio places it at that size.',
    ),
  outlineFile: z
    .enum(['DXF', 'LightBurn'])
    .optional()
    .describe('Present for a file of outlines for a machine, which is never traced.'),
  originalFileUrl: z.string(),
  backgroundRemovedUrl: z.string().nullable(),
  vectorizedSvgUrl: z.string().nullable(),
  settings: VectorizeSettings.optional().describe('The settings of the trace.'),
  tracePictureUrl: z
    .string()
    .optional()
    .describe(
      'A PNG of the pixels that a trace is made from, at most 2.5 megapixels, for a preview in the ' +
        'browser. Present from the first trace on.',
    ),
  createdAt: z.iso.datetime(),
  notice: z
    .string()
    .optional()
    .describe('After an upload: what was taken for granted of the file, and its parts that had to be left out.'),
});
export type Design = z.output<typeof Design>;

export const designs = defineCalls(designsPaths, {
  upload: {
    summary: 'Upload a picture',
    description: 'Stores a JPG, PNG, SVG, DXF or LightBurn file as a new design of the caller.',
    body: z.object({}),
    reply: Design,
    errors: {
      413: 'The picture is larger than 20 MB or has more pixels than the server reads, or the space for files is full.',
      415: 'The file is not a picture the server reads.',
      422: 'The picture is damaged or too complex.',
      507: 'The caller has as many designs as it may store, or the server’s disk is full.',
    },
  },
  vectorize: {
    summary: 'Trace a design',
    description:
      'Traces a design for the screen. With the mode `vectorize` it makes the production file of a ' +
      'composition, which needs an account and is charged. The file is traced with the settings that are sent. ' +
      'Settings that are left out stay as the design was last shown, and the quality is `high`.',
    body: z.object({
      designId: z
        .string()
        .max(64)
        .optional()
        .describe('May be left out only with a composition that has texts and no picture.'),
      currentPreviewUrl: z.string().max(4096).nullish().describe('Accepted for compatibility and never fetched.'),
      settings: PartialVectorizeSettings.prefault({}),
      composition: z.optional(SavedComposition),
    }),
    reply: z.object({
      vectorizedSvgUrl: z.string(),
      filename: z.string().optional().describe('The file name for a production file.'),
      fellBack: FellBack,
    }),
    errors: {
      401: 'A production file needs an account, or the token is not valid.',
      402: 'The allowance of the month is used up.',
      404: 'The design or the product does not exist.',
      413: 'The caller’s space for files is full.',
      422: 'The picture cannot be traced with these settings.',
      429: 'The caller has several pictures in work, or makes too many calls.',
      507: 'The server’s disk is full.',
    },
  },
  generatePreview: {
    summary: 'Trace a quick preview',
    description: 'Traces a design with the settings of the quick preview.',
    body: z.object({ designId: z.string().max(64), settings: PreviewSettings.prefault({}) }),
    reply: z.object({ previewUrl: z.string(), width: z.number(), height: z.number(), fellBack: FellBack }),
    errors: {
      402: 'The allowance of the month is used up.',
      404: 'The design does not exist, or it belongs to someone else.',
      413: 'The caller’s space for files is full.',
      422: 'The picture cannot be traced with these settings.',
      429: 'The caller has several pictures in work, or makes too many calls.',
      507: 'The server’s disk is full.',
    },
  },
  engrave: {
    summary: 'Engrave a design as a raster',
    description:
      'Makes the raster that a laser burns dot by dot, at exactly the pitch of its lines. The design stays as it is, and ' +
      'nothing is charged to an account. The same request gives the same file.',
    body: EngraveRequest,
    examples: () => ({
      slate: {
        summary: 'A portrait on slate, which marks light',
        value: { designId: 'xK3…', widthMm: 100, intervalMm: 0.1, method: 'jarvis', material: 'slate' },
      },
      untouched: {
        summary: 'All settings, with tones as they are',
        value: {
          ...{ designId: 'xK3…', widthMm: 100, intervalMm: 0.08, method: 'floyd-steinberg', invert: false },
          tone: { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 },
        },
      },
    }),
    replyExample: {
      url: '/files/designs/xK3…/engraving-0f3a….png?…',
      ...{ dpi: 254, widthPx: 1000, heightPx: 750, meanTone: 0.4126 },
    },
    reply: EngraveReply,
    errors: {
      402: 'The allowance of the month is used up.',
      404: 'The design does not exist, or it belongs to someone else.',
      413: 'The caller’s space for files is full.',
      422: 'The picture cannot be read, or has too many pixels at this size and interval.',
      429: 'The caller has several pictures in work, or makes too many calls.',
      507: 'The server’s disk is full.',
    },
  },
  removeBackground: {
    summary: 'Remove the background',
    description:
      'Removes the background of a picture for every later trace. The original stays stored. A caller ' +
      'that accepts `application/x-ndjson` gets a progress stream.',
    body: z.object({ designId: z.string().max(64), options: BackgroundOptions.prefault({}) }),
    reply: z.object({
      backgroundRemovedUrl: z.string(),
      modelUsed: ModelUsed,
    }),
    errors: {
      402: 'The allowance of the month is used up.',
      404: 'The design does not exist, or it belongs to someone else.',
      413: 'The caller’s space for files is full.',
      422: 'The background cannot be told from the object, or nothing would be left.',
      429: 'The caller has several pictures in work, or makes too many calls.',
      507: 'The server’s disk is full.',
    },
  },
  readBackground: {
    summary: 'Read how a background was removed',
    description: 'Returns the options that give the same cut-out, to repeat it or to go on from it.',
    params: IdParams,
    reply: CutoutFinish.extend({ clearEnclosed: z.boolean().optional() }),
    errors: { 404: 'The design does not exist, or it belongs to someone else.' },
  },
  restoreBackground: {
    summary: 'Restore the background',
    description: 'Uses the original picture of a design for every later trace.',
    body: z.object({ designId: z.string().max(64) }),
    reply: Design,
    errors: { 404: 'The design does not exist, or it belongs to someone else.' },
  },
  get: {
    summary: 'Read a design',
    description: 'Returns one of the caller’s designs.',
    params: IdParams,
    reply: Design,
    errors: { 404: 'The design does not exist, or it belongs to someone else.' },
  },
  list: {
    summary: 'List designs',
    description:
      'Returns up to 200 of the caller’s designs, the newest first. `before`, the id of the last one of a list, ' +
      'returns those that follow it.',
    query: z.object({ before: z.string().max(100).optional() }),
    reply: z.array(Design),
    errors: { 400: '`before` is no design of the caller.' },
  },
});
