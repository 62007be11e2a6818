/** Uploads designs, traces them for the screen and lists those of the caller. */
import {
  type Design,
  messages,
  type PreviewSettings,
  toFrameSize,
  toPixelBox,
  toScreenSettings,
  VectorizeSettings,
} from '@markwright/contract';
import { and, desc, eq, inArray, isNotNull, lt, notExists, type SQL, sql } from 'drizzle-orm';
import { ensureGuest } from '../accounts/guests.ts';
import { guests } from '../accounts/tables.ts';
import { withAllowance } from '../allowances/allowances.ts';
import { keeperOf } from '../allowances/storageShare.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseDown } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { RequestKey } from '../platform/idempotencyKey.ts';
import { newId } from '../platform/ids.ts';
import type { Actor } from '../platform/mount.ts';
import type { UploadedFile } from '../platform/multipart.ts';
import { sweepOrphansOf } from '../platform/orphans.ts';
import { callerOf, ownerColumns } from '../platform/ownership.ts';
import type { DecodedPicture } from '../platform/ports/mediaJobs.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import { makeOnce, type TakeKey } from '../platform/requestKeys.ts';
import { checkRoom, type Keeper } from '../platform/storage.ts';
import { storePicture } from '../tracing/pictures.ts';
import { type Trace, type TraceProgress, traceDesign, tracePictureKey } from '../tracing/tracing.ts';
import { type DesignRow, getDesign, guestLimit, isOwnedBy } from './ownDesigns.ts';
import { designs } from './tables.ts';

/** The number of designs that one owner may have. */
const MAX_DESIGNS = { guest: 100, user: 2_000 } as const;
const LIST_LENGTH = 200;

/**
 * Stores a picture and returns the design made from it. The bytes decide the type. Only the decoded and rewritten
 * picture is ever served. The files are stored before the row: a crash between them leaves orphaned files, never a
 * broken row. The same picture sent again with its key is the same design. Throws unsupported, tooLarge, unprocessable,
 * storageFull and tooMany.
 */
export async function uploadDesign(
  context: Context,
  actor: Actor,
  file: UploadedFile,
  { key, signal }: { readonly key?: RequestKey | undefined; readonly signal: AbortSignal },
): Promise<Design> {
  return makeOnce(context, actor, key, {
    make: (take) => makeDesign(context, actor, file, { take, signal }),
    async find(id, notice) {
      const [row] = await context.db
        .select()
        .from(designs)
        .where(and(eq(designs.id, id), isOwnedBy(actor)));
      return row && { ...toDesign(context, row), notice: notice ?? undefined };
    },
  });
}

async function makeDesign(
  context: Context,
  actor: Actor,
  file: UploadedFile,
  { take, signal }: { readonly take: TakeKey; readonly signal: AbortSignal },
): Promise<Design> {
  const keeper = await keeperOf(context, actor);
  await checkQuota(context, actor, keeper, file.bytes.length);
  if (actor.kind === 'guest') await enforceRateLimits(context, [guestLimit('upload', actor)]);
  const picture = await context.media.run('decode', { bytes: file.bytes }, { caller: callerOf(actor), signal });

  const id = newId();
  const notice = picture.mediaType === 'image/svg+xml' ? toNotice(picture) : undefined;
  const row = await orRemoveFiles(context, `designs/${id}/`, async () => {
    const storedPicture = await storePicture(context, `designs/${id}/`, file.bytes, picture, keeper);
    if (actor.kind === 'guest') await ensureGuest(context, actor);
    const now = context.now();
    const values: typeof designs.$inferInsert = {
      id,
      ...ownerColumns(actor),
      filename: file.filename,
      mediaType: picture.mediaType,
      width: picture.width,
      height: picture.height,
      ...(picture.mediaType === 'image/svg+xml' && {
        widthMm: picture.widthMm,
        outlineFile: picture.outlineFile?.kind,
      }),
      ...storedPicture,
      createdAt: now,
      openedAt: now,
    };
    return context.db.transaction(async (tx) => {
      await take(tx, id, notice);
      const [insertedRow] = await tx.insert(designs).values(values).returning();
      return insertedRow!;
    });
  });
  return { ...toDesign(context, row), notice };
}

/**
 * Runs the work that stores a design's files and its row. Deletes the files when it fails, which gives their bytes
 * back. When the database's last reply did not arrive, they stay: the sweep finds them when there is no row.
 */
async function orRemoveFiles<T>(context: Context, folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseDown(error)) {
      await context.files
        .deleteFolder(folder)
        .catch((failure: unknown) =>
          context.log.warn({ err: failure }, 'files of an upload that failed are left for the sweep'),
        );
    }
    throw error;
  }
}

