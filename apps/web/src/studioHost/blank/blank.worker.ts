/** The worker that reads the photograph of a blank. */
import type { Bitmap } from '@markwright/straighten';
import type { BlankPicture, BlankRequest } from './messages.ts';
import { readBlank } from './readBlank.ts';

declare const self: {
  onmessage: (event: MessageEvent<BlankRequest>) => void;
  postMessage(reply: BlankPicture | undefined): void;
};

/** More pixels than this show nothing more on a stage, px a side. */
const LONGEST_SIDE = 1280;

self.onmessage = async ({ data }) => {
  try {
    self.postMessage(await read(data));
  } catch (error) {
    console.warn('The picture of a blank could not be read.', error);
    self.postMessage(undefined);
  }
};

async function read({ file, ...options }: BlankRequest): Promise<BlankPicture> {
  const { picture, outline, ...rest } = readBlank(await decode(file), options);
  return {
    ...rest,
    outline,
    width: picture.width,
    height: picture.height,
    blob: await encode(picture),
  };
}

async function decode(file: Blob): Promise<Bitmap> {
  const whole = await createImageBitmap(file);
  const shrink = Math.min(1, LONGEST_SIDE / Math.max(whole.width, whole.height));
  const [width, height] = [
    Math.max(1, Math.round(whole.width * shrink)),
    Math.max(1, Math.round(whole.height * shrink)),
  ];
  const context = open(width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(whole, 0, 0, width, height);
  whole.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data: new Uint8Array(data.buffer) };
}

async function encode({ width, height, data }: Bitmap): Promise<Blob> {
  const context = open(width, height);
  context.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  return context.canvas.convertToBlob({ type: 'image/png' });
}

function open(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser has no canvas in workers.');
  return context;
}
