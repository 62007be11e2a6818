/** The templates that products of a shop start with: copies of entries of the library, as saved designs of the shop. */
import type { ShopSettings } from '@markwright/contract';
import { saveComposition, withoutHidden } from '@markwright/scene';
import { findClosedPlaceholders, openPartsOf } from '@markwright/scene/customer';
import { eq } from 'drizzle-orm';
import { readRenderJob } from '../exports/renderJob.ts';
import { getTemplate } from '../library/library.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { inCompany } from '../platform/tenancy.ts';
import { getOwnShop, readShop, setStart } from '../shops/shops.ts';
import { getOffer, prepareDesign } from './savedDesigns.ts';
import { savedDesigns } from './tables.ts';

/**
 * Copies a template of the actor's library: its product starts with it in the actor's shop from now on. What is fixed
 * in it is locked, and hidden elements are left out. Throws notFound, also for a product that the shop does not offer,
 * unprocessable for a template that cannot be made or has placeholders that nobody may fill in, and what `saveDesign`
 * throws.
 */
export async function addStart(
  context: Context,
  actor: UserActor,
  entryId: string,
  signal: AbortSignal,
): Promise<ShopSettings> {
  const { name, composition } = await getTemplate(context, actor, entryId);
  if (composition.productId === undefined) {
    throw new AppError(
      'unprocessable',
      `“${name}” has no product. Open it in the studio, choose one and save it again.`,
    );
  }
  const visible = withoutHidden(composition);
  const [placeholder] = findClosedPlaceholders(visible);
  if (placeholder !== undefined) {
    const sentence = `“{${placeholder}}” stands in words that customers may not change. Open them, or write what is meant.`;
    throw new AppError('unprocessable', sentence);
  }
  const elements = visible.elements.map((element) => ({ ...element, isLocked: openPartsOf(element).length === 0 }));
  const shop = await getOwnShop(context, actor);
  const { offer, product } = await getOffer(context, actor, shop, composition);
  const job = await readRenderJob(context, actor, saveComposition({ ...visible, elements }), async () => product);
  const order = { job, offer, shop, quantity: 1, template: 'current', templateId: null } as const;
  const row = await prepareDesign(context, actor, order, signal);
  const { productId, name: productName } = offer;
  await inCompany(context.db, shop.companyId, async (tx) => {
    await tx.insert(savedDesigns).values(row);
    const before = await setStart(context, tx, shop, { productId, start: { designId: row.id, name, productName } });
    await retireTemplate(tx, before?.designId);
  });
  return readShop(context, actor);
}

/** The product starts empty again. */
export async function removeStart(context: Context, actor: UserActor, productId: string): Promise<ShopSettings> {
  const shop = await getOwnShop(context, actor);
  await inCompany(context.db, shop.companyId, async (tx) => {
    const before = await setStart(context, tx, shop, { productId, start: undefined });
    await retireTemplate(tx, before?.designId);
  });
  return readShop(context, actor);
}

async function retireTemplate(tx: Transaction, id: string | undefined): Promise<void> {
  if (id !== undefined) await tx.update(savedDesigns).set({ template: 'former' }).where(eq(savedDesigns.id, id));
}