const TEXT_NOTICE =
  'The text in this SVG was left out. Turn it into outlines in your drawing program and upload it again.';
const MAX_NAMES = 5;

const UNITLESS_NOTICE = 'This DXF file names no unit, so its numbers were read as millimeters.';

/** Returns a notice about what was taken for granted of a drawing, and about parts that were left out. */
function toNotice({ droppedTags, outlineFile }: DecodedDrawing): string | undefined {
  const notices = [outlineFile?.isUnitless ? UNITLESS_NOTICE : [], droppedNotice(droppedTags) ?? []].flat();
  return notices.length > 0 ? notices.join(' ') : undefined;
}

type DecodedDrawing = Extract<DecodedPicture, { mediaType: 'image/svg+xml' }>;

function droppedNotice(droppedTags: readonly string[]): string | undefined {
  const others = droppedTags.filter((name) => name !== 'text');
  const hasText = others.length < droppedTags.length;
  if (others.length === 0) return hasText ? TEXT_NOTICE : undefined;
  const names = others.slice(0, MAX_NAMES).join(', ');
  const rest = others.length > MAX_NAMES ? ` and ${others.length - MAX_NAMES} more` : '';
  return hasText
    ? `${TEXT_NOTICE} Other parts were left out, too: ${names}${rest}.`
    : `Parts of this drawing were left out: ${names}${rest}.`;
}

/**
 * Throws storageFull when an owner may have no more designs, and quotaReached when its files have no room for this many
 * more bytes.
 */
export async function checkQuota(context: Context, actor: Actor, keeper: Keeper, bytes: number): Promise<void> {
  const designCount = await context.db.$count(designs, isOwnedBy(actor));
  if (designCount >= MAX_DESIGNS[actor.kind]) throw new AppError('storageFull', 'Your space for designs is full.');
  await checkRoom(context.db, keeper, bytes);
}

/**
 * Traces a design with the given settings for the screen. A guest is charged once per design. Throws invalid without a
 * design, notFound for somebody else's, and what `traceDesign` throws.
 */
export async function vectorizePreview(
  context: Context,
  actor: Actor,
  designId: string | undefined,
  settings: VectorizeSettings,
  progress: TraceProgress,
): Promise<{ vectorizedSvgUrl: string; fellBack?: boolean }> {
  if (designId === undefined) throw new AppError('invalid', messages.noDesignToExport.description);
  const design = await getDesign(context, actor, designId);
  const { key, isFallback } = await showTrace(context, actor, design, settings, progress);
  return { vectorizedSvgUrl: context.urls.sign(key), ...(isFallback && { fellBack: true }) };
}

/** Traces a design with preview settings. Settings that they do not contain stay those of the shown trace. */
export async function generatePreview(
  context: Context,
  actor: Actor,
  designId: string,
  changes: PreviewSettings,
  progress: TraceProgress,
): Promise<{ previewUrl: string; width: number; height: number; fellBack?: boolean }> {
  const design = await getDesign(context, actor, designId);
  const shownSettings = VectorizeSettings.parse(design.shown ?? {});
  const { paletteSize, despeckle, cutout, colorMode = shownSettings.colorMode } = changes;
  const settings = { ...shownSettings, paletteSize, despeckle, cutout, colorMode };
  const { key, isFallback } = await showTrace(context, actor, design, settings, progress);
  return {
    previewUrl: context.urls.sign(key),
    ...previewSize(design, shownSettings),
    ...(isFallback && { fellBack: true }),
  };
}

/** Traces for the screen and stores the settings, so that mockup and production file use the same ones. */
async function showTrace(
  context: Context,
  actor: Actor,
  design: DesignRow,
  settings: VectorizeSettings,
  progress: TraceProgress,
): Promise<Trace> {
  const make = () => traceDesign(context, actor, design, toScreenSettings(settings), progress);
  const trace =
    actor.kind === 'guest' ? await withAllowance(context, actor, 'guestMockup', design.id, make) : await make();
  // Skips a design whose background was removed meanwhile: this trace still has it.
  const isSamePicture = sql`${designs.backgroundRemovedKey} is not distinct from ${design.backgroundRemovedKey}`;
  await context.db
    .update(designs)
    .set({ vectorizedKey: trace.key, shown: settings })
    .where(and(eq(designs.id, design.id), isSamePicture));
  return trace;
}

const SVG_PREVIEW_SIDE_PX = 1000;

/** Returns the size of a preview in px. An SVG has no pixels, so it gets a size that fits a screen. */
function previewSize({ mediaType, ...picture }: DesignRow, { straighten, crop }: VectorizeSettings) {
  const whole = straighten ? toFrameSize(picture, straighten) : picture;
  const { width, height } = crop ? toPixelBox(crop, whole) : whole;
  if (mediaType === 'image/png') return { width, height };
  const scale = SVG_PREVIEW_SIDE_PX / Math.max(width, height);
  return { width: width * scale, height: height * scale };
}

