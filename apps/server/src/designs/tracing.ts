/** The trace of a design: made once for each way of tracing, kept as a file, the same for whoever asks again. */
import { createHash } from 'node:crypto';
import {
  MAX_TRACE_PIXELS,
  MIN_CROP_PX,
  toPictureChanges,
  toPixelBox,
  toTraceSize,
  toVectorizerOptions,
  VectorizeSettings,
} from '@markwright/contract';
import type { Deps } from '../deps.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import type { DesignRow } from './ownership.ts';

/** Raise it when the tracer or the job around it gives other shapes for the same options: old traces are then not found. */
const TRACE_VERSION = 2;

/** Who the work pool counts a job for. Guests count by network: they can shed their cookie. */
export const callerOf = (actor: Actor): string =>
  actor.kind === 'guest' ? networkOf(actor.address) : `user:${actor.id}`;

/**
 * Traces a design and gives the key of the stored SVG. Throws invalid for a crop of nearly nothing, unprocessable when it cannot be traced.
 */
export async function traceDesign(
  deps: Deps,
  actor: Actor,
  design: DesignRow,
  settings: VectorizeSettings,
  signal: AbortSignal,
): Promise<string> {
  const options = toVectorizerOptions(settings);
  const changes = toPictureChanges(settings);
  checkCrop(design, changes?.crop);
  const source = sourceKey(design);
  const hash = createHash('sha256')
    .update(JSON.stringify([TRACE_VERSION, source, options, ...(changes ? [changes] : [])]))
    .digest('hex')
    .slice(0, 32);
  const key = `designs/${design.id}/trace-${hash}.svg`;
  if (await deps.files.get(key)) return key;

  const picture = await readTracePicture(deps, actor, design, signal);
  const { svg } = await deps.media.run('trace', { picture, options, changes }, { caller: callerOf(actor), signal });
  await deps.files.put(key, new TextEncoder().encode(svg), 'image/svg+xml');
  return key;
}

/** An SVG has no pixels of its own: it is drawn large enough for any crop that leaves as much of a picture. */
function checkCrop(design: DesignRow, crop: VectorizeSettings['crop']): void {
  if (!crop) return;
  const { width, height } = toPixelBox(crop, toTraceSize(design));
  if (design.mediaType === 'image/png' && Math.min(width, height) < MIN_CROP_PX) {
    throw new AppError('invalid', `A crop must leave at least ${MIN_CROP_PX} pixels of the picture each way.`);
  }
}

const sourceKey = (design: DesignRow): string => design.backgroundRemovedKey ?? design.originalKey;

/**
 * The file with the pixels a trace is made from, which the browser reads for its previews: the picture itself, or one made
 * from it with the first trace. Undefined for an SVG, whose outlines may be taken over without a trace.
 */
export function tracePictureKey(design: DesignRow): string | undefined {
  if (design.mediaType !== 'image/png') return undefined;
  const source = sourceKey(design);
  return design.width * design.height > MAX_TRACE_PIXELS ? source.replace(/\.png$/, '-traced.png') : source;
}

async function readTracePicture(deps: Deps, actor: Actor, design: DesignRow, signal: AbortSignal) {
  const source = sourceKey(design);
  const key = tracePictureKey(design) ?? source;
  if (key === source) return readPicture(deps, source);
  const kept = await deps.files.get(key);
  if (kept) return { png: kept.bytes };
  const large = await readPicture(deps, source);
  if (!('png' in large)) return large;
  const made = await deps.media.run('shrink', large, { caller: callerOf(actor), signal });
  await deps.files.put(key, made.png, 'image/png');
  return made;
}

/** A stored picture as the media jobs take it. */
export async function readPicture(deps: Deps, key: string): Promise<{ png: Uint8Array } | { svg: string }> {
  const file = await deps.files.get(key);
  if (!file) throw new AppError('notFound', 'The picture of this design is gone. Please upload it again.');
  return file.mediaType === 'image/svg+xml' ? { svg: new TextDecoder().decode(file.bytes) } : { png: file.bytes };
}

/**
 * How a design is traced for mockup, production file and custom SVG alike: as it was last shown, with the finest curves.
 *
 * The quality changes only how closely a curve follows its boundary, never which shapes there are, and every trace is
 * made from the same pixels. So what leaves the house has the shapes the person saw, at the same place. The specification's
 * palette of 64 holds where the person chose none. Undefined for a design that was never traced.
 */
export function shownSettings(design: DesignRow): VectorizeSettings | undefined {
  const shown = VectorizeSettings.safeParse(design.shown);
  return shown.success ? { ...shown.data, quality: 'high' } : undefined;
}
