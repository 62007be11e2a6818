/** A composition with the design and product it names, among those that the actor may use, ready to be drawn. */
import { createHash } from 'node:crypto';
import type { OrderedThing, PartialVectorizeSettings } from '@markwright/contract';
import { exportFilename, messages, parseDimensions, toPartSize, VectorizeSettings } from '@markwright/contract';
import { isBundled } from '@markwright/fonts';
import {
  areaAspect,
  type Composition,
  type DesignPlacement,
  type Framing,
  parseComposition,
  placeOfFrame,
  type Target,
  type TextElement,
  textElementId,
  toTextLines,
  withoutHidden,
} from '@markwright/scene';
import { and, eq, lt } from 'drizzle-orm';
import { core } from 'zod';
import { version } from '../../package.json';
import { keeperOf } from '../allowances/storageShare.ts';
import { readProductPicture } from '../catalogue/products.ts';
import type { DrawnProduct } from '../catalogue/tables.ts';
import { findProduct } from '../companies/products.ts';
import { getDesign } from '../designs/ownDesigns.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { callerOf, ownerOf } from '../platform/ownership.ts';
import type { DrawInput, MediaJobs } from '../platform/ports/mediaJobs.ts';
import type { RunOptions } from '../platform/ports/mediaPool.ts';
import { recordUse } from '../platform/storage.ts';
import { storedFiles } from '../platform/tables.ts';
import { readPicture } from '../tracing/pictures.ts';
import type { DrawnDesign, TraceProgress } from '../tracing/tracing.ts';
import { screenSettings, shownSettings, type Trace, traceDesign } from '../tracing/tracing.ts';

/** A composition with the design and the product it names, ready to be drawn. */
export interface RenderJob {
  /** The visible elements of the composition. */
  readonly composition: Composition;
  readonly design: DrawnDesign | undefined;
  readonly product: DrawnProduct | undefined;
}

/**
 * Reads a saved composition, and finds the design and the product of its visible part. The product is one that the
 * actor may use, or the result of `findProductById`. Throws invalid, and notFound for somebody else's.
 */
export async function readRenderJob(
  context: Context,
  actor: Actor,
  savedComposition: unknown,
  findProductById = (productId: string): Promise<DrawnProduct | undefined> => findProduct(context, actor, productId),
): Promise<RenderJob> {
  const composition = withoutHidden(readComposition(savedComposition));
  const { design: placement, productId } = composition;
  const design = placement && (await getDesign(context, actor, placement.designId));
  const product = productId === undefined ? undefined : await findProductById(productId);
  if (productId !== undefined && !product) throw new AppError('notFound', 'This product is not in the catalogue.');
  if (!design && !composition.texts.some(hasText)) throw new AppError('invalid', messages.noDesignToExport.description);
  return { composition, design, product };
}

/** Parses a composition of any version of the studio. Throws invalid. */
export function readComposition(savedComposition: unknown): Composition {
  try {
    return parseComposition(savedComposition);
  } catch (error) {
    if (error instanceof core.$ZodError) throw new AppError('invalid', 'This arrangement could not be read.');
    throw error;
  }
}

const hasText = (text: TextElement) => toTextLines(text).length > 0;

/**
 * Returns the key of a composition's charge: the same composition has the same key, whatever its labels and locks. The
 * rotation of the product in the view belongs to a mockup and to no file. Features that came after the first keys (the
 * z-order of elements, spacing, bent lines) are part of a key only where they differ from their default, so that a paid
 * file stays paid.
 */
export function compositionKey(job: RenderJob, purpose: 'file' | 'mockup'): string {
  const { design, texts, textsUnderDesign, productAngleDeg, ...rest } = job.composition;
  const placement = design ? toFramePlacement(job, design) : {};
  const words = texts.filter(hasText).map(toWords);
  const under = design ? texts.slice(0, textsUnderDesign).filter(hasText).length : 0;
  const turn = purpose === 'mockup' ? productAngleDeg : 0;
  const canonical = { ...rest, placement, words, turn, ...(under > 0 && { under }) };
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}

/**
 * Returns the placement of the design's frame without labels. Each trace has other ink, and a file with another trace
 * of the same composition is paid. Numbers that follow from the ink are rounded: to 0.001 % of the machine area.
 */
