/** Pixels of a picture that the host shows at an address. */
import type { Picture } from '@markwright/matting';
import type { Size } from '../core/cutout/cutoutView.ts';

/** Reads the whole picture at this size. Throws with a sentence when it cannot be read. */
export async function readPixels(url: string, { width, height }: Size): Promise<Picture> {
  const image = new Image();
  image.src = url;
  await image.decode().catch((error: unknown) => {
    throw new Error('The picture could not be loaded. Check your connection.', { cause: error });
  });
  const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
  if (!context) throw new Error('This browser cannot show the picture for editing.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  return { width, height, data: new Uint8Array(context.getImageData(0, 0, width, height).data.buffer) };
}
