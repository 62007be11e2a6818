import { FractionRect, SavedComposition } from '@markwright/scene';
import { z } from 'zod';
import { designs as designsPaths } from '../paths/designs.ts';
import { BRUSH_RADIUS, MAX_EDGE_SHIFT, MAX_FEATHER, MAX_STROKE_POINTS, MAX_STROKES } from '../words/cutout.ts';
import { MAX_PALETTE_EDITS, PREVIEW_DEFAULTS, VECTORIZE_DEFAULTS } from '../words/traceSettings.ts';
import { defineCalls } from './call.ts';

/** `monochrome` is an older word for `grayscale`. */
export const ColorMode = z
  .enum(['black', 'grayscale', 'stainless', 'color', 'monochrome'])
  .transform((mode) => (mode === 'monochrome' ? 'grayscale' : mode));
export type ColorMode = z.output<typeof ColorMode>;

const Hex = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'A color is written like #1a2b3c.')
  .toLowerCase();

/** A color of the trace, and what is painted in its place; null leaves it out. */
export const PaletteEdit = z.object({ color: Hex, paint: Hex.nullable() });
export type PaletteEdit = z.output<typeof PaletteEdit>;

export const VectorizeSettings = z.object({
  quality: z.enum(['high', 'medium', 'low']).default(VECTORIZE_DEFAULTS.quality),
  colorMode: ColorMode.default(VECTORIZE_DEFAULTS.colorMode),
  /**
   * `stroke_shapes` draws each shape's outline; `stroke_edges` each border between two shapes once; `centerline` the
   * middle of drawn lines.
   */
  drawStyle: z
    .enum(['fill_shapes', 'stroke_shapes', 'stroke_edges', 'centerline'])
    .default(VECTORIZE_DEFAULTS.drawStyle),
  shapeStacking: z.enum(['cutouts', 'stacked']).default(VECTORIZE_DEFAULTS.shapeStacking),
  groupBy: z.enum(['color', 'shape', 'none']).default(VECTORIZE_DEFAULTS.groupBy),
  /** `outline`: only the lines a laser should follow, each once. `detailed`: tonal regions. */
  laserMode: z.enum(['outline', 'detailed']).default(VECTORIZE_DEFAULTS.laserMode),
  /** `preview` traces for the screen; `vectorize` makes a production file and is charged. */
  mode: z.enum(['preview', 'vectorize']).default(VECTORIZE_DEFAULTS.mode),
  machineType: z.enum(['laser', 'uv', 'sublimation']).optional(),
  paletteSize: z.number().int().min(2).max(256).optional(),
  despeckle: z.number().int().min(0).max(10).optional(),
  cutout: z.boolean().optional(),
  /** Smooth ramps as gradients, for machines that print. A laser gets bands of even tone: it knows no gradient. */
  gradients: z.boolean().default(VECTORIZE_DEFAULTS.gradients),
  /** From 0, as exact as the picture, to 100, as few nodes as will do. */
  simplify: z.number().int().min(0).max(100).default(VECTORIZE_DEFAULTS.simplify),
  /** The part of the picture that is traced; absent: all of it. At least `MIN_CROP_PX` of its pixels each way. */
  crop: z.optional(FractionRect),
  brightness: z.number().int().min(-100).max(100).default(VECTORIZE_DEFAULTS.brightness),
  contrast: z.number().int().min(-100).max(100).default(VECTORIZE_DEFAULTS.contrast),
  /** One ink only: what is darker than this many per cent of white is ink. Absent: found by itself. */
  threshold: z.number().int().min(1).max(99).optional(),
  /**
   * What was done to the colors of the trace these settings give without it. Colors with one paint are joined; one ink
   * has none.
   */
  palette: z.array(PaletteEdit).max(MAX_PALETTE_EDITS).readonly().optional(),
});
export type VectorizeSettings = z.output<typeof VectorizeSettings>;

/**
 * In an answer: the paid vectorizer failed and the built-in engine traced instead. The file is good and costs the same.
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

/** A line that was painted over a cut-out. `keep` brings the original back, `erase` takes away. */
export const BrushStroke = z.object({
  mode: z.enum(['keep', 'erase']),
  radius: z.number().min(BRUSH_RADIUS.min).max(BRUSH_RADIUS.max),
  /** x, y, x, y … in widths and heights of the picture; a single point is a dab. */
  points: z
    .array(z.number().min(-1).max(2))
    .min(2)
    .max(2 * MAX_STROKE_POINTS)
    .refine(({ length }) => length % 2 === 0, 'A point has two numbers.'),
});
export type BrushStroke = z.output<typeof BrushStroke>;

const countPoints = (strokes: readonly BrushStroke[]) =>
  strokes.reduce((sum, { points }) => sum + points.length / 2, 0);

