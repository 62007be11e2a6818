/** Traces designs. A trace is made once for each set of options, stored as a file and used again. */
import { createHash } from 'node:crypto';
import {
  isTraceStage,
  MAX_TRACE_PIXELS,
  MIN_CROP_PX,
  type PictureChanges,
  type TraceStage,
  toHalftoneTrace,
  toPartSize,
  toPictureChanges,
  toScreenSettings,
  toVectorizerOptions,
  VectorizeSettings,
} from '@markwright/contract';
import type { Framing } from '@markwright/scene';
import { keeperOf } from '../allowances/storageShare.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { callerOf } from '../platform/ownership.ts';
import type { MediaJobs, Progress, TraceOptions } from '../platform/ports/mediaJobs.ts';
import type { RunOptions } from '../platform/ports/mediaPool.ts';
import { readPicture } from './pictures.ts';
import { type ServiceRequest, toServiceRequest } from './serviceOptions.ts';
import { findVectorizerMode } from './tiers.ts';
import { paceTrace } from './tracePacing.ts';
import { ServiceFailed } from './vectorizerService.ts';

/** The version of built-in traces. Raise it when the same options give other shapes: old traces are then not found. */
const TRACE_VERSION = 13;
/** The version of the service's traces: of its requests and of how its answers are read. */
const SERVICE_VERSION = 1;

/** The parts of a design that tracing and drawing need. */
export interface DrawnDesign {
  readonly filename: string;
  readonly mediaType: 'image/png' | 'image/svg+xml';
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  readonly originalKey: string;
  readonly backgroundRemovedKey: string | null;
  readonly vectorizedKey: string | null;
  /** The settings of the shown trace. */
  readonly shown: unknown;
}

/** Cancels a trace and receives its stages. */
export interface TraceProgress {
  readonly signal: AbortSignal;
  report?(stage: TraceStage): void;
}

/** A stored trace. */
export interface Trace {
  /** The key of the stored SVG. */
  readonly key: string;
  /** True when the paid tier's service failed and the built-in engine traced instead. */
  readonly isFallback: boolean;
}

/**
 * Traces a design. A stored trace is used again; a new one waits for the caller's pacing. In the paid tier the service
 * traces, and the built-in engine where the service cannot or fails. `limits` are what a machine can make at the size
 * of a file; the service does not know them. Throws invalid for a tiny crop and for an SVG that
 * should be straightened, unprocessable when the picture cannot be traced, and tooMany.
 */
export async function traceDesign(
  context: Context,
  actor: Actor,
  design: DrawnDesign,
  settings: VectorizeSettings,
  progress: TraceProgress,
  limits: Pick<TraceOptions, 'pixelsPerMm' | 'minAreaMm2' | 'minLineWidthMm'> = {},
): Promise<Trace> {
  const { signal } = progress;
  checkFraming(design, settings);
  const halftone = toHalftoneTrace(settings);
  const changes = toPictureChanges(settings);
  const builtIn = { options: { ...toVectorizerOptions(settings), ...limits }, halftone, changes };
  const mode = await findVectorizerMode(context);
  const request = mode === 'paid' ? findServiceRequest(design, settings, changes) : undefined;
  // A halftone has no other options.
  const builtInKey = traceKey(design, halftone ? { halftone } : builtIn.options, ...(changes ? [changes] : []));
  if (!request) {
    if (await context.files.get(builtInKey)) return { key: builtInKey, isFallback: false };
    await paceTrace(context, actor, mode, signal);
    await traceBuiltIn(context, actor, design, builtIn, builtInKey, progress);
    return { key: builtInKey, isFallback: false };
  }

  const key = traceKey(design, { service: context.vectorizer?.host, version: SERVICE_VERSION, ...request });
  if (await context.files.get(key)) return { key, isFallback: false };
  await paceTrace(context, actor, mode, signal);
  if (await traceByService(context, actor, design, request, key, signal)) return { key, isFallback: false };
  if (!(await context.files.get(builtInKey))) await traceBuiltIn(context, actor, design, builtIn, builtInKey, progress);
  return { key: builtInKey, isFallback: true };
}

/** Returns the request for the service; undefined for what it cannot do, e.g. keep the outlines of an SVG. */
function findServiceRequest(
  design: DrawnDesign,
  settings: VectorizeSettings,
  changes: PictureChanges | undefined,
): (ServiceRequest & { readonly changes: PictureChanges | undefined }) | undefined {
  if (design.mediaType !== 'image/png') return undefined;
  const request = toServiceRequest(settings, toPartSize(design, changes ?? {}));
  return request && { ...request, changes };
}

