/** Makes machines' files of compositions: every format, each read back before it leaves. */
import { createHash } from 'node:crypto';
import {
  type CallReplyInput,
  type exportCalls,
  type FileReport,
  type FileRequest,
  machineFilename,
  plans,
} from '@markwright/contract';
import { findSubscription, withAllowance } from '../allowances/allowances.ts';
import { keeperOf } from '../allowances/storageShare.ts';
import { readInkProfile } from '../companies/inkProfiles.ts';
import { findLaserPowers } from '../companies/lasers.ts';
import type { Context } from '../platform/context.ts';
import { mediaTypeOf } from '../platform/files.ts';
import type { UserActor } from '../platform/mount.ts';
import { callerOf } from '../platform/ownership.ts';
import type { DrawInput, FileInput, SheetPapers } from '../platform/ports/mediaJobs.ts';
import { recordUse } from '../platform/storage.ts';
import type { TraceProgress } from '../tracing/tracing.ts';
import { readJobFiles, recordMadeFile } from './madeFiles.ts';
import {
  compositionKey,
  drawRenderJob,
  filenameOf,
  hasFallback,
  hashRender,
  limitFactorOf,
  namesOf,
  type RenderJob,
  readRenderJob,
  toDrawInput,
  traceRenderJob,
} from './renderJob.ts';

type Reply = CallReplyInput<typeof exportCalls.file>;

/** The facts of a stored file, kept beside it. */
interface FileFacts {
  readonly key: string;
  readonly ending: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly report: FileReport;
}

/**
 * Makes a machine's file of a composition and returns its address, its hash and a report of what it holds. All formats
 * of one composition share one charge a month, that of the production file. The same request of the same account is one
 * stored file. A LightBurn project has the shop's speeds and powers. Throws invalid, notFound, limitReached, and
 * unprocessable for a format that the machine has no use for; nothing is charged then.
 */
export async function makeMachineFile(
  context: Context,
  actor: UserActor,
  request: FileRequest,
  progress: TraceProgress,
): Promise<Reply> {
  const job = await readRenderJob(context, actor, request.composition);
  const jobKey = compositionKey(job, 'file');
  const make = async () => {
    const files = request.format === 'sheet' ? await readJobFiles(context, actor, jobKey) : [];
    return makeStored(context, actor, job, request, progress, { files });
  };
  const { facts, isFallback } = await withAllowance(context, actor, 'vector', jobKey, make);
  const { key, ending, sha256, sizeBytes, report } = facts;
  // The specified file keeps its specified name.
  const isSpecified = request.format === 'svg' && request.preset === undefined;
  const filename = isSpecified ? filenameOf(job, 'production') : machineFilename(namesOf(job), report, ending);
  const { widthMm, heightMm } = report;
  await recordMadeFile(context, actor, {
    ...{ key, jobKey, format: request.format, filename, names: namesOf(job) },
    ...{ widthMm, heightMm, sizeBytes, sha256 },
  });
  const url = context.urls.sign(key, { downloadName: filename });
  return { url, filename, sha256, report, ...(isFallback && { fellBack: true }) };
}

/**
 * Makes the job sheet of a job, charged with its production file, and returns its key. It names the order and the files
 * that it goes with. Throws as `makeMachineFile`.
 */
export async function makeJobSheet(
  context: Context,
  actor: UserActor,
  job: RenderJob,
  papers: SheetPapers,
  signal: AbortSignal,
): Promise<{ key: string; filename: string }> {
  const request = { format: 'sheet', preset: undefined, options: {} } as const;
  const make = () => makeStored(context, actor, job, request, { signal }, papers);
  const { facts } = await withAllowance(context, actor, 'vector', compositionKey(job, 'file'), make);
  return { key: facts.key, filename: machineFilename(namesOf(job), facts.report, facts.ending) };
}