/** What a maker does to an automatic cut-out, in this order. */
export const CutoutFinish = z.object({
  /** How far its edge moves outwards, below 0 inwards; thousandths of the picture's longer side. */
  edgeShift: z.number().min(-MAX_EDGE_SHIFT).max(MAX_EDGE_SHIFT).default(0),
  /** Over how much the edge fades, to both sides; thousandths of the longer side. */
  feather: z.number().min(0).max(MAX_FEATHER).default(0),
  strokes: z
    .array(BrushStroke)
    .max(MAX_STROKES, `The brush may paint ${MAX_STROKES} strokes.`)
    .refine((strokes) => countPoints(strokes) <= MAX_STROKE_POINTS, 'These strokes are too long. Undo some of them.')
    .default([]),
});
export type CutoutFinish = z.output<typeof CutoutFinish>;

/**
 * A file is always a PNG with all the picture's pixels, whatever `quality` says: it is accepted for compatibility.
 * `model` is the network that is asked for where one is needed; where the server has only another one, that one
 * answers.
 */
export const BackgroundOptions = z.object({
  model: z.enum(['u2net', 'isnet']).default('u2net'),
  format: z.literal('png').default('png'),
  quality: z.number().int().min(1).max(100).default(95),
  /**
   * Also take away what is enclosed and looks like the background: the inside of a ring. Absent: what the picture looks
   * like decides.
   */
  clearEnclosed: z.boolean().optional(),
  ...CutoutFinish.shape,
  /** Gives the automatic cut-out, to be looked at and finished by the maker: the design stays as it is. */
  isTrial: z.boolean().default(false),
});
export type BackgroundOptions = z.output<typeof BackgroundOptions>;

/**
 * What told object and background apart: `classical` without a network, by the border of the picture; `custom` the
 * operator's own network.
 */
export const ModelUsed = z.enum(['classical', 'isnet', 'u2net', 'custom']);
export type ModelUsed = z.output<typeof ModelUsed>;

export const Design = z.object({
  id: z.string(),
  filename: z.string(),
  colorMode: z.string(),
  /** Size of the picture in its own pixels (or SVG user units). */
  width: z.number().positive(),
  height: z.number().positive(),
  originalFileUrl: z.string(),
  backgroundRemovedUrl: z.string().nullable(),
  vectorizedSvgUrl: z.string().nullable(),
  /** How that trace was made. */
  settings: VectorizeSettings.optional(),
  /**
   * The pixels a trace is made from, for a preview in the browser: a PNG of at most `MAX_TRACE_PIXELS`, there from the
   * first trace on.
   */
  tracePictureUrl: z.string().optional(),
  createdAt: z.iso.datetime(),
  /** After an upload: a sentence about what had to be left out of the file. */
  notice: z.string().optional(),
});
export type Design = z.output<typeof Design>;

export const designs = defineCalls(designsPaths, {
  upload: {
    summary: 'Stores a JPG, PNG or SVG picture',
    body: z.object({}),
    reply: Design,
  },
  vectorize: {
    summary:
      'Traces a design; with mode `vectorize`, makes the production file of a composition (account needed, charged)',
    body: z.object({
      /** May be left out only with a composition of texts alone. */
      designId: z.string().max(64).optional(),
      /** Accepted for compatibility; never fetched. */
      currentPreviewUrl: z.string().max(4096).nullish(),
      settings: VectorizeSettings.prefault({}),
      composition: z.optional(SavedComposition),
    }),
    reply: z.object({
      vectorizedSvgUrl: z.string(),
      /** The name to save a production file under. */
      filename: z.string().optional(),
      fellBack: FellBack,
    }),
  },
  generatePreview: {
    summary: 'Traces a design with the preview settings',
    body: z.object({ designId: z.string().max(64), settings: PreviewSettings.prefault({}) }),
    reply: z.object({ previewUrl: z.string(), width: z.number(), height: z.number(), fellBack: FellBack }),
  },
  removeBackground: {
    summary: 'Takes the background of a picture away, for every trace from then on; the original is kept',
    body: z.object({ designId: z.string().max(64), options: BackgroundOptions.prefault({}) }),
    reply: z.object({
      backgroundRemovedUrl: z.string(),
      modelUsed: ModelUsed,
    }),
  },
  readBackground: {
    summary: 'How the background of a design was taken away: what to ask for to get the same, or to go on from there',
    params: z.object({ id: z.string().max(64) }),
    reply: CutoutFinish.extend({ clearEnclosed: z.boolean().optional() }),
  },
  restoreBackground: {
    summary: 'Goes back to the original picture of a design, for every trace from then on',
    body: z.object({ designId: z.string().max(64) }),
    reply: Design,
  },
  get: {
    summary: "One of the caller's own designs",
    params: z.object({ id: z.string().max(64) }),
    reply: Design,
  },
  list: {
    summary: "The caller's own designs, newest first",
    reply: z.array(Design),
  },
});
