/** Designs as rasters for a laser: made once for each request, stored as files and used again. */
import { createHash } from 'node:crypto';
import {
  type CallReplyInput,
  type designs as designCalls,
  type EngraveRequest,
  type EngraveStage,
  isEngraveStage,
  toPartSize,
  toPictureChanges,
  toPixelBox,
} from '@markwright/contract';
import { engravingMaterial, engravingSize, resolveInvert, type ToneCurve } from '@markwright/engraving';
import type { Framing } from '@markwright/scene';
import { z } from 'zod';
import { withAllowance } from '../allowances/allowances.ts';
import { keeperOf } from '../allowances/storageShare.ts';
import { findToneCurve } from '../companies/toneCurves.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { callerOf } from '../platform/ownership.ts';
import type { MediaJobs, Progress } from '../platform/ports/mediaJobs.ts';
import { engravingLimitFactor } from '../platform/ports/mediaPool.ts';
import { readPicture } from '../tracing/pictures.ts';
import { paceTrace } from '../tracing/tracePacing.ts';
import { checkFraming, sourceKey } from '../tracing/tracing.ts';
import { type DesignRow, getDesign } from './ownDesigns.ts';

/** The version of engravings. Raise it when the same request gives other dots: older files are then not found. */
const ENGRAVING_VERSION = 1;

/** Cancels an engraving and receives its stages. */
interface EngraveProgress {
  readonly signal: AbortSignal;
  report(stage: EngraveStage): void;
}

type EngraveJob = Omit<MediaJobs['engrave']['input'], 'picture'>;

/**
 * Engraves a design as a raster and returns its address, its size and the share that is burnt. A guest is charged once
 * per design, for this and its traces together; an account is not. A new raster waits for the caller's pacing, as a
 * trace does. Throws notFound for somebody else's design, invalid for a tiny crop and for an SVG that should be
 * straightened, unprocessable for too many pixels, and tooMany.
 */
export async function engraveDesign(
  context: Context,
  actor: Actor,
  request: EngraveRequest,
  progress: EngraveProgress,
): Promise<CallReplyInput<typeof designCalls.engrave>> {
  const design = await getDesign(context, actor, request.designId);
  checkFraming(design, request);
  const { widthPx, heightPx, dpi } = sizeOf(design, request);
  const ownCurve = await findToneCurve(context, actor, request.material);
  const job = { ...toJob(request, ownCurve), widthPx, heightPx };
  const make = () => makeRaster(context, actor, design, job, progress);
  const { key, meanTone } =
    actor.kind === 'guest' ? await withAllowance(context, actor, 'guestMockup', design.id, make) : await make();
  return { url: context.urls.sign(key), dpi, widthPx, heightPx, meanTone };
}

function toJob({ intervalMm, method, tone, invert, material, ...framing }: EngraveRequest, ownCurve?: ToneCurve) {
  const curve = ownCurve ?? (material && engravingMaterial(material).curve);
  const changes = toPictureChanges({ ...framing, brightness: 0, contrast: 0 });
  return { changes, intervalMm, method, tone, invert: resolveInvert(invert, material ?? 'other'), curve };
}

/** Returns the size of an engraving. Throws unprocessable for one with more pixels than can be made. */
function sizeOf(design: DesignRow, { widthMm, intervalMm, straighten, crop }: EngraveRequest) {
  const { width, height } = partOf(design, { straighten, crop });
  try {
    return engravingSize(widthMm, (widthMm * height) / width, intervalMm);
  } catch (error) {
    // The sentences of these errors are for people.
    if (error instanceof RangeError) throw new AppError('unprocessable', error.message);
    throw error;
  }
}

/** Returns the size of the framed picture, in pixels or in units of an SVG. */
function partOf(design: DesignRow, { straighten, crop }: Framing) {
  if (straighten) return toPartSize(design, { straighten, crop });
  if (!crop) return design;
  if (design.mediaType === 'image/png') return toPixelBox(crop, design);
  return { width: design.width * crop.width, height: design.height * crop.height };
}

/** The JSON file beside a raster: its figures, for the next request. */
const Record = z.object({ meanTone: z.number() });

/** Makes the raster's file. A stored one is used again. */
async function makeRaster(
  context: Context,
  actor: Actor,
  design: DesignRow,
  job: EngraveJob,
  { signal, report }: EngraveProgress,
): Promise<{ key: string; meanTone: number }> {
  const hash = createHash('sha256').update(JSON.stringify([ENGRAVING_VERSION, sourceKey(design), job]));
  const name = `designs/${design.id}/engraving-${hash.digest('hex').slice(0, 32)}`;
  const key = `${name}.png`;
  const record = await context.files.get(`${name}.json`);
  if (record && (await context.files.has(key))) {
    return { key, ...Record.parse(JSON.parse(new TextDecoder().decode(record.bytes))) };
  }
  await paceTrace(context, actor, 'free', signal);
  const run = { caller: callerOf(actor), signal };
  const limitFactor = engravingLimitFactor(job.widthPx * job.heightPx);
  const picture = await readPicture(context, sourceKey(design), run);
  const onProgress = ({ stage }: Progress) => {
    if (isEngraveStage(stage)) report(stage);
  };
  const { png, meanTone } = await context.media.run(
    'engrave',
    { picture, ...job },
    { ...run, onProgress, limitFactor },
  );
  const keeper = await keeperOf(context, actor);
  await context.files.put(key, png, 'image/png', keeper);
  // The record last: where it exists, the raster does too.
  const bytes = new TextEncoder().encode(JSON.stringify({ meanTone }));
  await context.files.put(`${name}.json`, bytes, 'application/json', keeper);
  return { key, meanTone };
}
