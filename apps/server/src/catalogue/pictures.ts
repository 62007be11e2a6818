/**
 * Products' pictures among the stored files. Each has its own folder with a random name: `products/<id>/` for base
 * products, `companies/<company>/<id>/` for a company's, `makers/<maker>/<id>/` for a local maker's photos. It contains
 * `picture-<longest side>.jpg` (or `.png`, or `picture.svg`), which is the row's key, and the smaller sizes
 * `<side>.avif`, `.webp` and so on.
 */
import { THUMBNAIL_SIDES_PX, type Thumbnail } from '@markwright/contract';
import { inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Context } from '../platform/context.ts';
import { isDatabaseDown } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import { sweepOrphans } from '../platform/orphans.ts';
import type { ProductPicture } from '../platform/ports/mediaJobs.ts';
import { type Keeper, SITE } from '../platform/storage.ts';
import { products } from './tables.ts';

/** The columns of a product's row that describe its picture. */
export interface StoredPictureFields {
  readonly pictureKey: string;
  readonly pictureAspect: number;
  /** The bytes of all its sizes together. */
  readonly sizeBytes: number;
}

/**
 * Stores a picture in a new folder below `folder`, e.g. `products`. The row comes after it: a crash between them leaves
 * files that are swept.
 */
export async function storePictureFiles(
  context: Context,
  folder: string,
  picture: ProductPicture,
  keeper: Keeper = SITE,
): Promise<StoredPictureFields> {
  const own = `${folder}/${newId()}`;
  await Promise.all(
    picture.files.map(({ name, bytes, mediaType }) => context.files.put(`${own}/${name}`, bytes, mediaType, keeper)),
  );
  return {
    pictureKey: `${own}/${picture.files[0]!.name}`,
    pictureAspect: picture.width / picture.height,
    sizeBytes: picture.files.reduce((sum, { bytes }) => sum + bytes.length, 0),
  };
}

/**
 * Runs the work that writes the row of a stored picture, and deletes the picture when there is no row. When the
 * database's last reply did not arrive, the picture stays: the sweep finds it when no row has it.
 */
export async function orDropPicture<T>(
  context: Context,
  storedPicture: Pick<StoredPictureFields, 'pictureKey'> | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (storedPicture && !isDatabaseDown(error)) await dropPicture(context, storedPicture.pictureKey);
    throw error;
  }
}

/** Deletes an orphaned picture in all its sizes. The sweep finds what cannot be deleted now. */
export async function dropPicture(context: Context, pictureKey: string): Promise<void> {
  try {
    await context.files.deleteFolder(`${folderOf(pictureKey)}/`);
  } catch (error) {
    context.log.warn({ err: error }, 'a picture nobody has any more is left for the sweep');
  }
}

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/'));

/**
 * Lists the smaller sizes of a picture, from small to large, each at the address that `addressOf` returns for its key.
 */
export function thumbnailsOf(
  { pictureKey, pictureAspect }: Pick<StoredPictureFields, 'pictureKey' | 'pictureAspect'>,
  addressOf: (key: string) => string,
): Thumbnail[] {
  const [, longest, fallback] = /picture-(\d+)\.(jpg|png)$/.exec(pictureKey) ?? [];
  const folder = folderOf(pictureKey);
  return THUMBNAIL_SIDES_PX.flatMap((side, index) => {
    // A drawing has only the size for lists; a page shows the drawing itself.
    if (index > 0 && side >= Number(longest ?? 0)) return [];
    const width = Math.max(1, Math.round(Math.min(side, Number(longest ?? side)) * Math.min(1, pictureAspect)));
    const types = ['avif', 'webp', ...(index === 0 ? [fallback ?? 'png'] : [])];
    return types.map((type) => ({
      width,
      mediaType: mediaTypes[type as keyof typeof mediaTypes],
      url: addressOf(`${folder}/${side}.${type}`),
    }));
  });
}

const mediaTypes = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' } as const;

/** Returns the public address of a base product's picture: its key, which never changes. */
export const publicAddressOf = (pictureKey: string): string => `/${pictureKey}`;

type PictureKeyColumn = PgColumn & { readonly _: { readonly data: string } };

/**
 * Deletes a folder's orphaned pictures, because of a crash, a replaced picture or a deleted owner. `findKeys` selects
 * the column of the rows that the condition chooses.
 */
export async function sweepPictureFolder(
  context: Context,
  folder: string,
  column: PictureKeyColumn,
  findKeys: (isOwned: SQL) => Promise<readonly { key: string | null }[]>,
): Promise<void> {
  const folderColumn = sql<string>`regexp_replace(${column}, '/[^/]*$', '')`;
  await sweepOrphans(context, folder, {
    ownerOf: folderOf,
    findExisting: async (folders) => {
      const rows = await findKeys(inArray(folderColumn, [...folders]));
      return new Set(rows.map(({ key }) => folderOf(key ?? '')));
    },
  });
}

/** Deletes pictures without a base product. */
export async function sweepPictures(context: Context): Promise<void> {
  const key = products.pictureKey;
  await sweepPictureFolder(context, 'products/', key, (isOwned) =>
    context.db.select({ key }).from(products).where(isOwned),
  );
}