function traceKey(design: DrawnDesign, ...request: object[]): string {
  const hash = createHash('sha256').update(JSON.stringify([TRACE_VERSION, sourceKey(design), ...request]));
  const folder = design.originalKey.slice(0, design.originalKey.lastIndexOf('/'));
  return `${folder}/trace-${hash.digest('hex').slice(0, 32)}.svg`;
}

/** Traces by the built-in engine and stores the trace. */
async function traceBuiltIn(
  context: Context,
  actor: Actor,
  design: DrawnDesign,
  request: Omit<MediaJobs['trace']['input'], 'picture'>,
  key: string,
  { signal, report }: TraceProgress,
): Promise<void> {
  const run = { caller: callerOf(actor), signal };
  const picture = await readSource(context, design, run);
  const onProgress = ({ stage }: Progress) => {
    if (isTraceStage(stage)) report?.(stage);
  };
  const { svg } = await context.media.run('trace', { picture, ...request }, { ...run, onProgress });
  await context.files.put(key, new TextEncoder().encode(svg), 'image/svg+xml', await keeperOf(context, actor));
}

/**
 * Traces by the service. Returns false when it failed. Its answer is read in a worker process, like every untrusted
 * file.
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
  const whole = await readSource(context, design, run);
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

/**
 * Throws invalid for a part that is too small. An SVG has no pixels: it is drawn large enough for its crop, and not
 * straightened.
 */
export function checkFraming(design: DrawnDesign, { straighten, crop }: Framing): void {
  if (design.mediaType !== 'image/png') {
    if (straighten) throw new AppError('invalid', 'Only a picture made of pixels can be straightened.');
    return;
  }
  if (!straighten && !crop) return;
  const { width, height } = toPartSize(design, { straighten, crop });
  if (Math.min(width, height) >= MIN_CROP_PX) return;
  const change = crop ? 'A crop' : 'A straightened part';
  throw new AppError('invalid', `${change} must leave at least ${MIN_CROP_PX} pixels of the picture each way.`);
}

/** Returns the key of the picture with all its pixels. */
export const sourceKey = (design: DrawnDesign): string => design.backgroundRemovedKey ?? design.originalKey;

/**
 * Returns the key of the picture that a trace is made from, which the browser reads for its previews: the picture
 * itself or a smaller one, made when it is first needed. Undefined for an SVG, whose outlines may be kept without a
 * trace.
 */
export function tracePictureKey(design: DrawnDesign): string | undefined {
  if (design.mediaType !== 'image/png') return undefined;
  const source = sourceKey(design);
  return design.width * design.height > MAX_TRACE_PIXELS ? source.replace(/\.png$/, '-traced.png') : source;
}

const readSource = (context: Context, design: DrawnDesign, run: RunOptions) =>
  readPicture(context, tracePictureKey(design) ?? sourceKey(design), run);

/**
 * Reads the picture that a trace is made from, for a part of it. Throws invalid for a part that is too small, and for
 * an SVG that should be straightened.
 */
export function readTracePicture(context: Context, design: DrawnDesign, framing: Framing, run: RunOptions) {
  checkFraming(design, framing);
  return readSource(context, design, run);
}

/**
 * Returns the settings for mockup, production file and custom SVG: those of the shown trace, with the finest curves.
 *
 * The quality changes only how closely a curve follows its boundary, never which shapes there are, and every trace is
 * made from the same pixels. So a file has the shapes that the person saw, in the same place. Without a chosen palette
 * size it is the specification's 64. Undefined for a design that was never traced.
 */
export function shownSettings(design: DrawnDesign): VectorizeSettings | undefined {
  const settings = VectorizeSettings.safeParse(design.shown);
  return settings.success ? { ...settings.data, quality: 'high', mode: 'vectorize' } : undefined;
}

/**
 * Returns the settings of the shown trace, for a picture at screen resolution: its trace is stored already. Undefined
 * for a design that was never traced.
 */
export function screenSettings(design: DrawnDesign): VectorizeSettings | undefined {
  const settings = VectorizeSettings.safeParse(design.shown);
  return settings.success ? toScreenSettings(settings.data) : undefined;
}
