/**
 * Designs that shoppers save in the widget. A saved design is complete: the composition, the product with its measures,
 * copies of the artwork's files and a picture. It never changes. Its id is a capability: whoever knows it sees the
 * picture and may open a copy, but gets no production file.
 */
import {
  type CallReplyInput,
  type Design,
  KEEP_SAVED_DAYS,
  messages,
  type OfferedProduct,
  type OrderPiece,
  parseDimensions,
  SAVED_PICTURE_PX,
  type SavedDesign,
  savedPictureUrl,
  type widget,
} from '@markwright/contract';
import { artworksOf, type Composition, isArtwork, MM_PER_INCH, saveComposition } from '@markwright/scene';
import { findEmptyFields, findFixedChanges, fixedPicturesOf, sayFixedChange } from '@markwright/scene/customer';
import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { ensureGuest } from '../accounts/guests.ts';
import { withAllowance } from '../allowances/allowances.ts';
import { keeperOf } from '../allowances/storageShare.ts';
import { checkQuota, toDesign } from '../designs/designs.ts';
import { finishSettingsKey } from '../designs/finishing.ts';
import { designs } from '../designs/tables.ts';
import { checkPieces } from '../exports/pieces.ts';
import {
  compositionKey,
  drawRenderJob,
  makeRenderFile,
  type RenderJob,
  readComposition,
  readRenderJob,
} from '../exports/renderJob.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { OpenedFile } from '../platform/files.ts';
import { newId } from '../platform/ids.ts';
import type { Actor, UserActor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { idInKey, sweepOrphans } from '../platform/orphans.ts';
import { ownerColumns } from '../platform/ownership.ts';
import { enforceRateLimits, type RateLimit } from '../platform/rateLimit.ts';
import type { Keeper } from '../platform/storage.ts';
import { inCompany, inTenantScope, withinTenantScope } from '../platform/tenancy.ts';
import { findOffer } from '../shops/offers.ts';
import type { Shop } from '../shops/shops.ts';
import { findUploadKey } from '../tracing/pictures.ts';
import { type DrawnDesign, screenSettings, type Trace } from '../tracing/tracing.ts';
import { type SavedArtwork, savedDesigns } from './tables.ts';

export type SavedDesignRow = typeof savedDesigns.$inferSelect;

const HOUR_MS = 60 * 60 * 1000;
const limitsFor = (action: 'save' | 'open', { address }: Actor): RateLimit[] => [
  { key: `widget ${action} ${networkOf(address)}`, limit: 60, windowMs: HOUR_MS },
  { key: `widget ${action} day ${networkOf(address)}`, limit: 300, windowMs: 24 * HOUR_MS },
];

/**
 * Saves the caller's own composition. Stores the files first and the row last: a crash between them leaves files that
 * are swept. Throws invalid without a product or any element, notFound for somebody else's design, and for a product
 * or a machine that the shop does not offer, unprocessable while the picture is not traced and for pieces that cannot
 * be made, tooMany and storageFull. Where the product starts with a template, throws invalid for what `withTemplate`
 * finds.
 */
export async function saveDesign(
  context: Context,
  actor: Actor,
  { shop, composition, quantity, pieces, templateId }: DesignToSave,
  signal: AbortSignal,
): Promise<SavedDesign> {
  const { offer, product } = await getOffer(context, actor, shop, readComposition(composition));
  const template = await findTemplate(context, shop, offer, templateId);
  const job = await readRenderJob(context, actor, composition, async () => product);
  const order = {
    job: template ? withTemplate(job, template) : job,
    offer,
    shop,
    quantity,
    pieces,
    templateId: template?.id ?? null,
    template: null,
  };
  const row = await prepareDesign(context, actor, order, signal);
  const scope = shop ? { company: shop.companyId } : { capability: row.id };
  await inTenantScope(context.db, scope, (tx) => tx.insert(savedDesigns).values(row));
  return toSavedDesign(row);
}

interface DesignToSave {
  readonly shop: Shop | undefined;
  readonly composition: unknown;
  readonly quantity: number;
  readonly pieces?: readonly OrderPiece[] | undefined;
  /** The template that it started with. */
  readonly templateId?: string | undefined;
}

/** Finds the product of a composition in a shop. Throws notFound for a product or a machine that is not offered. */
export async function getOffer(
  context: Context,
  actor: Actor,
  shop: Shop | undefined,
  { productId, machine }: Composition,
) {
  if (machine === 'dtf' && !shop?.offersDtf) {
    throw new AppError('notFound', 'DTF is not offered here any more. Please choose another machine.');
  }
  const offer = productId === undefined ? undefined : await findOffer(context, actor, shop, productId);
  if (!offer) throw new AppError('notFound', 'This product is not offered here any more. Please choose another one.');
  return offer;
}

/**
 * Finds the template that a design of a product is judged by: the one that it started with, also when the product
 * starts with another one by now. Undefined for a product that starts empty. Throws invalid for a product with a
 * template whose design names none or one of something else.
 */
async function findTemplate(
  context: Context,
  shop: Shop | undefined,
  { productId, name, templateId: currentId }: OfferedProduct,
  templateId: string | undefined,
): Promise<SavedDesignRow | undefined> {
  const row = templateId === undefined ? undefined : await findSavedDesign(context, templateId);
  const isOfProduct = row?.template && shop && row.companyId === shop.companyId && row.product.productId === productId;
  if (isOfProduct) return row;
  if (templateId === undefined && currentId === undefined) return undefined;
  throw new AppError('invalid', `“${name}” starts with a design of the shop. Please choose it again.`);
}

/**
 * Returns the job of a design that differs from its template in open parts alone. The files of fixed pictures are
 * always the template's own, whatever design the caller names for them. Throws invalid for a fixed part that was
 * changed, and for a placeholder that is not filled in.
 */
function withTemplate(job: RenderJob, row: SavedDesignRow): RenderJob {
  const template = readComposition(row.composition);
  const fixedIds = new Set(fixedPicturesOf(template).map(({ id }) => id));
  const composition = {
    ...job.composition,
    elements: job.composition.elements.map((element) =>
      isArtwork(element) && fixedIds.has(element.id) ? { ...element, designId: row.id } : element,
    ),
  };
  const [change] = findFixedChanges(template, composition);
  if (change) throw new AppError('invalid', sayFixedChange(change));
  const [label] = findEmptyFields(template, composition);
  if (label !== undefined) throw new AppError('invalid', `Please fill in “${label}”.`);
  const ownFiles = [...readArtworks(row, template)].filter(([id]) => fixedIds.has(id));
  return { ...job, composition, designs: new Map([...job.designs, ...ownFiles]) };
}

interface DesignToStore {
  readonly job: RenderJob;
  readonly offer: OfferedProduct;
  readonly shop: Shop | undefined;
  readonly quantity: number;
  readonly pieces?: readonly OrderPiece[] | undefined;
  readonly template: SavedDesignRow['template'];
  readonly templateId: string | null;
}

/** Draws the picture of a design and copies its files. Returns the row, which is not stored yet. */
export async function prepareDesign(
  context: Context,
  actor: Actor,
  { job, offer, shop, quantity, pieces, template, templateId }: DesignToStore,
  signal: AbortSignal,
): Promise<SavedDesignRow> {
  if ([...job.designs.values()].some((design) => !screenSettings(design))) {
    throw new AppError('unprocessable', messages.noDesignToExport.description);
  }
  if (job.ownFonts.length > 0) {
    // The shop makes it later, and has no right to another account's font.
    throw new AppError('unprocessable', 'Designs for a shop are set in the studio’s fonts. Please choose one of them.');
  }
  await enforceRateLimits(context, limitsFor('save', actor));

  const ownPieces = pieces && (await checkPieces(context, actor, job, { pieces, quantity }, signal));
  const id = newId();
  const { drawing } = await drawRenderJob(context, actor, job, {
    target: { kind: 'mockup' },
    sidePx: SAVED_PICTURE_PX,
    signal,
  });
  if (!('png' in drawing)) throw new Error('A mockup is a picture');
  const pictureKey = `${folderOf(id)}preview.png`;
  const keeper = await keeperOf(context, actor);
  await context.files.put(pictureKey, drawing.png, 'image/png', keeper);
  const artworks: SavedArtwork[] = [];
  for (const [elementId, design] of job.designs) {
    const folder = artworks.length === 0 ? folderOf(id) : `${folderOf(id)}${artworks.length}/`;
    artworks.push({ id: elementId, design: await copyFiles(context, design, folder, keeper) });
  }

  const composition = withDesignIds(job.composition, () => id);
  const unit = offer.unitPriceCents;
  // In the color and size that were chosen: a saved design stays what it was.
  const product = job.product!;
  return {
    id,
    companyId: shop?.companyId ?? null,
    composition: saveComposition(composition),
    product,
    artwork: artworks.length > 1 ? artworks : (artworks[0]?.design ?? null),
    line: {
      productName: product.name,
      machine: composition.machine,
      quantity,
      currency: unit === null ? null : (shop?.currency ?? null),
      unitPriceCents: unit,
      totalCents: unit === null ? null : unit * quantity,
      ...(ownPieces && { pieces: ownPieces }),
    },
    pictureKey,
    template,
    templateId,
    orderedAt: null,
    createdAt: context.now(),
  };
}

const folderOf = (id: string): string => `saved/${id}/`;

/**
 * Copies the traced and shown files of a design into a folder of its own. Throws notFound when it was deleted
 * meanwhile.
 */
async function copyFiles(context: Context, design: DrawnDesign, folder: string, keeper: Keeper): Promise<DrawnDesign> {
  const { filename, mediaType, width, height, sizeBytes, shown } = design;
  const placeOf = (key: string) => `${folder}${key.slice(key.lastIndexOf('/') + 1)}`;
  const copy = async (key: string): Promise<string> => {
    const file = await context.files.get(key);
    if (!file) throw new AppError('notFound', 'The picture of this design is gone. Please upload it again.');
    await context.files.put(placeOf(key), file.bytes, file.mediaType, keeper);
    return placeOf(key);
  };
  const { originalKey, backgroundRemovedKey, vectorizedKey } = design;
  // Brush strokes of a cut-out are copied too; cut-outs of earlier versions have none.
  const strokesKey = backgroundRemovedKey && finishSettingsKey(backgroundRemovedKey);
  if (strokesKey && (await context.files.has(strokesKey))) await copy(strokesKey);
  // The picture is made from its upload when it is needed.
  await copy((await findUploadKey(context, originalKey)) ?? originalKey);
  return {
    ...{ filename, mediaType, width, height, sizeBytes, shown },
    originalKey: placeOf(originalKey),
    backgroundRemovedKey: backgroundRemovedKey && (await copy(backgroundRemovedKey)),
    vectorizedKey: vectorizedKey && (await copy(vectorizedKey)),
  };
}

const toSavedDesign = ({ id, line }: SavedDesignRow): SavedDesign => ({
  designId: id,
  previewUrl: savedPictureUrl(id),
  line,
});

/** Returns the size of what the whole picture of a saved design shows, in mm: the product's picture, turned with it. */
export function pictureSizeOf({ product, composition }: SavedDesignRow): { widthMm: number; heightMm: number } {
  const { widthInches } = parseDimensions(product.dimensions);
  const width = (widthInches * MM_PER_INCH) / product.printArea.width;
  const height = width / product.pictureAspect;
  const angle = (readComposition(composition).productAngleDeg * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  return { widthMm: width * cos + height * sin, heightMm: width * sin + height * cos };
}

/** Finds a saved design by its capability; undefined when it never existed or was deleted. */
export async function findSavedDesign(context: Context, id: string): Promise<SavedDesignRow | undefined> {
  const [row] = await inTenantScope(context.db, { capability: id }, (tx) =>
    tx.select().from(savedDesigns).where(eq(savedDesigns.id, id)),
  );
  return row;
}

async function getSavedDesign(context: Context, id: string): Promise<SavedDesignRow> {
  const row = await findSavedDesign(context, id);
  if (!row) throw new AppError('notFound', 'This design is not kept any more. Please make it again.');
  return row;
}

/** Returns a saved design. Throws notFound. */
export async function readSavedDesign(context: Context, id: string): Promise<SavedDesign> {
  return toSavedDesign(await getSavedDesign(context, id));
}

/** Opens the picture of a saved design. Throws notFound. */
export async function openPreview(context: Context, id: string): Promise<OpenedFile> {
  const file = await context.files.open((await getSavedDesign(context, id)).pictureKey);
  if (!file) throw new AppError('notFound', 'This picture is not there any more.');
  return file;
}

/**
 * Opens a saved design for changes. Copies its artwork to the caller, so that changes leave the saved one as it is. The
 * copy is free; tracing it with other settings counts as a mockup of the caller's. Throws notFound, tooMany,
 * storageFull.
 */
export async function openSavedDesign(
  context: Context,
  actor: Actor,
  id: string,
): Promise<CallReplyInput<typeof widget.open>> {
  const row = await getSavedDesign(context, id);
  const savedComposition = readComposition(row.composition);
  const artworks = [...readArtworks(row, savedComposition)];
  const template = row.template
    ? row
    : row.templateId === null
      ? undefined
      : await findSavedDesign(context, row.templateId);
  const reply = (composition: Composition, design: Design | null, copyIds: ReadonlyMap<string, string>) => ({
    ...toSavedDesign(row),
    composition: saveComposition(composition),
    design,
    template: template
      ? {
          id: template.id,
          composition: saveComposition(
            withDesignIds(readComposition(template.composition), (artworkId) => copyIds.get(artworkId) ?? template.id),
          ),
        }
      : null,
  });
  if (artworks.length === 0) return reply(savedComposition, null, new Map());
  const keeper = await keeperOf(context, actor);
  const sizeBytes = artworks.reduce((sum, [, design]) => sum + design.sizeBytes, 0);
  await checkQuota(context, actor, keeper, sizeBytes);
  await enforceRateLimits(context, limitsFor('open', actor));

  const now = context.now();
  const copies: (typeof designs.$inferInsert)[] = [];
  const copyIds = new Map<string, string>();
  for (const [elementId, design] of artworks) {
    const copyId = newId();
    const copiedArtwork = await copyFiles(context, design, `designs/${copyId}/`, keeper);
    copies.push({ id: copyId, ...ownerColumns(actor), ...copiedArtwork, createdAt: now, openedAt: now });
    copyIds.set(elementId, copyId);
  }
  if (actor.kind === 'guest') await ensureGuest(context, actor);
  const [first] = await context.db.insert(designs).values(copies).returning();
  const composition = withDesignIds(savedComposition, (artworkId) => copyIds.get(artworkId)!);
  return reply(composition, toDesign(context, first!), copyIds);
}

/** Returns the composition whose artworks show other designs: those of `designIdOf` for the artworks' own ids. */
const withDesignIds = (composition: Composition, designIdOf: (artworkId: string) => string): Composition => ({
  ...composition,
  elements: composition.elements.map((element) =>
    isArtwork(element) ? { ...element, designId: designIdOf(element.id) } : element,
  ),
});

/** Returns the designs of a saved composition by the ids of the artworks that show them. */
function readArtworks({ artwork }: SavedDesignRow, composition: Composition): ReadonlyMap<string, DrawnDesign> {
  if (Array.isArray(artwork)) return new Map(artwork.map(({ id, design }) => [id, design]));
  const [only] = artworksOf(composition);
  return new Map(artwork && only ? [[only.id, artwork]] : []);
}

/** Returns the render job of a saved design: for its maker, never for somebody who only knows its id. */
export function toRenderJob(row: SavedDesignRow): RenderJob {
  const composition = readComposition(row.composition);
  return { composition, designs: readArtworks(row, composition), product: row.product, ownFonts: [] };
}

/**
 * Makes the production SVG of a saved design, charged to `payer`; making it again in the month is free. Throws
 * limitReached and unprocessable.
 */
export async function makeSavedFile(
  context: Context,
  payer: UserActor,
  savedDesign: SavedDesignRow,
  signal: AbortSignal,
): Promise<Trace> {
  const job = toRenderJob(savedDesign);
  const make = () => makeRenderFile(context, payer, job, { target: { kind: 'production' }, signal });
  return withAllowance(context, payer, 'vector', compositionKey(job, 'file'), make);
}

/** Marks a saved design of a shop as ordered, so that it is kept. Returns false when it does not exist any more. */
export async function keepSavedDesign(
  context: Context,
  tx: Transaction,
  { companyId }: Shop,
  id: string,
): Promise<boolean> {
  const rows = await withinTenantScope(tx, { company: companyId }, () =>
    tx
      .update(savedDesigns)
      .set({ orderedAt: context.now() })
      .where(eq(savedDesigns.id, id))
      .returning({ id: savedDesigns.id }),
  );
  return rows.length > 0;
}

const SWEEP_LENGTH = 500;

/**
 * Deletes saved designs that were not ordered in time: the row first, so that a crash leaves orphaned files. A template
 * stays while a product starts with it, and as long as a design that started with it.
 */
export async function sweepSavedDesigns(context: Context): Promise<void> {
  const longAgo = new Date(context.now().getTime() - KEEP_SAVED_DAYS * 24 * HOUR_MS);
  const isOver = and(
    lt(savedDesigns.createdAt, longAgo),
    isNull(savedDesigns.orderedAt),
    sql`${savedDesigns.template} is distinct from 'current'`,
    sql`not exists (select from ${savedDesigns} as made where made.template_id = ${savedDesigns}.id)`,
  );
  const old = await inCompany(context.db, '*', (tx) =>
    tx.select({ id: savedDesigns.id }).from(savedDesigns).where(isOver).limit(SWEEP_LENGTH),
  );
  for (const { id } of old) {
    // A design that was ordered concurrently stays.
    const rows = await inCompany(context.db, '*', (tx) =>
      tx
        .delete(savedDesigns)
        .where(and(eq(savedDesigns.id, id), isOver))
        .returning({ id: savedDesigns.id }),
    );
    if (rows.length === 0) continue;
    await context.files.deleteFolder(folderOf(id));
  }
  await sweepOrphans(context, 'saved/', {
    ownerOf: idInKey,
    findExisting: async (ids) => {
      const isCandidate = inArray(savedDesigns.id, [...ids]);
      const rows = await inCompany(context.db, '*', (tx) =>
        tx.select({ id: savedDesigns.id }).from(savedDesigns).where(isCandidate),
      );
      return new Set(rows.map((row) => row.id));
    },
  });
}
