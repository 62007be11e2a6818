/** The trace of a design: made once for each way of tracing, kept as a file, the same for whoever asks again. */
import { createHash } from 'node:crypto';
import {
  MAX_TRACE_PIXELS,
  MIN_CROP_PX,
  type PictureChanges,
  toPictureChanges,
  toPixelBox,
  toScreenSettings,
  toTraceSize,
  toVectorizerOptions,
  VectorizeSettings,
} from '@markwright/contract';
import { keeperOf } from '../allowances/storageShare.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { callerOf } from '../platform/ownership.ts';
import type { TraceOptions } from '../platform/ports/mediaJobs.ts';
import type { RunOptions } from '../platform/ports/mediaPool.ts';
import { readPicture } from './pictures.ts';
import { type ServiceRequest, toServiceRequest } from './serviceOptions.ts';
import { findVectorizerMode } from './tiers.ts';
import { paceTrace } from './tracePacing.ts';
import { ServiceFailed } from './vectorizerService.ts';

/** The version of built-in traces. Raise it when the same options give other shapes: old traces are then not found. */
const TRACE_VERSION = 2;
/** The version of the service's traces: of its requests and of how its answers are read. */
const SERVICE_VERSION = 1;

/** What is traced and drawn of a design, wherever its files lie. */
export interface DrawnDesign {
  readonly filename: string;
  readonly mediaType: 'image/png' | 'image/svg+xml';
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  readonly originalKey: string;
  readonly backgroundRemovedKey: string | null;
  readonly vectorizedKey: string | null;
  /** How the trace last shown was made. */
  readonly shown: unknown;
}

export interface Trace {
  /** Of the stored SVG. */
  readonly key: string;
  /** True when the paid tier's service failed and the built-in engine traced instead. */
  readonly fellBack: boolean;
}

/**
 * Traces a design. A trace that was made before is used again; a new one waits for the caller's pacing. In the paid
 * tier the service traces what it can; when it fails, the built-in engine does. Throws invalid for a crop of nearly
 * nothing, unprocessable when it cannot be traced, and tooMany.
 */
export async function traceDesign(
  context: Context,
  actor: Actor,
  design: DrawnDesign,
  settings: VectorizeSettings,
  signal: AbortSignal,
): Promise<Trace> {
  checkCrop(design, settings.crop);
  const way = { options: toVectorizerOptions(settings), changes: toPictureChanges(settings) };
  const mode = await findVectorizerMode(context);
  const request = mode === 'paid' ? findServiceRequest(design, settings, way.changes) : undefined;
  const builtInKey = traceKey(design, way.options, ...(way.changes ? [way.changes] : []));
  if (!request) {
    if (await context.files.get(builtInKey)) return { key: builtInKey, fellBack: false };
    await paceTrace(context, actor, mode, signal);
    await traceHere(context, actor, design, way, builtInKey, signal);
    return { key: builtInKey, fellBack: false };
  }

  const key = traceKey(design, { service: context.vectorizer?.host, version: SERVICE_VERSION, ...request });
  if (await context.files.get(key)) return { key, fellBack: false };
  await paceTrace(context, actor, mode, signal);
  if (await traceByService(context, actor, design, request, key, signal)) return { key, fellBack: false };
  if (!(await context.files.get(builtInKey))) await traceHere(context, actor, design, way, builtInKey, signal);
  return { key: builtInKey, fellBack: true };
}

/** Returns the request for the service; undefined for what it cannot do, e.g. take over the outlines of an SVG. */
function findServiceRequest(
  design: DrawnDesign,
  settings: VectorizeSettings,
  changes: PictureChanges | undefined,
): (ServiceRequest & { readonly changes: PictureChanges | undefined }) | undefined {
  if (design.mediaType !== 'image/png') return undefined;
  const size = toTraceSize(design);
  const request = toServiceRequest(settings, changes?.crop ? toPixelBox(changes.crop, size) : size);
  return request && { ...request, changes };
}

function traceKey(design: DrawnDesign, ...way: object[]): string {
  const hash = createHash('sha256').update(JSON.stringify([TRACE_VERSION, sourceKey(design), ...way]));
  const folder = design.originalKey.slice(0, design.originalKey.lastIndexOf('/'));
  return `${folder}/trace-${hash.digest('hex').slice(0, 32)}.svg`;
}

