/** The worker that takes the light out of a picture, by the code of the trace, and answers with pictures to look at. */
import { type Bitmap, takeOutLight } from '@markwright/vectorizer';
import { adjustPicture, openPicture, straightenPicture } from '../tracer/openPicture.ts';
import type { LightPictures, LightQuestion } from './messages.ts';

declare const self: {
  onmessage: (event: MessageEvent<LightQuestion>) => void;
  postMessage(pictures: LightPictures | undefined): void;
};

/** The longer side of what is looked at, in px: about that of a window. */
const SIDE_PX = 1400;

self.onmessage = async ({ data }) => self.postMessage(await answer(data));

async function answer({ pictureUrl, changes, dropLight }: LightQuestion): Promise<LightPictures | undefined> {
  const picture = adjustPicture(await straightenPicture(await openPicture(pictureUrl), changes), changes);
  const flat = takeOutLight(picture, dropLight);
  if (!flat) return undefined;
  const scale = Math.min(1, SIDE_PX / Math.max(flat.width, flat.height));
  const [width, height] = [flat.width, flat.height].map((side) => Math.max(1, Math.round(side * scale)));
  const [before, after] = await Promise.all([toPicture(picture, width!, height!), toPicture(flat, width!, height!)]);
  return { before, after, width: width!, height: height! };
}

async function toPicture(bitmap: Bitmap, width: number, height: number): Promise<Blob> {
  const pixels = new ImageData(new Uint8ClampedArray(bitmap.data), bitmap.width, bitmap.height);
  const image = await createImageBitmap(pixels, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' });
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  image.close();
  return canvas.convertToBlob();
}
