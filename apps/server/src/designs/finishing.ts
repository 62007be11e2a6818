/**
 * Applies a maker's corrections to an automatic cut-out: edge, feather, brush. The cut-out itself is kept, so that each
 * correction starts from it. Beside each corrected picture lie its settings, for the next visit on any device.
 */
import { createHash } from 'node:crypto';
import { type BackgroundOptions, type CallReply, CutoutFinish, type calls, type Design } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { keeperOf } from '../allowances/storageShare.ts';
import type { Context } from '../platform/context.ts';
import type { Actor } from '../platform/mount.ts';
import { callerOf } from '../platform/ownership.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import { readPicture } from '../tracing/pictures.ts';
import { readDesign } from './designs.ts';
import { type DesignRow, getDesign, guestLimit } from './ownDesigns.ts';
import { designs } from './tables.ts';

/** The version of finished cut-outs. Raise it when the same cut-out is finished differently. */
const FINISH_VERSION = 1;

const FinishSettings = CutoutFinish.extend({ clearEnclosed: z.boolean().optional() });
type FinishSettings = z.output<typeof FinishSettings>;

/**
 * Returns the key of the corrected picture, which is the cut-out itself without corrections. Throws unprocessable when
 * nothing is left of the picture.
 */
export async function storeFinishedCutout(
  context: Context,
  actor: Actor,
  design: DesignRow,
  cutoutKey: string,
  { edgeShift, feather, strokes, clearEnclosed }: BackgroundOptions,
  signal: AbortSignal,
): Promise<string> {
  const finishOptions: CutoutFinish = { edgeShift, feather, strokes };
  const isFinished = edgeShift !== 0 || feather !== 0 || strokes.length > 0;
  const hash = createHash('sha256').update(JSON.stringify([FINISH_VERSION, cutoutKey, finishOptions]));
  const key = isFinished ? `designs/${design.id}/${FINISHED}${hash.digest('hex').slice(0, 32)}.png` : cutoutKey;
  const keeper = await keeperOf(context, actor);
  if (!(await context.files.has(key))) {
    if (actor.kind === 'guest') await enforceRateLimits(context, [guestLimit('finish', actor)]);
    const run = { caller: callerOf(actor), signal };
    const [original, cutout] = await Promise.all([
      readPicture(context, design.originalKey, run),
      readPicture(context, cutoutKey, run),
    ]);
    if ('svg' in original || 'svg' in cutout) throw new TypeError('Pixels are cut out of pixels');
    const input = { original: original.png, cutout: cutout.png, finish: finishOptions };
    const output = await context.media.run('finishCutout', input, run);
    await context.files.put(key, output.png, 'image/png', keeper);
  }
  const settings: FinishSettings = { ...finishOptions, ...(clearEnclosed !== undefined && { clearEnclosed }) };
  const settingsBytes = new TextEncoder().encode(JSON.stringify(settings));
  await context.files.put(finishSettingsKey(key), settingsBytes, 'application/json', keeper);
  return key;
}

/**
 * Makes `key` the picture of all later traces; null stands for the original. The trace of the previous picture is
 * detached from the design.
 */
export async function showPicture(context: Context, design: DesignRow, key: string | null): Promise<void> {
  const before = design.backgroundRemovedKey;
  if (key === before) return;
  const changes = { backgroundRemovedKey: key, vectorizedKey: null };
  await context.db.update(designs).set(changes).where(eq(designs.id, design.id));
  // Old corrected pictures are deleted, because they are quickly made again from the cut-out, which is kept.
  if (!before?.includes(`/${FINISHED}`)) return;
  for (const old of [before, finishSettingsKey(before), before.replace(/\.png$/, '-traced.png')])
    await context.files.delete(old);
}

/** Returns the settings of the current cut-out. Throws notFound. */
export async function readBackground(
  context: Context,
  actor: Actor,
  designId: string,
): Promise<CallReply<typeof calls.designs.readBackground>> {
  const { backgroundRemovedKey: key } = await getDesign(context, actor, designId);
  const file = key === null ? undefined : await context.files.get(finishSettingsKey(key));
  return file ? FinishSettings.parse(JSON.parse(new TextDecoder().decode(file.bytes))) : FinishSettings.parse({});
}

/** Restores the original picture. Free of charge. Throws notFound. */
export async function restoreBackground(context: Context, actor: Actor, designId: string): Promise<Design> {
  await showPicture(context, await getDesign(context, actor, designId), null);
  return readDesign(context, actor, designId);
}

const FINISHED = 'finished-';
/** Returns the key of the settings file beside a cut-out. Cut-outs of earlier versions have none. */
export const finishSettingsKey = (pictureKey: string): string => pictureKey.replace(/\.png$/, '.json');