async function traceHere(
  context: Context,
  actor: Actor,
  design: DrawnDesign,
  way: { readonly options: TraceOptions; readonly changes: PictureChanges | undefined },
  key: string,
  signal: AbortSignal,
): Promise<void> {
  const run = { caller: callerOf(actor), signal };
  const picture = await readTracePicture(context, design, run);
  const { svg } = await context.media.run('trace', { picture, ...way }, run);
  await context.files.put(key, new TextEncoder().encode(svg), 'image/svg+xml', await keeperOf(context, actor));
}

/**
 * Traces by the service. Returns false when it failed. Its answer is read in a worker process, as any stranger's file
 * is.
 */
async function traceByService(
  context: Context,
  actor: Actor,
  design: DrawnDesign,
  { fields, picture, changes }: NonNullable<ReturnType<typeof findServiceRequest>>,
  key: string,
  signal: AbortSignal,
): Promise<boolean> {
  const run = { caller: callerOf(actor), signal };
  const whole = await readTracePicture(context, design, run);
  if (!context.vectorizer || !('png' in whole)) return false;
  const { png, width, height } = await context.media.run('toServicePicture', { ...whole, changes, picture }, run);
  try {
    const answer = await context.vectorizer.vectorize(png, fields, signal);
    const { svg } = await context.media.run('readTrace', { svg: answer, width, height }, run);
    await context.files.put(key, new TextEncoder().encode(svg), 'image/svg+xml', await keeperOf(context, actor));
    return true;
  } catch (error) {
    signal.throwIfAborted();
    const isItsFault = error instanceof ServiceFailed || (error instanceof AppError && error.code === 'unprocessable');
    if (!isItsFault) throw error;
    context.log.warn({ err: error }, 'the vectorizing service failed and the built-in engine stands in');
    return false;
  }
}

/** An SVG has no pixels of its own: it is drawn large enough for any crop that leaves as much of a picture. */
function checkCrop(design: DrawnDesign, crop: VectorizeSettings['crop']): void {
  if (!crop) return;
  const { width, height } = toPixelBox(crop, toTraceSize(design));
  if (design.mediaType === 'image/png' && Math.min(width, height) < MIN_CROP_PX) {
    throw new AppError('invalid', `A crop must leave at least ${MIN_CROP_PX} pixels of the picture each way.`);
  }
}

const sourceKey = (design: DrawnDesign): string => design.backgroundRemovedKey ?? design.originalKey;

/**
 * The file with the pixels a trace is made from, which the browser reads for its previews: the picture itself, or one
 * made from it when it is first needed. Undefined for an SVG, whose outlines may be taken over without a trace.
 */
export function tracePictureKey(design: DrawnDesign): string | undefined {
  if (design.mediaType !== 'image/png') return undefined;
  const source = sourceKey(design);
  return design.width * design.height > MAX_TRACE_PIXELS ? source.replace(/\.png$/, '-traced.png') : source;
}

/** Reads the picture that a trace is made from. */
const readTracePicture = (context: Context, design: DrawnDesign, run: RunOptions) =>
  readPicture(context, tracePictureKey(design) ?? sourceKey(design), run);

/**
 * How a design is traced for mockup, production file and custom SVG alike: as it was last shown, with the finest
 * curves.
 *
 * The quality changes only how closely a curve follows its boundary, never which shapes there are, and every trace is
 * made from the same pixels. So what leaves the house has the shapes the person saw, at the same place. The
 * specification's palette of 64 holds where the person chose none. Undefined for a design that was never traced.
 */
export function shownSettings(design: DrawnDesign): VectorizeSettings | undefined {
  const settings = VectorizeSettings.safeParse(design.shown);
  return settings.success ? { ...settings.data, quality: 'high', mode: 'vectorize' } : undefined;
}

/**
 * How a design was last shown, for a picture no finer than the screen: the trace is there already. Undefined for one
 * never traced.
 */
export function screenSettings(design: DrawnDesign): VectorizeSettings | undefined {
  const settings = VectorizeSettings.safeParse(design.shown);
  return settings.success ? toScreenSettings(settings.data) : undefined;
}
