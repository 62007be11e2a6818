/** Makes files for people to download. Each is charged when it is made; making the same again is free. */
import { createHash } from 'node:crypto';
import {
  type BlankSurface,
  type MockupScene,
  messages,
  type PartialVectorizeSettings,
  plans,
  toPictureChanges,
  VectorizeSettings,
} from '@markwright/contract';
import { artworksOf } from '@markwright/scene';
import { findSubscription, withAllowance } from '../allowances/allowances.ts';
import { getDesign } from '../designs/ownDesigns.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor, UserActor } from '../platform/mount.ts';
import { type Trace, type TraceProgress, traceDesign } from '../tracing/tracing.ts';
import { readSvgReceipt, recordMadeFile } from './madeFiles.ts';
import { compositionKey, filenameOf, makeRenderFile, namesOf, readRenderJob } from './renderJob.ts';

interface Download {
  readonly url: string;
  readonly filename: string;
  readonly fellBack?: boolean;
}

/**
 * Makes the production SVG of a composition, or of a design alone, traced with the given settings. Throws unauthorized
 * for guests, limitReached, and unprocessable when the picture cannot be traced; the charge is refunded then.
 */
export async function makeProduction(
  context: Context,
  actor: Actor,
  input: { designId?: string | undefined; settings: PartialVectorizeSettings; composition?: unknown },
  progress: TraceProgress,
): Promise<Download> {
  if (actor.kind === 'guest') throw new AppError('unauthorized', messages.productionRequiresAccount.description);
  if (input.composition === undefined) {
    const wholeSettings = VectorizeSettings.parse({ quality: 'high', ...input.settings });
    return makeTraceFile(context, actor, input.designId, wholeSettings, progress);
  }

  const job = await readRenderJob(context, actor, input.composition);
  const placedIds = artworksOf(job.composition).map(({ designId }) => designId);
  if (input.designId !== undefined && placedIds.length > 0 && !placedIds.includes(input.designId)) {
    throw new AppError('invalid', 'The design and the arrangement do not belong together.');
  }
  // The settings are those of the named design. The other ones are traced as they were last shown.
  const { settings, designId: settingsFor } = input;
  const make = () =>
    makeRenderFile(context, actor, job, { target: { kind: 'production' }, settings, settingsFor, ...progress });
  const jobKey = compositionKey(job, 'file');
  const trace = await withAllowance(context, actor, 'vector', jobKey, make);
  const filename = filenameOf(job, 'production');
  const receipt = await readSvgReceipt(context, trace.key, filename);
  const { key } = trace;
  if (receipt) await recordMadeFile(context, actor, { ...receipt, key, jobKey, format: 'svg', names: namesOf(job) });
  return toDownload(context, trace, filename);
}

/**
 * Makes the file of a design without a composition, and so without a size: its own outlines, traced with the given
 * settings.
 */
async function makeTraceFile(
  context: Context,
  actor: UserActor,
  designId: string | undefined,
  settings: VectorizeSettings,
  progress: TraceProgress,
): Promise<Download> {
  if (designId === undefined) throw new AppError('invalid', messages.noDesignToExport.description);
  const design = await getDesign(context, actor, designId);
  // The charge keeps its first form, so that a paid file stays paid.
  const { straighten: _straighten, crop: _crop, brightness: _brightness, contrast: _contrast, ...rest } = settings;
  const charge = createHash('sha256')
    .update(JSON.stringify([design.id, { ...rest, ...toPictureChanges(settings) }]))
    .digest('hex');
  const trace = await withAllowance(context, actor, 'vector', charge, () =>
    traceDesign(context, actor, design, settings, progress),
  );
  return toDownload(
    context,
    trace,
    filenameOf({ designs: new Map([[design.id, design]]), product: undefined }, 'production'),
  );
}

type MakeExport = (
  context: Context,
  actor: UserActor,
  savedComposition: unknown,
  progress: TraceProgress,
) => Promise<Download>;

/**
 * Makes the 1000 x 1000 SVG of a composition. It shares the charge of the production file, because it is the same
 * vector work. Throws invalid for a composition without a design.
 */
export const makeCustomSvg: MakeExport = async (context, actor, savedComposition, progress) => {
  const job = await readRenderJob(context, actor, savedComposition);
  if (job.designs.size === 0) throw new AppError('invalid', messages.noDesignToExport.description);
  const make = () => makeRenderFile(context, actor, job, { target: { kind: 'customSvg' }, ...progress });
  const trace = await withAllowance(context, actor, 'vector', compositionKey(job, 'file'), make);
  return toDownload(context, trace, filenameOf(job, 'customSvg'));
};

/**
 * Makes the PNG mockup of a composition at 2x, with a watermark if the plan has one. A mockup of text alone is free and
 * counts for nothing; a hidden design is none. All angles and scenes of a composition share its charge, and so does
 * `spin`, the WebP of a round blank that turns. Throws invalid for the angle of a blank that cannot be turned and for a
 * scene without a product, and unprocessable for a scene whose product has a picture with a background.
 */
export async function makeMockup(
  context: Context,
  actor: UserActor,
  {
    composition,
    turnDeg = 0,
    spin = false,
    scene,
  }: {
    readonly composition: unknown;
    readonly turnDeg?: number | undefined;
    readonly spin?: boolean | undefined;
    readonly scene?: MockupScene | undefined;
  },
  progress: TraceProgress,
): Promise<Download> {
  const job = await readRenderJob(context, actor, composition);
  if (turnDeg !== 0 || spin) requireTurnable(job.product?.surface);
  if (scene && !job.product) throw new AppError('invalid', 'A scene needs a product to stand in it.');
  const { plan } = await findSubscription(context, actor.id);
  const turn = spin ? { isSpin: true } : turnDeg !== 0 ? { turnDeg } : {};
  const target = { kind: 'mockup', watermark: plans[plan].watermark, ...turn } as const;
  const surroundings = spin ? undefined : scene;
  const make = () => makeRenderFile(context, actor, job, { target, surroundings, ...progress });
  const trace =
    job.designs.size > 0
      ? await withAllowance(context, actor, 'mockup', compositionKey(job, 'mockup'), make)
      : await make();
  return toDownload(context, trace, filenameOf(job, spin ? 'spin' : 'png'));
}

function requireTurnable(surface: BlankSurface | undefined): void {
  if (!surface || surface.kind === 'flat') throw new AppError('invalid', 'Only a round product can be turned.');
  if (surface.arcMm !== undefined) {
    throw new AppError('invalid', 'A product with a handle cannot be turned: its picture has the handle at the side.');
  }
}

const toDownload = (context: Context, { key, isFallback }: Trace, filename: string): Download => ({
  url: context.urls.sign(key, { downloadName: filename }),
  filename,
  ...(isFallback && { fellBack: true }),
});
