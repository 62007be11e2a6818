/** Opens the picture that a trace is made from, and changes its pixels as the server does before it traces. */
import { type PictureChanges, toAdjustments, toWarp } from '@markwright/contract/tracing';
import { adjustBitmap, type Bitmap } from '@markwright/vectorizer';
import { readPng } from './readPng.ts';

/** Throws an Error when the address does not answer with a PNG as the server writes them. */
export async function openPicture(url: string): Promise<Bitmap> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The picture answered ${response.status}`);
  const bitmap = await readPng(new Uint8Array(await response.arrayBuffer()));
  if (!bitmap) throw new Error('The picture is no plain PNG');
  return bitmap;
}

/** Straightens a picture, or returns it where nothing is to do. The code comes with the first one that needs it. */
export async function straightenPicture(picture: Bitmap, changes: PictureChanges | undefined): Promise<Bitmap> {
  const straight = toWarp(changes, picture);
  if (!straight) return picture;
  const { warp } = await import('@markwright/straighten');
  return warp(picture, straight, straight);
}

/** Crops a straightened picture and changes its levels. */
export const adjustPicture = (straight: Bitmap, changes: PictureChanges | undefined): Bitmap =>
  adjustBitmap(straight, toAdjustments(changes, straight));