function toFramePlacement({ composition, product, design }: RenderJob, placement: DesignPlacement) {
  const { filename: _file, aspect, ink: _ink, ...visible } = withoutLabels(placement);
  const size = artworkSize(design, placement);
  const place = placeOfFrame(placement, size ? size.width / size.height : aspect, areaAspect(composition, product));
  if (place.x === placement.x && place.y === placement.y && place.size === placement.size) return visible;
  const round = (value: number) => Number(value.toFixed(3)) + 0;
  return { ...visible, x: round(place.x), y: round(place.y), size: round(place.size) };
}

/** Returns the size of the design's artwork in pixels of its trace. */
function artworkSize(design: RenderJob['design'], framing: Framing = {}) {
  const size = design && { width: design.width, height: design.height };
  return size && (framing.crop || framing.straighten) ? toPartSize(size, framing) : size;
}

function toWords({ id: _id, letterSpacing, lineSpacing, bend, ...text }: TextElement) {
  const words = text.text.trim();
  return {
    ...withoutLabels(text),
    text: words,
    ...(letterSpacing !== 0 && { letterSpacing }),
    ...(lineSpacing !== 100 && words.includes('\n') && { lineSpacing }),
    ...(bend !== 0 && { bend }),
  };
}

/** Removes the labels that no file shows. */
function withoutLabels<T extends object>(element: T) {
  const { name: _name, isLocked: _lock, isHidden: _hidden, ...visible } = element as T & Partial<TextElement>;
  return visible;
}

/**
 * Draws a render job for a target and returns the key of the stored file, which is kept for some days. The same job of
 * the same account is one file: making it again returns the stored one. Throws what `drawRenderJob` throws.
 */
export async function makeRenderFile(
  context: Context,
  actor: Actor,
  job: RenderJob,
  options: DrawOptions,
): Promise<Trace> {
  const trace = await traceRenderJob(context, actor, job, options);
  const isFallback = trace?.isFallback ?? false;
  const key = exportKey(actor, job, options, trace);
  if (await context.files.has(key)) {
    await recordUse(context.db, key, context.now());
    return { key, isFallback };
  }
  const drawing = await drawTraced(context, actor, job, options, trace);
  const keeper = await keeperOf(context, actor);
  if ('png' in drawing) await context.files.put(key, drawing.png, 'image/png', keeper);
  else await context.files.put(key, new TextEncoder().encode(drawing.svg), 'image/svg+xml', keeper);
  return { key, isFallback };
}

/** Names a file by all that goes into it. Another version of the program may draw the same job differently. */
function exportKey(actor: Actor, job: RenderJob, { target, sidePx }: DrawOptions, trace: Trace | undefined): string {
  const picture = trace?.key ?? (job.design && (job.design.backgroundRemovedKey ?? job.design.originalKey));
  const parts = [version, ownerOf(actor), job.composition, job.product, picture, target, sidePx];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  return `exports/${hash}.${target.kind === 'mockup' ? 'png' : 'svg'}`;
}

/** The target of a drawing, and its accuracy. */
export interface DrawOptions extends TraceProgress {
  readonly target: Target;
  /** Limits a mockup to this size, with curves for the screen. */
  readonly sidePx?: number;
  /** The settings of the trace that the caller has chosen. The others are those of the trace last shown. */
  readonly settings?: PartialVectorizeSettings | undefined;
}

/**
 * Draws a render job for a target. `isFallback` is true when the built-in engine traced instead of the service.
 *
 * The design is traced with the caller's settings, and apart from these as it was last shown (see `shownSettings`), for
 * a mockup as for a file. The composition decides the part of the picture and its place. A design that was never traced
 * is traced where the caller has settings for it; otherwise a mockup shows the picture itself, as the screen does.
 * Throws unprocessable for a file of a design that was never vectorized, or of a text in a font that is not here.
 */
export async function drawRenderJob(
  context: Context,
  actor: Actor,
  job: RenderJob,
  options: DrawOptions,
): Promise<{ drawing: MediaJobs['draw']['output']; isFallback: boolean }> {
  const trace = await traceRenderJob(context, actor, job, options);
  const drawing = await drawTraced(context, actor, job, options, trace);
  return { drawing, isFallback: trace?.isFallback ?? false };
}

/** Traces the design of a render job; undefined where it is shown as it is, or where there is none. */
async function traceRenderJob(
  context: Context,
  actor: Actor,
  job: RenderJob,
  options: DrawOptions,
): Promise<Trace | undefined> {
  if (options.target.kind !== 'mockup') refuseUnknownFonts(job);
  const settings = job.design && toTraceSettings(job.design, options);
  const { straighten, crop } = job.composition.design ?? {};
  return job.design && settings && traceDesign(context, actor, job.design, { ...settings, straighten, crop }, options);
}

