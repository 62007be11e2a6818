/** Keeps a blank: on the device for a visitor, as a product of the company for an account. */
import type { Company, CompanyProduct, Product } from '@markwright/contract/schemas';
import type { Composition } from '@markwright/scene';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../../api.ts';
import {
  type DeviceBlank,
  deleteDeviceBlank,
  newBlankId,
  readDeviceBlank,
  writeDeviceBlank,
} from '../../../products/deviceBlanks.ts';
import { COMPANY, ownProducts, refreshCompany } from '../../../products/shownProducts.ts';
import type { BlankPicture } from '../../../studioHost/blank/messages.ts';
import type { BlankDraft, BlankPlan } from './draft.ts';

export interface SavedBlank {
  readonly plan: BlankPlan;
  readonly reading: BlankPicture;
  readonly draft: BlankDraft;
  readonly source: Blob;
  /** The blank of the device that it takes the place of. */
  readonly before?: DeviceBlank | undefined;
}

/** Resolves with the product, and whether the browser keeps it beyond this page. */
export async function saveOnDevice(
  client: QueryClient,
  { plan, reading, draft, source, before }: SavedBlank,
): Promise<{ product: Product; isKept: boolean }> {
  const id = before?.id ?? newBlankId();
  const picture = await drawPicture(reading, plan);
  const { width, height } = plan.picture;
  const product: Product = {
    ...plan.fields,
    id,
    productId: id,
    printArea: plan.fields.printArea!,
    // As data: the page may show it and draw it, and a browser that starts again has it too.
    mockupImageUrl: await toDataUrl(picture),
    thumbnails: [],
    pictureAspect: width / height,
  };
  const changedAt = Date.now();
  const isKept = await writeDeviceBlank({ id, product, draft: { ...draft }, source, picture, changedAt });
  await refreshCompany(client);
  return { product, isKept };
}

/**
 * Adds the blank to the products of the account's company, and forgets the one on the device. Rejects with what the
 * call answers: custom products are off, the category has one of this name, the quota is full.
 */
export async function saveInCompany(
  client: QueryClient,
  { plan, reading, before }: SavedBlank,
  { isForCustomers, isOptIn }: { readonly isForCustomers: boolean; readonly isOptIn: boolean },
): Promise<CompanyProduct> {
  const file = toFile(await drawPicture(reading, plan), plan.fields.name);
  if (isOptIn) await api.company.updateSettings({ body: { customProductsEnabled: true } });
  const product = await api.company.addProduct({ body: plan.fields, file });
  if (isForCustomers) await api.company.submitToProfile({ params: { id: product.id }, body: {} });
  if (before) await writeDeviceBlank({ ...before, sentAs: product.id });
  await refreshCompany(client);
  return product;
}

/** Forgets a blank of the device. */
export async function forgetBlank(client: QueryClient, id: string): Promise<void> {
  await deleteDeviceBlank(id);
  await refreshCompany(client);
}

/**
 * Returns the composition with a product that the server knows: a blank of this device becomes a product of the
 * account's company first. Where that has its custom products off, `askOptIn` asks whether to switch them on. Rejects
 * with a sentence where the answer is no.
 */
export async function withSentBlank(
  client: QueryClient,
  composition: Composition,
  askOptIn: () => Promise<boolean>,
): Promise<Composition> {
  const blank = await readDeviceBlank(composition.productId!);
  if (!blank) throw new Error('This blank is not on this device any more. Please choose another one.');
  const own = await client.fetchQuery(ownProducts);
  if (blank.sentAs && own.some(({ id }) => id === blank.sentAs)) return { ...composition, productId: blank.sentAs };
  const { customProductsEnabled } = await client.fetchQuery<Company>({ queryKey: COMPANY });
  if (!customProductsEnabled) {
    if (!(await askOptIn())) throw new Error('This blank is on this device only, and is none of your products.');
    await api.company.updateSettings({ body: { customProductsEnabled: true } });
  }
  const { id: _id, productId: _own, mockupImageUrl: _url, thumbnails: _sizes, ...product } = blank.product;
  const { pictureAspect: _aspect, material, ...fields } = product;
  const body = { ...fields, material: material as BlankPlan['fields']['material'] };
  const { id: productId } = await api.company.addProduct({ body, file: toFile(blank.picture, product.name) });
  await writeDeviceBlank({ ...blank, sentAs: productId });
  await refreshCompany(client);
  return { ...composition, productId };
}

const toFile = (picture: Blob, name: string) =>
  new File([picture], `${name}.${picture.type === 'image/webp' ? 'webp' : 'png'}`, { type: picture.type });

/** Returns the picture of a reading with square pixels. */
async function drawPicture({ blob, width, height }: BlankPicture, { picture }: BlankPlan): Promise<Blob> {
  if (picture.width === width && picture.height === height) return blob;
  const canvas = Object.assign(document.createElement('canvas'), picture);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw the picture.');
  context.imageSmoothingQuality = 'high';
  const image = await createImageBitmap(blob);
  context.drawImage(image, 0, 0, picture.width, picture.height);
  image.close();
  return new Promise((resolve, reject) => {
    const take = (result: Blob | null) => (result ? resolve(result) : reject(new Error('The picture was not drawn.')));
    canvas.toBlob(take, blob.type, 0.92);
  });
}

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