async function makeStored(
  context: Context,
  actor: UserActor,
  job: RenderJob,
  { format, preset, options }: FileChoice,
  progress: TraceProgress,
  papers: SheetPapers,
): Promise<{ facts: FileFacts; isFallback: boolean }> {
  const drawing = { target: { kind: 'production' }, ...progress } as const;
  const traces = await traceRenderJob(context, actor, job, drawing);
  const isFallback = hasFallback(traces);
  const { laser, profile } = await readShopFacts(context, actor, job, { format, options });
  const isPlain = !papers.order && papers.files.length === 0;
  const base = hashRender(actor, job, ['file', format, preset, options, laser, ...(isPlain ? [] : [papers])], traces);
  const earlierFacts = await readFacts(context, base);
  if (earlierFacts) return { facts: earlierFacts, isFallback };

  const input = await toDrawInput(context, actor, job, drawing, traces);
  const { bytes, ending, report } = await context.media.run(
    'file',
    {
      ...toFileInput(context, job, input, { format, preset, options }),
      ...{ laser, profile, papers },
      mockup: format === 'package' ? await drawMockup(context, actor, job, progress) : undefined,
    },
    { caller: callerOf(actor), signal: progress.signal, limitFactor: limitFactorOf(job) },
  );
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = `${base}${/\.[a-z0-9]+$/.exec(ending)![0]}`;
  const facts: FileFacts = { key, ending, sha256, sizeBytes: bytes.length, report };
  const keeper = await keeperOf(context, actor);
  await context.files.put(key, bytes, mediaTypeOf(key), keeper);
  await context.files.put(factsKey(base), Buffer.from(JSON.stringify(facts)), 'application/json', keeper);
  return { facts, isFallback };
}

type FileChoice = Omit<FileRequest, 'composition'>;

/** Reads the speeds and powers of the shop's laser, and its ICC profile, where a file has some use for them. */
async function readShopFacts(
  context: Context,
  actor: UserActor,
  job: RenderJob,
  { format, options }: Pick<FileChoice, 'format' | 'options'>,
) {
  const isLaser = job.composition.machine === 'laser';
  const hasPowers = isLaser && ['lbrn2', 'package', 'sheet'].includes(format);
  const laser = hasPowers ? await findLaserPowers(context, actor, options.laser, job.product?.material) : undefined;
  const profile =
    options.profile !== undefined && !isLaser ? await readInkProfile(context, actor, options.profile) : undefined;
  return { laser, profile };
}

const toFileInput = (context: Context, job: RenderJob, input: DrawInput, { format, preset, options }: FileChoice) => ({
  ...{ composition: input.composition, product: input.product, artworks: input.artworks, ownFonts: input.ownFonts },
  ...{ format, preset, options },
  ...{ names: namesOf(job), material: job.product?.material, now: context.now(), mockup: undefined },
});

/** Reads all that the files of a job's pieces need: they differ in what rows fill. Throws as `makeMachineFile`. */
export async function preparePieces(
  context: Context,
  actor: UserActor,
  job: RenderJob,
  choice: FileChoice,
  signal: AbortSignal,
): Promise<FileInput> {
  const drawing = { target: { kind: 'production' }, signal } as const;
  const traces = await traceRenderJob(context, actor, job, drawing);
  const input = await toDrawInput(context, actor, job, drawing, traces);
  return { ...toFileInput(context, job, input, choice), ...(await readShopFacts(context, actor, job, choice)) };
}

const factsKey = (base: string) => `${base}.json`;

/** Returns the facts of a file that was made before and is still there. */
async function readFacts(context: Context, base: string): Promise<FileFacts | undefined> {
  const record = await context.files.get(factsKey(base));
  if (!record) return undefined;
  const facts = JSON.parse(Buffer.from(record.bytes).toString()) as FileFacts;
  if (!(await context.files.has(facts.key))) return undefined;
  for (const key of [facts.key, factsKey(base)]) await recordUse(context.db, key, context.now());
  return facts;
}

async function drawMockup(context: Context, actor: UserActor, job: RenderJob, progress: TraceProgress) {
  const { plan } = await findSubscription(context, actor.id);
  const target = { kind: 'mockup', watermark: plans[plan].watermark } as const;
  const { drawing } = await drawRenderJob(context, actor, job, { target, ...progress });
  return 'png' in drawing ? drawing.png : undefined;
}
