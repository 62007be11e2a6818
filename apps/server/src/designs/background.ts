/** The picture of a design without its background: a file beside the original, from which every later trace is made. */
import { createHash } from 'node:crypto';
import { type BackgroundOptions, type CutoutStage, isCutoutStage, type ModelUsed } from '@markwright/contract';
import type { KindOfBackground } from '@markwright/matting';
import { withAllowance } from '../allowances/allowances.ts';
import { keeperOf } from '../allowances/storageShare.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { callerOf } from '../platform/ownership.ts';
import type { Progress } from '../platform/ports/mediaJobs.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import type { Keeper } from '../platform/storage.ts';
import { readPicture } from '../tracing/pictures.ts';
import { showPicture, storeFinishedCutout } from './finishing.ts';
import { type DesignRow, getDesign, guestLimit } from './ownDesigns.ts';

/** The version of cut-outs. Raise it when the same picture is cut out differently: older files are then not found. */
const CUTOUT_VERSION = 6;
/** The version of a model's masks. */
const MASK_VERSION = 1;

/** Cancels a removal and receives its stages. */
interface RemovalProgress {
  readonly signal: AbortSignal;
  report(stage: CutoutStage): void;
}

/**
 * Removes a design's background. The original and the settings of the shown trace are kept. A guest is charged once per
 * design, for this and its traces together; correcting a cut-out is free. Throws notFound, unprocessable with the
 * reason, and tooMany.
 */
export async function removeBackground(
  context: Context,
  actor: Actor,
  designId: string,
  options: BackgroundOptions,
  progress: RemovalProgress,
): Promise<{ backgroundRemovedUrl: string; modelUsed: ModelUsed }> {
  const design = await getDesign(context, actor, designId);
  const make = () => cutOut(context, actor, design, options, progress);
  const { key: cutout, modelUsed } =
    actor.kind === 'guest' ? await withAllowance(context, actor, 'guestMockup', design.id, make) : await make();
  if (options.isTrial) return { backgroundRemovedUrl: context.urls.sign(cutout), modelUsed };
  const key = await storeFinishedCutout(context, actor, design, cutout, options, progress.signal);
  await showPicture(context, design, key);
  return { backgroundRemovedUrl: context.urls.sign(key), modelUsed };
}

interface Cutout {
  readonly key: string;
  readonly modelUsed: ModelUsed;
}

/** Makes the cut-out's file. An existing cut-out or mask is used again. */
async function cutOut(
  context: Context,
  actor: Actor,
  design: DesignRow,
  options: BackgroundOptions,
  progress: RemovalProgress,
): Promise<Cutout> {
  const { clearEnclosed } = options;
  const model = await context.backgroundModels.find(options.model);
  const classical = (kind: 'flat' | 'plain') => ({
    key: fileKey(design, 'cutout.png', CUTOUT_VERSION, kind, { clearEnclosed }),
    modelUsed: 'classical' as const,
  });
  const byModel = model && {
    key: fileKey(design, 'cutout.png', CUTOUT_VERSION, model.id, { clearEnclosed }),
    modelUsed: model.name,
  };
  // Flat art is cut out without a model even where there is one.
  for (const candidate of [classical('flat'), byModel ?? classical('plain')]) {
    if (await context.files.has(candidate.key)) return candidate;
  }

  if (design.mediaType === 'image/svg+xml') {
    throw new AppError('unprocessable', 'An SVG has no background to remove.');
  }
  if (actor.kind === 'guest') await enforceRateLimits(context, [guestLimit('cutout', actor)]);
  const run = {
    caller: callerOf(actor),
    signal: progress.signal,
    onProgress: ({ stage }: Progress) => {
      if (isCutoutStage(stage)) progress.report(stage);
    },
  };
  const picture = await readPicture(context, design.originalKey, run);
  if (!('png' in picture)) throw new TypeError('Pixels are cut out of pixels');
  const keeper = await keeperOf(context, actor);
  const storedMasks = model && (await readMasks(context, design, model.id));
  let cutout: Cutout = byModel ?? classical('plain');
  const input = { ...picture, clearEnclosed, masks: storedMasks, squareSide: model?.side };
  let output = await context.media.run('cutOut', input, run);
  if ('square' in output) {
    const { kind } = output;
    const masks =
      model &&
      (await context.backgroundModels.segment(model, output, run).catch((error) => skipMasksIfPlain(error, kind)));
    if (!masks) return cutOut(context, actor, design, options, progress); // retries with another model, or without one
    if (masks.length === 0) cutout = classical('plain');
    await storeMasks(context, design, model.id, masks, keeper);
    output = await context.media.run('cutOut', { ...picture, clearEnclosed, masks }, run);
  }
  if ('square' in output) throw new Error('A picture with a mask was not cut out.');
  if (output.kind === 'flat') cutout = classical('flat');
  await context.files.put(cutout.key, output.png, 'image/png', keeper);
  return cutout;
}

/**
 * Returns no masks for a plain background, which needs no model, when the model was too much for the machine. Throws
 * otherwise.
 */
function skipMasksIfPlain(error: unknown, kind: KindOfBackground): readonly Uint8Array[] {
  if (kind === 'plain' && error instanceof AppError && error.code === 'unprocessable') return [];
  throw error;
}

const maskKeys = (design: DesignRow, modelId: string): readonly string[] =>
  ['near', 'far'].map((distance) => fileKey(design, 'mask.bin', MASK_VERSION, modelId, distance));

async function readMasks(context: Context, design: DesignRow, modelId: string): Promise<Uint8Array[]> {
  const files = await Promise.all(maskKeys(design, modelId).map((key) => context.files.get(key)));
  return files[0] ? files.flatMap((file) => file?.bytes ?? []) : [];
}

/** Stores the masks, the first one last: where that one exists, the others do too. */
async function storeMasks(
  context: Context,
  design: DesignRow,
  modelId: string,
  masks: readonly Uint8Array[],
  keeper: Keeper,
): Promise<void> {
  const keys = maskKeys(design, modelId);
  for (const [i, mask] of [...masks.entries()].reverse())
    await context.files.put(keys[i]!, mask, 'application/octet-stream', keeper);
}

/** Returns the key of a file, one for each way of making it. It lies in the design's folder and is deleted with it. */
function fileKey(design: DesignRow, file: 'cutout.png' | 'mask.bin', ...way: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify([...way, design.originalKey]));
  const [name, extension] = file.split('.');
  return `designs/${design.id}/${name}-${hash.digest('hex').slice(0, 32)}.${extension}`;
}
