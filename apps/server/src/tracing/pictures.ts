/**
 * The pixels of a design. An uploaded JPG or PNG is stored unchanged as `upload.jpg` or `upload.png`. Only its owner
 * gets it back, as a download in the takeout. Everything else uses `original.png` beside it: the decoded picture,
 * upright and without metadata, which is a cache. So is `…-traced.png`, a picture shrunk to the size of a trace. Both
 * may be deleted at any time and are made again, the same to the byte, when they are needed. An SVG, and a picture of
 * earlier versions, has no upload beside it and is itself the stored file.
 */
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { DecodedPicture } from '../platform/ports/mediaJobs.ts';
import type { RunOptions } from '../platform/ports/mediaPool.ts';
import { CACHE, type Keeper } from '../platform/storage.ts';

const DECODED = '/original.png';
const SHRUNK = /-traced\.png$/;
const UPLOADS = ['upload.png', 'upload.jpg'] as const;

/**
 * Stores a decoded picture in a folder like `designs/<id>/`, with the uploaded bytes it comes from. Returns the key of
 * the picture and the number of stored bytes.
 */
export async function storePicture(
  context: Context,
  folder: string,
  uploadedBytes: Uint8Array,
  picture: DecodedPicture,
  keeper: Keeper,
): Promise<{ originalKey: string; sizeBytes: number }> {
  if (picture.mediaType === 'image/svg+xml') {
    const svg = new TextEncoder().encode(picture.svg);
    await context.files.put(`${folder}original.svg`, svg, picture.mediaType, keeper);
    return { originalKey: `${folder}original.svg`, sizeBytes: svg.length };
  }
  const { uploadFormat } = picture;
  await context.files.put(`${folder}upload.${uploadFormat}`, uploadedBytes, uploadTypes[uploadFormat], keeper);
  const originalKey = `${folder}original.png`;
  await context.files.put(originalKey, picture.png, picture.mediaType, CACHE);
  return { originalKey, sizeBytes: uploadedBytes.length };
}

const uploadTypes = { png: 'image/png', jpg: 'image/jpeg' } as const;

/** Returns the key of the upload of a decoded picture; undefined for a picture without one. */
export async function findUploadKey(context: Context, originalKey: string): Promise<string | undefined> {
  if (!originalKey.endsWith(DECODED)) return undefined;
  const folder = originalKey.slice(0, -DECODED.length);
  for (const name of UPLOADS) if (await context.files.has(`${folder}/${name}`)) return `${folder}/${name}`;
  return undefined;
}

/** Returns true for a stored picture that can be made again at any time. */
export const isCached = async (context: Context, key: string): Promise<boolean> =>
  SHRUNK.test(key) || (await findUploadKey(context, key)) !== undefined;

/** Reads a stored picture as the media jobs take it. Makes it again when it was only cached. Throws notFound. */
export async function readPicture(
  context: Context,
  key: string,
  run: RunOptions,
): Promise<{ png: Uint8Array } | { svg: string }> {
  const file = await context.files.get(key);
  if (!file) {
    const png = await restorePicture(context, key, run);
    if (!png) throw new AppError('notFound', 'The picture of this design is gone. Please upload it again.');
    return { png };
  }
  return file.mediaType === 'image/svg+xml' ? { svg: new TextDecoder().decode(file.bytes) } : { png: file.bytes };
}

/** Makes a cached picture again and stores it. Returns undefined for a key that is no cache of an existing picture. */
export async function restorePicture(context: Context, key: string, run: RunOptions): Promise<Uint8Array | undefined> {
  const png = SHRUNK.test(key) ? await shrink(context, key, run) : await decodeUpload(context, key, run);
  if (png) await context.files.put(key, png, 'image/png', CACHE);
  return png;
}

async function shrink(context: Context, key: string, run: RunOptions): Promise<Uint8Array | undefined> {
  const sourceKey = key.replace(SHRUNK, '.png');
  const file = await context.files.get(sourceKey);
  const png = file?.bytes ?? (await restorePicture(context, sourceKey, run));
  return png && (await context.media.run('shrink', { png }, run)).png;
}

async function decodeUpload(context: Context, key: string, run: RunOptions): Promise<Uint8Array | undefined> {
  const uploadKey = await findUploadKey(context, key);
  const upload = uploadKey && (await context.files.get(uploadKey));
  if (!upload) return undefined;
  const picture = await context.media.run('decode', { bytes: upload.bytes }, run);
  return picture.mediaType === 'image/png' ? picture.png : undefined;
}