/** Throws notFound for a design that is not the caller's. */
export async function readDesign(context: Context, actor: Actor, designId: string): Promise<Design> {
  return toDesign(context, await getDesign(context, actor, designId));
}

/**
 * Returns the caller's own designs, newest first: up to `LIST_LENGTH` of them, after the one with the id `before`.
 * Throws invalid when that is not the caller's.
 */
export async function listDesigns(context: Context, actor: Actor, before?: string): Promise<Design[]> {
  const own = isOwnedBy(actor);
  let isBefore: SQL | undefined;
  if (before !== undefined) {
    const condition = and(own, eq(designs.id, before));
    const place = context.db.select({ createdAt: designs.createdAt, id: designs.id }).from(designs).where(condition);
    if ((await place).length === 0) {
      throw new AppError('invalid', 'The list cannot go on from there. Please load it again.');
    }
    isBefore = sql`(${designs.createdAt}, ${designs.id}) < (${place})`;
  }
  const rows = await context.db
    .select()
    .from(designs)
    .where(and(own, isBefore))
    .orderBy(desc(designs.createdAt), desc(designs.id))
    .limit(LIST_LENGTH);
  return rows.map((row) => toDesign(context, row));
}

export function toDesign(context: Context, row: DesignRow): Design {
  const sign = (key: string | null) => (key === null ? null : context.urls.sign(key));
  const settings = VectorizeSettings.safeParse(row.shown).data;
  return {
    id: row.id,
    filename: row.filename,
    colorMode: settings?.colorMode ?? 'color',
    width: row.width,
    height: row.height,
    ...(row.widthMm !== null && { widthMm: row.widthMm }),
    ...(row.outlineFile !== null && { outlineFile: row.outlineFile }),
    originalFileUrl: context.urls.sign(row.originalKey),
    backgroundRemovedUrl: sign(row.backgroundRemovedKey),
    vectorizedSvgUrl: sign(row.vectorizedKey),
    settings,
    tracePictureUrl: sign(tracePictureKey(row) ?? null) ?? undefined,
    createdAt: row.createdAt.toISOString(),
  };
}

/** How long the design of a guest stays without being opened, and the guest without a design. */
const KEEP_GUESTS_MS = 30 * 24 * 60 * 60 * 1000;
const SWEEP_LENGTH = 500;

/** Removes designs that their guests did not open for 30 days: the row first, so that a crash leaves orphaned files. */
export async function sweepGuestDesigns(context: Context): Promise<void> {
  const longAgo = new Date(context.now().getTime() - KEEP_GUESTS_MS);
  const isOld = and(isNotNull(designs.guestId), lt(designs.openedAt, longAgo));
  for (let foundCount = SWEEP_LENGTH; foundCount === SWEEP_LENGTH; ) {
    const old = await context.db.select({ id: designs.id }).from(designs).where(isOld).limit(SWEEP_LENGTH);
    foundCount = old.length;
    for (const { id } of old) {
      // A design that was adopted or opened concurrently stays.
      const deletedRows = await context.db
        .delete(designs)
        .where(and(eq(designs.id, id), isOld))
        .returning({ id: designs.id });
      if (deletedRows.length === 0) continue;
      await context.files.deleteFolder(`designs/${id}/`);
    }
  }
}

/**
 * Removes guests who have no design and stored nothing for 30 days, with the records of their exports. The cookie of a
 * guest who comes back after that stays valid.
 */
export async function sweepGuests({ db, now }: Context): Promise<void> {
  const isIdle = lt(guests.seenAt, new Date(now().getTime() - KEEP_GUESTS_MS));
  const ownDesigns = db.select({ id: designs.id }).from(designs).where(eq(designs.guestId, guests.id));
  const idleGuests = db
    .select({ id: guests.id })
    .from(guests)
    .where(and(isIdle, notExists(ownDesigns)))
    .limit(SWEEP_LENGTH);
  for (let sweptCount = SWEEP_LENGTH; sweptCount === SWEEP_LENGTH; ) {
    // A guest who is about to store something is not idle any more.
    const { rowCount } = await db.delete(guests).where(and(inArray(guests.id, idleGuests), isIdle));
    sweptCount = rowCount ?? 0;
  }
}

/** Deletes files of designs without a row, after a crash between the two or the deletion of an account. */
export async function sweepDesignFiles(context: Context): Promise<void> {
  await sweepOrphansOf(context, 'designs/', designs);
}