async function drawTraced(
  context: Context,
  actor: Actor,
  job: RenderJob,
  { target, sidePx, signal }: DrawOptions,
  trace: Trace | undefined,
): Promise<MediaJobs['draw']['output']> {
  const run = { caller: callerOf(actor), signal };
  const framing = job.composition.design;
  const design = trace
    ? await readPicture(context, trace.key, run)
    : job.design && (await readUntraced(context, job.design, { target, framing }, run));
  const product = job.product && (await toProductAsset(context, job.product, target));
  const input = { composition: job.composition, product, design, target, sidePx };
  return context.media.run('draw', input, run);
}

function toTraceSettings(
  design: DrawnDesign,
  { settings, sidePx }: Pick<DrawOptions, 'settings' | 'sidePx'>,
): VectorizeSettings | undefined {
  const stageSettings = sidePx === undefined ? shownSettings(design) : screenSettings(design);
  if (!settings) return stageSettings;
  return stageSettings ? { ...stageSettings, ...settings } : VectorizeSettings.parse({ quality: 'high', ...settings });
}

/** Refuses a file whose text would be cut in another font than the person chose. */
function refuseUnknownFonts({ composition }: RenderJob): void {
  const text = composition.texts.find((element) => hasText(element) && !isBundled(element.fontFamily));
  if (!text) return;
  const label = text.fontFamily.slice(0, 80);
  throw new AppError('unprocessable', `The font “${label}” is not one of the studio. Please choose another font.`);
}

/** Measures a render job: the area, the picture and each text, before they are rotated. */
export async function measureRenderJob(
  context: Context,
  actor: Actor,
  { composition, design, product }: RenderJob,
): Promise<Pick<OrderedThing, 'area' | 'design' | 'texts'>> {
  const input = {
    composition,
    product: product && (await toProductAsset(context, product, { kind: 'production' })),
    artwork: artworkSize(design, composition.design),
  };
  const { area, elements } = await context.media.run('measure', input, { caller: callerOf(actor) });
  const sizes = new Map(elements.map(({ elementId, ...mm }) => [elementId, mm]));
  return {
    area,
    design: (design && sizes.get('design')) ?? null,
    texts: composition.texts.flatMap(({ id, text, fontFamily }) => {
      const mm = sizes.get(textElementId(id));
      return mm ? [{ text: text.trim(), font: fontFamily, ...mm }] : [];
    }),
  };
}

async function readUntraced(
  context: Context,
  design: DrawnDesign,
  { target, framing }: { target: Target; framing: Framing | undefined },
  run: RunOptions,
): Promise<DrawInput['design']> {
  const isPicture = design.mediaType !== 'image/svg+xml';
  if (framing?.crop || framing?.straighten || (isPicture && target.kind !== 'mockup')) {
    throw new AppError('unprocessable', messages.noDesignToExport.description);
  }
  const picture = await readPicture(context, design.backgroundRemovedKey ?? design.originalKey, run);
  return 'svg' in picture ? { ...picture, isUploaded: true } : picture;
}

async function toProductAsset(context: Context, product: DrawnProduct, target: Target): Promise<DrawInput['product']> {
  const { widthInches, heightInches } = parseDimensions(product.dimensions);
  return {
    picture: target.kind === 'mockup' ? await readProductPicture(context, product) : undefined,
    pictureAspect: product.pictureAspect,
    printArea: product.printArea,
    printWidthInches: widthInches,
    printHeightInches: heightInches,
    finish: { material: product.material, markColor: product.markColor },
  };
}

/** Returns the name of a file of a job, after its product, or else after its design. */
export const filenameOf = (
  { design, product }: Pick<RenderJob, 'design' | 'product'>,
  kind: Parameters<typeof exportFilename>[1],
): string => exportFilename({ productName: product?.name, designFilename: design?.filename }, kind);

const KEEP_DAYS = 3;

/** Deletes exported files that nobody asked for in the last days, long after their addresses have expired. */
export async function sweepExports(context: Context): Promise<void> {
  const oldest = new Date(context.now().getTime() - KEEP_DAYS * 24 * 60 * 60 * 1000);
  for (;;) {
    const isOver = and(eq(storedFiles.kind, 'exports'), lt(storedFiles.usedAt, oldest));
    const old = await context.db.select({ key: storedFiles.key }).from(storedFiles).where(isOver).limit(SWEEP_LENGTH);
    for (const { key } of old) await context.files.delete(key);
    if (old.length < SWEEP_LENGTH) return;
  }
}

const SWEEP_LENGTH = 500;
